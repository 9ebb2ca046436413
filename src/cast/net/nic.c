/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nic: see nic.h.
 */
#include "cast/net/nic.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/errors.h"
#include "cast/proto/bits.h"

#define BUFFER   (4 << 20) /* bytes that are asked for; the kernel gives net.core.rmem_max at most */
#define TRUESIZE 2304      /* bytes of that for a packet of 1500: its page's half and the kernel's header */
#define HOPS     1         /* groups are of one network */

static void enlarge(int fd)
{
    int len = BUFFER;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &len, sizeof len))
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &len, sizeof len);
    if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &len, sizeof len))
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &len, sizeof len);
}

static unsigned room_of(int fd)
{
    int len = 0;
    socklen_t n = sizeof len;
    if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &len, &n) || len < TRUESIZE)
        return 8;
    unsigned room = (unsigned)len / TRUESIZE * 3 / 4;
    return room < 8 ? 8 : room < HWS_CAST_WINDOW ? room : HWS_CAST_WINDOW;
}

uint64_t hws_nic_queued(const struct hws_nic *nic)
{
    int n = 0;
    return ioctl(nic->own, SIOCOUTQ, &n) == 0 && n > 0 ? (uint64_t)n / TRUESIZE : 0;
}

static int aim(int fd, const struct hws_nic *nic)
{
    int on = 1, hops = HOPS, index = (int)nic->ifindex;
    if (nic->addr.family == 4) {
        struct ip_mreqn m = {.imr_ifindex = index};
        return setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &m, sizeof m) ||
               setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops) ||
               setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &on, sizeof on);
    }
    return setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof index) ||
           setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof hops) ||
           setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, &on, sizeof on);
}

static int fail(int *fd)
{
    int rc = hws_err_from_errno(errno);
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return rc;
}

static int socket_of(const struct hws_nic *nic)
{
    return socket(nic->addr.family == 4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int hws_nic_open(struct hws_nic *nic, const struct hws_netif *netif)
{
    struct sockaddr_storage sa;
    struct hws_addr ignored;
    socklen_t len;
    *nic = (struct hws_nic){
        .addr = netif->addr, .prefix_len = netif->prefix_len, .ifindex = netif->ifindex, .own = -1, .group = -1};
    memcpy(nic->name, netif->name, sizeof nic->name);
    nic->own = socket_of(nic);
    if (nic->own < 0 || aim(nic->own, nic))
        return fail(&nic->own);
    enlarge(nic->own);
    len = hws_addr_to_sockaddr(&nic->addr, 0, nic->ifindex, &sa);
    if (bind(nic->own, (struct sockaddr *)&sa, len) || getsockname(nic->own, (struct sockaddr *)&sa, &len))
        return fail(&nic->own);
    nic->room = room_of(nic->own);
    return hws_addr_from_sockaddr((struct sockaddr *)&sa, &ignored, &nic->port);
}

void hws_nic_close(struct hws_nic *nic)
{
    if (nic->own >= 0)
        close(nic->own);
    if (nic->group >= 0)
        close(nic->group);
    nic->own = nic->group = -1;
}

/* Bound to the group's address, so that no other packet to the port comes. */
static int join_v4(int fd, const struct hws_nic *nic, const struct hws_addr *group)
{
    int off = 0;
    struct ip_mreqn m = {.imr_ifindex = (int)nic->ifindex};
    memcpy(&m.imr_multiaddr, group->bytes, 4);
    return setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off) ||
           setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &m, sizeof m);
}

static int join_v6(int fd, const struct hws_nic *nic, const struct hws_addr *group)
{
    int off = 0;
    struct ipv6_mreq m = {.ipv6mr_interface = nic->ifindex};
    memcpy(&m.ipv6mr_multiaddr, group->bytes, 16);
    return setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_ALL, &off, sizeof off) ||
           setsockopt(fd, IPPROTO_IPV6, IPV6_JOIN_GROUP, &m, sizeof m);
}

int hws_nic_join(struct hws_nic *nic, const struct hws_addr *group, uint16_t port)
{
    struct sockaddr_storage sa;
    int on = 1;
    if (nic->group >= 0)
        return HWS_OK;
    nic->group = socket_of(nic);
    socklen_t len = hws_addr_to_sockaddr(group, port, nic->ifindex, &sa);
    if (nic->group < 0 || setsockopt(nic->group, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        bind(nic->group, (struct sockaddr *)&sa, len))
        return fail(&nic->group);
    enlarge(nic->group);
    if (nic->addr.family == 4 ? join_v4(nic->group, nic, group) : join_v6(nic->group, nic, group))
        return fail(&nic->group);
    return HWS_OK;
}
