/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cancel: sends that are taken back (MPI 5.0 section 3.8.4). One that waits here has no number yet and never leaves.
 * For one that has left, its receiver is asked: it forgets the message if no receive or probe has matched it, and says
 * which. It keeps nothing about the question: when the message, or its turn, has not come yet (it may be on another
 * lane), the answer is to ask again.
 */
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

static void finish(struct hws_engine *e, struct hws_cancel_op *c, bool taken)
{
    hws_list_remove(&c->node);
    if (c->handle)
        hws_handle_free(e, c->handle);
    c->handle = 0;
    c->taken = taken;
    void (*on_done)(struct hws_cancel_op *) = c->on_done;
    c->done = true;
    if (on_done)
        on_done(c);
    hws_engine_notify(e);
}

/* The unexpected message of that number, or NULL. */
static struct hws_message *find_unmatched(struct hws_engine *e, const struct hws_match_key *key, uint32_t seq)
{
    struct hws_match_node *first = hws_match_find_unexpected(&e->match, key, false), *n = first;
    while (n) {
        struct hws_message *m = hws_container_of(n, struct hws_message, match);
        if (m->seq == seq)
            return m;
        n = hws_match_next_alike(n);
        if (n == first)
            return NULL;
    }
    return NULL;
}

/* ---- the receiver's side ----------------------------------------------------------------------------------------- */

/* Returns what it was charged for. */
static uint32_t forget(struct hws_engine *e, struct hws_message *m)
{
    uint32_t charge = m->charge;
    hws_match_remove(&e->match, &m->match);
    hws_message_free(e, m);
    return charge;
}

bool hws_cancel_forget(struct hws_engine *e, const struct hws_match_key *key, uint32_t seq, uint32_t *charge)
{
    struct hws_message *m = find_unmatched(e, key, seq);
    if (m)
        *charge = forget(e, m);
    return m != NULL;
}

static uint64_t judge(struct hws_peer *p, const struct hws_seq_row *row, const struct hws_frame *f)
{
    struct hws_engine *e = p->engine;
    struct hws_match_key key = {.ctx = f->ctx, .peer = p->number, .tag = f->tag};
    if ((int32_t)(f->seq - row->recv_next) >= 0)
        return p->in.flows ? hws_recv_judge_early(p, f) : HWS_CANCEL_ASK_AGAIN;
    struct hws_message *m = find_unmatched(e, &key, f->seq);
    if (!m)
        return HWS_CANCEL_NO;
    if (m->received < m->have)
        return HWS_CANCEL_ASK_AGAIN;
    hws_recv_give_credit(p, forget(e, m));
    return HWS_CANCEL_YES;
}

int hws_cancel_on_ask(struct hws_peer *p, const struct hws_frame *f)
{
    struct hws_seq_row *row = hws_peer_seq(p, f->ctx);
    if (!row)
        return HWS_ENOMEM;
    struct hws_frame answer = {.type = HWS_FRAME_CANCELLED, .send_handle = f->send_handle, .result = judge(p, row, f)};
    hws_recv_send_answer(p, &answer);
    if (answer.result == HWS_CANCEL_YES) /* it waits for the acknowledgment of what it sent, perhaps on another lane */
        hws_peer_ack_all(p);
    return HWS_OK;
}

/* ---- the sender's side ------------------------------------------------------------------------------------------- */

static void ask(struct hws_peer *p, const struct hws_cancel_op *c)
{
    if (p->shm) {
        hws_shm_ask_cancel(p->shm, c);
        return;
    }
    struct hws_frame f = {
        .type = HWS_FRAME_CANCEL, .ctx = c->ctx, .tag = c->tag, .seq = c->seq, .send_handle = c->handle};
    hws_recv_send_answer(p, &f);
}

int hws_cancel_on_answer(struct hws_peer *p, const struct hws_frame *f)
{
    const struct hws_cancel_op *c = hws_handle_get(p->engine, HWS_HANDLE_CANCEL, f->send_handle);
    if (f->result != HWS_CANCEL_ASK_AGAIN)
        return hws_cancel_end(p, f->send_handle, f->result == HWS_CANCEL_YES);
    if (!c || c->peer != p->number)
        return HWS_EPROTO;
    ask(p, c);
    return HWS_OK;
}

int hws_cancel_end(struct hws_peer *p, uint64_t handle, bool taken)
{
    struct hws_engine *e = p->engine;
    struct hws_cancel_op *c = hws_handle_get(e, HWS_HANDLE_CANCEL, handle);
    if (!c || c->peer != p->number)
        return HWS_EPROTO;
    if (taken && c->send_handle && !hws_send_take_back(p, c->send_handle))
        return HWS_EPROTO; /* the same end has said before that it is matched */
    finish(e, c, taken);
    return HWS_OK;
}

bool hws_cancel_end_offer(struct hws_peer *p, uint64_t send_handle, bool taken)
{
    bool some = false;
    for (struct hws_list *n = p->out.cancels.next, *next; n != &p->out.cancels; n = next) {
        struct hws_cancel_op *c = hws_container_of(n, struct hws_cancel_op, node);
        next = n->next;
        if (c->handle || c->send_handle != send_handle)
            continue;
        finish(p->engine, c, taken);
        some = true;
    }
    return some;
}

void hws_cancel_pending(struct hws_peer *p, struct hws_send_op *op)
{
    if (p->shm) {
        p->shm->sent.n--;
        p->shm->sent.n_slow--;
        p->shm->sent.payload -= op->data.len_bytes;
    } else {
        p->count.n_sent--;
        p->count.n_queued--;
        p->count.payload_sent -= op->data.len_bytes;
    }
    hws_list_remove(&op->node);
    hws_hold_taken_back(p);
    hws_send_finish(p->engine, op, HWS_ECANCELLED);
}

static bool take_back_from_self(struct hws_engine *e, const struct hws_cancel_op *c)
{
    struct hws_match_key key = {.ctx = c->ctx, .peer = c->peer, .tag = c->tag};
    struct hws_message *m = find_unmatched(e, &key, c->seq);
    if (!m)
        return false;
    struct hws_send_op *waits = m->self_op;
    hws_match_remove(&e->match, &m->match);
    hws_message_free(e, m);
    if (waits)
        hws_send_finish(e, waits, HWS_ECANCELLED);
    return true;
}

/* True: c is done. */
static bool is_decided(struct hws_engine *e, struct hws_cancel_op *c, struct hws_send_op *op)
{
    struct hws_peer *p = e->peers[c->peer];
    bool taken = false;
    if (c->peer == e->cfg.me)
        taken = take_back_from_self(e, c);
    else if (p && !hws_peer_is_leaving(p)) {
        taken = op && !op->numbered;
        if (taken && op->answer_due) /* it is offered: the answer decides */
            return false;
        if (taken)
            hws_cancel_pending(p, op);
        else if ((c->handle = hws_handle_new(e, HWS_HANDLE_CANCEL, c)) != 0)
            return false;
    }
    finish(e, c, taken);
    return true;
}

void hws_cancel_ask(struct hws_engine *e, struct hws_cancel_op *c)
{
    struct hws_send_op *op = c->send && !c->send->done ? c->send : NULL;
    c->done = false;
    c->handle = 0;
    c->send_handle = op ? op->handle : 0;
    if (op)
        c->seq = op->seq;
    hws_list_init(&c->node);
    if (!is_decided(e, c, op)) {
        struct hws_peer *p = e->peers[c->peer];
        hws_list_push(&p->out.cancels, &c->node);
        if (c->handle)
            ask(p, c);
    }
}

void hws_cancel_fail_all(struct hws_peer *p)
{
    while (!hws_list_is_empty(&p->out.cancels))
        finish(p->engine, hws_container_of(p->out.cancels.next, struct hws_cancel_op, node), false);
}
