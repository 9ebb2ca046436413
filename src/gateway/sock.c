/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sock: system calls and their options.
 */
#include "gateway/sock.h"
#include "base/tcp_info.h"

#include <errno.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int open_socket(const struct hws_gate_addr *a)
{
    return socket(a->family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int close_failed(int fd)
{
    int e = errno;
    close(fd);
    errno = e;
    return -1;
}

int sock_listen(const struct hws_gate_addr *at)
{
    struct sockaddr_storage sa;
    socklen_t len = gate_addr_to(at, &sa);
    int fd = open_socket(at), on = 1;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&sa, len) != 0 || listen(fd, SOMAXCONN) != 0)
        return close_failed(fd);
    return fd;
}

int sock_dial(const struct hws_gate_addr *from, const struct hws_gate_addr *to)
{
    struct sockaddr_storage sa;
    int fd = open_socket(to), on = 1;
    if (fd < 0)
        return -1;
    if (from) {
        struct hws_gate_addr any_port = *from;
        any_port.port = 0;
        socklen_t len = gate_addr_to(&any_port, &sa);
        setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
        if (bind(fd, (struct sockaddr *)&sa, len) != 0)
            return close_failed(fd);
    }
    socklen_t len = gate_addr_to(to, &sa);
    if (connect(fd, (struct sockaddr *)&sa, len) != 0 && errno != EINPROGRESS)
        return close_failed(fd);
    return fd;
}

int sock_accept(int listener, struct hws_gate_addr *from)
{
    struct sockaddr_storage sa;
    socklen_t len = sizeof sa;
    int fd = accept4(listener, (struct sockaddr *)&sa, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0 && gate_addr_from(from, (struct sockaddr *)&sa) != HWS_OK) {
        errno = EAFNOSUPPORT;
        return close_failed(fd);
    }
    return fd;
}

int sock_error(int fd)
{
    int e = 0;
    socklen_t len = sizeof e;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &len) == 0 ? e : errno;
}

void sock_tune_lan(int fd)
{
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

void sock_tune_wan(int fd, const char *congestion, int deadline)
{
    int on = 1;
    int ask_s = deadline < 4000 ? 1 : deadline / 4000; /* who only receives has nothing that is not acknowledged */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &ask_s, sizeof ask_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &ask_s, sizeof ask_s);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &deadline, sizeof deadline);
    if (*congestion)
        setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, congestion, (socklen_t)strlen(congestion));
}

void sock_set_unsent(int fd, int bytes)
{
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

int sock_unsent(int fd)
{
    int n = 0;
    return ioctl(fd, SIOCOUTQNSD, &n) == 0 ? n : 0;
}

int sock_unacked(int fd)
{
    int n = 0;
    return ioctl(fd, SIOCOUTQ, &n) == 0 ? n : 0;
}

struct sock_state sock_state(int fd)
{
    struct hws_tcp_info info = {.min_rtt = 0};
    socklen_t len = sizeof info;
    getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len);
    return (struct sock_state){info.base.tcpi_snd_cwnd, info.base.tcpi_total_retrans, info.base.tcpi_rtt,
                               info.min_rtt == UINT32_MAX ? 0 : info.min_rtt, info.pacing_rate};
}

void sock_break(int fd)
{
    struct linger now = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}
