/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy_test: hws_copy() of every short length, hws_copy_across() and hws_copy_long_across() write those bytes and no
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
    for (size_t n = HWS_LONG_ACROSS_MIN; n <= MOST; n += 61) {
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
