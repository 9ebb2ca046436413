/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace: see pace.h. Sources: J. Widmer, M. Handley, L. Rizzo and others on the receiver that limits a group (PGMCC,
 * SIGCOMM 2000); RFC 6298 for the time-out; RFC 9438 section 4.3 for what TCP's window does on short paths.
 */
#include "cast/proto/pace.h"

#include "base/clock.h"

#define SHRINK        0.7
#define GROW          0.85                  /* packets a round trip; measured beside TCP (decision 031) */
#define LEAST_TIMEOUT (3 * HWS_NS_PER_MS)   /* a process may wait so long for its processor */
#define FIRST_TIMEOUT (20 * HWS_NS_PER_MS)  /* before a round trip has been measured */
#define MOST_TIMEOUT  (250 * HWS_NS_PER_MS) /* of a receiver that is stopped, and goes on */
#define BURST         8    /* packets that leave together, so that a pause of the thread costs nothing */
#define AHEAD         1.25 /* the window leaves in this part of a round trip */
#define LEAST_QUEUE   34   /* packets in the own interface's queue: half of the link beside TCP (decision 031) */
#define QUEUE_NS      (5 * HWS_NS_PER_MS / 2)
#define LOOK_NS       (HWS_NS_PER_MS / 2) /* until that queue is looked at again */

void hws_cast_pace_init(struct hws_cast_pace *p, unsigned most)
{
    *p = (struct hws_cast_pace){.window = HWS_CAST_FIRST_WINDOW, .threshold = most, .most = most};
}

void hws_cast_pace_rtt(struct hws_cast_pace *p, uint64_t sample_ns)
{
    if (!p->least_ns || sample_ns < p->least_ns)
        p->least_ns = sample_ns;
    if (!p->srtt_ns) {
        p->srtt_ns = sample_ns;
        p->var_ns = sample_ns / 2;
        return;
    }
    uint64_t off = sample_ns > p->srtt_ns ? sample_ns - p->srtt_ns : p->srtt_ns - sample_ns;
    p->var_ns += off / 4 - p->var_ns / 4;
    p->srtt_ns += sample_ns / 8 - p->srtt_ns / 8;
}

void hws_cast_pace_arrived(struct hws_cast_pace *p, uint64_t n, bool full)
{
    p->backoff = 0;
    if (!full)
        return;
    p->window += p->window < p->threshold ? (double)n : GROW * (double)n / p->window;
    if (p->window > p->most)
        p->window = p->most;
}

static void shrink(struct hws_cast_pace *p, uint64_t now_ns)
{
    p->window *= SHRINK;
    if (p->window < HWS_CAST_LEAST_WINDOW)
        p->window = HWS_CAST_LEAST_WINDOW;
    p->threshold = p->window;
    p->cut_ns = now_ns;
}

bool hws_cast_pace_lost(struct hws_cast_pace *p, uint64_t now_ns)
{
    bool counts = !p->cut_ns || now_ns - p->cut_ns > p->srtt_ns;
    if (counts)
        shrink(p, now_ns);
    return counts;
}

void hws_cast_pace_silent(struct hws_cast_pace *p, uint64_t now_ns)
{
    if (p->backoff == 1) /* the first one may be a process that had to wait for its processor */
        shrink(p, now_ns);
    if (p->backoff < 16)
        p->backoff++;
}

uint64_t hws_cast_pace_timeout(const struct hws_cast_pace *p)
{
    uint64_t t = p->srtt_ns ? p->srtt_ns + 4 * p->var_ns : FIRST_TIMEOUT;
    if (t < LEAST_TIMEOUT)
        t = LEAST_TIMEOUT;
    t <<= p->backoff;
    return t < MOST_TIMEOUT ? t : MOST_TIMEOUT;
}

uint64_t hws_cast_pace_window(const struct hws_cast_pace *p)
{
    return (uint64_t)p->window;
}

uint64_t hws_cast_pace_asks(const struct hws_cast_pace *p)
{
    uint64_t quarter = (uint64_t)p->window / 4;
    return quarter < 1 ? 1 : quarter < HWS_CAST_FEWEST_ASKED ? quarter : HWS_CAST_FEWEST_ASKED;
}

/* So many may wait in the own interface's queue. */
static uint64_t most_queued(const struct hws_cast_pace *p)
{
    double n = p->window / (double)p->srtt_ns * QUEUE_NS;
    return n > LEAST_QUEUE ? (uint64_t)n : LEAST_QUEUE;
}

/* A bucket as virtual scheduling: next_ns runs ahead of the clock by at most a burst. */
bool hws_cast_pace_take(struct hws_cast_pace *p, uint64_t now_ns, uint64_t queued)
{
    if (now_ns < p->next_ns)
        return false;
    if (!p->srtt_ns)
        return true;
    if (queued >= most_queued(p)) {
        p->next_ns = now_ns + LOOK_NS;
        return false;
    }
    uint64_t each = (uint64_t)((double)p->srtt_ns / (AHEAD * p->window)), burst = BURST * each;
    if (now_ns > burst && p->next_ns < now_ns - burst)
        p->next_ns = now_ns - burst;
    p->next_ns += each;
    return true;
}
