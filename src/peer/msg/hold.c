/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hold: messages that stay with their sender for want of credit (docs/decisions/020-what-an-envelope-costs.md).
 * Whatever begins a message costs credit, an envelope at least; where there is not even that much, the message waits in
 * the sender's pending list.
 *
 * A receive or probe that finds nothing may wait for just such a message. So the receiver, while a peer is short of
 * credit as far as it knows, names to it what is wanted (WANT). The peer answers with what its list holds of that
 * context, up to the first message that fits, each as an RTS without payload that costs nothing; messages of other
 * contexts stay behind. Where a receive is posted that names the tag, that one message comes alone: it is offered out
 * of turn, without a number, and taken if that receive is still there and is the oldest that takes it, so that nothing
 * is overtaken that could have had it. Else it is declined, and is as if nothing had been. A wish for which nothing
 * waits is kept until something does. The frame that fulfils a wish says so, so both ends forget it: what the receiver
 * believes to have asked for, the sender knows or it is on its way.
 */
#include <stdlib.h>

#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

#define FAR_BEHIND   (1u << 30) /* message numbers: more than can be under way, less than half of what wraps */
#define TELL_PART    8  /* of a grant: if as much is owed, telling it serves a peer that is short better than asking */
#define FIRST_WISHES 64 /* told, after which those that are out of date are dropped */

static bool fits(const struct hws_wish *w, uint32_t ctx, int32_t tag)
{
    return w->ctx == ctx && (w->tag == HWS_WIRE_ANY_TAG || w->tag == tag);
}

static bool add(struct hws_peer *p, struct hws_wishes *list, const struct hws_wish *w)
{
    if (list->n == list->cap) {
        unsigned cap = list->cap ? 2 * list->cap : 8;
        struct hws_wish *more = realloc(list->w, cap * sizeof *more);
        if (!more) {
            hws_peer_lose(p, HWS_ENOMEM, "out of memory for the list of wanted messages");
            return false;
        }
        list->w = more;
        list->cap = cap;
    }
    list->w[list->n++] = *w;
    return true;
}

/* True: some wish was for it. */
static bool drop_fulfilled(struct hws_wishes *list, uint32_t ctx, int32_t tag)
{
    unsigned n = 0;
    for (unsigned i = 0; i < list->n; i++)
        if (!fits(&list->w[i], ctx, tag))
            list->w[n++] = list->w[i];
    bool some = n < list->n;
    list->n = n;
    return some;
}

static struct hws_wish *find(const struct hws_wishes *list, uint32_t ctx, int32_t tag, bool is_posted)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->w[i].ctx == ctx && list->w[i].tag == tag && list->w[i].is_posted == is_posted)
            return &list->w[i];
    return NULL;
}

static void drop(struct hws_wishes *list, struct hws_wish *w)
{
    *w = list->w[--list->n];
}

/* ---- the sender's side ------------------------------------------------------------------------------------------- */

static struct hws_send_op *first_that_fits(const struct hws_peer *p, const struct hws_wish *w)
{
    for (struct hws_list *n = p->out.pending.next; n != &p->out.pending; n = n->next) {
        struct hws_send_op *op = hws_container_of(n, struct hws_send_op, node);
        if (fits(w, op->ctx, op->tag))
            return op;
    }
    return NULL;
}

/* It goes, with all of its context that is in front of it: behind those that go already. */
static void release_up_to(struct hws_peer *p, const struct hws_send_op *last)
{
    struct hws_list *at = p->out.pending.next;
    while (at != &p->out.pending && hws_container_of(at, struct hws_send_op, node)->is_asked)
        at = at->next;
    for (struct hws_list *n = at, *next; n != &p->out.pending; n = next) {
        struct hws_send_op *op = hws_container_of(n, struct hws_send_op, node);
        next = n->next;
        if (op->ctx != last->ctx)
            continue;
        op->is_asked = true;
        if (n == at) {
            at = next;
        } else {
            hws_list_remove(n);
            hws_list_push(at, n); /* in front of it */
        }
        if (op == last)
            return;
    }
}

static bool is_first_of_context(const struct hws_peer *p, const struct hws_send_op *op)
{
    const struct hws_list *n = p->out.pending.next;
    while (hws_container_of(n, const struct hws_send_op, node)->ctx != op->ctx)
        n = n->next;
    return n == &op->node;
}

/* It stays in its place until the answer comes. False: not now. */
static bool offer(struct hws_peer *p, struct hws_send_op *op)
{
    if (p->shm && !hws_shm_offer_has_room(p->shm))
        return false;
    op->handle = hws_handle_new(p->engine, HWS_HANDLE_SEND, op);
    if (!op->handle) {
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for the table of sends");
        return true;
    }
    op->answer_due = true;
    p->engine->count.n_rts++;
    p->engine->count.n_no_credit++;
    if (p->shm) {
        hws_shm_offer(p->shm, op);
        return true;
    }
    struct hws_frame f = {.type = HWS_FRAME_RTS,
                          .flags = HWS_FRAME_FREE | HWS_FRAME_OFFER,
                          .ctx = op->ctx,
                          .tag = op->tag,
                          .seq = hws_peer_seq(p, op->ctx)->send_next,
                          .send_handle = op->handle,
                          .msg_len = op->data.len_bytes};
    hws_recv_send_answer(p, &f);
    return true;
}

static void settle(struct hws_peer *p, struct hws_wish *w)
{
    struct hws_send_op *op = first_that_fits(p, w);
    if (!op)
        return;
    if (w->is_posted && !op->is_asked && !op->answer_due && !is_first_of_context(p, op)) {
        w->found = offer(p, op);
        p->hold.wishes.look |= !w->found;
        return;
    }
    w->found = true;
    if (!op->is_asked && !(w->is_posted && op->answer_due))
        release_up_to(p, op);
}

void hws_hold_settle(struct hws_peer *p)
{
    p->hold.wishes.look = false;
    for (unsigned i = 0; i < p->hold.wishes.n && !hws_peer_is_over(p); i++)
        if (!p->hold.wishes.w[i].found)
            settle(p, &p->hold.wishes.w[i]);
}

static void pump_soon(struct hws_peer *p)
{
    p->hold.wishes.look = true;
    if (p->shm)
        hws_shm_make_busy(p->shm);
    else
        hws_peer_hold_all(p);
}

void hws_hold_waits(struct hws_peer *p, const struct hws_send_op *op)
{
    for (unsigned i = 0; i < p->hold.wishes.n; i++)
        if (!p->hold.wishes.w[i].found && fits(&p->hold.wishes.w[i], op->ctx, op->tag)) {
            pump_soon(p);
            return;
        }
}

void hws_hold_taken_back(struct hws_peer *p)
{
    for (unsigned i = 0; i < p->hold.wishes.n; i++)
        p->hold.wishes.w[i].found = false;
    if (p->hold.wishes.n)
        pump_soon(p);
}

uint8_t hws_hold_flags(struct hws_peer *p, const struct hws_send_op *op)
{
    return HWS_FRAME_FREE | (drop_fulfilled(&p->hold.wishes, op->ctx, op->tag) ? HWS_FRAME_ANSWERS : 0);
}

/* The offer is answered: its wish is over, unless it came again meanwhile or nothing has been decided. */
static void end_wish(struct hws_peer *p, const struct hws_send_op *op, bool stays)
{
    struct hws_wish *w = find(&p->hold.wishes, op->ctx, op->tag, true);
    if (w && (stays || w->again))
        w->found = w->again = false;
    else if (w)
        drop(&p->hold.wishes, w);
}

/* No number that the receiver knows will ever be like this one, so that a question about this message is answered by
 * no. */
static uint32_t far_behind(struct hws_peer *p, uint32_t ctx)
{
    return (p->shm ? p->shm->n_put : hws_peer_seq(p, ctx)->send_next) - FAR_BEHIND;
}

void hws_hold_accepted(struct hws_peer *p, struct hws_send_op *op)
{
    op->numbered = true;
    op->seq = far_behind(p, op->ctx);
    end_wish(p, op, false);
    hws_cancel_end_offer(p, op->handle, false);
    for (unsigned i = 0; i < p->hold.wishes.n; i++)
        p->hold.wishes.w[i].found = false; /* it may have been to go out for another one, too */
    pump_soon(p);
}

int hws_hold_on_decline(struct hws_peer *p, uint64_t handle, bool again)
{
    struct hws_send_op *op = hws_handle_get(p->engine, HWS_HANDLE_SEND, handle);
    if (!op || op->peer != p->number || !op->answer_due || op->numbered)
        return HWS_EPROTO;
    end_wish(p, op, again);
    hws_handle_free(p->engine, handle);
    op->handle = 0;
    op->answer_due = false;
    pump_soon(p);
    if (hws_cancel_end_offer(p, handle, true))
        hws_cancel_pending(p, op);
    return HWS_OK;
}

void hws_hold_on_want(struct hws_peer *p, uint32_t ctx, int32_t tag, uint32_t list, bool is_posted)
{
    int32_t newer = (int32_t)(list - p->hold.wishes.number);
    if (newer < 0)
        return;
    if (newer > 0)
        p->hold.wishes.n = 0;
    p->hold.wishes.number = list;
    struct hws_wish *known = find(&p->hold.wishes, ctx, tag, is_posted);
    if (known)
        known->again = known->found;
    if (known || !add(p, &p->hold.wishes, &(struct hws_wish){.ctx = ctx, .tag = tag, .is_posted = is_posted}))
        return;
    if (!hws_list_is_empty(&p->out.pending))
        pump_soon(p);
}

/* ---- the receiver's side ----------------------------------------------------------------------------------------- */

static uint64_t grant(const struct hws_peer *p)
{
    return p->shm ? p->shm->grant : p->account.grant;
}

/* Consumed here, and not yet told. */
static uint64_t owed(const struct hws_peer *p)
{
    return p->shm ? p->shm->returned - p->shm->told : p->account.owed;
}

/* It knows of less credit than an envelope costs. */
static bool is_short(const struct hws_peer *p)
{
    uint64_t used = (p->shm ? p->shm->in_use : p->account.in_use) + owed(p);
    return !hws_peer_is_over(p) && used + HWS_ENVELOPE > grant(p);
}

static void tell_owed(struct hws_peer *p)
{
    if (p->shm)
        hws_shm_tell(p->shm);
    else
        hws_recv_tell_credit(p);
}

static void unlist(struct hws_peer *p)
{
    if (hws_list_is_empty(&p->hold.short_node))
        return;
    hws_list_remove(&p->hold.short_node);
    p->engine->early.n_short--;
    p->engine->early.n--;
}

static void send_wish(struct hws_peer *p, const struct hws_wish *w)
{
    struct hws_frame f = {.type = HWS_FRAME_WANT,
                          .flags = w->is_posted ? HWS_FRAME_OFFER : 0,
                          .ctx = w->ctx,
                          .tag = w->tag,
                          .seq = p->hold.told.number};
    if (p->shm)
        hws_shm_want(p->shm, w->ctx, w->tag, p->hold.told.number, w->is_posted);
    else
        hws_recv_send_answer(p, &f);
    p->engine->count.n_wants++;
}

static void want_posted(struct hws_peer *p);

/* One for any tag gets what comes next in order; so does a probe, which takes nothing. */
static void want(struct hws_peer *p, uint32_t ctx, int32_t tag, bool is_posted)
{
    struct hws_wish w = {
        .ctx = ctx, .tag = tag == HWS_ANY_TAG ? HWS_WIRE_ANY_TAG : tag, .is_posted = is_posted && tag != HWS_ANY_TAG};
    if (find(&p->hold.told, w.ctx, w.tag, w.is_posted))
        return;
    if (p->hold.told.n >= p->hold.told.max) { /* most are of receives that got something else */
        p->hold.told.number++;
        p->hold.told.n = 0;
        p->hold.told.max = UINT32_MAX;
        want_posted(p);
        p->hold.told.max = 2 * p->hold.told.n > FIRST_WISHES ? 2 * p->hold.told.n : FIRST_WISHES;
        if (find(&p->hold.told, w.ctx, w.tag, w.is_posted))
            return;
    }
    if (add(p, &p->hold.told, &w))
        send_wish(p, &w);
}

static void want_one(const struct hws_match_key *key, void *arg)
{
    struct hws_peer *p = arg;
    if (key->peer == HWS_ANY_PEER || key->peer == p->number)
        want(p, key->ctx, key->tag, true);
}

static void want_posted(struct hws_peer *p)
{
    hws_match_each_posted(&p->engine->match, want_one, p);
}

void hws_hold_shortens(struct hws_peer *p)
{
    struct hws_engine *e = p->engine;
    if (!hws_list_is_empty(&p->hold.short_node) || !is_short(p))
        return;
    hws_grant_adjust(p);
    if (owed(p) >= grant(p) / TELL_PART) {
        tell_owed(p);
        return;
    }
    hws_list_push(&e->early.shorts, &p->hold.short_node);
    e->early.n_short++;
    e->early.n++;
    if (!p->hold.told.max)
        p->hold.told.max = FIRST_WISHES;
    want_posted(p);
}

static void wish_of(struct hws_peer *p, const struct hws_match_key *key, bool is_posted)
{
    if (is_short(p) && owed(p) >= HWS_ENVELOPE)
        tell_owed(p);
    if (is_short(p))
        want(p, key->ctx, key->tag, is_posted);
    else
        unlist(p);
}

void hws_hold_wish(struct hws_engine *e, const struct hws_match_key *key, bool is_posted)
{
    for (struct hws_list *n = e->early.shorts.next, *next; n != &e->early.shorts; n = next) {
        struct hws_peer *p = hws_container_of(n, struct hws_peer, hold.short_node);
        next = n->next;
        if (key->peer == HWS_ANY_PEER || key->peer == p->number)
            wish_of(p, key, is_posted);
    }
}

void hws_hold_answered(struct hws_peer *p, uint32_t ctx, int32_t tag)
{
    struct hws_match *m = &p->engine->match;
    const int32_t tags[] = {tag, HWS_ANY_TAG}, peers[] = {p->number, HWS_ANY_PEER};
    drop_fulfilled(&p->hold.told, ctx, tag);
    for (size_t i = 0; i < HWS_ARRAY_LEN(tags) * HWS_ARRAY_LEN(peers) && !hws_list_is_empty(&p->hold.short_node); i++) {
        struct hws_match_key key = {.ctx = ctx, .peer = peers[i % 2], .tag = tags[i / 2]};
        if (hws_match_is_posted(m, &key))
            wish_of(p, &key, true);
    }
}

void hws_hold_judged(struct hws_peer *p, uint32_t ctx, int32_t tag)
{
    struct hws_wish *w = find(&p->hold.told, ctx, tag, true);
    const int32_t peers[] = {p->number, HWS_ANY_PEER};
    if (w)
        drop(&p->hold.told, w);
    for (int i = 0; i < 2 && !hws_list_is_empty(&p->hold.short_node); i++) {
        struct hws_match_key key = {.ctx = ctx, .peer = peers[i], .tag = tag};
        if (hws_match_is_posted(&p->engine->match, &key))
            wish_of(p, &key, true);
    }
}

void hws_hold_end(struct hws_peer *p)
{
    unlist(p);
    free(p->hold.wishes.w);
    free(p->hold.told.w);
    p->hold.wishes = p->hold.told = (struct hws_wishes){0};
}
