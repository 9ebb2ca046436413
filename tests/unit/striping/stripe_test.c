/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stripe_test: who gets a first fragment, how much a lane takes, and what must hold for all of it over random lanes.
 */
#include "striping/stripe.h"

#include <criterion/criterion.h>
#include <string.h>

#include "../../support/seed.h"
#include "base/list.h"

enum { MIN_FRAG = 16384, MAX_FRAG = 262144, MB = 1000000 };

static size_t first(const struct hws_stripe_lane *lanes, size_t n, uint64_t bytes)
{
    return hws_stripe_first(lanes, n, bytes, n, false);
}

Test(stripe, first_takes_the_least_latency_when_idle)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 125 * MB, .latency_ns = 90000},
        {.open = false, .rate = 125 * MB, .latency_ns = 1000},
        {.open = true, .rate = 100 * MB, .latency_ns = 30000},
    };
    cr_assert_eq(first(lanes, 3, 8), 2);
    cr_assert_eq(first(lanes, 2, 8), 0);
    cr_assert_eq(first(lanes + 1, 1, 8), 1, "none is open");
    cr_assert_eq(first(lanes, 0, 8), 0, "none at all");
}

Test(stripe, first_goes_around_a_backlog)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 125 * MB, .latency_ns = 30000, .backlog = 1250000},
        {.open = true, .rate = 125 * MB, .latency_ns = 9000000},
    };
    cr_assert_eq(first(lanes, 2, 8), 1, "10 ms of backlog against 9 ms of latency");
    lanes[0].backlog = 1000000;
    cr_assert_eq(first(lanes, 2, 8), 0);
}

Test(stripe, first_weighs_length_against_rate)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 1 * MB, .latency_ns = 10000},
        {.open = true, .rate = 100 * MB, .latency_ns = 50000},
    };
    cr_assert_eq(first(lanes, 2, 8), 0);
    cr_assert_eq(first(lanes, 2, 65536), 1);
}

/* What the end that sends back does, and the end that rotates where latency is all that counts. */
Test(stripe, first_goes_back_by_the_lane_that_brought_something)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 125 * MB, .latency_ns = 4000},
        {.open = true, .rate = 125 * MB, .latency_ns = 5000},
        {.open = true, .rate = 125 * MB, .latency_ns = 6000},
    };
    cr_assert_eq(hws_stripe_first(lanes, 3, 8, 1, false), 1, "5 us are nearly 4");
    cr_assert_eq(hws_stripe_first(lanes, 3, 8, 1, true), 1);
    cr_assert_eq(hws_stripe_first(lanes, 3, 8, 2, false), 0, "6 us are not");
    cr_assert_eq(hws_stripe_first(lanes, 3, 8192, 2, false), 2, "71 us are nearly 69");
    lanes[1].backlog = 65536;
    cr_assert_eq(hws_stripe_first(lanes, 3, 8, 1, false), 0, "it has much to do");
    lanes[1] = (struct hws_stripe_lane){.open = false};
    cr_assert_eq(hws_stripe_first(lanes, 3, 8, 1, false), 0, "it is gone");
}

Test(stripe, first_takes_turns_where_a_message_takes_longer_than_the_way)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 125 * MB, .latency_ns = 4000},
        {.open = true, .rate = 110 * MB, .latency_ns = 5000},
        {.open = true, .rate = 60 * MB, .latency_ns = 3000},
        {.open = true, .latency_ns = 3000},
    };
    unsigned n[4] = {0};
    for (uint64_t i = 1; i <= 30; i++) {
        size_t k = hws_stripe_first(lanes, 4, 4096, (i + 1) % 4, true);
        lanes[k].ahead += 4096;
        n[k]++;
    }
    cr_assert(n[0] == 10 && n[1] == 10 && n[2] == 0 && n[3] == 10, "all but the slow one: %u %u %u %u", n[0], n[1],
              n[2], n[3]);
    cr_assert_eq(hws_stripe_first(lanes, 4, 64, 4, true), 3, "a short one goes by the first");
}

Test(stripe, what_is_unknown_counts_as_the_best_known)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 100 * MB, .latency_ns = 50000},
        {.open = true, .rate = 0, .latency_ns = 0},
        {.open = true, .rate = 10 * MB, .latency_ns = 40000},
    };
    cr_assert_eq(first(lanes, 3, 65536), 1, "the third one's latency, the first one's rate");
    cr_assert_eq(first(lanes, 2, 65536), 0, "equals: the first");
    for (int i = 0; i < 3; i++)
        lanes[i] = (struct hws_stripe_lane){.open = true};
    cr_assert_eq(first(lanes, 3, UINT64_MAX), 0);
    lanes[0].backlog = 1000;
    cr_assert_eq(first(lanes, 3, 8), 1);
}

static uint64_t take(const struct hws_stripe_lane *lanes, size_t n, size_t me, uint64_t left)
{
    return hws_stripe_take(lanes, n, me, left, MIN_FRAG, MAX_FRAG);
}

Test(stripe, a_single_open_lane_takes_all_it_may)
{
    struct hws_stripe_lane lanes[] = {{.open = false, .rate = 999 * MB}, {.open = true, .rate = 1, .backlog = 1 << 30}};
    cr_assert_eq(take(lanes, 2, 1, 5), 5);
    cr_assert_eq(take(lanes, 2, 1, MAX_FRAG + 1), MAX_FRAG);
    cr_assert_eq(take(lanes, 2, 1, UINT64_MAX), MAX_FRAG);
    cr_assert_eq(take(lanes, 2, 1, 0), 0);
}

Test(stripe, pieces_follow_the_rate)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 1000 * MB},
        {.open = true, .rate = 250 * MB},
        {.open = true, .rate = 1 * MB},
    };
    uint64_t left = (uint64_t)1 << 30;
    cr_assert_eq(take(lanes, 3, 0, left), MAX_FRAG);
    cr_assert_eq(take(lanes, 3, 1, left), MAX_FRAG / 4);
    cr_assert_eq(take(lanes, 3, 2, left), MIN_FRAG);
}

Test(stripe, near_the_end_all_finish_together)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 100 * MB}, {.open = true, .rate = 25 * MB}};
    cr_assert_eq(take(lanes, 2, 0, 125000), 100000);
    cr_assert_eq(take(lanes, 2, 1, 125000), 25000);
    lanes[0].backlog = 100000; /* level: (125000 + 100000) / 125 MB/s = 1.8 ms */
    cr_assert_eq(take(lanes, 2, 0, 125000), 80000);
    cr_assert_eq(take(lanes, 2, 1, 125000), 45000);
}

Test(stripe, a_slow_lane_leaves_the_end_to_a_fast_one)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 100 * MB, .backlog = MAX_FRAG},
                                      {.open = true, .rate = 1 * MB}};
    cr_assert_eq(take(lanes, 2, 1, 200000), 0, "16 ms for the least piece, the other is done in 5");
    cr_assert_eq(take(lanes, 2, 1, 100 * MB), MIN_FRAG, "while there is enough for both it takes part");
}

Test(stripe, what_may_stand_still_gets_what_the_others_need_longer_for)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .stall_ns = 200000000}, {.open = true}, {.open = true, .rate = 100 * MB}};
    cr_assert_eq(first(lanes, 3, 100), 1);
    cr_assert_eq(take(lanes, 3, 0, 30 * MB), 0, "150 ms for the two others");
    cr_assert_gt(take(lanes, 3, 0, 100 * MB), 0, "they need 500 ms");
    cr_assert_gt(take(lanes, 3, 1, 30 * MB), 0,
                 "another's standstill says nothing of those whose latency is not known");
}

Test(stripe, the_last_bytes_go_to_who_is_done_first)
{
    struct hws_stripe_lane lanes[4];
    for (int i = 0; i < 4; i++)
        lanes[i] = (struct hws_stripe_lane){.open = true, .rate = 100 * MB, .backlog = 1000};
    cr_assert_eq(take(lanes, 4, 0, 100), 100);
    for (size_t i = 1; i < 4; i++)
        cr_assert_eq(take(lanes, 4, i, 100), 0);
    lanes[2].backlog = 0;
    cr_assert_eq(take(lanes, 4, 0, 100), 0);
    cr_assert_eq(take(lanes, 4, 2, 100), 100);
}

Test(stripe, an_unknown_lane_gets_something_to_be_measured_by)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 100 * MB}, {.open = true}};
    cr_assert_eq(take(lanes, 2, 1, 100 * MB), MAX_FRAG);
    lanes[1].backlog = MAX_FRAG;
    cr_assert_eq(take(lanes, 2, 1, 100 * MB), MAX_FRAG);
    lanes[1].backlog = 2 * MAX_FRAG;
    cr_assert_eq(take(lanes, 2, 1, 100 * MB), 0);
    lanes[0].open = false;
    cr_assert_eq(take(lanes, 2, 1, 100 * MB), MAX_FRAG, "alone it needs no measure");
}

Test(stripe, an_unknown_lane_is_believed_to_be_as_fast_as_it_has_been_at_least)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 25 * MB}, {.open = true, .floor = 100 * MB}};
    cr_assert_eq(take(lanes, 2, 0, 125000), 25000);
    cr_assert_eq(take(lanes, 2, 1, 125000), 100000);
    lanes[1].floor = 5 * MB;
    cr_assert_eq(take(lanes, 2, 1, 125000), 62500, "no less than the best known");
    lanes[1].floor = 100 * MB;
    lanes[0].floor = 30 * MB;
    cr_assert_eq(take(lanes, 2, 1, 125000), 62500, "the known one had bursts of nearly that speed, too");
    lanes[1].backlog = 3 * MAX_FRAG;
    cr_assert_eq(take(lanes, 2, 1, 100 * MB), MAX_FRAG, "no need to be measured first");
}

Test(stripe, unknown_rates_are_in_proportion_to_what_is_nominal)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .nominal = 10000}, {.open = true, .nominal = 1000}};
    cr_assert_eq(take(lanes, 2, 0, 110000), 100000);
    cr_assert_eq(first(lanes, 2, 4096), 0);
    lanes[1].rate = 20 * MB;
    cr_assert_eq(take(lanes, 2, 0, 220000), 200000, "the known one's, times ten");
    lanes[0].nominal = 0;
    cr_assert_eq(take(lanes, 2, 0, 220000), 110000, "as the known one");
}

/* Two cards, one ten times as fast as the other, of which nothing else is known. */
Test(stripe, no_turns_between_cards_that_differ)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .nominal = 10000, .latency_ns = 10000},
                                      {.open = true, .nominal = 1000, .latency_ns = 10000}};
    for (uint64_t i = 1; i <= 10; i++) {
        cr_assert_eq(hws_stripe_first(lanes, 2, 4096, 1, true), 0);
        lanes[0].ahead = i * 4096;
    }
}

/* The end that sends back, once what it sent by one lane and what came by the others do not match any more. */
Test(stripe, no_way_back_by_a_lane_that_has_carried_much_more)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 125 * MB, .ahead = HWS_STRIPE_AHEAD - 1},
                                      {.open = true, .rate = 125 * MB}};
    cr_assert_eq(hws_stripe_first(lanes, 2, 65536, 0, false), 0);
    cr_assert_eq(hws_stripe_first(lanes, 2, 65536, 2, false), 1, "nothing came");
    lanes[0].ahead++;
    cr_assert_eq(hws_stripe_first(lanes, 2, 65536, 0, false), 1);
    lanes[1].rate /= 2;
    cr_assert_eq(hws_stripe_first(lanes, 2, 65536, 0, false), 0, "the other one is slower");
}

Test(stripe, a_lane_that_has_carried_more_gets_less_of_a_middle_message)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 100 * MB, .ahead = HWS_STRIPE_AHEAD + 20000},
                                      {.open = true, .rate = 100 * MB}};
    cr_assert_eq(take(lanes, 2, 0, 100000), 40000);
    cr_assert_eq(take(lanes, 2, 1, 100000), 60000);
    lanes[0].ahead = 1000000;
    cr_assert_eq(take(lanes, 2, 0, 100000), 25000, "not all is left to the other one");
    cr_assert_eq(take(lanes, 2, 0, 1000000), MAX_FRAG, "a long one is shared by what is measured");
    lanes[0].rate = 400 * MB;
    cr_assert_eq(take(lanes, 2, 1, 100000), 20000, "of cards that differ the faster one is always ahead");
    lanes[0].is_guess = true;
    cr_assert_eq(take(lanes, 2, 1, 100000), 20000, "which is given more, so it will be known");
}

/* Or who was seen to be slow once, by chance, gets so little that nobody ever sees more. */
Test(stripe, a_lane_of_which_little_is_known_counts_as_equal)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 180 * MB},
                                      {.open = true, .rate = 20 * MB, .burst = 200 * MB, .is_guess = true}};
    cr_assert_eq(take(lanes, 2, 0, 100000), 50000);
    cr_assert_eq(take(lanes, 2, 1, 100000), 50000);
    lanes[0].ahead = 1000000;
    cr_assert_eq(take(lanes, 2, 1, 100000), 75000);
    cr_assert_eq(first(lanes, 2, 65536), 1, "and has its turn");
    lanes[1].slowest = lanes[1].fastest = 20 * MB;
    lanes[0].ahead = 0;
    cr_assert_eq(take(lanes, 2, 0, 100000), 90000, "a ninth is no chance");
    lanes[1].rate = lanes[1].slowest = lanes[1].fastest = 60 * MB;
    cr_assert_eq(take(lanes, 2, 1, 100000), 49999, "a third is");
    lanes[1].is_guess = false;
    cr_assert_eq(take(lanes, 2, 0, 100000), 74999, "unless it was seen for long");
    lanes[1].rate = 100 * MB;
    cr_assert_eq(take(lanes, 2, 1, 100000), 49999, "more than half as fast: a shaper's bucket does as much");
    cr_assert_eq(take(lanes, 2, 1, 700000), 145635, "longer ones are shared by what is measured");
    lanes[1].burst = 100 * MB;
    cr_assert_eq(take(lanes, 2, 1, 100000), 35714, "no bursts, no bucket");
}

/* Their averages are mostly bursts. */
Test(stripe, behind_shapers_lanes_are_alike_that_have_been_as_slow)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 376 * MB, .burst = 1700 * MB, .slowest = 97 * MB, .fastest = 850 * MB},
        {.open = true, .rate = 187 * MB, .burst = 1400 * MB, .slowest = 125 * MB, .fastest = 340 * MB}};
    cr_assert_eq(take(lanes, 2, 1, 100000), 49999);
    cr_assert_lt(take(lanes, 2, 1, 700000), 240000, "longer ones are shared by what is measured");
    lanes[1].rate = 120 * MB;
    lanes[0].rate = 600 * MB;
    cr_assert_eq(take(lanes, 2, 1, 100000), 49999, "however far apart their averages are");
    lanes[1].slowest = 48 * MB;
    cr_assert_lt(take(lanes, 2, 1, 100000), 18000, "it may be slower");
    lanes[1].slowest = 0;
    cr_assert_lt(take(lanes, 2, 1, 100000), 18000, "nobody knows");
    lanes[1].slowest = lanes[1].fastest = 90 * MB;
    cr_assert_lt(take(lanes, 2, 1, 100000), 18000, "it never was as fast as the other one at its worst");
    lanes[1].fastest = 340 * MB;
    lanes[0].burst = lanes[0].rate;
    lanes[1].burst = lanes[1].rate;
    cr_assert_lt(take(lanes, 2, 1, 100000), 18000, "no bursts, no bucket");
}

/* One late receiver is all that was seen, and the other lane was never seen: its burst was 1.2 GB/s. */
Test(stripe, a_lane_of_which_little_is_known_counts_as_one_of_which_nothing_is)
{
    struct hws_stripe_lane lanes[] = {
        {.open = true, .rate = 15 * MB, .burst = 15 * MB, .floor = 15 * MB, .is_guess = true},
        {.open = true, .burst = 1200 * MB, .floor = 1200 * MB, .is_guess = true}};
    cr_assert_eq(take(lanes, 2, 0, 100000), 49999);
    lanes[1].ahead = 1;
    cr_assert_eq(first(lanes, 2, 65536), 0);
    lanes[1].rate = 1200 * MB;
    cr_assert_gt(take(lanes, 2, 1, 100000), 90000, "it is known");
    cr_assert_eq(first(lanes, 2, 65536), 1);
}

/* Believed by a burst of 4 GB/s, 32 KiB take 8 us, beside which 3 us on the way there would be much. */
Test(stripe, lanes_that_nobody_has_measured_take_turns)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .latency_ns = 3000, .floor = 4000ull * MB, .burst = 4000ull * MB},
                                      {.open = true, .latency_ns = 6000}};
    for (uint64_t i = 1; i <= 10; i++) {
        size_t k = hws_stripe_first(lanes, 2, 32768, 0, true);
        cr_assert_eq(k, (i + 1) % 2);
        lanes[k].ahead += 32768;
    }
    lanes[0].ahead = lanes[1].ahead + 32768;
    lanes[0].rate = lanes[1].rate = 4000ull * MB;
    cr_assert_eq(hws_stripe_first(lanes, 2, 32768, 0, true), 0, "it is that fast");
}

Test(stripe, no_crumbs_are_left)
{
    struct hws_stripe_lane lanes[] = {{.open = true, .rate = 100 * MB}, {.open = true, .rate = 1 * MB}};
    cr_assert_eq(take(lanes, 2, 0, 101000), 101000, "the other's share would be 1000 bytes");
    cr_assert_eq(take(lanes, 2, 0, 303000), MAX_FRAG);
    lanes[1].rate = 10 * MB;
    cr_assert_eq(take(lanes, 2, 0, 110000), 100000, "10000 are no crumb of 16 KiB");
}

Test(stripe, the_largest_values_do_not_overflow)
{
    struct hws_stripe_lane lanes[HWS_MAX_LANES];
    for (int i = 0; i < HWS_MAX_LANES; i++)
        lanes[i] = (struct hws_stripe_lane){true,       UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                            UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, i % 2};
    cr_assert_eq(first(lanes, HWS_MAX_LANES, UINT64_MAX), 0);
    cr_assert_eq(hws_stripe_take(lanes, HWS_MAX_LANES, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
    lanes[5].rate = lanes[6].rate = 1;
    cr_assert_eq(first(lanes, HWS_MAX_LANES, UINT64_MAX), 0);
    cr_assert_gt(hws_stripe_take(lanes, HWS_MAX_LANES, 0, UINT64_MAX, 1, UINT64_MAX), 0);
}

static uint64_t random_magnitude(unsigned max_bits)
{
    return hws_test_next() >> (64 - max_bits + hws_test_random(max_bits));
}

/* At least one is open. Those of unknown rate have nothing yet: with much they would wait to be measured. */
static size_t random_lanes(struct hws_stripe_lane *lanes, size_t max)
{
    size_t n = 1 + hws_test_random(max), n_open = 0;
    bool is_wild = hws_test_random(4) == 0;
    for (size_t i = 0; i < n; i++) {
        lanes[i].open = hws_test_random(5) > 0;
        lanes[i].rate = hws_test_random(6) ? random_magnitude(is_wild ? 64 : 34) : 0;
        lanes[i].backlog = lanes[i].rate && hws_test_random(3) ? random_magnitude(is_wild ? 64 : 24) : 0;
        lanes[i].latency_ns = hws_test_random(3) ? random_magnitude(is_wild ? 64 : 22) : 0;
        lanes[i].is_guess = hws_test_random(2);
        n_open += lanes[i].open;
    }
    lanes[0].open |= n_open == 0;
    return n;
}

/* All lanes ask in random order and all of them always have room: everything is handed out, by pieces of legal length,
 * and in every round somebody takes. */
static void hand_out(struct hws_stripe_lane *lanes, size_t n, uint64_t left, uint64_t min_frag, uint64_t max_frag)
{
    for (unsigned round = 0; left > 0; round++) {
        cr_assert_lt(round, 100000);
        bool is_taken = false;
        size_t first = hws_test_random(n);
        for (size_t k = 0; k < n; k++) {
            size_t me = (first + k) % n;
            if (!lanes[me].open)
                continue;
            uint64_t piece = hws_stripe_take(lanes, n, me, left, min_frag, max_frag);
            cr_assert_leq(piece, left);
            cr_assert_leq(piece, max_frag);
            cr_assert(piece == 0 || piece >= min_frag || piece == left, "a piece of %lu", (unsigned long)piece);
            is_taken |= piece > 0;
            lanes[me].backlog += piece;
            left -= piece;
        }
        cr_assert(is_taken);
    }
}

Test(stripe, random_lanes_hand_out_everything)
{
    hws_test_seed("stripe");
    for (int i = 0; i < 20000; i++) {
        struct hws_stripe_lane lanes[8];
        size_t n = random_lanes(lanes, HWS_ARRAY_LEN(lanes));
        for (size_t k = 0; k < n; k++)
            lanes[k].rate += lanes[k].rate == 0;
        uint64_t min_frag = 1 + random_magnitude(20), max_frag = min_frag * (1 + hws_test_random(64));
        hand_out(lanes, n, hws_test_random(max_frag * 20), min_frag, max_frag);
    }
}

/* The end of the message: no lane holds it back by more than one least piece against the best division there is. */
Test(stripe, no_lane_holds_the_end_back)
{
    hws_test_seed("stripe");
    for (int i = 0; i < 5000; i++) {
        struct hws_stripe_lane lanes[4];
        size_t n = 1 + hws_test_random(4);
        uint64_t sum = 0, bytes = 65536 + hws_test_random(16 << 20), slowest = UINT64_MAX;
        for (size_t k = 0; k < n; k++) {
            lanes[k] = (struct hws_stripe_lane){.open = true, .rate = MB + hws_test_random(1250) * MB};
            sum += lanes[k].rate;
            slowest = lanes[k].rate < slowest ? lanes[k].rate : slowest;
        }
        hand_out(lanes, n, bytes, MIN_FRAG, MAX_FRAG);
        double best = (double)bytes / (double)sum, slack = MIN_FRAG / (double)slowest;
        for (size_t k = 0; k < n; k++)
            cr_assert_leq((double)lanes[k].backlog / (double)lanes[k].rate, best + slack);
    }
}

Test(stripe, somebody_always_takes)
{
    hws_test_seed("stripe");
    for (int i = 0; i < 50000; i++) {
        struct hws_stripe_lane lanes[8];
        size_t n = random_lanes(lanes, HWS_ARRAY_LEN(lanes)), n_takers = 0;
        uint64_t left = 1 + random_magnitude(24), min_frag = random_magnitude(20), max_frag = 1 + min_frag;
        for (size_t k = 0; k < n; k++)
            n_takers += lanes[k].open && hws_stripe_take(lanes, n, k, left, min_frag, max_frag) > 0;
        cr_assert_gt(n_takers, 0);
        cr_assert(lanes[first(lanes, n, left)].open);
    }
}

/* Lanes that carry the next message where least was carried, and one that gets none: a lane that counts as slow. */
Test(stripe, lanes_take_turns_beside_one_that_gets_nothing)
{
    enum { N = 4, SLOW = 2, LEN = 32 << 10, TIMES = 300 };
    uint64_t ahead[N] = {0}, carried[N] = {0};
    for (int i = 0; i < TIMES; i++) {
        size_t next = 0;
        hws_stripe_even(ahead, N, 256 << 10);
        for (size_t k = 0; k < N; k++) {
            cr_assert_leq(ahead[k], 256 << 10);
            next = k != SLOW && ahead[k] < ahead[next] ? k : next;
        }
        ahead[next] += LEN;
        carried[next]++;
    }
    for (size_t k = 0; k < N; k++)
        cr_assert_eq(carried[k], k == SLOW ? 0 : TIMES / (N - 1), "lane %zu has carried %d messages", k,
                     (int)carried[k]);
}

Test(stripe, what_was_carried_long_ago_is_forgotten)
{
    uint64_t ahead[] = {5, 1 << 20, 3};
    hws_stripe_even(ahead, 3, 1000);
    cr_assert(ahead[0] == 0 && ahead[1] == 1000 && ahead[2] == 0);
    hws_stripe_even(ahead, 0, 1000);
}
