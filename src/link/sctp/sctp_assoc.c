/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_assoc: what comes from the socket: messages, which are put into the queue of their link, and the kernel's news
 * of associations and paths. Owners are called only from the reactor.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "link/sctp/sctp_priv.h"
#include "wire/bytes.h"

#define MAX_READS 256  /* messages before other sockets get their turn */
#define IDLE_MS   2000 /* an association without links is shut down after that */

/* ---- associations ------------------------------------------------------------------------------------------------ */

static struct hws_list *bucket(const struct hws_sctp *t, sctp_assoc_t id)
{
    return (struct hws_list *)(uintptr_t)&t->assocs[(uint32_t)id % HWS_SCTP_BUCKETS];
}

struct hws_assoc *hws_assoc_find(const struct hws_sctp *t, sctp_assoc_t id)
{
    struct hws_list *head = bucket(t, id);
    for (struct hws_list *n = head->next; n != head; n = n->next) {
        struct hws_assoc *a = hws_container_of(n, struct hws_assoc, node);
        if (a->id == id)
            return a;
    }
    return NULL;
}

struct hws_assoc *hws_assoc_get(struct hws_sctp *t, sctp_assoc_t id)
{
    struct hws_assoc *a = hws_assoc_find(t, id);
    if (a || !(a = calloc(1, sizeof *a)))
        return a;
    a->id = id;
    a->n_streams = 1;
    hws_list_init(&a->links);
    hws_list_init(&a->idle);
    hws_list_init(&a->tail);
    hws_list_push(bucket(t, id), &a->node);
    t->n_assocs++;
    return a;
}

static void kill_links(struct hws_assoc *a, enum hws_err why)
{
    struct hws_list *n;
    while ((n = hws_list_pop(&a->links))) {
        struct hws_sctp_link *l = hws_container_of(n, struct hws_sctp_link, node);
        l->assoc = NULL;
        l->dead = why;
        l->tell_dialed = true;
        hws_sctp_ready(l);
        if ((l->interest & HWS_LINK_W) && hws_list_is_empty(&l->writer))
            hws_list_push(&l->t->writers, &l->writer);
    }
}

void hws_assoc_free(struct hws_sctp *t, struct hws_assoc *a)
{
    hws_list_remove(&a->node);
    hws_list_remove(&a->idle);
    hws_list_remove(&a->tail);
    t->n_assocs--;
    free(a);
}

void hws_assoc_leave(struct hws_sctp_link *l)
{
    struct hws_assoc *a = l->assoc;
    hws_list_remove(&l->node);
    l->assoc = NULL;
    if (!a || a->ending || !hws_list_is_empty(&a->links))
        return;
    a->idle_since_ns = hws_clock_ns();
    hws_list_push(&l->t->idle, &a->idle);
    if (!hws_timer_is_set(&l->t->reap))
        hws_timer_set(&l->t->reap, IDLE_MS);
}

void hws_assoc_end(struct hws_sctp *t, struct hws_assoc *a, uint16_t how)
{
    struct sctp_sndinfo info = {.snd_flags = how, .snd_assoc_id = a->id};
    a->ending = true;
    hws_list_remove(&a->idle);
    ssize_t rc = hws_sctp_send(t, NULL, 0, &info);
    hws_trace(link, "association %d: ended by this end: %s", (int)a->id, rc < 0 ? strerror(errno) : "ok");
    if (how == SCTP_ABORT || (rc < 0 && errno != EAGAIN)) { /* the kernel forgets it now */
        kill_links(a, HWS_ECLOSED);
        hws_assoc_free(t, a);
    }
}

void hws_sctp_on_reap(struct hws_timer *timer)
{
    struct hws_sctp *t = hws_container_of(timer, struct hws_sctp, reap);
    uint64_t now = hws_clock_ns();
    for (struct hws_list *n = t->idle.next, *next = n->next; n != &t->idle; n = next, next = n->next) {
        struct hws_assoc *a = hws_container_of(n, struct hws_assoc, idle);
        if (now - a->idle_since_ns >= IDLE_MS * HWS_NS_PER_MS)
            hws_assoc_end(t, a, SCTP_EOF);
    }
    if (!hws_list_is_empty(&t->idle))
        hws_timer_set(timer, IDLE_MS);
}

/* ---- calling the owners ------------------------------------------------------------------------------------------ */

void hws_sctp_ready(struct hws_sctp_link *l)
{
    if (hws_list_is_empty(&l->ready))
        hws_list_push(&l->t->ready, &l->ready);
    if (!hws_timer_is_set(&l->t->kick))
        hws_timer_set(&l->t->kick, 0);
}

static bool is_due(const struct hws_sctp_link *l)
{
    return ((l->interest & HWS_LINK_W) && l->tell_dialed) || ((l->interest & HWS_LINK_R) && hws_sctp_is_readable(l));
}

static void call(struct hws_sctp *t, struct hws_sctp_link *l)
{
    t->calling = l;
    if (l->accepted) {
        l->accepted = false;
        t->base.on_accept(t->base.owner, &l->base);
    }
    if (t->calling && l->tell_dialed && (l->interest & HWS_LINK_W)) {
        l->tell_dialed = false;
        l->base.events->on_writable(l->base.owner);
    }
    if (t->calling && (l->interest & HWS_LINK_R) && hws_sctp_is_readable(l))
        l->base.events->on_readable(l->base.owner);
    if (t->calling && is_due(l))
        hws_sctp_ready(l);
    t->calling = NULL;
}

/* Each link that is ready now, once. */
static void call_ready(struct hws_sctp *t)
{
    struct hws_list now, *n;
    hws_list_init(&now);
    while ((n = hws_list_pop(&t->ready)))
        hws_list_push(&now, n);
    while ((n = hws_list_pop(&now)))
        call(t, hws_container_of(n, struct hws_sctp_link, ready));
}

static void call_writers(struct hws_sctp *t)
{
    struct hws_list now, *n;
    hws_list_init(&now);
    while ((n = hws_list_pop(&t->writers)))
        hws_list_push(&now, n);
    while ((n = hws_list_pop(&now))) {
        struct hws_sctp_link *l = hws_container_of(n, struct hws_sctp_link, writer);
        hws_list_push(&t->writers, n);
        l->base.events->on_writable(l->base.owner);
    }
}

void hws_sctp_on_kick(struct hws_timer *timer)
{
    call_ready(hws_container_of(timer, struct hws_sctp, kick));
}

void hws_sctp_on_ready(struct hws_io *io, unsigned ready)
{
    struct hws_sctp *t = hws_container_of(io, struct hws_sctp, io);
    for (int n = 0; n < MAX_READS && t->queued < HWS_SCTP_QUEUED && hws_sctp_read(t); n++)
        ;
    call_ready(t);
    if (ready & HWS_W)
        call_writers(t);
    hws_sctp_input(t);
}

void hws_sctp_input(struct hws_sctp *t)
{
    if (t->io.fd >= 0)
        hws_io_want(&t->io, (t->queued < HWS_SCTP_QUEUED ? HWS_R : 0) | (hws_list_is_empty(&t->writers) ? 0 : HWS_W));
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static struct hws_sctp_link *find_link(const struct hws_assoc *a, bool dialer, uint16_t number)
{
    for (struct hws_list *n = a->links.next; n != &a->links; n = n->next) {
        struct hws_sctp_link *l = hws_container_of(n, struct hws_sctp_link, node);
        if (l->dialer == dialer && l->number == number)
            return l;
    }
    return NULL;
}

static void name_accepted(struct hws_sctp *t, struct hws_sctp_link *l)
{
    struct sockaddr *sa;
    struct hws_addr a;
    uint16_t port;
    char text[HWS_ADDR_TEXT];
    int n = hws_sctp_lib.getpaddrs(t->io.fd, l->assoc->id, &sa);
    snprintf(l->text, sizeof l->text, "sctp association %d", (int)l->assoc->id);
    if (n > 0 && hws_addr_from_sockaddr(sa, &a, &port) == HWS_OK)
        snprintf(l->text, sizeof l->text, "sctp from %s port %u", hws_addr_format(&a, text), port);
    if (n > 0)
        hws_sctp_lib.freepaddrs(sa);
}

static struct hws_sctp_link *accept_link(struct hws_sctp *t, struct hws_assoc *a, uint16_t number)
{
    struct hws_sctp_link *l = hws_sctp_link_new(t, a, false, number);
    if (!l)
        return NULL;
    name_accepted(t, l);
    l->accepted = true;
    hws_sctp_ready(l);
    return l;
}

static bool append(struct hws_sctp *t, struct hws_sctp_queue *q, const uint8_t *bytes, size_t n)
{
    struct hws_sctp_piece *p = malloc(sizeof *p + n);
    if (!p)
        return false;
    p->next = NULL;
    p->len = n;
    p->off = 0;
    memcpy(p->bytes, bytes, n);
    if (q->last)
        q->last->next = p;
    else
        q->first = p;
    q->last = p;
    t->queued += n;
    return true;
}

/* A dialer sends messages once it is welcome; whoever does so before has not proven anything. */
static bool is_early(const struct hws_sctp_link *l, unsigned kind)
{
    return kind == HWS_SCTP_WHOLE && !l->dialer && !l->connected;
}

/* A message, or a part of one (is_end: the last); a part is followed by the rest of the same message. */
static void on_message(struct hws_sctp *t, const struct sctp_rcvinfo *info, size_t n, bool is_end)
{
    struct hws_assoc *a = hws_assoc_find(t, info->rcv_assoc_id);
    uint32_t id = ntohl(info->rcv_ppid);
    bool from_dialer = id >> 23 & 1;
    unsigned kind = id >> 16 & 0x7f;
    if (!a || a->ending)
        return;
    if (id >> 24 != 'H' || kind >= HWS_SCTP_KINDS) {
        hws_assoc_end(t, a, SCTP_ABORT);
        return;
    }
    struct hws_sctp_link *l = find_link(a, !from_dialer, (uint16_t)id);
    if (!l && from_dialer && kind <= HWS_SCTP_BYTES)
        l = accept_link(t, a, (uint16_t)id);
    if (!l || kind == HWS_SCTP_OPEN)
        return;
    if (kind == HWS_SCTP_CLOSE) {
        l->closed = true;
        l->closed_after = n >= 8 ? hws_get64(t->buf) : 0;
    } else if (is_early(l, kind) || !append(t, kind == HWS_SCTP_BYTES ? &l->bytes : &l->messages, t->buf, n)) {
        hws_assoc_end(t, a, SCTP_ABORT); /* out of memory: nothing may be missing in between */
        return;
    }
    l->n_came += kind == HWS_SCTP_WHOLE && is_end;
    if (l->interest & HWS_LINK_R)
        hws_sctp_ready(l);
}

/* ---- news -------------------------------------------------------------------------------------------------------- */

static void on_up(struct hws_sctp *t, const struct sctp_assoc_change *c)
{
    struct hws_assoc *a = hws_assoc_get(t, c->sac_assoc_id);
    if (!a)
        return;
    a->up = true;
    a->n_streams = c->sac_outbound_streams ? c->sac_outbound_streams : 1;
    hws_trace(link, "association %d is up, %u streams", (int)a->id, a->n_streams);
    if (!hws_sctp_auth_is_met(t, a)) {
        hws_trace(link, "association %d: the other end has no SCTP-AUTH", (int)a->id);
        hws_assoc_end(t, a, SCTP_ABORT);
        return;
    }
    for (struct hws_list *n = a->links.next; n != &a->links; n = n->next)
        hws_sctp_opened(hws_container_of(n, struct hws_sctp_link, node));
    if (hws_list_is_empty(&a->links)) { /* whoever made it says hello soon */
        a->idle_since_ns = hws_clock_ns();
        hws_list_push(&t->idle, &a->idle);
        if (!hws_timer_is_set(&t->reap))
            hws_timer_set(&t->reap, IDLE_MS);
    }
}

static void on_down(struct hws_sctp *t, sctp_assoc_t id, enum hws_err why)
{
    struct hws_assoc *a = hws_assoc_find(t, id);
    hws_trace(link, "association %d is over: %s", (int)id, hws_err_text(why));
    if (!a)
        return;
    kill_links(a, why);
    hws_assoc_free(t, a);
}

static void on_assoc_change(struct hws_sctp *t, const struct sctp_assoc_change *c)
{
    switch (c->sac_state) {
    case SCTP_COMM_UP:
        on_up(t, c);
        break;
    case SCTP_RESTART: /* another process has taken the place of the one that was there */
        on_down(t, c->sac_assoc_id, HWS_ECLOSED);
        on_up(t, c);
        break;
    case SCTP_CANT_STR_ASSOC: /* no answer at all: the attempt's deadline would have come first */
        on_down(t, c->sac_assoc_id, HWS_EREFUSED);
        break;
    default:
        on_down(t, c->sac_assoc_id, HWS_ECLOSED);
        break;
    }
}

static void on_path(struct hws_sctp *t, const struct sctp_paddr_change *c)
{
    struct hws_assoc *a = hws_assoc_find(t, c->spc_assoc_id);
    struct sockaddr_storage sa;
    struct hws_addr addr;
    char text[HWS_ADDR_TEXT];
    memcpy(&sa, &c->spc_aaddr, sizeof sa);
    if (!a || hws_addr_from_sockaddr((struct sockaddr *)&sa, &addr, NULL) != HWS_OK)
        return;
    hws_addr_format(&addr, text);
    const struct hws_list *first = a->links.next;
    const char *where = first != &a->links ? hws_container_of(first, struct hws_sctp_link, node)->text : a->text;
    if (c->spc_state == SCTP_ADDR_UNREACHABLE) {
        a->n_paths_lost++;
        hws_warn("path to %s is lost (%s); the association goes on over the others", text, where);
    } else if (c->spc_state == SCTP_ADDR_AVAILABLE && a->n_paths_lost) {
        a->n_paths_lost--;
        hws_warn("path to %s is back (%s)", text, where);
    }
}

static void on_news(struct hws_sctp *t, size_t n)
{
    union sctp_notification news;
    memset(&news, 0, sizeof news);
    memcpy(&news, t->buf, n < sizeof news ? n : sizeof news);
    if (news.sn_header.sn_type == SCTP_ASSOC_CHANGE && n >= sizeof news.sn_assoc_change)
        on_assoc_change(t, &news.sn_assoc_change);
    else if (news.sn_header.sn_type == SCTP_PEER_ADDR_CHANGE && n >= sizeof news.sn_paddr_change)
        on_path(t, &news.sn_paddr_change);
}

bool hws_sctp_read(struct hws_sctp *t)
{
    struct iovec iov = {t->buf, HWS_SCTP_MESSAGE};
    struct sctp_rcvinfo info;
    socklen_t info_len = sizeof info, from_len = 0;
    unsigned info_type = 0;
    int flags = MSG_DONTWAIT;
    int n = hws_sctp_lib.recvv(t->io.fd, &iov, 1, NULL, &from_len, &info, &info_len, &info_type, &flags);
    if (n < 0)
        return errno != EAGAIN && errno != EINTR && errno != ENOTCONN && errno != EBADF;
    if (flags & MSG_NOTIFICATION)
        on_news(t, (size_t)n);
    else if (info_type == SCTP_RECVV_RCVINFO)
        on_message(t, &info, (size_t)n, flags & MSG_EOR);
    return true;
}
