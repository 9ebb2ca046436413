/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rate: how fast a lane drains, measured over the last HWS_RATE_WINDOW_NS in which it had something to do. Time at
 * which the lane was or fell idle says nothing about the link and is not counted. Pure: time is an argument.
 */
#ifndef HWS_STRIPING_RATE_H
#define HWS_STRIPING_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_RATE_SLOTS 8

/* Busy time that one slot gathers. All slots together, 128 ms, bound how long an old speed is remembered. */
#define HWS_RATE_SLOT_NS   ((uint64_t)16000000)
#define HWS_RATE_WINDOW_NS (HWS_RATE_SLOTS * HWS_RATE_SLOT_NS)

/* Busy time before there is an answer: shorter looks see bursts and acknowledgments, not the link. */
#define HWS_RATE_MIN_NS ((uint64_t)1000000)

/* All zero at first. */
struct hws_rate {
    uint64_t at_ns, drained; /* of the last update */
    bool is_started, was_busy;
    unsigned slot; /* that is being filled; the next one is the oldest */
    uint64_t bytes[HWS_RATE_SLOTS], ns[HWS_RATE_SLOTS];
    uint64_t sum_bytes, sum_ns;
};

/* Tells what the lane has done so far.
 *   now_ns              never less than before
 *   drained_total_bytes that left the lane since it was made (acknowledged or gone from the kernel's queue; not merely
 *                       written to the socket, whose buffer swallows a burst at the speed of memory); if it is less
 *                       than before, the lane was made anew
 *   backlog_bytes       handed to it and not left yet */
void hws_rate_update(struct hws_rate *r, uint64_t now_ns, uint64_t drained_total_bytes, uint64_t backlog_bytes);

/* Bytes a second, at least 1; 0 if not known yet. */
uint64_t hws_rate_of(const struct hws_rate *r);

#endif
