/* SPDX-License-Identifier: BSD-3-Clause
 *
 * msg: messages over lanes: sending, receiving, credit, taking back.
 */
#ifndef HWS_PEER_MSG_MSG_H
#define HWS_PEER_MSG_MSG_H

#include "base/copy.h"
#include "peer/kinds.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"

/* The engine's own fields of a send that begins. */
static inline void hws_send_op_init(struct hws_engine *e, struct hws_send_op *op)
{
    op->engine = e;
    op->done = op->answer_due = op->taken_back = op->numbered = op->is_asked = false;
    op->err = HWS_OK;
    op->handle = op->offset = op->limit = 0;
    op->n_queued = 0;
    hws_list_init(&op->node);
}

/* send.c */
void hws_send_start(struct hws_peer *p, struct hws_send_op *op, bool hold);
void hws_send_to_lost(struct hws_peer *p, struct hws_send_op *op); /* its end, at once */
bool hws_send_take_back(struct hws_peer *p, uint64_t handle); /* the receiver has forgotten it; false: no such send */
int hws_send_on_cts(struct hws_peer *p, const struct hws_frame *f);
int hws_send_on_ack(struct hws_peer *p, const struct hws_frame *f);
void hws_send_fail_all(struct hws_peer *p, enum hws_err why);

/* hold.c: messages held back for want of credit. The sender's side: */
void hws_hold_settle(struct hws_peer *p); /* the wishes are met: what is wanted goes first */
void hws_hold_waits(struct hws_peer *p, const struct hws_send_op *op);    /* it was put into the pending list */
void hws_hold_taken_back(struct hws_peer *p);                             /* some send was taken out of the list */
uint8_t hws_hold_flags(struct hws_peer *p, const struct hws_send_op *op); /* of its RTS, when it goes without credit */
void hws_hold_on_want(struct hws_peer *p, uint32_t ctx, int32_t tag, uint32_t list, bool is_posted);
void hws_hold_accepted(struct hws_peer *p, struct hws_send_op *op); /* an offer is; it is still in the pending list */
int hws_hold_on_decline(struct hws_peer *p, uint64_t handle, bool again);
/* The receiver's: */
void hws_hold_wish(struct hws_engine *e, const struct hws_match_key *key,
                   bool is_posted); /* if n_short: a receive, or a probe, has found nothing */
void hws_hold_answered(struct hws_peer *p, uint32_t ctx, int32_t tag); /* a message came that was wished for */
void hws_hold_judged(struct hws_peer *p, uint32_t ctx, int32_t tag);   /* an offer was taken or declined */
void hws_hold_end(struct hws_peer *p);

/* There is no credit even for an envelope. Where the link leaves unread what nobody wants, it bounds what comes itself.
 */
static inline bool hws_hold_must_wait(const struct hws_peer *p)
{
    return p->account.credit < HWS_ENVELOPE && !(p->n_up && p->up[0]->link->offer_again);
}

/* grant.c */
uint64_t hws_grant_local(const struct hws_engine_config *cfg);
void hws_grant_end(struct hws_peer *p);

/* cancel.c */
void hws_cancel_ask(struct hws_engine *e, struct hws_cancel_op *c);
int hws_cancel_on_ask(struct hws_peer *p, const struct hws_frame *f);
int hws_cancel_on_answer(struct hws_peer *p, const struct hws_frame *f);
void hws_cancel_fail_all(struct hws_peer *p);
void hws_cancel_pending(struct hws_peer *p, struct hws_send_op *op);             /* takes back one that has not left */
bool hws_cancel_end_offer(struct hws_peer *p, uint64_t send_handle, bool taken); /* true: somebody had asked for it */
int hws_cancel_end(struct hws_peer *p, uint64_t handle, bool taken);             /* the answer is yes or no */
bool hws_cancel_forget(struct hws_engine *e, const struct hws_match_key *key, uint32_t seq,
                       uint32_t *charge); /* true: it was here */

/* early.c: messages of peers with flows that come before their turn */
int hws_recv_early(struct hws_lane *l, const struct hws_frame *f, const struct hws_match_key *key,
                   struct hws_recv_op **op);
/* One that this receive or probe may have before its turn; NULL: none. `take`: it leaves the list. What waits unread
 * for it is read soon; for a probe, `sure`, as nothing is posted. */
struct hws_message *hws_recv_find_early(struct hws_engine *e, const struct hws_match_key *key, bool take, bool sure);
void hws_recv_want_held(struct hws_engine *e, const struct hws_match_key *key,
                        bool sure);       /* if n_early: what waits unread for that */
void hws_recv_parked(struct hws_peer *p); /* a message waits for its turn: what is left unread of older generations may
                                             be in front of it */
uint64_t hws_recv_judge_early(struct hws_peer *p,
                              const struct hws_frame *f); /* CANCEL of a message whose turn has not come */

/* kinds.c: frames of rooms above the engine */
void hws_kinds_init(struct hws_engine *e);
void hws_kinds_fini(struct hws_engine *e);
void hws_kinds_start(struct hws_engine *e, struct hws_frame_op *op);
void hws_kinds_send(struct hws_peer *p, struct hws_frame_op *op); /* the same, to another process; begun */
void hws_kinds_sent(struct hws_engine *e, struct hws_frame_op *op, enum hws_err err); /* its end */
bool hws_kinds_put_next(struct hws_peer *p, struct hws_lane *l);                      /* false: none waits */
void hws_kinds_fail_all(struct hws_peer *p, enum hws_err why);
/* A frame begins: the memory for it, to be given to hws_kinds_came() when it is whole, or freed. Else an error, and the
 * peer is lost for it. */
int hws_kinds_begin(struct hws_peer *p, uint8_t kind, uint32_t len, struct hws_came **out);
void hws_kinds_came(struct hws_engine *e, struct hws_came *c);
void hws_kinds_hand_over(struct hws_engine *e) __attribute__((cold)); /* if frames_came; outside all that reads */

/* recv.c */
int hws_recv_on_first(struct hws_lane *l, const struct hws_frame *f); /* sets the sink */
int hws_recv_on_bulk(struct hws_lane *l, const struct hws_frame *f);
void hws_recv_attach(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op); /* the match is made */
void hws_recv_send_answer(struct hws_peer *p, struct hws_frame *f);                        /* a frame without payload */

/* self.c */
void hws_recv_self(struct hws_engine *e, struct hws_send_op *op);
void hws_recv_take_self(struct hws_engine *e, struct hws_send_op *from, struct hws_recv_op *op);

/* torn.c */
bool hws_recv_mend(struct hws_lane *l,
                   const struct hws_frame *f); /* true: the frame is one that was torn, and the sink is what it was */

/* lost.c */
void hws_recv_fail_all(struct hws_peer *p, enum hws_err why);
void hws_recv_fail_any(struct hws_peer *p,
                       enum hws_err why);       /* receives from any source; p was the last one that could have sent */
void hws_recv_forget_all(struct hws_engine *e); /* at the engine's end: messages that nobody received */

/* message.c */
/* For `have` bytes of payload, which the caller fills in. NULL: no memory. */
struct hws_message *hws_message_new(struct hws_engine *e, struct hws_peer *p, const struct hws_match_key *key,
                                    uint32_t have);
void hws_recv_queue_unexpected(struct hws_engine *e, struct hws_message *m);
void hws_message_free(struct hws_engine *e, struct hws_message *m);

/* A message's bytes have left the engine's memory. */
static inline void hws_recv_give_credit(struct hws_peer *p, uint32_t charge)
{
    p->account.in_use -= charge;
    p->account.owed += charge;
    if (__builtin_expect(p->account.owed >= p->account.grant / 2, 0))
        hws_recv_tell_credit(p);
}

static inline void hws_recv_finish(struct hws_engine *e, struct hws_recv_op *op, enum hws_err err)
{
    if (op->handle)
        hws_handle_free(e, op->handle);
    op->handle = 0;
    op->err = err;
    void (*on_done)(struct hws_recv_op *) = op->on_done;
    op->done = true;
    if (on_done)
        on_done(op);
    hws_engine_notify(e);
}

static inline void hws_recv_finish_if_whole(struct hws_engine *e, struct hws_recv_op *op)
{
    if (op->received < op->expect)
        return;
    hws_list_remove(&op->node);
    hws_recv_finish(e, op, op->from_len > op->data.len_bytes ? HWS_ETRUNCATE : HWS_OK);
}

static inline void hws_recv_copy_in(struct hws_recv_op *op, uint64_t offset, const uint8_t *src, size_t n)
{
    if (!n)
        return;
    if (__builtin_expect(op->data.layout != NULL, 0))
        op->data.layout->unpack(op->data.layout, op->data.base, offset, src, n);
    else
        hws_copy((uint8_t *)op->data.base + offset, src, n);
}

static inline void hws_recv_matched(struct hws_recv_op *op, int peer, int32_t tag, uint64_t len)
{
    op->from_peer = peer;
    op->from_tag = tag;
    op->from_len = len;
    op->expect = len < op->data.len_bytes ? len : op->data.len_bytes;
}

#endif
