/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crowd: see crowd.h.
 */
#include "gateway/crowd.h"

#include "base/clock.h"

#define LOOK_NS  (10 * HWS_NS_PER_MS)
#define COMES_NS (300 * HWS_NS_PER_MS)
#define BUSY_NS  (1 * HWS_NS_PER_S) /* the same where it may be the own bulk that fills the queue, burst after burst */
#define GOES_NS  (2 * HWS_NS_PER_S)
#define FEW      (64 << 10) /* own bytes, which fill none */
#define SLACK_US 2000       /* what hosts may make of any round trip */

bool crowd_is_due(const struct crowd *c, uint64_t now_ns)
{
    return now_ns >= c->looked_ns + LOOK_NS;
}

static uint64_t needed_ns(const struct crowd *c, uint64_t bytes)
{
    if (!c->is_long)
        return GOES_NS;
    return bytes - c->since_bytes <= FEW ? COMES_NS : BUSY_NS;
}

void crowd_look(struct crowd *c, uint64_t now_ns, uint64_t rtt_us, uint64_t least_us, uint64_t bytes)
{
    c->looked_ns = now_ns;
    if (!rtt_us)
        return;
    if (!least_us || least_us > rtt_us)
        least_us = rtt_us;
    if (!c->least_us || least_us < c->least_us)
        c->least_us = least_us;
    bool is_long = rtt_us > c->least_us + c->least_us / 2 + SLACK_US;
    if (is_long != c->is_long || !c->since_ns) {
        c->since_ns = now_ns;
        c->since_bytes = bytes;
    }
    c->is_long = is_long;
    if (now_ns - c->since_ns >= needed_ns(c, bytes))
        c->is_crowded = is_long;
}
