/* SPDX-License-Identifier: BSD-3-Clause
 *
 * knock: a peer that does not answer a dial may be on a host that is gone, or its kernel's queue of connections may be
 * full, as its process computes: Linux drops dials then without a word. So the host is asked at a place where nobody
 * listens: a kernel that lives refuses that at once.
 */
#include "base/clock.h"
#include "peer/conn/conn.h"
#include "peer/state/engine.h"

#define AGAIN_MS 1000 /* least time between two questions */

static void on_readable(void *peer)
{
    (void)peer; /* not asked for */
}

/* Closed later: not inside its own callback. */
static void on_answer(void *peer)
{
    struct hws_peer *p = peer;
    char why[HWS_REASON_LEN];
    int rc = hws_link_dial_result(p->attempt.knock, why, sizeof why);
    if (rc == HWS_EAGAIN)
        return;
    hws_link_want(p->attempt.knock, 0);
    if (rc == HWS_OK || rc == HWS_EREFUSED)
        hws_peer_shows_life(p, p->attempt.knock);
}

static const struct hws_link_events events = {on_readable, on_answer};

void hws_peer_knock(struct hws_peer *p, int route)
{
    struct hws_transport *t = p->engine->transport;
    uint64_t now = hws_clock_ns();
    char why[HWS_REASON_LEN];
    if (!t->ops->knock || (p->attempt.knock && now - p->attempt.knocked_ns < AGAIN_MS * HWS_NS_PER_MS))
        return;
    hws_peer_end_knock(p);
    if (t->ops->knock(t, &p->reach.routes[route], &p->attempt.knock, why, sizeof why) != HWS_OK) {
        p->attempt.knock = NULL;
        return;
    }
    p->attempt.knocked_ns = now;
    p->attempt.knock->owner = p;
    p->attempt.knock->events = &events;
    hws_link_want(p->attempt.knock, HWS_LINK_W);
}

void hws_peer_end_knock(struct hws_peer *p)
{
    if (p->attempt.knock)
        hws_link_close(p->attempt.knock);
    p->attempt.knock = NULL;
}
