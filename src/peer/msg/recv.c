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
#include "peer/conn/conn.h"
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/up.h"

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

/* The match is made: tell a sender that waits for it. `have` bytes come with the first fragment; late: the message had
 * come before the receive. */
static void answer(struct hws_peer *p, struct hws_recv_op *op, uint8_t type, uint64_t send_handle, uint32_t have,
                   bool late)
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
    f.flags = late ? HWS_FRAME_LATE : 0;
    f.msg_len = op->expect;
    if (op->expect > have) {
        hws_peer_note_announced(p);
        op->handle = f.recv_handle = hws_handle_new(p->engine, HWS_HANDLE_RECV, op);
        if (!op->handle) {
            hws_peer_lose(p, HWS_ENOMEM, "out of memory for the table of receives");
            return;
        }
        if (p->engine->early.n) /* the rest is behind what waits in the same flow */
            hws_recv_want_held(p->engine,
                               &(struct hws_match_key){.ctx = op->ctx, .peer = p->number, .tag = op->from_tag}, false);
    }
    hws_recv_send_answer(p, &f);
    if (!f.recv_handle)
        hws_peer_ack_all(p); /* nothing more comes: the sender waits for the acknowledgment of what he sent */
}

/* ---- a receive meets a message ----------------------------------------------------------------------------------- */

/* All of the first fragment is here: hand it over and forget the message. */
static void complete_message(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    uint64_t n = m->have < op->expect ? m->have : op->expect;
    hws_recv_copy_in(op, 0, m->data, n);
    op->received += n;
    if (m->peer)
        hws_recv_give_credit(m->peer, m->charge);
    hws_message_free(e, m);
    hws_recv_finish_if_whole(e, op);
}

void hws_recv_attach(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    struct hws_peer *p = m->peer;
    if (m->self_op) {
        struct hws_send_op *from = m->self_op;
        hws_message_free(e, m);
        hws_recv_take_self(e, from, op);
        return;
    }
    if (p && p->shm) {
        hws_shm_take(e, m, op);
        return;
    }
    hws_recv_matched(op, p ? p->number : e->cfg.me, m->match.key.tag, m->msg_len);
    bool whole = m->received == m->have;
    if (p && hws_peer_is_over(p) && (!whole || op->expect > m->have)) {
        hws_message_free(e, m);
        hws_recv_finish(e, op, HWS_EPEERDEAD);
        return;
    }
    if (p) {
        hws_list_push(&p->in.under_way, &op->node);
        answer(p, op, m->type, m->send_handle, m->have, m->waited);
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
        hws_recv_attach(e, m, hws_container_of(n, struct hws_recv_op, match));
    else
        hws_recv_queue_unexpected(e, m);
}

/* Messages that waited for this one, in order. */
static void deliver_parked(struct hws_peer *p, struct hws_seq_row *row)
{
    bool again = !hws_list_is_empty(&p->in.parked);
    while (again) {
        again = false;
        for (struct hws_list *n = p->in.parked.next; n != &p->in.parked; n = n->next) {
            struct hws_message *m = hws_container_of(n, struct hws_message, node);
            if ((m->ctx ^ (row->ctx_plus_1 - 1)) & p->engine->ctx_mask || m->seq != row->recv_next)
                continue;
            row->recv_next++;
            hws_list_remove(n);
            p->engine->early.n -= p->in.flows && !m->passed;
            if (m->passed)
                hws_message_free(p->engine, m);
            else
                deliver_message(p->engine, m);
            again = true;
            break;
        }
    }
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

bool hws_recv_eager_fast(struct hws_lane *l, const struct hws_frame *f, const uint8_t *payload)
{
    struct hws_peer *p = l->peer;
    struct hws_engine *e = p->engine;
    struct hws_seq_row *row = hws_peer_seq(p, f->ctx);
    if (!row || row->recv_next != f->seq || !hws_list_is_empty(&p->in.parked))
        return false;
    struct hws_match_key key = {.ctx = f->ctx, .peer = p->number, .tag = f->tag};
    struct hws_match_node *n = hws_match_take_posted(&e->match, &key);
    uint32_t charge = f->len + HWS_ENVELOPE;
    if (n) {
        struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, match);
        row->recv_next++;
        p->count.n_came++;
        hws_recv_matched(op, p->number, f->tag, f->len);
        hws_recv_copy_in(op, 0, payload, op->expect);
        hws_recv_give_credit(p, charge);
        hws_recv_finish(e, op, f->len > op->data.len_bytes ? HWS_ETRUNCATE : HWS_OK);
        return true;
    }
    struct hws_message *m = hws_message_new(e, p, &key, f->len);
    if (!m)
        return false;
    row->recv_next++;
    p->count.n_came++;
    m->type = f->type;
    m->seq = f->seq;
    m->msg_len = f->len;
    m->charge = charge;
    m->received = f->len;
    if (f->len)
        hws_copy_long(m->data, payload, f->len);
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
    l->in.sink.msg = m;
    l->in.sink.dst = m->data;
    if (park) {
        hws_list_push(&p->in.parked, &m->node);
        p->engine->early.n += p->in.flows;
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

static void first_matched(struct hws_lane *l, const struct hws_frame *f, struct hws_recv_op *op)
{
    struct hws_peer *p = l->peer;
    hws_recv_matched(op, p->number, f->tag, f->type == HWS_FRAME_RTS ? f->msg_len : f->len);
    hws_list_push(&p->in.under_way, &op->node);
    sink_into_recv(&l->in.sink, op, 0, f->len < op->expect ? f->len : op->expect);
    l->in.sink.charge = hws_frag_charge(f->flags & HWS_FRAME_FREE, f->len, HWS_ENVELOPE);
    answer(p, op, f->type, f->send_handle, f->len, false);
}

/* Before its turn: parked, unless it is certain which receive gets it. */
static int first_ahead(struct hws_lane *l, const struct hws_frame *f, const struct hws_match_key *key)
{
    struct hws_recv_op *op = NULL;
    int rc = l->peer->in.flows ? hws_recv_early(l, f, key, &op) : HWS_OK;
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
    struct hws_match_key key = {.ctx = f->ctx, .peer = p->number, .tag = f->tag};
    if (!row)
        return HWS_ENOMEM;
    if (!hws_list_is_empty(&p->in.torn) && hws_recv_mend(l, f))
        return HWS_OK;
    int32_t ahead = (int32_t)(f->seq - row->recv_next);
    if (ahead < 0)
        return HWS_EPROTO;
    p->count.n_came++;
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
    struct hws_match_key key = {.ctx = f->ctx, .peer = p->number, .tag = f->tag};
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
        p->count.n_came++;
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
    if (!op || op->handle != f->recv_handle || op->from_peer != p->number)
        return HWS_EPROTO;
    if (f->len == 0 || f->offset + f->len > op->expect || op->received + f->len > op->expect)
        return HWS_EPROTO;
    sink_into_recv(&l->in.sink, op, f->offset, f->len);
    return HWS_OK;
}

void hws_recv_body_done(struct hws_lane *l)
{
    struct hws_sink s = l->in.sink;
    struct hws_engine *e = l->peer->engine;
    memset(&l->in.sink, 0, sizeof l->in.sink);
    if (s.came)
        hws_kinds_came(e, s.came);
    if (s.msg && s.msg->claimed) {
        complete_message(e, s.msg, s.msg->claimed);
        l->peer->in.ack_now |= l->keeps && l->in.frame.type == HWS_FRAME_RTS; /* the rest may have come before it */
    }
    if (!s.op)
        return;
    if (s.charge)
        hws_recv_give_credit(l->peer, s.charge);
    s.op->received += s.frame_len - s.discard;
    l->peer->in.ack_now |=
        l->keeps && !hws_frame_is(l->in.frame.type, HWS_FRAMES_WHOLE) && s.op->received >= s.op->expect;
    hws_recv_finish_if_whole(e, s.op);
}
