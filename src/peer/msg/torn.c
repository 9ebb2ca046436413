/* SPDX-License-Identifier: BSD-3-Clause
 *
 * torn: first fragments whose connection died within their payload. They come again, over another, and go on where they
 * were to go.
 */
#include <stdlib.h>
#include <string.h>

#include "frag/frag.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"

/* A frame whose connection died within it: what the end of hws_recv_on_first() left behind, to be filled again. */
int hws_recv_tear(struct hws_lane *l)
{
    struct hws_peer *p = l->peer;
    const struct hws_frame *f = &l->in.frame;
    free(l->in.sink.came); /* it comes again as a whole */
    l->in.sink.came = NULL;
    if (!l->in.frame_bytes || !hws_frame_is(f->type, HWS_FRAMES_FIRST))
        return HWS_OK; /* between frames, or in a fragment that is counted only when it is whole */
    struct hws_torn *t = calloc(1, sizeof *t);
    if (!t)
        return HWS_ENOMEM;
    t->ctx = f->ctx;
    t->seq = f->seq;
    t->sink = l->in.sink;
    if (t->sink.msg)
        t->sink.msg->received = 0; /* it may all be here, but damaged: nobody may take it as whole */
    p->account.in_use -= hws_frag_charge(f->flags & HWS_FRAME_FREE, f->len, HWS_ENVELOPE);
    hws_list_push(&p->in.torn, &t->node);
    memset(&l->in.sink, 0, sizeof l->in.sink);
    l->in.frame_bytes = 0;
    return HWS_OK;
}

static void refill(struct hws_sink *s, const struct hws_sink *torn)
{
    *s = *torn;
    s->left = s->frame_len;
    s->offset = 0;
    if (s->msg) {
        s->dst = s->msg->data;
        s->msg->received = 0;
    } else if (s->op) {
        s->dst = s->op->data.layout ? NULL : s->op->data.base;
    }
}

/* True: the frame is one that was torn, and the sink is what it was. */
bool hws_recv_mend(struct hws_lane *l, const struct hws_frame *f)
{
    struct hws_list *torn = &l->peer->in.torn;
    for (struct hws_list *n = torn->next; n != torn; n = n->next) {
        struct hws_torn *t = hws_container_of(n, struct hws_torn, node);
        if (t->ctx != f->ctx || t->seq != f->seq || t->sink.frame_len != f->len)
            continue;
        refill(&l->in.sink, &t->sink);
        hws_list_remove(n);
        free(t);
        return true;
    }
    return false;
}
