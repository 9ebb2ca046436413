/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recv: the receiving half of the protocol. First fragments are put back into MPI's order by their sequence number,
 * then matched; matched payload goes straight into the receive's memory, unmatched payload into a struct hws_message.
 *
 * A receive that is matched and not done is in its peer's under_way list. Credit is given back when the payload has
 * left the engine's memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/hot.h"
#include "frag/frag.h"
#include "peer/priv.h"
#include "peer/shm.h"

static void finish_if_whole(struct hws_engine *e, struct hws_recv_op *op)
{
    if (op->received < op->expect)
        return;
    hws_list_remove(&op->node);
    hws_recv_finish(e, op, op->from_len > op->data.len_bytes ? HWS_ETRUNCATE : HWS_OK);
}

static inline void copy_in(struct hws_recv_op *op, uint64_t offset, const uint8_t *src, size_t n)
{
    if (!n)
        return;
    if (__builtin_expect(op->data.layout != NULL, 0))
        op->data.layout->unpack(op->data.layout, op->data.base, offset, src, n);
    else
        hws_copy((uint8_t *)op->data.base + offset, src, n);
}

static void matched(struct hws_recv_op *op, int peer, int32_t tag, uint64_t len)
{
    op->from_peer = peer;
    op->from_tag = tag;
    op->from_len = len;
    op->expect = len < op->data.len_bytes ? len : op->data.len_bytes;
}

void hws_recv_tell_credit(struct hws_peer *p)
{
    if (p->n_up)
        hws_lane_ack(p->up[0]);
}

void hws_recv_send_answer(struct hws_peer *p, struct hws_frame *f)
{
    struct hws_lane *l = hws_peer_lane(p, 0);
    if (hws_peer_is_over(p))
        return;
    if (!l) {
        hws_kept_add(p, f);
        return;
    }
    hws_lane_frame(l, f);
    hws_lane_hold(l);
}

/* The match is made: tell a sender that waits for it. `have` bytes come with the first fragment. */
static void answer(struct hws_peer *p, struct hws_recv_op *op, uint8_t type, uint64_t send_handle, uint32_t have)
{
    struct hws_frame f = {
        .send_handle = send_handle, .ctx = op->ctx, .tag = op->from_tag}; /* the latter two for its flow */
    if (type == HWS_FRAME_SYNC) {
        f.type = HWS_FRAME_ACK;
        hws_recv_send_answer(p, &f);
        return;
    }
    if (type != HWS_FRAME_RTS)
        return;
    f.type = HWS_FRAME_CTS;
    f.msg_len = op->expect;
    if (op->expect > have) {
        op->handle = f.recv_handle = hws_handle_new(p->engine, HWS_HANDLE_RECV, op);
        if (!op->handle) {
            hws_peer_lose(p, HWS_ENOMEM, "out of memory for the table of receives");
            return;
        }
        if (p->engine->n_early) /* the rest is behind what waits in the same flow */
            hws_recv_want_held(p->engine, &(struct hws_match_key){.ctx = op->ctx, .peer = p->rank, .tag = op->from_tag},
                               false);
    }
    hws_recv_send_answer(p, &f);
    if (!f.recv_handle)
        hws_peer_ack_all(p); /* nothing more comes: the sender waits for the acknowledgment of what he sent */
}

void hws_message_free(struct hws_engine *e, struct hws_message *m)
{
    e->unexpected_bytes -= m->data ? m->have : 0;
    if (m->peer)
        m->peer->n_unexpected--;
    hws_bufpool_put(&e->payloads, m->data, m->have);
    hws_pool_put(&e->messages, m);
}

struct hws_message *hws_message_new(struct hws_engine *e, struct hws_peer *p, const struct hws_match_key *key,
                                    uint32_t have)
{
    struct hws_message *m = hws_pool_get(&e->messages);
    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    m->match.key = *key;
    m->peer = p;
    m->ctx = key->ctx;
    m->have = have;
    hws_list_init(&m->node);
    if (have && !(m->data = hws_bufpool_get(&e->payloads, have))) {
        hws_pool_put(&e->messages, m);
        return NULL;
    }
    e->n_unexpected++;
    if (p)
        p->n_unexpected++;
    e->unexpected_bytes += have;
    if (e->unexpected_bytes > e->unexpected_peak)
        e->unexpected_peak = e->unexpected_bytes;
    return m;
}

void hws_recv_queue_unexpected(struct hws_engine *e, struct hws_message *m)
{
    hws_match_add_unexpected(&e->match, &m->match);
    if (__builtin_expect(m->ctx == e->cfg.note_ctx, 0))
        e->notes_due = e->cfg.on_note != NULL;
    if (hws_engine_is_watched(e, HWS_EVENT_UNEXPECTED))
        hws_engine_event_slow(e, (struct hws_event){.kind = HWS_EVENT_UNEXPECTED,
                                                    .peer = m->peer ? m->peer->rank : e->cfg.me,
                                                    .tag = m->match.key.tag,
                                                    .bytes = m->msg_len,
                                                    .queued = hws_match_n_unexpected(&e->match)});
}

/* ---- messages to oneself ------------------------------------------------------------------------------------------
 */

static void copy_between(const struct hws_data *from, struct hws_recv_op *op)
{
    uint64_t n = op->expect;
    if (!from->layout) {
        copy_in(op, 0, from->base, n);
    } else if (!op->data.layout) {
        from->layout->pack(from->layout, from->base, 0, op->data.base, n);
    } else {
        uint8_t piece[8192];
        for (uint64_t at = 0, run; at < n; at += run) {
            run = n - at < sizeof piece ? n - at : sizeof piece;
            from->layout->pack(from->layout, from->base, at, piece, run);
            copy_in(op, at, piece, run);
        }
    }
    op->received = n;
}

static void take_from_self(struct hws_engine *e, struct hws_send_op *from, struct hws_recv_op *op)
{
    matched(op, e->cfg.me, from->tag, from->data.len_bytes);
    copy_between(&from->data, op);
    finish_if_whole(e, op);
    hws_send_finish(e, from, HWS_OK);
}

/* With what keeping it takes. */
static uint64_t kept_bytes(const struct hws_engine *e)
{
    return e->unexpected_bytes + hws_match_n_unexpected(&e->match) * HWS_ENVELOPE;
}

void hws_recv_self(struct hws_engine *e, struct hws_send_op *op)
{
    struct hws_match_key key = {.ctx = op->ctx, .peer = e->cfg.me, .tag = op->tag};
    hws_send_op_init(e, op);
    op->seq = e->self_seq++;
    op->numbered = true;
    struct hws_match_node *n = hws_match_take_posted(&e->match, &key);
    if (n) {
        take_from_self(e, op, hws_container_of(n, struct hws_recv_op, match));
        return;
    }
    uint64_t len = op->data.len_bytes;
    bool copy = op->mode != HWS_SYNC && len <= e->cfg.params.tcp_eager &&
                kept_bytes(e) + len + HWS_ENVELOPE <= e->cfg.params.unexpected;
    struct hws_message *m = hws_message_new(e, NULL, &key, copy ? (uint32_t)len : 0);
    if (!m) {
        hws_send_finish(e, op, HWS_ENOMEM);
        return;
    }
    m->msg_len = len;
    m->received = m->have;
    m->type = HWS_FRAME_EAGER;
    m->seq = op->seq;
    if (!copy)
        m->self_op = op;
    else if (op->data.layout)
        op->data.layout->pack(op->data.layout, op->data.base, 0, m->data, len);
    else if (len)
        memcpy(m->data, op->data.base, len);
    hws_recv_queue_unexpected(e, m);
    if (copy)
        hws_send_finish(e, op, HWS_OK);
}

/* ---- a receive meets a message ------------------------------------------------------------------------------------
 */

/* All of the first fragment is here: hand it over and forget the message. */
static void complete_message(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    uint64_t n = m->have < op->expect ? m->have : op->expect;
    copy_in(op, 0, m->data, n);
    op->received += n;
    if (m->peer)
        hws_recv_give_credit(m->peer, m->charge);
    hws_message_free(e, m);
    finish_if_whole(e, op);
}

static void attach(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    struct hws_peer *p = m->peer;
    if (m->self_op) {
        struct hws_send_op *from = m->self_op;
        hws_message_free(e, m);
        take_from_self(e, from, op);
        return;
    }
    if (p && p->shm) {
        hws_shm_take(e, m, op);
        return;
    }
    matched(op, p ? p->rank : e->cfg.me, m->match.key.tag, m->msg_len);
    bool whole = m->received == m->have;
    if (p && hws_peer_is_over(p) && (!whole || op->expect > m->have)) {
        hws_message_free(e, m);
        hws_recv_finish(e, op, HWS_EPEERDEAD);
        return;
    }
    if (p) {
        hws_list_push(&p->under_way, &op->node);
        answer(p, op, m->type, m->send_handle, m->have);
    }
    if (whole)
        complete_message(e, m, op);
    else
        m->claimed = op;
}

static void deliver_message(struct hws_engine *e, struct hws_message *m)
{
    struct hws_match_node *n = hws_match_take_posted(&e->match, &m->match.key);
    if (n)
        attach(e, m, hws_container_of(n, struct hws_recv_op, match));
    else
        hws_recv_queue_unexpected(e, m);
}

/* Messages that waited for this one, in order. */
static void deliver_parked(struct hws_peer *p, struct hws_seq_row *row)
{
    bool again = !hws_list_is_empty(&p->parked);
    while (again) {
        again = false;
        for (struct hws_list *n = p->parked.next; n != &p->parked; n = n->next) {
            struct hws_message *m = hws_container_of(n, struct hws_message, node);
            if ((m->ctx ^ (row->ctx_plus_1 - 1)) & p->engine->ctx_mask || m->seq != row->recv_next)
                continue;
            row->recv_next++;
            hws_list_remove(n);
            p->engine->n_early -= p->flows && !m->passed;
            if (m->passed)
                hws_message_free(p->engine, m);
            else
                deliver_message(p->engine, m);
            again = true;
            break;
        }
    }
}

/* ---- frames -------------------------------------------------------------------------------------------------------
 */

bool hws_recv_eager_fast(struct hws_lane *l, const struct hws_frame *f, const uint8_t *payload)
{
    struct hws_peer *p = l->peer;
    struct hws_engine *e = p->engine;
    struct hws_seq_row *row = hws_peer_seq(p, f->ctx);
    if (!row || row->recv_next != f->seq || !hws_list_is_empty(&p->parked))
        return false;
    struct hws_match_key key = {.ctx = f->ctx, .peer = p->rank, .tag = f->tag};
    struct hws_match_node *n = hws_match_take_posted(&e->match, &key);
    uint32_t charge = f->len + HWS_ENVELOPE;
    if (n) {
        struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, match);
        row->recv_next++;
        p->n_came++;
        matched(op, p->rank, f->tag, f->len);
        copy_in(op, 0, payload, op->expect);
        hws_recv_give_credit(p, charge);
        hws_recv_finish(e, op, f->len > op->data.len_bytes ? HWS_ETRUNCATE : HWS_OK);
        return true;
    }
    struct hws_message *m = hws_message_new(e, p, &key, f->len);
    if (!m)
        return false;
    row->recv_next++;
    p->n_came++;
    m->type = f->type;
    m->seq = f->seq;
    m->msg_len = f->len;
    m->charge = charge;
    m->received = f->len;
    if (f->len)
        memcpy(m->data, payload, f->len);
    hws_recv_queue_unexpected(e, m);
    return true;
}

/* The payload goes into a new message: matched later, or parked until its turn. */
static int sink_into_message(struct hws_lane *l, const struct hws_frame *f, const struct hws_match_key *key, bool park)
{
    struct hws_peer *p = l->peer;
    struct hws_message *m = hws_message_new(p->engine, p, key, f->len);
    if (!m)
        return HWS_ENOMEM;
    m->type = f->type;
    m->seq = f->seq;
    m->send_handle = f->send_handle;
    m->msg_len = f->type == HWS_FRAME_RTS ? f->msg_len : f->len;
    m->charge = hws_frag_charge(f->flags & HWS_FRAME_FREE, f->len, HWS_ENVELOPE);
    l->sink.msg = m;
    l->sink.dst = m->data;
    if (park) {
        hws_list_push(&p->parked, &m->node);
        p->engine->n_early += p->flows;
        hws_recv_parked(p);
    } else {
        hws_recv_queue_unexpected(p->engine, m);
    }
    return HWS_OK;
}

/* The payload goes where the receive wants it; what does not fit is discarded. */
static void sink_into_recv(struct hws_sink *s, struct hws_recv_op *op, uint64_t offset, uint64_t keep)
{
    s->op = op;
    s->offset = offset;
    s->discard = s->left - keep;
    s->dst = op->data.layout ? NULL : (uint8_t *)op->data.base + offset;
}

/* A frame whose connection died within it: what the end of hws_recv_on_first() left behind, to be filled again. */
int hws_recv_tear(struct hws_lane *l)
{
    struct hws_peer *p = l->peer;
    const struct hws_frame *f = &l->frame;
    if (!l->frame_bytes || !hws_frame_is(f->type, HWS_FRAMES_FIRST))
        return HWS_OK; /* between frames, or in a fragment that is counted only when it is whole */
    struct hws_torn *t = calloc(1, sizeof *t);
    if (!t)
        return HWS_ENOMEM;
    t->ctx = f->ctx;
    t->seq = f->seq;
    t->sink = l->sink;
    if (t->sink.msg)
        t->sink.msg->received = 0; /* it may all be here, but damaged: nobody may take it as whole */
    p->in_use -= hws_frag_charge(f->flags & HWS_FRAME_FREE, f->len, HWS_ENVELOPE);
    hws_list_push(&p->torn, &t->node);
    memset(&l->sink, 0, sizeof l->sink);
    l->frame_bytes = 0;
    return HWS_OK;
}

static void refill(struct hws_sink *s, const struct hws_sink *torn)
{
    *s = *torn;
    s->left = s->frame_len;
    s->offset = 0;
    if (s->msg) {
        s->dst = s->msg->data;
        s->msg->received = 0;
    } else if (s->op) {
        s->dst = s->op->data.layout ? NULL : s->op->data.base;
    }
}

/* True: the frame is one that was torn, and the sink is what it was. */
static bool mend(struct hws_lane *l, const struct hws_frame *f)
{
    struct hws_list *torn = &l->peer->torn;
    for (struct hws_list *n = torn->next; n != torn; n = n->next) {
        struct hws_torn *t = hws_container_of(n, struct hws_torn, node);
        if (t->ctx != f->ctx || t->seq != f->seq || t->sink.frame_len != f->len)
            continue;
        refill(&l->sink, &t->sink);
        hws_list_remove(n);
        free(t);
        return true;
    }
    return false;
}

static void first_matched(struct hws_lane *l, const struct hws_frame *f, struct hws_recv_op *op)
{
    struct hws_peer *p = l->peer;
    matched(op, p->rank, f->tag, f->type == HWS_FRAME_RTS ? f->msg_len : f->len);
    hws_list_push(&p->under_way, &op->node);
    sink_into_recv(&l->sink, op, 0, f->len < op->expect ? f->len : op->expect);
    l->sink.charge = hws_frag_charge(f->flags & HWS_FRAME_FREE, f->len, HWS_ENVELOPE);
    answer(p, op, f->type, f->send_handle, f->len);
}

/* Before its turn: parked, unless it is certain which receive gets it. */
static int first_ahead(struct hws_lane *l, const struct hws_frame *f, const struct hws_match_key *key)
{
    struct hws_recv_op *op = NULL;
    int rc = l->peer->flows ? hws_recv_early(l, f, key, &op) : HWS_OK;
    if (rc != HWS_OK)
        return rc;
    if (!op)
        return sink_into_message(l, f, key, true);
    first_matched(l, f, op);
    return HWS_OK;
}

static int take_first(struct hws_lane *l, const struct hws_frame *f)
{
    struct hws_peer *p = l->peer;
    struct hws_engine *e = p->engine;
    struct hws_seq_row *row = hws_peer_seq(p, f->ctx);
    struct hws_match_key key = {.ctx = f->ctx, .peer = p->rank, .tag = f->tag};
    if (!row)
        return HWS_ENOMEM;
    if (!hws_list_is_empty(&p->torn) && mend(l, f))
        return HWS_OK;
    int32_t ahead = (int32_t)(f->seq - row->recv_next);
    if (ahead < 0)
        return HWS_EPROTO;
    p->n_came++;
    if (ahead > 0)
        return first_ahead(l, f, &key);
    row->recv_next++;
    struct hws_match_node *n = hws_match_take_posted(&e->match, &key);
    int rc = HWS_OK;
    if (n)
        first_matched(l, f, hws_container_of(n, struct hws_recv_op, match));
    else
        rc = sink_into_message(l, f, &key, false);
    if (rc == HWS_OK)
        deliver_parked(p, row);
    return rc;
}

/* Out of turn: only for a receive that names its tag and is the oldest that takes it, and once all that has a number is
 * here. */
static int on_offer(struct hws_lane *l, const struct hws_frame *f)
{
    struct hws_peer *p = l->peer;
    struct hws_seq_row *row = hws_peer_seq(p, f->ctx);
    struct hws_match_key key = {.ctx = f->ctx, .peer = p->rank, .tag = f->tag};
    if (!row)
        return HWS_ENOMEM;
    struct hws_frame answer = {.type = HWS_FRAME_DECLINE, .send_handle = f->send_handle, .result = HWS_DECLINE_AGAIN};
    if ((int32_t)(row->recv_next - f->seq) < 0) {
        hws_recv_send_answer(p, &answer);
        return HWS_OK;
    }
    struct hws_match_node *n = hws_match_find_posted(&p->engine->match, &key);
    if (n && n->key.tag == f->tag) {
        hws_match_remove(&p->engine->match, n);
        p->n_came++;
        first_matched(l, f, hws_container_of(n, struct hws_recv_op, match));
    } else {
        answer.result = HWS_DECLINE_UNWANTED;
        hws_recv_send_answer(p, &answer);
    }
    hws_hold_judged(p, f->ctx, f->tag);
    return HWS_OK;
}

int hws_recv_on_first(struct hws_lane *l, const struct hws_frame *f)
{
    if (f->type == HWS_FRAME_RTS && !l->peer->wide)
        hws_peer_widen(l->peer); /* its sender may have to wait for this end to dial */
    if (f->flags & HWS_FRAME_OFFER)
        return on_offer(l, f);
    int rc = take_first(l, f);
    if (rc == HWS_OK && f->flags & HWS_FRAME_ANSWERS)
        hws_hold_answered(l->peer, f->ctx, f->tag);
    return rc;
}

int hws_recv_on_bulk(struct hws_lane *l, const struct hws_frame *f)
{
    struct hws_peer *p = l->peer;
    struct hws_recv_op *op = hws_handle_get(p->engine, HWS_HANDLE_RECV, f->recv_handle);
    if (!op || op->handle != f->recv_handle || op->from_peer != p->rank)
        return HWS_EPROTO;
    if (f->len == 0 || f->offset + f->len > op->expect || op->received + f->len > op->expect)
        return HWS_EPROTO;
    sink_into_recv(&l->sink, op, f->offset, f->len);
    return HWS_OK;
}

void hws_recv_body_done(struct hws_lane *l)
{
    struct hws_sink s = l->sink;
    struct hws_engine *e = l->peer->engine;
    memset(&l->sink, 0, sizeof l->sink);
    if (s.msg && s.msg->claimed) {
        complete_message(e, s.msg, s.msg->claimed);
        l->peer->ack_now |= l->keeps && l->frame.type == HWS_FRAME_RTS; /* the rest may have come before it */
    }
    if (!s.op)
        return;
    if (s.charge)
        hws_recv_give_credit(l->peer, s.charge);
    s.op->received += s.frame_len - s.discard;
    l->peer->ack_now |= l->keeps && !hws_frame_is(l->frame.type, HWS_FRAMES_WHOLE) && s.op->received >= s.op->expect;
    finish_if_whole(e, s.op);
}

/* ---- the engine's calls -------------------------------------------------------------------------------------------
 */

static bool fails_at_once(struct hws_engine *e, const struct hws_recv_op *op)
{
    if (op->peer == HWS_ANY_PEER || op->peer == e->cfg.me)
        return false;
    const struct hws_peer *p = e->peers[op->peer];
    return p && hws_peer_is_over(p);
}

static inline bool take_from_ring(struct hws_engine *e, struct hws_recv_op *op, bool spin)
{
    if (!e->shm || op->peer < 0 || hws_match_n_posted(&e->match))
        return false;
    const struct hws_peer *p = e->peers[op->peer];
    return p && p->shm && hws_shm_recv_direct(p->shm, op, spin);
}

static inline void start_recv(struct hws_engine *e, struct hws_recv_op *op, bool may_hold)
{
    hws_engine_lock(e);
    op->done = false;
    op->err = HWS_OK;
    op->received = op->handle = 0;
    op->match.key = (struct hws_match_key){.ctx = op->ctx, .peer = op->peer, .tag = op->tag};
    op->match.queued = false;
    hws_list_init(&op->node);
    struct hws_match_node *n = NULL;
    if (hws_match_n_unexpected(&e->match))
        n = hws_match_find_unexpected(&e->match, &op->match.key, true);
    struct hws_message *early = n || !e->n_early ? NULL : hws_recv_find_early(e, &op->match.key, true, false);
    if (n || early)
        attach(e, n ? hws_container_of(n, struct hws_message, match) : early, op);
    else if (fails_at_once(e, op))
        hws_recv_finish(e, op, HWS_EPEERDEAD);
    else if (!take_from_ring(e, op, false))
        hws_match_post(&e->match, &op->match);
    hws_engine_leave(e, may_hold);
    hws_engine_unlock(e);
}

HWS_HOT void hws_engine_recv(struct hws_engine *e, struct hws_recv_op *op)
{
    start_recv(e, op, true);
}

/* Of the blocking receives that took no short cut, so many between steps of progress with everybody. */
#define FULL_STEP 128

HWS_HOT void hws_engine_recv_wait(struct hws_engine *e, struct hws_recv_op *op)
{
    if (e->shm && !e->cfg.locking && !hws_match_n_unexpected(&e->match) && hws_list_is_empty(&e->dirty)) {
        op->handle = 0;
        if (take_from_ring(e, op, true))
            return;
        if (++e->n_recv_wait % FULL_STEP == 0 || e->shm->n_direct % HWS_SHM_DIRECT_RUN == 0)
            hws_engine_step(e, false);
    }
    start_recv(e, op, false);
    if (!op->done)
        hws_engine_wait(e, &op->done);
}

bool hws_engine_cancel_recv(struct hws_engine *e, struct hws_recv_op *op)
{
    hws_engine_lock(e);
    bool taken = op->match.queued && !op->done;
    if (taken) {
        hws_match_remove(&e->match, &op->match);
        hws_recv_finish(e, op, HWS_ECANCELLED);
    }
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
    return taken;
}

static struct hws_message *find_message(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, bool take,
                                        struct hws_envelope *env)
{
    struct hws_match_key key = {.ctx = ctx, .peer = peer, .tag = tag};
    struct hws_match_node *n = hws_match_find_unexpected(&e->match, &key, take);
    struct hws_message *m = n ? hws_container_of(n, struct hws_message, match) : NULL;
    if (!m && e->n_early)
        m = hws_recv_find_early(e, &key, take, true);
    if (!m)
        return NULL;
    env->peer = m->match.key.peer;
    env->tag = m->match.key.tag;
    env->len_bytes = m->msg_len;
    return m;
}

bool hws_engine_probe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, struct hws_envelope *env)
{
    hws_engine_lock(e);
    bool found = find_message(e, peer, ctx, tag, false, env);
    if (!found) {
        hws_engine_step(e, false);
        found = find_message(e, peer, ctx, tag, false, env);
    }
    if (!found)
        hws_engine_note_probe(e, peer);
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
    return found;
}

struct hws_message *hws_engine_mprobe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag,
                                      struct hws_envelope *env)
{
    hws_engine_lock(e);
    struct hws_message *m = find_message(e, peer, ctx, tag, true, env);
    if (!m) {
        hws_engine_step(e, false);
        m = find_message(e, peer, ctx, tag, true, env);
    }
    if (!m)
        hws_engine_note_probe(e, peer);
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
    return m;
}

unsigned hws_engine_any_lost(struct hws_engine *e, int *peer)
{
    hws_engine_lock(e);
    unsigned n = e->n_any_lost;
    *peer = e->any_lost;
    hws_engine_unlock(e);
    return n;
}

void hws_engine_mrecv(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    hws_engine_lock(e);
    op->done = false;
    op->err = HWS_OK;
    op->received = op->handle = 0;
    op->match.queued = false;
    hws_list_init(&op->node);
    attach(e, m, op);
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
}

/* ---- notes and generations ----------------------------------------------------------------------------------------
 */

struct note {
    struct hws_recv_op op;
    struct hws_engine *engine;
    uint8_t bytes[];
};

static void on_note(struct hws_recv_op *op)
{
    struct note *n = hws_container_of(op, struct note, op);
    const struct hws_engine_config *cfg = &n->engine->cfg;
    if (op->err == HWS_OK)
        cfg->on_note(cfg->lookup_arg, n->bytes, op->from_len);
    free(n);
}

/* Outside all that reads: what it starts may read, too. */
void hws_recv_notes(struct hws_engine *e)
{
    struct hws_match_key key = {.ctx = e->cfg.note_ctx, .peer = HWS_MATCH_ANY_PEER, .tag = HWS_MATCH_ANY_TAG};
    struct hws_match_node *next;
    e->notes_due = false;
    while ((next = hws_match_find_unexpected(&e->match, &key, false)) != NULL) {
        struct hws_message *m = hws_container_of(next, struct hws_message, match);
        struct note *n = malloc(sizeof *n + m->msg_len);
        if (!n)
            return; /* with the next one's coming */
        hws_match_remove(&e->match, next);
        memset(&n->op, 0, sizeof n->op);
        n->engine = e;
        n->op.data = (struct hws_data){.base = n->bytes, .len_bytes = m->msg_len};
        n->op.on_done = on_note;
        hws_engine_mrecv(e, m, &n->op);
    }
}

/* Only what has come whole and whose sender waits for nothing: a send that is not done may still be taken back. */
static void drop_old(struct hws_match_node *n, void *arg)
{
    struct hws_engine *e = arg;
    struct hws_message *m = hws_container_of(n, struct hws_message, match);
    struct hws_peer *p = m->peer;
    uint32_t charge = m->charge;
    if (m->self_op || m->send_handle || m->received < m->have)
        return;
    hws_match_remove(&e->match, n);
    hws_message_free(e, m);
    if (p && p->shm)
        hws_shm_give_credit(p->shm, charge);
    else if (p)
        hws_recv_give_credit(p, charge);
}

void hws_engine_ctx_begin(struct hws_engine *e, uint32_t ctx, int n_kinds)
{
    if (!hws_match_n_unexpected(&e->match) && !e->cfg.locking)
        return;
    hws_engine_lock(e);
    for (int i = 0; i < n_kinds; i++)
        hws_match_each_other(&e->match, ctx + (uint32_t)i, drop_old, e);
    hws_engine_unlock(e);
}

/* ---- a lost peer --------------------------------------------------------------------------------------------------
 */

struct failing {
    const struct hws_peer *peer;
    enum hws_err why;
};

static void fail_posted(struct hws_match_node *n, void *arg)
{
    struct failing *f = arg;
    struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, match);
    op->from_peer = f->peer->rank;
    hws_recv_finish(f->peer->engine, op, f->why);
}

/* A message whose payload will never be whole: no longer to be matched. One that the user has probed stays his. */
static void drop_message(struct hws_peer *p, struct hws_message *m)
{
    if (!m || !(m->match.queued || m->claimed || !hws_list_is_empty(&m->node)))
        return;
    hws_match_remove(&p->engine->match, &m->match);
    hws_list_remove(&m->node);
    hws_message_free(p->engine, m);
}

static void drop_sink(struct hws_lane *l, void *arg)
{
    struct hws_message *m = l->sink.msg;
    (void)arg;
    memset(&l->sink, 0, sizeof l->sink);
    l->frame_bytes = 0;
    drop_message(l->peer, m);
}

static void drop_partial(struct hws_peer *p)
{
    struct hws_list *n;
    hws_peer_each_lane(p, drop_sink, NULL);
    while ((n = hws_list_pop(&p->torn))) {
        struct hws_torn *t = hws_container_of(n, struct hws_torn, node);
        drop_message(p, t->sink.msg);
        free(t);
    }
}

void hws_recv_fail_any(struct hws_peer *p, enum hws_err why)
{
    p->engine->n_any_lost++;
    p->engine->any_lost = p->rank;
    hws_match_drain(&p->engine->match, HWS_MATCH_POSTED, HWS_ANY_PEER, false, fail_posted, &(struct failing){p, why});
}

void hws_recv_fail_all(struct hws_peer *p, enum hws_err why)
{
    struct failing f = {p, why};
    struct hws_list *n;
    drop_partial(p);
    while ((n = hws_list_pop(&p->under_way)))
        hws_recv_finish(p->engine, hws_container_of(n, struct hws_recv_op, node), why);
    hws_match_drain(&p->engine->match, HWS_MATCH_POSTED, p->rank, false, fail_posted, &f);
    if (p->state != HWS_PEER_GONE) /* a receive from any source might have waited for it */
        hws_recv_fail_any(p, why);
}

static void forget(struct hws_match_node *n, void *arg)
{
    hws_message_free(arg, hws_container_of(n, struct hws_message, match));
}

void hws_recv_forget_all(struct hws_engine *e)
{
    for (int i = 0; i < e->cfg.n_peers; i++)
        if (e->peers[i])
            drop_partial(e->peers[i]);
    hws_match_drain(&e->match, HWS_MATCH_UNEXPECTED, 0, true, forget, e);
}
