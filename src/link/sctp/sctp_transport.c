/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_transport: the one socket of a process, its address card, and dialing: an association with all addresses of the
 * other process that interfaces here can reach.
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "link/sctp/sctp_priv.h"

#define CARD_MARK      "sctp/"      /* or AUTH_MARK: before the card's text, so that nobody dials it with TCP */
#define AUTH_MARK      "sctp-auth/" /* the process uses SCTP-AUTH */
#define BACKLOG        4096         /* associations that wait to be accepted; the kernel clamps it, too */
#define BUF_BYTES      (4 << 20) /* the kernel clamps to net.core.[rw]mem_max, unless the process may do as it likes */
#define IN_STREAMS     1024      /* of an association that the other end opens, at most */
#define INIT_TRIES     8         /* INIT chunks without an answer before the attempt has failed */
#define RETRANS_MIN    4     /* of a chunk, before an association counts as lost, however short -tcpdeadline is ... */
#define RETRANS_MAX    10000 /* ... and with the longest; the kernel has 16 bits for it */
#define LINGER_POLL_MS 100   /* between looks whether they are gone */
#define RTO_INIT_MS    500   /* before anything is measured */
#define LINGER_MS      3000  /* at the end, for associations that wait for the last acknowledgments */

static struct hws_sctp *sctp_of(const struct hws_transport *t)
{
    return hws_container_of((struct hws_transport *)(uintptr_t)t, struct hws_sctp, base);
}

static const char *card_text(const struct hws_transport *t)
{
    return sctp_of(t)->card_text;
}

/* ---- dialing ----------------------------------------------------------------------------------------------------- */

/* An association tells its other end all of its addresses, and link-local ones mean nothing beyond one link; so they
 * are used only where there is nothing else. */
static bool is_of_use(const struct hws_sctp *t, const struct hws_addr *a)
{
    return (a->family == 4 || t->is_v6) && (t->is_link_local || !hws_addr_is_link_local(a));
}

static void add_target(struct hws_sctp_target *g, const struct hws_pair *p)
{
    for (int i = 0; i < g->n; i++)
        if (hws_addr_is_equal(&g->addrs[i].addr, &p->remote))
            return;
    if (g->n == (int)HWS_ARRAY_LEN(g->addrs) || (g->n && p->port != g->port))
        return;
    g->port = p->port;
    g->addrs[g->n++] = (struct hws_sctp_addr){p->remote, p->ifindex};
}

static void name_target(struct hws_sctp_target *g, const struct hws_pair *first, const char *hostname)
{
    char local[HWS_ADDR_TEXT], remote[HWS_ADDR_TEXT];
    int at =
        snprintf(g->text, sizeof g->text, "sctp %s %s to %s port %u on host %.40s", first->ifname,
                 hws_addr_format(&first->local, local), hws_addr_format(&first->remote, remote), first->port, hostname);
    if (g->n > 1 && at < (int)sizeof g->text)
        at += snprintf(g->text + at, sizeof g->text - (size_t)at, " and %d more address%s", g->n - 1,
                       g->n > 2 ? "es" : "");
    if (g->is_auth && at < (int)sizeof g->text)
        snprintf(g->text + at, sizeof g->text - (size_t)at, ", SCTP-AUTH");
}

/* Length of the mark before a card's text; 0: it is another transport's. */
static size_t card_mark(const char *text)
{
    if (strncmp(text, CARD_MARK, strlen(CARD_MARK)) == 0)
        return strlen(CARD_MARK);
    return strncmp(text, AUTH_MARK, strlen(AUTH_MARK)) == 0 ? strlen(AUTH_MARK) : 0;
}

static int routes(struct hws_transport *base, const char *text, struct hws_route *out, int n)
{
    struct hws_sctp *t = sctp_of(base);
    struct hws_card card;
    struct hws_pair pairs[HWS_MAX_LANES];
    size_t mark = card_mark(text);
    if (n < 1 || !mark || hws_card_parse(text + mark, strlen(text + mark), &card) != HWS_OK)
        return HWS_EINVAL;
    size_t n_pairs = hws_site_pairs(&t->site, &card, pairs, HWS_MAX_LANES);
    struct hws_sctp_target *g = n_pairs ? calloc(1, sizeof *g) : NULL;
    if (!g)
        return 0;
    for (size_t i = 0; i < n_pairs; i++)
        if (is_of_use(t, &pairs[i].remote))
            add_target(g, &pairs[i]);
    g->is_auth = mark == strlen(AUTH_MARK);
    name_target(g, &pairs[0], card.hostname);
    memset(out, 0, sizeof *out);
    snprintf(out->text, sizeof out->text, "%s", g->text);
    out->priv[0] = (uintptr_t)g;
    hws_list_push(&t->targets, &g->node);
    return g->n ? 1 : 0;
}

/* Packed one behind the other, as sctp_bindx() and sctp_connectx() want them. Returns how many. */
static int pack_addrs(const struct hws_sctp_addr *addrs, int n, uint16_t port, uint8_t *dst)
{
    for (int i = 0; i < n; i++) {
        struct sockaddr_storage sa;
        socklen_t len = hws_addr_to_sockaddr(&addrs[i].addr, port, addrs[i].ifindex, &sa);
        memcpy(dst, &sa, len);
        dst += len;
    }
    return n;
}

#define PACKED_LEN ((HWS_CARD_ADDRS + 1) * sizeof(struct sockaddr_storage))

/* The association that exists with one of these addresses; 0: there is none. */
static sctp_assoc_t find_existing(const struct hws_sctp *t, const struct hws_sctp_target *g)
{
    for (int i = 0; i < g->n; i++) {
        struct sctp_paddrinfo info = {.spinfo_assoc_id = 0};
        struct sockaddr_storage sa;
        socklen_t len = sizeof info;
        hws_addr_to_sockaddr(&g->addrs[i].addr, g->port, g->addrs[i].ifindex, &sa);
        memcpy(&info.spinfo_address, &sa, sizeof info.spinfo_address);
        if (getsockopt(t->io.fd, IPPROTO_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &len) == 0)
            return info.spinfo_assoc_id;
    }
    return 0;
}

static int associate(const struct hws_sctp *t, const struct hws_sctp_target *g, sctp_assoc_t *id)
{
    _Alignas(struct sockaddr_storage) uint8_t packed[PACKED_LEN];
    int n = pack_addrs(g->addrs, g->n, g->port, packed);
    *id = 0;
    if (hws_sctp_lib.connectx(t->io.fd, (struct sockaddr *)packed, n, id) == 0 || errno == EINPROGRESS) {
        if (*id == 0)
            *id = find_existing(t, g);
        return *id ? 0 : EINPROGRESS;
    }
    int errnum = errno;
    if (errnum == EISCONN || errnum == EALREADY)
        *id = find_existing(t, g);
    return *id ? 0 : errnum;
}

static int dial(struct hws_transport *base, const struct hws_route *route, struct hws_link **out, char *why,
                size_t why_len)
{
    struct hws_sctp *t = sctp_of(base);
    const struct hws_sctp_target *g = (const struct hws_sctp_target *)(uintptr_t)route->priv[0];
    sctp_assoc_t id;
    if (g->is_auth != t->is_auth) {
        snprintf(why, why_len, "%s uses SCTP-AUTH, %s does not (-sctpauth, or a kernel without it)",
                 g->is_auth ? "that process" : "this one", g->is_auth ? "this one" : "that process");
        return HWS_ESYS;
    }
    int errnum = associate(t, g, &id);
    struct hws_assoc *a = errnum == 0 ? hws_assoc_get(t, id) : NULL;
    if (errnum || !a) {
        snprintf(why, why_len, "%s", errnum ? strerror(errnum) : "out of memory");
        enum hws_err rc = errnum ? hws_err_from_errno(errnum) : HWS_ENOMEM;
        return rc == HWS_OK || rc == HWS_EAGAIN ? HWS_ESYS : rc;
    }
    if (a->ending) {
        snprintf(why, why_len, "the last association is still being closed");
        return HWS_ESYS;
    }
    struct hws_sctp_link *l = hws_sctp_link_new(t, a, true, a->next_number++);
    if (!l) {
        snprintf(why, why_len, "out of memory");
        return HWS_ENOMEM;
    }
    snprintf(l->text, sizeof l->text, "%s", g->text);
    snprintf(a->text, sizeof a->text, "%s", g->text);
    if (a->up)
        hws_sctp_opened(l);
    *out = &l->base;
    return HWS_OK;
}

/* A new link takes no descriptor. */
static void pause_accept(struct hws_transport *base, bool pause)
{
    (void)base;
    (void)pause;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static int open_socket(struct hws_sctp *t, char *err, size_t err_len)
{
    t->is_link_local = t->site.n_mine > 0;
    for (size_t i = 0; i < t->site.n_mine; i++)
        t->is_link_local &= hws_addr_is_link_local(&t->site.mine[i].addr);
    for (size_t i = 0; i < t->site.n_mine; i++)
        t->is_v6 |=
            t->site.mine[i].addr.family == 6 && (t->is_link_local || !hws_addr_is_link_local(&t->site.mine[i].addr));
    int type = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int fd = t->is_v6 ? socket(AF_INET6, type, IPPROTO_SCTP) : -1;
    if (fd < 0) {
        t->is_v6 = false;
        fd = socket(AF_INET, type, IPPROTO_SCTP);
    }
    if (fd >= 0) {
        t->io.fd = fd;
        return HWS_OK;
    }
    int errnum = errno;
    if (errnum == EPROTONOSUPPORT || errnum == ESOCKTNOSUPPORT || errnum == EAFNOSUPPORT)
        snprintf(err, err_len, "this kernel has no SCTP: %s; use -transport tcp", strerror(EPROTONOSUPPORT));
    else
        snprintf(err, err_len, "cannot make an SCTP socket: %s", strerror(errnum));
    return HWS_ESYS;
}

static bool set(int fd, int option, const void *value, socklen_t len)
{
    return setsockopt(fd, IPPROTO_SCTP, option, value, len) == 0;
}

static bool set_int(int fd, int option, int value)
{
    return set(fd, option, &value, sizeof value);
}

static bool subscribe(int fd, uint16_t type)
{
    struct sctp_event event = {.se_type = type, .se_on = 1};
    return set(fd, SCTP_EVENT, &event, sizeof event);
}

/* How long a path may be silent, and how long an association may. An association is given up when it has been silent
 * for -tcpdeadline: as many timeouts of the longest kind. */
static bool set_limits(int fd, const struct hws_params *p)
{
    uint32_t low = (uint32_t)p->sctp_rto_min_ms, high = (uint32_t)p->sctp_rto_max_ms;
    if (high < low)
        high = low;
    uint64_t retrans = p->deadline_ms / high;
    struct sctp_rtoinfo rto = {.srto_initial = RTO_INIT_MS < low    ? low
                                               : RTO_INIT_MS < high ? RTO_INIT_MS
                                                                    : high,
                               .srto_max = high,
                               .srto_min = low};
    struct sctp_assocparams assoc = {.sasoc_asocmaxrxt = (uint16_t)(retrans < RETRANS_MIN   ? RETRANS_MIN
                                                                    : retrans > RETRANS_MAX ? RETRANS_MAX
                                                                                            : retrans)};
    struct sctp_paddrparams path = {.spp_hbinterval = (uint32_t)p->sctp_heartbeat_ms,
                                    .spp_pathmaxrxt = (uint16_t)p->sctp_path_retrans,
                                    .spp_flags = SPP_HB_ENABLE};
    return set(fd, SCTP_RTOINFO, &rto, sizeof rto) && set(fd, SCTP_ASSOCINFO, &assoc, sizeof assoc) &&
           set(fd, SCTP_PEER_ADDR_PARAMS, &path, sizeof path);
}

/* The congestion window grows by one packet for each acknowledgment, so every packet gets one; and a message that finds
 * the path idle leaves with the whole window, not with four packets, as it does over TCP. */
static bool set_pace(int fd)
{
    struct sctp_sack_info sack = {.sack_delay = 0, .sack_freq = 1};
    struct sctp_assoc_value burst = {.assoc_value = 0};
    return set(fd, SCTP_DELAYED_SACK, &sack, sizeof sack) && set(fd, SCTP_MAX_BURST, &burst, sizeof burst);
}

static void set_buffer(int fd, int force, int option)
{
    int bytes = BUF_BYTES;
    if (setsockopt(fd, SOL_SOCKET, force, &bytes, sizeof bytes) < 0)
        setsockopt(fd, SOL_SOCKET, option, &bytes, sizeof bytes);
}

static bool configure(int fd, const struct hws_params *p)
{
    struct sctp_initmsg init = {.sinit_num_ostreams = (uint16_t)p->sctp_streams,
                                .sinit_max_instreams = IN_STREAMS,
                                .sinit_max_attempts = INIT_TRIES};
    set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF);
    set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF);
    return set(fd, SCTP_INITMSG, &init, sizeof init) && set_int(fd, SCTP_NODELAY, 1) &&
           set_int(fd, SCTP_RECVRCVINFO, 1) && set_int(fd, SCTP_FRAGMENT_INTERLEAVE, 1) &&
           subscribe(fd, SCTP_ASSOC_CHANGE) && subscribe(fd, SCTP_PEER_ADDR_CHANGE) && set_limits(fd, p) &&
           set_pace(fd);
}

/* All addresses at one port. Returns it, or 0 with errno set. */
static uint16_t bind_all(struct hws_sctp *t, const struct hws_sctp_addr *addrs, int n)
{
    _Alignas(struct sockaddr_storage) uint8_t packed[PACKED_LEN];
    for (unsigned i = 0; i < hws_site_n_ports(&t->site); i++) {
        struct sockaddr_storage sa;
        struct hws_addr ignored;
        uint16_t bound = 0;
        socklen_t len = hws_addr_to_sockaddr(&addrs[0].addr, hws_site_port(&t->site, i), 0, &sa);
        if (bind(t->io.fd, (struct sockaddr *)&sa, len) < 0) {
            if (errno == EADDRINUSE && t->site.port_low)
                continue;
            return 0;
        }
        len = sizeof sa;
        if (getsockname(t->io.fd, (struct sockaddr *)&sa, &len) < 0 ||
            hws_addr_from_sockaddr((struct sockaddr *)&sa, &ignored, &bound) != HWS_OK)
            return 0;
        pack_addrs(addrs + 1, n - 1, bound, packed);
        if (n > 1 && hws_sctp_lib.bindx(t->io.fd, (struct sockaddr *)packed, n - 1, SCTP_BINDX_ADD_ADDR) < 0)
            return 0;
        return listen(t->io.fd, BACKLOG) == 0 ? bound : 0;
    }
    return 0;
}

/* Loopback first: it serves ranks of this host, and no association with another host ever tells it. If there are no
 * others, nobody else has anything to ask. */
static int bind_and_listen(struct hws_sctp *t, char *err, size_t err_len)
{
    struct hws_sctp_addr addrs[HWS_CARD_ADDRS + 1];
    size_t n_mine = t->params.one_host ? 0 : t->site.n_mine;
    int n = 0;
    addrs[n++] = (struct hws_sctp_addr){hws_addr_loopback(), 0};
    for (size_t i = 0; i < n_mine && n < (int)HWS_ARRAY_LEN(addrs); i++)
        if (is_of_use(t, &t->site.mine[i].addr))
            addrs[n++] = (struct hws_sctp_addr){t->site.mine[i].addr, t->site.mine[i].ifindex};
    uint16_t port = bind_all(t, addrs, n);
    if (!port) {
        snprintf(err, err_len, "cannot bind an SCTP socket to %d address%s: %s", n, n == 1 ? "" : "es",
                 strerror(errno));
        return HWS_ESYS;
    }
    t->site.card.loopback_port = port;
    for (size_t i = 0; i < n_mine; i++)
        if (is_of_use(t, &t->site.mine[i].addr))
            hws_card_add(&t->site.card, &t->site.mine[i], port);
    return HWS_OK;
}

static int setup(struct hws_sctp *t, bool want_listeners, char *err, size_t err_len)
{
    int rc = hws_site_init(&t->site, &t->params, err, err_len);
    if (rc != HWS_OK || !want_listeners)
        return rc;
    if ((rc = open_socket(t, err, err_len)) != HWS_OK)
        return rc;
    if (!configure(t->io.fd, &t->params)) {
        snprintf(err, err_len, "cannot set up an SCTP socket: %s", strerror(errno));
        return HWS_ESYS;
    }
    if ((rc = bind_and_listen(t, err, err_len)) != HWS_OK)
        return rc;
    hws_io_init(t->reactor, &t->io, t->io.fd, hws_sctp_on_ready);
    hws_io_want(&t->io, HWS_R);
    return HWS_OK;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void end_all(struct hws_sctp *t, uint16_t how)
{
    for (int i = 0; i < HWS_SCTP_BUCKETS; i++)
        for (struct hws_list *n = t->assocs[i].next, *next = n->next; n != &t->assocs[i]; n = next, next = n->next) {
            struct hws_assoc *a = hws_container_of(n, struct hws_assoc, node);
            if (!a->ending || how == SCTP_ABORT)
                hws_assoc_end(t, a, a->up ? how : SCTP_ABORT);
        }
}

/* A socket that is closed while something lies unread in it aborts its associations, and what was sent last with them.
 * So the other kernels are given time to acknowledge, and what they send is read. */
static void linger(struct hws_sctp *t)
{
    uint64_t end = hws_clock_ns() + LINGER_MS * HWS_NS_PER_MS;
    struct pollfd pfd = {.fd = t->io.fd, .events = POLLIN};
    end_all(t, SCTP_EOF);
    while (t->n_assocs && hws_clock_ns() < end) {
        while (hws_sctp_read(t))
            ;
        if (t->n_assocs)
            poll(&pfd, 1, LINGER_POLL_MS);
    }
    end_all(t, SCTP_ABORT);
}

static void fini(struct hws_transport *base)
{
    struct hws_sctp *t = sctp_of(base);
    if (t->io.fd >= 0) {
        linger(t);
        if (t->io.reactor)
            hws_io_want(&t->io, 0);
        close(t->io.fd);
    }
    hws_timer_stop(&t->kick);
    hws_timer_stop(&t->reap);
    hws_timer_stop(&t->look);
    for (struct hws_list *n; (n = hws_list_pop(&t->targets));)
        free(hws_container_of(n, struct hws_sctp_target, node));
    free(t->buf);
    free(t);
}

static int write_card(struct hws_sctp *t)
{
    const char *mark = t->is_auth ? AUTH_MARK : CARD_MARK;
    size_t n = strlen(mark);
    memcpy(t->card_text, mark, n);
    return hws_card_format(&t->site.card, t->card_text + n, sizeof t->card_text - n);
}

static bool protect(struct hws_transport *base, const uint8_t key[HWS_LINK_KEY_LEN])
{
    struct hws_sctp *t = sctp_of(base);
    if (!t->params.sctp_auth || t->io.fd < 0)
        return true;
    if (hws_sctp_auth_begin(t, key))
        write_card(t); /* what does not fit any more is left off */
    return t->is_auth;
}

static const struct hws_transport_ops ops = {card_text, routes, dial, pause_accept, fini, protect, NULL, NULL, NULL};

static struct hws_sctp *new_transport(const struct hws_params *params, struct hws_reactor *reactor)
{
    struct hws_sctp *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->base.ops = &ops;
    t->base.max_message = HWS_SCTP_MESSAGE;
    t->reactor = reactor;
    t->params = *params;
    t->io.fd = -1;
    for (int i = 0; i < HWS_SCTP_BUCKETS; i++)
        hws_list_init(&t->assocs[i]);
    hws_list_init(&t->targets);
    hws_list_init(&t->idle);
    hws_list_init(&t->ready);
    hws_list_init(&t->writers);
    hws_timer_init(reactor, &t->kick, hws_sctp_on_kick);
    hws_timer_init(reactor, &t->reap, hws_sctp_on_reap);
    hws_sctp_tail_init(t, reactor);
    if (!(t->buf = malloc(HWS_SCTP_MESSAGE))) {
        free(t);
        return NULL;
    }
    return t;
}

int hws_sctp_open(const struct hws_params *params, struct hws_reactor *reactor, bool want_listeners,
                  struct hws_transport **out, char *err, size_t err_len)
{
    int rc = hws_sctp_lib_load(HWS_SCTP_LIB, err, err_len);
    if (rc != HWS_OK)
        return rc;
    struct hws_sctp *t = new_transport(params, reactor);
    snprintf(err, err_len, "out of memory");
    if (!t)
        return HWS_ENOMEM;
    rc = setup(t, want_listeners, err, err_len);
    if (rc == HWS_OK) {
        rc = write_card(t);
        if (rc != HWS_OK)
            snprintf(err, err_len, "the address card does not fit");
    }
    if (rc != HWS_OK) {
        fini(&t->base);
        return rc;
    }
    *out = &t->base;
    return HWS_OK;
}
