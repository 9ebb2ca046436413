/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_test: the binomial tree reaches every member once.
 */
#include "core/comm/comm_agree.h"

#include <criterion/criterion.h>

Test(tree, every_member_has_one_parent)
{
    for (int n = 1; n <= 130; n++) {
        int seen[130] = {0};
        for (int r = 0; r < n; r++)
            for (int bit = hws_tree_first_bit(r, n); bit; bit >>= 1)
                if (r + bit < n) {
                    seen[r + bit]++;
                    cr_assert_eq(hws_tree_parent(r + bit), r);
                }
        for (int r = 1; r < n; r++)
            cr_assert_eq(seen[r], 1, "member %d of %d", r, n);
        cr_assert_eq(seen[0], 0);
    }
}
