/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace: how fast the kernel should be let put a lane's bytes on its network interface. Pure.
 *
 * TCP sends what its window allows as fast as the interface takes it, and windows grow to megabytes where nothing is
 * lost. They queue in front of the interface, 5 to 10 ms of them at 1 Gb/s, and whatever goes the same way waits behind
 * them: clear-to-sends and acknowledgments of the traffic in the other direction. A ring of hosts then has 0.6 of its
 * links' rate. Paced at a little more than what the lane moves, the queue stays short. Where nothing comes meanwhile
 * nothing waits, and a lane that shares its receiver with others is better let do what it can at once.
 */
#ifndef HWS_STRIPING_PACE_H
#define HWS_STRIPING_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "striping/rate.h"

/* Not beyond, bytes/s: at 2.5 Gb/s a segment of 64 KiB is 0.2 ms; on faster ones the kernel's timers would cost more
 * than the queue. */
#define HWS_PACE_MOST ((uint64_t)320000000)
/* Not below: what stands still is not known to be slow. */
#define HWS_PACE_LEAST ((uint64_t)4000000)

/* What was queued is seen by the round trip: so long, and at so many slots' ends one after another, before there is a
 * pace. A single one may be an acknowledgment that was delayed. */
#define HWS_PACE_LATE_NS ((uint64_t)1000000)
enum { HWS_PACE_LATE = 2 };

/* Slots in a row that are not beyond HWS_PACE_MOST, before a link is taken for a slow one of which a shaper has let
 * bursts pass: a fast one is slow once in a while, when its receiver is not scheduled. */
enum { HWS_PACE_FAST = 16 };

/* So long without a slot, and a pace ends that what comes does not need or what goes hardly uses: nothing is queued,
 * and what a shaper's bucket lets pass at once would wait for nothing. */
#define HWS_PACE_IDLE_NS ((uint64_t)64000000)

/* All zero at first; the fields are private. */
struct hws_pace {
    unsigned seen;       /* slots of the rate */
    uint64_t at_ns;      /* of the last update */
    uint64_t came, went; /* then */
    unsigned n_late;     /* slots in a row at whose ends the round trip was long; HWS_PACE_LATE: there is a queue */
    unsigned n_fast;     /* slots until it may be taken for a slow link: HWS_PACE_FAST after one beyond HWS_PACE_MOST */
    uint64_t rate;
};

/* Whether there may be a pace. */
static inline bool hws_pace_may_be(const struct hws_pace *p)
{
    return p->n_fast == 0;
}

/* Whether a slot has been filled since the last update, or there is a pace and none has been for long: only then is
 * there something to say. */
static inline bool hws_pace_is_due(const struct hws_pace *p, const struct hws_rate *r, uint64_t now_ns)
{
    return hws_rate_slots(r) != p->seen || (p->rate && now_ns - p->at_ns >= HWS_PACE_IDLE_NS);
}

/* To be called when it is due. came_bytes and went_bytes: what the process has read from all lanes, and what has
 * drained from this one, since it began; rtt_ns: the kernel's smoothed round trip; others: bytes/s of the fastest of
 * the other lanes to the same process, or 0. True: the pace is another now. */
bool hws_pace_update(struct hws_pace *p, const struct hws_rate *r, uint64_t now_ns, uint64_t came_bytes,
                     uint64_t went_bytes, uint64_t rtt_ns, uint64_t others);

/* Bytes a second; 0: as fast as it goes. */
static inline uint64_t hws_pace_of(const struct hws_pace *p)
{
    return p->rate;
}

#endif
