/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runq_test: when a rank looks whether its processor runs another one, and where it goes then.
 */
#include "base/runq.h"

#include <criterion/criterion.h>
#include <sched.h>

#define US 1000ull

static struct hws_runq r;

static void init(void)
{
    hws_runq_init(&r);
}

TestSuite(runq, .init = init);

/* Sleeps until a look is due; its judgment of so much time in the queue is *is_late. Returns how many they were. */
static int sleep_until_look(uint64_t queued_ns, bool *is_late)
{
    int n = 1;
    while (!hws_runq_slept(&r))
        n++;
    *is_late = hws_runq_judge(&r, queued_ns);
    return n;
}

Test(runq, looks_after_a_few_sleeps)
{
    bool is_late;
    cr_expect_eq(sleep_until_look(0, &is_late), HWS_RUNQ_GAP);
    cr_expect_not(is_late);
}

Test(runq, what_is_found_begins_anew)
{
    for (int i = 0; i < 100; i++) {
        for (int n = 1; n < HWS_RUNQ_GAP; n++)
            cr_assert_not(hws_runq_slept(&r));
        hws_runq_found(&r);
    }
}

Test(runq, only_time_in_the_queue_counts)
{
    bool is_late;
    sleep_until_look(300 * US, &is_late);
    cr_expect(is_late);
    hws_runq_found(&r);
    sleep_until_look(310 * US, &is_late); /* 10 us since: slow is the one that is waited for */
    cr_expect_not(is_late);
    sleep_until_look(700 * US, &is_late);
    cr_expect(is_late);
}

Test(runq, moves_in_vain_become_seldom)
{
    bool is_late;
    int gap = 0, before = 0;
    for (uint64_t i = 1; i <= 20; i++) {
        before = gap;
        gap = sleep_until_look(i * 1000 * US, &is_late);
        cr_assert(is_late);
        cr_assert_geq(gap, before);
    }
    cr_expect_gt(gap, 10 * HWS_RUNQ_GAP);
    cr_expect_eq(gap, before, "no end: %d, then %d", before, gap);
    hws_runq_found(&r); /* the last move has helped */
    cr_expect_eq(sleep_until_look(0, &is_late), HWS_RUNQ_GAP);
}

Test(runq, a_thread_that_tells_less_than_before_is_not_late)
{
    bool is_late;
    sleep_until_look(900 * US, &is_late);
    sleep_until_look(100 * US, &is_late); /* another thread of the process */
    cr_expect_not(is_late);
}

Test(runq, moves_to_the_next_and_may_use_all_as_before)
{
    cpu_set_t before, after;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    if (CPU_COUNT(&before) < 2)
        cr_skip("one processor only");
    for (int i = 0; i < 2 * CPU_COUNT(&before); i++) { /* also past the last one */
        cr_assert(hws_runq_move());
        cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
        cr_assert(CPU_EQUAL(&before, &after));
    }
}

Test(runq, stays_where_it_is_bound)
{
    cpu_set_t one, after;
    int here = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    cr_expect_not(hws_runq_move());
    cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
    cr_expect(CPU_EQUAL(&one, &after));
}
