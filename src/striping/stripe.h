/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stripe: which lane to a peer carries how many bytes. Pure arithmetic in fixed point; the caller measures and passes
 * weights (drained bytes a second, at whatever scale), since shares by nominal speed lose most of the gain (engine.md
 * section 6).
 */
#ifndef HWS_STRIPING_STRIPE_H
#define HWS_STRIPING_STRIPE_H

#include <stddef.h>
#include <stdint.h>

#define HWS_STRIPE_MAX_LANES 64

struct hws_stripe_lane {
    uint32_t weight;     /* share of the bytes, relative to the others; 0: gets nothing */
    uint64_t latency_ns; /* one way, measured; 0: not yet known */
};

/* Divides bytes over the lanes in proportion to their weights.
 *   lanes[n]      n is at most HWS_STRIPE_MAX_LANES
 *   min_chunk     no lane gets less, unless it gets all: lanes whose part would be smaller are left out, the lightest
 * first share_out[n]  bytes of each lane; they sum to `bytes`, or are all 0 if no lane has a weight returns number of
 * lanes that got something */
size_t hws_stripe_plan(const struct hws_stripe_lane *lanes, size_t n, uint64_t bytes, uint64_t min_chunk,
                       uint64_t *share_out);

/* The lane for a first fragment: of those with a weight the one of least latency; unknown latency counts as the worst;
 * among equals the heaviest, then the first. n if no lane has a weight. */
size_t hws_stripe_pick_first(const struct hws_stripe_lane *lanes, size_t n);

#endif
