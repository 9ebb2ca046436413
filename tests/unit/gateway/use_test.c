/* SPDX-License-Identifier: BSD-3-Clause
 *
 * use_test: what passed stands in the slot of its time, nothing is lost when slots become longer, and the lines for
 * mpirun and the picture have it all.
 */
#include "gateway/use.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define STEP 1000u

static void add(struct use *u, uint64_t at, uint64_t out, uint64_t in)
{
    struct hws_gate_counts now = u->last;
    now.bytes_out += out;
    now.bytes_in += in;
    use_add(u, at, &now);
}

static uint64_t sum(const struct use *u)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < USE_SLOTS; i++)
        n += u->slots[i].out;
    return n;
}

Test(use, has_slots)
{
    struct use u;
    use_init(&u, 5000, STEP);
    add(&u, 5000, 1, 2);
    add(&u, 6000, 10, 0);
    add(&u, 6001, 100, 0);
    cr_assert_eq(u.n, 2);
    cr_assert_eq(u.slots[0].out, 11);
    cr_assert_eq(u.slots[0].in, 2);
    cr_assert_eq(u.slots[1].out, 100);
}

Test(use, a_clock_that_goes_back_is_the_first_slot)
{
    struct use u;
    use_init(&u, 5000, STEP);
    add(&u, 4000, 7, 0);
    cr_assert_eq(u.slots[0].out, 7);
}

Test(use, loses_nothing_as_slots_become_longer)
{
    struct use u;
    use_init(&u, 0, STEP);
    for (unsigned i = 1; i <= 4000; i++)
        add(&u, i * STEP, i, 0);
    cr_assert_eq(sum(&u), 4000 * 4001 / 2);
    cr_assert_eq(u.step_ns, 32 * STEP);
    cr_assert_eq(u.n, 4000 / 32);
    cr_assert_eq(u.slots[0].out, 32 * 33 / 2);
    add(&u, 1000000000ull * STEP, 5, 0); /* after a long silence */
    cr_assert_eq(sum(&u), 4000 * 4001 / 2 + 5);
    cr_assert_leq(u.n, USE_SLOTS);
}

static void check_lines(char *text)
{
    char *save = NULL;
    uint64_t out = 0, in = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *at = NULL;
        cr_assert_str_eq(strtok_r(line, " ", &at), USE_WORD);
        uint64_t begin = strtoull(strtok_r(NULL, " ", &at), NULL, 10);
        cr_assert_eq((begin - 77) % STEP, 0);
        cr_assert_eq(strtoull(strtok_r(NULL, " ", &at), NULL, 10), STEP);
        cr_assert_str_eq(strtok_r(NULL, " ", &at), "b");
        for (char *w; (w = strtok_r(NULL, " ", &at));) {
            out += strtoull(w, NULL, 10);
            in += strtoull(strtok_r(NULL, " ", &at), NULL, 10);
        }
    }
    cr_assert_eq(out, 120 * 121 / 2);
    cr_assert_eq(in, 120);
}

Test(use, tells_mpirun_all)
{
    struct use u;
    char *text = NULL;
    size_t len;
    use_init(&u, 0, STEP);
    for (unsigned i = 1; i <= 120; i++)
        add(&u, i * STEP, i, 1);
    FILE *f = open_memstream(&text, &len);
    use_tell(&u, 77, "b", f);
    fclose(f);
    check_lines(text);
    free(text);
}

Test(use, draws_a_column_for_each_slot_and_direction)
{
    struct use u;
    char *text = NULL;
    size_t len, n = 0;
    use_init(&u, 0, STEP);
    for (unsigned i = 1; i <= 12; i++)
        add(&u, i * STEP, i, 1);
    FILE *f = open_memstream(&text, &len);
    use_draw(&u, "a", "b", 0, f);
    fclose(f);
    for (const char *at = text; (at = strstr(at, "<rect")); at++)
        n++;
    cr_assert_eq(n, 24);
    free(text);
}
