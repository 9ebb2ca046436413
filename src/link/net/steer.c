/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steer: SO_BINDTODEVICE, and SO_REUSEPORT for two listeners at one port. The plain listener gets SO_REUSEPORT only
 * after it has its port, so another rank of the same user cannot take the port as well.
 */
#include "link/net/steer.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool hws_steer_is_contested(const struct hws_netif *all, size_t n, unsigned ifindex, const struct hws_addr *to)
{
    if (hws_addr_is_link_local(to))
        return false; /* its scope names the device */
    for (size_t i = 0; i < n; i++)
        if (all[i].ifindex != ifindex && all[i].is_up && !all[i].is_loopback &&
            hws_addr_is_in(to, &all[i].addr, all[i].prefix_len))
            return true;
    return false;
}

bool hws_steer_bind(int fd, const char *ifname)
{
    return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, ifname, (socklen_t)strlen(ifname)) == 0;
}

int hws_steer_listen(int plain_fd, const char *ifname, int backlog)
{
    struct sockaddr_storage sa;
    socklen_t len = sizeof sa;
    int on = 1;
    if (getsockname(plain_fd, (struct sockaddr *)&sa, &len) < 0)
        return -1;
    int fd = socket(sa.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (setsockopt(plain_fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 && hws_steer_bind(fd, ifname) &&
        bind(fd, (struct sockaddr *)&sa, len) == 0 && listen(fd, backlog) == 0)
        return fd;
    close(fd);
    return -1;
}
