/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc: one link of many connections (trc_priv.h). What comes is read message by message, from whichever connection has one;
 * the main one first, as it carries the control frames. The first bytes of each message of a flow are shown to the owner; one
 * that he does not want stays where it is, and its connection is not looked at until he asks again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/trc_priv.h"
#include "wire/bytes.h"

#define MAX_IOV  260  /* of a message, with its word */
#define GRACE_MS 2000 /* between the reset of a stream and the news that the link was closed */

static struct hws_trc_link *link_of(const struct hws_link *l)
{
    return hws_container_of((struct hws_link *)(uintptr_t)l, struct hws_trc_link, base);
}

static void kick(struct hws_trc_link *l)
{
    if (!hws_timer_is_set(&l->kick))
        hws_timer_set(&l->kick, 0);
}

void hws_trc_fail(struct hws_trc_link *l, enum hws_err why)
{
    if (l->dead == HWS_OK)
        l->dead = why;
    kick(l);
}

void hws_trc_ready(struct hws_trc_stream *s)
{
    if (hws_list_is_empty(&s->ready))
        hws_list_push(&s->l->ready, &s->ready);
}

static bool is_at_end(const struct hws_trc_link *l)
{
    return l->ended ? l->n_came >= l->end_after : l->main.eof;
}

void hws_trc_watch(struct hws_trc_stream *s)
{
    const struct hws_trc_link *l = s->l;
    unsigned interest = 0;
    if (!s->inner)
        return;
    if (s->state == HWS_TRC_UP && (l->interest & HWS_LINK_R) && !s->held && (!s->eof || (s == &l->main && is_at_end(l))))
        interest |= HWS_LINK_R;
    if (s->state == HWS_TRC_DIALING || (s->first && l->no_output == HWS_OK) || (s == &l->main && (l->interest & HWS_LINK_W) && !l->blocked))
        interest |= HWS_LINK_W;
    if (l->dead != HWS_OK)
        interest = 0;
    hws_link_want(s->inner, interest);
}

/* ---- sending ------------------------------------------------------------------------------------------------------ */

static int enqueue(struct hws_trc_stream *s, const struct iovec *iov, int n, size_t skip)
{
    size_t total = 0;
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    struct hws_trc_piece *p = malloc(sizeof *p + total - skip);
    if (!p)
        return HWS_ENOMEM;
    *p = (struct hws_trc_piece){.len = total - skip};
    for (int i = 0, at = 0; i < n; i++) {
        size_t off = skip < iov[i].iov_len ? skip : iov[i].iov_len;
        skip -= off;
        if (iov[i].iov_len > off)
            memcpy(p->bytes + at, (uint8_t *)iov[i].iov_base + off, iov[i].iov_len - off);
        at += (int)(iov[i].iov_len - off);
    }
    if (s->last)
        s->last->next = p;
    else
        s->first = p;
    s->last = p;
    s->l->base.queued += p->len;
    hws_trc_watch(s);
    return HWS_OK;
}

/* The other end may have closed the link, and that is told behind what it has sent: reading goes on. */
static int lose_output(struct hws_trc_link *l, enum hws_err why)
{
    l->no_output = why;
    return why;
}

int hws_trc_put(struct hws_trc_stream *s, enum hws_trc_kind kind, const struct iovec *iov, int n)
{
    struct iovec all[MAX_IOV];
    uint8_t word[HWS_TRC_WORD];
    size_t total = HWS_TRC_WORD, sent = 0;
    all[0] = (struct iovec){word, sizeof word};
    for (int i = 0; i < n; i++) {
        all[i + 1] = iov[i];
        total += iov[i].iov_len;
    }
    hws_put32(word, (uint32_t)kind << 28 | (uint32_t)(total - HWS_TRC_WORD));
    if (!s->first && s->state == HWS_TRC_UP) {
        ssize_t rc = hws_link_send(s->inner, all, n + 1);
        if (rc < 0 && rc != HWS_EAGAIN)
            return lose_output(s->l, (enum hws_err)rc);
        sent = rc > 0 ? (size_t)rc : 0;
    }
    return sent == total ? HWS_OK : enqueue(s, all, n + 1, sent);
}

int hws_trc_tell(struct hws_trc_link *l, enum hws_trc_kind kind, uint64_t value)
{
    uint8_t bytes[8];
    struct iovec iov = {bytes, sizeof bytes};
    hws_put64(bytes, value);
    return hws_trc_put(&l->main, kind, &iov, 1);
}

/* The main connection's room is told instead. */
void hws_trc_unblock(struct hws_trc_link *l)
{
    l->blocked = NULL;
    hws_trc_watch(&l->main);
}

void hws_trc_flush(struct hws_trc_stream *s)
{
    struct hws_trc_link *l = s->l;
    while (s->first && l->dead == HWS_OK && l->no_output == HWS_OK) {
        struct hws_trc_piece *p = s->first;
        struct iovec iov = {p->bytes + p->off, p->len - p->off};
        ssize_t rc = hws_link_send(s->inner, &iov, 1);
        if (rc == HWS_EAGAIN)
            break;
        if (rc < 0) {
            lose_output(l, (enum hws_err)rc);
            break;
        }
        p->off += (size_t)rc;
        l->base.queued -= (size_t)rc;
        if (p->off < p->len)
            continue;
        s->first = p->next;
        if (!s->first)
            s->last = NULL;
        free(p);
    }
    hws_trc_watch(s);
    if (l->blocked == s && !s->first)
        hws_trc_unblock(l);
}

/* HWS_OK: it may be sent. */
static int check_open(const struct hws_trc_link *l)
{
    if (l->dead != HWS_OK)
        return l->dead;
    if (l->ended || l->main.eof || l->no_output != HWS_OK)
        return l->no_output != HWS_OK ? l->no_output : HWS_ECLOSED;
    return l->dial;
}

/* HWS_EAGAIN, and on_writable follows once that stream has sent what it has. */
static int refuse(struct hws_trc_link *l, struct hws_trc_stream *s)
{
    l->blocked = s;
    hws_trc_watch(&l->main);
    return HWS_EAGAIN;
}

static ssize_t send_bytes(struct hws_link *base, const struct iovec *iov, int n)
{
    struct hws_trc_link *l = link_of(base);
    struct iovec first = iov[0];
    size_t total = 0;
    int rc = check_open(l);
    if (rc != HWS_OK)
        return rc;
    if (l->main.first)
        return refuse(l, &l->main);
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    if (total > HWS_TRC_MESSAGE || n >= MAX_IOV) {
        first.iov_len = total = first.iov_len < HWS_TRC_MESSAGE ? first.iov_len : HWS_TRC_MESSAGE;
        iov = &first;
        n = 1;
    }
    rc = hws_trc_put(&l->main, HWS_TRC_BYTES, iov, n);
    return rc == HWS_OK ? (ssize_t)total : rc;
}

static ssize_t send_message(struct hws_link *base, const struct iovec *iov, int n, uint64_t flow)
{
    struct hws_trc_link *l = link_of(base);
    size_t total = 0;
    int rc = check_open(l);
    if (rc != HWS_OK)
        return rc;
    uint64_t number = flow & ~HWS_FLOW_MAY_WAIT;
    struct hws_trc_stream *s = number ? hws_trc_stream_get(l, number) : &l->main;
    if (!s)
        return l->dead != HWS_OK ? l->dead : HWS_ENOMEM;
    if ((flow & HWS_FLOW_MAY_WAIT) && s->first)
        return refuse(l, s);
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    if (number)
        hws_trc_stream_touch(s);
    rc = hws_trc_put(s, HWS_TRC_WHOLE, iov, n);
    l->n_sent += number && rc == HWS_OK;
    return rc == HWS_OK ? (ssize_t)total : rc;
}

int hws_trc_send_preamble(struct hws_link *inner, enum hws_trc_first kind, uint32_t id, uint64_t flow, const uint8_t *token)
{
    uint8_t bytes[HWS_TRC_PREAMBLE] = "HWSTRC1\n";
    struct iovec iov = {bytes, sizeof bytes};
    hws_put32(bytes + 8, kind);
    hws_put32(bytes + 12, id);
    hws_put64(bytes + 16, flow);
    memcpy(bytes + 24, token, HWS_TRC_TOKEN);
    ssize_t rc = hws_link_send(inner, &iov, 1); /* a new socket has room for so little */
    return rc == HWS_TRC_PREAMBLE ? HWS_OK : rc < 0 && rc != HWS_EAGAIN ? (int)rc : HWS_ECLOSED;
}

/* ---- receiving ---------------------------------------------------------------------------------------------------- */

static size_t here(const struct hws_trc_stream *s)
{
    return s->tail - s->head;
}

/* Reads ahead. 1: some came; 0: none now; negative: the link is dead. */
static int fill(struct hws_trc_stream *s)
{
    memmove(s->buf, s->buf + s->head, here(s));
    s->tail -= s->head;
    s->head = 0;
    struct iovec iov = {s->buf + s->tail, sizeof s->buf - s->tail};
    ssize_t rc = s->eof || s->state != HWS_TRC_UP ? HWS_EAGAIN : hws_link_recv(s->inner, &iov, 1);
    if (rc > 0) {
        s->tail += (size_t)rc;
        return 1;
    }
    if (rc == HWS_EAGAIN)
        return 0;
    s->eof = true;
    hws_trc_watch(s);
    if (here(s) == 0 && (rc == HWS_ECLOSED || s->l->ended))
        return 0; /* at the end of a message: whether all has come, the main connection's END tells */
    if (here(s) == 0 && s != &s->l->main) {
        s->l->broken = (enum hws_err)rc; /* reset: either the link was closed there, and its END comes, or this stream is broken */
        hws_timer_set(&s->l->grace, GRACE_MS);
        return 0;
    }
    hws_trc_fail(s->l, (enum hws_err)rc);
    return (int)rc;
}

/* Whether the message that begins with these bytes is to be read now. */
static bool takes(const struct hws_trc_stream *s, const uint8_t *head, size_t n)
{
    const struct hws_trc_link *l = s->l;
    return s->drain || s->sure || l->ended || !l->base.would_take || l->base.would_take(l->base.owner, head, n);
}

static int on_control(struct hws_trc_stream *s, enum hws_trc_kind kind, const uint8_t *bytes, size_t len)
{
    struct hws_trc_link *l = s->l;
    if (s != &l->main) {
        hws_trc_stream_finned(s);
        return HWS_OK;
    }
    if (len != (kind == HWS_TRC_TOKEN_IS ? HWS_TRC_TOKEN : 8))
        return HWS_EPROTO;
    if (kind == HWS_TRC_TOKEN_IS) {
        memcpy(l->token, bytes, HWS_TRC_TOKEN);
        l->has_token = true;
    }
    if (kind == HWS_TRC_END) {
        l->ended = true;
        l->end_after = hws_get64(bytes);
        l->base.offer_again(&l->base, true);
        return HWS_OK;
    }
    return hws_trc_stream_control(l, kind, kind == HWS_TRC_TOKEN_IS ? 0 : hws_get64(bytes));
}

static bool is_legal(const struct hws_trc_stream *s, enum hws_trc_kind kind, size_t len)
{
    bool is_main = s == &s->l->main;
    if (kind == HWS_TRC_BYTES || kind == HWS_TRC_WHOLE)
        return len > 0 && len <= HWS_TRC_MESSAGE && (is_main || kind == HWS_TRC_WHOLE);
    return kind >= HWS_TRC_FIN && kind < HWS_TRC_KINDS && len <= HWS_TRC_TOKEN && is_main == (kind != HWS_TRC_FIN);
}

/* Between messages. 1: the next one begins; 0: none is to be read now; negative: the link is dead. */
static int begin(struct hws_trc_stream *s)
{
    struct hws_trc_link *l = s->l;
    for (;;) {
        uint32_t word = here(s) >= HWS_TRC_WORD ? hws_get32(s->buf + s->head) : 0;
        enum hws_trc_kind kind = (enum hws_trc_kind)(word >> 28);
        size_t len = word & 0xfffffffu, need = HWS_TRC_WORD;
        if (word && !is_legal(s, kind, len)) {
            hws_trc_fail(l, HWS_EPROTO);
            return HWS_EPROTO;
        }
        if (word && kind == HWS_TRC_WHOLE && s == &l->main && !l->connected)
            return 0;
        if (word && (kind > HWS_TRC_WHOLE || (kind == HWS_TRC_WHOLE && s != &l->main)))
            need += len < HWS_OFFER_LEN ? len : HWS_OFFER_LEN;
        if (here(s) < need) {
            int rc = fill(s);
            if (rc <= 0)
                return rc;
            continue;
        }
        if (kind > HWS_TRC_WHOLE) {
            s->head += need;
            int rc = on_control(s, kind, s->buf + s->head - len, len);
            if (rc != HWS_OK)
                hws_trc_fail(l, (enum hws_err)rc);
            if (rc != HWS_OK || hws_trc_stream_is_over(s))
                return rc;
            continue;
        }
        s->held = kind == HWS_TRC_WHOLE && s != &l->main && !takes(s, s->buf + s->head + HWS_TRC_WORD, need - HWS_TRC_WORD);
        hws_trc_watch(s);
        if (s->held)
            return 0;
        s->head += HWS_TRC_WORD;
        s->left = len;
        s->kind = kind;
        s->sure = false;
        l->cur = s;
        return 1;
    }
}

/* What is in the middle of a message goes on; else the main connection, those that may have something, and the last one. */
static bool pick(struct hws_trc_link *l)
{
    int rc = begin(&l->main);
    for (struct hws_list *n; rc == 0 && (n = hws_list_pop(&l->ready));) {
        struct hws_trc_stream *s = hws_container_of(n, struct hws_trc_stream, ready);
        if (s == &l->main)
            continue;
        rc = begin(s);
        if (rc == 1)
            hws_trc_ready(s); /* to the back: there may be more */
        if (rc == 0 && hws_trc_stream_is_over(s))
            hws_trc_stream_free(s);
    }
    if (rc == 0 && l->last && !l->last->held)
        rc = begin(l->last);
    if (rc == 0 && l->last && hws_trc_stream_is_over(l->last))
        hws_trc_stream_free(l->last);
    return rc == 1;
}

/* At most n bytes of the message, to the places that iov names from byte `skip` on. */
static int limit_iov(const struct iovec *iov, int n, size_t skip, size_t room, struct iovec *out)
{
    int k = 0;
    for (int i = 0; i < n && room > 0 && k < MAX_IOV; i++) {
        size_t off = skip < iov[i].iov_len ? skip : iov[i].iov_len, run = iov[i].iov_len - off;
        skip -= off;
        run = run < room ? run : room;
        if (run)
            out[k++] = (struct iovec){(uint8_t *)iov[i].iov_base + off, run};
        room -= run;
    }
    return k;
}

static size_t take_read(struct hws_trc_stream *s, const struct iovec *iov, int n)
{
    size_t done = 0;
    for (int i = 0; i < n && here(s) && s->left; i++) {
        size_t run = iov[i].iov_len < here(s) ? iov[i].iov_len : here(s);
        run = run < s->left ? run : s->left;
        memcpy(iov[i].iov_base, s->buf + s->head, run);
        s->head += run;
        s->left -= run;
        done += run;
    }
    return done;
}

/* Bytes of the message being read; HWS_EAGAIN; or an error. */
static ssize_t deliver(struct hws_trc_stream *s, const struct iovec *iov, int n)
{
    struct iovec rest[MAX_IOV];
    size_t done = take_read(s, iov, n);
    int k = here(s) ? 0 : limit_iov(iov, n, done, s->left, rest);
    if (k > 0) {
        ssize_t rc = hws_link_recv(s->inner, rest, k);
        if (rc < 0 && rc != HWS_EAGAIN) {
            hws_trc_fail(s->l, (enum hws_err)rc);
            return done ? (ssize_t)done : rc;
        }
        done += rc > 0 ? (size_t)rc : 0;
        s->left -= rc > 0 ? (size_t)rc : 0;
    }
    return done ? (ssize_t)done : HWS_EAGAIN;
}

static void end_message(struct hws_trc_link *l, struct hws_trc_stream *s)
{
    l->cur = NULL;
    if (s == &l->main)
        return;
    l->n_came++;
    if (l->ended)
        hws_trc_watch(&l->main); /* its end is due behind the last message */
    l->last = s;
    if (here(s))
        hws_trc_ready(s);
    hws_trc_stream_touch(s);
}

static ssize_t recv_bytes(struct hws_link *base, const struct iovec *iov, int n)
{
    struct hws_trc_link *l = link_of(base);
    if (l->dead == HWS_OK && !l->cur && !pick(l)) {
        if (l->dead == HWS_OK)
            return is_at_end(l) ? HWS_ECLOSED : HWS_EAGAIN;
    }
    if (l->dead != HWS_OK)
        return l->dead;
    struct hws_trc_stream *s = l->cur;
    ssize_t rc = deliver(s, iov, n);
    if (rc > 0 && s->left == 0)
        end_message(l, s);
    if (rc > 0 && (here(s) || !hws_list_is_empty(&l->ready)))
        kick(l);
    return rc;
}

void hws_trc_release(struct hws_trc_stream *s)
{
    s->held = false;
    hws_trc_ready(s);
    hws_trc_watch(s);
    kick(s->l);
}

static void offer_one(struct hws_trc_stream *s, bool sure)
{
    if (!s->held)
        return;
    const uint8_t *head = s->buf + s->head;
    size_t len = hws_get32(head) & 0xfffffffu;
    if (!takes(s, head + HWS_TRC_WORD, len < HWS_OFFER_LEN ? len : HWS_OFFER_LEN))
        return;
    s->sure |= sure;
    hws_trc_release(s);
}

static void offer_again(struct hws_link *base, bool sure)
{
    hws_trc_each(link_of(base), offer_one, sure);
}

/* ---- the rest ----------------------------------------------------------------------------------------------------- */

static void watch_one(struct hws_trc_stream *s, bool unused)
{
    (void)unused;
    hws_trc_watch(s);
}

static void want(struct hws_link *base, unsigned interest)
{
    struct hws_trc_link *l = link_of(base);
    if (l->interest == interest)
        return;
    l->interest = interest;
    hws_trc_watch(&l->main);
    hws_trc_each(l, watch_one, false);
    bool has_input = l->cur || here(&l->main) || !hws_list_is_empty(&l->ready) || l->dead != HWS_OK;
    if (((interest & HWS_LINK_R) && has_input) || ((interest & HWS_LINK_W) && l->dial != HWS_EAGAIN && l->dial != HWS_OK))
        kick(l);
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
    const struct hws_trc_link *l = link_of(base);
    if (l->dial != HWS_OK)
        snprintf(why, why_len, "%s", l->why);
    return l->dial;
}

static void connected(struct hws_link *base)
{
    struct hws_trc_link *l = link_of(base);
    struct iovec iov = {l->token, sizeof l->token};
    l->connected = true;
    hws_link_connected(l->main.inner);
    if (!l->dialer)
        hws_trc_put(&l->main, HWS_TRC_TOKEN_IS, &iov, 1);
    if (here(&l->main))
        kick(l);
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
    if (s->state == HWS_TRC_UP && had_traffic)
        discard_input(s->inner);
    hws_trc_stream_free(s);
}

static void close_link(struct hws_link *base)
{
    struct hws_trc_link *l = link_of(base);
    hws_timer_stop(&l->grace);
    hws_list_remove(&l->node);
    if (l->connected && check_open(l) == HWS_OK && !l->base.queued)
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
    hws_link_describe(link_of(base)->main.inner, dst, len);
}

static bool health(struct hws_link *base, struct hws_link_health *h)
{
    return hws_link_health(link_of(base)->main.inner, h);
}

static const struct hws_link_ops link_ops = {send_bytes, recv_bytes, want, dial_result, connected, close_link, describe,
                                             health, NULL, NULL, NULL, send_message};

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
    l->main.state = rc == HWS_OK ? HWS_TRC_UP : HWS_TRC_WAITS;
    hws_trc_watch(&l->main);
    if (l->interest & HWS_LINK_W)
        l->base.events->on_writable(l->base.owner);
}

static void on_writable(void *owner)
{
    struct hws_trc_stream *s = owner;
    struct hws_trc_link *l = s->l;
    if (s->state == HWS_TRC_DIALING && s == &l->main) {
        main_dialed(l);
        return;
    }
    if (s->state == HWS_TRC_DIALING)
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
    l->base.offer_again = offer_again;
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
    l->main.state = dialer ? HWS_TRC_DIALING : HWS_TRC_UP;
    hws_trc_adopt(&l->main, inner);
    hws_list_push(&t->links, &l->node);
    hws_trc_watch(&l->main);
    return l;
}
