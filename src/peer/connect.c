/* SPDX-License-Identifier: BSD-3-Clause
 *
 * connect: how a peer without a lane gets one. Routes (pairs of addresses) are tried in turn, each at most
 * -tcpconretries times; a route that fails loses only itself. A peer that was never reached is unreachable when every
 * route has failed, or dead if the last dials were refused; one whose lanes have all died is dialed until -tcpdeadline,
 * or for REFUSED_MS if no process listens there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "peer/priv.h"

#define CARD_LEN   4096
#define BACKOFF_MS 20  /* after the first round over all routes; doubles with each */
#define BACKOFF_MAX_MS 2000
#define REDIAL_MAX_MS  500  /* the same for a peer that was connected before */
#define FOLLOW_MS      100  /* the end that did not dial first leaves that long to the other */
#define REFUSED_MS     3000 /* a host that refuses every connection for so long runs that process no more */

/* Lanes of a pair of interfaces: one connection does not fill a fast card (engine.md section 6). */
static int lanes_per_pair(const struct hws_peer *p)
{
    uint64_t want = p->engine->cfg.params.lanes;
    if (want)
        return (int)want;
    return p->routes[0].speed_mbps >= 40000 ? 4 : p->routes[0].speed_mbps >= 20000 ? 2 : 1;
}

/* Routes that get lanes come first, each part in its order. */
static void plan_lanes(struct hws_peer *p, const struct hws_route *found, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (found[i].is_lane)
            p->routes[k++] = found[i];
    p->n_pairs = k;
    for (int i = 0; i < n; i++)
        if (!found[i].is_lane)
            p->routes[k++] = found[i];
    p->n_routes = n;
    p->lanes_per_pair = lanes_per_pair(p);
    while (p->n_pairs * p->lanes_per_pair > HWS_MAX_PATHS)
        p->lanes_per_pair--;
}

static bool find_routes(struct hws_peer *p)
{
    struct hws_engine *e = p->engine;
    char card[CARD_LEN], name[96];
    if (p->routes)
        return true;
    if (e->cfg.lookup(e->cfg.lookup_arg, p->rank, card, sizeof card) != HWS_OK) {
        hws_peer_lose(p, HWS_EUNREACHABLE, "%s: its address could not be had from the launcher", hws_peer_name(p, name, sizeof name));
        return false;
    }
    struct hws_route *found = calloc(HWS_MAX_ROUTES, sizeof *found);
    int n = found ? e->transport->ops->routes(e->transport, card, found, HWS_MAX_ROUTES) : HWS_ENOMEM;
    if (n > 0)
        p->routes = calloc((size_t)n, sizeof *p->routes);
    if (p->routes)
        plan_lanes(p, found, n);
    else
        hws_peer_lose(p, HWS_EUNREACHABLE, "%s: no interface here reaches any of its addresses (%s)",
                      hws_peer_name(p, name, sizeof name), n < 0 ? "malformed card" : card);
    free(found);
    return p->routes != NULL;
}

struct hws_path *hws_peer_path(struct hws_peer *p, int number)
{
    if (number >= HWS_MAX_PATHS)
        return NULL;
    if (!p->paths[number])
        p->paths[number] = hws_path_new(p, number);
    if (p->paths[number] && number >= p->n_paths)
        p->n_paths = number + 1;
    return p->paths[number];
}

/* The next route that is not used up, from next_route on; -1: none left. A peer that was connected has no bound. */
static int pick_route(struct hws_peer *p)
{
    unsigned max = p->greeted ? UINT16_MAX : (unsigned)p->engine->cfg.params.tcp_con_retries;
    for (int i = 0; i < p->n_routes; i++) {
        int r = (p->next_route + i) % p->n_routes;
        if (p->tries[r] < max)
            return r;
    }
    return -1;
}

/* Every process listens before its address is known: one whose host refuses it runs no more. */
static void unreachable(struct hws_peer *p)
{
    char name[96], last[HWS_REASON_LEN];
    snprintf(last, sizeof last, "%.200s", p->reason);
    hws_peer_lose(p, p->refused_ns ? HWS_EPEERDEAD : HWS_EUNREACHABLE,
                  "%s cannot be reached from rank %d: %d address pair%s failed, %d times each, the last: %s",
                  hws_peer_name(p, name, sizeof name), p->engine->cfg.me, p->n_routes, p->n_routes == 1 ? "" : "s",
                  (int)p->engine->cfg.params.tcp_con_retries, last);
}

/* After a failed attempt. True: it has been without a lane for too long, and is lost now. Time alone tells nothing: this
 * process may have been outside MPI all the while. */
static bool is_overdue(struct hws_peer *p)
{
    uint64_t now = hws_clock_ns(), down_ms = (now - p->down_ns) / 1000000;
    bool is_gone = p->refused_ns && now - p->refused_ns >= REFUSED_MS * 1000000ull;
    if (++p->n_failed < p->engine->cfg.params.tcp_con_retries || (!is_gone && down_ms < p->engine->cfg.params.deadline_ms))
        return false;
    char name[96], last[HWS_REASON_LEN];
    snprintf(last, sizeof last, "%.200s", p->reason);
    hws_peer_lose(p, is_gone ? HWS_EPEERDEAD : HWS_EUNREACHABLE,
                  "connection to %s lost and not to be had again for %d ms, from rank %d over %d address pair%s; the last: %s",
                  hws_peer_name(p, name, sizeof name), (int)down_ms, p->engine->cfg.me, p->n_routes,
                  p->n_routes == 1 ? "" : "s", last);
    return true;
}

/* A process that dies may still have taken a connection or two: only what comes after them counts. */
static void note_refusal(struct hws_peer *p, int err)
{
    if (err != HWS_EREFUSED)
        p->refused_ns = 0;
    else if (!p->refused_ns)
        p->refused_ns = hws_clock_ns();
}

/* The route of the lane that died last is not dialed first: it may be silent, and a dial that hears nothing takes long. */
static void avoid_last(struct hws_peer *p)
{
    if (p->last_lost >= 0 && p->n_pairs)
        p->next_route = (p->last_lost % p->n_pairs + 1) % p->n_routes;
    p->last_lost = -1;
}

/* An attempt for one more lane, begun while others were up. It is as good as a new one unless nothing has answered so
 * far: then the kernel may be waiting to try again. */
static bool take_over(struct hws_peer *p, struct hws_path *path)
{
    struct hws_socket *s = path->socket;
    if (!s || s->broken)
        return false;
    if (s->state == HWS_SOCKET_CONNECTING) {
        path->socket = NULL;
        hws_engine_break(s, HWS_ECANCELLED);
        return false;
    }
    p->dial = s;
    p->next_route = s->route;
    return true;
}

/* Begins to connect over a route. False: it failed at once, reason told. */
static bool dial(struct hws_peer *p, int route)
{
    char why[HWS_REASON_LEN];
    struct hws_path *path = hws_peer_path(p, route < p->n_pairs ? route : 0);
    if (path && take_over(p, path))
        return true;
    int rc = path ? hws_path_dial(path, route, why, sizeof why) : HWS_ENOMEM;
    if (rc != HWS_OK) {
        snprintf(p->reason, sizeof p->reason, "%s: %.120s", p->routes[route].text, path ? why : hws_err_text(rc));
        note_refusal(p, rc);
        return false;
    }
    p->next_route = route;
    p->dial = path->socket;
    hws_socket_start(p->dial);
    return true;
}

static void wait_and_redial(struct hws_peer *p)
{
    uint64_t max = p->greeted ? REDIAL_MAX_MS : BACKOFF_MAX_MS, wait = 1;
    if (p->next_route == 0) {
        wait = (uint64_t)BACKOFF_MS << (p->rounds < 8 ? p->rounds : 8);
        p->rounds++;
    }
    hws_timer_set(&p->retry, wait < max ? wait : max);
}

void hws_peer_connect(struct hws_peer *p)
{
    if (p->n_up || p->dial || p->lost || p->engine->closing || hws_timer_is_set(&p->retry) || !find_routes(p))
        return;
    if (p->greeted && !p->down_ns) /* a connection that has just died must be taken down first */
        return;
    avoid_last(p);
    int r;
    while ((r = pick_route(p)) >= 0) {
        if (dial(p, r))
            return;
        p->tries[r] += !p->greeted;
        p->next_route = (r + 1) % p->n_routes;
        if (p->greeted) {
            if (!is_overdue(p))
                wait_and_redial(p);
            return;
        }
    }
    unreachable(p);
}

/* The attempt for one more lane has failed; the peer has others. */
static bool lane_dial_failed(struct hws_path *path, bool busy, const char *why)
{
    hws_trace(peer, "rank %d: lane %d: %s", path->peer->rank, path->number, why);
    path->n_failures++;
    path->rounds++;
    bool used_up = !busy && path->n_connects == 0 && path->rounds >= path->peer->engine->cfg.params.tcp_con_retries;
    if (!used_up)
        hws_path_retry(path);
    return used_up;
}

uint64_t hws_peer_dial_ms(const struct hws_socket *s, bool connected)
{
    const struct hws_peer *p = s->peer;
    const struct hws_params *params = &s->engine->cfg.params;
    uint64_t most = connected ? params->hello_ms : params->connect_ms;
    if (!s->dialer || (p->n_routes <= 1 && (connected || !p->greeted)))
        return most;
    unsigned rounds = p->dial == s ? p->rounds : s->path->rounds;
    uint64_t ms = params->silent_ms << (rounds < 8 ? rounds : 8);
    if (!connected && p->dial != s && s->path->n_connects == 0) /* a pair that was never connected is given up for good */
        return most;
    if (!connected && p->greeted) {
        ms /= 4;
        ms = (ms < params->silent_ms ? ms : params->silent_ms) + 8 * p->rtt_us / 1000;
    }
    return ms < most ? ms : most;
}

bool hws_peer_dial_failed(struct hws_peer *p, struct hws_socket *s, enum hws_err err, const char *why)
{
    struct hws_path *path = s->path;
    /* The kernel there answered, so the route is good: the process computes, or is stopped. That is not counted. */
    bool busy = s->state == HWS_SOCKET_CONNECT_ACK && err == HWS_ETIMEDOUT && !s->silent;
    p->engine->n_retries++;
    p->n_retries++;
    path->socket = NULL;
    if (p->dial != s)
        return lane_dial_failed(path, busy, why);
    hws_trace(peer, "rank %d: dial failed: %s", p->rank, why);
    snprintf(p->reason, sizeof p->reason, "%s", why);
    p->dial = NULL;
    note_refusal(p, err);
    p->next_route = (s->route + 1) % p->n_routes;
    if (p->greeted && busy)
        p->down_ns = hws_clock_ns();
    if (p->greeted) {
        if (!busy && is_overdue(p))
            return true;
        wait_and_redial(p);
        return false;
    }
    p->tries[s->route] += !busy;
    bool used_up = p->tries[s->route] >= p->engine->cfg.params.tcp_con_retries;
    if (pick_route(p) < 0) {
        unreachable(p);
        return true;
    }
    wait_and_redial(p);
    return used_up;
}

void hws_peer_dial_refused(struct hws_peer *p, struct hws_socket *s)
{
    bool is_replaced = s->path->socket != s; /* the other end's connection was faster than this answer */
    if (!is_replaced)
        s->path->socket = NULL;
    if (p->dial != s) {
        if (!is_replaced)
            hws_path_retry(s->path);
        return;
    }
    p->dial = NULL;
    hws_timer_set(&p->retry, p->engine->cfg.params.connect_ms);
}

/* The first lane of all: what the two ends told each other for good. */
static bool greet(struct hws_peer *p, struct hws_socket *s)
{
    char name[96];
    p->greeted = true;
    p->leads = s->dialer;
    p->credit = s->theirs.credit;
    p->big_endian = s->theirs.big_endian;
    if (p->big_endian == p->engine->big_endian)
        return true;
    hws_peer_lose(p, HWS_EPROTO, "%s has the other byte order, which this version does not convert",
                  hws_peer_name(p, name, sizeof name));
    return false;
}

void hws_peer_connected(struct hws_peer *p, struct hws_socket *s)
{
    hws_timer_stop(&p->retry);
    hws_timer_stop(&s->path->retry);
    if (hws_lane_open(&s->lane, s) != HWS_OK) {
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for a connection");
        return;
    }
    s->connects_then = ++p->engine->n_connects;
    p->n_connects++;
    p->dial = NULL;
    p->rounds = 0;
    p->down_ns = p->waiting_ns = 0;
    memset(p->tries, 0, sizeof p->tries);
    p->flows = s->lane.cuts != NULL;
    s->link->would_take = hws_recv_would_take;
    hws_link_connected(s->link);
    if (!p->greeted && !greet(p, s))
        return;
    enum hws_event_kind kind = s->path->told_lost ? HWS_EVENT_LANE_RETURNED : HWS_EVENT_LANE_OPENED;
    if (hws_engine_is_watched(p->engine, kind))
        hws_engine_event_slow(p->engine, (struct hws_event){.kind = kind, .peer = p->rank, .lane = s->path->number});
    hws_peer_lane_up(p, &s->lane);
    hws_engine_hot(p->engine, &s->lane);
    hws_lane_flush(&s->lane);
}

void hws_peer_reconnect(struct hws_peer *p)
{
    p->down_ns = hws_clock_ns();
    p->refused_ns = 0;
    p->n_failed = 0;
    p->rounds = 0;
    if (p->leads)
        hws_peer_connect(p);
    else
        hws_timer_set(&p->retry, FOLLOW_MS);
}
