/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_send: messages into the connections of a link. What a connection's kernel does not take of a message is queued
 * here.
 */
#include <stdlib.h>
#include <string.h>

#include "link/trc/trc_priv.h"

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

int hws_trc_lose_output(struct hws_trc_link *l, enum hws_err why)
{
    l->no_output = why;
    return why;
}

int hws_trc_put(struct hws_trc_stream *s, enum hws_trc_kind kind, const struct iovec *iov, int n)
{
    struct iovec all[HWS_TRC_MAX_IOV];
    uint8_t word[HWS_TRC_WORD];
    size_t total = HWS_TRC_WORD, sent = 0;
    all[0] = (struct iovec){word, sizeof word};
    for (int i = 0; i < n; i++) {
        all[i + 1] = iov[i];
        total += iov[i].iov_len;
    }
    hws_trc_word_encode(word, kind, total - HWS_TRC_WORD);
    if (!s->first && hws_trc_is_in(s, HWS_STREAMS_CONNECTED)) {
        ssize_t rc = hws_link_send(s->inner, all, n + 1);
        if (rc < 0 && rc != HWS_EAGAIN)
            return hws_trc_lose_output(s->l, (enum hws_err)rc);
        sent = rc > 0 ? (size_t)rc : 0;
        s->owes = true;
    }
    return sent == total ? HWS_OK : enqueue(s, all, n + 1, sent);
}

int hws_trc_tell(struct hws_trc_link *l, enum hws_trc_kind kind, uint64_t value)
{
    uint8_t bytes[HWS_TRC_VALUE];
    struct iovec iov = {bytes, sizeof bytes};
    hws_trc_value_encode(bytes, value);
    return hws_trc_put(&l->main, kind, &iov, 1);
}

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
            hws_trc_lose_output(l, (enum hws_err)rc);
            break;
        }
        s->owes = true;
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

int hws_trc_check_open(const struct hws_trc_link *l)
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

ssize_t hws_trc_send(struct hws_link *base, const struct iovec *iov, int n)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    struct iovec first = iov[0];
    size_t total = 0;
    int rc = hws_trc_check_open(l);
    if (rc != HWS_OK)
        return rc;
    if (l->main.first)
        return refuse(l, &l->main);
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    if (total > HWS_TRC_MESSAGE || n >= HWS_TRC_MAX_IOV) {
        first.iov_len = total = first.iov_len < HWS_TRC_MESSAGE ? first.iov_len : HWS_TRC_MESSAGE;
        iov = &first;
        n = 1;
    }
    rc = hws_trc_put(&l->main, HWS_TRC_BYTES, iov, n);
    l->asked.taken += rc == HWS_OK ? total : 0;
    return rc == HWS_OK ? (ssize_t)total : rc;
}

ssize_t hws_trc_send_message(struct hws_link *base, const struct iovec *iov, int n, uint64_t flow)
{
    struct hws_trc_link *l = hws_trc_link_of(base);
    size_t total = 0;
    int rc = hws_trc_check_open(l);
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
    l->asked.taken += rc == HWS_OK ? total : 0;
    return rc == HWS_OK ? (ssize_t)total : rc;
}

int hws_trc_send_preamble(struct hws_link *inner, enum hws_trc_first kind, uint32_t id, uint64_t flow,
                          const uint8_t *token)
{
    uint8_t bytes[HWS_TRC_PREAMBLE];
    struct iovec iov = {bytes, sizeof bytes};
    struct hws_trc_preamble p = {.kind = kind, .id = id, .flow = flow};
    memcpy(p.token, token, HWS_TRC_TOKEN);
    hws_trc_preamble_encode(bytes, &p);
    ssize_t rc = hws_link_send(inner, &iov, 1); /* a new socket has room for so little */
    return rc == HWS_TRC_PREAMBLE ? HWS_OK : rc < 0 && rc != HWS_EAGAIN ? (int)rc : HWS_ECLOSED;
}
