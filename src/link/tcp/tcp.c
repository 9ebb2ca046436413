/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tcp: one non-blocking TCP connection as a link. Sockets send without delay (the engine coalesces by itself). Once the
 * hello is over, a connection with a short round trip gets buffers of a fixed size, so that the bytes in flight stay in
 * the cache, and no pacing; a long one keeps the kernel's autotuning and congestion control (docs/decisions/003, 011).
 */
#include "link/tcp/tcp_priv.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/list.h"
#include "base/tcp_info.h"

/* docs/decisions/003: what fixed buffers do for a connection with a short round trip. */
#define SHORT_RTT_US 1000
#define NEAR_RTT_US  250 /* up to here three quarters of a buffer a round trip are as much as a card moves */
#define BUF_BYTES    (1 << 20)
#define BUF_BYTES_CAPPED                                                                                               \
    (128 << 10)                   /* where net.core.[rw]mem_max forbid the former; what they allow instead is slower */
#define SLACK_PART    4           /* of the window that the receive buffer has room for, this part is not offered */
#define CC_NAME       16          /* TCP_CA_NAME_MAX */
#define ALONE_UNSENT  (64 << 10)  /* bytes that an only lane may have in the kernel beyond its window */
#define SHARED_UNSENT (128 << 10) /* bytes that one of several lanes may have in the kernel beyond its window */
#define OPEN_WINDOW                                                                                                    \
    (64 << 10) /* less may be too little for the next segment, unless all fits: then nothing is sent, rightly */
#define MAX_CALL_BYTES (256u << 20) /* one system call moves at most this: some kernels fail above 2 GiB */

static struct hws_tcp_link *tcp_of(struct hws_link *l)
{
    return hws_container_of(l, struct hws_tcp_link, base);
}

static inline int clamp_iov(const struct iovec *iov, int n, struct iovec *clamped)
{
    size_t total = iov[0].iov_len;
    for (int i = 1; i < n; i++)
        total += iov[i].iov_len;
    if (__builtin_expect(total <= MAX_CALL_BYTES, 1))
        return 0;
    *clamped = iov[0];
    if (clamped->iov_len > MAX_CALL_BYTES)
        clamped->iov_len = MAX_CALL_BYTES;
    return 1;
}

static void set_number(int fd, int which, int value)
{
    setsockopt(fd, IPPROTO_TCP, which, &value, sizeof value);
}

/* 0 also where the kernel does not tell. */
static int get_number(int fd, int level, int which)
{
    int value = 0;
    socklen_t len = sizeof value;
    return getsockopt(fd, level, which, &value, &len) == 0 ? value : 0;
}

static void give_window(struct hws_tcp_link *t)
{
    if (t->full_window)
        set_number(t->io.fd, TCP_WINDOW_CLAMP, t->full_window);
    t->full_window = 0;
}

/* Where the ends take turns, the window is kept below what the buffer has room for: then the kernel acknowledges as
 * data comes, not in the read of who is about to answer (docs/decisions/037). The kernel forgets that when it learns
 * anew how much memory a segment takes, so this is called again and again. */
__attribute__((noinline)) static void judge_turns(struct hws_tcp_link *t)
{
    if (!hws_turns_judge(&t->turns)) {
        give_window(t);
        return;
    }
    int now = get_number(t->io.fd, IPPROTO_TCP, TCP_WINDOW_CLAMP);
    if (!now || (t->full_window && now <= t->full_window - t->full_window / SLACK_PART))
        return;
    t->full_window = now;
    set_number(t->io.fd, TCP_WINDOW_CLAMP, now - now / SLACK_PART);
}

static ssize_t send_bytes(struct hws_link *l, const struct iovec *iov, int n)
{
    int fd = tcp_of(l)->io.fd;
    struct iovec clamped;
    if (clamp_iov(iov, n, &clamped)) {
        iov = &clamped;
        n = 1;
    }
    ssize_t rc;
    if (n == 1) {
        rc = send(fd, iov->iov_base, iov->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    } else {
        struct msghdr msg = {.msg_iov = (struct iovec *)(uintptr_t)iov, .msg_iovlen = (size_t)n};
        rc = sendmsg(fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (rc > 0) {
        hws_turns_wrote(&tcp_of(l)->turns, (size_t)rc);
        hws_left_wrote(&tcp_of(l)->left);
    }
    return rc >= 0 ? rc : (ssize_t)hws_err_from_errno(errno);
}

/* HWS_OK: what follows is the other process's own. */
static int take_preface(struct hws_tcp_link *t)
{
    uint8_t first;
    struct hws_relay_in *in = t->in;
    ssize_t n = in->got ? 1 : recv(t->io.fd, &first, 1, MSG_PEEK | MSG_DONTWAIT), wanted = 0;
    if (!in->got && n == 1 && first != HWS_PREFACE_FIRST)
        goto done;
    while (n > 0 && (wanted = hws_relay_wanted(in)) > 0) {
        n = recv(t->io.fd, in->bytes + in->got, (size_t)wanted, MSG_DONTWAIT);
        in->got += n > 0 ? (size_t)n : 0;
    }
    if (n < 0)
        return hws_err_from_errno(errno);
    if (n == 0 || wanted < 0)
        return n == 0 ? HWS_ECLOSED : HWS_EPROTO;
    t->base.is_local = false;
    t->base.here = t->base.there = 0;
done:
    free(in);
    t->in = NULL;
    return HWS_OK;
}

/* Takes out of the kernel what earlier reads have left there. */
static void take_left(struct hws_tcp_link *t)
{
    if (t->left.bytes)
        recv(t->io.fd, NULL, t->left.bytes, MSG_TRUNC | MSG_DONTWAIT);
    t->left.bytes = 0;
}

static ssize_t read_now(int fd, const struct iovec *iov, int n)
{
    struct msghdr msg = {.msg_iov = (struct iovec *)(uintptr_t)iov, .msg_iovlen = (size_t)n};
    return n == 1 ? recv(fd, iov->iov_base, iov->iov_len, MSG_DONTWAIT) : recvmsg(fd, &msg, MSG_DONTWAIT);
}

static ssize_t read_and_leave(struct hws_tcp_link *t, const struct iovec *iov)
{
    ssize_t rc = recv(t->io.fd, iov->iov_base, iov->iov_len, MSG_PEEK | MSG_DONTWAIT);
    t->left.bytes += rc > 0 ? (uint32_t)rc : 0;
    return rc;
}

/* Takes what was left and what is new with one call. */
static ssize_t read_behind(struct hws_tcp_link *t, const struct iovec *iov)
{
    uint8_t left[HWS_LEFT_MOST];
    ssize_t n_left = (ssize_t)t->left.bytes;
    ssize_t rc = read_now(t->io.fd, (struct iovec[]){{left, (size_t)n_left}, *iov}, 2);
    t->left.bytes = 0;
    if (rc < 0 || rc > n_left)
        return rc < 0 ? rc : rc - n_left;
    errno = EAGAIN;
    return -1;
}

/* Takes no lock of the socket: what comes meanwhile is worked off by who sends it, not by who asks. */
static bool has_come(int fd)
{
    return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0) != 0;
}

/* As recv(), behind what was left. */
static ssize_t read_next(struct hws_tcp_link *t, const struct iovec *iov, int n)
{
    if (hws_turns_asks(&t->turns) && !has_come(t->io.fd)) {
        errno = EAGAIN;
        return -1;
    }
    if (n == 1 && t->may_leave && hws_left_may(&t->left))
        return read_and_leave(t, iov);
    if (n == 1 && t->left.bytes && t->left.bytes <= HWS_LEFT_MOST)
        return read_behind(t, iov);
    take_left(t);
    return read_now(t->io.fd, iov, n);
}

static ssize_t recv_bytes(struct hws_link *l, const struct iovec *iov, int n)
{
    struct hws_tcp_link *t = tcp_of(l);
    if (__builtin_expect(t->in != NULL, 0)) {
        int rc = take_preface(t);
        if (rc != HWS_OK)
            return rc;
    }
    struct iovec clamped;
    if (clamp_iov(iov, n, &clamped)) {
        iov = &clamped;
        n = 1;
    }
    ssize_t rc = read_next(t, iov, n);
    if (rc > 0) {
        hws_left_read(&t->left, (size_t)rc);
        if (t->may_clamp && hws_turns_read(&t->turns, (size_t)rc))
            judge_turns(t);
        return rc;
    }
    hws_turns_missed(&t->turns);
    return rc == 0 ? (ssize_t)HWS_ECLOSED : (ssize_t)hws_err_from_errno(errno);
}

static void want(struct hws_link *l, unsigned interest)
{
    hws_io_want(&tcp_of(l)->io, interest);
}

static bool is_answered(int fd)
{
    struct tcp_info info;
    socklen_t len = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) < 0 || info.tcpi_state != TCP_SYN_SENT;
}

/* A socket that has just connected takes it whole. */
static int send_preface(struct hws_tcp_link *t, char *why, size_t why_len)
{
    ssize_t n = t->preface ? send(t->io.fd, t->preface, t->preface_len, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
    if (t->preface && n != (ssize_t)t->preface_len) {
        snprintf(why, why_len, "the gateway took no preface: %s", n < 0 ? strerror(errno) : "a part of it only");
        return HWS_ESYS;
    }
    free(t->preface);
    t->preface = NULL;
    return HWS_OK;
}

static int dial_result(struct hws_link *l, char *why, size_t why_len)
{
    int errnum = 0;
    socklen_t len = sizeof errnum;
    if (getsockopt(tcp_of(l)->io.fd, SOL_SOCKET, SO_ERROR, &errnum, &len) < 0)
        errnum = errno;
    if (errnum == 0)
        return is_answered(tcp_of(l)->io.fd) ? send_preface(tcp_of(l), why, why_len) : HWS_EAGAIN;
    snprintf(why, why_len, "%s", strerror(errnum));
    enum hws_err rc = tcp_of(l)->preface ? HWS_ESYS : hws_err_from_errno(errnum); /* a gateway says nothing of a rank */
    return rc == HWS_EAGAIN ? HWS_ESYS : rc;
}

/* Whether it got all of it. */
static bool set_buffer(int fd, int which)
{
    int bytes = BUF_BYTES;
    setsockopt(fd, SOL_SOCKET, which, &bytes, sizeof bytes);
    if (get_number(fd, SOL_SOCKET, which) >= 2 * BUF_BYTES) /* the kernel tells twice the size */
        return true;
    bytes = BUF_BYTES_CAPPED;
    setsockopt(fd, SOL_SOCKET, which, &bytes, sizeof bytes);
    return false;
}

/* Linux lets the window follow a new size of the buffer only when it learns anew how much memory a segment takes. Where
 * the first long segment came before that size, it never does: the window stays what the old buffer had room for. */
bool hws_tcp_grow_window(int fd)
{
    int buffer = get_number(fd, SOL_SOCKET, SO_RCVBUF), window = get_number(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP);
    bool has_all = set_buffer(fd, SO_RCVBUF);
    int larger = get_number(fd, SOL_SOCKET, SO_RCVBUF);
    if (buffer > 0 && larger > buffer && window < larger && get_number(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP) == window)
        set_number(fd, TCP_WINDOW_CLAMP, (int)((int64_t)window * larger / buffer));
    return has_all;
}

static bool algorithm_of(int fd, char name[CC_NAME])
{
    socklen_t len = CC_NAME - 1;
    memset(name, 0, CC_NAME);
    return getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &len) == 0;
}

/* Every kernel has reno and allows it to everybody. */
void hws_tcp_unpace(int fd)
{
    char name[CC_NAME];
    if (algorithm_of(fd, name) && strncmp(name, "bbr", 3) == 0)
        setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
}

/* The path is long: back to the host's own congestion control, which a new socket has. */
static void pace_again(int fd)
{
    char host[CC_NAME], name[CC_NAME];
    int fresh = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fresh < 0)
        return;
    if (algorithm_of(fresh, host) && algorithm_of(fd, name) && strcmp(host, name) != 0)
        setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, host, (socklen_t)strlen(host));
    close(fresh);
}

static void ask(struct hws_link *l, unsigned every_s, unsigned tries)
{
    struct hws_tcp_link *t = tcp_of(l);
    if (!t->keep_idle)
        t->keep_idle = get_number(t->io.fd, IPPROTO_TCP, TCP_KEEPIDLE);
    if (every_s) {
        set_number(t->io.fd, TCP_KEEPINTVL, (int)every_s);
        set_number(t->io.fd, TCP_KEEPCNT, (int)tries);
    }
    set_number(t->io.fd, TCP_KEEPIDLE, every_s ? (int)every_s : t->keep_idle);
}

static void connected(struct hws_link *l)
{
    int fd = tcp_of(l)->io.fd;
    struct tcp_info info;
    socklen_t len = sizeof info;
    tcp_of(l)->failed = NULL;
    l->unread_most = 0;
    tcp_of(l)->aborts = false;
    if (tcp_of(l)->keep_idle)
        set_number(fd, TCP_KEEPIDLE, tcp_of(l)->keep_idle);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) < 0 || info.tcpi_rtt >= SHORT_RTT_US) {
        pace_again(fd);
        return;
    }
    set_buffer(fd, SO_SNDBUF);
    if (hws_tcp_grow_window(fd) && info.tcpi_rtt < NEAR_RTT_US) /* the other end has the same, likely */
        l->unread_most = BUF_BYTES - BUF_BYTES / SLACK_PART;
    set_number(fd, TCP_NOTSENT_LOWAT, ALONE_UNSENT);
    tcp_of(l)->may_clamp = true;
    tcp_of(l)->can_leave = setsockopt(fd, SOL_SOCKET, SO_PEEK_OFF, &(int){0}, sizeof(int)) == 0; /* Linux 6.9 */
}

/* Nothing in flight and something unsent: either the other end's window is closed, which is its right, or this host
 * cannot send at all (its interface is down). */
static bool health(struct hws_link *l, struct hws_link_health *h)
{
    int fd = tcp_of(l)->io.fd, unsent = 0;
    struct hws_tcp_info info = {.snd_wnd = 0};
    socklen_t len = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) < 0 || ioctl(fd, SIOCOUTQ, &unsent) < 0)
        return false;
    bool window_open = len >= sizeof info && info.snd_wnd >= (uint32_t)(unsent < OPEN_WINDOW ? unsent : OPEN_WINDOW);
    h->unsent = (uint64_t)unsent;
    h->waits_for_ack = info.base.tcpi_unacked > 0 || (unsent > 0 && window_open);
    h->acked = info.bytes_acked;
    h->rtt_us = info.base.tcpi_rtt + 4ull /* as RFC 6298 counts */ * info.base.tcpi_rttvar;
    h->srtt_us = info.base.tcpi_rtt;
    h->silent_ns = 0;
    h->resent = info.base.tcpi_total_retrans > info.dsack_dups ? info.base.tcpi_total_retrans - info.dsack_dups : 0;
    h->heard_ms = info.base.tcpi_last_ack_recv;
    h->min_rtt_us = info.min_rtt == UINT32_MAX ? 0 : info.min_rtt;
    return true;
}

static uint64_t backlog(struct hws_link *l)
{
    int unsent = 0;
    return ioctl(tcp_of(l)->io.fd, SIOCOUTQ, &unsent) == 0 ? (uint64_t)unsent : 0;
}

static void share(struct hws_link *l)
{
    set_number(tcp_of(l)->io.fd, TCP_NOTSENT_LOWAT, SHARED_UNSENT);
    tcp_of(l)->may_clamp = tcp_of(l)->may_leave = false;
    tcp_of(l)->turns = (struct hws_turns){.reads = 0};
    give_window(tcp_of(l));
}

/* TCP paces by itself where no qdisc does, since Linux 4.13; rates have 64 bits since 4.20 (Linux, sk_setsockopt). */
static void pace(struct hws_link *l, uint64_t bytes_s)
{
    uint64_t most = bytes_s ? bytes_s : UINT64_MAX;
    setsockopt(tcp_of(l)->io.fd, SOL_SOCKET, SO_MAX_PACING_RATE, &most, sizeof most);
}

/* What is left in the kernel would wake whoever waits for it in the reactor. */
static void rest(struct hws_link *l, bool on)
{
    struct hws_tcp_link *t = tcp_of(l);
    hws_io_rest(&t->io, on);
    t->may_leave = t->io.resting && t->may_clamp && t->can_leave;
    if (!on)
        take_left(t);
}

static void close_link(struct hws_link *l)
{
    struct hws_tcp_link *t = tcp_of(l);
    if (t->failed)
        *t->failed = true;
    hws_io_want(&t->io, 0);
    take_left(t); /* who closes with bytes that were not taken resets the connection */
    if (t->aborts) {
        struct linger at_once = {.l_onoff = 1};
        setsockopt(t->io.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    close(t->io.fd);
    free(t->preface);
    free(t->in);
    free(t);
}

static void format_end(char *dst, size_t len, const struct sockaddr_storage *sa)
{
    struct hws_addr a;
    uint16_t port;
    char text[HWS_ADDR_TEXT];
    if (hws_addr_from_sockaddr((const struct sockaddr *)sa, &a, &port) != HWS_OK)
        snprintf(dst, len, "?");
    else
        snprintf(dst, len, a.family == 6 ? "[%s]:%u" : "%s:%u", hws_addr_format(&a, text), port);
}

static void describe(const struct hws_link *l, char *dst, size_t len)
{
    const struct hws_tcp_link *t = tcp_of((struct hws_link *)(uintptr_t)l);
    struct sockaddr_storage here, there;
    socklen_t n_here = sizeof here, n_there = sizeof there;
    char a[64], b[64];
    if (t->route[0]) {
        snprintf(dst, len, "%s", t->route);
        return;
    }
    if (getsockname(t->io.fd, (struct sockaddr *)&here, &n_here) < 0 ||
        getpeername(t->io.fd, (struct sockaddr *)&there, &n_there) < 0) {
        snprintf(dst, len, "closed connection");
        return;
    }
    format_end(a, sizeof a, &here);
    format_end(b, sizeof b, &there);
    snprintf(dst, len, "%s to %s", a, b);
}

static const struct hws_link_ops link_ops = {send_bytes, recv_bytes, want,   dial_result, connected,
                                             close_link, describe,   health, backlog,     share,
                                             rest,       NULL,       ask,    pace};

static void on_ready(struct hws_io *io, unsigned ready)
{
    struct hws_tcp_link *t = hws_container_of(io, struct hws_tcp_link, io);
    if (ready & HWS_W)
        t->base.events->on_writable(t->base.owner);
    if (ready & HWS_R)
        t->base.events->on_readable(t->base.owner);
}

struct hws_tcp_link *hws_tcp_link_new(struct hws_reactor *r, int fd, const char *route)
{
    struct hws_tcp_link *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->base.ops = &link_ops;
    snprintf(t->route, sizeof t->route, "%s", route);
    hws_io_init_socket(r, &t->io, fd, on_ready);
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    return t;
}
