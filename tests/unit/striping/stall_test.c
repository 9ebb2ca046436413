/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stall_test: standstills are charged to a lane if packets were lost and somebody looked; the charge ends, comes sooner
 * than it went where loss goes on, and is forgotten by a lane that is good for a while.
 */
#include "striping/stall.h"

#include <criterion/criterion.h>

static const uint64_t MS = 1000000;

struct link {
    struct hws_stall stall;
    uint64_t now, drained, resent;
    int asked;
};

/* Looks every ms for so long; `moves`: something drains each time. */
static void run(struct link *l, int ms, bool moves, uint64_t backlog)
{
    for (int i = 0; i < ms; i++) {
        l->now += MS;
        l->drained += moves ? 1000 : 0;
        if (hws_stall_update(&l->stall, l->now, l->drained, backlog)) {
            l->asked++;
            hws_stall_blame(&l->stall, l->now, l->resent);
        }
    }
}

static uint64_t cost_ms(const struct link *l)
{
    return hws_stall_cost(&l->stall, l->now) / MS;
}

static void stall(struct link *l, int ms)
{
    run(l, 5, true, 1000);
    l->resent++;
    run(l, ms, false, 1000);
    run(l, 1, true, 1000);
}

Test(stall, a_lane_that_drains_or_rests_is_never_asked)
{
    struct link l = {.now = 77 * MS};
    run(&l, 100, true, 1000);
    run(&l, 100, false, 0);
    l.now += 10000 * MS; /* nobody looks */
    run(&l, 100, true, 1000);
    cr_assert_eq(l.asked, 0);
    cr_assert_eq(cost_ms(&l), 0);
}

Test(stall, looks_that_are_rare_prove_nothing)
{
    struct link l = {.now = 77 * MS};
    for (int i = 0; i < 50; i++) {
        l.resent++;
        l.now += 300 * MS;
        run(&l, 1, true, 1000);
    }
    cr_assert_eq(l.asked, 0);
}

Test(stall, without_loss_it_is_the_other_process)
{
    struct link l = {.now = 77 * MS};
    run(&l, 10, true, 1000);
    run(&l, 5000, false, 1000);
    run(&l, 10, true, 1000);
    cr_assert_geq(l.asked, 2);
    cr_assert_leq(l.asked, 12);
    cr_assert_eq(cost_ms(&l), 0);
}

Test(stall, what_stands_still_for_loss_is_charged_at_once)
{
    struct link l = {.now = 77 * MS};
    run(&l, 5, true, 1000);
    l.resent++;
    run(&l, 26, false, 1000);
    cr_assert_geq(cost_ms(&l), 25);
    run(&l, 180, false, 1000);
    run(&l, 1, true, 1000);
    cr_assert_geq(cost_ms(&l), 200);
    run(&l, 1100, true, 1000);
    cr_assert_eq(cost_ms(&l), 0, "and not for ever");
}

Test(stall, who_loses_again_rests_longer_and_who_is_good_is_forgiven)
{
    struct link l = {.now = 77 * MS};
    uint64_t rest_ms = 0;
    for (int i = 0; i < 8; i++) {
        stall(&l, 205);
        uint64_t charged = 0;
        for (; cost_ms(&l); charged++)
            run(&l, 1, true, 1000);
        cr_assert(i == 0 || (charged > rest_ms + rest_ms / 2 && charged < 3 * rest_ms) || charged > 31000,
                  "%d ms after %d", (int)charged, (int)rest_ms);
        rest_ms = charged;
    }
    cr_assert_leq(rest_ms, 32100);
    run(&l, 70000, true, 1000);
    stall(&l, 205);
    run(&l, 1100, true, 1000);
    cr_assert_eq(cost_ms(&l), 0);
}

/* A connection on which nothing is acknowledged is given up; the next one goes over the same card. */
Test(stall, the_next_connection_is_charged_with_what_the_last_one_lost)
{
    struct link l = {.now = 1000 * MS};
    stall(&l, 300);
    uint64_t until = l.stall.until_ns, cost = cost_ms(&l);
    cr_assert_gt(cost, 0);
    l.stall = hws_stall_of_next(&l.stall);
    l.drained = l.resent = 0;
    cr_assert_eq(cost_ms(&l), cost);
    cr_assert_eq(l.stall.until_ns, until);
    run(&l, 1100, true, 1000);
    cr_assert_eq(cost_ms(&l), 0);
    stall(&l, 300);
    cr_assert_gt(l.stall.until_ns - l.now, 1500 * MS, "it rests for longer than the first time");
}
