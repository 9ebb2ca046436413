/* SPDX-License-Identifier: BSD-3-Clause
 *
 * next: under a launcher that lets ranks wait for one that has died, each rank in MPI_Finalize watches the one that
 * follows it by number (docs/decisions/026-who-is-not-coming.md). So every rank is watched by one that lives, whoever
 * dies and however late, connected or not. It holds a connection without a word to where the other one listens, which
 * asks nothing of a process that computes; it ends when that process does, or when it is not wanted any more. Who is
 * refused on all routes from then on for long has died: the launcher's word that the end is over would have come.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "peer/engine/parts.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"

#define CARD_LEN   4096 /* bytes of an address card's text */
#define FIRST_MS   1000 /* in MPI_Finalize, before the first connection: most ends are over by then */
#define AGAIN_MS   1000
#define DIAL_MS    5000
#define REFUSED_MS 20000 /* the next one may have heard of the end before this one, and be gone in order */

static void on_readable(void *owner)
{
    struct hws_next *x = owner;
    char bytes[64];
    struct iovec iov = {bytes, sizeof bytes};
    if (x->link && !x->is_dialing && hws_link_recv(x->link, &iov, 1) < 0)
        x->is_over = true;
}

static void held(struct hws_next *x)
{
    x->is_dialing = false;
    x->refused_ns = 0;
    x->n_refused = 0;
    hws_link_want(x->link, HWS_LINK_R);
}

static void refused(struct hws_next *x)
{
    if (!x->refused_ns)
        x->refused_ns = hws_clock_ns();
    x->n_refused++;
}

/* Tells nothing of the process: it may be dead or not, and a route that is silent may be the one that leads there. */
static void failed(struct hws_next *x)
{
    x->refused_ns = 0;
    x->n_refused = 0;
}

static void dialed(struct hws_next *x, int rc)
{
    if (rc == HWS_OK) {
        held(x);
        return;
    }
    x->is_over = true;
    if (rc == HWS_EREFUSED)
        refused(x);
    else
        failed(x);
}

static void on_writable(void *owner)
{
    struct hws_next *x = owner;
    char why[HWS_REASON_LEN];
    if (!x->link || !x->is_dialing || x->is_over)
        return;
    int rc = hws_link_dial_result(x->link, why, sizeof why);
    if (rc == HWS_EAGAIN)
        return;
    hws_link_want(x->link, 0);
    dialed(x, rc);
}

static const struct hws_link_events events = {on_readable, on_writable};

static void drop_link(struct hws_next *x)
{
    if (x->link)
        hws_link_close(x->link);
    x->link = NULL;
    x->is_over = x->is_dialing = false;
}

static void dial(struct hws_engine *e, struct hws_next *x, uint64_t now)
{
    struct hws_transport *t = e->transport;
    char why[HWS_REASON_LEN];
    x->route = (x->route + 1) % x->n_routes;
    x->at_ns = now;
    int rc = t->ops->dial(t, &x->routes[x->route], &x->link, why, sizeof why);
    if (rc != HWS_OK) {
        x->link = NULL;
        dialed(x, rc);
        x->is_over = false;
        return;
    }
    x->is_dialing = true;
    x->link->owner = x;
    x->link->events = &events;
    hws_link_want(x->link, HWS_LINK_W);
}

static bool find_routes(struct hws_engine *e, struct hws_next *x, int rank)
{
    char card[CARD_LEN];
    if (e->cfg.lookup(e->cfg.lookup_arg, rank, card, sizeof card) != HWS_OK)
        return false;
    x->routes = calloc(HWS_MAX_LANES, sizeof *x->routes);
    x->n_routes = x->routes ? e->transport->ops->routes(e->transport, card, x->routes, HWS_MAX_LANES) : 0;
    return x->n_routes > 0;
}

/* The launcher is asked for the address now: once its barrier is under way it answers no more. */
void hws_next_begin(struct hws_engine *e)
{
    int n = e->cfg.n_peers, rank = n > 0 ? (e->cfg.me + 1) % n : e->cfg.me;
    if (rank == e->cfg.me || (e->peers[rank] && (e->peers[rank]->shm || hws_peer_is_over(e->peers[rank]))))
        return;
    struct hws_next *x = calloc(1, sizeof *x);
    if (!x)
        return;
    x->rank = rank;
    x->at_ns = hws_clock_ns() + FIRST_MS * HWS_NS_PER_MS - AGAIN_MS * HWS_NS_PER_MS;
    e->gone.next = x;
    if (!find_routes(e, x, rank))
        hws_next_end(e);
}

/* It has said BYE: what it does from now on is not waited for. */
static bool has_finalized(const struct hws_engine *e, int rank)
{
    const struct hws_peer *p = e->peers[rank];
    return p && p->state == HWS_PEER_LEAVING;
}

int hws_next_look(struct hws_engine *e)
{
    struct hws_next *x = e->gone.next;
    uint64_t now = hws_clock_ns();
    if (x && has_finalized(e, x->rank))
        hws_next_end(e);
    if (!(x = e->gone.next))
        return HWS_NOBODY;
    if (x->link && x->is_dialing && !x->is_over && now - x->at_ns > DIAL_MS * HWS_NS_PER_MS) {
        failed(x);
        x->is_over = true;
    }
    if (x->is_over)
        drop_link(x);
    if (!x->link && now > x->at_ns && now - x->at_ns >= AGAIN_MS * HWS_NS_PER_MS)
        dial(e, x, now);
    bool all = x->refused_ns && x->n_refused >= (unsigned)x->n_routes;
    return all && now - x->refused_ns >= REFUSED_MS * HWS_NS_PER_MS ? x->rank : HWS_NOBODY;
}

void hws_next_end(struct hws_engine *e)
{
    struct hws_next *x = e->gone.next;
    e->gone.next = NULL;
    if (!x)
        return;
    drop_link(x);
    free(x->routes);
    free(x);
}
