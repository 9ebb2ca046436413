/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request: the life of a request. Memory comes from a pool that only grows, so that a stale handle always points at a
 * request (whose kind is 0 then) and a new one costs a few instructions. Whether the pool needs a lock is decided by
 * the thread level: without MPI_THREAD_MULTIPLE or a progress thread, only one thread is ever here.
 */
#include "core/request/request.h"

#include <stdlib.h>

#include "base/hot.h"
#include "core/object/fail.h"
#include "core/comm/call.h"
#include "core/object/world.h"
#include "peer/engine.h"

/* Requests are got from malloc in runs: 64 is the usual window of nonblocking operations, and 20 KiB. */
#define RUN 64

static struct hws_request *pool_free; /* linked through owner */
static struct hws_request *sent_free; /* the same; whole but for the message and its communicator */

struct hws_request_totals hws_request_totals;

static struct hws_request *pool_grow(void)
{
    struct hws_request *run = aligned_alloc(_Alignof(struct hws_request), RUN * sizeof *run);
    if (!run)
        return NULL;
    memset(run, 0, RUN * sizeof *run);
    for (int i = 1; i < RUN; i++) {
        run[i].owner = pool_free;
        pool_free = &run[i];
    }
    return run;
}

static struct hws_request *pool_get(void)
{
    struct hws_request *r = pool_free;
    if (__builtin_expect(!r, 0))
        return pool_grow();
    pool_free = r->owner;
    return r;
}

static inline void put(struct hws_request **pool, struct hws_request *r)
{
    r->owner = *pool;
    *pool = r;
}

HWS_HOT struct hws_request *hws_request_of(MPI_Request h)
{
    return (struct hws_request *)hws_object_of(h, HWS_KIND_REQUEST);
}

/* Predefined communicators and types outlive every request and are not counted. */
HWS_HOT void hws_request_hold(struct hws_request *r, struct hws_comm *c, struct hws_type *t)
{
    if (c && !c->obj.handle)
        hws_comm_hold(c);
    if (t)
        hws_type_hold(t);
    r->comm = c;
    r->type = t;
}

static void drop_objects(struct hws_request *r)
{
    if (r->comm && !r->comm->obj.handle)
        hws_comm_drop(r->comm);
    if (r->type && !r->type->obj.handle)
        hws_type_drop(r->type);
}

/* Everything before the descriptor, which is filled by whoever gives it to the engine. One by one, as the compiler
 * makes a few wide stores of that; a memset of this size becomes a string instruction that starts slowly. */
static inline void zero(struct hws_request *r)
{
    r->persistent = r->active = r->complete = r->cancelled = r->freed = false;
    r->error = MPI_SUCCESS;
    r->comm = NULL;
    r->type = NULL;
    r->buf = NULL;
    r->count = 0;
    r->rank = r->tag = 0;
    r->mode = 0;
    r->on_complete = NULL;
    r->owner = NULL;
    r->cancel = NULL;
}

HWS_HOT struct hws_request *hws_request_new(enum hws_request_kind kind, const struct hws_request_ops *ops,
                                            struct hws_comm *c, struct hws_type *t)
{
    struct hws_request *r;
    if (hws_is_threaded()) {
        hws_engine_lock(hws_world.engine);
        r = pool_get();
        hws_engine_unlock(hws_world.engine);
    } else {
        r = pool_get();
    }
    if (!r)
        return NULL;
    zero(r);
    hws_object_init(&r->obj, HWS_KIND_REQUEST);
    r->kind = kind;
    r->ops = ops;
    hws_request_hold(r, c, t);
    return r;
}

static struct hws_request *make_sent(const struct hws_request_ops *ops)
{
    struct hws_request *r = hws_request_new(HWS_REQ_SEND, ops, NULL, NULL);
    if (!r)
        return NULL;
    r->mode = HWS_BUFFERED;
    r->complete = true;
    r->op.bsend = (struct hws_sent){.numbered = true};
    return r;
}

/* As few stores as can be: they wait behind the message's, whose cache lines the receiver has. */
HWS_HOT struct hws_request *hws_request_new_sent(const struct hws_request_ops *ops, struct hws_comm *c,
                                                 const struct hws_send_op *op)
{
    struct hws_request *r = sent_free;
    if (__builtin_expect(r != NULL, 1))
        sent_free = r->owner;
    else if (!(r = make_sent(ops)))
        return NULL;
    r->obj.kind = HWS_KIND_REQUEST;
    r->owner = NULL;
    hws_request_hold(r, c, NULL);
    r->op.bsend.peer = op->peer;
    r->op.bsend.ctx = op->ctx;
    r->op.bsend.seq = op->seq;
    r->op.bsend.tag = op->tag;
    return r;
}

HWS_HOT void hws_request_free(struct hws_request *r)
{
    if (r->ops->shared)
        return;
    if (r->ops->release)
        r->ops->release(r);
    drop_objects(r);
    r->obj.kind = 0;
    struct hws_request **pool = r->ops->kept ? &sent_free : &pool_free;
    if (hws_is_threaded()) {
        hws_engine_lock(hws_world.engine);
        put(pool, r);
        hws_engine_unlock(hws_world.engine);
    } else {
        put(pool, r);
    }
}

/* The handle is gone, but its last words must still be said (generalized requests: free_fn). */
static int bury(struct hws_request *r)
{
    int rc = r->ops->end ? r->ops->end(r) : MPI_SUCCESS;
    hws_request_free(r);
    return rc;
}

/* Nothing of r may be touched once a waiting thread can see `complete`, unless no user holds its handle. */
HWS_HOT void hws_request_complete(struct hws_request *r, int error)
{
    void (*fn)(struct hws_request *) = r->on_complete;
    bool freed = r->freed;
    r->error = error;
    hws_request_totals.completed++;
    if (hws_request_error_is_lost(error))
        hws_request_totals.lost++;
    if (freed)
        r->active = false;
    __atomic_store_n(&r->complete, true, __ATOMIC_RELEASE);
    if (freed)
        bury(r);
    else if (fn)
        fn(r);
}

void hws_request_then(struct hws_request *r, void (*fn)(struct hws_request *r), void *owner)
{
    hws_engine_lock(hws_world.engine);
    r->owner = owner;
    if (hws_request_is_complete(r))
        fn(r);
    else
        r->on_complete = fn;
    hws_engine_unlock(hws_world.engine);
}

int hws_request_start(struct hws_request *r)
{
    if (!r->persistent)
        return hws_fail(MPI_ERR_REQUEST, "invalid request: it is not persistent");
    if (r->active)
        return hws_fail(MPI_ERR_REQUEST,
                        "invalid request: it is active already, wait for it before it is started again");
    r->active = true;
    r->cancelled = false;
    r->error = MPI_SUCCESS;
    r->complete = false;
    int rc = r->ops->start(r);
    if (rc != MPI_SUCCESS) {
        r->active = false;
        r->complete = true;
    }
    return rc;
}

int hws_request_cancel(struct hws_request *r)
{
    if (!hws_request_is_active(r))
        return hws_fail(MPI_ERR_REQUEST, "invalid request: it is not active, there is nothing to cancel");
    if (!r->ops->cancel)
        return MPI_SUCCESS;
    hws_engine_lock(hws_world.engine);
    int rc = r->ops->cancel(r);
    hws_engine_unlock(hws_world.engine);
    return rc;
}

int hws_request_discard(struct hws_request *r)
{
    hws_engine_lock(hws_world.engine);
    bool now = hws_request_is_complete(r) || !hws_request_is_active(r);
    r->freed = true;
    hws_engine_unlock(hws_world.engine);
    hws_engine_push(hws_world.engine); /* nobody will wait for it */
    return now ? bury(r) : MPI_SUCCESS;
}

HWS_HOT int hws_request_report(struct hws_request *r, MPI_Status *st)
{
    int rc = r->ops->finish(r, st);
    if (r->persistent) {
        r->active = false;
        return rc;
    }
    if (__builtin_expect(r->ops->end != NULL, 0)) {
        int last = bury(r);
        return rc != MPI_SUCCESS ? rc : last;
    }
    hws_request_free(r);
    return rc;
}

/* A receive that has been matched knows its sender. */
void hws_request_tell(const struct hws_request *r, struct hws_board_what *out)
{
    if (r->kind == HWS_REQ_SEND && r->mode != HWS_BUFFERED)
        hws_call_tell_message(out, HWS_BOARD_SEND, r->op.send.peer, r->op.send.tag, r->op.send.ctx);
    else if (r->kind == HWS_REQ_RECV)
        hws_call_tell_message(out, HWS_BOARD_RECV, r->op.recv.peer, r->op.recv.tag, r->op.recv.ctx);
}

void hws_request_describe(const void *complete, struct hws_board_what *out)
{
    const struct hws_request *r = hws_container_of((const bool *)complete, struct hws_request, complete);
    hws_call_tell(out, "MPI_Wait", r->comm);
    hws_request_tell(r, out);
}

static void block(struct hws_request *r)
{
    if (!hws_request_is_complete(r))
        hws_engine_wait(hws_world.engine, &r->complete, hws_request_describe);
    else
        hws_engine_push(hws_world.engine);
}

int hws_request_wait(struct hws_request *r, MPI_Status *st)
{
    if (!hws_request_is_active(r)) {
        hws_status_empty(st);
        return MPI_SUCCESS;
    }
    block(r);
    return hws_request_report(r, st);
}

/* After the first failure the others are ended without asking for their results: the sentence of the first stays. */
int hws_request_wait_all(int n, struct hws_request **reqs)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n; i++) {
        struct hws_request *r = reqs[i];
        reqs[i] = NULL;
        if (!r)
            continue;
        if (rc == MPI_SUCCESS) {
            rc = hws_request_wait(r, MPI_STATUS_IGNORE);
        } else {
            block(r);
            r->active = false;
            if (!r->persistent)
                hws_request_free(r);
        }
    }
    return rc;
}
