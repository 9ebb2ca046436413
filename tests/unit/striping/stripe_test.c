/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stripe_test: the properties of a division, over random lanes and over the corners.
 */
#include "striping/stripe.h"

#include <criterion/criterion.h>
#include <string.h>

#include "../../support/seed.h"
#include "base/list.h"

static uint64_t share[HWS_STRIPE_MAX_LANES];

Test(stripe, one_lane_gets_all)
{
    struct hws_stripe_lane lane = {.weight = 1};
    cr_assert_eq(hws_stripe_plan(&lane, 1, UINT64_MAX, 65536, share), 1);
    cr_assert_eq(share[0], UINT64_MAX);
    cr_assert_eq(hws_stripe_plan(&lane, 1, 5, 65536, share), 1, "less than a chunk, but the only lane");
    cr_assert_eq(share[0], 5);
}

Test(stripe, in_proportion_to_the_weights)
{
    struct hws_stripe_lane lanes[] = {{.weight = 1000}, {.weight = 250}, {.weight = 0}};
    cr_assert_eq(hws_stripe_plan(lanes, 3, 1250000, 4096, share), 2);
    cr_assert_eq(share[0], 1000000);
    cr_assert_eq(share[1], 250000);
    cr_assert_eq(share[2], 0);
}

Test(stripe, a_part_below_the_chunk_goes_to_the_others)
{
    struct hws_stripe_lane lanes[] = {{.weight = 10}, {.weight = 1000}, {.weight = 990}};
    cr_assert_eq(hws_stripe_plan(lanes, 3, 400000, 65536, share), 2);
    cr_assert_eq(share[0], 0);
    cr_assert_eq(share[1] + share[2], 400000);
}

Test(stripe, a_short_message_takes_the_heaviest_lane_alone)
{
    struct hws_stripe_lane lanes[] = {{.weight = 10}, {.weight = 1000}, {.weight = 990}};
    cr_assert_eq(hws_stripe_plan(lanes, 3, 70000, 65536, share), 1);
    cr_assert_eq(share[1], 70000);
}

Test(stripe, nothing_to_give_or_nobody_to_give_it_to)
{
    struct hws_stripe_lane lanes[] = {{.weight = 0}, {.weight = 0}};
    share[0] = share[1] = 7;
    cr_assert_eq(hws_stripe_plan(lanes, 2, 100, 1, share), 0);
    cr_assert(share[0] == 0 && share[1] == 0);
    lanes[0].weight = 1;
    cr_assert_eq(hws_stripe_plan(lanes, 2, 0, 1, share), 0);
    cr_assert_eq(hws_stripe_plan(lanes, 0, 100, 1, share), 0);
}

Test(stripe, the_largest_values_do_not_overflow)
{
    struct hws_stripe_lane lanes[HWS_STRIPE_MAX_LANES];
    uint64_t sum = 0;
    for (int i = 0; i < HWS_STRIPE_MAX_LANES; i++)
        lanes[i] = (struct hws_stripe_lane){.weight = UINT32_MAX};
    cr_assert_eq(hws_stripe_plan(lanes, HWS_STRIPE_MAX_LANES, UINT64_MAX, 1, share), HWS_STRIPE_MAX_LANES);
    for (int i = 0; i < HWS_STRIPE_MAX_LANES; i++) {
        cr_assert_leq(share[i] - UINT64_MAX / HWS_STRIPE_MAX_LANES, 1);
        sum += share[i];
    }
    cr_assert_eq(sum, UINT64_MAX);
}

static uint64_t random_magnitude(unsigned max_bits)
{
    return hws_test_next() >> (64 - max_bits + hws_test_random(max_bits));
}

static void check_division(const struct hws_stripe_lane *lanes, size_t n, uint64_t bytes, uint64_t min_chunk)
{
    size_t n_used = hws_stripe_plan(lanes, n, bytes, min_chunk, share), n_seen = 0, n_weighted = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        n_weighted += lanes[i].weight != 0;
        n_seen += share[i] != 0;
        sum += share[i];
        cr_assert(lanes[i].weight || share[i] == 0, "weight 0 gets nothing");
        cr_assert(share[i] == 0 || share[i] >= min_chunk || n_used == 1, "no share below the chunk");
        for (size_t k = 0; k < n; k++) /* within the rounding, and equals may be left out one by one */
            cr_assert(lanes[i].weight <= lanes[k].weight || share[i] + 1 >= share[k], "more weight, not less bytes");
    }
    cr_assert_eq(n_seen, n_used);
    cr_assert_eq(sum, n_weighted ? bytes : 0);
}

Test(stripe, random_divisions)
{
    hws_test_seed("stripe");
    for (int i = 0; i < 50000; i++) {
        struct hws_stripe_lane lanes[8];
        size_t n = hws_test_random(HWS_ARRAY_LEN(lanes) + 1);
        for (size_t k = 0; k < n; k++)
            lanes[k].weight = hws_test_random(4) ? (uint32_t)random_magnitude(32) : 0;
        check_division(lanes, n, random_magnitude(64), random_magnitude(24));
    }
}

Test(stripe, first_fragments_take_the_least_latency)
{
    struct hws_stripe_lane lanes[] = {
        {.weight = 9, .latency_ns = 0},    {.weight = 5, .latency_ns = 20000}, {.weight = 0, .latency_ns = 1},
        {.weight = 5, .latency_ns = 9000}, {.weight = 7, .latency_ns = 9000},
    };
    cr_assert_eq(hws_stripe_pick_first(lanes, 5), 4);
    cr_assert_eq(hws_stripe_pick_first(lanes, 3), 1);
    cr_assert_eq(hws_stripe_pick_first(lanes, 1), 0);
    cr_assert_eq(hws_stripe_pick_first(lanes + 2, 1), 1, "none");
    cr_assert_eq(hws_stripe_pick_first(lanes, 0), 0, "none");
}
