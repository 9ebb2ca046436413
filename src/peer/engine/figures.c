/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figures: what the engine tells about itself: counters, lanes, peers, events; and which parameters may change while it
 * runs. All called with the engine's lock held.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "peer/engine/parts.h"
#include "peer/info.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/socket.h"
#include "wire/gate.h"

#define CARD_LEN 4096 /* bytes of an address card's text */

static const struct hws_lane *open_lane(const struct hws_path *path)
{
    const struct hws_socket *s = path->socket;
    return s && hws_socket_has_lane(s) ? &s->lane : NULL;
}

static void add_traffic(struct hws_traffic *t, const struct hws_traffic *more)
{
    t->bytes_out += more->bytes_out;
    t->bytes_in += more->bytes_in;
    t->frames_out += more->frames_out;
    t->frames_in += more->frames_in;
    t->send_calls += more->send_calls;
    t->recv_calls += more->recv_calls;
}

static void tell_lane(const struct hws_path *path, struct hws_lane_info *out)
{
    const struct hws_lane *l = open_lane(path);
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", path->text);
    out->number = path->number;
    out->is_up = l != NULL;
    out->traffic = path->gone;
    out->connects = path->n_connects;
    out->failures = path->n_failures;
    out->resends = path->n_resends;
    if (l) {
        hws_traffic_add_lane(&out->traffic, l);
        out->queued_bytes = l->out.queued_bytes;
        out->rate = hws_rate_of(&l->share.rate);
    }
}

size_t hws_engine_lanes(const struct hws_engine *e, int peer, struct hws_lane_info *out, size_t n)
{
    const struct hws_peer *p = e->peers[peer];
    size_t k = 0;
    for (int i = 0; p && i < p->n_paths; i++)
        if (p->paths[i] && p->paths[i]->n_connects) {
            if (k < n)
                tell_lane(p->paths[i], &out[k]);
            k++;
        }
    return k;
}

static void add_shm(struct hws_peer_info *out, const struct hws_shm_peer *s)
{
    out->traffic.bytes_out += s->tx.pos - s->tx.skipped + s->long_ones.copied_out;
    out->traffic.bytes_in += s->rx.pos - s->rx.skipped + s->long_ones.copied_in;
    out->messages_out += s->sent.n;
    out->payload_out += s->sent.payload;
    out->direct_out += s->sent.n - s->sent.n_slow;
    out->messages_in += s->n_came + s->n_out_of_turn;
    if (out->state != HWS_REACH_LOST)
        out->state = s->undecided ? HWS_REACH_CONNECTING : HWS_REACH_CONNECTED;
}

void hws_engine_peer_info(const struct hws_engine *e, int peer, struct hws_peer_info *out)
{
    const struct hws_peer *p = e->peers[peer];
    memset(out, 0, sizeof *out);
    if (!p)
        return;
    out->state = hws_peer_is_over(p) ? HWS_REACH_LOST
                 : p->n_up           ? HWS_REACH_CONNECTED
                 : p->reach.routes   ? HWS_REACH_CONNECTING
                                     : HWS_REACH_UNUSED;
    out->traffic = p->count.gone;
    for (unsigned i = 0; i < p->n_up; i++)
        hws_traffic_add_lane(&out->traffic, p->up[i]);
    out->messages_out = p->count.n_sent;
    out->payload_out = p->count.payload_sent;
    out->direct_out = p->count.n_sent - p->count.n_queued;
    out->messages_in = p->count.n_came;
    if (p->shm)
        add_shm(out, p->shm);
    out->connects = p->count.n_connects;
    out->retries = p->count.n_retries;
    out->unexpected = p->count.n_unexpected;
    out->unexpected_bytes = p->shm ? p->shm->in_use : p->account.in_use;
    out->credit = p->account.credit;
}

void hws_engine_site_info(struct hws_engine *e, int peer, struct hws_site_info *out)
{
    struct hws_gate_counts c;
    char card[CARD_LEN];
    memset(out, 0, sizeof *out);
    if (!e->peers[peer] || e->peers[peer]->shm || !e->transport || !e->transport->ops->site ||
        !e->transport->ops->site(e->transport, NULL, &c) ||
        e->cfg.lookup(e->cfg.lookup_arg, peer, card, sizeof card) != HWS_OK ||
        !e->transport->ops->site(e->transport, card, &c))
        return;
    *out = (struct hws_site_info){c.bytes_out, c.bytes_in, c.again, c.restarts, c.rtt_us};
}

/* ---- counters of the process ------------------------------------------------------------------------------------- */

struct sums {
    struct hws_traffic traffic;
    uint64_t messages_out, messages_in, payload_out, direct_out, n_open;
};

static void sum_up(const struct hws_engine *e, struct sums *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < e->jobs.n_peers; i++) {
        struct hws_peer_info info;
        hws_engine_peer_info(e, i, &info);
        add_traffic(&s->traffic, &info.traffic);
        s->messages_out += info.messages_out;
        s->messages_in += info.messages_in;
        s->payload_out += info.payload_out;
        s->direct_out += info.direct_out;
        s->n_open += info.state == HWS_REACH_CONNECTED ? e->peers[i]->n_up : 0;
    }
}

size_t hws_engine_counters(const struct hws_engine *e, struct hws_counter *out, size_t n)
{
    static const struct hws_engine nothing; /* its n_peers is 0 */
    struct sums s;
    sum_up(e ? e : &nothing, &s);
    e = e ? e : &nothing;
    const struct hws_counter all[] = {
        {"bytes_out", "bytes", s.traffic.bytes_out},
        {"bytes_in", "bytes", s.traffic.bytes_in},
        {"messages_out", "messages", s.messages_out},
        {"messages_in", "messages", s.messages_in},
        {"payload_out", "bytes", s.payload_out},
        {"frames_out", "frames", s.traffic.frames_out},
        {"frames_in", "frames", s.traffic.frames_in},
        {"send_calls", "calls", s.traffic.send_calls},
        {"recv_calls", "calls", s.traffic.recv_calls},
        {"lanes_open", "lanes", s.n_open},
        {"connects", "connections", e->count.n_connects},
        {"lanes_lost", "lanes", e->count.n_lanes_lost},
        {"lanes_returned", "lanes", e->count.n_lanes_back},
        {"resends", "frames", e->count.n_resends},
        {"corrupt", "frames", e->count.n_corrupt},
        {"accepts", "connections", e->count.n_accepts},
        {"connect_retries", "attempts", e->count.n_retries},
        {"refused", "connections", e->count.n_refused},
        {"eager_sent", "messages", e->count.n_eager + s.direct_out},
        {"rendezvous_sent", "messages", e->count.n_rts},
        {"without_credit", "messages", e->count.n_no_credit},
        {"wanted", "messages", e->count.n_wants},
        {"unexpected", "messages", e->count.n_unexpected},
        {"unexpected_queue", "messages", hws_match_n_unexpected(&e->match)},
        {"unexpected_bytes", "bytes", e->count.unexpected_bytes},
        {"unexpected_peak", "bytes", e->count.unexpected_peak},
        {"sleeps", "calls", e->count.n_sleeps},
        {"processors", "processors", (uint64_t)e->cpus.n},
        {"crowded", "hosts", e->cpus.is_crowded},
        {"single_copies", "messages", e->shm ? e->shm->n_single : 0},
        {"double_copies", "messages", e->shm ? e->shm->n_double : 0},
    };
    for (size_t i = 0; i < n && i < HWS_ARRAY_LEN(all); i++)
        out[i] = all[i];
    return HWS_ARRAY_LEN(all);
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

/* Read anew at each use. */
static const size_t live_fields[] = {
    offsetof(struct hws_params, tcp_max_frag),    offsetof(struct hws_params, tcp_eager),
    offsetof(struct hws_params, tcp_con_retries), offsetof(struct hws_params, connect_ms),
    offsetof(struct hws_params, hello_ms),        offsetof(struct hws_params, silent_ms),
    offsetof(struct hws_params, deadline_ms)};

static void take_field(struct hws_engine *e, const struct hws_param_row *row, const struct hws_params *from)
{
    memcpy((char *)&e->cfg.params + row->offset, (const char *)from + row->offset, row->size);
    hws_engine_limit_frames(e);
}

bool hws_engine_is_tunable(const struct hws_param_row *row)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(live_fields); i++)
        if (live_fields[i] == row->offset)
            return true;
    return row->offset == offsetof(struct hws_params, spin_us) || row->offset == offsetof(struct hws_params, trace);
}

bool hws_engine_tune(struct hws_engine *e, const struct hws_param_row *row, const struct hws_params *from)
{
    if (!hws_engine_is_tunable(row))
        return false;
    take_field(e, row, from);
    if (row->offset == offsetof(struct hws_params, spin_us))
        hws_engine_begin_spin(e);
    if (row->offset == offsetof(struct hws_params, trace))
        hws_log_set(from->trace);
    return true;
}
