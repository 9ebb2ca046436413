/* SPDX-License-Identifier: BSD-3-Clause
 *
 * paths: several lanes to one peer (docs/design.md, Several lanes). The end that dialed the first lane dials the
 * others, once there is bulk for them in either direction, and dials again what has died while another lane is up.
 * First fragments take the lane of least expected arrival, bulk is pulled by every lane as it drains
 * (striping/stripe.h). conn/watch.c gives lanes up.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "peer/conn/conn.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define RETRY_MS     100 /* a lane that has died is dialed again; doubles up to */
#define RETRY_MAX_MS 2000
#define DOUBLINGS    5 /* from the one to beyond the other */
#define LEFT_OUT_MS                                                                                                    \
    30000 /* one that never came about may never: after -tcpconretries failures it is tried that seldom */
/* ---- the places of lanes ----------------------------------------------------------------------------------------- */

#define BYTES_PER_MBIT            125000 /* Mb/s to bytes/s */
#define TO(state)                 (1u << HWS_PATH_##state)
#define ROW(state, next, meaning) [HWS_PATH_##state] = {#state, meaning, next}

static const struct hws_lifecycle_state states[] = {
    ROW(UNUSED, TO(DIALING) | TO(UP) | TO(WAITING),
        "no connection, and none is tried: the first one may be wanted at any time."),
    ROW(DIALING, TO(UP) | TO(WAITING) | TO(UNUSED),
        "this end has dialed; its socket is not CONNECTED yet, or it was DROPPED just now."),
    ROW(UP, TO(UNUSED), "its socket is CONNECTED, dialed or accepted, or it is ENDING just now."),
    ROW(WAITING, TO(DIALING) | TO(UP) | TO(UNUSED),
        "a lane was lost, or could not be had, while others are up: it is dialed again after the back-off."),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_path_states = HWS_LIFECYCLE("path", states);

static void become(struct hws_path *path, enum hws_path_state next, struct hws_socket *s)
{
    assert(hws_lifecycle_allows(&hws_path_states, path->state, next));
    assert((s != NULL) == (next == HWS_PATH_DIALING || next == HWS_PATH_UP));
    hws_trace(peer, "rank %d: path %d: %s -> %s", path->peer->rank, path->number, states[path->state].name,
              states[next].name);
    path->state = next;
    path->socket = s;
}

/* A socket that is ending may still have the place. */
static void place(struct hws_path *path, enum hws_path_state next, struct hws_socket *s)
{
    if (path->socket && path->socket != s)
        hws_path_leave(path, path->socket);
    become(path, next, s);
}

bool hws_path_leave(struct hws_path *path, const struct hws_socket *s)
{
    if (path->socket != s)
        return false;
    become(path, hws_timer_is_set(&path->retry) ? HWS_PATH_WAITING : HWS_PATH_UNUSED, NULL);
    return true;
}

void hws_path_end_wait(struct hws_path *path)
{
    hws_timer_stop(&path->retry);
    if (path->state == HWS_PATH_WAITING)
        become(path, HWS_PATH_UNUSED, NULL);
}

/* One that was dialed here may have lost its place meanwhile to one that was accepted. */
void hws_path_up(struct hws_path *path, struct hws_socket *s)
{
    hws_path_end_wait(path);
    if (!s->dialer || path->socket == s)
        place(path, HWS_PATH_UP, s);
}

int hws_path_dial(struct hws_path *path, int route, char *why, size_t why_len)
{
    struct hws_peer *p = path->peer;
    struct hws_engine *e = p->engine;
    struct hws_link *link;
    int rc = e->transport->ops->dial(e->transport, &p->reach.routes[route], &link, why, why_len);
    if (rc != HWS_OK)
        return rc;
    struct hws_socket *s = hws_socket_new(e, p, link, true);
    if (!s) {
        hws_link_close(link);
        snprintf(why, why_len, "%s", hws_err_text(HWS_ENOMEM));
        return HWS_ENOMEM;
    }
    s->route = route;
    s->path = path;
    place(path, HWS_PATH_DIALING, s);
    return HWS_OK;
}

static void dial_path(struct hws_path *path)
{
    char why[HWS_REASON_LEN];
    if (hws_path_dial(path, path->number % path->peer->reach.n_pairs, why, sizeof why) == HWS_OK) {
        hws_socket_start(path->socket);
        return;
    }
    path->n_failures++;
    path->rounds++;
    hws_path_retry(path);
}

/* This end is to dial more lanes. */
static bool widens(const struct hws_peer *p)
{
    return p->state == HWS_PEER_UP && p->reach.n_pairs && p->opens_lanes && p->wide && !p->engine->closing;
}

static void on_path_retry(struct hws_timer *t)
{
    struct hws_path *path = hws_container_of(t, struct hws_path, retry);
    hws_path_end_wait(path);
    if (path->state == HWS_PATH_UNUSED && widens(path->peer))
        dial_path(path);
}

struct hws_path *hws_path_new(struct hws_peer *p, int number)
{
    struct hws_path *path = calloc(1, sizeof *path);
    if (!path)
        return NULL;
    path->peer = p;
    path->number = number;
    hws_timer_init(p->engine->reactor, &path->retry, on_path_retry);
    return path;
}

void hws_path_retry(struct hws_path *path)
{
    uint64_t wait = (uint64_t)RETRY_MS << (path->rounds < DOUBLINGS ? path->rounds : DOUBLINGS);
    bool is_left_out = path->n_connects == 0 && path->rounds >= path->peer->engine->cfg.params.tcp_con_retries;
    hws_timer_set(&path->retry, is_left_out ? LEFT_OUT_MS : wait < RETRY_MAX_MS ? wait : RETRY_MAX_MS);
    if (path->state != HWS_PATH_WAITING)
        become(path, HWS_PATH_WAITING, NULL);
}

void hws_peer_widen(struct hws_peer *p)
{
    p->wide = true;
    if (!widens(p))
        return;
    for (int i = 0; i < p->reach.n_pairs * p->reach.lanes_per_pair; i++) {
        struct hws_path *path = hws_peer_path(p, i);
        if (path && path->state == HWS_PATH_UNUSED)
            dial_path(path);
    }
}

/* ---- lanes that come and go -------------------------------------------------------------------------------------- */

static void say(const struct hws_path *path, const char *text, const char *more)
{
    char name[96];
    fprintf(stderr, "hawser: rank %d: lane %s to %s %s%s\n", path->peer->engine->cfg.me, path->text,
            hws_peer_name(path->peer, name, sizeof name), text, more);
}

/* Mb/s: of the route that was dialed or, at the other end, of the own card; 0: not known. */
static uint64_t nominal_of(const struct hws_peer *p, const struct hws_lane *l)
{
    if (l->link->speed_mbps || !p->opens_lanes || !p->reach.n_pairs)
        return l->link->speed_mbps;
    return p->reach.routes[l->path->number % p->reach.n_pairs].speed_mbps;
}

void hws_peer_lane_up(struct hws_peer *p, struct hws_lane *l)
{
    struct hws_path *path = l->path;
    struct hws_link_health h;
    unsigned at = p->n_up++;
    for (; at > 0 && p->up[at - 1]->path->number > path->number; at--)
        p->up[at] = p->up[at - 1];
    p->up[at] = l;
    path->n_connects++;
    path->rounds = 0;
    l->share.stall = path->stall;
    l->share.nominal = nominal_of(p, l);
    hws_rate_set_said(&l->share.rate, l->share.nominal * BYTES_PER_MBIT);
    hws_link_describe(l->link, path->text, sizeof path->text);
    if (hws_link_health(l->link, &h)) {
        l->share.latency_ns = h.min_rtt_us * HWS_NS_PER_US / 2; /* one way */
        hws_rate_set_way(&l->share.rate, h.min_rtt_us * HWS_NS_PER_US);
        p->rtt_us = h.rtt_us;
    }
    if (path->told_lost) {
        p->engine->count.n_lanes_back++;
        say(path, "is back", "");
    }
    path->told_lost = false;
    for (unsigned i = 0; p->n_up > 1 && i < p->n_up; i++)
        hws_link_share(p->up[i]->link);
    if (p->wide)
        hws_peer_widen(p);
    hws_peer_hold_all(p);
}

void hws_peer_lane_down(struct hws_peer *p, struct hws_lane *l)
{
    unsigned i = 0;
    while (i < p->n_up && p->up[i] != l)
        i++;
    if (i == p->n_up)
        return;
    memmove(&p->up[i], &p->up[i + 1], (p->n_up - i - 1) * sizeof p->up[0]);
    p->up[--p->n_up] = NULL;
    if (p->n_up == 0 && p->state == HWS_PEER_UP)
        hws_peer_become(p, HWS_PEER_DYING);
    hws_peer_hold_all(p);
}

static void warn_lost(struct hws_peer *p, struct hws_path *path, const struct hws_socket *s)
{
    char more[160];
    if (p->n_up)
        snprintf(more, sizeof more, " (%s); going on with %u other%s", hws_err_text(s->why), p->n_up,
                 p->n_up == 1 ? "" : "s");
    else
        snprintf(more, sizeof more, " (%s); connecting again", hws_err_text(s->why));
    if (!path->told_lost)
        say(path, "is lost", more);
    path->told_lost = true;
}

void hws_peer_lane_lost(struct hws_peer *p, struct hws_socket *s)
{
    struct hws_lane *l = &s->lane;
    struct hws_path *path = s->path;
    struct hws_outage *o = NULL;
    path->stall = hws_stall_of_next(&l->share.stall);
    if (p->state != HWS_PEER_LEAVING) { /* else it closes one after the other, as it should */
        path->n_failures++;
        p->engine->count.n_lanes_lost++;
        if (!p->said_bye || s->why != HWS_ECLOSED) /* its own BYE may be on its way over another lane */
            warn_lost(p, path, s);
        hws_engine_suspect(p->engine, s->link);
    }
    int rc = hws_recv_tear(l);
    if (rc == HWS_OK)
        rc = hws_kept_take(l, s->conn_id, &o);
    if (rc != HWS_OK) {
        hws_peer_lose(p, (enum hws_err)rc, "connection lost, and what was under way could not be kept: %s",
                      hws_err_text((enum hws_err)rc));
        return;
    }
    hws_kept_add(p, &(struct hws_frame){.type = HWS_FRAME_DOWN, .conn_id = s->conn_id, .received = l->in.received});
    if (s->told)
        hws_kept_settle(p, o, s->told_received);
    if (p->n_up == 0)
        hws_peer_reconnect(p, path->number);
    else if (p->opens_lanes && !path->socket)
        hws_path_retry(path);
}
