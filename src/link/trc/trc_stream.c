/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_stream: the connections of flows. Opened on first use, by the end that dialed the main connection (the other one
 * asks with OPEN). Closed by agreement when there are too many:
 *
 *   dialer: CLOSING on main, FIN on the stream         acceptor: reads the stream to its FIN, whoever waits for its
 * messages dialer: reads to the FIN, closes        <- FIN --  acceptor: FIN behind what it has sent, reads on to the
 * end, closes
 *
 * So each end has read everything before the connection goes. From the first step on the flow is free for a new stream,
 * which is dialed only when the old one is closed: its messages cannot overtake the old one's. Only streams that the
 * acceptor is known to have are closed, and are named by an id, as the main connection is another one. The states are
 * those of trc_state.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "link/trc/trc_priv.h"

#define RETRY_MS 100 /* after descriptors ran out, or the network was away */

static struct hws_list *bucket_of(struct hws_trc_link *l, uint64_t flow)
{
    return &l->buckets[(flow * 0x9e3779b97f4a7c15u) >> (64 - HWS_TRC_BUCKET_BITS)]; /* 2^64 / golden ratio */
}

static struct hws_trc_stream *find_flow(struct hws_trc_link *l, uint64_t flow)
{
    struct hws_list *b = bucket_of(l, flow);
    for (struct hws_list *n = b->next; n != b; n = n->next) {
        struct hws_trc_stream *s = hws_container_of(n, struct hws_trc_stream, node);
        if (s->flow == flow)
            return s;
    }
    return NULL;
}

static struct hws_trc_stream *find_dying(struct hws_trc_link *l, uint64_t flow)
{
    for (struct hws_list *n = l->dying.next; n != &l->dying; n = n->next) {
        struct hws_trc_stream *s = hws_container_of(n, struct hws_trc_stream, node);
        if (s->flow == flow)
            return s;
    }
    return NULL;
}

static void each_in(struct hws_list *list, void (*fn)(struct hws_trc_stream *s, bool arg), bool arg)
{
    for (struct hws_list *n = list->next, *next = n->next; n != list; n = next, next = n->next)
        fn(hws_container_of(n, struct hws_trc_stream, node), arg);
}

void hws_trc_each(struct hws_trc_link *l, void (*fn)(struct hws_trc_stream *s, bool arg), bool arg)
{
    for (int i = 0; i < HWS_TRC_BUCKETS; i++)
        each_in(&l->buckets[i], fn, arg);
    each_in(&l->dying, fn, arg);
}

void hws_trc_stream_touch(struct hws_trc_stream *s)
{
    struct hws_list *used = &s->l->t->used;
    if (used->prev == &s->used || !s->inner || hws_trc_is_in(s, HWS_STREAMS_DYING))
        return;
    hws_list_remove(&s->used);
    hws_list_push(used, &s->used);
}

/* ---- closing ----------------------------------------------------------------------------------------------------- */

/* Whatever is left on it is read, whoever waits for it; the flow is free for a new one. */
static void begin_to_die(struct hws_trc_stream *s, enum hws_stream_state next, const char *why)
{
    hws_trc_stream_become(s, next, why);
    hws_list_remove(&s->node);
    hws_list_push(&s->l->dying, &s->node);
    hws_list_remove(&s->used);
    hws_trc_release(s);
}

static void put_fin(struct hws_trc_stream *s)
{
    hws_trc_put(s, HWS_TRC_FIN, NULL, 0);
}

static void shed(struct hws_trc_stream *s)
{
    if (s->l->dialer) {
        hws_trc_tell(s->l, HWS_TRC_CLOSING, s->id);
        begin_to_die(s, HWS_STREAM_CLOSING, "too many");
        put_fin(s);
        return;
    }
    hws_trc_stream_become(s, HWS_STREAM_SHEDDING, "too many");
    hws_trc_tell(s->l, HWS_TRC_SHED, s->id);
}

/* The least recently used one, of those with nothing to send if there are such; none, if none can be closed now. */
static void shed_one(struct hws_trc *t)
{
    struct hws_trc_stream *best = NULL;
    for (struct hws_list *n = t->used.next; n != &t->used && !(best && !best->first); n = n->next) {
        struct hws_trc_stream *s = hws_container_of(n, struct hws_trc_stream, used);
        if (s->state == HWS_STREAM_UP && s->l->dead == HWS_OK && (!best || !s->first))
            best = s;
    }
    if (best)
        shed(best);
}

void hws_trc_no_files(struct hws_trc *t)
{
    t->limit = t->n_open > 2 ? t->n_open - 1 : 1;
    shed_one(t);
}

void hws_trc_stream_finned(struct hws_trc_stream *s)
{
    switch (s->state) {
    case HWS_STREAM_FINISHED:
        return;
    case HWS_STREAM_CLOSING: /* its own FIN is sent */
        hws_trc_stream_become(s, HWS_STREAM_FINISHED, "FIN");
        return;
    case HWS_STREAM_DRAINING:
        hws_trc_stream_become(s, HWS_STREAM_FINISHED, "FIN");
        put_fin(s);
        return;
    default: /* FIN is here before CLOSING, as that comes on another connection */
        begin_to_die(s, HWS_STREAM_FINISHED, "FIN");
        put_fin(s);
    }
}

/* The acceptor waits for the dialer to close: he has its FIN then. */
bool hws_trc_stream_is_over(const struct hws_trc_stream *s)
{
    return s->state == HWS_STREAM_FINISHED && !s->first && (s->l->dialer || s->eof);
}

static void drop_queue(struct hws_trc_stream *s)
{
    for (struct hws_trc_piece *p = s->first, *next; p; p = next) {
        next = p->next;
        s->l->base.queued -= p->len - p->off;
        free(p);
    }
}

static void close_inner(struct hws_trc_stream *s)
{
    struct hws_trc *t = s->l->t;
    hws_link_close(s->inner);
    s->inner = NULL;
    t->n_open--;
    hws_timer_set(&t->retry, 0); /* there may be some that wait for this */
    if (t->accepts_pause)
        t->inner->ops->pause_accept(t->inner, false);
    t->accepts_pause = false;
}

void hws_trc_stream_free(struct hws_trc_stream *s)
{
    struct hws_trc_link *l = s->l;
    struct hws_trc *t = l->t;
    if (s->inner)
        close_inner(s);
    t->n_shedding -= hws_trc_is_in(s, HWS_STREAMS_SHEDDING);
    l->cur = l->cur == s ? NULL : l->cur;
    l->last = l->last == s ? NULL : l->last;
    if (l->blocked == s)
        hws_trc_unblock(l);
    hws_list_remove(&s->node);
    hws_list_remove(&s->ready);
    hws_list_remove(&s->used);
    drop_queue(s);
    free(s);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static void take_up(struct hws_trc_stream *s, struct hws_link *inner, enum hws_stream_state next, const char *why)
{
    struct hws_trc *t = s->l->t;
    hws_trc_adopt(s, inner);
    hws_trc_stream_become(s, next, why);
    t->n_open++;
    hws_list_remove(&s->used);
    hws_list_push(&t->used, &s->used);
    hws_trc_watch(s);
}

/* The network is away. It may come back, as for a first contact (peer/conn/connect.c); the first connection sees no
 * more of it than that nothing is acknowledged. */
static bool may_try_again(struct hws_trc_stream *s, enum hws_err why)
{
    uint64_t now = hws_clock_ns();
    if (why != HWS_EUNREACHABLE && why != HWS_ETIMEDOUT)
        return false;
    if (!s->tried_ns)
        s->tried_ns = now;
    return now - s->tried_ns < s->l->t->deadline_ms * HWS_NS_PER_MS;
}

static void try_again(struct hws_trc_stream *s, enum hws_err why)
{
    struct hws_trc *t = s->l->t;
    if (s->inner)
        close_inner(s);
    if (s->state != HWS_STREAM_WAITS)
        hws_trc_stream_become(s, HWS_STREAM_WAITS, hws_err_text(why));
    hws_list_remove(&s->used);
    hws_list_push(&t->waits, &s->used);
    hws_timer_set(&t->retry, RETRY_MS);
}

/* Who refuses or resets it runs no more or has closed all: the main connection ends too, behind what came before. */
static void cannot_dial(struct hws_trc_stream *s, enum hws_err why)
{
    struct hws_trc_link *l = s->l;
    if (may_try_again(s, why)) {
        try_again(s, why);
        return;
    }
    hws_trc_stream_become(s, HWS_STREAM_FAILED, hws_err_text(why));
    hws_trc_watch(s);
    if (why != HWS_EREFUSED && why != HWS_ECLOSED) {
        hws_trc_fail(l, why);
        return;
    }
    hws_trc_lose_output(l, HWS_ECLOSED);
    hws_trc_await_end(l, HWS_ECLOSED);
}

static void dial(struct hws_trc_stream *s)
{
    struct hws_trc_link *l = s->l;
    struct hws_trc *t = l->t;
    struct hws_link *inner;
    hws_list_remove(&s->used);
    hws_list_push(&t->waits, &s->used);
    if (!l->has_token || l->dead != HWS_OK || l->no_output != HWS_OK || find_dying(l, s->flow))
        return;
    if (t->n_open >= t->limit) {
        if (t->n_open - t->n_shedding >= t->limit)
            shed_one(t);
        return; /* the retry comes when one is closed or can be */
    }
    int rc = t->inner->ops->dial(t->inner, &l->route, &inner, l->why, sizeof l->why);
    if (rc == HWS_ENOFILES || rc == HWS_ENOMEM) {
        hws_trc_no_files(t);
        hws_timer_set(&t->retry, RETRY_MS);
        return;
    }
    if (rc != HWS_OK) {
        cannot_dial(s, (enum hws_err)rc);
        return;
    }
    s->id = ++l->next_id;
    take_up(s, inner, HWS_STREAM_DIALING, "dial");
}

/* Each once: what still waits then is at the back of the list again. */
void hws_trc_on_retry(struct hws_timer *timer)
{
    struct hws_trc *t = hws_container_of(timer, struct hws_trc, retry);
    unsigned n_waits = 0;
    for (struct hws_list *n = t->waits.next; n != &t->waits; n = n->next)
        n_waits++;
    while (n_waits-- > 0 && !hws_list_is_empty(&t->waits))
        dial(hws_container_of(t->waits.next, struct hws_trc_stream, used));
}

void hws_trc_stream_dialed(struct hws_trc_stream *s)
{
    struct hws_trc_link *l = s->l;
    int rc = hws_link_dial_result(s->inner, l->why, sizeof l->why);
    if (rc == HWS_EAGAIN)
        return;
    if (rc == HWS_OK)
        rc = hws_trc_send_preamble(s->inner, HWS_TRC_STREAM, s->id, s->flow, l->token);
    if (rc != HWS_OK) {
        cannot_dial(s, (enum hws_err)rc);
        return;
    }
    s->tried_ns = 0;
    hws_trc_tune(s);
    hws_trc_stream_become(s, HWS_STREAM_UNCONFIRMED, "connected");
    hws_trc_flush(s);
}

static struct hws_trc_stream *new_stream(struct hws_trc_link *l, uint64_t flow)
{
    struct hws_trc_stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    hws_trc_stream_init(s, l, flow);
    hws_list_push(bucket_of(l, flow), &s->node);
    return s;
}

struct hws_trc_stream *hws_trc_stream_get(struct hws_trc_link *l, uint64_t flow)
{
    struct hws_trc_stream *s = find_flow(l, flow);
    if (s || !(s = new_stream(l, flow)))
        return s;
    if (l->dialer)
        dial(s);
    else
        hws_trc_tell(l, HWS_TRC_OPEN, flow);
    return s;
}

bool hws_trc_stream_attach(struct hws_trc_link *l, struct hws_link *inner, uint32_t id, uint64_t flow)
{
    struct hws_trc *t = l->t;
    struct hws_trc_stream *s = flow ? find_flow(l, flow) : NULL;
    if (!flow || (s && s->state != HWS_STREAM_WAITS) || (!s && !(s = new_stream(l, flow))))
        return false;
    s->id = id;
    take_up(s, inner, HWS_STREAM_UP, "dialed by the other end");
    hws_trc_tune(s);
    hws_trc_flush(s);
    hws_trc_tell(l, HWS_TRC_OPENED, id);
    if (t->n_open - t->n_shedding > t->limit)
        shed_one(t);
    return true;
}

/* ---- what the other end says on the main connection -------------------------------------------------------------- */

static struct hws_trc_stream *find_id(struct hws_trc_link *l, uint64_t id)
{
    for (int i = 0; i < HWS_TRC_BUCKETS; i++)
        for (struct hws_list *n = l->buckets[i].next; n != &l->buckets[i]; n = n->next) {
            struct hws_trc_stream *s = hws_container_of(n, struct hws_trc_stream, node);
            if (s->inner && s->id == id)
                return s;
        }
    return NULL;
}

static int on_dialer(struct hws_trc_link *l, enum hws_trc_kind kind, uint64_t value)
{
    struct hws_trc_stream *s = kind == HWS_TRC_OPENED || kind == HWS_TRC_SHED ? find_id(l, value) : NULL;
    switch ((int)kind) {
    case HWS_TRC_TOKEN_IS:
        hws_timer_set(&l->t->retry, 0);
        return HWS_OK;
    case HWS_TRC_OPEN:
        return value == 0 ? HWS_EPROTO : hws_trc_stream_get(l, value) ? HWS_OK : HWS_ENOMEM;
    case HWS_TRC_OPENED:
        if (s && s->state == HWS_STREAM_UNCONFIRMED)
            hws_trc_stream_become(s, HWS_STREAM_UP, "OPENED");
        hws_timer_set(&l->t->retry, 0); /* it can be closed from now on, if others wait for that */
        return HWS_OK;
    case HWS_TRC_SHED:
        if (s && s->state == HWS_STREAM_UP)
            shed(s);
        return HWS_OK;
    default:
        return HWS_EPROTO;
    }
}

int hws_trc_stream_control(struct hws_trc_link *l, enum hws_trc_kind kind, uint64_t value)
{
    if (l->dialer)
        return on_dialer(l, kind, value);
    struct hws_trc_stream *s = kind == HWS_TRC_CLOSING ? find_id(l, value) : NULL;
    if (kind != HWS_TRC_CLOSING)
        return HWS_EPROTO;
    if (s)
        begin_to_die(s, HWS_STREAM_DRAINING, "CLOSING");
    return HWS_OK;
}
