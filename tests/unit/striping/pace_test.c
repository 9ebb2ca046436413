/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace: a lane that is watched every 100 us, in simulated time. It moves what the link does and the pace allows.
 */
#include "striping/pace.h"

#include <criterion/criterion.h>

#define LINK    125000000ull /* bytes/s */
#define STEP_NS 100000ull
#define SECOND  1000000000ull

struct lane {
    struct hws_rate rate;
    struct hws_pace pace;
    uint64_t now, drained, came, last, rtt_ns, others;
};

static const struct lane queued = {.rtt_ns = 5000000};

static void follow(struct lane *l)
{
    if (!hws_pace_is_due(&l->pace, &l->rate, l->now) ||
        !hws_pace_update(&l->pace, &l->rate, l->now, l->came, l->drained, l->rtt_ns, l->others))
        return;
    cr_assert_neq(hws_pace_of(&l->pace), l->last, "it is told when it is another");
    l->last = hws_pace_of(&l->pace);
}

/* came_percent: what comes for what goes. */
static void run(struct lane *l, uint64_t link, unsigned came_percent, uint64_t ms)
{
    for (uint64_t end = l->now + ms * 1000000; l->now < end;) {
        uint64_t speed = l->last && l->last < link ? l->last : link, n = speed * STEP_NS / SECOND;
        l->now += STEP_NS;
        l->drained += n;
        l->came += n * came_percent / 100;
        hws_rate_update(&l->rate, l->now, l->drained, 1 << 20);
        follow(l);
    }
}

static void assert_near(uint64_t pace, uint64_t link)
{
    cr_assert(pace > link && pace < link + link / 3, "%llu for a link of %llu", (unsigned long long)pace,
              (unsigned long long)link);
}

Test(pace, is_a_little_more_than_the_link)
{
    struct lane l = queued;
    run(&l, LINK, 100, 200);
    assert_near(l.last, LINK);
}

Test(pace, there_is_none_at_first)
{
    struct lane l = queued;
    run(&l, LINK, 100, 5);
    cr_assert_eq(l.last, 0);
}

Test(pace, there_is_none_where_nothing_comes)
{
    struct lane l = queued;
    run(&l, LINK, 0, 300);
    cr_assert_eq(l.last, 0);
    run(&l, LINK, 100, 300);
    assert_near(l.last, LINK);
    run(&l, LINK, 1, 50);
    cr_assert_eq(l.last, 0, "and it ends when nothing comes any more");
}

/* Messages that are over within half a millisecond, before anybody looks: they fill no slot. */
static void run_short(struct lane *l, uint64_t bytes_per_s, unsigned came_percent, uint64_t ms)
{
    for (uint64_t i = 0; i < ms; i++) {
        uint64_t n = bytes_per_s / 1000;
        hws_rate_update(&l->rate, l->now += SECOND / 2000, l->drained, n);
        l->now += SECOND / 2000;
        l->drained += n;
        l->came += n * came_percent / 100;
        hws_rate_update(&l->rate, l->now, l->drained, 0);
        follow(l);
    }
}

Test(pace, ends_where_nothing_is_measured_and_it_is_not_needed)
{
    static const struct {
        uint64_t bytes_per_s;
        unsigned came_percent;
        bool stays;
    } cases[] = {{LINK / 3, 100, true}, {LINK / 3, 1, false}, {LINK / 50, 100, false}, {0, 100, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lane l = queued;
        run(&l, LINK, 100, 200);
        assert_near(l.last, LINK);
        run_short(&l, cases[i].bytes_per_s, cases[i].came_percent, HWS_PACE_IDLE_NS / 1000000 / 2);
        cr_assert(l.last, "case %zu", i);
        unsigned slots = hws_rate_slots(&l.rate);
        run_short(&l, cases[i].bytes_per_s, cases[i].came_percent, 5 * HWS_PACE_IDLE_NS / 1000000);
        cr_assert_eq(hws_rate_slots(&l.rate), slots, "case %zu: slots", i);
        cr_assert_eq(l.last != 0, cases[i].stays, "case %zu", i);
        run(&l, LINK, 100, 50);
        assert_near(l.last, LINK);
    }
}

Test(pace, there_is_none_on_fast_links)
{
    struct lane l = queued;
    run(&l, 2 * HWS_PACE_MOST, 100, 300);
    cr_assert_eq(l.last, 0);
}

/* A round trip of 5 ms after each 5 ms of moving: it looks half as fast as it is. */
Test(pace, does_not_slow_down_a_lane_that_the_others_leave_behind)
{
    struct lane l = queued;
    l.others = LINK;
    for (int i = 0; i < 400; i++) {
        run(&l, LINK, 100, 5);
        run(&l, 0, 100, 5);
    }
    cr_assert(l.last == 0 || l.last >= LINK, "%llu", (unsigned long long)l.last);
}

/* A lane that shared its link with others has all of it now. */
Test(pace, follows_a_link_that_becomes_faster)
{
    struct lane l = queued;
    run(&l, LINK / 8, 100, 500);
    assert_near(l.last, LINK / 8);
    run(&l, LINK, 100, 300);
    assert_near(l.last, LINK);
}

Test(pace, follows_a_link_that_becomes_slower)
{
    struct lane l = queued;
    run(&l, LINK, 100, 500);
    run(&l, LINK / 8, 100, 500);
    assert_near(l.last, LINK / 8);
}

Test(pace, a_lane_that_stands_still_may_move_again)
{
    struct lane l = queued;
    run(&l, LINK, 100, 300);
    run(&l, 0, 100, 1000);
    cr_assert(l.last == 0 || l.last >= HWS_PACE_LEAST);
    run(&l, LINK, 100, 600);
    assert_near(l.last, LINK);
}

/* However slow it looks. */
Test(pace, there_is_none_where_nothing_is_queued)
{
    struct lane l = {.rtt_ns = 100000};
    run(&l, LINK, 100, 500);
    cr_assert_eq(l.last, 0);
    l.rtt_ns = 5000000;
    run(&l, LINK, 100, 5);
    cr_assert_eq(l.last, 0, "once may be a delayed acknowledgment");
    run(&l, LINK, 100, 50);
    assert_near(l.last, LINK);
    l.rtt_ns = 100000;
    run(&l, LINK, 100, 500);
    assert_near(l.last, LINK);
}

/* A slot of 512 KiB takes 4.2 ms of such a link. */
Test(pace, there_is_none_on_a_link_that_was_fast_of_late)
{
    struct lane l = queued;
    run(&l, LINK, 100, 500);
    run(&l, 2 * HWS_PACE_MOST, 100, 500);
    cr_assert_eq(l.last, 0);
    run(&l, LINK, 100, 4 * (HWS_PACE_FAST - 2));
    cr_assert_eq(l.last, 0);
    run(&l, 2 * HWS_PACE_MOST, 100, 50);
    run(&l, LINK, 100, 4 * (HWS_PACE_FAST - 2));
    cr_assert_eq(l.last, 0, "slow once in a while");
}

/* What a shaper let pass of messages shorter than its bucket looked fast. */
Test(pace, bursts_are_forgotten)
{
    struct lane l = queued;
    run(&l, 2 * HWS_PACE_MOST, 100, 500);
    run(&l, LINK, 100, 500);
    assert_near(l.last, LINK);
}
