/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cancel: from a request to the engine's question and back.
 */
#include "core/p2p/cancel.h"

#include <stdlib.h>

#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/p2p/bsend.h"
#include "peer/engine.h"

static void on_answer(struct hws_cancel_op *op)
{
    struct hws_request *r = hws_container_of(op, struct hws_send_cancel, op)->req;
    const struct hws_send_op *send = r->mode == HWS_BUFFERED ? NULL : &r->op.send;
    r->cancelled = op->taken;
    if (send && !send->done)
        return; /* its own end completes the request */
    bool is_over = !send || send->err == HWS_OK || send->err == HWS_ECANCELLED;
    hws_request_complete(r, is_over ? MPI_SUCCESS : hws_fail_err(send->err, NULL));
}

static struct hws_cancel_op question(const struct hws_request *r)
{
    const struct hws_sent *b = &r->op.bsend;
    const struct hws_send_op *s = &r->op.send;
    if (r->mode == HWS_BUFFERED)
        return (struct hws_cancel_op){.peer = b->peer,
                                      .ctx = b->ctx,
                                      .seq = b->seq,
                                      .tag = b->tag,
                                      .send = hws_bsend_in_flight(r->comm, b),
                                      .on_done = on_answer};
    return (struct hws_cancel_op){.peer = s->peer,
                                  .ctx = s->ctx,
                                  .seq = s->seq,
                                  .tag = s->tag,
                                  .send = (struct hws_send_op *)(uintptr_t)s,
                                  .on_done = on_answer};
}

int hws_send_cancel(struct hws_request *r)
{
    if (r->cancel)
        return MPI_SUCCESS;
    struct hws_send_cancel *c = malloc(sizeof *c);
    if (!c)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory to cancel a send");
    c->op = question(r);
    c->req = r;
    if (r->mode == HWS_BUFFERED && !c->op.send &&
        !r->op.bsend.numbered) { /* left since, nobody knows its number: too late */
        free(c);
        return MPI_SUCCESS;
    }
    r->cancel = c;
    r->complete = false;
    hws_engine_cancel_send(hws_world.engine, &c->op);
    return MPI_SUCCESS;
}

void hws_send_forget_cancel(struct hws_request *r)
{
    free(r->cancel);
    r->cancel = NULL;
}
