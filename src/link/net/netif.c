/* SPDX-License-Identifier: BSD-3-Clause
 *
 * netif: what the kernel tells about interfaces, routes and the host. Everything is asked through sockets of the own
 * network namespace; /sys is used only for the ports of bridges, because it may be mounted from another namespace.
 */
#include "link/net/netif.h"

#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/hash.h"
#include "base/host.h"

static uint32_t ask_speed(int fd, const char *name)
{
    struct ethtool_cmd cmd = {.cmd = ETHTOOL_GSET};
    struct ifreq req = {.ifr_data = (char *)&cmd};
    snprintf(req.ifr_name, sizeof req.ifr_name, "%s", name);
    if (ioctl(fd, SIOCETHTOOL, &req) < 0)
        return 0;
    uint32_t mbps = (uint32_t)cmd.speed_hi << 16 | cmd.speed;
    return mbps == (uint32_t)SPEED_UNKNOWN || mbps == 0xffff ? 0 : mbps;
}

static bool is_bridge(int fd, const char *name)
{
    struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
    struct ifreq req = {.ifr_data = (char *)&info};
    snprintf(req.ifr_name, sizeof req.ifr_name, "%s", name);
    return ioctl(fd, SIOCETHTOOL, &req) == 0 && strcmp(info.driver, "bridge") == 0;
}

/* Whether a port of a bridge leads out of the host: hardware, or a bond, VLAN, VXLAN (they name their kind). The ends
 * of containers and virtual machines (veth, tap) have neither. */
static bool is_uplink(const char *port)
{
    char path[128], line[128];
    snprintf(path, sizeof path, "/sys/class/net/%.15s/device", port);
    if (access(path, F_OK) == 0)
        return true;
    snprintf(path, sizeof path, "/sys/class/net/%.15s/uevent", port);
    FILE *f = fopen(path, "re");
    bool has_kind = false;
    while (f && !has_kind && fgets(line, sizeof line, f))
        has_kind = strncmp(line, "DEVTYPE=", 8) == 0;
    if (f)
        fclose(f);
    return has_kind;
}

static bool has_no_uplink(const char *bridge)
{
    char path[64];
    snprintf(path, sizeof path, "/sys/class/net/%.15s/brif", bridge);
    DIR *d = opendir(path);
    if (!d)
        return false; /* not told: taken for an ordinary interface */
    bool found = false;
    for (struct dirent *e; !found && (e = readdir(d));)
        found = e->d_name[0] != '.' && is_uplink(e->d_name);
    closedir(d);
    return !found;
}

static unsigned prefix_of(const struct sockaddr *mask)
{
    struct hws_addr m;
    unsigned n = 0;
    if (!mask || hws_addr_from_sockaddr(mask, &m, NULL) != HWS_OK)
        return 0;
    while (n < hws_addr_bits(&m) && (m.bytes[n / 8] >> (7 - n % 8) & 1))
        n++;
    return n;
}

/* Marks the IPv6 addresses that cannot be bound or should not be used any more. */
static void mark_unusable(struct hws_netif *out, size_t n)
{
    FILE *f = fopen("/proc/net/if_inet6", "re");
    char hex[33];
    unsigned ifindex, prefix, scope, flags;
    while (f && fscanf(f, "%32s %x %x %x %x %*s", hex, &ifindex, &prefix, &scope, &flags) == 5) {
        struct hws_addr a = {.family = 6};
        for (int i = 0; i < 16; i++)
            if (sscanf(hex + 2 * i, "%2hhx", &a.bytes[i]) != 1)
                a.family = 0;
        for (size_t i = 0; i < n; i++)
            if (out[i].ifindex == ifindex && hws_addr_is_equal(&out[i].addr, &a))
                out[i].is_unusable = flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_DEPRECATED);
    }
    if (f)
        fclose(f);
}

/* The number of an interface: getifaddrs() lists every interface as a packet socket's address first. */
static unsigned index_of(const struct ifaddrs *list, const char *name)
{
    for (const struct ifaddrs *i = list; i; i = i->ifa_next)
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_PACKET && strcmp(i->ifa_name, name) == 0)
            return (unsigned)((const struct sockaddr_ll *)(const void *)i->ifa_addr)->sll_ifindex;
    return if_nametoindex(name);
}

/* What belongs to the interface, not to the address: asked once for each, every rank of a host does so at its start. */
static void ask_interface(int fd, const struct ifaddrs *list, const struct hws_netif *known, size_t n,
                          struct hws_netif *e)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(known[i].name, e->name) == 0) {
            e->ifindex = known[i].ifindex;
            e->speed_mbps = known[i].speed_mbps;
            e->is_host_private = known[i].is_host_private;
            return;
        }
    e->ifindex = index_of(list, e->name);
    e->speed_mbps = ask_speed(fd, e->name);
    e->is_host_private = is_bridge(fd, e->name) && has_no_uplink(e->name);
}

static void fill_entry(const struct ifaddrs *ifa, const struct hws_addr *addr, struct hws_netif *e)
{
    memset(e, 0, sizeof *e);
    snprintf(e->name, sizeof e->name, "%.15s", ifa->ifa_name);
    e->addr = *addr;
    e->prefix_len = (uint8_t)prefix_of(ifa->ifa_netmask);
    e->is_up = ifa->ifa_flags & IFF_UP;
    e->has_carrier = ifa->ifa_flags & IFF_RUNNING;
    e->is_loopback = ifa->ifa_flags & IFF_LOOPBACK;
}

int hws_netif_list(struct hws_netif *out, size_t n)
{
    struct ifaddrs *list;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return hws_err_from_errno(errno);
    if (getifaddrs(&list) < 0) {
        int rc = hws_err_from_errno(errno);
        close(fd);
        return rc;
    }
    size_t k = 0;
    for (struct ifaddrs *ifa = list; ifa && k < n; ifa = ifa->ifa_next) {
        struct hws_addr addr;
        if (!ifa->ifa_addr || hws_addr_from_sockaddr(ifa->ifa_addr, &addr, NULL) != HWS_OK)
            continue;
        fill_entry(ifa, &addr, &out[k]);
        ask_interface(fd, list, out, k, &out[k]);
        k++;
    }
    freeifaddrs(list);
    close(fd);
    mark_unusable(out, k);
    return (int)k;
}

/* ---- route ---- */

struct route_request {
    struct nlmsghdr head;
    struct rtmsg route;
    struct rtattr attr;
    uint8_t addr[16];
};

static ssize_t ask_route(const struct hws_addr *to, void *answer, size_t len)
{
    unsigned n = hws_addr_bits(to) / 8;
    struct route_request req = {
        .head = {.nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST},
        .route = {.rtm_family = to->family == 4 ? AF_INET : AF_INET6, .rtm_dst_len = (uint8_t)(8 * n)},
        .attr = {.rta_type = RTA_DST, .rta_len = (uint16_t)RTA_LENGTH(n)},
    };
    req.head.nlmsg_len = (uint32_t)(offsetof(struct route_request, addr) + n);
    memcpy(req.addr, to->bytes, n);
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0)
        return -1;
    ssize_t got = -1;
    if (send(fd, &req, req.head.nlmsg_len, 0) == (ssize_t)req.head.nlmsg_len)
        got = recv(fd, answer, len, 0); /* the kernel has answered before send() returns */
    close(fd);
    return got;
}

int hws_netif_route(void *arg, const struct hws_addr *to)
{
    (void)arg;
    union {
        struct nlmsghdr head;
        char bytes[4096];
    } answer;
    ssize_t got = ask_route(to, &answer, sizeof answer);
    if (got < 0 || !NLMSG_OK(&answer.head, (size_t)got) || answer.head.nlmsg_type != RTM_NEWROUTE)
        return -1;
    struct rtmsg *route = NLMSG_DATA(&answer.head);
    if (route->rtm_type != RTN_UNICAST)
        return -1;
    int left = (int)RTM_PAYLOAD(&answer.head);
    for (struct rtattr *a = RTM_RTA(route); RTA_OK(a, left); a = RTA_NEXT(a, left))
        if (a->rta_type == RTA_OIF) {
            int ifindex;
            memcpy(&ifindex, RTA_DATA(a), sizeof ifindex);
            return ifindex;
        }
    return -1;
}

/* ---- host ---- */

/* FNV-1a; it need only tell hosts of one job apart, the hello authenticates. */
uint64_t hws_netif_host_id(void)
{
    uint64_t h = hws_host_id();
    struct stat st;
    if (stat("/proc/self/ns/net", &st) == 0)
        h = hws_hash(h, &st.st_ino, sizeof st.st_ino);
    return h;
}
