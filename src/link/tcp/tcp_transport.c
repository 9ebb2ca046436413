/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tcp_transport: listeners on the chosen interfaces, the address card, and dialing by pairs of addresses.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/log.h"
#include "link/net/site.h"
#include "link/net/steer.h"
#include "link/tcp/tcp_priv.h"

#define BACKLOG       4096 /* the kernel clamps to net.core.somaxconn */
#define ACCEPT_BUDGET 256  /* accepts before other sockets get their turn: a rank may look into MPI seldom */
#define KNOCK_PORT                                                                                                     \
    7 /* echo: mostly closed, and who asks there is known to ask for life, as Java's isReachable() does */
#define MAX_LISTENERS (2 * HWS_CARD_ADDRS + 1) /* steer.h: two at an address */
#define PAUSE_MS      100                      /* after descriptors ran out */
#define SAY_AFTER     10                       /* such pauses in a row: it does not pass by itself */

struct tcp;

struct listener {
    struct hws_io io;
    struct tcp *tcp;
};

struct tcp {
    struct hws_transport base;
    struct hws_reactor *reactor;
    struct hws_site site;
    struct hws_relay relay;
    char card_text[HWS_CARD_TEXT];
    struct listener listeners[MAX_LISTENERS];
    int n_listeners;
    struct hws_timer resume;
    int n_pauses; /* since the last accept */
    bool told_short;
    bool steers_not, dial_failed; /* steered dials and others take turns as they fail */
};

/* What struct hws_route carries for this transport. */
struct tcp_route {
    struct hws_addr local, remote;
    unsigned ifindex;
    uint16_t port;
    bool bind_local;
    bool contested;  /* the routing table may choose another interface than ifname */
    bool by_gateway; /* remote and port are a gateway's, and the process is at `to` */
    char ifname[HWS_NETIF_NAME];
    struct hws_addr to;
    uint16_t to_port;
    char to_site[HWS_GATE_NAME];
};
_Static_assert(sizeof(struct tcp_route) <= sizeof(((struct hws_route *)0)->priv), "room in the route");

static struct tcp *tcp_of(const struct hws_transport *t)
{
    return hws_container_of((struct hws_transport *)(uintptr_t)t, struct tcp, base);
}

static const char *card_text(const struct hws_transport *t)
{
    return tcp_of(t)->card_text;
}

/* ---- accepting --------------------------------------------------------------------------------------------------- */

static void pause_accept(struct hws_transport *base, bool pause)
{
    struct tcp *t = tcp_of(base);
    for (int i = 0; i < t->n_listeners; i++)
        hws_io_want(&t->listeners[i].io, pause ? 0 : HWS_R);
    if (pause)
        hws_timer_set(&t->resume, PAUSE_MS);
}

static void on_resume(struct hws_timer *timer)
{
    struct tcp *t = hws_container_of(timer, struct tcp, resume);
    pause_accept(&t->base, false);
}

struct ends {
    struct hws_addr here, there;
    uint16_t here_port, there_port;
};

static bool get_ends(int fd, struct ends *out)
{
    struct sockaddr_storage here, there;
    socklen_t n_here = sizeof here, n_there = sizeof there;
    return getsockname(fd, (struct sockaddr *)&here, &n_here) == 0 &&
           getpeername(fd, (struct sockaddr *)&there, &n_there) == 0 &&
           hws_addr_from_sockaddr((struct sockaddr *)&here, &out->here, &out->here_port) == HWS_OK &&
           hws_addr_from_sockaddr((struct sockaddr *)&there, &out->there, &out->there_port) == HWS_OK;
}

/* The own card with an address; NULL: it is none of those that are used. */
static const struct hws_netif *own_card(const struct tcp *t, const struct hws_addr *a)
{
    for (size_t i = 0; i < t->site.n_mine; i++)
        if (hws_addr_is_equal(&t->site.mine[i].addr, a))
            return &t->site.mine[i];
    return NULL;
}

/* A number for the other end's card. Several addresses may be on one card here; there, it is known by its address
 * alone. */
static uint64_t card_there(const struct hws_addr *a)
{
    return hws_hash(a->family, a->bytes, sizeof a->bytes);
}

/* The ends of an accepted connection, as errors tell them: "n0 10.1.0.1 port 5000 from 10.1.0.2". */
static void name_ends(const struct tcp *t, const struct ends *e, char *dst, size_t len)
{
    char here[HWS_ADDR_TEXT], there[HWS_ADDR_TEXT];
    const struct hws_netif *card = own_card(t, &e->here);
    snprintf(dst, len, "%s %s port %u from %s", card ? card->name : "lo", hws_addr_format(&e->here, here), e->here_port,
             hws_addr_format(&e->there, there));
}

/* Once: where it comes and goes, it is of no more use. */
static void say_short(struct tcp *t, int error)
{
    struct rlimit most = {0, 0};
    if (t->n_pauses < SAY_AFTER || t->told_short)
        return;
    t->told_short = true;
    getrlimit(RLIMIT_NOFILE, &most);
    if (error == EMFILE)
        hws_warn("no descriptor is left for connections of other ranks, which wait (ulimit -n: %llu)",
                 (unsigned long long)most.rlim_cur);
    else
        hws_warn("connections of other ranks wait, none can be accepted: %s", strerror(error));
}

static void run_short(struct tcp *t, int error)
{
    pause_accept(&t->base, true);
    t->n_pauses++;
    if (t->base.on_no_files)
        t->base.on_no_files(t->base.owner);
    say_short(t, error);
}

static void on_connection(struct hws_io *io, unsigned ready)
{
    (void)ready;
    struct tcp *t = hws_container_of(io, struct listener, io)->tcp;
    for (int budget = ACCEPT_BUDGET; budget > 0; budget--) {
        int fd = accept4(io->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS))
            run_short(t, errno);
        if (fd < 0)
            return;
        t->n_pauses = 0;
        struct ends ends;
        char text[160] = "";
        bool is_known = get_ends(fd, &ends);
        if (is_known)
            name_ends(t, &ends, text, sizeof text);
        struct hws_tcp_link *l = hws_tcp_link_new(t->reactor, fd, text);
        if (!l) {
            close(fd);
            return;
        }
        l->base.is_local = is_known && hws_addr_is_equal(&ends.here, &ends.there);
        if (is_known) {
            const struct hws_netif *card = own_card(t, &ends.here);
            l->base.speed_mbps = card ? card->speed_mbps : 0;
            l->base.here = card ? card->ifindex : 0;
            l->base.there = card_there(&ends.there);
        }
        if (t->relay.n_own && !(l->in = calloc(1, sizeof *l->in))) {
            hws_link_close(&l->base);
            return;
        }
        t->base.on_accept(t->base.owner, &l->base);
    }
}

/* Binds fd to the address, at a free port of the range. Returns the port, or 0 with errno set. */
static uint16_t bind_in_range(struct tcp *t, int fd, const struct hws_addr *addr, unsigned ifindex)
{
    struct sockaddr_storage sa;
    for (unsigned i = 0; i < hws_site_n_ports(&t->site); i++) {
        socklen_t len = hws_addr_to_sockaddr(addr, hws_site_port(&t->site, i), ifindex, &sa);
        if (bind(fd, (struct sockaddr *)&sa, len) < 0) {
            if (errno == EADDRINUSE && t->site.port_low)
                continue;
            return 0;
        }
        if (listen(fd, BACKLOG) < 0) {
            if (errno == EADDRINUSE && t->site.port_low)
                continue;
            return 0;
        }
        uint16_t bound = 0;
        struct hws_addr ignored;
        len = sizeof sa;
        if (getsockname(fd, (struct sockaddr *)&sa, &len) < 0 ||
            hws_addr_from_sockaddr((struct sockaddr *)&sa, &ignored, &bound) != HWS_OK)
            return 0;
        return bound;
    }
    return 0;
}

static void add_listener(struct tcp *t, int fd)
{
    struct listener *l = &t->listeners[t->n_listeners++];
    l->tcp = t;
    hws_io_init(t->reactor, &l->io, fd, on_connection);
    hws_io_want(&l->io, HWS_R);
}

static uint16_t listen_on(struct tcp *t, const struct hws_addr *addr, unsigned ifindex, char *err, size_t err_len)
{
    char text[HWS_ADDR_TEXT];
    if (t->n_listeners == MAX_LISTENERS)
        return 0;
    int fd = socket(addr->family == 6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && addr->family == 6) {
        int on = 1;
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    }
    if (fd >= 0)
        hws_tcp_unpace(fd);
    uint16_t port = fd >= 0 ? bind_in_range(t, fd, addr, ifindex) : 0;
    if (!port) {
        if (t->site.port_low && errno == EADDRINUSE)
            snprintf(err, err_len, "no free port for %s between %u and %u (-portrange): every rank of a host needs one",
                     hws_addr_format(addr, text), t->site.port_low, t->site.port_high);
        else
            snprintf(err, err_len, "cannot listen on %s: %s", hws_addr_format(addr, text), strerror(errno));
        if (fd >= 0)
            close(fd);
        return 0;
    }
    add_listener(t, fd);
    return port;
}

static void listen_on_device(struct tcp *t, const struct hws_netif *e)
{
    if (t->n_listeners == MAX_LISTENERS || !hws_steer_is_contested(t->site.all, t->site.n_all, e->ifindex, &e->addr))
        return;
    int fd = hws_steer_listen(t->listeners[t->n_listeners - 1].io.fd, e->name, BACKLOG);
    if (fd >= 0)
        add_listener(t, fd);
}

/* ---- dialing ----------------------------------------------------------------------------------------------------- */

static int routes_direct(struct tcp *t, const struct hws_card *theirs, struct hws_route *out, int n)
{
    struct hws_pair pairs[HWS_MAX_LANES];
    size_t n_pairs = hws_site_pairs(&t->site, theirs, pairs, (size_t)(n < HWS_MAX_LANES ? n : HWS_MAX_LANES));
    for (size_t i = 0; i < n_pairs; i++) {
        const struct hws_pair *p = &pairs[i];
        struct tcp_route r = {.local = p->local,
                              .remote = p->remote,
                              .ifindex = p->ifindex,
                              .port = p->port,
                              .bind_local = p->kind != HWS_PAIR_LOOPBACK};
        r.contested = r.bind_local && hws_steer_is_contested(t->site.all, t->site.n_all, p->ifindex, &p->remote);
        memcpy(r.ifname, p->ifname, sizeof r.ifname);
        char local[HWS_ADDR_TEXT], remote[HWS_ADDR_TEXT];
        memcpy(out[i].priv, &r, sizeof r);
        out[i].is_lane = p->is_lane;
        out[i].speed_mbps = p->speed_mbps;
        snprintf(out[i].text, sizeof out[i].text, "%s %s to %s port %u on host %.60s", p->ifname,
                 hws_addr_format(&p->local, local), hws_addr_format(&p->remote, remote), p->port, theirs->hostname);
    }
    return (int)n_pairs;
}

/* Through each gateway of the own site to each address of the process; the first one is a lane. */
static int routes_by_gateway(struct tcp *t, const struct hws_card *card, struct hws_route *out, int n)
{
    const struct hws_relay *relay = &t->relay;
    int n_found = 0;
    for (size_t i = 0; i < card->n_addrs * relay->n_own && n_found < n; i++) {
        const struct hws_card_addr *to = &card->addrs[i / relay->n_own];
        unsigned g = (unsigned)(i % relay->n_own);
        struct tcp_route r = {.remote = relay->own[g].addr,
                              .port = relay->own[g].port,
                              .by_gateway = true,
                              .to = to->addr,
                              .to_port = to->port};
        char gateway[HWS_ADDR_TEXT], remote[HWS_ADDR_TEXT];
        snprintf(r.to_site, sizeof r.to_site, "%s", card->site);
        memcpy(out[n_found].priv, &r, sizeof r);
        out[n_found].is_lane = n_found == 0;
        out[n_found].speed_mbps = HWS_NETIF_GUESS_MBPS;
        snprintf(out[n_found].text, sizeof out->text, "gateway %s port %u to %s port %u on host %.60s",
                 hws_addr_format(&r.remote, gateway), r.port, hws_addr_format(&to->addr, remote), to->port,
                 card->hostname);
        n_found++;
    }
    return n_found;
}

/* To another site that is not near by its gateways first: a connection of its own there makes one window more among
 * strangers. */
static int routes(struct hws_transport *base, const char *card_txt, struct hws_route *out, int n)
{
    struct tcp *t = tcp_of(base);
    struct hws_card card;
    if (hws_card_parse(card_txt, strlen(card_txt), &card) != HWS_OK)
        return HWS_EINVAL;
    if (strcmp(card.site, t->site.card.site) == 0 || !hws_relay_leads(&t->relay, card.site))
        return routes_direct(t, &card, out, n);
    if (t->relay.way == HWS_RELAY_GATEWAY)
        return routes_by_gateway(t, &card, out, n);
    bool is_direct = hws_relay_is_direct_first(&t->relay, card.site, card.addrs, card.n_addrs);
    int most = is_direct ? n - (int)t->relay.n_own : n; /* room for both */
    int n_first = (is_direct ? routes_direct : routes_by_gateway)(t, &card, out, most);
    int n_next = (is_direct ? routes_by_gateway : routes_direct)(t, &card, out + n_first, n - n_first);
    for (int i = 0; i < n_next && n_first; i++)
        out[n_first + i].is_lane = false;
    return n_first + n_next;
}

static int connect_socket(int fd, const struct tcp_route *r)
{
    struct sockaddr_storage sa;
    if (r->bind_local) {
        int on = 1;
        setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on); /* the port is chosen by connect() */
        socklen_t len = hws_addr_to_sockaddr(&r->local, 0, r->ifindex, &sa);
        if (bind(fd, (struct sockaddr *)&sa, len) < 0)
            return -1;
    }
    socklen_t len = hws_addr_to_sockaddr(&r->remote, r->port, r->ifindex, &sa);
    return connect(fd, (struct sockaddr *)&sa, len) == 0 || errno == EINPROGRESS ? 0 : -1;
}

static int dial_port(struct tcp *t, const struct hws_route *route, uint16_t port, struct hws_link **out, char *why,
                     size_t why_len)
{
    struct tcp_route r;
    memcpy(&r, route->priv, sizeof r);
    if (r.by_gateway && port) {
        snprintf(why, why_len, "a gateway tells nothing of the host behind it");
        return HWS_EUNREACHABLE;
    }
    r.port = port ? port : r.port;
    int fd = socket(r.remote.family == 6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct hws_tcp_link *l = NULL;
    if (t->dial_failed && !port)
        t->steers_not = !t->steers_not;
    t->dial_failed = t->dial_failed && port;
    if (fd >= 0 && r.contested && !t->steers_not)
        hws_steer_bind(fd, r.ifname);
    if (fd >= 0)
        hws_tcp_unpace(fd);
    if (fd >= 0 && connect_socket(fd, &r) == 0)
        l = hws_tcp_link_new(t->reactor, fd, route->text);
    if (l && r.by_gateway && !(l->preface = malloc(HWS_PREFACE_MAX))) {
        hws_link_close(&l->base);
        snprintf(why, why_len, "%s", hws_err_text(HWS_ENOMEM));
        return HWS_ENOMEM;
    }
    if (!l) {
        enum hws_err rc = r.by_gateway ? HWS_ESYS : hws_err_from_errno(errno);
        snprintf(why, why_len, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return rc == HWS_OK || rc == HWS_EAGAIN ? HWS_ESYS : rc;
    }
    l->failed = r.contested && !port ? &t->dial_failed : NULL;
    l->aborts = true;
    if (r.by_gateway)
        l->preface_len = hws_relay_preface(&t->relay, r.to_site, &r.to, r.to_port, l->preface);
    l->base.is_local = !r.bind_local && !r.by_gateway;
    l->base.here = r.ifindex;
    l->base.there = r.by_gateway ? 0 : card_there(&r.remote);
    *out = &l->base;
    return HWS_OK;
}

static int dial(struct hws_transport *base, const struct hws_route *route, struct hws_link **out, char *why,
                size_t why_len)
{
    return dial_port(tcp_of(base), route, 0, out, why, why_len);
}

static int knock(struct hws_transport *base, const struct hws_route *route, struct hws_link **out, char *why,
                 size_t why_len)
{
    return dial_port(tcp_of(base), route, KNOCK_PORT, out, why, why_len);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Who is on this host comes by the loopback interface; nobody else has anything to ask. */
static int open_listeners(struct tcp *t, bool one_host, char *err, size_t err_len)
{
    struct hws_addr loopback = hws_addr_loopback();
    err[0] = '\0';
    t->site.card.loopback_port = listen_on(t, &loopback, 0, err, err_len);
    size_t n = one_host && t->site.card.loopback_port ? 0 : t->site.n_mine;
    for (size_t i = 0; i < n && t->site.card.n_addrs < HWS_CARD_ADDRS; i++) {
        uint16_t port = listen_on(t, &t->site.mine[i].addr, t->site.mine[i].ifindex, err, err_len);
        if (!port)
            continue;
        hws_card_add(&t->site.card, &t->site.mine[i], port);
        listen_on_device(t, &t->site.mine[i]);
    }
    if (t->n_listeners == 0)
        return HWS_ESYS;
    return HWS_OK;
}

static void fini(struct hws_transport *base)
{
    struct tcp *t = tcp_of(base);
    for (int i = 0; i < t->n_listeners; i++) {
        hws_io_want(&t->listeners[i].io, 0);
        close(t->listeners[i].io.fd);
    }
    hws_timer_stop(&t->resume);
    free(t);
}

static void admit(struct hws_transport *base, const uint8_t key[HWS_LINK_KEY_LEN])
{
    hws_relay_admit(&tcp_of(base)->relay, key);
}

static bool ask_site(struct hws_transport *base, const char *card_txt, struct hws_gate_counts *out)
{
    struct tcp *t = tcp_of(base);
    struct hws_card card;
    if (!card_txt)
        return t->relay.n_own && t->relay.n_others;
    return hws_card_parse(card_txt, strlen(card_txt), &card) == HWS_OK && strcmp(card.site, t->site.card.site) != 0 &&
           hws_relay_ask(&t->relay, card.site, out);
}

static const struct hws_transport_ops ops = {.card = card_text,
                                             .routes = routes,
                                             .dial = dial,
                                             .pause_accept = pause_accept,
                                             .fini = fini,
                                             .knock = knock,
                                             .admit = admit,
                                             .site = ask_site};

int hws_tcp_open(const struct hws_params *params, struct hws_reactor *reactor, bool want_listeners,
                 struct hws_transport **out, char *err, size_t err_len)
{
    struct tcp *t = calloc(1, sizeof *t);
    snprintf(err, err_len, "out of memory");
    if (!t)
        return HWS_ENOMEM;
    t->base.ops = &ops;
    t->reactor = reactor;
    hws_timer_init(reactor, &t->resume, on_resume);
    int rc = hws_site_init(&t->site, params, err, err_len);
    if (rc == HWS_OK)
        rc = hws_relay_init(&t->relay, params, err, err_len);
    if (rc == HWS_OK && want_listeners)
        rc = open_listeners(t, params->one_host, err, err_len);
    if (rc == HWS_OK && (rc = hws_card_format(&t->site.card, t->card_text, sizeof t->card_text)) != HWS_OK)
        snprintf(err, err_len, "the address card does not fit");
    if (rc != HWS_OK) {
        fini(&t->base);
        return rc;
    }
    *out = &t->base;
    return HWS_OK;
}
