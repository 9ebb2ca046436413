/* SPDX-License-Identifier: BSD-3-Clause */
#include "striping/stall.h"

/* Shorter ones are those of a busy host, and of acknowledgments that are delayed. */
static const uint64_t LEAST_NS = 25000000;

/* One standstill costs a rest, each that follows soon after twice as long a one: a lane that always loses is tried
 * seldom. */
static const uint64_t REST_NS = 1000000000, REST_MAX_NS = 32000000000;

bool hws_stall_update(struct hws_stall *s, uint64_t now_ns, uint64_t drained_total_bytes, uint64_t backlog_bytes)
{
    bool moved = !s->is_busy || drained_total_bytes != s->drained, ask;
    if (moved) {
        s->stood_ns = s->is_busy ? s->looked_ns - s->moved_ns : 0;
        ask = s->stood_ns >= LEAST_NS;
        s->was_blamed = s->is_blamed;
        s->is_blamed = false;
        s->moved_ns = now_ns;
        s->ask_after_ns = LEAST_NS;
    } else {
        s->stood_ns = now_ns - s->moved_ns;
        ask = s->stood_ns >= s->ask_after_ns;
        if (ask)
            s->ask_after_ns *= 2;
        s->was_blamed = false;
    }
    s->is_busy = backlog_bytes > 0;
    s->drained = drained_total_bytes;
    s->looked_ns = now_ns;
    return ask;
}

static void begin_rest(struct hws_stall *s, uint64_t now_ns)
{
    if (now_ns > s->until_ns + 2 * s->rest_ns)
        s->rest_ns = REST_NS;
    else if (now_ns > s->until_ns)
        s->rest_ns = 2 * s->rest_ns < REST_MAX_NS ? 2 * s->rest_ns : REST_MAX_NS;
}

bool hws_stall_blame(struct hws_stall *s, uint64_t now_ns, uint64_t resent)
{
    bool is_known = s->is_blamed || s->was_blamed, is_loss = resent > s->resent;
    s->resent = resent;
    if (!is_loss && !is_known)
        return false;
    s->is_blamed = s->moved_ns != now_ns;
    if (!is_known)
        begin_rest(s, now_ns);
    s->cost_ns = s->stood_ns;
    s->until_ns = now_ns + s->rest_ns;
    return true;
}
