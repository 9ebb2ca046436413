/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crowd: whether others are on the long way, too. Who is alone is best off with one connection: each of several finds
 * out for itself how much the way carries, and together they overrun its queue. Where strangers fill that queue, each
 * connection gets a share, so several get more. It shows as a round trip that stays longer than it has been. Pure: time
 * is an argument.
 */
#ifndef HWS_GATEWAY_CROWD_H
#define HWS_GATEWAY_CROWD_H

#include <stdbool.h>
#include <stdint.h>

/* All zero at first; the fields are private. */
struct crowd {
    uint64_t least_us, looked_ns;
    uint64_t since_ns; /* that the round trip has been long, or has not been, without a break */
    uint64_t since_bytes;
    bool is_long, is_crowded;
};

/* Is it time to look at the round trip again? */
bool crowd_is_due(const struct crowd *c, uint64_t now_ns);
/* The round trip now, smoothed, and the least there has been (0: not known); own bytes so far, either way. */
void crowd_look(struct crowd *c, uint64_t now_ns, uint64_t rtt_us, uint64_t least_us, uint64_t bytes);

static inline bool crowd_is_there(const struct crowd *c)
{
    return c->is_crowded;
}

#endif
