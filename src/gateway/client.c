/* SPDX-License-Identifier: BSD-3-Clause
 *
 * client: connections with processes of this site. Who wants to reach another site connects here and says to whom by a
 * preface; whom another site wants to reach is connected from here, and gets that preface in front of the bytes.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gateway/gateway.h"
#include "gateway/sock.h"

#define ASKING_MAX 1024 /* connections without a preface yet */
#define ASK_MS     5000
#define DIAL_MS    15000

#define BIT(state) (1u << CLIENT_##state)

static const struct hws_lifecycle_state states[CLIENT_STATES] = {
    [CLIENT_ASKING] = {"ASKING", "connected to us, has not said yet where to.", BIT(OPEN) | BIT(OVER)},
    [CLIENT_DIALING] = {"DIALING", "wanted by another site; being connected.", BIT(OPEN) | BIT(OVER)},
    [CLIENT_OPEN] = {"OPEN", "bytes pass.", BIT(OVER)},
    [CLIENT_OVER] = {"OVER", "closed, and freed.", 0},
};

const struct hws_lifecycle client_lifecycle = HWS_LIFECYCLE("client of a gateway", states);

static void client_become(struct client *c, enum client_state next)
{
    assert(hws_lifecycle_allows(&client_lifecycle, c->state, next));
    c->gateway->n_asking -= c->state == CLIENT_ASKING;
    c->state = next;
}

static void close_client(struct client *c, bool in_order)
{
    client_become(c, CLIENT_OVER);
    hws_timer_stop(&c->deadline);
    hws_io_want(&c->io, 0);
    if (in_order)
        close(c->io.fd);
    else
        sock_break(c->io.fd);
    c->flow = NULL;
    hws_list_remove(&c->all);
    hws_list_push(&c->gateway->over_clients, &c->all);
}

/* The socket broke, or was never made: the other site's client is to know. */
static void fail_client(struct client *c, enum hws_gate_why why)
{
    if (c->flow)
        flow_reset(c->flow, why);
    close_client(c, false);
}

void clients_close(struct gateway *g)
{
    while (!hws_list_is_empty(&g->clients))
        fail_client(hws_container_of(g->clients.next, struct client, all), HWS_GATE_CLOSED);
}

static void on_deadline(struct hws_timer *timer)
{
    struct client *c = hws_container_of(timer, struct client, deadline);
    c->gateway->refused += c->state == CLIENT_ASKING;
    fail_client(c, HWS_GATE_UNREACHABLE);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static void want(struct client *c)
{
    bool reads = !c->read_ended && sender_room(&c->flow->out);
    hws_io_want(&c->io, (reads ? HWS_R : 0) | (c->is_full ? HWS_W : 0));
}

/* Bytes go where the flow has memory for them; what there is none for comes into `spare`, so that a flow gets as much
 * as it has bytes. */
static void read_client(struct client *c)
{
    struct gateway *g = c->gateway;
    struct sender *out = &c->flow->out;
    size_t most = sender_room(out) < READ_AT_ONCE ? sender_room(out) : READ_AT_ONCE, len;
    uint8_t *space = sender_space(out, &len);
    len = len < most ? len : most;
    if (!most)
        return;
    struct iovec parts[] = {{space, len}, {g->spare, most - len}};
    ssize_t got = readv(c->io.fd, parts, 2);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got < 0) {
        fail_client(c, HWS_GATE_CLOSED);
        return;
    }
    c->read_ended = got == 0;
    if (c->read_ended)
        sender_end(out);
    size_t n = (size_t)got, in_place = n < len ? n : len;
    flow_added(c->flow, in_place);
    if (n > in_place && !flow_put(c->flow, g->spare, n - in_place))
        fail_client(c, HWS_GATE_NO_ROOM);
}

static void write_client(struct client *c)
{
    size_t len;
    const uint8_t *src;
    c->is_full = false;
    while ((src = receiver_bytes(&c->flow->in, &len))) {
        ssize_t n = send(c->io.fd, src, len, MSG_NOSIGNAL);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            c->is_full = true;
            return;
        }
        if (n < 0) {
            fail_client(c, HWS_GATE_CLOSED);
            return;
        }
        flow_took(c->flow, (size_t)n);
    }
    if (receiver_is_over(&c->flow->in) && !c->write_ended) {
        c->write_ended = true;
        shutdown(c->io.fd, SHUT_WR);
    }
}

static void pass_bytes(struct client *c, unsigned ready)
{
    if (ready & HWS_W)
        write_client(c);
    if (c->state == CLIENT_OPEN && (ready & HWS_R))
        read_client(c);
    if (c->state == CLIENT_OPEN)
        want(c);
}

/* ---- who asks ---------------------------------------------------------------------------------------------------- */

static void open_client(struct client *c)
{
    client_become(c, CLIENT_OPEN);
    hws_timer_stop(&c->deadline);
    want(c);
}

static void refuse(struct client *c, const struct hws_preface *p, const char *why)
{
    char from[GATE_ADDR_TEXT], to[GATE_ADDR_TEXT];
    gateway_say(c->gateway, "%s cannot be led to %s: %s", gate_addr_text(&p->from, from), gate_addr_text(&p->to, to),
                why);
    fail_client(c, HWS_GATE_REFUSED);
}

static void lead(struct client *c, const struct hws_preface *p)
{
    struct gateway *g = c->gateway;
    const struct site *site = p->site[0] ? sites_named(&g->sites, p->site) : sites_find(&g->sites, &p->to);
    struct remote *r = site && site != g->site ? remotes_to(g, site) : NULL;
    if (!r) {
        refuse(c, p,
               !site             ? "there is no such site"
               : site == g->site ? "it is in this site"
                                 : "that site has no gateway");
        return;
    }
    struct hws_gate_open open = {p->from, p->to};
    c->flow = bundle_open(&r->bundle, &open, c);
    if (!c->flow) {
        refuse(c, p, "out of memory");
        return;
    }
    r->flows++;
    open_client(c);
}

/* Who asks is of this site, as it has the key. */
static void tell_counts(struct client *c, const char *site)
{
    const struct gateway *g = c->gateway;
    struct hws_gate_counts sum = {0};
    uint8_t text[HWS_GATE_COUNTS_BYTES];
    for (unsigned i = 0; i < g->n_remotes; i++)
        if (strcmp(g->remotes[i].site->name, site) == 0)
            remote_counts(&g->remotes[i], &sum);
    hws_gate_counts_encode(text, &sum);
    bool is_told = send(c->io.fd, text, sizeof text, MSG_NOSIGNAL) == sizeof text;
    close_client(c, is_told);
}

static void read_preface(struct client *c)
{
    size_t need = HWS_PREFACE_HEAD;
    if (c->got >= need)
        need = hws_preface_length(c->preface);
    ssize_t n = recv(c->io.fd, c->preface + c->got, need - c->got, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    c->got += n > 0 ? (size_t)n : 0;
    struct hws_preface p;
    size_t whole = c->got >= HWS_PREFACE_HEAD ? hws_preface_length(c->preface) : HWS_PREFACE_MAX;
    if (n <= 0 || !whole) {
        c->gateway->refused++;
        close_client(c, false);
    } else if (c->got == whole) {
        if (hws_preface_decode(c->preface, whole, c->gateway->preface_key, &p) == HWS_OK &&
            gateway_check_preface(c->gateway, &p) == HWS_OK) {
            if (!p.to.port && p.site[0])
                tell_counts(c, p.site);
            else
                lead(c, &p);
        } else {
            c->gateway->refused++;
            close_client(c, false);
        }
    } else if (c->got == HWS_PREFACE_HEAD) {
        read_preface(c); /* the rest is there already */
    }
}

static struct client *make_client(struct gateway *g, int fd, enum client_state state,
                                  void (*on_ready)(struct hws_io *, unsigned), unsigned ms)
{
    struct client *c = fd < 0 ? NULL : calloc(1, sizeof *c);
    if (!c) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    c->gateway = g;
    c->state = state;
    hws_list_push(&g->clients, &c->all);
    hws_io_init(g->reactor, &c->io, fd, on_ready);
    hws_timer_init(g->reactor, &c->deadline, on_deadline);
    hws_timer_set(&c->deadline, ms);
    sock_tune_lan(fd);
    return c;
}

static void connected(struct client *c);

static void on_ready(struct hws_io *io, unsigned ready)
{
    struct client *c = hws_container_of(io, struct client, io);
    if (c->state == CLIENT_ASKING)
        read_preface(c);
    else if (c->state == CLIENT_DIALING)
        connected(c);
    else if (c->state == CLIENT_OPEN)
        pass_bytes(c, ready);
}

void client_accept(struct gateway *g)
{
    struct hws_gate_addr from;
    int fd = sock_accept(g->lan.fd, &from);
    if (fd >= 0 && g->n_asking >= ASKING_MAX) { /* strangers: the oldest ones time out */
        g->refused++;
        close(fd);
        return;
    }
    struct client *c = make_client(g, fd, CLIENT_ASKING, on_ready, ASK_MS);
    if (!c)
        return;
    g->n_asking++;
    hws_io_want(&c->io, HWS_R);
}

/* ---- who is asked for -------------------------------------------------------------------------------------------- */

static enum hws_gate_why why_of(int e)
{
    return e == ECONNREFUSED                           ? HWS_GATE_REFUSED
           : e == EMFILE || e == ENFILE || e == ENOMEM ? HWS_GATE_NO_ROOM
                                                       : HWS_GATE_UNREACHABLE;
}

/* The preface goes first; a socket that has just connected takes it whole. */
static void connected(struct client *c)
{
    struct hws_preface p;
    int e = sock_error(c->io.fd);
    if (e) {
        fail_client(c, why_of(e));
        return;
    }
    gateway_make_preface(&p, &c->flow->open.from, &c->flow->open.to);
    ssize_t len = (ssize_t)hws_preface_encode(c->preface, &p, c->gateway->preface_key);
    if (send(c->io.fd, c->preface, (size_t)len, MSG_NOSIGNAL) != len) {
        fail_client(c, HWS_GATE_CLOSED);
        return;
    }
    flow_connected(c->flow);
    open_client(c);
    pass_bytes(c, HWS_R | HWS_W);
}

static void offered(void *arg, struct flow *f)
{
    struct gateway *g = ((struct remote *)arg)->gateway;
    ((struct remote *)arg)->flows++;
    if (g->site->n_networks && sites_find(&g->sites, &f->open.to) != g->site) {
        flow_reset(f, HWS_GATE_REFUSED);
        return;
    }
    bool binds = !g->is_of_job && g->self->lan.family == f->open.to.family;
    int fd = sock_dial(binds ? &g->self->lan : NULL, &f->open.to);
    enum hws_gate_why why = why_of(errno);
    struct client *c = make_client(g, fd, CLIENT_DIALING, on_ready, DIAL_MS);
    if (!c) {
        flow_reset(f, fd < 0 ? why : HWS_GATE_NO_ROOM);
        return;
    }
    c->flow = f;
    f->client = c;
    hws_io_want(&c->io, HWS_W);
}

static void arrived(void *arg, struct flow *f)
{
    struct client *c = f->client;
    (void)arg;
    if (!c->is_full)
        pass_bytes(c, HWS_W);
}

static void room(void *arg, struct flow *f)
{
    struct client *c = f->client;
    (void)arg;
    if (c->state == CLIENT_OPEN)
        want(c);
}

static void over(void *arg, struct flow *f, enum hws_gate_why why)
{
    struct client *c = f->client;
    char from[GATE_ADDR_TEXT], to[GATE_ADDR_TEXT];
    (void)arg;
    if (!c)
        return;
    if (why > HWS_GATE_CLOSED)
        gateway_say(c->gateway, "%s was not led to %s: %s", gate_addr_text(&f->open.from, from),
                    gate_addr_text(&f->open.to, to), hws_gate_why_text(why));
    close_client(c, !why);
}

const struct bundle_user client_user = {offered, arrived, room, over, NULL};
