/* SPDX-License-Identifier: BSD-3-Clause
 *
 * preload: libhawser-wan.so, for LD_PRELOAD: leads the TCP connections of any program through the gateways of its site
 * (docs/decisions/032-gateways.md). A connection to an address of another site becomes one to the own gateway, which is
 * told where to in front of the program's bytes; it is complete at once, so that a program that does not block need not
 * wait for it. A connection that a gateway made is accepted with the address that the other program has. Where
 * HAWSER_WAN names no file, and for all else, the calls are the C library's.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <poll.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "gateway/sites.h"

#define EXPORT    __attribute__((visibility("default")))
#define GATEWAY_S 5 /* a gateway that takes longer to accept, or to say whose connection it is, is none */
#define NO_WORD_MS                                                                                                     \
    1000 /* where the gateway's host runs processes, too, a connection that begins in silence is theirs */
#define FDS_MAX (1 << 20)

static struct real {
    int (*connect)(int, const struct sockaddr *, socklen_t);
    int (*accept4)(int, struct sockaddr *, socklen_t *, int);
    int (*getpeername)(int, struct sockaddr *, socklen_t *);
    int (*close)(int);
    int (*dup2)(int, int);
} real;

static struct sites sites;
static const struct site *own;
static bool is_on;
static uint8_t key[HWS_PREFACE_KEY];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hws_gate_addr **others; /* by descriptor: whom it really leads to; NULL: as the kernel says */
static int n_others;

static void warn(const char *text)
{
    fprintf(stderr, "hawser-wan: %s\n", text);
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

static const struct site *find_own(void)
{
    struct ifaddrs *list = NULL;
    const struct site *found = NULL;
    const char *name = getenv("HAWSER_WAN_SITE");
    for (unsigned i = 0; name && i < sites.n; i++)
        if (strcmp(sites.sites[i].name, name) == 0)
            return &sites.sites[i];
    if (getifaddrs(&list) != 0)
        return NULL;
    for (struct ifaddrs *a = list; a && !found; a = a->ifa_next) {
        struct hws_gate_addr addr;
        if (a->ifa_addr && gate_addr_from(&addr, a->ifa_addr) == HWS_OK)
            found = sites_find(&sites, &addr);
    }
    freeifaddrs(list);
    return found;
}

static void find_real(void)
{
    *(void **)&real.connect = dlsym(RTLD_NEXT, "connect");
    *(void **)&real.accept4 = dlsym(RTLD_NEXT, "accept4");
    *(void **)&real.getpeername = dlsym(RTLD_NEXT, "getpeername");
    *(void **)&real.close = dlsym(RTLD_NEXT, "close");
    *(void **)&real.dup2 = dlsym(RTLD_NEXT, "dup2");
}

static void begin(void)
{
    const char *path = getenv("HAWSER_WAN");
    char err[512];
    struct rlimit l;
    find_real();
    if (!path || !*path)
        return;
    if (sodium_init() < 0 || sites_read(&sites, path, err, sizeof err) != HWS_OK) {
        warn(err);
        return;
    }
    own = find_own();
    if (!own) {
        warn("this host is in no site of the file; its connections stay direct");
        return;
    }
    sites_key(&sites, "preface", key);
    n_others = getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_max < FDS_MAX ? (int)l.rlim_max : FDS_MAX;
    others = calloc((size_t)n_others, sizeof(struct hws_gate_addr *));
    is_on = others != NULL;
}

static bool start(void)
{
    pthread_once(&once, begin);
    return is_on;
}

/* ---- whom a descriptor leads to ---------------------------------------------------------------------------------- */

/* NULL: as the kernel says. */
static void remember(int fd, const struct hws_gate_addr *a)
{
    struct hws_gate_addr *kept = NULL;
    if (fd < 0 || fd >= n_others || (!a && !others[fd]))
        return;
    if (a && (kept = malloc(sizeof *kept)))
        *kept = *a;
    pthread_mutex_lock(&lock);
    free(others[fd]);
    others[fd] = kept;
    pthread_mutex_unlock(&lock);
}

static bool recall(int fd, struct hws_gate_addr *a)
{
    bool is_known = false;
    if (fd < 0 || fd >= n_others || !others[fd])
        return false;
    pthread_mutex_lock(&lock);
    if (others[fd]) {
        *a = *others[fd];
        is_known = true;
    }
    pthread_mutex_unlock(&lock);
    return is_known;
}

static void give_addr(const struct hws_gate_addr *a, struct sockaddr *dst, socklen_t *len)
{
    struct sockaddr_storage sa;
    socklen_t n = gate_addr_to(a, &sa);
    if (!dst || !len)
        return;
    memcpy(dst, &sa, *len < n ? *len : n);
    *len = n;
}

/* ---- connecting -------------------------------------------------------------------------------------------------- */

static bool is_stream(int fd)
{
    int type = 0;
    socklen_t len = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_STREAM;
}

static bool local_addr(int fd, struct hws_gate_addr *a)
{
    struct sockaddr_storage sa;
    socklen_t len = sizeof sa;
    return getsockname(fd, (struct sockaddr *)&sa, &len) == 0 && gate_addr_from(a, (struct sockaddr *)&sa) == HWS_OK;
}

/* Waits until a connect that goes on is over. */
static int await_connect(int fd)
{
    struct pollfd p = {fd, POLLOUT, 0};
    int e = 0;
    socklen_t len = sizeof e;
    if (errno != EINPROGRESS)
        return -1;
    if (poll(&p, 1, GATEWAY_S * 1000) != 1) {
        errno = ETIMEDOUT;
        return -1;
    }
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &len);
    errno = e;
    return e ? -1 : 0;
}

/* An IPv4 gateway through a socket that the program made for IPv6. */
static socklen_t addr_for(int fd, const struct hws_gate_addr *a, struct sockaddr_storage *sa)
{
    int domain = AF_INET;
    socklen_t len = sizeof domain;
    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len);
    if (domain != AF_INET6 || a->family != AF_INET)
        return gate_addr_to(a, sa);
    struct hws_gate_addr mapped = {.family = AF_INET6, .port = a->port, .ip = {[10] = 0xff, [11] = 0xff}};
    memcpy(mapped.ip + 12, a->ip, 4);
    return gate_addr_to(&mapped, sa);
}

static int send_preface(int fd, const struct hws_gate_addr *to)
{
    struct hws_preface p = {.to = *to, .time_s = (uint64_t)time(NULL)};
    uint8_t bytes[HWS_PREFACE_MAX];
    if (!local_addr(fd, &p.from) || p.from.family != to->family)
        p.from = (struct hws_gate_addr){.family = to->family};
    randombytes_buf(p.nonce, sizeof p.nonce);
    ssize_t len = (ssize_t)hws_preface_encode(bytes, &p, key);
    return send(fd, bytes, (size_t)len, MSG_NOSIGNAL) == len ? 0 : -1;
}

/* Through the first gateway that answers. */
static int connect_gateway(int fd, const struct hws_gate_addr *to)
{
    int rc = -1;
    errno = ENETUNREACH;
    for (unsigned i = 0; rc != 0 && i < own->n_gateways; i++) {
        struct sockaddr_storage sa;
        socklen_t len = addr_for(fd, &own->gateways[i].lan, &sa);
        rc = real.connect(fd, (struct sockaddr *)&sa, len);
        if (rc != 0 && errno == ECONNABORTED) /* so the kernel says once that the connect before has failed */
            rc = real.connect(fd, (struct sockaddr *)&sa, len);
        if (rc != 0)
            rc = await_connect(fd);
    }
    if (rc == 0)
        rc = send_preface(fd, to);
    if (rc == 0)
        remember(fd, to);
    return rc;
}

EXPORT int connect(int fd, const struct sockaddr *sa, socklen_t len)
{
    struct hws_gate_addr to;
    const struct site *site = NULL;
    if (start() && sa && gate_addr_from(&to, sa) == HWS_OK && is_stream(fd))
        site = sites_find(&sites, &to);
    if (!site || site == own || !site->n_gateways) {
        if (is_on)
            remember(fd, NULL); /* one of that number may have been closed by other means than close() */
        return real.connect(fd, sa, len);
    }
    return connect_gateway(fd, &to);
}

/* ---- accepting
 * -------------------------------------------------------------------------------------------------------------------
 */

static bool is_from_gateway(const struct hws_gate_addr *a)
{
    for (unsigned i = 0; i < own->n_gateways; i++)
        if (gate_addr_same_host(&own->gateways[i].lan, a))
            return true;
    return false;
}

/* Looks for a preface at the begin of what comes, without taking it. Its length; 0: what comes is none, or
 * nothing does. */
static ssize_t peek_preface(int fd, uint8_t bytes[HWS_PREFACE_MAX])
{
    struct pollfd p = {fd, POLLIN, 0};
    for (int tries = 0; tries < 100 && poll(&p, 1, NO_WORD_MS) == 1; tries++) {
        ssize_t n = recv(fd, bytes, HWS_PREFACE_MAX, MSG_PEEK | MSG_DONTWAIT);
        size_t whole = n >= HWS_PREFACE_HEAD ? hws_preface_length(bytes) : 0;
        if (n <= 0 || bytes[0] != HWS_PREFACE_FIRST || (n >= HWS_PREFACE_HEAD && !whole))
            return 0;
        if (whole && (size_t)n >= whole)
            return (ssize_t)whole;
        usleep(1000); /* a part of it */
    }
    return 0;
}

/* 1: it is whose `from` says; 0: no gateway's, but of a process on its host; -1: to be closed. */
static int take_preface(int fd, struct hws_gate_addr *from)
{
    struct hws_preface p;
    uint8_t bytes[HWS_PREFACE_MAX];
    ssize_t len = peek_preface(fd, bytes);
    if (len <= 0)
        return 0;
    if (hws_preface_decode(bytes, (size_t)len, key, &p) != HWS_OK || recv(fd, bytes, (size_t)len, 0) != len)
        return -1;
    *from = p.from;
    return 1;
}

EXPORT int accept4(int fd, struct sockaddr *sa, socklen_t *len, int flags)
{
    struct sockaddr_storage full;
    socklen_t full_len = sizeof full;
    struct hws_gate_addr peer, from;
    if (!start())
        return real.accept4(fd, sa, len, flags);
    int got = real.accept4(fd, (struct sockaddr *)&full, &full_len, flags);
    if (got < 0)
        return got;
    int whose = gate_addr_from(&peer, (struct sockaddr *)&full) == HWS_OK && is_from_gateway(&peer)
                    ? take_preface(got, &from)
                    : 0;
    if (whose < 0) {
        real.close(got);
        errno = ECONNABORTED;
        return -1;
    }
    remember(got, whose ? &from : NULL);
    if (whose) {
        give_addr(&from, sa, len);
    } else if (sa && len) {
        memcpy(sa, &full, *len < full_len ? *len : full_len);
        *len = full_len;
    }
    return got;
}

EXPORT int accept(int fd, struct sockaddr *sa, socklen_t *len)
{
    return accept4(fd, sa, len, 0);
}

EXPORT int getpeername(int fd, struct sockaddr *sa, socklen_t *len)
{
    struct hws_gate_addr a;
    if (!start() || !recall(fd, &a))
        return real.getpeername(fd, sa, len);
    give_addr(&a, sa, len);
    return 0;
}

EXPORT int close(int fd)
{
    if (start())
        remember(fd, NULL);
    return real.close(fd);
}

EXPORT int dup2(int from, int to)
{
    struct hws_gate_addr a;
    if (start() && from != to)
        remember(to, recall(from, &a) ? &a : NULL);
    return real.dup2(from, to);
}
