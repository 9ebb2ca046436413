/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ask: a process that only waits has nothing on its way that could miss an acknowledgment, and would never learn that
 * the other host is gone. So while it sleeps and waits for a peer, the kernel asks that peer's kernel whether it is
 * there, and ends the connection when it is not (docs/decisions/028-who-only-waits-asks.md). Kernels answer for
 * processes that compute or are stopped.
 */
#include "base/clock.h"
#include "peer/conn/conn.h"
#include "peer/state/engine.h"

#define QUESTIONS 4 /* in -hosttimeout, the last one's answer is not waited for */
#define RATE      4 /* questions a second that a process lets its kernel ask */
#define LOOKS     2 /* who is waited for at so many in a row is asked */
#define MOST_S    16384

static bool has_operations(const struct hws_peer *p)
{
    return !hws_list_is_empty(&p->out.pending) || !hws_list_is_empty(&p->out.answers) ||
           !hws_list_is_empty(&p->out.bulk) || !hws_list_is_empty(&p->in.under_way) ||
           !hws_list_is_empty(&p->out.cancels);
}

static bool may_be_asked(const struct hws_peer *p)
{
    return p && !p->shm && !hws_peer_is_over(p);
}

static void count_look(struct hws_peer *p, bool any)
{
    bool waits = any || p->noted || has_operations(p);
    p->noted = false;
    if (!waits)
        p->n_awaited = 0;
    else if (p->n_awaited < LOOKS)
        p->n_awaited++;
}

/* The more there are, the more rarely each one, in steps so that it rarely changes. */
static unsigned interval_s(const struct hws_engine *e, unsigned n_lanes)
{
    uint64_t s = e->cfg.params.host_timeout_ms / HWS_MS_PER_S / QUESTIONS;
    s = s > 1 ? s : 1;
    while (n_lanes > RATE * s)
        s *= 2;
    return s < MOST_S ? (unsigned)s : MOST_S; /* of the kernel's limit, 32767 */
}

static void ask_on_all(struct hws_peer *p, unsigned every_s)
{
    for (unsigned i = 0; i < p->n_up; i++) {
        struct hws_lane *l = p->up[i];
        if (l->watch.ask_s == every_s || !l->watched)
            continue;
        hws_link_ask(l->link, every_s, QUESTIONS - 1);
        l->watch.ask_s = every_s;
    }
}

void hws_engine_ask(struct hws_engine *e, bool any)
{
    unsigned n_lanes = 0;
    for (int i = 0; i < e->jobs.n_peers; i++) {
        struct hws_peer *p = e->peers[i];
        if (!may_be_asked(p))
            continue;
        count_look(p, any);
        n_lanes += p->n_awaited == LOOKS ? p->n_up : 0;
    }
    unsigned every_s = interval_s(e, n_lanes);
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (may_be_asked(e->peers[i]))
            ask_on_all(e->peers[i], e->peers[i]->n_awaited == LOOKS ? every_s : 0);
}
