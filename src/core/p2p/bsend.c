/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bsend: a pool is the attached buffer with its messages as segments in the order of their addresses; a message takes
 * the first gap that is wide enough. Only the messages lie in the buffer, so that it holds at least as many as the
 * standard promises with MPI_BSEND_OVERHEAD; descriptors are kept beside it and used again. The copy is packed, so it
 * is sent as one run of bytes. Everything here happens under the engine's lock, as segments are given back by the
 * engine's callbacks.
 */
#include "core/p2p/bsend.h"

#include <stdlib.h>

#include "base/copy.h"
#include "core/comm/raise.h"
#include "core/comm/session.h"
#include "core/comm/call.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/p2p/p2p.h"
#include "peer/engine.h"

#define ALIGN 16 /* of the segments */

struct hws_bsend_pool {
    void *buffer; /* as attached; the user's */
    MPI_Count size;
    bool automatic;
    struct hws_list segments; /* by address, or (automatic) by age */
    struct hws_list spare;    /* descriptors of segments to use again */
    struct hws_list flushes;  /* waiting */
    uint64_t in_flight;       /* messages in the buffer */
};

struct segment {
    struct hws_list node;
    struct hws_bsend_pool *pool;
    uintptr_t at;    /* in the buffer, or (automatic) from malloc */
    size_t len;      /* bytes taken there */
    uint64_t number; /* of the message */
    bool *gone;      /* NULL, or told when the engine ends it before it returns */
    struct hws_send_op op;
};

/* Waits for the messages with numbers up to `number`. */
struct flush {
    struct hws_list node;
    uint64_t number, left;
    bool done;
    struct hws_request *req; /* NULL: a blocking flush, on its caller's stack */
};

struct hws_bsend_pool *hws_bsend_process;
static uint64_t n_issued; /* messages ever, in all buffers */

static struct hws_bsend_pool *pool_of(const struct hws_comm *c)
{
    const struct hws_session *s = c->group->session;
    if (c->bsend)
        return c->bsend;
    return s && s->bsend ? s->bsend : hws_bsend_process;
}

static uintptr_t align_up(uintptr_t v)
{
    return (v + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
}

/* First gap of need bytes, 0: none; *before is the list node that the new segment follows. */
static uintptr_t find_gap(struct hws_bsend_pool *p, size_t need, struct hws_list **before)
{
    uintptr_t at = align_up((uintptr_t)p->buffer), end = (uintptr_t)p->buffer + (uintptr_t)p->size;
    *before = &p->segments;
    for (struct hws_list *n = p->segments.next; n != &p->segments; n = n->next) {
        struct segment *s = hws_container_of(n, struct segment, node);
        if (s->at - at >= need)
            return at;
        at = s->at + s->len;
        *before = n;
    }
    return end >= at && end - at >= need ? at : 0;
}

static struct segment *new_segment(struct hws_bsend_pool *p)
{
    struct hws_list *n = hws_list_pop(&p->spare);
    return n ? hws_container_of(n, struct segment, node) : malloc(sizeof(struct segment));
}

static struct segment *take_segment(struct hws_bsend_pool *p, uint64_t bytes)
{
    size_t need =
        bytes > 0 ? align_up(bytes) : ALIGN; /* an empty message has its place in the order of addresses too */
    struct hws_list *before = p->segments.prev;
    struct segment *s = new_segment(p);
    if (!s)
        return NULL;
    memset(s, 0, sizeof(*s));
    s->at = p->automatic ? (uintptr_t)malloc(need) : find_gap(p, need, &before);
    if (!s->at) {
        hws_list_push(&p->spare, &s->node);
        return NULL;
    }
    hws_list_push_front(before, &s->node);
    s->pool = p;
    s->len = need;
    s->number = ++n_issued;
    p->in_flight++;
    return s;
}

static void flush_done(struct flush *f)
{
    hws_list_remove(&f->node);
    f->done = true;
    if (f->req)
        hws_request_complete(f->req, MPI_SUCCESS);
}

static void give_segment(struct segment *s)
{
    struct hws_bsend_pool *p = s->pool;
    uint64_t number = s->number;
    if (s->gone)
        *s->gone = true;
    hws_list_remove(&s->node);
    hws_list_push(&p->spare, &s->node);
    p->in_flight--;
    if (p->automatic)
        free((void *)s->at);
    for (struct hws_list *n = p->flushes.next, *next; n != &p->flushes; n = next) {
        struct flush *f = hws_container_of(n, struct flush, node);
        next = n->next;
        if (number <= f->number && --f->left == 0)
            flush_done(f);
    }
}

static void on_sent(struct hws_send_op *op)
{
    if (op->err != HWS_OK)
        hws_raise_lost(op->peer, op->err, hws_engine_peer_reason(hws_world.engine, op->peer));
    give_segment(hws_container_of(op, struct segment, op));
}

static void start_segment(struct segment *s, struct hws_data *d, const void *buf, const struct hws_type *t)
{
    bool gone = false;
    void *copy = (void *)s->at;
    if (d->layout)
        hws_type_pack(t, buf, 0, copy, d->len_bytes);
    else if (d->len_bytes > 0)
        hws_copy_long(copy, d->base, d->len_bytes);
    s->op.data = (struct hws_data){.base = copy, .len_bytes = d->len_bytes};
    s->op.on_done = on_sent;
    s->gone = &gone;
    hws_engine_send_now(hws_world.engine, &s->op); /* it is over for its caller, who may not come back soon */
    if (gone)
        return;
    s->gone = NULL;
    if (s->op.done)
        give_segment(s);
}

static int no_room(const struct hws_bsend_pool *p, uint64_t bytes)
{
    if (!p)
        return hws_fail(MPI_ERR_BUFFER, "no buffer is attached for buffered sends (MPI_Buffer_attach)");
    if (p->automatic)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory: %llu bytes for a buffered message", (unsigned long long)bytes);
    return hws_fail(
        MPI_ERR_BUFFER,
        "no room in the attached buffer: the message takes %llu bytes and MPI_BSEND_OVERHEAD, the buffer has "
        "%lld bytes and holds %llu messages that have not left yet",
        (unsigned long long)bytes, (long long)p->size, (unsigned long long)p->in_flight);
}

int hws_bsend(struct hws_comm *c, enum hws_ctx_kind kind, const void *buf, MPI_Count n, struct hws_type *t, int dest,
              int tag, struct hws_sent *sent)
{
    struct hws_data d = hws_type_data(t, buf, n);
    hws_engine_lock(hws_world.engine);
    struct hws_bsend_pool *p = pool_of(c);
    struct segment *s = p ? take_segment(p, d.len_bytes) : NULL;
    if (p && !s) { /* perhaps some have left meanwhile */
        hws_engine_progress(hws_world.engine);
        s = take_segment(p, d.len_bytes);
    }
    if (s) {
        s->op.peer = hws_comm_peer(c, dest);
        s->op.ctx = c->ctx + kind;
        s->op.tag = tag;
        s->op.mode = HWS_BUFFERED;
        start_segment(s, &d, buf, t);
    }
    if (s && sent) /* a segment that is over is a spare one, its descriptor as it was */
        *sent = (struct hws_sent){.peer = s->op.peer,
                                  .ctx = s->op.ctx,
                                  .tag = s->op.tag,
                                  .seq = s->op.seq,
                                  .numbered = s->op.numbered,
                                  .number = s->number};
    int rc = s ? MPI_SUCCESS : no_room(p, d.len_bytes);
    hws_engine_unlock(hws_world.engine);
    return rc;
}

struct hws_send_op *hws_bsend_in_flight(const struct hws_comm *c, const struct hws_sent *sent)
{
    struct hws_bsend_pool *p = pool_of(c);
    if (!p)
        return NULL;
    for (struct hws_list *n = p->segments.next; n != &p->segments; n = n->next) {
        struct segment *s = hws_container_of(n, struct segment, node);
        if (s->number == sent->number)
            return &s->op;
    }
    return NULL;
}

int hws_bsend_attach(struct hws_bsend_pool **slot, void *buffer, MPI_Count size)
{
    if (*slot)
        return hws_fail(MPI_ERR_BUFFER, "invalid buffer: another one is attached already");
    struct hws_bsend_pool *p = calloc(1, sizeof(*p));
    if (!p)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory: the buffer cannot be attached");
    p->buffer = buffer;
    p->automatic = buffer == MPI_BUFFER_AUTOMATIC;
    p->size = p->automatic ? 0 : size;
    hws_list_init(&p->segments);
    hws_list_init(&p->spare);
    hws_list_init(&p->flushes);
    *slot = p;
    return MPI_SUCCESS;
}

/* False: nothing to wait for. */
static bool begin_flush(struct hws_bsend_pool *p, struct flush *f)
{
    if (!p || p->in_flight == 0)
        return false;
    f->number = n_issued;
    f->left = p->in_flight;
    hws_list_push(&p->flushes, &f->node);
    return true;
}

static bool is_flushed(void *arg)
{
    return ((struct flush *)arg)->done;
}

static void describe_flush(const void *arg, struct hws_board_what *out)
{
    (void)arg;
    hws_call_tell(out, "MPI_Buffer_flush", NULL);
}

void hws_bsend_flush(struct hws_bsend_pool **slot)
{
    struct flush f = {.done = false};
    hws_engine_lock(hws_world.engine);
    bool wait = begin_flush(*slot, &f);
    hws_engine_unlock(hws_world.engine);
    if (wait)
        hws_engine_wait_until(hws_world.engine, is_flushed, &f, describe_flush);
}

int hws_bsend_detach(struct hws_bsend_pool **slot, void **buffer, MPI_Count *size)
{
    struct hws_bsend_pool *p = *slot;
    if (!p)
        return hws_fail(MPI_ERR_BUFFER, "no buffer is attached");
    hws_bsend_flush(slot);
    *buffer = p->buffer;
    *size = p->size;
    *slot = NULL;
    for (struct hws_list *n; (n = hws_list_pop(&p->spare));)
        free(hws_container_of(n, struct segment, node));
    free(p);
    return MPI_SUCCESS;
}

static int flush_finish(struct hws_request *r, MPI_Status *st)
{
    (void)r;
    hws_status_set(st, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    return MPI_SUCCESS;
}

static void flush_release(struct hws_request *r)
{
    free(r->owner);
}

static const struct hws_request_ops flush_ops = {.finish = flush_finish, .release = flush_release};

int hws_bsend_iflush(struct hws_bsend_pool **slot, struct hws_comm *c, struct hws_request **req)
{
    struct flush *f = calloc(1, sizeof(*f));
    struct hws_request *r = f ? hws_request_new(HWS_REQ_FLUSH, &flush_ops, c, NULL) : NULL;
    if (!r) {
        free(f);
        return hws_fail(MPI_ERR_NO_MEM, "out of memory: no request could be made");
    }
    r->owner = f;
    f->req = r;
    hws_engine_lock(hws_world.engine);
    if (!begin_flush(*slot, f))
        hws_request_complete(r, MPI_SUCCESS);
    hws_engine_unlock(hws_world.engine);
    *req = r;
    return MPI_SUCCESS;
}

void hws_bsend_end(struct hws_bsend_pool **slot)
{
    void *buffer;
    MPI_Count size;
    if (*slot)
        hws_bsend_detach(slot, &buffer, &size);
}
