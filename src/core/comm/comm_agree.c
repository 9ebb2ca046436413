/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_agree: small blocking messages, straight on the engine's descriptors: no communicator, no request.
 */
#include "core/comm/comm_agree.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/ctx.h"
#include "core/object/fail.h"
#include "core/object/launcher.h"
#include "core/object/world.h"
#include "peer/engine.h"

/* ---- messages ---- */

static int finished(enum hws_err err, int peer)
{
    return err == HWS_OK ? MPI_SUCCESS : hws_fail_err(err, hws_engine_peer_reason(hws_world.engine, peer));
}

static void start_send(struct hws_send_op *op, int peer, uint32_t ctx, int32_t tag, const void *buf, size_t len)
{
    *op = (struct hws_send_op){
        .data = {.base = (void *)(uintptr_t)buf, .len_bytes = len}, .peer = peer, .ctx = ctx, .tag = tag};
    hws_engine_send(hws_world.engine, op);
}

static void start_recv(struct hws_recv_op *op, int peer, uint32_t ctx, int32_t tag, void *buf, size_t len)
{
    *op = (struct hws_recv_op){.data = {.base = buf, .len_bytes = len}, .peer = peer, .ctx = ctx, .tag = tag};
    hws_engine_recv(hws_world.engine, op);
}

static int wait_send(struct hws_send_op *op)
{
    hws_engine_wait(hws_world.engine, &op->done, NULL);
    return finished(op->err, op->peer);
}

static int wait_recv(struct hws_recv_op *op, size_t len)
{
    hws_engine_wait(hws_world.engine, &op->done, NULL);
    if (op->err == HWS_OK && op->from_len == 0 && len > 0)
        return hws_fail(MPI_ERR_PROC_ABORTED, "%s says that a rank of the communicator has died or failed",
                        hws_world_peer_name(op->peer));
    if (op->err == HWS_OK && op->from_len != len)
        return hws_fail(MPI_ERR_ARG,
                        "the members of the new communicator disagree: %zu bytes were expected and %llu came", len,
                        (unsigned long long)op->from_len);
    return finished(op->err, op->peer);
}

static int send_to(const struct hws_talk *t, int node, const void *buf, size_t len)
{
    struct hws_send_op op;
    start_send(&op, hws_talk_peer(t, node), t->ctx, t->tag, buf, len);
    return wait_send(&op);
}

static int recv_from(const struct hws_talk *t, int node, void *buf, size_t len)
{
    struct hws_recv_op op;
    start_recv(&op, hws_talk_peer(t, node), t->ctx, t->tag, buf, len);
    return wait_recv(&op, len);
}

int hws_talk_exchange(int peer, uint32_t ctx, int32_t tag, const void *sbuf, size_t slen, void *rbuf, size_t rlen)
{
    struct hws_send_op s;
    struct hws_recv_op r;
    start_recv(&r, peer, ctx, tag, rbuf, rlen);
    start_send(&s, peer, ctx, tag, sbuf, slen);
    int rc_send = wait_send(&s), rc_recv = wait_recv(&r, rlen); /* both: their descriptors are on this stack */
    return rc_send ? rc_send : rc_recv;
}

/* ---- trees ---- */

struct hws_talk hws_talk_of(struct hws_comm *c)
{
    struct hws_comm *l = c->local ? c->local : c;
    return (struct hws_talk){l->group, l->rank, l->ctx + HWS_CTX_COLL, hws_comm_next_tag(l), 0};
}

int hws_tree_first_bit(int rank, int n)
{
    int bit = 1;
    while (rank ? !(rank & bit) : bit < n)
        bit <<= 1;
    return bit >> 1;
}

int hws_talk_bcast(const struct hws_talk *t, void *buf, size_t len)
{
    int me = hws_talk_me(t), size = t->group->size;
    int rc = me ? recv_from(t, hws_tree_parent(me), buf, len) : MPI_SUCCESS;
    for (int bit = hws_tree_first_bit(me, size); bit && rc == MPI_SUCCESS; bit >>= 1)
        if (me + bit < size)
            rc = send_to(t, me + bit, buf, len);
    return rc;
}

/* Members below `rank` in the tree, itself included: ranks rank .. rank + n - 1. */
static int subtree(int rank, int bit, int size)
{
    int n = bit ? 2 * bit : 1;
    return rank + n > size ? size - rank : n;
}

int hws_talk_gather(const struct hws_talk *t, const void *own, size_t len, void *all)
{
    int size = t->group->size, top = hws_tree_first_bit(t->rank, size), n = subtree(t->rank, top, size);
    char *part = t->rank ? malloc((size_t)n * len + 1) : all;
    if (!part)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a gather of %d members", n);
    memcpy(part, own, len);
    int rc = MPI_SUCCESS;
    for (int bit = 1; bit <= top && rc == MPI_SUCCESS; bit <<= 1) {
        int child = t->rank + bit;
        if (child < size)
            rc = recv_from(t, child, part + (size_t)bit * len, (size_t)subtree(child, bit >> 1, size) * len);
    }
    if (t->rank && rc == MPI_SUCCESS)
        rc = send_to(t, hws_tree_parent(t->rank), part, (size_t)n * len);
    if (t->rank)
        free(part);
    return rc;
}

/* What has failed first counts. */
static int first_of(int rc, int next)
{
    return rc != MPI_SUCCESS ? rc : next;
}

/* That a member below is dead, it does not say: those that are told are right all the same. */
int hws_talk_bcast_on(const struct hws_talk *t, int rc, void *buf, size_t len)
{
    int me = hws_talk_me(t), size = t->group->size, told = me ? recv_from(t, hws_tree_parent(me), buf, len) : rc;
    for (int bit = hws_tree_first_bit(me, size); bit; bit >>= 1)
        if (me + bit < size)
            send_to(t, me + bit, buf, told == MPI_SUCCESS ? len : 0);
    return first_of(rc, told);
}

int hws_talk_gather_on(const struct hws_talk *t, int rc, const void *own, size_t len, void *all)
{
    int size = t->group->size, top = hws_tree_first_bit(t->rank, size), n = subtree(t->rank, top, size);
    char *part = t->rank ? malloc((size_t)n * len + 1) : all;
    if (!part)
        rc = first_of(rc, hws_fail(MPI_ERR_NO_MEM, "out of memory for a gather of %d members", n));
    else
        memcpy(part, own, len);
    for (int bit = 1; part && bit <= top; bit <<= 1) {
        int child = t->rank + bit;
        if (child < size)
            rc = first_of(rc,
                          recv_from(t, child, part + (size_t)bit * len, (size_t)subtree(child, bit >> 1, size) * len));
    }
    if (t->rank) {
        send_to(t, hws_tree_parent(t->rank), part, rc == MPI_SUCCESS ? (size_t)n * len : 0);
        free(part);
    }
    return rc;
}

/* The root's part: room for all, then one message from each. */
static int collect_at_root(const struct hws_talk *t, const void *own, const size_t *lens, size_t total, void **all)
{
    char *p = *all = malloc(total + 1);
    if (!p)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for %zu bytes of other members", total);
    memcpy(p, own, lens[0]);
    p += lens[0];
    for (int r = 1; r < t->group->size; p += lens[r++]) {
        int rc = lens[r] ? recv_from(t, r, p, lens[r]) : MPI_SUCCESS;
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return MPI_SUCCESS;
}

int hws_talk_collect(const struct hws_talk *t, const void *own, size_t len, void **all, size_t *total)
{
    size_t *lens = t->rank ? NULL : malloc((size_t)t->group->size * sizeof *lens);
    *all = NULL;
    if (!t->rank && !lens)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a gather of %d members", t->group->size);
    int rc = hws_talk_gather(t, &len, sizeof len, lens);
    *total = 0;
    for (int r = 0; lens && r < t->group->size; r++)
        *total += lens[r];
    if (rc == MPI_SUCCESS)
        rc = hws_talk_bcast(t, total, sizeof *total);
    if (rc == MPI_SUCCESS && t->rank && len)
        rc = send_to(t, 0, own, len);
    if (rc == MPI_SUCCESS && !t->rank)
        rc = collect_at_root(t, own, lens, *total, all);
    free(lens);
    return rc;
}

int hws_ctx_check(uint32_t ctx)
{
    return ctx != HWS_CTX_NONE ? MPI_SUCCESS
                               : hws_fail(MPI_ERR_OTHER, "no context id is left for another communicator");
}

int hws_talk_ctx(const struct hws_talk *t, uint32_t *ctx)
{
    *ctx = t->rank == t->root ? hws_ctx_take() : HWS_CTX_NONE;
    int rc = hws_talk_bcast(t, ctx, sizeof *ctx);
    return rc == MPI_SUCCESS ? hws_ctx_check(*ctx) : rc;
}
