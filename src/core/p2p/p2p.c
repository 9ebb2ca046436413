/* SPDX-License-Identifier: BSD-3-Clause
 *
 * p2p: blocking and nonblocking point-to-point: ranks become peers, typed buffers become the engine's data, results of
 * the engine become MPI classes. The blocking calls keep their descriptor on the stack: no request, no allocation.
 */
#include "core/p2p/p2p.h"

#include <stdio.h>

#include "base/hot.h"
#include "core/comm/raise.h"
#include "core/comm/call.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/p2p/bsend.h"
#include "core/p2p/cancel.h"
#include "core/type/datatype_elems.h"
#include "peer/engine.h"

#define REASON_LEN 256 /* bytes of the engine's reason that are passed on */

int hws_comm_rank_of_peer(const struct hws_comm *c, int peer)
{
    return hws_group_rank_of_peer(hws_comm_peers(c), peer);
}

int hws_p2p_failed(const struct hws_comm *c, enum hws_err err, const char *what, int rank)
{
    char text[REASON_LEN + 64], reason[REASON_LEN] = "";
    if (rank >= 0) {
        hws_engine_lock(hws_world.engine);
        snprintf(reason, sizeof(reason), "%s", hws_engine_peer_reason(hws_world.engine, hws_comm_peer(c, rank)));
        hws_engine_unlock(hws_world.engine);
    }
    if (!reason[0])
        snprintf(reason, sizeof(reason), "%s", hws_err_text(err));
    if (rank >= 0)
        snprintf(text, sizeof(text), "%s rank %d failed: %s", what, rank, reason);
    else
        snprintf(text, sizeof(text), "%s any rank failed: %s", what, reason);
    return hws_fail_err(err, text);
}

int hws_p2p_any_failed(enum hws_err err, const char *what, int peer)
{
    char text[2 * REASON_LEN];
    hws_engine_lock(hws_world.engine);
    const char *reason = hws_engine_peer_reason(hws_world.engine, peer);
    snprintf(text, sizeof text, "%s any rank failed: %.256s", what, reason[0] ? reason : hws_err_text(err));
    hws_engine_unlock(hws_world.engine);
    return hws_fail_err(err, text);
}

static int recv_failed(struct hws_comm *c, const struct hws_recv_op *op, int source)
{
    if (op->err == HWS_ECANCELLED || op->err == HWS_ENOMEM || (op->err != HWS_ETRUNCATE && source >= 0))
        return hws_p2p_failed(c, op->err, "receive from", source);
    if (op->err != HWS_ETRUNCATE)
        return hws_p2p_any_failed(op->err, "receive from", op->from_peer);
    return hws_fail(MPI_ERR_TRUNCATE,
                    "message truncated: %llu bytes came from rank %d with tag %d, the receive buffer holds %llu bytes",
                    (unsigned long long)op->from_len, hws_comm_rank_of_peer(c, op->from_peer), op->from_tag,
                    (unsigned long long)op->data.len_bytes);
}

/* A short message that ends inside a basic element: its signature is not that of the receive (MPI 5.0 section 3.3.1).
 */
bool hws_recv_cuts_element(const struct hws_recv_op *op, const struct hws_type *t)
{
    uint64_t below = (uint64_t)t->size - 1;
    if (((uint64_t)t->size & below) == 0 && (op->from_len & below) == 0) /* whole ones, without a division */
        return false;
    return hws_type_elements(t, (MPI_Count)op->from_len) < 0;
}

static int cut_element(struct hws_comm *c, const struct hws_recv_op *op)
{
    return hws_fail(
        MPI_ERR_TYPE,
        "datatypes do not match: %llu bytes came from rank %d with tag %d, they end inside a basic element of the "
        "receive's datatype",
        (unsigned long long)op->from_len, hws_comm_rank_of_peer(c, op->from_peer), op->from_tag);
}

int hws_recv_result_slow(struct hws_comm *c, const struct hws_recv_op *op, int source, MPI_Status *st)
{
    if (op->err == HWS_OK) {
        hws_status_set(st, hws_comm_rank_of_peer(c, op->from_peer), op->from_tag, op->from_len, false);
        return cut_element(c, op);
    }
    if (op->err == HWS_ECANCELLED) {
        hws_status_set(st, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, true);
        return MPI_SUCCESS;
    }
    if (op->err == HWS_ETRUNCATE)
        hws_status_set(st, hws_comm_rank_of_peer(c, op->from_peer), op->from_tag, op->data.len_bytes, false);
    else
        hws_status_set(st, source, MPI_ANY_TAG, 0, false);
    return recv_failed(c, op, source);
}

static inline void fill_send(struct hws_send_op *op, struct hws_comm *c, enum hws_ctx_kind kind,
                             enum hws_send_mode mode, const void *buf, MPI_Count n, const struct hws_type *t, int dest,
                             int tag)
{
    op->data = hws_type_data(t, buf, n);
    op->peer = hws_comm_peer(c, dest);
    op->ctx = c->ctx + kind;
    op->tag = tag;
    op->mode = mode;
    op->on_done = NULL;
    op->done = false;
    op->err = HWS_OK;
}

static inline void fill_recv(struct hws_recv_op *op, struct hws_comm *c, enum hws_ctx_kind kind, void *buf, MPI_Count n,
                             const struct hws_type *t, int source, int tag)
{
    op->data = hws_type_data(t, buf, n);
    op->peer = source == MPI_ANY_SOURCE ? HWS_ANY_PEER : hws_comm_peer(c, source);
    op->ctx = c->ctx + kind;
    op->tag = tag;
    op->on_done = NULL;
    op->done = false;
    op->err = HWS_OK;
}

static inline void wait_flag(const volatile bool *done, hws_wait_site site)
{
    if (!*done)
        hws_engine_wait(hws_world.engine, done, site);
}

/* Blocking ones, with what the wait says of itself where somebody asks. */
struct told_send {
    struct hws_send_op op;
    const struct hws_comm *comm;
};

struct told_recv {
    struct hws_recv_op op;
    const struct hws_comm *comm;
};

static void tell_send(const void *done, const char *call, struct hws_board_what *out)
{
    const struct told_send *s = hws_container_of((const bool *)done, struct told_send, op.done);
    hws_call_tell(out, call, s->comm);
    hws_call_tell_message(out, HWS_BOARD_SEND, s->op.peer, s->op.tag, s->op.ctx);
}

static void describe_send(const void *done, struct hws_board_what *out)
{
    static const char *const names[] = {
        [HWS_STANDARD] = "MPI_Send", [HWS_SYNC] = "MPI_Ssend", [HWS_READY] = "MPI_Rsend", [HWS_BUFFERED] = "MPI_Bsend"};
    const struct told_send *s = hws_container_of((const bool *)done, struct told_send, op.done);
    tell_send(done, names[s->op.mode], out);
}

static void describe_send_half(const void *done, struct hws_board_what *out)
{
    tell_send(done, "MPI_Sendrecv", out);
}

static void tell_recv(const void *done, const char *call, struct hws_board_what *out)
{
    const struct told_recv *r = hws_container_of((const bool *)done, struct told_recv, op.done);
    hws_call_tell(out, call, r->comm);
    hws_call_tell_message(out, HWS_BOARD_RECV, r->op.peer, r->op.tag, r->op.ctx);
}

static void describe_recv(const void *done, struct hws_board_what *out)
{
    tell_recv(done, "MPI_Recv", out);
}

static void describe_recv_half(const void *done, struct hws_board_what *out)
{
    tell_recv(done, "MPI_Sendrecv", out);
}

/* Without a call of its own: it is all that MPI_Send is. */
static inline __attribute__((always_inline)) int send_as(struct hws_comm *c, enum hws_ctx_kind kind,
                                                         enum hws_send_mode mode, const void *buf, MPI_Count n,
                                                         struct hws_type *t, int dest, int tag, hws_wait_site site)
{
    struct told_send s;
    s.comm = c;
    if (__builtin_expect(dest == MPI_PROC_NULL, 0))
        return MPI_SUCCESS;
    if (__builtin_expect(mode == HWS_BUFFERED, 0))
        return hws_bsend(c, kind, buf, n, t, dest, tag, NULL);
    fill_send(&s.op, c, kind, mode, buf, n, t, dest, tag);
    hws_engine_send_now(hws_world.engine, &s.op);
    wait_flag(&s.op.done, site);
    return __builtin_expect(s.op.err == HWS_OK, 1) ? MPI_SUCCESS : hws_p2p_failed(c, s.op.err, "send to", dest);
}

HWS_HOT int hws_send(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode, const void *buf, MPI_Count n,
                     struct hws_type *t, int dest, int tag)
{
    return send_as(c, kind, mode, buf, n, t, dest, tag, describe_send);
}

HWS_HOT int hws_recv(struct hws_comm *c, enum hws_ctx_kind kind, void *buf, MPI_Count n, struct hws_type *t, int source,
                     int tag, MPI_Status *st)
{
    struct told_recv r;
    if (source == MPI_PROC_NULL) {
        hws_status_set(st, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
        return MPI_SUCCESS;
    }
    r.comm = c;
    fill_recv(&r.op, c, kind, buf, n, t, source, tag);
    hws_engine_recv_wait(hws_world.engine, &r.op, describe_recv);
    return hws_recv_result(c, &r.op, t, source, st);
}

/* A short message leaves at once, and its answer is waited for as by MPI_Recv. One to oneself finds its receive. */
HWS_HOT int hws_sendrecv(struct hws_comm *c, enum hws_ctx_kind kind, const void *sbuf, MPI_Count sn,
                         struct hws_type *st, int dest, int stag, void *rbuf, MPI_Count rn, struct hws_type *rt,
                         int source, int rtag, MPI_Status *status)
{
    struct told_send out;
    struct told_recv in;
    bool to_self = dest == c->rank && !c->remote;
    if (source == MPI_PROC_NULL) {
        hws_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
        return send_as(c, kind, HWS_STANDARD, sbuf, sn, st, dest, stag, describe_send_half);
    }
    if (dest == MPI_PROC_NULL)
        return hws_recv(c, kind, rbuf, rn, rt, source, rtag, status);
    out.comm = in.comm = c;
    fill_send(&out.op, c, kind, HWS_STANDARD, sbuf, sn, st, dest, stag);
    fill_recv(&in.op, c, kind, rbuf, rn, rt, source, rtag);
    if (!to_self)
        hws_engine_send_now(hws_world.engine, &out.op);
    if (out.op.done && out.op.err == HWS_OK) {
        hws_engine_recv_wait(hws_world.engine, &in.op, describe_recv_half);
        return hws_recv_result(c, &in.op, rt, source, status);
    }
    hws_engine_recv(hws_world.engine, &in.op);
    if (to_self)
        hws_engine_send_now(hws_world.engine, &out.op);
    wait_flag(&out.op.done, describe_send_half);
    if (__builtin_expect(out.op.err != HWS_OK, 0)) { /* the answer may never come: leave nothing that points here */
        int rc = hws_p2p_failed(c, out.op.err, "send to", dest);
        hws_engine_cancel_recv(hws_world.engine, &in.op);
        wait_flag(&in.op.done, describe_recv_half);
        return rc;
    }
    wait_flag(&in.op.done, describe_recv_half);
    return hws_recv_result(c, &in.op, rt, source, status);
}

static int class_of(enum hws_err err)
{
    if (__builtin_expect(err == HWS_OK, 1) || err == HWS_ECANCELLED)
        return MPI_SUCCESS;
    return err == HWS_ETRUNCATE ? MPI_ERR_TRUNCATE : hws_fail_err(err, NULL);
}

HWS_HOT static void on_sent(struct hws_send_op *op)
{
    struct hws_request *r = hws_container_of(op, struct hws_request, op.send);
    if (__builtin_expect(op->err != HWS_OK && r->freed, 0))
        hws_raise_lost(op->peer, op->err, hws_engine_peer_reason(hws_world.engine, op->peer));
    if (!hws_request_is_complete(r) && !hws_send_is_asked(r))
        hws_request_complete(r, class_of(op->err));
}

HWS_HOT static void on_received(struct hws_recv_op *op)
{
    struct hws_request *r = hws_container_of(op, struct hws_request, op.recv);
    if (hws_request_is_complete(r))
        return;
    bool cut = op->err == HWS_OK && hws_recv_cuts(op, r->type);
    hws_request_complete(r, cut ? MPI_ERR_TYPE : class_of(op->err));
}

/* The engine may finish an operation before it returns, with or without the callback. The lock keeps another thread
 * that is just making progress from doing the same at the same time. */
static inline void settle_send(struct hws_request *r)
{
    if (!r->op.send.done || hws_request_is_complete(r))
        return;
    hws_engine_lock(hws_world.engine);
    on_sent(&r->op.send);
    hws_engine_unlock(hws_world.engine);
}

void hws_request_settle_recv(struct hws_request *r)
{
    if (!r->op.recv.done || hws_request_is_complete(r))
        return;
    hws_engine_lock(hws_world.engine);
    on_received(&r->op.recv);
    hws_engine_unlock(hws_world.engine);
}

HWS_HOT static int send_finish(struct hws_request *r, MPI_Status *st)
{
    hws_status_set(st, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, r->cancelled);
    if (__builtin_expect(r->error == MPI_SUCCESS, 1))
        return MPI_SUCCESS;
    return hws_p2p_failed(r->comm, r->op.send.err, "send to", r->rank);
}

HWS_HOT static int recv_finish(struct hws_request *r, MPI_Status *st)
{
    return hws_recv_result(r->comm, &r->op.recv, r->type, r->rank, st);
}

static int recv_cancel(struct hws_request *r)
{
    if (!hws_request_is_complete(r) && hws_engine_cancel_recv(hws_world.engine, &r->op.recv))
        on_received(&r->op.recv);
    return MPI_SUCCESS;
}

static int noop_finish(struct hws_request *r, MPI_Status *st)
{
    hws_status_set(st, r->rank, MPI_ANY_TAG, 0, false);
    return MPI_SUCCESS;
}

/* Persistent: everything is taken from the request again. */
static int send_start(struct hws_request *r)
{
    enum hws_ctx_kind kind = HWS_CTX_P2P;
    hws_send_forget_cancel(r);
    if (r->mode == HWS_BUFFERED) {
        int rc = hws_bsend(r->comm, kind, r->buf, r->count, r->type, r->rank, r->tag, &r->op.bsend);
        if (rc == MPI_SUCCESS)
            r->complete = true;
        return rc;
    }
    fill_send(&r->op.send, r->comm, kind, r->mode, r->buf, r->count, r->type, r->rank, r->tag);
    r->op.send.on_done = on_sent;
    hws_engine_send(hws_world.engine, &r->op.send);
    settle_send(r);
    return MPI_SUCCESS;
}

static int recv_start(struct hws_request *r)
{
    fill_recv(&r->op.recv, r->comm, HWS_CTX_P2P, r->buf, r->count, r->type, r->rank, r->tag);
    r->op.recv.on_done = on_received;
    hws_engine_recv(hws_world.engine, &r->op.recv);
    hws_request_settle_recv(r);
    return MPI_SUCCESS;
}

static int noop_start(struct hws_request *r)
{
    r->complete = true;
    return MPI_SUCCESS;
}

static int send_cancel(struct hws_request *r);

static const struct hws_request_ops send_ops = {
    .start = send_start, .cancel = send_cancel, .finish = send_finish, .plain = true};
static const struct hws_request_ops sent_ops = {
    .cancel = send_cancel, .finish = send_finish, .plain = true, .kept = true};
/* Apart, so that the others need no release. */
static const struct hws_request_ops asked_ops = {
    .start = send_start, .cancel = send_cancel, .finish = send_finish, .release = hws_send_forget_cancel};
static const struct hws_request_ops recv_ops = {
    .start = recv_start, .cancel = recv_cancel, .finish = recv_finish, .plain = true};
static const struct hws_request_ops noop_ops = {.start = noop_start, .finish = noop_finish, .plain = true};

static int send_cancel(struct hws_request *r)
{
    r->ops = &asked_ops;
    return hws_send_cancel(r);
}

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory: no request could be made");
}

int hws_request_new_noop(struct hws_comm *c, bool is_recv, struct hws_request **req)
{
    struct hws_request *r = hws_request_new(HWS_REQ_NOOP, &noop_ops, c, NULL);
    if (!r)
        return no_memory();
    r->rank = is_recv ? MPI_PROC_NULL : MPI_ANY_SOURCE;
    r->complete = true;
    *req = r;
    return MPI_SUCCESS;
}

/* A type that is not one run of bytes must live as long as the request; a receive also looks at what came with it. */
static inline struct hws_type *send_type(struct hws_type *t)
{
    return t->dense ? NULL : t;
}

static inline struct hws_type *recv_type(struct hws_type *t)
{
    return t->dense && t->size == 1 ? NULL : t;
}

static int new_buffered(struct hws_comm *c, const struct hws_sent *sent, struct hws_request **req)
{
    struct hws_request *r = hws_request_new(HWS_REQ_SEND, &send_ops, c, NULL);
    if (!r)
        return no_memory();
    r->mode = HWS_BUFFERED;
    r->op.bsend = *sent;
    r->complete = true;
    *req = r;
    return MPI_SUCCESS;
}

/* The lock once for all that a nonblocking call does. */
static inline void begin_call(void)
{
    if (hws_is_threaded())
        hws_engine_lock(hws_world.engine);
}

static inline void end_call(void)
{
    if (hws_is_threaded())
        hws_engine_unlock(hws_world.engine);
}

/* Where other threads make progress the callback must be there from the start. */
static struct hws_request *send_threaded(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode,
                                         const void *buf, MPI_Count n, struct hws_type *t, int dest, int tag)
{
    hws_engine_lock(hws_world.engine);
    struct hws_request *r = hws_request_new(HWS_REQ_SEND, &send_ops, c, send_type(t));
    if (r) {
        r->rank = dest;
        fill_send(&r->op.send, c, kind, mode, buf, n, t, dest, tag);
        r->op.send.on_done = on_sent;
        hws_engine_send(hws_world.engine, &r->op.send);
        settle_send(r);
    }
    hws_engine_unlock(hws_world.engine);
    return r;
}

/* Most short messages are out before the engine returns: nobody can wait for them. The request that they were tried
 * with serves the next one (decision 056). */
HWS_HOT static struct hws_request *send_alone(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode,
                                              const void *buf, MPI_Count n, struct hws_type *t, int dest, int tag)
{
    static struct hws_request *spare;
    struct hws_request *r = spare ? spare : hws_request_new(HWS_REQ_SEND, &send_ops, NULL, NULL);
    if (__builtin_expect(!r, 0))
        return NULL;
    spare = NULL; /* what the engine calls may send, too */
    struct hws_send_op *op = &r->op.send;
    fill_send(op, c, kind, mode, buf, n, t, dest, tag);
    hws_engine_send(hws_world.engine, op);
    bool is_out = op->done && op->err == HWS_OK;
    struct hws_request *sent = is_out && op->numbered && !spare ? hws_request_new_sent(&sent_ops, c, op) : NULL;
    if (__builtin_expect(sent != NULL, 1)) {
        spare = r;
        return sent;
    }
    r->rank = dest;
    hws_request_hold(r, c, send_type(t));
    if (is_out) {
        r->complete = true;
        return r;
    }
    op->on_done = on_sent;
    settle_send(r);
    return r;
}

HWS_HOT int hws_isend(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode, const void *buf, MPI_Count n,
                      struct hws_type *t, int dest, int tag, struct hws_request **req)
{
    if (dest == MPI_PROC_NULL)
        return hws_request_new_noop(c, false, req);
    if (mode == HWS_BUFFERED) {
        struct hws_sent sent;
        int rc = hws_bsend(c, kind, buf, n, t, dest, tag, &sent);
        return rc == MPI_SUCCESS ? new_buffered(c, &sent, req) : rc;
    }
    *req = hws_is_threaded() ? send_threaded(c, kind, mode, buf, n, t, dest, tag)
                             : send_alone(c, kind, mode, buf, n, t, dest, tag);
    return *req ? MPI_SUCCESS : no_memory();
}

struct hws_request *hws_request_new_recv(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int source)
{
    struct hws_request *r = hws_request_new(HWS_REQ_RECV, &recv_ops, c, recv_type(t));
    if (!r)
        return NULL;
    r->rank = source;
    memset(&r->op.recv, 0, sizeof(r->op.recv));
    r->op.recv.data = hws_type_data(t, buf, n);
    r->op.recv.on_done = on_received;
    return r;
}

HWS_HOT int hws_irecv(struct hws_comm *c, enum hws_ctx_kind kind, void *buf, MPI_Count n, struct hws_type *t,
                      int source, int tag, struct hws_request **req)
{
    if (source == MPI_PROC_NULL)
        return hws_request_new_noop(c, true, req);
    begin_call();
    struct hws_request *r = hws_request_new(HWS_REQ_RECV, &recv_ops, c, recv_type(t));
    if (__builtin_expect(r != NULL, 1)) {
        r->rank = source;
        fill_recv(&r->op.recv, c, kind, buf, n, t, source, tag);
        r->op.recv.on_done = on_received;
        hws_engine_recv(hws_world.engine, &r->op.recv);
        hws_request_settle_recv(r);
    }
    end_call();
    *req = r;
    return r ? MPI_SUCCESS : no_memory();
}

static int new_persistent(struct hws_request *r, void *buf, MPI_Count n, int rank, int tag, enum hws_send_mode mode,
                          struct hws_request **req)
{
    if (!r)
        return no_memory();
    r->persistent = true;
    r->complete = true;
    r->buf = buf;
    r->count = n;
    r->rank = rank;
    r->tag = tag;
    r->mode = mode;
    *req = r;
    return MPI_SUCCESS;
}

int hws_send_init(struct hws_comm *c, enum hws_send_mode mode, const void *buf, MPI_Count n, struct hws_type *t,
                  int dest, int tag, struct hws_request **req)
{
    struct hws_request *r = dest == MPI_PROC_NULL ? hws_request_new(HWS_REQ_NOOP, &noop_ops, c, NULL)
                                                  : hws_request_new(HWS_REQ_SEND, &send_ops, c, t);
    int rank = dest == MPI_PROC_NULL ? MPI_ANY_SOURCE : dest; /* what noop_finish puts into the status */
    return new_persistent(r, (void *)(uintptr_t)buf, n, rank, tag, mode, req);
}

int hws_recv_init(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int source, int tag,
                  struct hws_request **req)
{
    struct hws_request *r = source == MPI_PROC_NULL ? hws_request_new(HWS_REQ_NOOP, &noop_ops, c, NULL)
                                                    : hws_request_new(HWS_REQ_RECV, &recv_ops, c, t);
    return new_persistent(r, buf, n, source, tag, HWS_STANDARD, req);
}
