/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc: one link of many connections (trc_priv.h): made, watched, closed. Sending is in trc_send.c, reading in
 * trc_recv.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "link/trc/trc_priv.h"

void hws_trc_fail(struct hws_trc_link *l, enum hws_err why)
{
    if (l->dead == HWS_OK)
        l->dead = why;
    hws_trc_kick(l);
}

void hws_trc_ready(struct hws_trc_stream *s)
{
    if (hws_list_is_empty(&s->ready))
        hws_list_push(&s->l->ready, &s->ready);
}

void hws_trc_watch(struct hws_trc_stream *s)
{
    const struct hws_trc_link *l = s->l;
    unsigned interest = 0;
    if (!s->inner)
        return;
    if (hws_trc_is_in(s, HWS_STREAMS_CONNECTED) && (l->interest & HWS_LINK_R) && !s->held &&
        (!s->eof || (s == &l->main && hws_trc_is_at_end(l))))
        interest |= HWS_LINK_R;
    if (s->state == HWS_STREAM_DIALING || (s->first && l->no_output == HWS_OK) ||
        (s == &l->main && (l->interest & HWS_LINK_W) && !l->blocked))
        interest |= HWS_LINK_W;
    if (l->dead != HWS_OK)
        interest = 0;
    hws_link_want(s->inner, interest);
}

static void watch_one(struct hws_trc_stream *s, bool unused)
{
    (void)unused;
    hws_trc_watch(s);
}

static void want(struct hws_link *base, unsigned interest)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    if (l->interest == interest)
        return;
    l->interest = interest;
    hws_trc_watch(&l->main);
    hws_trc_each(l, watch_one, false);
    bool has_input = l->cur || hws_trc_here(&l->main) || !hws_list_is_empty(&l->ready) || l->dead != HWS_OK;
    if (((interest & HWS_LINK_R) && has_input) ||
        ((interest & HWS_LINK_W) && l->dial != HWS_EAGAIN && l->dial != HWS_OK))
        hws_trc_kick(l);
}

static void on_kick(struct hws_timer *timer)
{
    struct hws_trc_link *l = hws_container_of(timer, struct hws_trc_link, kick);
    if ((l->interest & HWS_LINK_W) && l->dial != HWS_OK && l->dial != HWS_EAGAIN)
        l->base.events->on_writable(l->base.owner);
    else if (l->interest & HWS_LINK_R)
        l->base.events->on_readable(l->base.owner);
}

static void on_grace(struct hws_timer *timer)
{
    struct hws_trc_link *l = hws_container_of(timer, struct hws_trc_link, grace);
    if (!l->ended)
        hws_trc_fail(l, l->broken);
}

static int dial_result(struct hws_link *base, char *why, size_t why_len)
{
    const struct hws_trc_link *l = hws_trc_link_of(base);
    if (l->dial != HWS_OK)
        snprintf(why, why_len, "%s", l->why);
    return l->dial;
}

static void connected(struct hws_link *base)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    struct iovec iov = {l->token, sizeof l->token};
    l->connected = true;
    hws_link_connected(l->main.inner);
    if (!l->dialer)
        hws_trc_put(&l->main, HWS_TRC_TOKEN_IS, &iov, 1);
    if (hws_trc_here(&l->main))
        hws_trc_kick(l);
}

/* Unread input would make the kernel reset the connection, and lose what is on its way out. */
static void discard_input(struct hws_link *inner)
{
    uint8_t scrap[4096];
    struct iovec iov = {scrap, sizeof scrap};
    for (int budget = 256; budget > 0 && hws_link_recv(inner, &iov, 1) > 0; budget--)
        ;
}

static void close_stream(struct hws_trc_stream *s, bool had_traffic)
{
    if (hws_trc_is_in(s, HWS_STREAMS_CONNECTED) && had_traffic)
        discard_input(s->inner);
    hws_trc_stream_free(s);
}

static void close_link(struct hws_link *base)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    hws_timer_stop(&l->grace);
    hws_list_remove(&l->node);
    if (l->connected && hws_trc_check_open(l) == HWS_OK && !l->base.queued)
        hws_trc_tell(l, HWS_TRC_END, l->n_sent);
    hws_trc_each(l, close_stream, l->connected);
    if (l->connected)
        discard_input(l->main.inner);
    hws_timer_stop(&l->kick); /* closing may have set it again */
    hws_link_close(l->main.inner);
    for (struct hws_trc_piece *p = l->main.first, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    free(l);
}

static void describe(const struct hws_link *base, char *dst, size_t len)
{
    hws_link_describe(hws_trc_link_of(base)->main.inner, dst, len);
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void note_resent(struct hws_trc_stream *s, const struct hws_link_health *h)
{
    s->l->asked.resent += h->resent > s->resent ? h->resent - s->resent : 0;
    s->resent = h->resent;
}

/* What the other process has not taken yet tells nothing: it may compute, its queue of connections being full. */
static void look_at(struct hws_trc_stream *s, bool unused)
{
    struct hws_trc_link *l = s->l;
    struct hws_link_health h, *sum = &l->asked.health;
    (void)unused;
    bool connected = hws_trc_is_in(s, HWS_STREAMS_CONNECTED);
    l->asked.awaits |= !connected && s->first;
    if (!connected || !s->owes || !hws_link_health(s->inner, &h))
        return;
    s->owes = h.unsent > 0;
    sum->unsent += h.unsent;
    note_resent(s, &h);
    l->asked.awaits |= s->owes && s->state == HWS_STREAM_UNCONFIRMED;
    if (s->state == HWS_STREAM_UNCONFIRMED)
        return;
    sum->waits_for_ack |= h.waits_for_ack;
    sum->acked += h.acked;
    sum->rtt_us = most(sum->rtt_us, h.rtt_us);
    sum->silent_ns = most(sum->silent_ns, hws_link_silence_ns(&s->silence, &h, hws_clock_ns()));
}

/* Where a stream waits for the other process, the main connection is made to ask its kernel instead. */
static void probe(struct hws_trc_link *l)
{
    uint64_t now = hws_clock_ns();
    if (now - l->asked.probed_ns < l->t->silent_ms * HWS_NS_PER_MS / 2)
        return;
    l->asked.probed_ns = now;
    hws_trc_tell(l, HWS_TRC_PROBE, 0);
}

static bool health(struct hws_link *base, struct hws_link_health *h)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    if (!hws_link_health(l->main.inner, &l->asked.health))
        return false;
    bool is_idle = l->asked.health.unsent == 0;
    l->asked.health.silent_ns = hws_link_silence_ns(&l->main.silence, &l->asked.health, hws_clock_ns());
    l->asked.awaits = false;
    note_resent(&l->main, &l->asked.health);
    hws_trc_each(l, look_at, false);
    l->asked.health.resent = l->asked.resent;
    l->asked.health.unsent += base->queued;
    if (l->asked.awaits && is_idle && hws_trc_check_open(l) == HWS_OK)
        probe(l);
    *h = l->asked.health;
    return true;
}

/* What a connection has under way, as far as the network is what it waits for: a flow that the other process does not
 * want keeps its connection full, and says nothing of the card. */
static void add_unsent(struct hws_trc_stream *s, bool unused)
{
    struct hws_link_health h;
    (void)unused;
    if (!s->owes || !hws_trc_is_in(s, HWS_STREAMS_CONNECTED) || !hws_link_health(s->inner, &h))
        return;
    s->owes = h.unsent > 0;
    note_resent(s, &h);
    if (h.waits_for_ack)
        s->l->asked.health.unsent += h.unsent;
}

/* The connections count words and preambles, too: so what had left once stays so. */
static uint64_t backlog(struct hws_link *base)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    l->asked.health.unsent = 0;
    add_unsent(&l->main, false);
    hws_trc_each(l, add_unsent, false);
    uint64_t left = l->asked.health.unsent + base->queued, most_left = l->asked.taken - l->asked.drained;
    left = left < most_left ? left : most_left;
    l->asked.drained = l->asked.taken - left;
    return left;
}

void hws_trc_tune(struct hws_trc_stream *s)
{
    hws_link_connected(s->inner);
    if (s->l->asked.shares)
        hws_link_share(s->inner);
}

static void share_one(struct hws_trc_stream *s, bool unused)
{
    (void)unused;
    if (hws_trc_is_in(s, HWS_STREAMS_CONNECTED))
        hws_link_share(s->inner);
}

static void share(struct hws_link *base)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    l->asked.shares = true;
    share_one(&l->main, false);
    hws_trc_each(l, share_one, false);
}

static void ask(struct hws_link *base, unsigned every_s, unsigned tries)
{
    hws_link_ask(hws_trc_link_of(base)->main.inner, every_s, tries);
}

static const struct hws_link_ops link_ops = {
    hws_trc_send, hws_trc_recv, want, dial_result,          connected, close_link, describe, health,
    backlog,      share,        NULL, hws_trc_send_message, ask,       NULL};

static void on_readable(void *owner)
{
    struct hws_trc_stream *s = owner;
    hws_trc_ready(s);
    if (s->l->interest & HWS_LINK_R)
        s->l->base.events->on_readable(s->l->base.owner);
}

static void main_dialed(struct hws_trc_link *l)
{
    int rc = hws_link_dial_result(l->main.inner, l->why, sizeof l->why);
    if (rc == HWS_EAGAIN)
        return;
    if (rc == HWS_OK && (rc = hws_trc_send_preamble(l->main.inner, HWS_TRC_MAIN, 0, 0, l->token)) != HWS_OK)
        snprintf(l->why, sizeof l->why, "%s", hws_err_text((enum hws_err)rc));
    l->dial = (enum hws_err)rc;
    hws_trc_stream_become(&l->main, rc == HWS_OK ? HWS_STREAM_UP : HWS_STREAM_FAILED, hws_err_text((enum hws_err)rc));
    hws_trc_watch(&l->main);
    if (l->interest & HWS_LINK_W)
        l->base.events->on_writable(l->base.owner);
}

static void on_writable(void *owner)
{
    struct hws_trc_stream *s = owner;
    struct hws_trc_link *l = s->l;
    if (s->state == HWS_STREAM_DIALING && s == &l->main) {
        main_dialed(l);
        return;
    }
    if (s->state == HWS_STREAM_DIALING)
        hws_trc_stream_dialed(s);
    else
        hws_trc_flush(s);
    if (s == &l->main && !l->blocked && (l->interest & HWS_LINK_W))
        l->base.events->on_writable(l->base.owner);
}

static const struct hws_link_events inner_events = {on_readable, on_writable};

void hws_trc_stream_init(struct hws_trc_stream *s, struct hws_trc_link *l, uint64_t flow)
{
    s->l = l;
    s->flow = flow;
    hws_list_init(&s->node);
    hws_list_init(&s->ready);
    hws_list_init(&s->used);
}

void hws_trc_adopt(struct hws_trc_stream *s, struct hws_link *inner)
{
    s->inner = inner;
    inner->owner = s;
    inner->events = &inner_events;
}

struct hws_trc_link *hws_trc_link_new(struct hws_trc *t, struct hws_link *inner, bool dialer)
{
    struct hws_trc_link *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->base.ops = &link_ops;
    l->base.offer_again = hws_trc_offer_again;
    l->base.is_local = inner->is_local;
    l->base.heals = true; /* nothing is kept: acknowledgments count the bytes of one connection */
    l->base.here = inner->here;
    l->base.there = inner->there;
    l->t = t;
    l->dialer = dialer;
    l->dial = dialer ? HWS_EAGAIN : HWS_OK;
    for (int i = 0; i < HWS_TRC_BUCKETS; i++)
        hws_list_init(&l->buckets[i]);
    hws_list_init(&l->dying);
    hws_list_init(&l->ready);
    hws_timer_init(t->reactor, &l->kick, on_kick);
    hws_timer_init(t->reactor, &l->grace, on_grace);
    hws_trc_stream_init(&l->main, l, 0);
    hws_trc_adopt(&l->main, inner);
    hws_trc_stream_become(&l->main, dialer ? HWS_STREAM_DIALING : HWS_STREAM_UP, "the first connection");
    hws_list_push(&t->links, &l->node);
    hws_trc_watch(&l->main);
    return l;
}
