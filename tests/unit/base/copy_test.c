/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy_test: hws_copy() of every short length, hws_copy_long(), _across() and _long_across() write those bytes and no
 * others.
 */
#include "base/copy.h"

#include <criterion/criterion.h>

Test(copy, every_length_exactly)
{
    uint8_t src[64], dst[64];
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (uint8_t)(i + 1);
    for (size_t n = 0; n + 2 <= sizeof src; n++) {
        memset(dst, 0xee, sizeof dst);
        hws_copy(dst + 1, src + 1, n);
        cr_assert_eq(memcmp(dst + 1, src + 1, n), 0, "%zu bytes", n);
        cr_assert_eq(dst[0], 0xee, "%zu bytes: one before", n);
        cr_assert_eq(dst[n + 1], 0xee, "%zu bytes: one behind", n);
    }
}

/* With and without the string instruction, to destinations that begin anywhere in a line. */
Test(copy, across_is_exact_by_either_way)
{
    static uint8_t src[3 * HWS_ACROSS_MIN], dst[3 * HWS_ACROSS_MIN];
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (uint8_t)(i * 7 + 1);
    hws_copy_setup();
    for (int way = 0; way < 2; way++, hws_copy_by_string = false)
        for (size_t n = 0; n + 130 <= sizeof src;
             n += n < 40 || (n > HWS_ACROSS_MIN - 40 && n < HWS_ACROSS_MIN + 40) ? 1 : 61) {
            size_t at = 1 + n % 67;
            memset(dst, 0xee, sizeof dst);
            hws_copy_across(dst + at, src + 3, n);
            cr_assert_eq(memcmp(dst + at, src + 3, n), 0, "%zu bytes", n);
            cr_assert_eq(dst[at - 1], 0xee, "%zu bytes: one before", n);
            cr_assert_eq(dst[at + n], 0xee, "%zu bytes: one behind", n);
        }
}

/* Through the caches and past them, to destinations and from sources that begin anywhere in a line. */
Test(copy, long_across_is_exact_by_either_way)
{
    enum { MOST = 3 * HWS_LONG_ACROSS_MIN };
    static uint8_t src[MOST + 64], dst[MOST + 130];
    struct hws_bypass b = {0};
    unsigned n_past = 0, n_cached = 0;
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (uint8_t)(i * 7 + 1);
    for (size_t n = 2048; n <= MOST; n += 61) { /* as streams have */
        size_t at = 1 + n % 67, from = n % 59;
        b.is_past = n % 2; /* whatever the machine */
        memset(dst, 0xee, sizeof dst);
        n_past += b.is_past;
        n_cached += !b.is_past;
        hws_copy_long_across(&b, dst + at, src + from, n);
        cr_assert_eq(memcmp(dst + at, src + from, n), 0, "%zu bytes", n);
        cr_assert_eq(dst[at - 1], 0xee, "%zu bytes: one before", n);
        cr_assert_eq(dst[at + n], 0xee, "%zu bytes: one behind", n);
    }
    cr_assert(n_past > 100 && n_cached > 100);
}

/* Wherever the two begin within a page, and where one is slow behind the other. */
Test(copy, long_is_exact_wherever_it_lies)
{
    enum { PAGE = 4096, MOST = 3 * HWS_COPY_PIECE + 5 };
    static _Alignas(PAGE) uint8_t src[PAGE + MOST], dst[2 * PAGE + MOST + 1];
    unsigned n_slow = 0;
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (uint8_t)(i * 7 + i / 251);
    for (size_t at = 1; at < PAGE; at += at < 40 || at > PAGE - 40 ? 1 : 37)
        for (size_t from = 0; from < 80; from += 13)
            for (size_t n = HWS_COPY_PIECE - 1; n <= MOST; n += HWS_COPY_PIECE / 2 + 3) {
                bool is_slow = (at + PAGE - from) % PAGE >= 1 && (at + PAGE - from) % PAGE <= 15;
                cr_assert_eq(hws_copy_is_slow(dst + at, src + from), is_slow, "%zu from %zu", at, from);
                n_slow += is_slow && n > HWS_COPY_PIECE;
                memset(dst, 0xee, sizeof dst);
                hws_copy_long(dst + at, src + from, n);
                cr_assert_eq(memcmp(dst + at, src + from, n), 0, "%zu bytes", n);
                cr_assert_eq(dst[at - 1], 0xee, "%zu bytes: one before", n);
                cr_assert_eq(dst[at + n], 0xee, "%zu bytes: one behind", n);
            }
    cr_assert_gt(n_slow, 100);
    hws_copy_long(dst, src, 0);
}
