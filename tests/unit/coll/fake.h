/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fake: what the tests of collectives share: a network in memory that connects the schedules of all ranks in one
 * process, element types with and without gaps, reduction operations, and buffers whose every byte is compared.
 *
 * The network completes messages in random order, but between two ranks matches in order, as MPI does. Two manners:
 * synchronous (a send is done when it is received: finds every deadlock that a long message could meet) and eager (a
 * send is done before it returns: finds re-entry errors).
 */
#ifndef HWS_TESTS_COLL_FAKE_H
#define HWS_TESTS_COLL_FAKE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/sanitized.h"
#include "../../support/seed.h"
#include "coll/run.h"
#include "coll/schedule/sched_run.h"

#define FAKE_MAX 32   /* ranks */
#define FAKE_OPS 8192 /* messages in flight */

/* ---- memory ---- */

/* Long blocks serve the next trial: else most of the time is page faults, with AddressSanitizer the more so. Each is
 * exactly so long, so that it sees who goes beyond, and closed to it while nobody has it. */
#if HWS_SANITIZED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(mem, len)   ((void)(mem), (void)(len))
#define ASAN_UNPOISON_MEMORY_REGION(mem, len) ((void)(mem), (void)(len))
#endif
enum { FAKE_LONG = 4096, FAKE_KEPT = 128 };
static struct fake_block {
    void *mem;
    size_t len;
} fake_kept[FAKE_KEPT];

static inline void *fake_take(size_t len)
{
    for (int i = 0; len >= FAKE_LONG && i < FAKE_KEPT; i++)
        if (fake_kept[i].mem && fake_kept[i].len == len) {
            void *mem = fake_kept[i].mem;
            fake_kept[i].mem = NULL;
            ASAN_UNPOISON_MEMORY_REGION(mem, len);
            return mem;
        }
    return malloc(len);
}

static inline void fake_give(void *mem, size_t len)
{
    static unsigned next;
    if (len < FAKE_LONG) {
        free(mem);
        return;
    }
    struct fake_block *block = &fake_kept[next++ % FAKE_KEPT];
    ASAN_UNPOISON_MEMORY_REGION(block->mem, block->len);
    free(block->mem);
    ASAN_POISON_MEMORY_REGION(mem, len);
    *block = (struct fake_block){mem, len};
}

/* ---- network ---- */

struct fake_msg {
    struct hws_send_op *send; /* NULL: eager, copied */
    int from, to;
    uint32_t ctx;
    int32_t tag;
    char *copy;
    uint64_t len;
};

static struct fake_msg fake_msgs[FAKE_OPS];
static int fake_n_msgs;
static struct hws_recv_op *fake_recvs[FAKE_OPS];
static int fake_recv_at[FAKE_OPS];
static int fake_n_recvs;
static bool fake_eager;
static long fake_sent; /* messages of all ranks */
#define FAKE_SITES 4
static int fake_site[FAKE_MAX];        /* of each rank */
static uint64_t fake_into[FAKE_SITES]; /* bytes that came into each site from others */
static int fake_crossings;             /* messages between sites */
static int fake_dead = -1;             /* messages from and to it fail */

/* The process a schedule runs in: its number is kept in net_arg. */
static inline int fake_me(const void *op_step)
{
    return (int)(intptr_t)((const struct hws_step *)op_step)->sched->net_arg;
}

static inline void fake_pack(struct hws_data d, void *to)
{
    if (d.layout)
        d.layout->pack(d.layout, d.base, 0, to, d.len_bytes);
    else if (d.len_bytes)
        memcpy(to, d.base, d.len_bytes);
}

static inline void fake_end_send(struct hws_send_op *op, enum hws_err err)
{
    op->err = err;
    op->done = true;
    op->on_done(op);
}

static inline void fake_send(struct hws_send_op *op)
{
    int me = fake_me(hws_container_of(op, struct hws_step, u.send));
    fake_sent++;
    if (fake_site[me] != fake_site[op->peer]) {
        fake_into[fake_site[op->peer]] += op->data.len_bytes;
        fake_crossings++;
    }
    if (op->peer == fake_dead || me == fake_dead) {
        fake_end_send(op, HWS_EPEERDEAD);
        return;
    }
    cr_assert_lt(fake_n_msgs, FAKE_OPS);
    struct fake_msg *m = &fake_msgs[fake_n_msgs++];
    *m = (struct fake_msg){op, me, op->peer, op->ctx, op->tag, NULL, op->data.len_bytes};
    if (!fake_eager)
        return;
    m->copy = fake_take(m->len + 1);
    fake_pack(op->data, m->copy);
    m->send = NULL;
    fake_end_send(op, HWS_OK);
}

static inline void fake_recv(struct hws_recv_op *op)
{
    int me = fake_me(hws_container_of(op, struct hws_step, u.recv));
    if (op->peer == fake_dead || me == fake_dead) {
        op->err = HWS_EPEERDEAD;
        op->done = true;
        op->on_done(op);
        return;
    }
    cr_assert_lt(fake_n_recvs, FAKE_OPS);
    fake_recv_at[fake_n_recvs] = me;
    fake_recvs[fake_n_recvs++] = op;
}

static inline void fake_nothing(void)
{
}

static inline void fake_wait(const volatile bool *flag)
{
    cr_assert(*flag, "only fake_deliver waits");
}

/* A multicast is a message to each. */
static inline void fake_cast(struct hws_sched *s, struct hws_data d, int root)
{
    for (int i = 0; i < s->size; i++) {
        if (i == root || (s->rank != root && s->rank != i))
            continue;
        if (s->rank == root && d.len_bytes)
            hws_sched_send(s, d, i);
        else if (s->rank == root)
            hws_sched_send_token(s, i);
        else if (d.len_bytes)
            hws_sched_recv(s, d, root);
        else
            hws_sched_recv_token(s, root);
    }
}

static const struct hws_sched_net fake_net = {fake_send, fake_recv, fake_wait, fake_nothing, fake_nothing, fake_cast};

static inline bool fake_same(const struct hws_recv_op *a, int at_a, const struct hws_recv_op *b, int at_b)
{
    return at_a == at_b && a->peer == b->peer && a->ctx == b->ctx && a->tag == b->tag;
}

/* The message that receive i matches, -1: none yet, or an earlier receive comes first. */
static inline int fake_match(int i)
{
    const struct hws_recv_op *r = fake_recvs[i];
    for (int j = 0; j < i; j++)
        if (fake_same(fake_recvs[j], fake_recv_at[j], r, fake_recv_at[i]))
            return -1;
    for (int j = 0; j < fake_n_msgs; j++) {
        const struct fake_msg *m = &fake_msgs[j];
        if (m->to == fake_recv_at[i] && m->from == r->peer && m->ctx == r->ctx && m->tag == r->tag)
            return j;
    }
    return -1;
}

static inline void fake_unpack(const char *from, uint64_t len, struct hws_data d)
{
    if (d.layout)
        d.layout->unpack(d.layout, d.base, 0, from, len);
    else if (len)
        memcpy(d.base, from, len);
}

static inline void fake_complete(int i, int j)
{
    struct hws_recv_op *r = fake_recvs[i];
    struct fake_msg m = fake_msgs[j];
    fake_n_recvs--;
    memmove(&fake_recvs[i], &fake_recvs[i + 1], (size_t)(fake_n_recvs - i) * sizeof fake_recvs[0]);
    memmove(&fake_recv_at[i], &fake_recv_at[i + 1], (size_t)(fake_n_recvs - i) * sizeof fake_recv_at[0]);
    fake_n_msgs--;
    memmove(&fake_msgs[j], &fake_msgs[j + 1], (size_t)(fake_n_msgs - j) * sizeof fake_msgs[0]);
    if (m.send) {
        m.copy = fake_take(m.len + 1);
        fake_pack(m.send->data, m.copy);
        memset(&m.send->node, 0, sizeof m.send->node);
    }
    uint64_t len = m.len < r->data.len_bytes ? m.len : r->data.len_bytes;
    fake_unpack(m.copy, len, r->data);
    fake_give(m.copy, m.len + 1);
    r->from_len = m.len;
    r->from_peer = m.from;
    r->err = m.len > len ? HWS_ETRUNCATE : HWS_OK;
    r->done = true;
    bool send_first = hws_test_random(2);
    if (m.send && send_first)
        fake_end_send(m.send, HWS_OK);
    r->on_done(r);
    if (m.send && !send_first)
        fake_end_send(m.send, HWS_OK);
}

/* Delivers until nothing moves. */
static inline void fake_deliver(void)
{
    while (fake_n_recvs > 0) {
        int first = (int)hws_test_random((uint64_t)fake_n_recvs), n = fake_n_recvs, k = 0, j = -1;
        for (; k < n && (j = fake_match((first + k) % n)) < 0; k++)
            ;
        if (j < 0)
            return;
        fake_complete((first + k) % n, j);
    }
}

static inline void fake_reset(bool eager)
{
    for (int i = 0; i < fake_n_msgs; i++)
        free(fake_msgs[i].copy);
    fake_n_msgs = fake_n_recvs = 0;
    fake_sent = 0;
    fake_crossings = 0;
    memset(fake_into, 0, sizeof fake_into);
    memset(fake_site, 0, sizeof fake_site);
    fake_eager = eager;
    fake_dead = -1;
}

/* ---- elements: two numbers each ---- */

struct elem {
    int32_t a, b;
};

/* at[0], at[1]: where a and b lie in an element */
struct fake_type {
    struct hws_type t;
    MPI_Count at[2];
};

static inline void fake_move(const struct hws_layout *l, char *base, uint64_t offset, char *packed, size_t n, bool pack)
{
    const struct fake_type *f = hws_container_of(hws_container_of(l, struct hws_type, layout), struct fake_type, t);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = offset + i;
        char *p = base + (MPI_Count)(at / 8) * f->t.extent + f->at[at % 8 / 4] + at % 4;
        if (pack)
            packed[i] = *p;
        else
            *p = packed[i];
    }
}

static inline void fake_type_pack(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t n)
{
    fake_move(l, (char *)(uintptr_t)base, offset, dst, n, true);
}

static inline void fake_type_unpack(const struct hws_layout *l, void *base, uint64_t offset, const void *src, size_t n)
{
    fake_move(l, base, offset, (char *)(uintptr_t)src, n, false);
}

#define FAKE_TYPE(lb_, extent_, true_lb_, true_extent_, dense_, a_, b_)                                                \
    {                                                                                                                  \
        {.obj = {HWS_KIND_TYPE, 1, 0},                                                                                 \
         .layout = {fake_type_pack, fake_type_unpack, NULL},                                                           \
         .size = 8,                                                                                                    \
         .lb = lb_,                                                                                                    \
         .extent = extent_,                                                                                            \
         .true_lb = true_lb_,                                                                                          \
         .true_extent = true_extent_,                                                                                  \
         .dense = dense_,                                                                                              \
         .committed = true},                                                                                           \
        {                                                                                                              \
            a_, b_                                                                                                     \
        }                                                                                                              \
    }

/* dense; gaps and a true lower bound below 0; elements that interleave and run backwards in memory; dense, but not from
 * the buffer's address on. */
enum { FAKE_DENSE, FAKE_GAPS, FAKE_BACK, FAKE_OFF, FAKE_TYPES };
static struct fake_type fake_types[FAKE_TYPES] = {
    FAKE_TYPE(0, 8, 0, 8, true, 0, 4),
    FAKE_TYPE(-12, 28, -8, 20, false, -8, 8),
    FAKE_TYPE(16, -12, 16, 8, false, 20, 16),
    FAKE_TYPE(8, 8, 8, 8, true, 8, 12),
};

static inline struct fake_type *fake_type_of(const struct hws_type *t)
{
    return (struct fake_type *)(uintptr_t)hws_container_of(t, const struct fake_type, t);
}

static inline struct elem fake_get(const void *buf, MPI_Count i, const struct hws_type *t)
{
    struct elem e;
    const char *p = (const char *)((uintptr_t)buf + (uintptr_t)(i * t->extent));
    memcpy(&e.a, p + fake_type_of(t)->at[0], 4);
    memcpy(&e.b, p + fake_type_of(t)->at[1], 4);
    return e;
}

static inline void fake_put(void *buf, MPI_Count i, const struct hws_type *t, struct elem e)
{
    char *p = (char *)((uintptr_t)buf + (uintptr_t)(i * t->extent));
    memcpy(p + fake_type_of(t)->at[0], &e.a, 4);
    memcpy(p + fake_type_of(t)->at[1], &e.b, 4);
}

/* ---- operations ---- */

#define FAKE_PRIME 32003

static inline struct elem fake_add(struct elem x, struct elem y)
{
    return (struct elem){(x.a + y.a) % FAKE_PRIME, (x.b + y.b) % FAKE_PRIME};
}

/* Composition of the affine maps t -> a t + b: associative, does not commute. */
static inline struct elem fake_compose(struct elem x, struct elem y)
{
    return (struct elem){(int32_t)((int64_t)x.a * y.a % FAKE_PRIME),
                         (int32_t)(((int64_t)x.a * y.b + x.b) % FAKE_PRIME)};
}

static inline void fake_each(struct elem (*fn)(struct elem, struct elem), void *in, void *inout, const int *n,
                             MPI_Datatype *h)
{
    struct hws_type *t = hws_type_of(*h);
    for (int i = 0; i < *n; i++)
        fake_put(inout, i, t, fn(fake_get(in, i, t), fake_get(inout, i, t)));
}

static inline void fake_add_fn(void *in, void *inout, int *n, MPI_Datatype *h)
{
    fake_each(fake_add, in, inout, n, h);
}

static inline void fake_compose_fn(void *in, void *inout, int *n, MPI_Datatype *h)
{
    fake_each(fake_compose, in, inout, n, h);
}

static struct hws_op fake_ops[2] = {
    {.obj = {HWS_KIND_OP, 1, 0}, .commutative = true, .user = {.fn = fake_add_fn}},
    {.obj = {HWS_KIND_OP, 1, 0}, .commutative = false, .user = {.fn = fake_compose_fn}},
};

static inline struct elem fake_apply(const struct hws_op *op, struct elem x, struct elem y)
{
    return op->commutative ? fake_add(x, y) : fake_compose(x, y);
}

/* ---- buffers ---- */

/* A buffer for n elements with exactly the bytes these need, filled with a pattern; want: what it must hold at the end.
 */
struct fake_buf {
    char *mem, *want_mem;
    void *p, *want; /* origins of element 0 */
    size_t len;
};

static inline struct fake_buf fake_alloc(MPI_Count n, const struct hws_type *t)
{
    struct fake_buf b = {0};
    MPI_Count span = n > 0 ? (n - 1) * t->extent : 0, low = t->true_lb + (span < 0 ? span : 0);
    b.len = n > 0 ? (size_t)((span < 0 ? -span : span) + t->true_extent) : 0;
    b.mem = fake_take(b.len + 1);
    b.want_mem = fake_take(b.len + 1);
    memset(b.mem, 0x5a, b.len);
    memset(b.want_mem, 0x5a, b.len);
    b.p = (void *)((uintptr_t)b.mem - (uintptr_t)low);
    b.want = (void *)((uintptr_t)b.want_mem - (uintptr_t)low);
    return b;
}

static inline void fake_free(struct fake_buf *b)
{
    fake_give(b->mem, b->len + 1);
    fake_give(b->want_mem, b->len + 1);
}

/* An element that is there before and, unless fake_expect says otherwise, after. */
static inline void fake_fill(struct fake_buf *b, MPI_Count i, const struct hws_type *t, struct elem e)
{
    fake_put(b->p, i, t, e);
    fake_put(b->want, i, t, e);
}

static inline void fake_expect(struct fake_buf *b, MPI_Count i, const struct hws_type *t, struct elem e)
{
    fake_put(b->want, i, t, e);
}

static inline bool fake_right(const struct fake_buf *b)
{
    return memcmp(b->mem, b->want_mem, b->len) == 0;
}

/* What rank `from` has at place i for rank `to`. */
static inline struct elem fake_value(int from, int to, MPI_Count i)
{
    return (struct elem){(int32_t)((from * 131 + to * 17 + i * 7) % 30011 + 1),
                         (int32_t)((from * 3 + to * 5 + i) % 29989)};
}

#endif
