/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp: one link of an association (sctp_priv.h). What comes for it is in two queues: bytes, in the order in which they
 * were sent, on stream 0; and whole messages, in the order in which the kernel delivers them over all streams.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "link/sctp/sctp_priv.h"
#include "wire/bytes.h"

#define READS 64 /* messages taken from the socket in search of one for a certain link */

static struct hws_sctp_link *link_of(const struct hws_link *l)
{
    return hws_container_of((struct hws_link *)(uintptr_t)l, struct hws_sctp_link, base);
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

ssize_t hws_sctp_send(const struct hws_sctp *t, const struct iovec *iov, int n, const struct sctp_sndinfo *info)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof *info)];
    } control = {.header = {.cmsg_level = IPPROTO_SCTP, .cmsg_type = SCTP_SNDINFO, .cmsg_len = CMSG_LEN(sizeof *info)}};
    struct msghdr msg = {.msg_iov = (struct iovec *)(uintptr_t)iov,
                         .msg_iovlen = (size_t)n,
                         .msg_control = &control,
                         .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.header), info, sizeof *info);
    return sendmsg(t->io.fd, &msg,
                   MSG_NOSIGNAL | MSG_DONTWAIT); /* sctp_sendv() of lksctp-tools 1.0.19 loses the flags */
}

static uint32_t protocol_id(const struct hws_sctp_link *l, enum hws_sctp_kind kind)
{
    return htonl((uint32_t)'H' << 24 | (uint32_t)l->dialer << 23 | (uint32_t)kind << 16 | l->number);
}

/* The kernel takes no more for an association that the other end closes, or that has broken. Messages of the other end
 * may still be unread; the notice of the end comes behind them. */
static bool is_over(void)
{
    return errno == EPIPE || errno == ESHUTDOWN || errno == ENOTCONN || errno == ECONNRESET;
}

static ssize_t put(const struct hws_sctp_link *l, const struct iovec *iov, int n, uint16_t stream,
                   enum hws_sctp_kind kind)
{
    struct sctp_sndinfo info = {.snd_sid = stream, .snd_ppid = protocol_id(l, kind), .snd_assoc_id = l->assoc->id};
    ssize_t rc = hws_sctp_send(l->t, iov, n, &info);
    if (rc >= 0) {
        hws_sctp_tail_sent(l->t, l->assoc);
        return rc;
    }
    return errno == EAGAIN || errno == ENOMEM || errno == ENOBUFS || is_over() ? HWS_EAGAIN : HWS_ECLOSED;
}

/* What the other end has sent is still to be read, before its close is told: what it said last is there. */
static bool has_unread(const struct hws_sctp_link *l)
{
    return l->bytes.first || l->messages.first || (l->closed && l->dead == HWS_OK && l->n_came < l->closed_after);
}

/* HWS_OK: it may be sent. */
static int check_open(const struct hws_sctp_link *l)
{
    if (l->dead != HWS_OK || !l->assoc || l->closed || l->assoc->ending)
        return has_unread(l) ? HWS_EAGAIN : HWS_ECLOSED;
    return l->assoc->up ? HWS_OK : HWS_EAGAIN;
}

static ssize_t send_bytes(struct hws_link *base, const struct iovec *iov, int n)
{
    const struct hws_sctp_link *l = link_of(base);
    struct iovec first = iov[0];
    size_t total = 0;
    int rc = check_open(l);
    if (rc != HWS_OK)
        return rc;
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    if (total <= HWS_SCTP_MESSAGE)
        return put(l, iov, n, 0, HWS_SCTP_BYTES);
    if (first.iov_len > HWS_SCTP_MESSAGE)
        first.iov_len = HWS_SCTP_MESSAGE;
    return put(l, &first, 1, 0, HWS_SCTP_BYTES);
}

/* Stream 0 is for bytes and for what has no flow. Neighbouring flows get different streams. */
static ssize_t send_message(struct hws_link *base, const struct iovec *iov, int n, uint64_t flow)
{
    struct hws_sctp_link *l = link_of(base);
    int rc = check_open(l);
    if (rc != HWS_OK)
        return rc;
    uint16_t stream = flow && l->assoc->n_streams > 1 ? (uint16_t)(1 + flow % (l->assoc->n_streams - 1u)) : 0;
    ssize_t sent = put(l, iov, n, stream, HWS_SCTP_WHOLE);
    l->n_sent += sent > 0;
    return sent;
}

void hws_sctp_opened(struct hws_sctp_link *l)
{
    struct iovec iov = {(void *)(uintptr_t) "", 1};
    if (l->dialer)
        put(l, &iov, 1, 0, HWS_SCTP_OPEN); /* if the socket is full, the hello opens the link */
    l->tell_dialed = true;
    hws_sctp_ready(l);
}

/* An opening of a link that is open, or of none. */
void hws_sctp_probe(const struct hws_sctp_link *l)
{
    struct iovec iov = {(void *)(uintptr_t) "", 1};
    put(l, &iov, 1, 0, HWS_SCTP_OPEN);
}

void hws_sctp_close_message(const struct hws_sctp_link *l)
{
    uint8_t count[8];
    struct iovec iov = {count, sizeof count};
    hws_put64(count, l->n_sent);
    put(l, &iov, 1, 0, HWS_SCTP_CLOSE); /* if the socket is full, the other end's deadline for the hello ends it */
}

/* ---- receiving --------------------------------------------------------------------------------------------------- */

void hws_sctp_clear(struct hws_sctp *t, struct hws_sctp_queue *q)
{
    for (struct hws_sctp_piece *p = q->first, *next; p; p = next) {
        next = p->next;
        t->queued -= p->len - p->off;
        free(p);
    }
    q->first = q->last = NULL;
}

/* The queue to read from; NULL: nothing is there. */
static struct hws_sctp_queue *next_queue(struct hws_sctp_link *l)
{
    if (l->bytes.first)
        return &l->bytes;
    return l->connected && l->messages.first ? &l->messages : NULL;
}

static bool is_at_end(const struct hws_sctp_link *l)
{
    return l->dead != HWS_OK || (l->closed && l->n_came >= l->closed_after);
}

bool hws_sctp_is_readable(const struct hws_sctp_link *l)
{
    return l->bytes.first || (l->connected && l->messages.first) || is_at_end(l);
}

static size_t take(struct hws_sctp *t, struct hws_sctp_queue *q, uint8_t *dst, size_t room)
{
    size_t done = 0;
    while (q->first && done < room) {
        struct hws_sctp_piece *p = q->first;
        size_t run = p->len - p->off < room - done ? p->len - p->off : room - done;
        memcpy(dst + done, p->bytes + p->off, run);
        p->off += run;
        done += run;
        t->queued -= run;
        if (p->off < p->len)
            break;
        q->first = p->next;
        if (!q->first)
            q->last = NULL;
        free(p);
    }
    return done;
}

static ssize_t recv_bytes(struct hws_link *base, const struct iovec *iov, int n)
{
    struct hws_sctp_link *l = link_of(base);
    struct hws_sctp *t = l->t;
    struct hws_sctp_queue *q;
    ssize_t done = 0;
    for (int budget = READS; !(q = next_queue(l)); budget--) {
        if (is_at_end(l))
            return l->dead != HWS_OK ? (ssize_t)l->dead : (ssize_t)HWS_ECLOSED;
        if (budget == 0 || t->queued >= HWS_SCTP_QUEUED || !hws_sctp_read(t))
            return HWS_EAGAIN;
    }
    for (int i = 0; i < n; i++)
        done += (ssize_t)take(t, q, iov[i].iov_base, iov[i].iov_len);
    hws_sctp_input(t);
    return done;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void want(struct hws_link *base, unsigned interest)
{
    struct hws_sctp_link *l = link_of(base);
    l->interest = interest;
    bool writes = (interest & HWS_LINK_W) && ((l->assoc && l->assoc->up) || l->dead != HWS_OK);
    if (!writes)
        hws_list_remove(&l->writer);
    else if (hws_list_is_empty(&l->writer))
        hws_list_push(&l->t->writers, &l->writer);
    if (((interest & HWS_LINK_R) && hws_sctp_is_readable(l)) || ((interest & HWS_LINK_W) && l->tell_dialed))
        hws_sctp_ready(l);
    hws_sctp_input(l->t);
}

static int dial_result(struct hws_link *base, char *why, size_t why_len)
{
    const struct hws_sctp_link *l = link_of(base);
    if (l->dead == HWS_OK)
        return l->assoc->up ? HWS_OK : HWS_EAGAIN;
    snprintf(why, why_len, "%s", hws_err_text(l->dead));
    return l->dead;
}

static void connected(struct hws_link *base)
{
    struct hws_sctp_link *l = link_of(base);
    l->connected = true;
    if (hws_sctp_is_readable(l))
        hws_sctp_ready(l);
}

/* The association ends with its last link that had a hello. Where none had, it stays a while: the other end's link may
 * be on its way. */
static void close_link(struct hws_link *base)
{
    struct hws_sctp_link *l = link_of(base);
    struct hws_sctp *t = l->t;
    struct hws_assoc *a = l->assoc;
    hws_assoc_leave(l);
    if (a && !a->up && hws_list_is_empty(&a->links))
        hws_assoc_end(t, a, SCTP_ABORT);
    else if (a && !a->ending && l->connected && hws_list_is_empty(&a->links))
        hws_assoc_end(t, a, SCTP_EOF);
    else if (a && a->up && !a->ending && !l->closed) {
        l->assoc = a;
        hws_sctp_close_message(l);
    }
    hws_list_remove(&l->ready);
    hws_list_remove(&l->writer);
    hws_sctp_clear(t, &l->bytes);
    hws_sctp_clear(t, &l->messages);
    if (t->calling == l)
        t->calling = NULL;
    hws_sctp_input(t);
    free(l);
}

static void describe(const struct hws_link *base, char *dst, size_t len)
{
    snprintf(dst, len, "%s", link_of(base)->text);
}

static const struct hws_link_ops link_ops = {send_bytes, recv_bytes,   want, dial_result, connected,
                                             close_link, describe,     NULL, NULL,        NULL,
                                             NULL,       send_message, NULL, NULL};

struct hws_sctp_link *hws_sctp_link_new(struct hws_sctp *t, struct hws_assoc *a, bool dialer, uint16_t number)
{
    struct hws_sctp_link *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->base.ops = &link_ops;
    l->base.heals = true;
    l->t = t;
    l->assoc = a;
    l->dialer = dialer;
    l->number = number;
    hws_list_init(&l->ready);
    hws_list_init(&l->writer);
    hws_list_init(&l->node);
    hws_list_remove(&a->idle);
    hws_list_push(&a->links, &l->node);
    return l;
}
