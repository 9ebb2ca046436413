/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy_test: hws_copy() of every short length writes those bytes and no others.
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
