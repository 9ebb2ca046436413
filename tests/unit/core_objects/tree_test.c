/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_test: the binomial tree reaches every member once, and context ids of different processes never meet.
 */
#include "core/comm_agree.h"

#include <criterion/criterion.h>

#include "core/world.h"

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

Test(tree, ids_are_unique_over_processes)
{
    static bool used[1 << 20];
    hws_world.size = 5;
    used[HWS_CTX_WORLD] = used[HWS_CTX_SELF] = used[HWS_CTX_STARTUP] = true;
    for (int round = 0; round < 50; round++)
        for (hws_world.rank = 0; hws_world.rank < 5; hws_world.rank++) {
            uint32_t first = hws_ctx_take(3);
            for (int i = 0; i < 3; i++) {
                uint32_t id = hws_ctx_nth(first, i);
                cr_assert_lt(id, 1u << 20);
                cr_assert_eq(id % HWS_CTX_KINDS, 0);
                cr_assert_not(used[id], "id %u", id);
                used[id] = true;
            }
        }
}

Test(tree, ids_run_out_instead_of_coming_again)
{
    hws_world.size = 1;
    hws_world.rank = 0;
    while (hws_ctx_take(1 << 20) != HWS_CTX_NONE)
        ;
    cr_expect_eq(hws_ctx_take(1 << 20), HWS_CTX_NONE);
}
