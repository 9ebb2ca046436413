/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_recv: what comes is read message by message, from whichever connection has one; the main one first, as it carries
 * the control frames. The first bytes of each message of a flow are shown to the owner; one that he does not want stays
 * where it is, and its connection is not looked at until he asks again.
 */
#include <string.h>

#include "link/trc/trc_priv.h"

#define GRACE_MS 2000 /* between the loss of a stream and the news that the link was closed */

void hws_trc_await_end(struct hws_trc_link *l, enum hws_err why)
{
    l->broken = why;
    if (!hws_timer_is_set(&l->grace))
        hws_timer_set(&l->grace, GRACE_MS);
}

/* Reads ahead. 1: some came; 0: none now; negative: the link is dead. */
static int fill(struct hws_trc_stream *s)
{
    memmove(s->buf, s->buf + s->head, hws_trc_here(s));
    s->tail -= s->head;
    s->head = 0;
    struct iovec iov = {s->buf + s->tail, sizeof s->buf - s->tail};
    ssize_t rc = s->eof || !hws_trc_is_in(s, HWS_STREAMS_CONNECTED) ? HWS_EAGAIN : hws_link_recv(s->inner, &iov, 1);
    if (rc > 0) {
        s->tail += (size_t)rc;
        return 1;
    }
    if (rc == HWS_EAGAIN)
        return 0;
    s->eof = true;
    hws_trc_watch(s);
    if (hws_trc_here(s) == 0 && (rc == HWS_ECLOSED || s->l->ended))
        return 0; /* at the end of a message: whether all has come, the main connection's END tells */
    if (hws_trc_here(s) == 0 && s != &s->l->main) {
        hws_trc_await_end(s->l, (enum hws_err)rc);
        return 0;
    }
    hws_trc_fail(s->l, (enum hws_err)rc);
    return (int)rc;
}

/* Whether the message that begins with these bytes is to be read now. */
static bool takes(const struct hws_trc_stream *s, const uint8_t *head, size_t n)
{
    const struct hws_trc_link *l = s->l;
    return hws_trc_is_in(s, HWS_STREAMS_DYING) || s->sure || l->ended || !l->base.would_take ||
           l->base.would_take(l->base.owner, head, n);
}

static int on_control(struct hws_trc_stream *s, enum hws_trc_kind kind, const uint8_t *bytes)
{
    struct hws_trc_link *l = s->l;
    if (s != &l->main) {
        hws_trc_stream_finned(s);
        return HWS_OK;
    }
    if (kind == HWS_TRC_TOKEN_IS) {
        memcpy(l->token, bytes, HWS_TRC_TOKEN);
        l->has_token = true;
    }
    if (kind == HWS_TRC_END) {
        l->ended = true;
        l->end_after = hws_trc_value_decode(bytes);
        l->base.offer_again(&l->base, true);
        return HWS_OK;
    }
    if (kind == HWS_TRC_PROBE)
        return HWS_OK;
    return hws_trc_stream_control(l, kind, kind == HWS_TRC_TOKEN_IS ? 0 : hws_trc_value_decode(bytes));
}

/* Bytes of the message that its owner is shown. */
static size_t offer_len(const struct hws_trc_word *word)
{
    return word->len < HWS_OFFER_LEN ? word->len : HWS_OFFER_LEN;
}

/* Between messages. 1: the next one begins; 0: none is to be read now; negative: the link is dead. */
static int begin(struct hws_trc_stream *s)
{
    struct hws_trc_link *l = s->l;
    for (;;) {
        struct hws_trc_word word = {0};
        bool is_main = s == &l->main;
        size_t need = HWS_TRC_WORD;
        if (hws_trc_word_decode(s->buf + s->head, hws_trc_here(s), is_main, &word) == HWS_EPROTO) {
            hws_trc_fail(l, HWS_EPROTO);
            return HWS_EPROTO;
        }
        if (word.kind == HWS_TRC_WHOLE && is_main && !l->connected)
            return 0;
        if (word.kind > HWS_TRC_WHOLE || (word.kind == HWS_TRC_WHOLE && !is_main))
            need += offer_len(&word);
        if (hws_trc_here(s) < need) {
            int rc = fill(s);
            if (rc <= 0)
                return rc;
            continue;
        }
        if (word.kind > HWS_TRC_WHOLE) {
            s->head += need;
            int rc = on_control(s, word.kind, s->buf + s->head - word.len);
            if (rc != HWS_OK)
                hws_trc_fail(l, (enum hws_err)rc);
            if (rc != HWS_OK || hws_trc_stream_is_over(s))
                return rc;
            continue;
        }
        s->held =
            word.kind == HWS_TRC_WHOLE && !is_main && !takes(s, s->buf + s->head + HWS_TRC_WORD, need - HWS_TRC_WORD);
        hws_trc_watch(s);
        if (s->held)
            return 0;
        s->head += HWS_TRC_WORD;
        s->left = word.len;
        s->kind = word.kind;
        s->sure = false;
        l->cur = s;
        return 1;
    }
}

/* What is in the middle of a message goes on; else the main connection, those that may have something, and the last
 * one. */
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
    for (int i = 0; i < n && room > 0 && k < HWS_TRC_MAX_IOV; i++) {
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
    for (int i = 0; i < n && hws_trc_here(s) && s->left; i++) {
        size_t run = iov[i].iov_len < hws_trc_here(s) ? iov[i].iov_len : hws_trc_here(s);
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
    struct iovec rest[HWS_TRC_MAX_IOV];
    size_t done = take_read(s, iov, n);
    int k = hws_trc_here(s) ? 0 : limit_iov(iov, n, done, s->left, rest);
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
    if (hws_trc_here(s))
        hws_trc_ready(s);
    hws_trc_stream_touch(s);
}

ssize_t hws_trc_recv(struct hws_link *base, const struct iovec *iov, int n)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    if (l->dead == HWS_OK && !l->cur && !pick(l)) {
        if (l->dead == HWS_OK)
            return hws_trc_is_at_end(l) ? HWS_ECLOSED : HWS_EAGAIN;
    }
    if (l->dead != HWS_OK)
        return l->dead;
    struct hws_trc_stream *s = l->cur;
    ssize_t rc = deliver(s, iov, n);
    if (rc > 0 && s->left == 0)
        end_message(l, s);
    if (rc > 0 && (hws_trc_here(s) || !hws_list_is_empty(&l->ready)))
        hws_trc_kick(l);
    return rc;
}

void hws_trc_release(struct hws_trc_stream *s)
{
    s->held = false;
    hws_trc_ready(s);
    hws_trc_watch(s);
    hws_trc_kick(s->l);
}

static void offer_one(struct hws_trc_stream *s, bool sure)
{
    if (!s->held)
        return;
    const uint8_t *head = s->buf + s->head;
    struct hws_trc_word word;
    if (hws_trc_word_decode(head, hws_trc_here(s), false, &word) != HWS_OK ||
        !takes(s, head + HWS_TRC_WORD, offer_len(&word)))
        return;
    s->sure |= sure;
    hws_trc_release(s);
}

void hws_trc_offer_again(struct hws_link *base, bool sure)
{
    hws_trc_each(hws_trc_link_of(base), offer_one, sure);
}
