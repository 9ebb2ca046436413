/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rate: a ring of slots, each some busy time and what drained in it. The sums over the ring are the answer; a slot that
 * is full makes the oldest one empty.
 */
#include "striping/rate.h"

typedef unsigned __int128 wide;

static void next_slot(struct hws_rate *r)
{
    r->slot = (r->slot + 1) % HWS_RATE_SLOTS;
    r->sum_bytes -= r->bytes[r->slot];
    r->sum_ns -= r->ns[r->slot];
    r->bytes[r->slot] = r->ns[r->slot] = 0;
}

static void add(struct hws_rate *r, uint64_t bytes, uint64_t ns)
{
    r->bytes[r->slot] += bytes;
    r->ns[r->slot] += ns;
    r->sum_bytes += bytes;
    r->sum_ns += ns;
}

/* Spreads an interval over as many slots as it is long; what is longer than the window counts as its end. */
static void count(struct hws_rate *r, uint64_t bytes, uint64_t ns)
{
    if (ns > HWS_RATE_WINDOW_NS) {
        bytes = (uint64_t)((wide)bytes * HWS_RATE_WINDOW_NS / ns);
        ns = HWS_RATE_WINDOW_NS;
    }
    while (ns > 0) {
        if (r->ns[r->slot] >= HWS_RATE_SLOT_NS)
            next_slot(r);
        uint64_t room = HWS_RATE_SLOT_NS - r->ns[r->slot], part = ns < room ? ns : room;
        uint64_t part_bytes = (uint64_t)((wide)bytes * part / ns);
        add(r, part_bytes, part);
        ns -= part;
        bytes -= part_bytes;
    }
}

void hws_rate_update(struct hws_rate *r, uint64_t now_ns, uint64_t drained_total_bytes, uint64_t backlog_bytes)
{
    bool is_busy = backlog_bytes > 0;
    bool is_forward = r->is_started && now_ns > r->at_ns && drained_total_bytes >= r->drained;
    if (r->is_started && now_ns == r->at_ns && drained_total_bytes >= r->drained && is_busy && r->was_busy)
        return; /* too soon to tell: the next update covers it */
    if (is_forward && is_busy && r->was_busy)
        count(r, drained_total_bytes - r->drained, now_ns - r->at_ns);
    r->at_ns = now_ns;
    r->drained = drained_total_bytes;
    r->is_started = true;
    r->was_busy = is_busy;
}

uint64_t hws_rate_of(const struct hws_rate *r)
{
    if (r->sum_ns < HWS_RATE_MIN_NS)
        return 0;
    wide rate = (wide)r->sum_bytes * 1000000000u / r->sum_ns;
    return rate == 0 ? 1 : rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
}
