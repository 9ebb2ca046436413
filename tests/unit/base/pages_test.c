/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pages_test: what comes ahead covers what is needed, at most as much again and a step, never more than there is; and
 * what was written stays.
 */
#include "base/pages.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

Test(pages, twice_as_many_as_are_there_up_to_a_step)
{
    size_t len = 1 << 20, done = 0;
    for (size_t need = 1; need <= len; need += 777) {
        size_t before = done;
        if (need > done)
            done = hws_pages_next(done, need, len);
        cr_assert(done >= need && done <= len);
        size_t more = before < HWS_PAGES_STEP ? before : HWS_PAGES_STEP;
        cr_assert_leq(done, (need > before + more ? need : before + more) + 4095);
    }
    cr_assert_eq(hws_pages_next(0, 1, 100), 100);
    cr_assert_eq(hws_pages_next(4096, 300000, len), (300000 + 4095) / 4096 * 4096);
}

static size_t n_there(const uint8_t *mem, size_t n)
{
    unsigned char in[64];
    size_t sum = 0;
    cr_assert_eq(mincore((void *)(uintptr_t)mem, n * 4096, in), 0);
    for (size_t i = 0; i < n; i++)
        sum += in[i] & 1;
    return sum;
}

Test(pages, they_are_there_before_they_are_written_and_keep_what_they_hold)
{
    enum { N = 64 };
    uint8_t *mem = mmap(NULL, N * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(mem, MAP_FAILED);
    mem[5] = 42;
    madvise(mem, N * 4096, MADV_NOHUGEPAGE);
    size_t before = n_there(mem, N), done = 0;
    hws_pages_ahead(mem + 8, N * 4096 - 8, &done, 16 * 4096);
    cr_assert_eq(mem[5], 42);
    if (n_there(mem, N) == before)
        cr_skip_test("this kernel brings no pages in ahead (Linux 5.14)");
    cr_assert_eq(n_there(mem, N), 17);
    for (size_t i = 6; i < N * 4096; i++)
        cr_assert_eq(mem[i], 0);
    munmap(mem, N * 4096);
}

Test(pages, zeros_take_memory_where_they_are_written)
{
    for (size_t n = 0; n <= 40; n += n < 8 ? 1 : 8) {
        size_t bytes = n * 4096 + (n % 3 ? 8 : 0);
        uint8_t *mem = hws_pages_zeros(bytes);
        cr_assert(mem);
        for (size_t i = 0; i < bytes; i += 8)
            cr_assert_eq(mem[i], 0);
        if (bytes)
            mem[bytes - 1] = 1;
        hws_pages_free(mem, bytes);
    }
    hws_pages_free(NULL, 0);
    hws_pages_free(NULL, 1 << 20);
    uint8_t *mem = hws_pages_zeros(40 * 4096);
    mem[4096 * 7] = 1;
    cr_assert_eq(n_there(mem, 40), 1);
    hws_pages_free(mem, 40 * 4096);
}
