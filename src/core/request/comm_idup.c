/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_idup: MPI_Comm_idup without blocking. The communicator is made at the call, except for its context id, which
 * travels by itself, driven by the completions of the engine's operations:
 *
 *   leader of an intracommunicator:      take an id ----------------------> tell the children -> complete
 *   leaders of an intercommunicator:     one takes an id, both swap ------> tell the children -> complete
 *   all others:                          hear from the parent ------------> tell the children -> complete
 */
#include <stdlib.h>

#include "core/comm/comm_agree.h"
#include "core/comm/comm_inter.h"
#include "core/comm/comm_make.h"
#include "core/comm/ctx.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/request/request.h"
#include "peer/engine.h"

#define CHILDREN_MAX 31 /* of one node of a binomial tree */

struct idup;

struct told {
    struct hws_send_op op;
    struct idup *owner;
};

struct idup {
    struct hws_request *req;
    struct hws_comm *made; /* held */
    struct hws_talk talk;
    bool telling;          /* the id is known, the children are being told */
    int pending;           /* operations under way, and 1 while some are being started */
    bool swapping, is_low; /* leader of an intercommunicator; whose ids count */
    uint32_t own, id;      /* own: HWS_CTX_NONE where the other side gives it; id: as received, then as it counts */
    enum hws_err err;
    int lost_peer; /* whose operation failed */
    struct hws_recv_op recv;
    struct told tell[CHILDREN_MAX];
};

static void step_done(struct idup *d);

static void note(struct idup *d, enum hws_err err, int peer)
{
    if (err != HWS_OK && d->err == HWS_OK) {
        d->err = err;
        d->lost_peer = peer;
    }
    step_done(d);
}

static void on_sent(struct hws_send_op *op)
{
    note(hws_container_of(op, struct told, op)->owner, op->err, op->peer);
}

static void on_received(struct hws_recv_op *op)
{
    note(hws_container_of(op, struct idup, recv), op->err, op->peer);
}

static void send_id(struct idup *d, int slot, const uint32_t *id, int peer, uint32_t ctx, int32_t tag)
{
    struct told *t = &d->tell[slot];
    t->owner = d;
    t->op = (struct hws_send_op){.data = {.base = (void *)(uintptr_t)id, .len_bytes = sizeof *id},
                                 .peer = peer,
                                 .ctx = ctx,
                                 .tag = tag,
                                 .on_done = on_sent};
    d->pending++;
    hws_engine_send_now(hws_world.engine, &t->op);
}

static void recv_id(struct idup *d, int peer, uint32_t ctx, int32_t tag)
{
    d->recv = (struct hws_recv_op){.data = {.base = &d->id, .len_bytes = sizeof d->id},
                                   .peer = peer,
                                   .ctx = ctx,
                                   .tag = tag,
                                   .on_done = on_received};
    d->pending++;
    hws_engine_recv(hws_world.engine, &d->recv);
}

static int error_of(const struct idup *d)
{
    if (d->err != HWS_OK)
        return hws_fail_err(d->err, hws_engine_peer_reason(hws_world.engine, d->lost_peer));
    return hws_ctx_check(d->id);
}

static void tell_children(struct idup *d)
{
    int me = hws_talk_me(&d->talk), size = d->talk.group->size, slot = 0;
    d->telling = true;
    d->pending = 1;
    if (d->swapping && d->is_low)
        d->id = d->own;
    if (d->err != HWS_OK)
        d->id = HWS_CTX_NONE; /* the children shall not wait for ever */
    for (int bit = hws_tree_first_bit(me, size); bit; bit >>= 1)
        if (me + bit < size)
            send_id(d, slot++, &d->id, hws_talk_peer(&d->talk, me + bit), d->talk.ctx, d->talk.tag);
    step_done(d);
}

/* One operation less; nothing of d may be touched after the request is complete. */
static void step_done(struct idup *d)
{
    if (--d->pending > 0)
        return;
    if (!d->telling) {
        tell_children(d);
        return;
    }
    int rc = error_of(d);
    if (rc == MPI_SUCCESS)
        hws_comm_set_ctx(d->made, d->id);
    hws_request_complete(d->req, rc);
}

static int finish(struct hws_request *r, MPI_Status *st)
{
    hws_status_empty(st);
    return r->error == MPI_SUCCESS ? MPI_SUCCESS : error_of(r->buf);
}

static void release(struct hws_request *r)
{
    struct idup *d = r->buf;
    hws_comm_drop(d->made);
    free(d);
}

static const struct hws_request_ops ops = {.finish = finish, .release = release};

/* The first operations. Under the engine's lock, since completions may come from another thread. */
static void start(struct idup *d, struct hws_comm *c)
{
    int me = hws_talk_me(&d->talk);
    d->pending = 1;
    if (me != 0) {
        recv_id(d, hws_talk_peer(&d->talk, hws_tree_parent(me)), d->talk.ctx, d->talk.tag);
    } else {
        d->swapping = c->remote != NULL;
        d->is_low = d->swapping && hws_inter_is_low(c);
        d->own = d->id = !d->swapping || d->is_low ? hws_ctx_take() : HWS_CTX_NONE;
    }
    if (c->remote) {
        int tag = hws_comm_next_tag(c); /* in all members, to stay in step */
        int leader = hws_group_peer(c->remote, 0);
        if (d->swapping) {
            recv_id(d, leader, c->ctx + HWS_CTX_COLL, tag);
            send_id(d, 0, &d->own, leader, c->ctx + HWS_CTX_COLL, tag);
        }
    }
    step_done(d);
}

int hws_comm_idup(struct hws_comm *c, const struct hws_info *info, struct hws_comm **out, struct hws_request **req)
{
    struct idup *d = calloc(1, sizeof *d);
    struct hws_comm *made;
    if (!d)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a communicator");
    int rc = hws_comm_dup_begin(c, info, &made);
    struct hws_request *r = rc == MPI_SUCCESS ? hws_request_new(HWS_REQ_COLL, &ops, c, NULL) : NULL;
    if (!r) {
        free(d);
        return rc ? rc : (hws_comm_drop(made), hws_fail(MPI_ERR_NO_MEM, "out of memory for a request"));
    }
    r->buf = d;
    d->req = r;
    d->made = made;
    hws_comm_hold(made);
    hws_engine_lock(hws_world.engine);
    d->talk = hws_talk_of(c);
    start(d, c);
    hws_engine_unlock(hws_world.engine);
    *out = made;
    *req = r;
    return MPI_SUCCESS;
}
