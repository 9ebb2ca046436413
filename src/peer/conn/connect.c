/* SPDX-License-Identifier: BSD-3-Clause
 *
 * connect: how a peer without a lane gets one, the first time and again by the same rule: its routes (pairs of
 * addresses) are dialed in turn, with a back-off after each round, until one leads there; or until no attempt has led
 * anywhere for -tcpdeadline: then it is unreachable; or every one was refused for REFUSED_MS: then its process is dead.
 * A host that shows that it lives is waited for without end, as its process may compute. docs/decisions/021.
 */
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

#define CARD_LEN       4096  /* bytes of an address card's text */
#define TWO_MBPS       20000 /* a pair of cards this fast gets two connections ... */
#define FOUR_MBPS      40000 /* ... and one this fast four */
#define BACKOFF_MS     20    /* after the first round over all routes; doubles with each */
#define BACKOFF_MAX_MS 500
#define DOUBLINGS_MAX  8 /* of a time that doubles with each round: more would change nothing but overflow */
#define DIAL_PART      4 /* how far a peer is that was connected before is known: so much less time for an attempt, ... */
#define DIAL_RTTS      8    /* ... and so many round trips */
#define FOLLOW_MS      100  /* the end that did not dial first leaves that long to the other */
#define REFUSED_MS     3000 /* a host that refuses every connection for so long runs that process no more */

/* Lanes of a pair of interfaces: one connection does not fill a fast card (docs/design.md, Several lanes). */
static int lanes_per_pair(const struct hws_peer *p)
{
    uint64_t want = p->engine->cfg.params.lanes;
    if (want)
        return (int)want;
    return p->reach.routes[0].speed_mbps >= FOUR_MBPS ? 4 : p->reach.routes[0].speed_mbps >= TWO_MBPS ? 2 : 1;
}

/* Routes that get lanes come first, each part in its order. */
static void plan_lanes(struct hws_peer *p, const struct hws_route *found, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (found[i].is_lane)
            p->reach.routes[k++] = found[i];
    p->reach.n_pairs = k;
    for (int i = 0; i < n; i++)
        if (!found[i].is_lane)
            p->reach.routes[k++] = found[i];
    p->reach.n_routes = n;
    p->reach.lanes_per_pair = lanes_per_pair(p);
    while (p->reach.n_pairs * p->reach.lanes_per_pair > HWS_MAX_LANES)
        p->reach.lanes_per_pair--;
}

static bool find_routes(struct hws_peer *p)
{
    struct hws_engine *e = p->engine;
    char card[CARD_LEN], name[96];
    if (p->reach.routes)
        return true;
    if (e->cfg.lookup(e->cfg.lookup_arg, p->number, card, sizeof card) != HWS_OK) {
        hws_peer_lose(p, HWS_EUNREACHABLE, "%s: its address could not be had from the launcher",
                      hws_peer_name(p, name, sizeof name));
        return false;
    }
    struct hws_route *found = calloc(HWS_MAX_LANES, sizeof *found);
    int n = found ? e->transport->ops->routes(e->transport, card, found, HWS_MAX_LANES) : HWS_ENOMEM;
    if (n > 0)
        p->reach.routes = calloc((size_t)n, sizeof *p->reach.routes);
    if (p->reach.routes)
        plan_lanes(p, found, n);
    else
        hws_peer_lose(p, HWS_EUNREACHABLE, "%s: no interface here reaches any of its addresses (%s)",
                      hws_peer_name(p, name, sizeof name), n < 0 ? "malformed card" : card);
    free(found);
    return p->reach.routes != NULL;
}

struct hws_path *hws_peer_path(struct hws_peer *p, int number)
{
    if (number >= HWS_MAX_LANES)
        return NULL;
    if (!p->paths[number])
        p->paths[number] = hws_path_new(p, number);
    if (p->paths[number] && number >= p->n_paths)
        p->n_paths = number + 1;
    return p->paths[number];
}

/* ---- for how long ------------------------------------------------------------------------------------------------ */

static void begin_trying(struct hws_attempt *a)
{
    a->failed_ns = hws_clock_ns();
    a->tried_ns = a->refused_ns = 0;
    a->is_refused = false;
    a->n_failed = 0;
    a->rounds = 0;
}

/* A dial that was granted so long has failed. What counts is the time in which it was tried: this process may have been
 * outside MPI since the last one, and a network that fails in the moment of its return is not one that fails for long.
 */
static void count_failure(struct hws_attempt *a, int err, uint64_t granted_ms)
{
    uint64_t now = hws_clock_ns(), passed = now - a->failed_ns, most_ms = 2 * BACKOFF_MAX_MS;
    if (err != HWS_EREFUSED) /* that is told soon */
        most_ms += granted_ms;
    if (passed > most_ms * HWS_NS_PER_MS)
        passed = most_ms * HWS_NS_PER_MS;
    a->failed_ns = now;
    a->tried_ns += passed;
    a->n_failed++;
    /* A process that dies may still have taken a connection or two: only what comes after them counts. */
    a->refused_ns = err == HWS_EREFUSED && a->is_refused ? a->refused_ns + passed : 0;
    a->is_refused = err == HWS_EREFUSED;
}

static void say_waiting(struct hws_peer *p, const struct hws_link *l)
{
    char name[96], where[160];
    p->attempt.told_waiting = true;
    fprintf(stderr, "hawser: rank %d: still waiting for %s to answer on %s; it may be busy outside MPI\n",
            p->engine->cfg.me, hws_peer_name(p, name, sizeof name), hws_link_describe(l, where, sizeof where));
}

uint64_t hws_peer_shows_life(struct hws_peer *p, const struct hws_link *l)
{
    struct hws_attempt *a = &p->attempt;
    uint64_t now = hws_clock_ns();
    a->failed_ns = now;
    a->tried_ns = a->refused_ns = a->n_failed = 0;
    a->is_refused = false;
    if (!a->waiting_ns)
        a->waiting_ns = now;
    uint64_t waited_ns = now - a->waiting_ns;
    if (!a->told_waiting && waited_ns >= p->engine->cfg.params.hello_ms * HWS_NS_PER_MS)
        say_waiting(p, l);
    return waited_ns / HWS_NS_PER_MS;
}

static void say_unreachable(struct hws_peer *p, enum hws_err why, int ms)
{
    char name[96], last[HWS_REASON_LEN];
    const char *plural = p->reach.n_routes == 1 ? "" : "s";
    snprintf(last, sizeof last, "%.200s", p->reason);
    hws_peer_name(p, name, sizeof name);
    if (p->count.n_connects)
        hws_peer_lose(p, why,
                      "connection to %s lost and not to be had again for %d ms, from rank %d over %d address pair%s; "
                      "the last: %s",
                      name, ms, p->engine->cfg.me, p->reach.n_routes, plural, last);
    else
        hws_peer_lose(p, why,
                      "%s cannot be reached from rank %d: no connection for %d ms over %d address pair%s; the last: %s",
                      name, p->engine->cfg.me, ms, p->reach.n_routes, plural, last);
}

/* After a failed attempt. True: it was tried for too long, and the peer is lost now. Every process listens before its
 * address is known: one whose host refuses it runs no more. */
static bool is_overdue(struct hws_peer *p)
{
    const struct hws_attempt *a = &p->attempt;
    bool is_gone = a->refused_ns >= REFUSED_MS * HWS_NS_PER_MS;
    const struct hws_params *params = &p->engine->cfg.params;
    if (a->n_failed < params->tcp_con_retries || (!is_gone && a->tried_ns < params->deadline_ms * HWS_NS_PER_MS))
        return false;
    say_unreachable(p, is_gone ? HWS_EPEERDEAD : HWS_EUNREACHABLE, (int)(a->tried_ns / HWS_NS_PER_MS));
    return true;
}

/* ---- dialing ----------------------------------------------------------------------------------------------------- */

/* The route of the lane that died last is not dialed first: it may be silent, and a dial that hears nothing takes long.
 */
static void avoid_last(struct hws_peer *p)
{
    struct hws_attempt *a = &p->attempt;
    if (a->last_lost >= 0 && p->reach.n_pairs)
        a->next_route = (a->last_lost % p->reach.n_pairs + 1) % p->reach.n_routes;
    a->last_lost = -1;
}

static void begin_dial(struct hws_peer *p, struct hws_socket *s)
{
    p->dial = s;
    hws_peer_become(p, HWS_PEER_DIALING);
}

/* An attempt for one more lane, begun while others were up. It is as good as a new one unless nothing has answered so
 * far: then the kernel may be waiting to try again. */
static bool take_over(struct hws_peer *p, struct hws_path *path)
{
    struct hws_socket *s = path->socket;
    if (!s || hws_socket_is_over(s))
        return false;
    if (s->state == HWS_SOCKET_CONNECTING) {
        hws_path_leave(path, s);
        hws_socket_end(s, HWS_ECANCELLED);
        return false;
    }
    p->attempt.next_route = s->route;
    begin_dial(p, s);
    return true;
}

/* Begins to connect over a route. False: it failed at once, reason told. */
static bool dial(struct hws_peer *p, int route)
{
    char why[HWS_REASON_LEN];
    struct hws_path *path = hws_peer_path(p, route < p->reach.n_pairs ? route : 0);
    if (path && take_over(p, path))
        return true;
    int rc = path ? hws_path_dial(path, route, why, sizeof why) : HWS_ENOMEM;
    if (rc != HWS_OK) {
        snprintf(p->reason, sizeof p->reason, "%s: %.120s", p->reach.routes[route].text, path ? why : hws_err_text(rc));
        count_failure(&p->attempt, rc, 0);
        return false;
    }
    p->attempt.next_route = route;
    begin_dial(p, path->socket);
    hws_socket_start(p->dial);
    return true;
}

static void back_off(struct hws_peer *p, uint64_t ms)
{
    hws_timer_set(&p->attempt.retry, ms);
    if (p->state != HWS_PEER_BACKOFF) /* where a dial fails at once, it never left it */
        hws_peer_become(p, HWS_PEER_BACKOFF);
}

static void wait_and_redial(struct hws_peer *p)
{
    struct hws_attempt *a = &p->attempt;
    uint64_t wait = 1;
    if (a->next_route == 0) {
        wait = (uint64_t)BACKOFF_MS << (a->rounds < DOUBLINGS_MAX ? a->rounds : DOUBLINGS_MAX);
        a->rounds++;
    }
    back_off(p, wait < BACKOFF_MAX_MS ? wait : BACKOFF_MAX_MS);
}

static void dial_next(struct hws_peer *p)
{
    avoid_last(p);
    int route = p->attempt.next_route;
    if (dial(p, route))
        return;
    p->attempt.next_route = (route + 1) % p->reach.n_routes;
    if (!is_overdue(p))
        wait_and_redial(p);
}

void hws_peer_connect(struct hws_peer *p)
{
    if (p->state != HWS_PEER_UNUSED || p->engine->closing || !find_routes(p))
        return;
    begin_trying(&p->attempt);
    dial_next(p);
}

static void on_retry(struct hws_timer *t)
{
    struct hws_peer *p = hws_container_of(t, struct hws_peer, attempt.retry);
    if (!p->engine->closing && find_routes(p))
        dial_next(p);
}

/* The attempt for one more lane has failed; the peer has others. */
static void lane_dial_failed(struct hws_path *path, const char *why)
{
    hws_trace(peer, "rank %d: lane %d: %s", path->peer->rank, path->number, why);
    path->n_failures++;
    path->rounds++;
    hws_path_retry(path);
}

uint64_t hws_peer_dial_ms(const struct hws_socket *s, bool connected)
{
    const struct hws_peer *p = s->peer;
    const struct hws_params *params = &s->engine->cfg.params;
    uint64_t most = connected ? params->hello_ms : params->connect_ms;
    if (!s->dialer)
        return most;
    if (!connected && p->dial != s && s->path->n_connects == 0) /* there is no hurry, and nobody knows how far it is */
        return most;
    unsigned rounds = p->dial == s ? p->attempt.rounds : s->path->rounds;
    uint64_t ms = params->silent_ms << (rounds < DOUBLINGS_MAX ? rounds : DOUBLINGS_MAX);
    if (!connected && p->count.n_connects) {
        ms /= DIAL_PART;
        ms = (ms < params->silent_ms ? ms : params->silent_ms) + DIAL_RTTS * p->rtt_us / HWS_US_PER_MS;
    }
    return ms < most ? ms : most;
}

void hws_peer_dial_failed(struct hws_peer *p, struct hws_socket *s, enum hws_err err, const char *why)
{
    uint64_t granted_ms = hws_peer_dial_ms(s, hws_socket_in_hello(s));
    p->engine->count.n_retries++;
    p->count.n_retries++;
    hws_path_leave(s->path, s);
    if (p->dial != s) {
        lane_dial_failed(s->path, why);
        return;
    }
    hws_trace(peer, "rank %d: dial failed: %s", p->rank, why);
    snprintf(p->reason, sizeof p->reason, "%s", why);
    p->dial = NULL;
    p->attempt.next_route = (s->route + 1) % p->reach.n_routes;
    count_failure(&p->attempt, err, granted_ms);
    if (is_overdue(p))
        return;
    if (err == HWS_ETIMEDOUT)
        hws_peer_knock(p, s->route);
    wait_and_redial(p);
}

void hws_peer_dial_refused(struct hws_peer *p, struct hws_socket *s)
{
    bool is_replaced = !hws_path_leave(s->path, s); /* the other end's connection was faster than this answer */
    if (p->dial != s) {
        if (!is_replaced)
            hws_path_retry(s->path);
        return;
    }
    p->dial = NULL;
    p->attempt.tried_ns = p->attempt.refused_ns = p->attempt.n_failed = 0; /* there it is */
    back_off(p, p->engine->cfg.params.connect_ms);
}

/* The first lane of all: what the two ends told each other for good. */
static bool greet(struct hws_peer *p, struct hws_socket *s)
{
    char name[96];
    p->opens_lanes = s->dialer;
    p->account.credit = s->theirs.credit;
    hws_grant_greet(p);
    if (s->theirs.big_endian == p->engine->big_endian)
        return true;
    hws_peer_lose(p, HWS_EPROTO, "%s has the other byte order, which this version does not convert",
                  hws_peer_name(p, name, sizeof name));
    return false;
}

void hws_peer_connected(struct hws_peer *p, struct hws_socket *s)
{
    hws_path_up(s->path, s);
    if (hws_lane_open(&s->lane, s) != HWS_OK) {
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for a connection");
        return;
    }
    s->connects_then = ++p->engine->count.n_connects;
    p->count.n_connects++;
    p->dial = NULL;
    p->attempt.rounds = 0;
    p->attempt.waiting_ns = 0;
    hws_attempt_end(p);
    if (p->state != HWS_PEER_UP && p->state != HWS_PEER_LEAVING)
        hws_peer_become(p, HWS_PEER_UP);
    p->in.flows = s->lane.out.cuts != NULL;
    s->link->would_take = hws_recv_would_take;
    hws_link_connected(s->link);
    if (p->count.n_connects == 1 && !greet(p, s))
        return;
    enum hws_event_kind kind = s->path->told_lost ? HWS_EVENT_LANE_RETURNED : HWS_EVENT_LANE_OPENED;
    if (hws_engine_is_watched(p->engine, kind))
        hws_engine_event_slow(p->engine, (struct hws_event){.kind = kind, .peer = p->number, .lane = s->path->number});
    hws_peer_lane_up(p, &s->lane);
    hws_engine_hot(p->engine, &s->lane);
    if (p->account.owed) /* the other end may wait for it */
        hws_recv_tell_credit(p);
    hws_lane_flush(&s->lane);
}

void hws_peer_reconnect(struct hws_peer *p, int lane)
{
    p->attempt.last_lost = lane;
    if (p->state != HWS_PEER_DYING) /* another lane died in the same step, and was taken down before */
        return;
    begin_trying(&p->attempt);
    if (p->opens_lanes) {
        dial_next(p);
        return;
    }
    hws_timer_set(&p->attempt.retry, FOLLOW_MS);
    hws_peer_become(p, HWS_PEER_DOWN);
}

void hws_attempt_init(struct hws_peer *p)
{
    p->attempt.last_lost = -1;
    hws_timer_init(p->engine->reactor, &p->attempt.retry, on_retry);
}

void hws_attempt_end(struct hws_peer *p)
{
    hws_timer_stop(&p->attempt.retry);
    hws_peer_end_knock(p);
}
