/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bypass_test: which way long data take into shared memory. Roles: machines on which the caches are the quicker way, by
 * far the slower one, or a little slower; who takes the data while they come, or after; a machine that changes; copies
 * that were held up, and memory that is touched for the first time.
 */
#include "base/bypass.h"

#include <criterion/criterion.h>

enum { KIB = 1024, LEN = 16 * KIB };

/* ns for 64 KiB each way, as measured (decision 049). */
struct machine {
    uint64_t cached, past;
};

static const struct machine shared = {1450, 2000}, apart = {7300, 1900}, between = {4000, 1900};

/* Copies that went past the caches, of n; each `held_up`-th takes ten times as long. */
static unsigned copy(struct hws_bypass *b, const struct machine *m, unsigned n, unsigned held_up)
{
    unsigned n_past = 0;
    for (unsigned i = 1; i <= n; i++) {
        struct hws_bypass_way w = hws_bypass_next(b);
        uint64_t ns = (w.past ? m->past : m->cached) * LEN / (64 * KIB);
        n_past += w.past;
        if (w.timed)
            hws_bypass_took(b, held_up && i % held_up == 0 ? 10 * ns : ns, LEN);
    }
    return n_past;
}

Test(bypass, the_caches_come_first_and_both_ways_are_tried_soon)
{
    struct hws_bypass b = {0};
    cr_assert_eq(copy(&b, &shared, 16, 0), 0);
    cr_assert_gt(copy(&b, &shared, 14, 0), 0, "the other way was not tried");
}

Test(bypass, the_quicker_way_is_taken)
{
    for (unsigned held_up = 0; held_up < 5; held_up += 2)
        for (int in_turn = 0; in_turn < 2; in_turn++) {
            struct hws_bypass near = {.in_turn = in_turn}, far = {.in_turn = in_turn};
            copy(&near, &shared, 100, held_up);
            copy(&far, &apart, 100, held_up);
            cr_assert_lt(copy(&near, &shared, 10000, held_up), 500, "%d: trials of the slower way", in_turn);
            cr_assert_gt(copy(&far, &apart, 10000, held_up), 9500, "%d: trials of the slower way", in_turn);
        }
}

/* The time out of memory counts where it is not hidden behind the time into it. */
Test(bypass, who_takes_the_data_afterwards_makes_a_difference)
{
    struct hws_bypass at_once = {0}, in_turn = {.in_turn = true};
    copy(&at_once, &between, 1000, 0);
    copy(&in_turn, &between, 1000, 0);
    cr_assert_gt(copy(&at_once, &between, 1000, 0), 900);
    cr_assert_lt(copy(&in_turn, &between, 1000, 0), 100);
}

/* Stores that are still under way look as quick as no memory is. */
Test(bypass, times_that_no_memory_has_do_not_count)
{
    const struct machine hidden = {2400, 700};
    struct hws_bypass b = {.in_turn = true};
    cr_assert_lt(copy(&b, &hidden, 10000, 0), 500);
}

Test(bypass, a_machine_that_changes_is_noticed)
{
    struct hws_bypass b = {0};
    const struct machine *m = &shared;
    for (int i = 0; i < 6; i++) {
        m = m == &shared ? &apart : &shared;
        copy(&b, m, 5000, 0); /* as long as trials are apart at most */
        unsigned n_past = copy(&b, m, 1000, 0);
        cr_assert(m == &apart ? n_past > 900 : n_past < 100, "change %d: %u", i, n_past);
    }
}

/* What becomes slow is seen long before the next trial is due. */
Test(bypass, a_way_that_takes_longer_is_given_up_soon)
{
    struct hws_bypass b = {0};
    copy(&b, &shared, 50000, 0);
    copy(&b, &apart, 100, 0);
    cr_assert_gt(copy(&b, &apart, 1000, 0), 900);
}

/* Near the limit the way that is taken stays, so that it does not change with each trial. */
Test(bypass, what_is_close_does_not_go_to_and_fro)
{
    const struct machine close[] = {{3300, 1900}, {4200, 1900}};
    struct hws_bypass b = {0};
    int changes = 0;
    copy(&b, &apart, 1000, 0);
    for (int i = 0; i < 40; i++) {
        bool was = b.is_past;
        copy(&b, &close[i % 2], 5000, 0);
        changes += was != b.is_past;
    }
    cr_assert_eq(changes, 0);
}
