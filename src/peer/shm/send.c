/* SPDX-License-Identifier: BSD-3-Clause
 *
 * send: the sending half of shared memory. A send that is not done is in its peer's pending list (no room, or
 * behind others), in its answers (RTS or SYNC is out), or in its bulk list (CTS came).
 */
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/hot.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

#define PIECE                                                                                                          \
    (16u << 10) /* of a long message: the receiver copies one out while the next comes in; 8 and 32 KiB are slower */

#define STREAM_MIN  2048u /* bytes of a middle message */
#define STREAM_SURE 4     /* of which so many in a row are a stream */

#define ABREAST_MIN  (128u << 10) /* bytes: shorter ones of several go as single ones do */
#define ABREAST_RING (128u << 10) /* a ring that takes less makes the writer wait too often */

static void push(struct hws_shm_peer *s, enum hws_shm_type type, size_t payload)
{
    hws_ring_push(&s->tx, hws_ring_need(payload), (uint8_t)type, (uint32_t)payload);
    hws_shm_pushed(s);
}

/* Who sends one after the other waits for the ring's lines; who takes turns would have his answer later if his data
 * went past the caches (decision 049). */
static bool is_streaming(struct hws_shm_peer *s)
{
    if (s->long_ones.heard != s->rx.pos)
        s->long_ones.n_unheard = 0;
    else if (s->long_ones.n_unheard < STREAM_SURE)
        s->long_ones.n_unheard++;
    s->long_ones.heard = s->rx.pos;
    return s->long_ones.n_unheard == STREAM_SURE;
}

static inline void put_bytes(struct hws_shm_peer *s, void *dst, const void *src, size_t n)
{
    if (n >= HWS_LONG_ACROSS_MIN)
        hws_copy_long_across(&s->long_ones.bypass, dst, src, n);
    else if (n >= STREAM_MIN && is_streaming(s))
        hws_copy_long_across(&s->long_ones.of_streams[n >= 2 * STREAM_MIN], dst, src, n);
    else
        hws_copy_across(dst, src, n);
}

static void put_data(struct hws_shm_peer *s, const struct hws_send_op *op, uint64_t offset, void *dst, size_t n)
{
    if (op->data.layout)
        op->data.layout->pack(op->data.layout, op->data.base, offset, dst, n);
    else if (n)
        put_bytes(s, dst, (const uint8_t *)op->data.base + offset, n);
}

static bool has_credit(struct hws_shm_peer *s, uint64_t charge)
{
    if (s->credit >= charge)
        return true;
    uint64_t returned = __atomic_load_n(&s->tx.shared->returned, __ATOMIC_RELAXED);
    s->credit += returned - s->credit_seen;
    s->credit_seen = returned;
    return s->credit >= charge;
}

static void await_answer(struct hws_shm_peer *s, struct hws_send_op *op)
{
    op->answer_due = true;
    hws_list_push(&s->peer->out.answers, &op->node);
    op->handle = hws_handle_new(s->peer->engine, HWS_HANDLE_SEND, op);
    if (!op->handle)
        hws_peer_lose(s->peer, HWS_ENOMEM, "out of memory for the table of sends");
}

/* Whether a long message that could be copied once goes through the ring: a sender that fills several rings in turn
 * seldom waits for one to be emptied, and what is copied by way of the cache spares the kernel's look at each page. */
static bool is_for_ring(const struct hws_shm_peer *s, const struct hws_send_op *op)
{
    return op->mode == HWS_ABREAST && op->data.len_bytes >= ABREAST_MIN && s->tx.size >= ABREAST_RING &&
           s->shm->crowded && s->peer->engine->cfg.params.shm_single != 1;
}

static void push_rts(struct hws_shm_peer *s, const struct hws_send_op *op, uint64_t flags)
{
    bool by_ring = op->data.layout || is_for_ring(s, op);
    struct hws_shm_rts rts = {op->data.len_bytes, by_ring ? 0 : (uint64_t)(uintptr_t)op->data.base, op->handle, flags};
    struct hws_record *r = hws_shm_next(s);
    r->ctx = op->ctx;
    r->tag = op->tag;
    memcpy(r->payload, &rts, sizeof rts);
    if (rts.msg_len >= HWS_COPIES_MIN) {
        s->long_ones.sent_class = 1 + hws_copies_class(rts.msg_len);
        s->long_ones.n_since = 0;
    }
    push(s, HWS_SHM_RTS, sizeof rts);
}

bool hws_shm_offer_has_room(struct hws_shm_peer *s)
{
    return hws_ring_has_room(&s->tx, hws_ring_need(sizeof(struct hws_shm_rts)));
}

void hws_shm_offer(struct hws_shm_peer *s, const struct hws_send_op *op)
{
    push_rts(s, op, HWS_FRAME_FREE | HWS_FRAME_OFFER);
}

/* Free: it costs no credit, as it was asked for. */
static bool put_rts(struct hws_shm_peer *s, struct hws_send_op *op, bool is_free)
{
    if (!hws_shm_offer_has_room(s))
        return false;
    await_answer(s, op);
    if (hws_peer_is_over(s->peer))
        return true;
    s->credit -= is_free ? 0 : HWS_ENVELOPE;
    push_rts(s, op, is_free ? hws_hold_flags(s->peer, op) : 0);
    s->peer->engine->count.n_rts++;
    return true;
}

static bool put_sync(struct hws_shm_peer *s, struct hws_send_op *op)
{
    size_t len = op->data.len_bytes, payload = sizeof(struct hws_shm_sync) + len;
    if (!hws_ring_has_room(&s->tx, hws_ring_need(payload)))
        return false;
    await_answer(s, op);
    if (hws_peer_is_over(s->peer))
        return true;
    struct hws_shm_sync sync = {.send_handle = op->handle};
    struct hws_record *r = hws_shm_next(s);
    r->ctx = op->ctx;
    r->tag = op->tag;
    memcpy(r->payload, &sync, sizeof sync);
    put_data(s, op, 0, hws_record_data(r, sizeof sync, payload), len);
    s->credit -= len + HWS_ENVELOPE;
    push(s, HWS_SHM_SYNC, payload);
    return true;
}

static bool put_eager(struct hws_shm_peer *s, struct hws_send_op *op)
{
    size_t len = op->data.len_bytes;
    if (!hws_ring_has_room(&s->tx, hws_ring_need(len)))
        return false;
    struct hws_record *r = hws_shm_next(s);
    r->ctx = op->ctx;
    r->tag = op->tag;
    put_data(s, op, 0, hws_record_data(r, 0, len), len);
    s->credit -= len + HWS_ENVELOPE;
    push(s, HWS_SHM_EAGER, len);
    s->peer->engine->count.n_eager++;
    hws_send_finish(s->peer->engine, op, HWS_OK);
    return true;
}

static bool put_without_credit(struct hws_shm_peer *s, struct hws_send_op *op)
{
    struct hws_engine *e = s->peer->engine;
    struct hws_event ev = {
        .kind = HWS_EVENT_NO_CREDIT, .peer = s->peer->number, .tag = op->tag, .bytes = op->data.len_bytes};
    if (!put_rts(s, op, op->is_asked))
        return false;
    e->count.n_no_credit++;
    if (hws_engine_is_watched(e, HWS_EVENT_NO_CREDIT))
        hws_engine_event_slow(e, ev);
    return true;
}

static bool put_by_length(struct hws_shm_peer *s, struct hws_send_op *op)
{
    uint64_t len = op->data.len_bytes;
    if (op->is_asked)
        return len > s->max_eager ? put_rts(s, op, true) : put_without_credit(s, op);
    if (!has_credit(s, HWS_ENVELOPE))
        return false;
    if (len > s->max_eager)
        return put_rts(s, op, false);
    if (!has_credit(s, len + HWS_ENVELOPE))
        return put_without_credit(s, op);
    return op->mode == HWS_SYNC ? put_sync(s, op) : put_eager(s, op);
}

/* False: no room in the ring, or no credit; nothing has changed. */
static bool put_first(struct hws_shm_peer *s, struct hws_send_op *op)
{
    op->seq = s->n_put++;
    op->numbered = true;
    if (put_by_length(s, op)) /* the send may be gone now */
        return true;
    s->n_put--;
    op->numbered = false;
    return false;
}

static void send_slow(struct hws_shm_peer *s, struct hws_send_op *op)
{
    struct hws_peer *p = s->peer;
    hws_send_op_init(p->engine, op);
    s->sent.n++;
    s->sent.n_slow++;
    s->sent.payload += op->data.len_bytes;
    if (hws_peer_is_over(p)) {
        hws_send_to_lost(p, op);
        return;
    }
    if (hws_list_is_empty(&p->out.pending) && !s->undecided && put_first(s, op))
        return;
    hws_list_push(&p->out.pending, &op->node);
    hws_hold_waits(p, op);
    hws_shm_make_busy(s);
}

HWS_HOT void hws_shm_send(struct hws_shm_peer *s, struct hws_send_op *op)
{
    size_t len = op->data.len_bytes, need = hws_ring_need(len);
    uint64_t charge = len + HWS_ENVELOPE;
    if (s->slow || len > s->max_eager || need > s->tx.run || charge > s->credit || op->data.layout ||
        op->mode == HWS_SYNC) {
        send_slow(s, op);
        if (len >= HWS_COPIES_MIN)
            hws_shm_sent_long(s->shm);
        return;
    }
    struct hws_record *r = hws_shm_next(s);
    r->ctx = op->ctx;
    r->tag = op->tag;
    put_bytes(s, hws_record_data(r, 0, len), op->data.base, len);
    s->credit -= charge;
    s->sent.n++;
    hws_ring_push(&s->tx, need, HWS_SHM_EAGER, (uint32_t)len);
    hws_shm_pushed(s);
    s->sent.payload += len;
    op->handle = 0;
    op->seq = s->n_put++;
    op->numbered = true;
    hws_send_finish(s->peer->engine, op, HWS_OK);
}

/* ---- what found no room ------------------------------------------------------------------------------------------ */

static bool put_answer(struct hws_shm_peer *s, enum hws_shm_type type, const struct hws_shm_answer *a)
{
    if (!hws_ring_has_room(&s->tx, hws_ring_need(sizeof *a)))
        return false;
    memcpy(hws_shm_next(s)->payload, a, sizeof *a);
    push(s, type, sizeof *a);
    return true;
}

static bool queue_answer(struct hws_shm_peer *s, enum hws_shm_type type, const struct hws_shm_answer *a)
{
    if (s->n_answers == s->cap_answers) {
        unsigned cap = s->cap_answers ? 2 * s->cap_answers : 16;
        struct hws_shm_queued *more = realloc(s->answers, cap * sizeof *more);
        if (!more)
            return false;
        s->answers = more;
        s->cap_answers = cap;
    }
    s->answers[s->n_answers++] = (struct hws_shm_queued){(uint8_t)type, *a};
    hws_shm_make_busy(s);
    return true;
}

void hws_shm_answer(struct hws_shm_peer *s, enum hws_shm_type type, uint64_t send_handle, uint64_t recv_handle,
                    uint64_t limit)
{
    struct hws_shm_answer a = {send_handle, recv_handle, limit};
    if (hws_peer_is_over(s->peer) || (!s->n_answers && !s->undecided && put_answer(s, type, &a)))
        return;
    if (!queue_answer(s, type, &a))
        hws_peer_lose(s->peer, HWS_ENOMEM, "out of memory for answers");
}

void hws_shm_want(struct hws_shm_peer *s, uint32_t ctx, int32_t tag, uint32_t list, bool is_posted)
{
    hws_shm_answer(s, HWS_SHM_WANT, list, (uint64_t)ctx << 32 | (uint32_t)tag, is_posted);
}

void hws_shm_ask_cancel(struct hws_shm_peer *s, const struct hws_cancel_op *c)
{
    hws_shm_answer(s, HWS_SHM_CANCEL, c->handle, (uint64_t)c->ctx << 32 | (uint32_t)c->tag, c->seq);
}

static bool pump_answers(struct hws_shm_peer *s)
{
    unsigned n = 0;
    while (n < s->n_answers && put_answer(s, (enum hws_shm_type)s->answers[n].type, &s->answers[n].answer))
        n++;
    s->n_answers -= n;
    if (n && s->n_answers)
        memmove(s->answers, s->answers + n, s->n_answers * sizeof *s->answers);
    return n > 0;
}

static bool pump_pending(struct hws_shm_peer *s)
{
    struct hws_list *list = &s->peer->out.pending;
    bool moved = false;
    if (s->peer->hold.wishes.look && !has_credit(s, HWS_ENVELOPE))
        hws_hold_settle(s->peer);
    while (!hws_list_is_empty(list)) {
        struct hws_list *n = hws_list_pop(list);
        struct hws_send_op *op = hws_container_of(n, struct hws_send_op, node);
        if (op->answer_due || !put_first(s, op)) { /* it is offered; or there is no room, no credit */
            hws_list_push_front(list, n);          /* back to the front */
            break;
        }
        moved = true;
    }
    return moved;
}

/* One piece of the first long message; the message goes to the back, so that long messages take turns. */
static bool pump_bulk(struct hws_shm_peer *s)
{
    struct hws_list *list = &s->peer->out.bulk;
    if (hws_list_is_empty(list))
        return false;
    struct hws_send_op *op = hws_container_of(list->next, struct hws_send_op, node);
    struct hws_shm_bulk b = {op->recv_handle, op->offset};
    uint64_t left = op->limit - op->offset, most = hws_ring_max_payload(s->tx.size) - sizeof b;
    most = most < PIECE ? most : PIECE;
    size_t n = left < most ? left : most;
    if (!hws_ring_has_room(&s->tx, hws_ring_need(sizeof b + n)))
        return false;
    struct hws_record *r = hws_shm_next(s);
    memcpy(r->payload, &b, sizeof b);
    put_data(s, op, op->offset, hws_record_data(r, sizeof b, sizeof b + n), n);
    push(s, HWS_SHM_BULK, sizeof b + n);
    op->offset += n;
    hws_list_remove(&op->node);
    if (op->offset < op->limit)
        hws_list_push(list, &op->node);
    else
        hws_send_finish(s->peer->engine, op, HWS_OK);
    return true;
}

/* Then long messages that have begun must not take the room. */
static bool waits_for_room(struct hws_shm_peer *s)
{
    const struct hws_list *list = &s->peer->out.pending;
    if (hws_list_is_empty(list))
        return false;
    const struct hws_send_op *op = hws_container_of(list->next, struct hws_send_op, node);
    return !op->answer_due && (op->is_asked || has_credit(s, HWS_ENVELOPE));
}

HWS_HOT bool hws_shm_pump(struct hws_shm_peer *s)
{
    const struct hws_peer *p = s->peer;
    bool moved = pump_answers(s);
    if (!s->n_answers) {
        moved |= hws_shm_pump_frames(s);
        moved |= pump_pending(s);
    }
    while (!hws_peer_is_over(p) && !s->n_answers && !waits_for_room(s) && pump_bulk(s))
        moved = true;
    if (!hws_peer_is_over(p) && !s->n_answers && hws_list_is_empty(&p->out.pending) &&
        hws_list_is_empty(&p->out.bulk) && hws_list_is_empty(&p->out.frames)) {
        hws_list_remove(&s->busy_node);
        s->slow = false;
    }
    return moved;
}

/* ---- the receiver's answers -------------------------------------------------------------------------------------- */

int hws_shm_on_answer(struct hws_shm_peer *s, enum hws_shm_type type, const struct hws_shm_answer *a)
{
    struct hws_peer *p = s->peer;
    struct hws_send_op *op = hws_handle_get(p->engine, HWS_HANDLE_SEND, a->send_handle);
    if (!op || op->peer != p->number || !op->answer_due || op->handle != a->send_handle ||
        a->limit > op->data.len_bytes)
        return HWS_EPROTO;
    if (!op->numbered)
        hws_hold_accepted(p, op);
    op->answer_due = false;
    hws_list_remove(&op->node);
    if (type == HWS_SHM_DONE || a->limit == 0) {
        s->long_ones.copied_out += a->limit;
        hws_send_finish(p->engine, op, HWS_OK);
        return HWS_OK;
    }
    hws_handle_free(p->engine, op->handle);
    op->handle = 0;
    op->recv_handle = a->recv_handle;
    op->limit = a->limit;
    hws_list_push(&p->out.bulk, &op->node);
    hws_shm_make_busy(s);
    return HWS_OK;
}
