/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rate_test: a link of known speed is measured as such, changes are seen within the window, and idle time is not
 * counted.
 */
#include "striping/rate.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "../../support/seed.h"

static const uint64_t MS = 1000000;
enum { BACKLOG = 1 << 20 };

struct link {
    struct hws_rate rate;
    uint64_t now, drained;
};

/* `ns` of time with something to do all along, in steps from 1 to 2 * step ns. */
static void run_busy(struct link *l, uint64_t bytes_per_s, uint64_t ns, uint64_t step)
{
    uint64_t from = l->now, base = l->drained;
    while (l->now < from + ns) {
        l->now += 1 + hws_test_random(2 * step);
        l->drained = base + (uint64_t)((double)(l->now - from) / 1e9 * (double)bytes_per_s);
        hws_rate_update(&l->rate, l->now, l->drained, BACKLOG);
    }
}

static void assert_about(const struct link *l, uint64_t expected, double tolerance)
{
    double got = (double)hws_rate_of(&l->rate), want = (double)expected;
    cr_assert(got >= want * (1 - tolerance) && got <= want * (1 + tolerance), "%.0f B/s instead of %.0f", got, want);
}

Test(rate, unknown_until_there_is_something_to_go_by)
{
    struct link l = {.now = 5};
    cr_assert_eq(hws_rate_of(&l.rate), 0);
    hws_rate_update(&l.rate, l.now, 0, BACKLOG);
    hws_rate_update(&l.rate, l.now + 50, 0, BACKLOG);
    hws_rate_update(&l.rate, l.now + 100, 10, BACKLOG);
    hws_rate_update(&l.rate, l.now + 100 + HWS_RATE_MIN_NS - 1, 100010, BACKLOG);
    cr_assert_eq(hws_rate_of(&l.rate), 0);
    hws_rate_update(&l.rate, l.now + 100 + HWS_RATE_MIN_NS, 100010, BACKLOG);
    hws_rate_update(&l.rate, l.now + 100 + 2 * HWS_RATE_MIN_NS, 200010, BACKLOG);
    cr_assert_eq(hws_rate_of(&l.rate), 100000000);
}

/* The last bytes of the message before, of which the acknowledgment comes when the next one is under way. */
Test(rate, a_tail_before_more_does_not_count)
{
    struct link l = {0};
    run_busy(&l, 120000000, 40 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    for (int i = 0; i < 1000; i++) {
        l.now += MS;
        hws_rate_update(&l.rate, l.now, l.drained, 28 + 32768);
        hws_rate_update(&l.rate, l.now += 50000, l.drained += 28, 32768);
        hws_rate_update(&l.rate, l.now += 200000, l.drained += 32768, 0);
    }
    assert_about(&l, 120000000, 0.1);
}

/* What a shaper's bucket lets pass is seen, the rest has waited when somebody looks again. */
Test(rate, a_quick_part_whose_end_was_not_seen_does_not_count)
{
    struct link l = {0};
    run_busy(&l, 120000000, 40 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    for (int i = 0; i < 1000; i++) {
        l.now += MS;
        hws_rate_update(&l.rate, l.now, l.drained, 65536);
        hws_rate_update(&l.rate, l.now += 20000, l.drained += 20000, 45536);
        hws_rate_update(&l.rate, l.now += 20000, l.drained += 20000, 25536);
        hws_rate_update(&l.rate, l.now += 250000, l.drained += 25536, 0);
    }
    assert_about(&l, 120000000, 0.1);
}

/* However late the first acknowledgment comes back, behind the traffic of the other direction. */
Test(rate, the_way_there_and_back_does_not_count)
{
    struct link l = {0};
    for (int i = 0; i < 20; i++) {
        uint64_t base = l.drained;
        hws_rate_update(&l.rate, l.now, l.drained, BACKLOG);
        for (uint64_t ns = 0; ns < 10 * MS; ns += 50000) {
            l.now += 50000;
            l.drained = ns < 5 * MS ? base : base + (ns - 5 * MS) / 8; /* 125 MB/s, 5 ms later */
            hws_rate_update(&l.rate, l.now, l.drained, BACKLOG + base - l.drained);
        }
        l.drained = base + BACKLOG;
        l.now += 4 * MS; /* not watched */
        hws_rate_update(&l.rate, l.now, l.drained, 0);
        l.now += MS;
    }
    assert_about(&l, 125000000, 0.03);
}

/* Short frames that nobody answers at once, as beside the bulk of other lanes. */
Test(rate, a_few_bytes_do_not_make_a_lane_slow)
{
    struct link l = {0};
    for (int known = 0; known < 2; known++) {
        for (int i = 0; i < 1000; i++) {
            hws_rate_update(&l.rate, l.now, l.drained, 32);
            for (int k = 0; k < 10; k++, l.now += 20000)
                hws_rate_update(&l.rate, l.now, l.drained, 32);
            hws_rate_update(&l.rate, l.now, l.drained += 32, 0);
            l.now += 100000;
        }
        if (known)
            assert_about(&l, 125000000, 0.02);
        else
            cr_assert_eq(hws_rate_of(&l.rate), 0);
        run_busy(&l, 125000000, 500 * MS, 20000);
        for (int k = 0; k < 1000; k++) /* and while such a frame is always under way */
            hws_rate_update(&l.rate, l.now += 200000, l.drained += 32, 64);
        assert_about(&l, 125000000, 0.02);
        hws_rate_update(&l.rate, l.now, l.drained, 0);
    }
}

/* A frame of 40 bytes is always under way, and behind it now and then a message that is over before the next look. */
Test(rate, what_was_sent_between_looks_was_not_slow)
{
    struct link l = {0};
    for (int i = 0; i < 1000; i++) {
        hws_rate_update(&l.rate, l.now, l.drained, 40);
        for (int k = 0; k < 8; k++)
            hws_rate_update(&l.rate, l.now += 50000, l.drained, 40);
        hws_rate_update(&l.rate, l.now += 50000, l.drained += 16620, i % 2 ? 0 : 40);
        l.now += 10000;
    }
    cr_assert_eq(hws_rate_of(&l.rate), 0);
}

/* Messages of 8 KiB, the only ones under way: one or a few may have had to wait for something else. */
Test(rate, a_lane_of_middle_messages_is_slow_if_all_are)
{
    struct link l = {0};
    run_busy(&l, 125000000, 500 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    for (int i = 0; i < 100; i++) {
        bool is_slow = i > 50 || i % 4;
        hws_rate_update(&l.rate, l.now, l.drained, 8192);
        for (int k = 0; k < (is_slow ? 16 : 2); k++)
            hws_rate_update(&l.rate, l.now += 50000, l.drained, 8192);
        hws_rate_update(&l.rate, l.now += 20000, l.drained += 8192, 0);
        if (i == 50)
            assert_about(&l, 125000000, 0.02);
        l.now += 10000;
    }
    cr_assert_lt(hws_rate_of(&l.rate), 60000000, "%llu", (unsigned long long)hws_rate_of(&l.rate));
}

static const uint64_t speeds[] = {1250, 125000, 12500000, 125000000, 1250000000, 50000000000};

ParameterizedTestParameters(rate, steady)
{
    return cr_make_param_array(const uint64_t, speeds, sizeof speeds / sizeof *speeds);
}

ParameterizedTest(const uint64_t *speed, rate, steady)
{
    hws_test_seed("rate");
    for (uint64_t step = 100; step < 30 * MS; step *= 7) {
        struct link l = {0};
        run_busy(&l, *speed, 300 * MS, step);
        assert_about(&l, *speed, 0.02);
    }
}

ParameterizedTestParameters(rate, changes_tenfold)
{
    return cr_make_param_array(const uint64_t, speeds, sizeof speeds / sizeof *speeds);
}

ParameterizedTest(const uint64_t *speed, rate, changes_tenfold)
{
    hws_test_seed("rate");
    struct link l = {0};
    run_busy(&l, *speed, 1000 * MS, 10000);
    run_busy(&l, *speed * 10, 150 * MS, 10000);
    assert_about(&l, *speed * 10, 0.02);
    run_busy(&l, *speed, 150 * MS, 10000);
    assert_about(&l, *speed, 0.02);
    run_busy(&l, *speed / 10, 60 * MS, 10000);
    cr_assert_lt(hws_rate_of(&l.rate), *speed * 7 / 10, "it is seen before the window is over");
}

Test(rate, a_lane_that_stalls_is_slow_but_known)
{
    struct link l = {0};
    run_busy(&l, 125000000, 500 * MS, 100000);
    run_busy(&l, 0, 200 * MS, 100000);
    cr_assert_eq(hws_rate_of(&l.rate), 1);
    run_busy(&l, 125000000, 150 * MS, 100000);
    assert_about(&l, 125000000, 0.02);
}

/* Messages with pauses: the lane is busy for 2 ms in 50, and the end of each is not watched. */
Test(rate, pauses_do_not_count)
{
    struct link l = {0};
    for (int i = 0; i < 100; i++) {
        run_busy(&l, 125000000, 2 * MS, 20000);
        l.now += 48 * MS;
        l.drained += 1000;
        hws_rate_update(&l.rate, l.now, l.drained, 0);
        l.now += 1000;
        hws_rate_update(&l.rate, l.now, l.drained, 1 << 20);
    }
    assert_about(&l, 125000000, 0.02);
}

/* Bursts that are gone at once, between two looks. */
Test(rate, a_burst_into_an_empty_queue_does_not_count)
{
    struct link l = {0};
    run_busy(&l, 12500000, 500 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    for (int i = 0; i < 1000; i++) {
        hws_rate_update(&l.rate, l.now, l.drained, 1 << 20);
        l.now += 1000;
        l.drained += 1 << 20;
        hws_rate_update(&l.rate, l.now, l.drained, 0);
    }
    assert_about(&l, 12500000, 0.02);
}

/* Acknowledgments come in lumps: the mean counts. */
Test(rate, lumps)
{
    struct link l = {0};
    for (uint64_t us = 1; us <= 400000; us++) {
        l.now = us * 1000;
        if (us % 2000 == 0)
            l.drained += 250000;
        hws_rate_update(&l.rate, l.now, l.drained, BACKLOG);
    }
    assert_about(&l, 125000000, 0.03);
}

/* Updates may come rarely: what happened between two of them counts as one long look. */
Test(rate, rare_updates)
{
    struct link l = {0};
    run_busy(&l, 125000000, 500 * MS, 20000);
    for (int i = 0; i < 2; i++) {
        l.now += 5000 * MS;
        l.drained += 5 * 12500000;
        hws_rate_update(&l.rate, l.now, l.drained, BACKLOG);
    }
    assert_about(&l, 12500000, 0.02);
}

/* Single messages that fit into the kernel's buffer and are acknowledged all at once, round trip 50 us. */
Test(rate, short_messages_that_are_watched)
{
    struct link l = {0};
    for (int i = 0; i < 20; i++) {
        hws_rate_update(&l.rate, l.now, l.drained, 65536);
        for (int k = 1; k <= 57; k++) /* 65536 bytes at 125 MB/s and the round trip: 574 us */
            hws_rate_update(&l.rate, l.now + (uint64_t)k * 10000, l.drained, 65536);
        l.now += 574000;
        l.drained += 65536;
        hws_rate_update(&l.rate, l.now, l.drained, 0);
        l.now += 3 * MS;
    }
    assert_about(&l, 114000000, 0.02);
}

Test(rate, bursts_that_are_over_at_the_next_look_are_a_floor)
{
    struct link l = {0};
    for (int i = 1; i <= 100; i++) {
        hws_rate_update(&l.rate, l.now, l.drained, 65536);
        l.now += i == 50 ? 65536 : 655360;
        l.drained += 65536;
        hws_rate_update(&l.rate, l.now, l.drained, 0);
        cr_assert_eq(hws_rate_of(&l.rate), 0);
        cr_assert_eq(hws_rate_floor(&l.rate), i < 50 ? 100000000 : 1000000000);
    }
}

/* One message on an idle lane, gone after `ns` and looked at every 50 us. */
static void send_middle(struct link *l, uint64_t bytes, uint64_t ns)
{
    const uint64_t look = 50000;
    uint64_t at = look;
    hws_rate_update(&l->rate, l->now, l->drained, bytes);
    for (; at < ns; at += look)
        hws_rate_update(&l->rate, l->now + at, l->drained + bytes * at / ns, bytes - bytes * at / ns);
    l->now += ns < look ? look : ns;
    l->drained += bytes;
    hws_rate_update(&l->rate, l->now, l->drained, 0);
    l->now += 2 * MS;
}

Test(rate, the_floor_stays_when_the_rate_is_known)
{
    struct link l = {0};
    send_middle(&l, 65536, 40000); /* over at the first look, after 50 us */
    uint64_t floor = hws_rate_floor(&l.rate);
    cr_assert_eq(floor, 1310720000);
    for (int i = 0; i < 20; i++)
        send_middle(&l, 1 << 20, 8 * MS);
    cr_assert_gt(hws_rate_of(&l.rate), 0);
    cr_assert_lt(hws_rate_of(&l.rate), floor / 4);
    cr_assert_eq(hws_rate_floor(&l.rate), floor);
}

Test(rate, middle_messages_have_what_the_card_is_said_to_do)
{
    struct link l = {0};
    cr_assert_eq(hws_rate_middle(&l.rate), 0);
    hws_rate_set_said(&l.rate, 1250000000);
    for (int i = 0; i < 1000; i++)
        send_middle(&l, 32768, 10000);
    cr_assert_eq(hws_rate_middle(&l.rate), 1250000000);
    cr_assert_eq(hws_rate_of(&l.rate), 0, "nothing else is known of such a lane");
}

/* A card that says 10 Gb/s behind a link of 1 Gb/s, as virtual ones do. */
Test(rate, middle_messages_that_are_seen_to_be_slow)
{
    struct link l = {0};
    hws_rate_set_said(&l.rate, 1250000000);
    for (int i = 0; i < 20; i++)
        send_middle(&l, 65536, 524288);
    cr_assert_leq(hws_rate_middle(&l.rate), 3 * 125000000);
    for (int i = 0; i < 300; i++)
        send_middle(&l, 16384, 10000);
    cr_assert_geq(hws_rate_middle(&l.rate), 1200000000, "shorter ones that pass at once bring it back");
}

/* Where all lanes carry as much as their shapers let pass each message takes as long as by a slow link; with a rest
 * before, or with the other lanes idle, only a slow link is so slow. */
Test(rate, middle_messages_without_a_rest_tell_nothing)
{
    struct link l = {0};
    hws_rate_set_said(&l.rate, 1250000000);
    hws_rate_set_others(&l.rate, true, 0);
    for (int i = 0; i < 100; i++) {
        send_middle(&l, 65536, 524288);
        l.now -= i % 2 ? MS : 2 * MS;
    }
    cr_assert_geq(hws_rate_middle(&l.rate), 1100000000, "the first one alone counted");
    for (int i = 0; i < 40; i++) {
        l.now += MS;
        hws_rate_update(&l.rate, l.now, l.drained, 0);
        l.now += MS;
        send_middle(&l, 65536, 524288);
        l.now -= 2 * MS;
    }
    cr_assert_leq(hws_rate_middle(&l.rate), 3 * 125000000, "a look within the rest makes it no shorter");
    hws_rate_set_said(&l.rate, 1250000000);
    hws_rate_set_others(&l.rate, false, 0);
    for (int i = 0; i < 40; i++) {
        send_middle(&l, 65536, 524288);
        l.now -= 2 * MS;
    }
    cr_assert_leq(hws_rate_middle(&l.rate), 3 * 125000000, "no other lane was busy");
}

/* A receiver that is not scheduled now and then makes no fast link slow, for middle messages. */
Test(rate, middle_messages_that_are_slow_now_and_then)
{
    struct link l = {0};
    hws_rate_set_said(&l.rate, 1250000000);
    for (int i = 0; i < 1000; i++)
        send_middle(&l, 32768, i % 50 ? 10000 : 4 * MS);
    cr_assert_geq(hws_rate_middle(&l.rate), 1000000000);
    cr_assert_leq(hws_rate_of(&l.rate), 20000000, "the slow ones are all that the rate knows");
}

/* Faster than it is said to be, or nothing is said. */
Test(rate, middle_messages_that_were_faster)
{
    struct link l = {0};
    send_middle(&l, 65536, 10000);
    cr_assert_eq(hws_rate_middle(&l.rate), 1310720000);
    hws_rate_set_said(&l.rate, 125000000);
    send_middle(&l, 65536, 10000);
    cr_assert_eq(hws_rate_middle(&l.rate), 1310720000);
}

Test(rate, short_messages_that_nobody_watched_tell_nothing)
{
    struct link l = {0};
    for (int i = 0; i < 100; i++) {
        hws_rate_update(&l.rate, l.now, l.drained, 65536);
        l.now += 30 * MS;
        l.drained += 65536;
        hws_rate_update(&l.rate, l.now, l.drained, 0);
    }
    cr_assert_eq(hws_rate_of(&l.rate), 0);
}

/* The last odd segment of each message is acknowledged 40 ms later. */
Test(rate, delayed_acknowledgments_do_not_count)
{
    struct link l = {0};
    for (int i = 0; i < 100; i++) {
        hws_rate_update(&l.rate, l.now, l.drained, 65536);
        for (int k = 0; k < 450; k++) {
            l.now += k < 45 ? 11584 : 100000;
            l.drained += k < 45 ? 1448 : 0;
            hws_rate_update(&l.rate, l.now, l.drained, k < 45 ? (uint64_t)(65536 - (k + 1) * 1448) : 376);
        }
        l.drained += 376;
        hws_rate_update(&l.rate, l.now, l.drained, 0);
    }
    assert_about(&l, 125000000, 0.05);
}

static const uint64_t SECOND = 1000000000;

/* It doubles each second without use, up to the best that was measured. */
Test(rate, a_lane_that_was_slow_once_is_tried_again)
{
    struct link l = {0};
    run_busy(&l, 100000000, 500 * MS, 20000);
    run_busy(&l, 10000000, 500 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    assert_about(&l, 10000000, 0.02);
    hws_rate_update(&l.rate, l.now + SECOND, l.drained, 0);
    assert_about(&l, 20000000, 0.02);
    hws_rate_update(&l.rate, l.now + 3 * SECOND, l.drained, 0);
    assert_about(&l, 80000000, 0.02);
    hws_rate_update(&l.rate, l.now + 1000 * SECOND, l.drained, 0);
    assert_about(&l, 80000000, 0.02);
    l.now += 1000 * SECOND;
    hws_rate_update(&l.rate, l.now, l.drained, BACKLOG);
    run_busy(&l, 100000000, 20 * MS, 20000);
    assert_about(&l, 100000000, 0.1);
}

/* What was measured while it stood still holds until there is something better, and is no limit. */
Test(rate, a_lane_that_is_doubted_is_tried_again_however_slow_it_was)
{
    struct link l = {0};
    run_busy(&l, 200000, 500 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    hws_rate_doubt(&l.rate);
    assert_about(&l, 200000, 0.02);
    hws_rate_update(&l.rate, l.now + 8 * SECOND, l.drained, 0);
    assert_about(&l, 256 * 200000, 0.02);
    l.now += 8 * SECOND;
    hws_rate_update(&l.rate, l.now, l.drained, BACKLOG);
    run_busy(&l, 10000000, 40 * MS, 20000);
    assert_about(&l, 10000000, 0.1);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    hws_rate_update(&l.rate, l.now + 1000 * SECOND, l.drained, 0);
    assert_about(&l, 10000000, 0.1);
}

/* A lane that is twice as fast would make the others slow. */
Test(rate, a_lane_that_is_doubted_becomes_no_faster_than_the_others)
{
    struct link l = {0};
    run_busy(&l, 1000000, 500 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    hws_rate_doubt(&l.rate);
    hws_rate_set_others(&l.rate, false, 5000000);
    hws_rate_update(&l.rate, l.now += 8 * SECOND, l.drained, 0);
    assert_about(&l, 4000000, 0.02);
    hws_rate_set_others(&l.rate, false, 20000000);
    hws_rate_update(&l.rate, l.now += 8 * SECOND, l.drained, 0);
    assert_about(&l, 16000000, 0.02);
}

/* ... nor is what it brings if it stands still once more, this time for no reason that is known. */
Test(rate, a_standstill_is_no_peak)
{
    struct link l = {0};
    run_busy(&l, 100000000, 40 * MS, 20000);
    hws_rate_doubt(&l.rate);
    for (int i = 0; i < 12; i++)
        hws_rate_update(&l.rate, l.now += 25 * MS, l.drained, BACKLOG);
    run_busy(&l, 1000000, 20 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    uint64_t slow = hws_rate_of(&l.rate);
    hws_rate_update(&l.rate, l.now += 8 * SECOND, l.drained, 0);
    assert_about(&l, 256 * slow, 0.02);
}

Test(rate, a_standstill_of_a_doubted_lane_does_not_count)
{
    struct link l = {0};
    run_busy(&l, 1000000, 200 * MS, 20000);
    hws_rate_doubt(&l.rate);
    for (int i = 0; i < 12; i++)
        hws_rate_update(&l.rate, l.now += 25 * MS, l.drained, BACKLOG);
    run_busy(&l, 1000000, 20 * MS, 20000);
    assert_about(&l, 1000000, 0.1);
}

/* Four slots, of 16 ms or of 4 ms and 512 KiB, and until it has been idle for a while. */
Test(rate, is_sure_after_four_slots_and_old_after_idleness)
{
    struct link l = {0};
    run_busy(&l, 1000000, 50 * MS, 20000);
    cr_assert(!hws_rate_is_sure(&l.rate));
    run_busy(&l, 1000000, 50 * MS, 20000);
    cr_assert(hws_rate_is_sure(&l.rate));
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    hws_rate_update(&l.rate, l.now += HWS_RATE_OLD_NS - 1, l.drained, 0);
    cr_assert(!hws_rate_is_old(&l.rate));
    hws_rate_update(&l.rate, l.now += 1, l.drained, 0);
    cr_assert(hws_rate_is_old(&l.rate));
    hws_rate_doubt(&l.rate);
    cr_assert(!hws_rate_is_old(&l.rate) && !hws_rate_is_sure(&l.rate));
}

/* Rates rest on slots that were filled some time ago, while what goes by the lane is not seen. */
Test(rate, is_stale_when_no_slot_is_filled)
{
    struct link l = {0};
    run_busy(&l, 1000000, 200 * MS, 20000);
    cr_assert(!hws_rate_is_stale(&l.rate, l.now));
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    for (int i = 0; i < 200; i++)
        send_middle(&l, 32768, 10000);
    cr_assert(hws_rate_is_stale(&l.rate, l.now));
    run_busy(&l, 1000000, 100 * MS, 20000);
    cr_assert(!hws_rate_is_stale(&l.rate, l.now));
}

/* Bursts of a bucket are not believed beyond the card's speed, once a slot shows less. */
Test(rate, what_a_bucket_lets_pass_is_no_middle_speed)
{
    struct link l = {0};
    hws_rate_set_said(&l.rate, 1250000000);
    for (int i = 0; i < 20; i++)
        send_middle(&l, 65536, 10000);
    cr_assert_geq(hws_rate_middle(&l.rate), 1300000000);
    run_busy(&l, 125000000, 20 * MS, 20000);
    cr_assert_eq(hws_rate_middle(&l.rate), 1250000000);
    run_busy(&l, 3000000000, 20 * MS, 20000);
    cr_assert_geq(hws_rate_middle(&l.rate), 1300000000, "the card is faster than it says");
}

/* Bursts within a busy time that somebody watches tell as much as those that nobody does. */
Test(rate, a_burst_that_was_watched_shows)
{
    struct link l = {0};
    hws_rate_update(&l.rate, l.now, l.drained, 131072);
    l.drained += 65536;
    hws_rate_update(&l.rate, l.now += 65536, l.drained, 65536);
    cr_assert_eq(hws_rate_burst(&l.rate), 1000000000);
    l.drained += 65536;
    hws_rate_update(&l.rate, l.now += 655360, l.drained, 0);
    cr_assert_eq(hws_rate_burst(&l.rate), 1000000000);
}

Test(rate, nothing_is_known_of_a_doubted_lane_after_long_idleness)
{
    struct link l = {0};
    hws_rate_doubt(&l.rate);
    cr_assert_eq(hws_rate_of(&l.rate), 0);
    run_busy(&l, 200000, 500 * MS, 20000);
    hws_rate_update(&l.rate, l.now, l.drained, 0);
    hws_rate_doubt(&l.rate);
    hws_rate_update(&l.rate, l.now + 1000 * SECOND, l.drained, 0);
    cr_assert_eq(hws_rate_of(&l.rate), 0);
}

Test(rate, a_lane_made_anew_starts_its_count_again)
{
    struct link l = {0};
    run_busy(&l, 125000000, 500 * MS, 20000);
    l.drained = 0;
    l.now += MS;
    hws_rate_update(&l.rate, l.now, l.drained, BACKLOG);
    assert_about(&l, 125000000, 0.02);
    run_busy(&l, 125000000, 100 * MS, 20000);
    assert_about(&l, 125000000, 0.02);
}

Test(rate, the_largest_values_do_not_overflow)
{
    struct hws_rate r;
    memset(&r, 0, sizeof r);
    hws_rate_update(&r, 0, 0, UINT64_MAX);
    hws_rate_update(&r, 1000, UINT64_MAX / 2, UINT64_MAX);
    hws_rate_update(&r, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    cr_assert_gt(hws_rate_of(&r), 0);
    memset(&r, 0, sizeof r);
    hws_rate_update(&r, 0, 0, BACKLOG);
    hws_rate_update(&r, 1, 1, BACKLOG);
    hws_rate_update(&r, 1 + HWS_RATE_MIN_NS, UINT64_MAX, BACKLOG);
    cr_assert_eq(hws_rate_of(&r), UINT64_MAX);
}

Test(rate, time_that_stands_still_loses_nothing)
{
    struct link l = {0};
    hws_rate_update(&l.rate, 0, 0, BACKLOG);
    for (uint64_t i = 1; i <= 20000; i++) /* three updates a tick of the clock */
        hws_rate_update(&l.rate, i / 3 * 3000, i * 1000, BACKLOG);
    assert_about(&(struct link){.rate = l.rate}, 1000000000, 0.02);
}
