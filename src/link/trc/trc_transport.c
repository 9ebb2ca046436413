/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_transport: tcp-trc over the tcp transport: its listeners, card and dials are that one's. Of a connection that
 * comes in, the preamble tells whether it is the first one of a link, whose hello the owner judges, or that of a flow:
 * then it names the link by the token that the acceptor drew and told over the authenticated first connection. Anything
 * else is closed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "link/tcp/tcp.h"
#include "link/trc/trc_priv.h"

#define MAX_ACCEPTS                                                                                                    \
    1088 /* connections without a preamble: a flood costs those that have said least, of these the oldest */
#define FILES_MAX   (1u << 20) /* descriptors; a process that may open more, or any number, counts as having so many */
#define SPARE_FILES 64         /* descriptors left to the application and the main connections, at least */

static struct hws_trc *trc_of(const struct hws_transport *t)
{
    return hws_container_of((struct hws_transport *)(uintptr_t)t, struct hws_trc, base);
}

/* ---- accepting --------------------------------------------------------------------------------------------------- */

static struct hws_link *end_accept(struct hws_trc_accept *a)
{
    struct hws_link *inner = a->inner;
    hws_list_remove(&a->node);
    a->t->n_accepts--;
    hws_link_want(inner, 0);
    free(a);
    return inner;
}

static bool is_token(const uint8_t *a, const uint8_t *b)
{
    uint8_t differs = 0;
    for (int i = 0; i < HWS_TRC_TOKEN; i++)
        differs |= a[i] ^ b[i];
    return !differs;
}

static struct hws_trc_link *find_link(struct hws_trc *t, const uint8_t *token)
{
    for (struct hws_list *n = t->links.next; n != &t->links; n = n->next) {
        struct hws_trc_link *l = hws_container_of(n, struct hws_trc_link, node);
        if (!l->dialer && l->connected && l->dead == HWS_OK && is_token(l->token, token))
            return l;
    }
    return NULL;
}

static void accept_main(struct hws_trc *t, struct hws_link *inner)
{
    uint8_t token[HWS_TRC_TOKEN];
    struct hws_trc_link *l =
        getrandom(token, sizeof token, 0) == sizeof token ? hws_trc_link_new(t, inner, false) : NULL;
    if (!l) {
        hws_link_close(inner);
        return;
    }
    memcpy(l->token, token, sizeof token);
    t->base.on_accept(t->base.owner, &l->base);
}

static void on_preamble(struct hws_trc_accept *a)
{
    struct hws_trc *t = a->t;
    struct hws_trc_preamble p;
    bool is_ours = hws_trc_preamble_decode(a->bytes, a->n, &p) == HWS_OK;
    struct hws_link *inner = end_accept(a);
    if (is_ours && p.kind == HWS_TRC_MAIN) {
        accept_main(t, inner);
        return;
    }
    struct hws_trc_link *l = is_ours ? find_link(t, p.token) : NULL;
    if (!l || !hws_trc_stream_attach(l, inner, p.id, p.flow))
        hws_link_close(inner);
}

static void on_accept_readable(void *owner)
{
    struct hws_trc_accept *a = owner;
    struct iovec iov = {a->bytes + a->n, sizeof a->bytes - a->n};
    ssize_t rc = hws_link_recv(a->inner, &iov, 1);
    if (rc == HWS_EAGAIN)
        return;
    if (rc < 0) {
        hws_link_close(end_accept(a));
        return;
    }
    a->n += (size_t)rc;
    if (a->n == sizeof a->bytes)
        on_preamble(a);
}

static void on_accept_writable(void *owner)
{
    (void)owner; /* not asked for */
}

static const struct hws_link_events accept_events = {on_accept_readable, on_accept_writable};

static struct hws_trc_accept *oldest(const struct hws_trc *t)
{
    return hws_container_of(t->accepts.next, struct hws_trc_accept, node);
}

static struct hws_trc_accept *least(const struct hws_trc *t)
{
    struct hws_trc_accept *found = oldest(t);
    for (const struct hws_list *n = t->accepts.next; n != &t->accepts && found->n; n = n->next) {
        struct hws_trc_accept *a = hws_container_of((struct hws_list *)(uintptr_t)n, struct hws_trc_accept, node);
        found = a->n < found->n ? a : found;
    }
    return found;
}

static void on_reap(struct hws_timer *timer)
{
    struct hws_trc *t = hws_container_of(timer, struct hws_trc, reap);
    uint64_t now = hws_clock_ns();
    while (!hws_list_is_empty(&t->accepts) && now - oldest(t)->since_ns >= t->hello_ms * HWS_NS_PER_MS)
        hws_link_close(end_accept(oldest(t)));
    if (!hws_list_is_empty(&t->accepts))
        hws_timer_set(&t->reap, t->hello_ms - (now - oldest(t)->since_ns) / HWS_NS_PER_MS);
}

static void on_accept(void *owner, struct hws_link *inner)
{
    struct hws_trc *t = owner;
    struct hws_trc_accept *a = calloc(1, sizeof *a);
    if (!a) {
        hws_link_close(inner);
        return;
    }
    a->t = t;
    a->inner = inner;
    a->since_ns = hws_clock_ns();
    inner->owner = a;
    inner->events = &accept_events;
    hws_list_push(&t->accepts, &a->node);
    t->n_accepts++;
    if (!hws_timer_is_set(&t->reap))
        hws_timer_set(&t->reap, t->hello_ms);
    hws_link_want(inner, HWS_LINK_R);
    on_accept_readable(a); /* a dialer's preamble is here mostly: only who is silent counts */
    if (t->n_accepts > MAX_ACCEPTS)
        hws_link_close(end_accept(least(t)));
}

static void on_no_files(void *owner)
{
    struct hws_trc *t = owner;
    t->accepts_pause = true;
    hws_trc_no_files(t);
}

/* ---- the transport ----------------------------------------------------------------------------------------------- */

static const char *card(const struct hws_transport *base)
{
    const struct hws_transport *inner = trc_of(base)->inner;
    return inner->ops->card(inner);
}

/* Never several links to one process: messages of one flow stay in order on one stream only. */
static int routes(struct hws_transport *base, const char *text, struct hws_route *out, int n)
{
    struct hws_transport *inner = trc_of(base)->inner;
    int found = inner->ops->routes(inner, text, out, n);
    for (int i = 0; i < found; i++)
        out[i].is_lane = false;
    return found;
}

static int dial(struct hws_transport *base, const struct hws_route *route, struct hws_link **out, char *why,
                size_t why_len)
{
    struct hws_trc *t = trc_of(base);
    struct hws_link *inner;
    int rc = t->inner->ops->dial(t->inner, route, &inner, why, why_len);
    if (rc != HWS_OK)
        return rc;
    struct hws_trc_link *l = hws_trc_link_new(t, inner, true);
    if (!l) {
        hws_link_close(inner);
        snprintf(why, why_len, "%s", hws_err_text(HWS_ENOMEM));
        return HWS_ENOMEM;
    }
    l->route = *route;
    *out = &l->base;
    return HWS_OK;
}

static int knock(struct hws_transport *base, const struct hws_route *route, struct hws_link **out, char *why,
                 size_t why_len)
{
    struct hws_transport *inner = trc_of(base)->inner;
    return inner->ops->knock(inner, route, out, why, why_len);
}

static void pause_accept(struct hws_transport *base, bool pause)
{
    struct hws_transport *inner = trc_of(base)->inner;
    inner->ops->pause_accept(inner, pause);
}

static void fini(struct hws_transport *base)
{
    struct hws_trc *t = trc_of(base);
    while (!hws_list_is_empty(&t->accepts))
        hws_link_close(end_accept(oldest(t)));
    hws_timer_stop(&t->retry);
    hws_timer_stop(&t->reap);
    t->inner->ops->fini(t->inner);
    free(t);
}

static const struct hws_transport_ops ops = {card, routes, dial, pause_accept, fini, NULL, knock, NULL, NULL};

/* Both ends of a stream between two processes of a host have a descriptor each, but of their own processes. */
static unsigned default_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur == RLIM_INFINITY || files.rlim_cur > FILES_MAX)
        return FILES_MAX / 2;
    return files.rlim_cur > 4 * SPARE_FILES   ? (unsigned)files.rlim_cur / 2
           : files.rlim_cur > 2 * SPARE_FILES ? SPARE_FILES
                                              : 1;
}

int hws_trc_open(const struct hws_params *params, struct hws_reactor *reactor, bool listen, struct hws_transport **out,
                 char *err, size_t err_len)
{
    struct hws_trc *t = calloc(1, sizeof *t);
    snprintf(err, err_len, "out of memory");
    if (!t)
        return HWS_ENOMEM;
    t->base.ops = &ops;
    t->base.max_message = HWS_TRC_MESSAGE;
    t->reactor = reactor;
    t->limit = params->trc_streams ? (unsigned)params->trc_streams : default_limit();
    t->hello_ms = params->hello_ms;
    t->silent_ms = params->silent_ms;
    t->deadline_ms = params->deadline_ms;
    hws_list_init(&t->links);
    hws_list_init(&t->accepts);
    hws_list_init(&t->used);
    hws_list_init(&t->waits);
    hws_timer_init(reactor, &t->retry, hws_trc_on_retry);
    hws_timer_init(reactor, &t->reap, on_reap);
    int rc = hws_tcp_open(params, reactor, listen, &t->inner, err, err_len);
    if (rc != HWS_OK) {
        free(t);
        return rc;
    }
    t->inner->owner = t;
    t->inner->on_accept = on_accept;
    t->inner->on_no_files = on_no_files;
    *out = &t->base;
    return HWS_OK;
}
