/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stripe: shares come from cumulative rounding: lane i gets floor(bytes * W(i) / W) - floor(bytes * W(i-1) / W), where
 * W(i) is the sum of the weights up to i. So the shares sum to bytes without a correction at the end, and each is off
 * by less than one byte. Weights have 32 bits and sums 38, so a product with 64-bit bytes needs 128 bits.
 */
#include "striping/stripe.h"

#include <assert.h>
#include <stdbool.h>

static uint64_t sum_of(const uint32_t *weights, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    return sum;
}

/* The lane with the least weight that takes part; of equals the last. Some lane does. */
static size_t lightest(const uint32_t *weights, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (weights[i] && (best == n || weights[i] <= weights[best]))
            best = i;
    return best;
}

static void divide(const uint32_t *weights, size_t n, uint64_t bytes, uint64_t sum, uint64_t *share_out)
{
    uint64_t upto = 0, given = 0;
    for (size_t i = 0; i < n; i++) {
        upto += weights[i];
        uint64_t end = (uint64_t)((unsigned __int128)bytes * upto / sum);
        share_out[i] = end - given;
        given = end;
    }
}

static bool is_below(const uint32_t *weights, size_t n, const uint64_t *share, uint64_t min_chunk)
{
    for (size_t i = 0; i < n; i++)
        if (weights[i] && share[i] < min_chunk)
            return true;
    return false;
}

size_t hws_stripe_plan(const struct hws_stripe_lane *lanes, size_t n, uint64_t bytes, uint64_t min_chunk,
                       uint64_t *share_out)
{
    assert(n <= HWS_STRIPE_MAX_LANES);
    uint32_t weights[HWS_STRIPE_MAX_LANES];
    size_t n_used = 0;
    for (size_t i = 0; i < n; i++) {
        weights[i] = lanes[i].weight;
        share_out[i] = 0;
        n_used += weights[i] != 0;
    }
    if (n_used == 0 || bytes == 0)
        return 0;
    if (min_chunk == 0)
        min_chunk = 1; /* a lane with a share of nothing takes no part */
    divide(weights, n, bytes, sum_of(weights, n), share_out);
    for (; n_used > 1 && is_below(weights, n, share_out, min_chunk); n_used--) {
        weights[lightest(weights, n)] = 0;
        divide(weights, n, bytes, sum_of(weights, n), share_out);
    }
    return n_used;
}

static bool is_better(const struct hws_stripe_lane *a, const struct hws_stripe_lane *b)
{
    uint64_t la = a->latency_ns ? a->latency_ns : UINT64_MAX, lb = b->latency_ns ? b->latency_ns : UINT64_MAX;
    return la != lb ? la < lb : a->weight > b->weight;
}

size_t hws_stripe_pick_first(const struct hws_stripe_lane *lanes, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (lanes[i].weight && (best == n || is_better(&lanes[i], &lanes[best])))
            best = i;
    return best;
}
