/* SPDX-License-Identifier: BSD-3-Clause
 *
 * connect: how a peer gets its connection. Routes (pairs of addresses) are tried in turn, each at most -tcpconretries
 * times; a route that fails loses only itself. The peer is unreachable when every route has failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "peer/priv.h"

#define CARD_LEN   4096
#define BACKOFF_MS 20  /* after the first round over all routes; doubles with each */
#define BACKOFF_MAX_MS 2000

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
    struct hws_route *routes = calloc(HWS_MAX_ROUTES, sizeof *routes);
    int n = routes ? e->transport->ops->routes(e->transport, card, routes, HWS_MAX_ROUTES) : HWS_ENOMEM;
    if (n <= 0) {
        free(routes);
        hws_peer_lose(p, HWS_EUNREACHABLE, "%s: no interface here reaches any of its addresses (%s)",
                      hws_peer_name(p, name, sizeof name), n < 0 ? "malformed card" : card);
        return false;
    }
    p->n_routes = n;
    struct hws_route *fit = realloc(routes, (size_t)n * sizeof *routes);
    p->routes = fit ? fit : routes;
    return true;
}

/* The next route that is not used up, from next_route on; -1: none left. */
static int pick_route(struct hws_peer *p)
{
    unsigned max = (unsigned)p->engine->cfg.params.tcp_con_retries;
    for (int i = 0; i < p->n_routes; i++) {
        int r = (p->next_route + i) % p->n_routes;
        if (p->tries[r] < max)
            return r;
    }
    return -1;
}

static void unreachable(struct hws_peer *p)
{
    char name[96], last[HWS_REASON_LEN];
    snprintf(last, sizeof last, "%.200s", p->reason);
    hws_peer_lose(p, HWS_EUNREACHABLE, "%s cannot be reached from rank %d: %d address pair%s failed, %d times each, the last: %s",
                  hws_peer_name(p, name, sizeof name), p->engine->cfg.me, p->n_routes, p->n_routes == 1 ? "" : "s",
                  (int)p->engine->cfg.params.tcp_con_retries, last);
}

void hws_peer_connect(struct hws_peer *p)
{
    struct hws_engine *e = p->engine;
    if (p->socket || p->lost || hws_timer_is_set(&p->retry) || !find_routes(p))
        return;
    int r;
    while ((r = pick_route(p)) >= 0) {
        struct hws_link *link;
        char why[HWS_REASON_LEN];
        int rc = e->transport->ops->dial(e->transport, &p->routes[r], &link, why, sizeof why);
        if (rc == HWS_OK) {
            struct hws_socket *s = hws_socket_new(e, p, link, true);
            if (!s) {
                hws_link_close(link);
                hws_peer_lose(p, HWS_ENOMEM, "out of memory for a connection");
                return;
            }
            s->route = r;
            p->next_route = r;
            p->socket = s;
            hws_socket_start(s);
            return;
        }
        snprintf(p->reason, sizeof p->reason, "%s: %.120s", p->routes[r].text, why);
        p->tries[r]++;
    }
    unreachable(p);
}

bool hws_peer_dial_failed(struct hws_peer *p, int route, const char *why)
{
    hws_trace(peer, "rank %d: dial failed: %s", p->rank, why);
    snprintf(p->reason, sizeof p->reason, "%s", why);
    p->engine->n_retries++;
    p->n_retries++;
    p->tries[route]++;
    p->socket = NULL;
    p->next_route = (route + 1) % p->n_routes;
    bool used_up = p->tries[route] >= p->engine->cfg.params.tcp_con_retries;
    if (pick_route(p) < 0) {
        unreachable(p);
        return true;
    }
    uint64_t wait = 1;
    if (p->next_route == 0) {
        wait = (uint64_t)BACKOFF_MS << (p->rounds < 8 ? p->rounds : 8);
        p->rounds++;
    }
    hws_timer_set(&p->retry, wait < BACKOFF_MAX_MS ? wait : BACKOFF_MAX_MS);
    return used_up;
}

/* Lost the head-on election: the other side's connection is on its way. Dial again if it does not come. */
void hws_peer_wait_inbound(struct hws_peer *p)
{
    hws_timer_set(&p->retry, p->engine->cfg.params.connect_ms);
}

void hws_peer_connected(struct hws_peer *p, struct hws_socket *s)
{
    hws_timer_stop(&p->retry);
    if (hws_lane_open(&s->lane, p, s->link) != HWS_OK) {
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for a connection");
        return;
    }
    p->engine->n_connects++;
    p->n_connects++;
    p->credit = s->theirs.credit;
    p->big_endian = s->theirs.big_endian;
    p->rounds = 0;
    memset(p->tries, 0, sizeof p->tries);
    hws_link_connected(s->link);
    if (p->big_endian != p->engine->big_endian) {
        char name[96];
        hws_peer_lose(p, HWS_EPROTO, "%s has the other byte order, which this version does not convert",
                      hws_peer_name(p, name, sizeof name));
        return;
    }
    enum hws_event_kind kind = p->n_connects > 1 ? HWS_EVENT_LANE_RETURNED : HWS_EVENT_LANE_OPENED;
    if (hws_engine_is_watched(p->engine, kind))
        hws_engine_event_slow(p->engine, (struct hws_event){.kind = kind, .peer = p->rank});
    hws_engine_hot(p->engine, &s->lane);
    hws_lane_flush(&s->lane);
}
