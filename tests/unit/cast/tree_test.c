/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_test: every member of a group reports to one that is above it, up to the sender, and each knows who reports to
 * it.
 */
#include <criterion/criterion.h>

#include "cast/proto/tree.h"

Test(tree, children_and_parents_agree_for_up_to_1000_members)
{
    for (int n = 2; n <= 1000; n += n < 70 ? 1 : 93)
        for (int root = 0; root < n; root += 1 + n / 7) {
            int direct = 0, sum = 0;
            for (int i = 0; i < n; i++) {
                sum += hws_cast_children(i, root, n);
                cr_assert_leq(hws_cast_children(i, root, n), HWS_CAST_FANOUT);
                cr_assert_eq(hws_cast_member(hws_cast_place(i, root, n), root, n), i);
                if (i == root)
                    continue;
                int up = hws_cast_parent(i, root, n), first = hws_cast_place(up, root, n) * HWS_CAST_FANOUT + 1;
                cr_assert_lt(hws_cast_place(up, root, n), hws_cast_place(i, root, n));
                cr_assert_lt(hws_cast_child(i, root, n), hws_cast_children(up, root, n));
                cr_assert_eq(hws_cast_member(first + hws_cast_child(i, root, n), root, n), i);
                direct += up == root;
            }
            cr_assert_eq(sum, n - 1);
            cr_assert_eq(direct, n - 1 < HWS_CAST_FANOUT ? n - 1 : HWS_CAST_FANOUT);
        }
}
