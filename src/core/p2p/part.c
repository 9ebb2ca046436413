/* SPDX-License-Identifier: BSD-3-Clause
 *
 * part: partitioned point-to-point. A request is a channel: at init the sender announces how it cuts the message, with
 * the user's tag, so that channels match in the order of their inits (MPI 5.0 section 4.2.2). Then each of the sender's
 * partitions travels as one message of its own with its own tag, and the receiver posts one receive for each of them
 * straight into the right place of its buffer, whatever its own partitions are.
 *
 * Announcements are on HWS_CTX_PART, partitions on HWS_CTX_PART_DATA, where the sender numbers all partitions of all
 * its channels one after the other. What callbacks touch is under the engine's lock.
 */
#include "core/p2p/part.h"

#include <stdlib.h>

#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/p2p/p2p.h"
#include "core/type/slice.h"
#include "peer/engine.h"

#define ANNOUNCE_BYTES 16 /* u32 first tag, u32 partitions, u64 bytes of each; little endian */
/* The announcement has a life of its own: the request may be freed before it has left or come. */
struct announce {
    struct hws_request *r; /* NULL once freed */
    bool starting;         /* inside hws_engine_send */
    unsigned char bytes[ANNOUNCE_BYTES];
    union {
        struct hws_send_op send;
        struct hws_recv_op recv;
    } op;
};

/* One of the sender's partitions. */
struct part {
    struct hws_request *r;
    bool ready; /* sender: MPI_Pready was called */
    bool ended;
    struct hws_slice slice; /* receiver: where it lies in the buffer's packed stream */
    union {
        struct hws_send_op send;
        struct hws_recv_op recv;
    } op;
};

struct channel {
    bool is_send;
    int n_own;           /* partitions of this side */
    uint64_t own_bytes;  /* of each of them */
    struct part *parts;  /* parts[n_parts]; NULL: the announcement has not come */
    uint32_t n_parts;    /* partitions of the sender */
    uint64_t part_bytes; /* of each of them */
    int32_t first_tag;
    uint32_t left;       /* of this round: partitions that have not ended */
    bool waits;          /* receiver: this round is started, but the announcement has not come */
    bool posted;         /* receiver: this round's receives are posted */
    enum hws_err err;    /* first failure of this round */
    enum hws_err broken; /* the announcement failed: so does every round */
    struct announce *announce;
};

static int64_t tags_used;

static void put_le(unsigned char *p, int n, uint64_t v)
{
    for (int i = 0; i < n; i++)
        p[i] = (unsigned char)(v >> (8 * i));
}

static uint64_t get_le(const unsigned char *p, int n)
{
    uint64_t v = 0;
    for (int i = 0; i < n; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static void end_round(struct hws_request *r, enum hws_err err)
{
    int cls = err == HWS_OK ? MPI_SUCCESS : err == HWS_ETRUNCATE ? MPI_ERR_TRUNCATE : hws_fail_err(err, NULL);
    hws_request_complete(r, cls);
}

static void end_part(struct part *part, enum hws_err err)
{
    struct channel *ch = part->r->owner;
    if (part->ended)
        return;
    part->ended = true;
    if (ch->err == HWS_OK)
        ch->err = err;
    if (--ch->left == 0)
        end_round(part->r, ch->err);
}

static void on_part_sent(struct hws_send_op *op)
{
    end_part(hws_container_of(op, struct part, op.send), op->err);
}

static void on_part_received(struct hws_recv_op *op)
{
    end_part(hws_container_of(op, struct part, op.recv), op->err);
}

static int make_parts(struct hws_request *r, uint32_t n)
{
    struct channel *ch = r->owner;
    struct part *parts = calloc(n, sizeof(*parts));
    if (!parts)
        return HWS_ENOMEM;
    for (uint32_t i = 0; i < n; i++) {
        parts[i].r = r;
        parts[i].ended = true;
    }
    ch->n_parts = n;
    ch->parts = parts;
    return HWS_OK;
}

/* Partition i of the sender, in the receiver's buffer. */
static struct hws_data part_room(struct hws_request *r, struct part *part, uint32_t i)
{
    struct channel *ch = r->owner;
    uint64_t total = ch->own_bytes * (uint64_t)ch->n_own;
    struct hws_data d = hws_type_data(r->type, r->buf, r->count * ch->n_own);
    uint64_t skip = ch->part_bytes * i < total ? ch->part_bytes * i : total;
    return hws_data_slice(d, skip, total - skip < ch->part_bytes ? total - skip : ch->part_bytes, &part->slice);
}

/* The round may end inside the last of these calls, or inside an earlier one when they all end at once: the guard keeps
 * it open until all are posted. */
static void post_round(struct hws_request *r)
{
    struct channel *ch = r->owner;
    ch->posted = true;
    ch->left = ch->n_parts + 1;
    for (uint32_t i = 0; i < ch->n_parts; i++) {
        struct part *part = &ch->parts[i];
        struct hws_recv_op *op = &part->op.recv;
        memset(op, 0, sizeof(*op));
        part->ended = false;
        op->data = part_room(r, part, i);
        op->peer = hws_comm_peer(r->comm, r->rank);
        op->ctx = r->comm->ctx + HWS_CTX_PART_DATA;
        op->tag = ch->first_tag + (int32_t)i;
        op->on_done = on_part_received;
        hws_engine_recv(hws_world.engine, op);
        if (op->done)
            end_part(part, op->err);
    }
    if (--ch->left == 0)
        end_round(r, ch->err);
}

/* ---- the announcement -------------------------------------------------------------------------------------------- */

static void learn(struct hws_request *r, const struct announce *a, uint64_t len)
{
    struct channel *ch = r->owner;
    uint32_t n = (uint32_t)get_le(a->bytes + 4, 4);
    ch->first_tag = (int32_t)(uint32_t)get_le(a->bytes, 4);
    ch->part_bytes = get_le(a->bytes + 8, 8);
    ch->broken = a->op.recv.err;
    if (ch->broken == HWS_OK &&
        (len != ANNOUNCE_BYTES || n == 0 || ch->first_tag < 0 || n > (uint32_t)(HWS_TAG_UB - ch->first_tag)))
        ch->broken = HWS_EPROTO;
    if (ch->broken == HWS_OK)
        ch->broken = (enum hws_err)make_parts(r, n);
    if (!ch->waits) /* not r->active: MPI_Start sets that before it has the lock */
        return;
    ch->waits = false;
    if (ch->broken == HWS_OK)
        post_round(r);
    else
        end_round(r, ch->broken);
}

static void on_announce_sent(struct hws_send_op *op)
{
    struct announce *a = hws_container_of(op, struct announce, op.send);
    if (a->starting)
        return; /* its sender looks at op->done */
    if (a->r)
        ((struct channel *)a->r->owner)->announce = NULL;
    free(a);
}

static void on_announced(struct hws_recv_op *op)
{
    struct announce *a = hws_container_of(op, struct announce, op.recv);
    struct hws_request *r = a->r;
    if (r) {
        ((struct channel *)r->owner)->announce = NULL;
        learn(r, a, op->from_len);
    }
    free(a);
}

static int32_t take_tags(uint32_t n)
{
    if (tags_used + n > HWS_TAG_UB)
        tags_used = 0; /* those of the beginning are long gone */
    int32_t first = (int32_t)tags_used;
    tags_used += n;
    return first;
}

static void send_announce(struct hws_request *r, struct announce *a)
{
    struct channel *ch = r->owner;
    ch->first_tag = take_tags(ch->n_parts);
    put_le(a->bytes, 4, (uint32_t)ch->first_tag);
    put_le(a->bytes + 4, 4, ch->n_parts);
    put_le(a->bytes + 8, 8, ch->part_bytes);
    a->op.send.data = (struct hws_data){.base = a->bytes, .len_bytes = ANNOUNCE_BYTES};
    a->op.send.peer = hws_comm_peer(r->comm, r->rank);
    a->op.send.ctx = r->comm->ctx + HWS_CTX_PART;
    a->op.send.tag = r->tag;
    a->op.send.on_done = on_announce_sent;
    a->starting = true;
    hws_engine_send(hws_world.engine, &a->op.send);
    a->starting = false;
    if (a->op.send.done)
        on_announce_sent(&a->op.send);
}

static void recv_announce(struct hws_request *r, struct announce *a)
{
    a->op.recv.data = (struct hws_data){.base = a->bytes, .len_bytes = ANNOUNCE_BYTES};
    a->op.recv.peer = hws_comm_peer(r->comm, r->rank);
    a->op.recv.ctx = r->comm->ctx + HWS_CTX_PART;
    a->op.recv.tag = r->tag;
    a->op.recv.on_done = on_announced;
    hws_engine_recv(hws_world.engine, &a->op.recv);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static int part_start(struct hws_request *r)
{
    struct channel *ch = r->owner;
    hws_engine_lock(hws_world.engine);
    ch->err = HWS_OK;
    ch->posted = false;
    if (ch->is_send) {
        ch->left = ch->n_parts;
        for (uint32_t i = 0; i < ch->n_parts; i++)
            ch->parts[i].ready = ch->parts[i].ended = false;
    }
    if (r->rank == MPI_PROC_NULL || ch->broken != HWS_OK)
        end_round(r, r->rank == MPI_PROC_NULL ? HWS_OK : ch->broken);
    else if (!ch->is_send && ch->parts)
        post_round(r);
    else
        ch->waits = !ch->is_send;
    hws_engine_unlock(hws_world.engine);
    return MPI_SUCCESS;
}

static int too_long(const struct hws_request *r)
{
    const struct channel *ch = r->owner;
    return hws_fail(
        MPI_ERR_TRUNCATE,
        "message truncated: %u partitions of %llu bytes came from rank %d with tag %d, the receive buffer holds %d "
        "of %llu bytes",
        ch->n_parts, (unsigned long long)ch->part_bytes, r->rank, r->tag, ch->n_own, (unsigned long long)ch->own_bytes);
}

static int part_finish(struct hws_request *r, MPI_Status *st)
{
    struct channel *ch = r->owner;
    uint64_t total = ch->own_bytes * (uint64_t)ch->n_own, came = ch->part_bytes * ch->n_parts;
    if (r->rank == MPI_PROC_NULL)
        hws_status_set(st, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
    else if (ch->is_send)
        hws_status_set(st, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    else
        hws_status_set(st, r->rank, r->tag, came < total ? came : total, false);
    if (r->error == MPI_SUCCESS)
        return MPI_SUCCESS;
    enum hws_err err = ch->broken != HWS_OK ? ch->broken : ch->err;
    return err == HWS_ETRUNCATE ? too_long(r)
                                : hws_p2p_failed(r->comm, err, ch->is_send ? "send to" : "receive from", r->rank);
}

/* The announcement may still be on its way: then it frees itself. */
static void part_release(struct hws_request *r)
{
    struct channel *ch = r->owner;
    hws_engine_lock(hws_world.engine);
    struct announce *a = ch->announce;
    if (a)
        a->r = NULL;
    if (a && !ch->is_send)
        hws_engine_cancel_recv(hws_world.engine, &a->op.recv);
    hws_engine_unlock(hws_world.engine);
    free(ch->parts);
    free(ch);
}

static const struct hws_request_ops part_ops = {.start = part_start, .finish = part_finish, .release = part_release};

static struct hws_request *new_channel(struct hws_comm *c, bool is_send, int n_own, MPI_Count n, struct hws_type *t)
{
    struct channel *ch = calloc(1, sizeof(*ch));
    struct hws_request *r = ch ? hws_request_new(HWS_REQ_PARTITIONED, &part_ops, c, t) : NULL;
    if (!r) {
        free(ch);
        return NULL;
    }
    ch->is_send = is_send;
    ch->n_own = n_own;
    ch->own_bytes = (uint64_t)(t->size * n);
    r->owner = ch;
    r->persistent = r->complete = true;
    r->count = n;
    return r;
}

static int no_memory(struct hws_request *r)
{
    if (r)
        hws_request_free(r);
    return hws_fail(MPI_ERR_NO_MEM, "out of memory: no partitioned request could be made");
}

/* What both inits share: the announcement starts, unless there is nobody to hear it. */
static int open_channel(struct hws_request *r, void *buf, int rank, int tag)
{
    struct channel *ch = r->owner;
    r->buf = buf;
    r->rank = rank;
    r->tag = tag;
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct announce *a = calloc(1, sizeof(*a));
    if (!a)
        return MPI_ERR_NO_MEM;
    a->r = r;
    ch->announce = a;
    hws_engine_lock(hws_world.engine);
    if (ch->is_send)
        send_announce(r, a);
    else
        recv_announce(r, a);
    hws_engine_unlock(hws_world.engine);
    return MPI_SUCCESS;
}

int hws_psend_init(struct hws_comm *c, const void *buf, int partitions, MPI_Count n, struct hws_type *t, int dest,
                   int tag, struct hws_request **req)
{
    struct hws_request *r = new_channel(c, true, partitions, n, t);
    if (!r || make_parts(r, (uint32_t)partitions) != HWS_OK)
        return no_memory(r);
    struct channel *ch = r->owner;
    ch->part_bytes = ch->own_bytes;
    if (open_channel(r, (void *)(uintptr_t)buf, dest, tag) != MPI_SUCCESS)
        return no_memory(r);
    *req = r;
    return MPI_SUCCESS;
}

int hws_precv_init(struct hws_comm *c, void *buf, int partitions, MPI_Count n, struct hws_type *t, int source, int tag,
                   struct hws_request **req)
{
    struct hws_request *r = new_channel(c, false, partitions, n, t);
    if (!r || open_channel(r, buf, source, tag) != MPI_SUCCESS)
        return no_memory(r);
    *req = r;
    return MPI_SUCCESS;
}

int hws_part_check(const struct hws_request *r, bool is_send, int partition, const char *arg)
{
    const struct channel *ch = r->kind == HWS_REQ_PARTITIONED ? r->owner : NULL;
    if (!ch || ch->is_send != is_send)
        return hws_fail(MPI_ERR_REQUEST, "invalid request: it is no partitioned %s", is_send ? "send" : "receive");
    if (partition < 0 || partition >= ch->n_own)
        return hws_fail(MPI_ERR_ARG, "invalid partition: argument %s is %d, it must be 0 to %d", arg, partition,
                        ch->n_own - 1);
    return MPI_SUCCESS;
}

static void send_part(struct hws_request *r, int i)
{
    struct channel *ch = r->owner;
    struct part *part = &ch->parts[i];
    struct hws_send_op *op = &part->op.send;
    memset(op, 0, sizeof(*op));
    op->data = hws_type_data(r->type, (char *)r->buf + r->type->extent * r->count * i, r->count);
    op->peer = hws_comm_peer(r->comm, r->rank);
    op->ctx = r->comm->ctx + HWS_CTX_PART_DATA;
    op->tag = ch->first_tag + i;
    op->on_done = on_part_sent;
    hws_engine_send(hws_world.engine, op);
    if (op->done)
        end_part(part, op->err);
}

int hws_part_ready(struct hws_request *r, int partition)
{
    struct channel *ch = r->owner;
    int rc = MPI_SUCCESS;
    hws_engine_lock(hws_world.engine);
    struct part *part = &ch->parts[partition];
    if (!r->active)
        rc = hws_fail(MPI_ERR_REQUEST, "invalid request: it is not active, MPI_Start comes before MPI_Pready");
    else if (part->ready)
        rc = hws_fail(MPI_ERR_ARG, "invalid partition: %d is marked ready already", partition);
    if (rc == MPI_SUCCESS) {
        part->ready = true;
        if (r->rank != MPI_PROC_NULL && ch->broken == HWS_OK)
            send_part(r, partition);
    }
    hws_engine_unlock(hws_world.engine);
    return rc;
}

/* The sender's partitions that an own one needs: [*first, *end), never none. Where either side's have no bytes, they
 * count by their numbers; an own one beyond all that is sent comes with the last. */
static void needed_parts(const struct channel *ch, uint64_t partition, uint64_t *first, uint64_t *end)
{
    bool by_number = ch->own_bytes == 0 || ch->part_bytes == 0;
    uint64_t own = by_number ? ch->n_parts : ch->own_bytes, part = by_number ? (uint64_t)ch->n_own : ch->part_bytes;
    *first = own * partition / part;
    *end = (own * (partition + 1) + part - 1) / part;
    if (*end > ch->n_parts)
        *end = ch->n_parts;
    if (*first >= *end)
        *first = *end - 1;
}

static bool has_arrived(const struct channel *ch, uint64_t partition)
{
    uint64_t i, end;
    if (!ch->posted)
        return false;
    for (needed_parts(ch, partition, &i, &end); i < end; i++)
        if (!ch->parts[i].ended)
            return false;
    return true;
}

int hws_part_arrived(struct hws_request *r, int partition, int *flag)
{
    struct channel *ch = r->owner;
    for (int tries = 0; tries < 2; tries++) {
        if (tries)
            hws_engine_progress(hws_world.engine);
        hws_engine_lock(hws_world.engine);
        *flag = !r->active || hws_request_is_complete(r) || has_arrived(ch, (uint64_t)partition);
        hws_engine_unlock(hws_world.engine);
        if (*flag)
            break;
    }
    return MPI_SUCCESS;
}
