/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cede_test: when waits leave the processor, over scripted times; no clock runs.
 */
#include "peer/state/cede.h"

#include <criterion/criterion.h>

#define US   1000ull
#define MS   (1000 * US)
#define MOST (HWS_CEDE_LEAST_NS + HWS_CEDE_RANGE_NS)

static struct hws_cede c;

static void init(void)
{
    hws_cede_init(&c, 0);
}

TestSuite(cede, .init = init);

Test(cede, an_answer_under_way_is_waited_for)
{
    for (uint64_t now = 1 * MS; now < 2 * MS; now += 10 * US) {
        cr_assert_not(hws_cede_is_due(&c, now - HWS_CEDE_LEAST_NS + 1, now));
        cr_assert(hws_cede_is_due(&c, now - MOST, now));
        hws_cede_done(&c, now, now, false);
    }
}

Test(cede, the_next_one_waits_anew)
{
    hws_cede_done(&c, 1 * MS, 1 * MS + US, false);
    cr_assert_not(hws_cede_is_due(&c, 0, 1 * MS + 2 * US));
    cr_assert(hws_cede_is_due(&c, 0, 1 * MS + US + MOST));
}

/* Two ranks that wait for each other's other thread: after each time in which both have given way, as they began to
 * wait at the same moment and waited for as long to within what a change of threads takes, they are where they were. */
static int rounds_together(uint64_t seed)
{
    struct hws_cede a, b;
    hws_cede_init(&a, seed);
    hws_cede_init(&b, seed + 1);
    for (int n = 1;; n++) {
        uint64_t apart = a.after_ns > b.after_ns ? a.after_ns - b.after_ns : b.after_ns - a.after_ns;
        if (apart > 1 * US)
            return n;
        hws_cede_done(&a, n * MS, n * MS, false);
        hws_cede_done(&b, n * MS, n * MS, false);
    }
}

Test(cede, two_ranks_do_not_swap_for_long)
{
    int most = 0, sum = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        int n = rounds_together(seed);
        most = n > most ? n : most;
        sum += n;
    }
    cr_assert_lt(sum, 1000 * 2, "%d rounds for 1000 pairs", sum);
    cr_assert_lt(most, 20);
}

Test(cede, who_computes_is_left_alone)
{
    uint64_t now = 10 * MS, end = now + HWS_CEDE_SLOW_NS;
    hws_cede_done(&c, now, end, false);
    cr_assert(hws_cede_is_shunned(&c, end + 31 * HWS_CEDE_SLOW_NS));
    cr_assert_not(hws_cede_is_due(&c, now, end + 31 * HWS_CEDE_SLOW_NS));
    cr_assert(hws_cede_is_due(&c, now, end + 32 * HWS_CEDE_SLOW_NS));
}

Test(cede, again_and_again_for_longer)
{
    uint64_t now = 10 * MS, times = 32;
    for (int i = 0; i < 6; i++) {
        uint64_t end = now + HWS_CEDE_SLOW_NS;
        hws_cede_done(&c, now, end, false);
        cr_assert_not(hws_cede_is_due(&c, 0, end + times * HWS_CEDE_SLOW_NS - 1));
        cr_assert(hws_cede_is_due(&c, 0, end + times * HWS_CEDE_SLOW_NS));
        now = end + times * HWS_CEDE_SLOW_NS;
        times = times < 256 ? 2 * times : 256;
    }
    hws_cede_done(&c, now, now + US, false); /* a quick one: it begins anew */
    hws_cede_done(&c, now, now + HWS_CEDE_SLOW_NS, false);
    cr_assert(hws_cede_is_due(&c, 0, now + 33 * HWS_CEDE_SLOW_NS));
}

Test(cede, a_thread_of_this_rank_may_take_its_time)
{
    hws_cede_done(&c, 10 * MS, 15 * MS, true);
    cr_assert(hws_cede_is_due(&c, 10 * MS, 15 * MS + MOST));
}

Test(cede, threads_that_wait_beside_see_it_too)
{
    cr_assert_not(hws_cede_note_yield(&c, 10 * MS, 10 * MS + US));
    cr_assert(hws_cede_is_due(&c, 10 * MS, 11 * MS));
    cr_assert(hws_cede_note_yield(&c, 10 * MS, 11 * MS));
    cr_assert_not(hws_cede_is_due(&c, 10 * MS, 12 * MS));
}
