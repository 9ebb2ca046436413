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
#include "peer/priv.h"

#define RETRY_MS     100 /* a lane that has died is dialed again; doubles up to */
#define RETRY_MAX_MS 2000
#define LEFT_OUT_MS                                                                                                    \
    30000 /* one that never came about may never: after -tcpconretries failures it is tried that seldom */
#define LOOK_NS      50000 /* the kernel is asked for a lane's backlog that often at most (striping/rate.h) */
#define LOOK_MS      1     /* while this process sleeps */
#define NUDGE_MS     2     /* lanes that left bulk to others are asked again, at the latest */
#define SHARED_QUEUE (128u << 10)
#define PIECE_NS     32000 /* what takes a lane less time is not worth the work of a fragment of its own */
#define LEAST_FRAG   4096

/* ---- the places of lanes ------------------------------------------------------------------------------------------
 */

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
    int rc = e->transport->ops->dial(e->transport, &p->routes[route], &link, why, why_len);
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
    if (hws_path_dial(path, path->number % path->peer->n_pairs, why, sizeof why) == HWS_OK) {
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
    return p->state == HWS_PEER_UP && p->n_pairs && p->leads && p->wide && !p->engine->closing;
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
    uint64_t wait = (uint64_t)RETRY_MS << (path->rounds < 5 ? path->rounds : 5);
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
    for (int i = 0; i < p->n_pairs * p->lanes_per_pair; i++) {
        struct hws_path *path = hws_peer_path(p, i);
        if (path && path->state == HWS_PATH_UNUSED)
            dial_path(path);
    }
}

/* ---- lanes that come and go ---------------------------------------------------------------------------------------
 */

static void say(const struct hws_path *path, const char *text, const char *more)
{
    char name[96];
    fprintf(stderr, "hawser: rank %d: lane %s to %s %s%s\n", path->peer->engine->cfg.me, path->text,
            hws_peer_name(path->peer, name, sizeof name), text, more);
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
    hws_link_describe(l->link, path->text, sizeof path->text);
    if (hws_link_health(l->link, &h)) {
        l->latency_ns = h.min_rtt_us * 500;
        p->rtt_us = h.rtt_us;
    }
    if (path->told_lost) {
        p->engine->n_lanes_back++;
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
    if (p->state != HWS_PEER_LEAVING) { /* else it closes one after the other, as it should */
        path->n_failures++;
        p->engine->n_lanes_lost++;
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
    hws_kept_add(p, &(struct hws_frame){.type = HWS_FRAME_DOWN, .conn_id = s->conn_id, .received = l->received});
    if (s->told)
        hws_kept_settle(p, o, s->told_received);
    if (p->n_up == 0)
        hws_peer_reconnect(p, path->number);
    else if (p->leads && !path->socket)
        hws_path_retry(path);
}

void hws_peer_hold_all(struct hws_peer *p)
{
    for (unsigned i = 0; i < p->n_up; i++)
        hws_lane_hold(p->up[i]);
}

/* ---- who carries what ---------------------------------------------------------------------------------------------
 */

static void look(struct hws_lane *l, uint64_t now)
{
    if (l->looked_ns && now - l->looked_ns < LOOK_NS)
        return;
    l->backlog_then = hws_link_backlog(l->link);
    l->sent_then = l->sent;
    l->looked_ns = now;
    uint64_t drained = l->sent - l->backlog_then, left = l->backlog_then + l->queued_bytes;
    struct hws_link_health h = {0};
    hws_rate_update(&l->rate, now, drained, left);
    if (__builtin_expect(hws_stall_update(&l->stall, now, drained, left), 0) && hws_link_health(l->link, &h) &&
        hws_stall_blame(&l->stall, now, h.resent))
        hws_rate_doubt(&l->rate);
}

/* What has not left the lane yet: as the kernel told last, and what was sent and drained since. */
static uint64_t backlog(const struct hws_lane *l, uint64_t rate, uint64_t now)
{
    uint64_t in_kernel = l->backlog_then + (l->sent - l->sent_then);
    uint64_t drained = (uint64_t)((double)rate * 1e-9 * (double)(now - l->looked_ns));
    return (in_kernel > drained ? in_kernel - drained : 0) + l->queued_bytes;
}

static void view(const struct hws_peer *p, struct hws_stripe_lane *out)
{
    uint64_t now = hws_clock_ns();
    for (unsigned i = 0; i < p->n_up; i++) {
        struct hws_lane *l = p->up[i];
        look(l, now);
        uint64_t rate = hws_rate_of(&l->rate);
        out[i] = (struct hws_stripe_lane){.open = true,
                                          .rate = rate,
                                          .backlog = backlog(l, rate, now),
                                          .latency_ns = l->latency_ns,
                                          .stall_ns = hws_stall_cost(&l->stall, now),
                                          .floor = hws_rate_floor(&l->rate)};
    }
}

struct hws_lane *hws_peer_pick_lane(struct hws_peer *p, uint64_t bytes)
{
    struct hws_stripe_lane lanes[HWS_MAX_PATHS];
    view(p, lanes);
    return p->up[hws_stripe_first(lanes, p->n_up, bytes)];
}

/* Lanes that have left bulk to others may think otherwise now. */
static void ask_again(struct hws_peer *p)
{
    for (unsigned i = 0; i < p->n_up; i++)
        if (p->up[i]->left_bulk)
            hws_lane_hold(p->up[i]);
}

/* False: nothing drains any more. */
static bool look_at_peer(struct hws_peer *p, uint64_t now)
{
    bool busy = false;
    for (unsigned i = 0; i < p->n_up; i++) {
        look(p->up[i], now);
        busy |= p->up[i]->backlog_then + p->up[i]->queued_bytes > 0;
    }
    if (p->bulk_left)
        ask_again(p);
    return busy && p->n_up > 1;
}

void hws_engine_look(struct hws_engine *e)
{
    uint64_t now = hws_clock_ns();
    if (now - e->looked_ns < LOOK_NS)
        return;
    e->looked_ns = now;
    for (struct hws_list *n = e->draining.next, *next = n->next; n != &e->draining; n = next, next = n->next)
        if (!look_at_peer(hws_container_of(n, struct hws_peer, draining_node), now))
            hws_list_remove(n);
}

void hws_engine_on_look(struct hws_timer *t)
{
    struct hws_engine *e = hws_container_of(t, struct hws_engine, look);
    hws_engine_look(e);
    if (!hws_list_is_empty(&e->draining))
        hws_timer_set(t, LOOK_MS);
}

static void look_from_now_on(struct hws_peer *p)
{
    struct hws_engine *e = p->engine;
    if (hws_list_is_empty(&p->draining_node))
        hws_list_push(&e->draining, &p->draining_node);
    if (!hws_timer_is_set(&e->look))
        hws_timer_set(&e->look, LOOK_MS);
}

static void on_nudge(struct hws_timer *t)
{
    hws_peer_hold_all(hws_container_of(t, struct hws_peer, nudge));
}

void hws_peer_init_nudge(struct hws_peer *p)
{
    hws_timer_init(p->engine->reactor, &p->nudge, on_nudge);
}

/* Among the peer's lanes that are up. */
static unsigned number_up(const struct hws_lane *l)
{
    unsigned i = 0;
    while (l->peer->up[i] != l)
        i++;
    return i;
}

/* The least piece of bulk for one of several lanes. */
static uint64_t least_piece(const struct hws_stripe_lane *lanes, unsigned n, uint64_t max_frag)
{
    uint64_t fastest = 0;
    for (unsigned i = 0; i < n; i++)
        if (lanes[i].rate > fastest)
            fastest = lanes[i].rate;
    uint64_t least = (uint64_t)((double)fastest * 1e-9 * PIECE_NS);
    if (least > HWS_MIN_FRAG || !fastest)
        least = HWS_MIN_FRAG;
    else if (least < LEAST_FRAG)
        least = LEAST_FRAG;
    return least < max_frag ? least : max_frag;
}

uint64_t hws_peer_first_part(struct hws_lane *l, uint64_t len, uint64_t most)
{
    struct hws_peer *p = l->peer;
    struct hws_stripe_lane lanes[HWS_MAX_PATHS];
    unsigned me = number_up(l);
    view(p, lanes);
    for (unsigned i = 0; i < p->n_up; i++)
        if (i != me && l->latency_ns)
            lanes[i].latency_ns = 2 * l->latency_ns + (lanes[i].latency_ns ? lanes[i].latency_ns : l->latency_ns);
    uint64_t least = least_piece(lanes, p->n_up, most), n = hws_stripe_take(lanes, p->n_up, me, len, least, most);
    return n > least ? n : least;
}

uint64_t hws_peer_bulk_for(struct hws_lane *l, uint64_t max_frag)
{
    struct hws_peer *p = l->peer;
    struct hws_stripe_lane lanes[HWS_MAX_PATHS];
    if (p->n_up <= 1)
        return p->bulk_left < max_frag ? p->bulk_left : max_frag;
    if (l->queued_bytes >= SHARED_QUEUE)
        return 0;
    view(p, lanes);
    uint64_t n =
        hws_stripe_take(lanes, p->n_up, number_up(l), p->bulk_left, least_piece(lanes, p->n_up, max_frag), max_frag);
    l->left_bulk = n == 0;
    if (n > 0)
        look_from_now_on(p);
    if (n > 0 && n < p->bulk_left)
        ask_again(p); /* they have left it to this one, which has more to do now */
    if (n == 0 && !hws_timer_is_set(&p->nudge))
        hws_timer_set(&p->nudge, NUDGE_MS);
    return n;
}
