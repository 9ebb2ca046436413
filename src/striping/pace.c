/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace: an eighth more than what the lane moves when nothing is in its way. A lane that moves all that it is let move
 * may be able to do more, and is let: half as much again.
 */
#include "striping/pace.h"

enum { SAME_PARTS = 16 }; /* paces that differ by less are the same: to tell one costs a system call */

/* Who moves less than such a part of what it is let move hardly uses it. */
enum { USED_PARTS = 16 };

/* Whether the slot that was filled last was held back by the pace. */
static bool is_held_back(const struct hws_pace *p, const struct hws_rate *r)
{
    return p->rate && hws_rate_last(r) / 15 >= p->rate / 16;
}

/* A lane that is given little is busy for a round trip longer than it moves anything, so it looks slower than its pace,
 * and the next pace would be slower still: it is no slower than what the others do. */
static uint64_t next_pace(const struct hws_pace *p, const struct hws_rate *r, uint64_t others)
{
    uint64_t fast = hws_rate_fast(r);
    if (fast < others)
        fast = others;
    uint64_t next = is_held_back(p, r) ? p->rate + p->rate / 2 : fast + fast / 8;
    if (next > HWS_PACE_MOST)
        return 0;
    return next < HWS_PACE_LEAST ? HWS_PACE_LEAST : next;
}

static bool is_about(uint64_t a, uint64_t b)
{
    return a == b || (a && b && a < b + b / SAME_PARTS && b < a + a / SAME_PARTS);
}

static void note_slot(struct hws_pace *p, const struct hws_rate *r, uint64_t rtt_ns)
{
    if (p->n_late < HWS_PACE_LATE) /* a pace takes the queue away: it is not asked for again */
        p->n_late = rtt_ns >= HWS_PACE_LATE_NS ? p->n_late + 1 : 0;
    if (hws_rate_last(r) > HWS_PACE_MOST)
        p->n_fast = HWS_PACE_FAST;
    else if (p->n_fast)
        p->n_fast--;
}

/* Nothing new is known of the link since the last update. */
static uint64_t kept_pace(const struct hws_pace *p, uint64_t now_ns, uint64_t went_bytes)
{
    double let = (double)p->rate * 1e-9 * (double)(now_ns - p->at_ns);
    return (double)(went_bytes - p->went) * USED_PARTS < let ? 0 : p->rate;
}

static uint64_t new_pace(struct hws_pace *p, const struct hws_rate *r, uint64_t rtt_ns, uint64_t others)
{
    note_slot(p, r, rtt_ns);
    return hws_pace_may_be(p) && p->n_late == HWS_PACE_LATE ? next_pace(p, r, others) : 0;
}

bool hws_pace_update(struct hws_pace *p, const struct hws_rate *r, uint64_t now_ns, uint64_t came_bytes,
                     uint64_t went_bytes, uint64_t rtt_ns, uint64_t others)
{
    bool both_ways = came_bytes - p->came >= (went_bytes - p->went) / 2, is_new = hws_rate_slots(r) != p->seen;
    uint64_t next = is_new ? new_pace(p, r, rtt_ns, others) : kept_pace(p, now_ns, went_bytes);
    p->seen = hws_rate_slots(r);
    p->at_ns = now_ns;
    p->came = came_bytes;
    p->went = went_bytes;
    if (!both_ways)
        next = 0;
    if (is_about(next, p->rate))
        return false;
    p->rate = next;
    return true;
}
