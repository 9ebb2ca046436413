/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spin_test: the budget over scripted waits; no clock runs.
 */
#include "peer/state/spin.h"

#include <criterion/criterion.h>

#define US  1000ull
#define MAX (100 * US)

static struct hws_spin s;

static void init(void)
{
    hws_spin_init(&s, MAX, false);
}

TestSuite(spin, .init = init);

/* n waits of the given length by a process that spins as long as it may and then sleeps; 20 us pass until it is woken.
 */
static uint64_t wait_n(int n, uint64_t ns)
{
    uint64_t spun = 0;
    for (int i = 0; i < n; i++) {
        uint64_t budget = hws_spin_budget(&s);
        bool is_found = ns <= budget;
        spun += is_found ? ns : budget;
        hws_spin_learn(&s, is_found ? ns : ns + 20 * US, is_found);
    }
    return spun;
}

Test(spin, starts_in_full)
{
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, short_waits_keep_it_full)
{
    wait_n(1000, 10 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
    wait_n(1000, 90 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, more_ranks_than_processors_never_spin)
{
    hws_spin_init(&s, MAX, true);
    cr_assert_eq(hws_spin_budget(&s), 0);
    wait_n(100, 1);
    cr_assert_eq(hws_spin_budget(&s), 0);
}

Test(spin, a_bound_of_zero_never_spins)
{
    hws_spin_init(&s, 0, false);
    wait_n(100, 1);
    cr_assert_eq(hws_spin_budget(&s), 0);
}

Test(spin, long_waits_burn_next_to_nothing)
{
    uint64_t spun = wait_n(1000, 1000000 * US);
    cr_assert_leq(hws_spin_budget(&s), MAX / 50);
    cr_assert_leq(spun, 10 * MAX + 1000 * (MAX / 50));
}

Test(spin, one_long_wait_changes_little)
{
    wait_n(100, 10 * US);
    wait_n(1, 3000000 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, recovers_when_waits_become_short)
{
    wait_n(1000, 1000000 * US);
    wait_n(7, 10 * US);
    cr_assert_gt(hws_spin_budget(&s), MAX / 50);
    wait_n(10, 10 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, recovers_also_from_a_wait_that_just_misses_a_small_budget)
{
    wait_n(1000, 1000000 * US);
    wait_n(50, 80 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, never_beyond_the_bound_and_never_rising_with_longer_waits)
{
    uint64_t before = UINT64_MAX;
    for (uint64_t ns = 0; ns < 20 * MAX; ns += MAX / 10) {
        init();
        wait_n(200, ns);
        cr_assert_leq(hws_spin_budget(&s), MAX);
        cr_assert_leq(hws_spin_budget(&s), before);
        before = hws_spin_budget(&s);
    }
    cr_assert_gt(before, 0);
}

Test(spin, extreme_times_do_not_overflow)
{
    hws_spin_init(&s, 1000000 * US, false);
    for (int i = 0; i < 100; i++)
        hws_spin_learn(&s, UINT64_MAX, i % 2);
    cr_assert_leq(hws_spin_budget(&s), 1000000 * US / 50);
    for (int i = 0; i < 100; i++)
        hws_spin_learn(&s, 0, false);
    cr_assert_eq(hws_spin_budget(&s), 1000000 * US);
}

#define MS (1000 * US)

/* So many ms at a time, with that part of them in the run queue, until the budget is in full or is not. Returns the ms.
 */
static uint64_t judge_until(bool full, uint64_t *now, uint64_t *queued, unsigned percent)
{
    uint64_t begin = *now;
    for (int i = 0; i < 1000 && hws_spin_is_full(&s) != full; i++) {
        *now += 10 * MS;
        *queued += 10 * MS * percent / 100;
        cr_assert(hws_spin_is_judged(&s, *now));
        hws_spin_judge(&s, *now, *queued, true);
        wait_n(1, 20 * US);
    }
    return (*now - begin) / MS;
}

/* Neighbours compute: yields have led to nothing. */
static void shun_yields(void)
{
    s.to_shun = 200;
}

Test(spin, yields_while_the_processors_are_wanted)
{
    uint64_t now = 1000 * MS, queued = 77 * MS;
    hws_spin_judge(&s, now, queued, true);
    cr_assert(!hws_spin_yields(&s));
    cr_assert_eq(judge_until(false, &now, &queued, 50), 10);
    cr_assert(hws_spin_yields(&s));
    cr_assert_eq(hws_spin_budget(&s), MAX, "as long as any spin");
    cr_assert_eq(judge_until(true, &now, &queued, 10), 10000, "a rank that yields has less to wait for");
    cr_assert_leq(judge_until(true, &now, &queued, 0), 700);
    cr_assert(!hws_spin_yields(&s));
}

Test(spin, sleeps_where_yields_take_time_slices)
{
    uint64_t now = 1000 * MS, queued = 0;
    hws_spin_judge(&s, now, queued, true);
    judge_until(false, &now, &queued, 50);
    for (int i = 0; i < 100; i++)
        hws_spin_yielded(&s, 900 * US, now);
    hws_spin_yielded(&s, 4 * MS, now);
    cr_assert(hws_spin_yields(&s), "one alone says nothing");
    hws_spin_yielded(&s, 4 * MS, now);
    cr_assert(!hws_spin_yields(&s) && hws_spin_budget(&s) == HWS_SPIN_PATIENCE_NS);
    judge_until(true, &now, &queued, 50);
    judge_until(false, &now, &queued, 50);
    cr_assert(!hws_spin_yields(&s), "the next rest does without");
    judge_until(true, &now, &queued, 50);
    judge_until(false, &now, &queued, 50);
    cr_assert(hws_spin_yields(&s), "then it is tried again");
}

Test(spin, is_patient_where_most_of_the_time_goes_to_such_as_compute)
{
    cr_assert_eq(hws_spin_patience(&s), 0);
    hws_spin_yielded(&s, 2 * MS, 0);
    cr_assert_eq(hws_spin_patience(&s), HWS_SPIN_PATIENCE_NS);
    for (int i = 0; i < 1000; i++)
        hws_spin_yielded(&s, US / 2, 0);
    cr_assert_eq(hws_spin_patience(&s), HWS_SPIN_PATIENCE_NS, "those that nobody took say little");
    for (int i = 0; i < 50; i++)
        hws_spin_yielded(&s, 100 * US, 0);
    cr_assert_eq(hws_spin_patience(&s), 0, "others copy, or wait as well");
    hws_spin_yielded(&s, MS, 0);
    cr_assert_eq(hws_spin_patience(&s), 0, "one alone says nothing");
    for (int i = 0; i < 10; i++)
        hws_spin_yielded(&s, MS, 0);
    cr_assert_eq(hws_spin_patience(&s), HWS_SPIN_PATIENCE_NS);
}

Test(spin, patience_is_no_longer_than_the_longest_spin)
{
    uint64_t now = 1000 * MS, queued = 0;
    hws_spin_init(&s, 5 * US, false);
    hws_spin_judge(&s, now, queued, true);
    judge_until(false, &now, &queued, 50);
    hws_spin_yielded(&s, 8 * MS, now);
    cr_assert(!hws_spin_yields(&s));
    cr_assert_leq(hws_spin_budget(&s), 5 * US);
}

Test(spin, some_slow_yields_of_a_long_rest_are_usual)
{
    uint64_t now = 1000 * MS, queued = 0;
    hws_spin_judge(&s, now, queued, true);
    for (int i = 0; i < 200; i++) {
        judge_until(false, &now, &queued, 50);
        now += 10 * MS;
        queued += 5 * MS;
        hws_spin_judge(&s, now, queued, true);
        if (i > 100 && i % 10 == 0)
            hws_spin_yielded(&s, 4 * MS, now);
    }
    cr_assert(hws_spin_yields(&s));
}

/* A rank that spins hardly stands in the run queue where all others yield. */
Test(spin, yields_where_others_do)
{
    uint64_t now = 1000 * MS, queued = 0;
    for (int i = 0; i < 10; i++) {
        hws_spin_judge(&s, now += 10 * MS, queued, true);
        for (int k = 0; k < 3; k++) {
            hws_spin_tried(&s, 300);
            hws_spin_tried(&s, 4 * MS);
            hws_spin_tried(&s, 10 * US);
        }
        cr_assert(!hws_spin_yields(&s), "as often alone");
    }
    hws_spin_judge(&s, now += 10 * MS, queued, true);
    for (int k = 0; k < 3; k++)
        hws_spin_tried(&s, 10 * US);
    hws_spin_judge(&s, now += 10 * MS, queued, true);
    cr_assert(hws_spin_yields(&s));
    judge_until(true, &now, &queued, 0);
    cr_assert(!hws_spin_yields(&s), "and no longer than they do");
}

Test(spin, rests_while_the_processors_are_wanted)
{
    uint64_t now = 1000 * MS, queued = 77 * MS;
    shun_yields();
    hws_spin_judge(&s, now, queued, true);
    cr_assert(hws_spin_is_full(&s), "what was before the first look does not count");
    cr_assert(!hws_spin_is_judged(&s, now + HWS_SPIN_LOOK_FIRST_NS - 1));
    cr_assert_eq(judge_until(false, &now, &queued, 50), 10);
    wait_n(100, 20 * US);
    cr_assert_lt(hws_spin_budget(&s), MAX / 10, "however short waits are");
    uint64_t first = judge_until(true, &now, &queued, 0);
    cr_assert_eq(judge_until(false, &now, &queued, 50), 10, "it is tried again");
    cr_assert_gt(judge_until(true, &now, &queued, 0), first, "and rests longer");
}

/* The time until the next look. */
static uint64_t gap_from(uint64_t now)
{
    uint64_t gap = 0;
    while (!hws_spin_is_judged(&s, now + gap))
        gap += 100 * US;
    return gap;
}

Test(spin, the_first_looks_follow_each_other_soon)
{
    uint64_t now = 1000 * MS, before = 0;
    hws_spin_judge(&s, now, 0, true);
    cr_assert_eq(gap_from(now), HWS_SPIN_LOOK_FIRST_NS);
    for (int i = 0; i < 100; i++) {
        uint64_t gap = gap_from(now);
        cr_assert(gap == HWS_SPIN_LOOK_NS || gap > before);
        cr_assert_eq(hws_spin_is_early(&s), gap < HWS_SPIN_LOOK_NS);
        before = gap;
        hws_spin_judge(&s, now += gap, 0, true);
    }
    cr_assert(!hws_spin_is_early(&s));
}

Test(spin, an_early_look_finds_wanted_processors)
{
    uint64_t now = 1000 * MS;
    hws_spin_judge(&s, now, 0, true);
    hws_spin_judge(&s, now + HWS_SPIN_LOOK_FIRST_NS, HWS_SPIN_LOOK_FIRST_NS / 2, true);
    cr_assert(hws_spin_yields(&s));
    cr_assert(!hws_spin_is_early(&s), "what is known needs no more looks");
}

/* The next look of a rank that was ready to run and did not for half of the time. */
static void look(uint64_t *now, bool is_full)
{
    uint64_t gap = gap_from(*now);
    s.looked_ns = s.looked_ns ? s.looked_ns : *now;
    hws_spin_judge(&s, *now += gap, s.queued_ns + gap / 2, is_full);
}

static void end_early_looks(uint64_t *now)
{
    *now = 1000 * MS;
    while (hws_spin_is_early(&s))
        hws_spin_judge(&s, *now += 10 * MS, 0, false);
}

Test(spin, a_look_counts_between_two_of_full_processors)
{
    for (int mask = 0; mask < 8; mask++) {
        bool is_early = mask & 4, first = mask & 2, second = mask & 1;
        uint64_t now = 1000 * MS;
        init();
        if (!is_early)
            end_early_looks(&now);
        look(&now, first);
        look(&now, second);
        cr_expect_eq(hws_spin_yields(&s), first && second, "%d %d %d", is_early, first, second);
    }
}

Test(spin, who_cannot_part_yields)
{
    uint64_t now = 1000 * MS;
    hws_spin_judge(&s, now, 0, false);
    while (hws_spin_is_early(&s))
        look(&now, false);
    for (int i = 0; i < 3; i++) {
        cr_assert(hws_spin_is_full(&s), "%d", i);
        look(&now, false);
    }
    cr_assert(hws_spin_yields(&s));
    for (int i = 0; i < 20; i++)
        look(&now, false);
    cr_assert(hws_spin_yields(&s), "nothing has changed");
    for (int i = 0; i < 2; i++)
        hws_spin_judge(&s, now += 1000 * MS, s.queued_ns, false);
    cr_assert(!hws_spin_yields(&s), "nobody wants it any more");
    look(&now, false);
    look(&now, false);
    cr_assert(!hws_spin_yields(&s), "and what was then is forgotten");
}

Test(spin, a_rest_ends_where_a_processor_is_free)
{
    for (int n_full = 0; n_full < 2; n_full++) {
        uint64_t now;
        init();
        end_early_looks(&now);
        look(&now, true);
        look(&now, true);
        cr_assert(hws_spin_yields(&s));
        look(&now, n_full > 0);
        look(&now, false);
        cr_expect_eq(hws_spin_yields(&s), n_full > 0, "%d", n_full);
    }
}

Test(spin, some_waiting_for_processors_is_usual)
{
    uint64_t now = 1000 * MS, queued = 0;
    cr_assert_eq(judge_until(false, &now, &queued, 20), 10000, "never");
}

Test(spin, rests_are_bounded_and_forgotten)
{
    uint64_t now = 1000 * MS, queued = 0, longest = 0, first;
    shun_yields();
    hws_spin_judge(&s, now, queued, true);
    judge_until(false, &now, &queued, 60);
    first = judge_until(true, &now, &queued, 60);
    for (int i = 0; i < 20; i++) {
        judge_until(false, &now, &queued, 60);
        longest = judge_until(true, &now, &queued, 60);
    }
    cr_assert_leq(longest, 400);
    judge_until(false, &now, &queued, 0);
    judge_until(false, &now, &queued, 60);
    cr_assert_eq(judge_until(true, &now, &queued, 60), first);
}
