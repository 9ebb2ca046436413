/* SPDX-License-Identifier: BSD-3-Clause
 *
 * remote: the gateways of the other sites, and the trunks to each. Of two gateways the one whose name comes first
 * dials, unless one of them cannot be dialed.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "gateway/gateway.h"
#include "gateway/sock.h"

#define FULL_BYTES       (2 << 20) /* on the way over one trunk: it may well have no room for more */
#define USE_STEP_NS      (250 * HWS_NS_PER_MS)
#define BACKOFF_LEAST_MS 100
#define BACKOFF_MOST_MS  5000
#define DOWN_MAX_NS      (60 * HWS_NS_PER_S) /* without any trunk for so long, the flows end */
#define JOB_DOWN_MAX_NS  (2 * HWS_NS_PER_S)

static void wants(void *arg)
{
    ((struct remote *)arg)->wants = true;
}

static struct bundle_user user; /* the clients' functions, and wants() */

static void dial_later(struct remote *r)
{
    if (hws_timer_is_set(&r->redial))
        return;
    r->backoff_ms = r->backoff_ms ? 2 * r->backoff_ms : BACKOFF_LEAST_MS;
    r->backoff_ms = r->backoff_ms > BACKOFF_MOST_MS ? BACKOFF_MOST_MS : r->backoff_ms;
    hws_timer_set(&r->redial, r->backoff_ms);
}

static void dial_missing(struct remote *r)
{
    for (uint16_t i = 0; i < r->gateway->sites.trunks; i++) {
        if (!r->trunks[i])
            r->trunks[i] = trunk_dial(r, i);
        if (!r->trunks[i])
            dial_later(r);
    }
}

static void on_redial(struct hws_timer *timer)
{
    dial_missing(hws_container_of(timer, struct remote, redial));
}

static bool dials(const struct gateway_at *self, const struct gateway_at *other)
{
    if (!self->wan.family || !other->wan.family)
        return other->wan.family != 0;
    return strcmp(self->name, other->name) < 0;
}

static void open_remote(struct gateway *g, struct remote *r, const struct site *site, const struct gateway_at *at)
{
    r->gateway = g;
    r->site = site;
    r->at = at;
    r->dials = dials(g->self, at);
    r->down_ns = hws_clock_ns();
    use_init(&r->use, r->down_ns, USE_STEP_NS);
    bundle_init(&r->bundle, &user, r, &g->pool, r->dials);
    hws_timer_init(g->reactor, &r->redial, on_redial);
    if (r->dials)
        dial_missing(r);
}

void remotes_open(struct gateway *g)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    g->begin_ns = (uint64_t)now.tv_sec * HWS_NS_PER_S + (uint64_t)now.tv_nsec;
    user = client_user;
    user.wants = wants;
    g->remotes = calloc(SITES_MAX * SITE_GATEWAYS_MAX, sizeof *g->remotes);
    for (unsigned i = 0; g->remotes && i < g->sites.n; i++) {
        const struct site *s = &g->sites.sites[i];
        for (unsigned k = 0; s != g->site && k < s->n_gateways; k++)
            open_remote(g, &g->remotes[g->n_remotes++], s, &s->gateways[k]);
    }
}

struct remote *remotes_to(struct gateway *g, const struct site *site)
{
    struct remote *found = NULL;
    for (unsigned i = 0; i < g->n_remotes; i++) {
        struct remote *r = &g->remotes[i];
        if (r->site == site && (!found || (!found->n_up && r->n_up)))
            found = r;
    }
    return found;
}

struct remote *remotes_named(struct gateway *g, const struct hws_gate_hello *h)
{
    for (unsigned i = 0; i < g->n_remotes; i++) {
        struct remote *r = &g->remotes[i];
        if (strcmp(r->site->name, h->site) == 0 && strcmp(r->at->name, h->gateway) == 0)
            return r;
    }
    return NULL;
}

void remote_trunk_up(struct remote *r, struct trunk *t, const struct hws_gate_hello *h)
{
    if (r->incarnation && r->incarnation != h->incarnation) {
        gateway_say(r->gateway, "gateway %s of site %s has begun anew; %u flows to it are over", r->at->name,
                    r->site->name, r->bundle.n_flows);
        bundle_reset(&r->bundle, HWS_GATE_CLOSED);
    }
    (void)t;
    r->incarnation = h->incarnation;
    r->backoff_ms = 0;
    r->wants = true;
    if (!r->n_up++ && (r->gateway->is_verbose || r->is_told))
        gateway_say(r->gateway, "gateway %s of site %s is reached", r->at->name, r->site->name);
    r->is_told = false;
}

void remote_count(struct remote *r, const struct trunk *t)
{
    r->bytes_in += t->bytes_in;
    r->bytes_out += t->bytes_out;
    r->restarts += t->restarts;
    r->again += sock_state(t->io.fd).again;
}

void remote_trunk_over(struct remote *r, struct trunk *t)
{
    struct trunk **place = &r->trunks[t->number];
    *place = NULL;
    r->n_up = 0;
    for (unsigned i = 0; i < TRUNKS_MAX; i++)
        r->n_up += r->trunks[i] && r->trunks[i]->state == TRUNK_UP;
    if (!r->n_up)
        r->down_ns = hws_clock_ns();
    bundle_lost(&r->bundle, t->number);
    if (r->dials)
        dial_later(r);
}

/* What one trunk has no room for goes over the others: where the way is crowded, or longer than a socket holds. */
static bool spreads(struct remote *r, const struct trunk *t)
{
    if (crowd_is_due(&r->crowd, t->looked_ns))
        crowd_look(&r->crowd, t->looked_ns, t->seen.rtt_us, t->seen.min_rtt_us, r->moved);
    return t->is_blocked && (crowd_is_there(&r->crowd) || sock_unacked(t->io.fd) >= FULL_BYTES);
}

void remote_flush(struct remote *r)
{
    do { /* once more if a trunk ended: what it had on the way is another's */
        bool takes = true;
        r->wants = false;
        for (unsigned i = 0; i < TRUNKS_MAX; i++) {
            struct trunk *t = r->trunks[i];
            if (!t || t->state != TRUNK_UP)
                continue;
            trunk_flush(t, takes);
            takes = takes && r->trunks[i] == t && spreads(r, t);
        }
    } while (r->wants && r->n_up);
}

/* Hawser's processes keep what they have sent, and may go another way. */
static uint64_t down_max_ns(const struct remote *r)
{
    return r->gateway->is_of_job ? JOB_DOWN_MAX_NS : DOWN_MAX_NS;
}

void remote_tick(struct remote *r, uint64_t now_ns)
{
    bundle_tick(&r->bundle, now_ns);
    if (r->n_up || now_ns - r->down_ns < down_max_ns(r) || !r->bundle.n_flows)
        return;
    if (!r->is_told || !r->gateway->is_of_job)
        gateway_say(r->gateway, "gateway %s of site %s cannot be reached for %u s; %u flows to it end", r->at->name,
                    r->site->name, (unsigned)(down_max_ns(r) / HWS_NS_PER_S), r->bundle.n_flows);
    r->is_told = true;
    bundle_reset(&r->bundle, HWS_GATE_UNREACHABLE);
}

void remote_counts(const struct remote *r, struct hws_gate_counts *c)
{
    c->bytes_in += r->bytes_in;
    c->bytes_out += r->bytes_out;
    c->again += r->again;
    c->restarts += r->restarts;
    for (unsigned i = 0; i < TRUNKS_MAX; i++) {
        const struct trunk *t = r->trunks[i];
        if (!t || t->state != TRUNK_UP)
            continue;
        struct sock_state now = sock_state(t->io.fd);
        c->bytes_in += t->bytes_in;
        c->bytes_out += t->bytes_out;
        c->again += now.again;
        c->restarts += t->restarts;
        c->rtt_us = now.rtt_us > c->rtt_us ? now.rtt_us : c->rtt_us;
        c->least_rtt_us = hws_gate_less(c->least_rtt_us, now.min_rtt_us);
    }
}

void remote_sample(struct remote *r, uint64_t now_ns)
{
    struct hws_gate_counts c = {0};
    remote_counts(r, &c);
    use_add(&r->use, now_ns, &c);
}

void remote_report(struct remote *r)
{
    struct hws_gate_counts c = {0};
    remote_counts(r, &c);
    gateway_say(r->gateway,
                "to %s of site %s: %u trunks, %u flows now, %llu in all, %llu bytes out, %llu in, %llu segments "
                "sent again, %llu idle restarts, round trip %.1f ms",
                r->at->name, r->site->name, r->n_up, r->bundle.n_flows, (unsigned long long)r->flows,
                (unsigned long long)c.bytes_out, (unsigned long long)c.bytes_in, (unsigned long long)c.again,
                (unsigned long long)c.restarts, (double)c.rtt_us / 1e3);
}
