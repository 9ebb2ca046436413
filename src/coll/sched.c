/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched: building, running and reusing schedules. The executor is advance(): it runs steps until a fence must wait, and
 * is entered again by the completion of the last message in flight, from inside the engine's progress. Completions that
 * arrive while it runs (a send that is done at once) only count down; so it never recurses.
 */
#include "coll/sched.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/slice.h"
#include "core/world.h"

/* What a cached schedule may keep: enough that no collective of usual size calls malloc, little beside a rank's 8 MB.
 */
#define KEEP_STEPS  256
#define KEEP_BYTES  (1u << 20)
#define FIRST_STEPS 32
#define FIRST_BYTES 4096
#define TEMP_ALIGN  64

/* Tags of persistent collectives stay in use as long as the request; those of others come and go. Two halves keep a tag
 * that has come round again from meeting a persistent one. */
#define TAG_MASK       HWS_COLL_TAG_MASK
#define TAG_NOTE       0x20000000 /* the second message of a note: other receives for the same rank may be waiting */
#define TAG_PERSISTENT 0x40000000u

struct hws_sched_chunk {
    struct hws_sched_chunk *next;
    uint64_t used, cap; /* bytes */
    _Alignas(TEMP_ALIGN) char data[];
};

static _Atomic(struct hws_sched *) cache; /* one idle schedule, or NULL */

/* A round rarely has two messages for one peer, so holding one back to join it with the next would only cost time. */
static void engine_send(struct hws_send_op *op)
{
    hws_engine_send_now(hws_world.engine, op);
}

static void engine_recv(struct hws_recv_op *op)
{
    hws_engine_recv(hws_world.engine, op);
}

static void engine_wait(const volatile bool *flag)
{
    hws_engine_wait(hws_world.engine, flag);
}

static void engine_lock(void)
{
    hws_engine_lock(hws_world.engine);
}

static void engine_unlock(void)
{
    hws_engine_unlock(hws_world.engine);
}

const struct hws_sched_net hws_sched_engine_net = {engine_send, engine_recv, engine_wait, engine_lock, engine_unlock};
const struct hws_sched_net *hws_sched_default_net = &hws_sched_engine_net;

/* ---- life ---- */

static int32_t take_tag(struct hws_comm *c, bool persistent)
{
    uint32_t n = c->coll_tag++ & TAG_MASK;
    return (int32_t)(persistent ? n | TAG_PERSISTENT : n);
}

struct hws_sched *hws_sched_new(struct hws_comm *c, bool persistent)
{
    struct hws_sched *s = atomic_exchange(&cache, NULL);
    if (!s && (s = calloc(1, sizeof *s)) == NULL)
        return NULL;
    s->comm = c;
    s->persistent = persistent;
    s->net = hws_sched_default_net;
    s->n_steps = s->next = s->pending = 0;
    s->fence_due = s->running = s->complete = s->lenient = s->hollow = false;
    s->rc = MPI_SUCCESS;
    s->err = HWS_OK;
    s->why = MPI_SUCCESS;
    s->on_complete = NULL;
    s->tag = take_tag(c, persistent);
    s->tag_local = c->local ? take_tag(c->local, persistent) : -1;
    s->ctx = c->ctx + HWS_CTX_COLL;
    s->rank = c->rank;
    s->group = hws_comm_peers(c);
    s->ranks = NULL;
    s->size = s->group->size;
    return s;
}

void hws_sched_use_local(struct hws_sched *s)
{
    int32_t remote_tag = s->tag;
    struct hws_comm *l = s->comm->local;
    s->ctx = l->ctx + HWS_CTX_COLL;
    s->rank = l->rank;
    s->size = l->size;
    s->group = l->group;
    s->tag = s->tag_local;
    s->tag_local = remote_tag;
}

void hws_sched_use_remote(struct hws_sched *s)
{
    int32_t local_tag = s->tag;
    s->ctx = s->comm->ctx + HWS_CTX_COLL;
    s->rank = s->comm->rank;
    s->group = s->comm->remote;
    s->size = s->group->size;
    s->tag = s->tag_local;
    s->tag_local = local_tag;
}

void hws_sched_use_ranks(struct hws_sched *s, const int *ranks, int n, int me)
{
    s->ranks = ranks;
    s->rank = ranks ? me : s->comm->rank;
    s->size = ranks ? n : s->group->size;
}

/* Keeps the largest of the modest chunks. */
static void trim_chunks(struct hws_sched *s, uint64_t keep)
{
    struct hws_sched_chunk *c = s->chunks, *kept = NULL;
    while (c) {
        struct hws_sched_chunk *next = c->next;
        if (c->cap <= keep && (!kept || c->cap > kept->cap)) {
            free(kept);
            kept = c;
            kept->used = 0;
            kept->next = NULL;
        } else {
            free(c);
        }
        c = next;
    }
    s->chunks = kept;
}

static void drop_held(struct hws_sched *s)
{
    for (int i = 0; i < s->n_types; i++)
        hws_type_drop(s->types[i]);
    s->n_types = 0;
    if (s->op)
        hws_op_drop(s->op);
    s->op = NULL;
}

static void destroy(struct hws_sched *s)
{
    if (!s)
        return;
    trim_chunks(s, 0);
    free(s->types);
    free(s->steps);
    free(s);
}

void hws_sched_free(struct hws_sched *s)
{
    drop_held(s);
    if (s->chunks)
        trim_chunks(s, KEEP_BYTES);
    if (s->cap_steps > KEEP_STEPS) {
        free(s->steps);
        s->steps = NULL;
        s->cap_steps = 0;
    }
    destroy(atomic_exchange(&cache, s));
}

void hws_sched_fini(void)
{
    destroy(atomic_exchange(&cache, NULL));
}

/* ---- building ---- */

static void no_memory(struct hws_sched *s, uint64_t bytes)
{
    if (s->rc == MPI_SUCCESS)
        s->rc = hws_fail(MPI_ERR_NO_MEM, "out of memory: a collective operation needs %llu bytes more",
                         (unsigned long long)bytes);
}

/* The next step, or NULL when there is no memory for it. */
static struct hws_step *add(struct hws_sched *s, enum hws_step_kind kind)
{
    if (s->n_steps == s->cap_steps) {
        int cap = s->cap_steps ? 2 * s->cap_steps : FIRST_STEPS;
        struct hws_step *steps = realloc(s->steps, (size_t)cap * sizeof *steps);
        if (!steps) {
            no_memory(s, (uint64_t)cap * sizeof *steps);
            return NULL;
        }
        s->steps = steps;
        s->cap_steps = cap;
    }
    struct hws_step *st = &s->steps[s->n_steps++];
    st->kind = (uint8_t)kind;
    st->fence = s->fence_due;
    st->sched = s;
    s->fence_due = false;
    return st;
}

void hws_sched_fence(struct hws_sched *s)
{
    s->fence_due = s->n_steps > 0;
}

static void on_send_done(struct hws_send_op *op);
static void on_recv_done(struct hws_recv_op *op);

static void add_send(struct hws_sched *s, struct hws_data d, int rank)
{
    struct hws_step *st = add(s, HWS_STEP_SEND);
    if (!st)
        return;
    struct hws_send_op *op = &st->u.send;
    memset(op, 0, sizeof *op);
    st->rank = s->ranks ? s->ranks[rank] : rank;
    st->token = d.len_bytes == 0;
    op->data = d;
    op->peer = hws_group_peer(s->group, st->rank);
    op->ctx = s->ctx;
    op->tag = s->tag;
    op->mode = HWS_STANDARD;
    op->on_done = on_send_done;
}

static void add_recv(struct hws_sched *s, struct hws_data d, int rank)
{
    struct hws_step *st = add(s, HWS_STEP_RECV);
    if (!st)
        return;
    struct hws_recv_op *op = &st->u.recv;
    memset(op, 0, sizeof *op);
    st->rank = s->ranks ? s->ranks[rank] : rank;
    st->token = d.len_bytes == 0;
    op->data = d;
    op->peer = hws_group_peer(s->group, st->rank);
    op->ctx = s->ctx;
    op->tag = s->tag;
    op->on_done = on_recv_done;
}

void hws_sched_send(struct hws_sched *s, struct hws_data d, int rank)
{
    if (d.len_bytes > 0)
        add_send(s, d, rank);
}

void hws_sched_recv(struct hws_sched *s, struct hws_data d, int rank)
{
    if (d.len_bytes > 0)
        add_recv(s, d, rank);
}

void hws_sched_send_token(struct hws_sched *s, int rank)
{
    add_send(s, hws_bytes(NULL, 0), rank);
}

void hws_sched_recv_token(struct hws_sched *s, int rank)
{
    add_recv(s, hws_bytes(NULL, 0), rank);
}

void hws_sched_copy(struct hws_sched *s, struct hws_data src, struct hws_data dst)
{
    if (src.len_bytes == 0)
        return;
    struct hws_step *st = add(s, HWS_STEP_COPY);
    if (!st)
        return;
    st->u.copy.src = src;
    st->u.copy.dst = dst;
}

void hws_sched_reduce(struct hws_sched *s, const struct hws_op *op, const void *in, void *inout, MPI_Count n,
                      struct hws_type *t)
{
    struct hws_step *st = n > 0 ? add(s, HWS_STEP_REDUCE) : NULL;
    if (!st)
        return;
    st->u.reduce.op = op;
    st->u.reduce.in = in;
    st->u.reduce.inout = inout;
    st->u.reduce.n = n;
    st->u.reduce.type = t;
}

/* Of a new chunk: room for what is wanted and, in one that is kept, for all there is already, so that the next schedule
 * like this one needs no other (an allgather of 512 KiB: the pages of a chunk that came and went each time took most of
 * the time). */
static uint64_t room_of_chunk(const struct hws_sched *s, uint64_t want)
{
    uint64_t all = want;
    for (const struct hws_sched_chunk *c = s->chunks; c && all <= KEEP_BYTES; c = c->next)
        all += c->used;
    if (all <= KEEP_BYTES)
        want = all;
    return want > FIRST_BYTES ? want : FIRST_BYTES;
}

void *hws_sched_array(struct hws_sched *s, uint64_t bytes)
{
    uint64_t want = (bytes + TEMP_ALIGN - 1) & ~(uint64_t)(TEMP_ALIGN - 1);
    struct hws_sched_chunk *c = s->chunks;
    if (!c || c->cap - c->used < want) {
        uint64_t cap = room_of_chunk(s, want), len = sizeof *c + cap;
        c = want < bytes || len < want ? NULL : aligned_alloc(TEMP_ALIGN, len);
        if (!c) {
            no_memory(s, bytes);
            return s; /* an address to compute with, never used: start refuses */
        }
        c->used = 0;
        c->cap = cap;
        c->next = s->chunks;
        s->chunks = c;
    }
    void *p = c->data + c->used;
    c->used += want;
    return p;
}

void *hws_sched_temp(struct hws_sched *s, uint64_t bytes)
{
    return s->hollow ? s : hws_sched_array(s, bytes);
}

void *hws_sched_temp_typed(struct hws_sched *s, MPI_Count n, const struct hws_type *t)
{
    if (n <= 0)
        return hws_sched_temp(s, 1);
    MPI_Count span, low = t->true_lb; /* the lowest byte, seen from element 0's origin */
    if (__builtin_mul_overflow(n - 1, t->extent, &span) || span > INT64_MAX / 2 || span < -(INT64_MAX / 2)) {
        no_memory(s, UINT64_MAX);
        return s;
    }
    if (span < 0)
        low += span;
    char *mem = hws_sched_temp(s, (uint64_t)((span < 0 ? -span : span) + t->true_extent));
    return (void *)((uintptr_t)mem - (uintptr_t)low);
}

struct hws_data hws_sched_slice(struct hws_sched *s, struct hws_data whole, uint64_t at, uint64_t n)
{
    struct hws_slice *keep = whole.layout ? hws_sched_array(s, sizeof *keep) : NULL;
    if (s->rc != MPI_SUCCESS)
        return whole;
    return hws_data_slice(whole, at, n, keep);
}

void hws_sched_hold_type(struct hws_sched *s, struct hws_type *t)
{
    if (!t || t->obj.handle) /* predefined: stays anyway */
        return;
    if (s->n_types == s->cap_types) {
        int cap = s->cap_types ? 2 * s->cap_types : 8;
        struct hws_type **types = realloc(s->types, (size_t)cap * sizeof *types);
        if (!types) {
            no_memory(s, (uint64_t)cap * sizeof *types);
            return;
        }
        s->types = types;
        s->cap_types = cap;
    }
    hws_type_hold(t);
    s->types[s->n_types++] = t;
}

void hws_sched_hold_op(struct hws_sched *s, struct hws_op *op)
{
    if (op) {
        hws_op_hold(op);
        s->op = op;
    }
}

bool hws_sched_hollow(struct hws_sched *s)
{
    if (s->hollow)
        return false;
    if (s->ctx != s->comm->ctx + HWS_CTX_COLL)
        hws_sched_use_remote(s);
    hws_sched_use_ranks(s, NULL, 0, 0);
    trim_chunks(s, 0);
    s->n_steps = 0;
    s->fence_due = s->lenient = false;
    s->rc = MPI_SUCCESS;
    s->hollow = true;
    return true;
}

/* ---- running ---- */

static void advance(struct hws_sched *s);

static void step_done(struct hws_step *st, enum hws_err err, int peer)
{
    struct hws_sched *s = st->sched;
    if (st->counted)
        return;
    st->counted = true;
    bool first = err != HWS_OK && s->err == HWS_OK;
    if (first) {
        s->err = err;
        s->err_rank = st->rank;
        s->err_peer = peer;
    }
    s->pending--;
    if ((s->pending == 0 || first) && !s->running) /* an error passes all fences at once, see start_send */
        advance(s);
}

/* The second message of a note, from inside the first one's completion. */
static void go_on_with_note(struct hws_sched *s, struct hws_step *st,
                            void (*post)(struct hws_sched *s, struct hws_step *st))
{
    bool running = s->running;
    s->running = true; /* else the schedule might end, and go, in here */
    post(s, st);
    s->running = running;
    if (!running && (s->pending == 0 || s->err != HWS_OK))
        advance(s);
}

static void post_send(struct hws_sched *s, struct hws_step *st)
{
    struct hws_send_op *op = &st->u.send;
    op->done = false;
    op->err = HWS_OK;
    s->net->send(op);
    if (op->done)
        on_send_done(op);
}

static void post_recv(struct hws_sched *s, struct hws_step *st)
{
    struct hws_recv_op *op = &st->u.recv;
    op->done = false;
    op->err = HWS_OK;
    s->net->recv(op);
    if (op->done)
        on_recv_done(op);
}

static void on_send_done(struct hws_send_op *op)
{
    struct hws_step *st = hws_container_of(op, struct hws_step, u.send);
    if (!st->notes || op->err != HWS_OK) {
        step_done(st, op->err, op->peer);
        return;
    }
    st->notes = false;
    op->tag |= TAG_NOTE;
    op->data = hws_bytes(&st->why, sizeof st->why);
    go_on_with_note(st->sched, st, post_send);
}

static enum hws_err take_note(struct hws_sched *s, struct hws_step *st)
{
    st->notes = false;
    if (s->err == HWS_OK)
        s->why = st->why;
    return HWS_ECANCELLED;
}

static enum hws_err judge_length(struct hws_sched *s, const struct hws_recv_op *op)
{
    bool short_one = op->err == HWS_OK && op->from_len < op->data.len_bytes && !s->lenient;
    enum hws_err err = short_one ? HWS_ETRUNCATE : op->err;
    if (err == HWS_ETRUNCATE && s->err == HWS_OK) {
        s->err_got = op->from_len;
        s->err_room = op->data.len_bytes;
    }
    return err;
}

static void on_recv_done(struct hws_recv_op *op)
{
    struct hws_step *st = hws_container_of(op, struct hws_step, u.recv);
    bool arrived = op->err == HWS_OK || op->err == HWS_ETRUNCATE;
    if (st->counted)
        return;
    if (st->notes && op->err == HWS_OK) {
        step_done(st, take_note(st->sched, st), op->peer);
    } else if (!st->notes && arrived && op->from_len == st->token) {
        st->notes = true;
        op->tag |= TAG_NOTE;
        op->data = hws_bytes(&st->why, sizeof st->why);
        go_on_with_note(st->sched, st, post_recv);
    } else {
        step_done(st, judge_length(st->sched, op), op->peer);
    }
}

/* Two typed buffers: through a piece of the stack that stays in the first-level cache. */
static void copy_staged(struct hws_data src, struct hws_data dst)
{
    char piece[8192];
    for (uint64_t at = 0; at < src.len_bytes; at += sizeof piece) {
        size_t n = src.len_bytes - at < sizeof piece ? (size_t)(src.len_bytes - at) : sizeof piece;
        src.layout->pack(src.layout, src.base, at, piece, n);
        dst.layout->unpack(dst.layout, dst.base, at, piece, n);
    }
}

void hws_data_copy(struct hws_data src, struct hws_data dst)
{
    if (src.layout && dst.layout)
        copy_staged(src, dst);
    else if (src.layout)
        src.layout->pack(src.layout, src.base, 0, dst.base, src.len_bytes);
    else if (dst.layout)
        dst.layout->unpack(dst.layout, dst.base, 0, src.base, src.len_bytes);
    else
        memmove(dst.base, src.base, src.len_bytes);
}

static void start_send(struct hws_sched *s, struct hws_step *st)
{
    st->counted = false;
    st->notes = s->err != HWS_OK; /* the other side must fail, not wait: see sched.h */
    st->u.send.tag &= ~TAG_NOTE;  /* of a run before */
    s->pending++;
    if (st->notes) {
        st->u.send.data = hws_bytes(&st->kind, st->token);
        st->why = hws_sched_class(s);
    }
    post_send(s, st);
}

static void start_recv(struct hws_sched *s, struct hws_step *st)
{
    st->counted = st->notes = false;
    st->u.recv.tag &= ~TAG_NOTE;
    s->pending++;
    if (s->err != HWS_OK)
        st->u.recv.data = hws_bytes(NULL, 0);
    post_recv(s, st);
}

/* A rank's own part that does not fit fails here and not while building, so that the others learn of it. */
static void run_copy(struct hws_sched *s, struct hws_data src, struct hws_data dst)
{
    if (src.len_bytes <= dst.len_bytes) {
        hws_data_copy(src, dst);
        return;
    }
    s->err = HWS_ETRUNCATE;
    s->err_rank = s->rank;
    s->err_got = src.len_bytes;
    s->err_room = dst.len_bytes;
}

/* After an error messages still run, so that nobody waits for them in vain, but nothing is computed. */
static void run_step(struct hws_sched *s, struct hws_step *st)
{
    if (st->kind == HWS_STEP_SEND)
        start_send(s, st);
    else if (st->kind == HWS_STEP_RECV)
        start_recv(s, st);
    else if (s->err != HWS_OK)
        return;
    else if (st->kind == HWS_STEP_COPY)
        run_copy(s, st->u.copy.src, st->u.copy.dst);
    else
        hws_op_apply(st->u.reduce.op, st->u.reduce.in, st->u.reduce.inout, st->u.reduce.n, st->u.reduce.type);
}

static void advance(struct hws_sched *s)
{
    s->running = true;
    while (s->next < s->n_steps) {
        struct hws_step *st = &s->steps[s->next];
        if (st->fence && s->pending > 0 && s->err == HWS_OK)
            break;
        s->next++;
        run_step(s, st);
    }
    s->running = false;
    if (s->pending > 0)
        return;
    void (*on_complete)(struct hws_sched *) = s->on_complete;
    __atomic_store_n(&s->complete, true, __ATOMIC_RELEASE); /* a blocking caller may free s from here on */
    if (on_complete)
        on_complete(s);
}

/* It takes part only to make the others fail, too. */
static void fail_from_start(struct hws_sched *s, int why)
{
    s->err = HWS_ECANCELLED;
    s->why = why;
    s->err_rank = s->rank;
}

int hws_sched_start(struct hws_sched *s)
{
    if (s->rc != MPI_SUCCESS)
        return s->rc;
    const struct hws_sched_net *net = s->net; /* s may be gone when it completes at once */
    net->lock();
    if (s->hollow)
        fail_from_start(s, MPI_ERR_NO_MEM);
    s->next = s->pending = 0;
    s->complete = false;
    advance(s);
    net->unlock();
    return MPI_SUCCESS;
}

int hws_sched_class(const struct hws_sched *s)
{
    return s->why != MPI_SUCCESS ? s->why : hws_fail_err(s->err, NULL);
}

int hws_sched_result(struct hws_sched *s)
{
    char text[640];
    const char *why;
    if (s->err == HWS_OK)
        return MPI_SUCCESS;
    if (s->hollow)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation");
    if (s->why != MPI_SUCCESS)
        return hws_fail(s->why, "the collective operation failed at another rank, as rank %d tells", s->err_rank);
    if (s->err == HWS_ETRUNCATE) {
        snprintf(text, sizeof text,
                 "message truncated: %llu bytes came from rank %d where %llu were due; the ranks' counts differ",
                 (unsigned long long)s->err_got, s->err_rank, (unsigned long long)s->err_room);
        return hws_fail_err(s->err, text);
    }
    why = hws_world.engine ? hws_engine_peer_reason(hws_world.engine, s->err_peer) : "";
    snprintf(text, sizeof text, "the collective operation lost rank %d: %s", s->err_rank,
             *why ? why : hws_err_text(s->err));
    return hws_fail_err(s->err, text);
}

int hws_sched_run(struct hws_sched *s)
{
    int rc = hws_sched_start(s);
    if (rc == MPI_SUCCESS) {
        if (!__atomic_load_n(&s->complete, __ATOMIC_ACQUIRE)) /* another thread may have driven it */
            s->net->wait(&s->complete);
        rc = hws_sched_result(s);
    }
    hws_sched_free(s);
    return rc;
}

void hws_sched_run_failed(struct hws_sched *s, int why)
{
    s->net->lock();
    fail_from_start(s, why);
    s->next = s->pending = 0;
    s->complete = false;
    advance(s);
    s->net->unlock();
    if (!__atomic_load_n(&s->complete, __ATOMIC_ACQUIRE))
        s->net->wait(&s->complete);
    hws_sched_free(s);
}
