/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job: a gateway that mpirun has started for one job. It listens first, at any address, and says on stdout where; then
 * mpirun, which hears the same of the others, says on stdin what a file of sites would. While stdin stays open the
 * gateway runs; `report` there asks for its counters.
 *
 *   stdout:  HAWSER-GATEWAY 1 LAN-PORT WAN-PORT ADDRESS...
 *   and at its end, how the ways to other sites were used: use.h
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "gateway/gateway.h"
#include "gateway/sock.h"

/* ---- where it listens -------------------------------------------------------------------------------------------- */

static int listen_family(uint16_t family, unsigned low, unsigned high)
{
    struct hws_gate_addr any = {.family = family};
    int fd = -1;
    for (unsigned port = low; fd < 0 && port <= high; port++) {
        any.port = htons((uint16_t)port);
        fd = sock_listen(&any);
        if (fd < 0 && errno != EADDRINUSE)
            break;
    }
    return fd;
}

/* Of both families, where the host has IPv6. */
static int listen_any(unsigned low, unsigned high)
{
    int fd = listen_family(AF_INET6, low, high);
    return fd < 0 ? listen_family(AF_INET, low, high) : fd;
}

static unsigned port_of(int fd)
{
    struct sockaddr_storage sa;
    socklen_t len = sizeof sa;
    struct hws_gate_addr a = {0};
    if (getsockname(fd, (struct sockaddr *)&sa, &len) == 0)
        gate_addr_from(&a, (struct sockaddr *)&sa);
    return ntohs(a.port);
}

static int listen_both(struct gateway *g, const char *ports, char *err, size_t err_len)
{
    unsigned low = 0, high = 0;
    if (*ports && (sscanf(ports, "%u-%u", &low, &high) != 2 || !low || low > high || high > UINT16_MAX)) {
        snprintf(err, err_len, "'%s' is not LOW-HIGH with ports from 1 to 65535", ports);
        return HWS_EINVAL;
    }
    g->lan.fd = listen_any(low, high);
    g->wan.fd = g->lan.fd < 0 ? -1 : listen_any(low, high);
    if (g->wan.fd >= 0)
        return HWS_OK;
    snprintf(err, err_len, "cannot listen%s%s: %s", *ports ? " at a port of " : "", ports, strerror(errno));
    return HWS_ESYS;
}

/* ---- what it says ------------------------------------------------------------------------------------------------ */

static bool is_told(const struct ifaddrs *a)
{
    if (!a->ifa_addr || !(a->ifa_flags & IFF_UP) || (a->ifa_flags & IFF_LOOPBACK))
        return false;
    if (a->ifa_addr->sa_family == AF_INET6)
        return !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)(const void *)a->ifa_addr)->sin6_addr);
    return a->ifa_addr->sa_family == AF_INET;
}

static void say_addresses(void)
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0)
        return;
    for (struct ifaddrs *a = list; a; a = a->ifa_next) {
        struct hws_gate_addr addr;
        char ip[INET6_ADDRSTRLEN];
        if (is_told(a) && gate_addr_from(&addr, a->ifa_addr) == HWS_OK &&
            inet_ntop(addr.family, addr.ip, ip, sizeof ip))
            printf(" %s", ip);
    }
    freeifaddrs(list);
}

int job_meet(struct gateway *g, const char *ports, char *err, size_t err_len)
{
    int rc = listen_both(g, ports, err, err_len);
    if (rc != HWS_OK)
        return rc;
    printf("HAWSER-GATEWAY 1 %u %u", port_of(g->lan.fd), port_of(g->wan.fd));
    say_addresses();
    printf("\n");
    fflush(stdout);
    setvbuf(stdin, NULL, _IONBF, 0); /* what comes behind `end` is read from the descriptor */
    return sites_read_job(&g->sites, stdin, err, err_len);
}

/* ---- mpirun ------------------------------------------------------------------------------------------------------ */

static void on_mpirun(struct hws_io *io, unsigned ready)
{
    struct gateway *g = hws_container_of(io, struct gateway, mpirun);
    char text[256];
    (void)ready;
    ssize_t n = read(io->fd, text, sizeof text);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    g->is_over = n <= 0;
    if (n > 0 && memchr(text, '\n', (size_t)n))
        gateway_report(g);
}

void job_tell_use(struct gateway *g)
{
    for (unsigned i = 0; i < g->n_remotes; i++)
        use_tell(&g->remotes[i].use, g->begin_ns, g->remotes[i].site->name, stdout);
    fflush(stdout);
}

void job_watch(struct gateway *g)
{
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    hws_io_init(g->reactor, &g->mpirun, STDIN_FILENO, on_mpirun);
    hws_io_want(&g->mpirun, HWS_R);
}
