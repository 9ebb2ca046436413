/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stall: lanes that stand still because packets are lost. TCP sends a lost tail again after 200 ms and more, so a lane
 * that loses one packet of twenty is not slow but stops again and again, and every message with a fragment on it waits.
 * Its average rate does not tell that. So a lane that has lost time so is charged with it, beside its latency, for a
 * while. Pure: time is an argument.
 */
#ifndef HWS_STRIPING_STALL_H
#define HWS_STRIPING_STALL_H

#include <stdbool.h>
#include <stdint.h>

/* All zero at first; the fields are private. */
struct hws_stall {
    bool is_busy, is_blamed, was_blamed; /* of the standstill that lasts, of the one before */
    uint64_t drained, looked_ns;
    uint64_t moved_ns; /* since then it may stand still */
    uint64_t stood_ns; /* as far as somebody looked */
    uint64_t ask_after_ns;
    uint64_t resent;            /* what the link had sent again when it was asked last */
    uint64_t cost_ns, until_ns; /* charged until then */
    uint64_t rest_ns;           /* for how long */
};

/* Tells what the lane has done so far, as hws_rate_update(). True: it stands still, or did until now, for so long that
 * the link should be asked what it has sent again, for hws_stall_blame(). Never true for a lane that drains between two
 * looks. */
bool hws_stall_update(struct hws_stall *s, uint64_t now_ns, uint64_t drained_total_bytes, uint64_t backlog_bytes);

/* resent: packets that the link has sent again since it was made; more than the last time, and loss is to blame.
 * Returns whether it is: then the lane's rate is no measure of the link (hws_rate_doubt()). */
bool hws_stall_blame(struct hws_stall *s, uint64_t now_ns, uint64_t resent);

/* For the connection that takes the place of one with this state, which is over: what the lane is charged with, and for
 * how long it rests the next time, stays. */
static inline struct hws_stall hws_stall_of_next(const struct hws_stall *s)
{
    return (struct hws_stall){.cost_ns = s->cost_ns, .until_ns = s->until_ns, .rest_ns = s->rest_ns};
}

/* What has to be expected of a fragment that is given to the lane now, ns: 0, or as long as the last standstill took.
 */
static inline uint64_t hws_stall_cost(const struct hws_stall *s, uint64_t now_ns)
{
    return now_ns < s->until_ns ? s->cost_ns : 0;
}

#endif
