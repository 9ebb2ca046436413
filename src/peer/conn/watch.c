/* SPDX-License-Identifier: BSD-3-Clause
 *
 * watch: gives lanes up whose bytes nobody acknowledges (docs/design.md, When a lane dies): soon where they are kept,
 * after -tcpdeadline where they would be lost. A lane that is found dead makes its neighbours suspect, those to any
 * peer over the same card here or there: each is given something to carry at once and has a fraction of the time to get
 * it acknowledged. So a failed card is noticed once, and not again with each peer that is talked to next
 * (docs/decisions/013).
 */
#include <stdio.h>

#include "base/clock.h"
#include "peer/conn/conn.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define TICKS         8 /* looks in the time that a lane may be silent */
#define SUSPECT_PART  4 /* a suspect lane may be silent for this part of it */
#define SUSPECT_TICKS 16
#define RTTS          8 /* round trips that a lane may be silent in any case */

/* A lane is silent while the other kernel owes an acknowledgment: of what was sent, since a failure of one direction
 * lets other packets come. A process that is stopped or busy is not silent: its kernel acknowledges, down to the probes
 * of a closed window. */
static uint64_t silence_us(struct hws_lane *l, const struct hws_link_health *h, uint64_t now)
{
    uint64_t ns = hws_link_silence_ns(&l->watch.silence, h, now);
    return (h->silent_ns > ns ? h->silent_ns : ns) / HWS_NS_PER_US;
}

static bool is_too_long(const struct hws_lane *l, const struct hws_link_health *h, uint64_t silent_us,
                        uint64_t limit_ms)
{
    if (!l->watch.suspect_ns)
        return silent_us >= limit_ms * HWS_US_PER_MS && silent_us >= RTTS * h->rtt_us;
    return silent_us >= limit_ms * HWS_US_PER_MS / SUSPECT_PART + 2 * h->rtt_us;
}

static void say(const struct hws_lane *l, const char *text)
{
    char name[96];
    fprintf(stderr, "hawser: rank %d: lane %s to %s %s\n", l->peer->engine->cfg.me, l->path->text,
            hws_peer_name(l->peer, name, sizeof name), text);
}

/* Nothing that it has sent is kept, so no other lane could go on with it: the kernels try again as long as a peer
 * without a lane would be dialed. True: that is over. */
static bool is_hopeless(struct hws_lane *l, uint64_t silent_us, bool too_long)
{
    if (too_long != l->watch.told_silent)
        say(l, too_long ? "is silent: nothing is acknowledged; waiting for it" : "answers again");
    l->watch.told_silent = too_long;
    return too_long && silent_us >= l->peer->engine->cfg.params.deadline_ms * HWS_US_PER_MS;
}

static bool is_dead(struct hws_lane *l, const struct hws_link_health *h, uint64_t limit_ms, uint64_t now)
{
    uint64_t silent_us = silence_us(l, h, now);
    bool too_long = is_too_long(l, h, silent_us, limit_ms);
    return l->keeps ? too_long : is_hopeless(l, silent_us, too_long);
}

/* Nothing came of it for as long as any lane may be silent. */
static void end_suspicion(struct hws_lane *l, uint64_t limit_ms, uint64_t now)
{
    if (l->watch.suspect_ns && now - l->watch.suspect_ns > limit_ms * HWS_NS_PER_MS)
        l->watch.suspect_ns = 0;
}

/* All of it has arrived, by what is known. */
static bool is_at_rest(const struct hws_lane *l)
{
    return l->out.sent == (l->keeps ? l->out.released : l->watch.drained) && !l->out.queued_bytes;
}

static bool watch_peer(struct hws_peer *p, uint64_t limit_ms, uint64_t now)
{
    bool busy = false;
    for (unsigned i = p->n_up; i-- > 0;) {
        struct hws_lane *l = p->up[i];
        struct hws_link_health h;
        if (!l->watched || is_at_rest(l) || !hws_link_health(l->link, &h))
            continue;
        if (h.unsent == 0)
            l->watch.drained = l->out.sent;
        busy |= h.unsent > 0;
        end_suspicion(l, limit_ms, now);
        p->engine->looks.is_suspect |= l->watch.suspect_ns != 0;
        if (is_dead(l, &h, limit_ms, now))
            hws_socket_end(hws_container_of(l, struct hws_socket, lane), HWS_ETIMEDOUT);
    }
    return busy;
}

/* The end of what a line began: a job may be over before the next look, and its last bytes under way. */
void hws_lane_watch_end(struct hws_lane *l, enum hws_err why)
{
    struct hws_link_health h;
    enum hws_peer_state s = l->peer->state;
    bool is_well = why == HWS_OK || s == HWS_PEER_LEAVING || s == HWS_PEER_GONE;
    if (l->watch.told_silent && is_well && hws_link_health(l->link, &h) &&
        !is_too_long(l, &h, silence_us(l, &h, hws_clock_ns()), l->peer->engine->cfg.params.silent_ms))
        say(l, "answers again");
    l->watch.told_silent = false;
}

void hws_engine_on_watch(struct hws_timer *t)
{
    struct hws_engine *e = hws_container_of(t, struct hws_engine, looks.watch);
    uint64_t now = hws_clock_ns();
    bool busy = false;
    e->looks.is_set = e->looks.is_suspect = false;
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i] && !hws_peer_is_over(e->peers[i]))
            busy |= watch_peer(e->peers[i], e->cfg.params.silent_ms, now);
    if (busy)
        hws_engine_watch_lanes(e);
}

void hws_engine_watch_lanes(struct hws_engine *e)
{
    e->looks.is_set = true;
    hws_timer_set(&e->looks.watch, e->cfg.params.silent_ms / (e->looks.is_suspect ? SUSPECT_TICKS : TICKS));
}

static bool is_same_card(const struct hws_link *a, const struct hws_link *b)
{
    return (a->here && a->here == b->here) || (a->there && a->there == b->there);
}

static bool begin_suspicion(struct hws_lane *l, uint64_t now)
{
    end_suspicion(l, l->peer->engine->cfg.params.silent_ms, now);
    if (l->watch.suspect_ns || !l->keeps)
        return false;
    l->watch.suspect_ns = now;
    hws_lane_ack(l);
    return true;
}

void hws_engine_suspect(struct hws_engine *e, const struct hws_link *dead)
{
    uint64_t now = hws_clock_ns();
    for (int i = 0; i < e->jobs.n_peers; i++) {
        struct hws_peer *p = e->peers[i];
        for (unsigned k = 0; p && !hws_peer_is_leaving(p) && k < p->n_up; k++)
            if (is_same_card(p->up[k]->link, dead))
                e->looks.is_suspect |= begin_suspicion(p->up[k], now);
    }
    if (e->looks.is_suspect)
        hws_engine_watch_lanes(e);
}
