/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lost: receives and messages of a peer that is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"

struct failing {
    const struct hws_peer *peer;
    enum hws_err why;
};

static void fail_posted(struct hws_match_node *n, void *arg)
{
    struct failing *f = arg;
    struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, match);
    op->from_peer = f->peer->number;
    hws_recv_finish(f->peer->engine, op, f->why);
}

/* A message whose payload will never be whole: no longer to be matched. One that the user has probed stays his. */
static void drop_message(struct hws_peer *p, struct hws_message *m)
{
    if (!m || !(m->match.queued || m->claimed || !hws_list_is_empty(&m->node)))
        return;
    hws_match_remove(&p->engine->match, &m->match);
    hws_list_remove(&m->node);
    hws_message_free(p->engine, m);
}

static void drop_sink(struct hws_lane *l, void *arg)
{
    struct hws_message *m = l->in.sink.msg;
    (void)arg;
    free(l->in.sink.came);
    memset(&l->in.sink, 0, sizeof l->in.sink);
    l->in.frame_bytes = 0;
    drop_message(l->peer, m);
}

static void drop_partial(struct hws_peer *p)
{
    struct hws_list *n;
    hws_peer_each_lane(p, drop_sink, NULL);
    while ((n = hws_list_pop(&p->in.torn))) {
        struct hws_torn *t = hws_container_of(n, struct hws_torn, node);
        drop_message(p, t->sink.msg);
        free(t);
    }
}

void hws_recv_fail_any(struct hws_peer *p, enum hws_err why)
{
    p->engine->gone.n_any_lost++;
    p->engine->gone.any_lost = p->number;
    hws_match_drain(&p->engine->match, HWS_MATCH_POSTED, HWS_ANY_PEER, false, fail_posted, &(struct failing){p, why});
}

void hws_recv_fail_all(struct hws_peer *p, enum hws_err why)
{
    struct failing f = {p, why};
    struct hws_list *n;
    drop_partial(p);
    while ((n = hws_list_pop(&p->in.under_way)))
        hws_recv_finish(p->engine, hws_container_of(n, struct hws_recv_op, node), why);
    hws_match_drain(&p->engine->match, HWS_MATCH_POSTED, p->number, false, fail_posted, &f);
    if (p->state != HWS_PEER_GONE) /* a receive from any source might have waited for it */
        hws_recv_fail_any(p, why);
}

static void forget(struct hws_match_node *n, void *arg)
{
    hws_message_free(arg, hws_container_of(n, struct hws_message, match));
}

void hws_recv_forget_all(struct hws_engine *e)
{
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i])
            drop_partial(e->peers[i]);
    hws_match_drain(&e->match, HWS_MATCH_UNEXPECTED, 0, true, forget, e);
}
