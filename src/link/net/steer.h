/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steer: makes a connection use the NIC that has its address where several NICs are in one subnet. The routing table
 * knows destinations only and sends everything through the first of them.
 *
 * A socket that is bound to a device sends through it and hears nothing that comes in elsewhere. The latter happens
 * where a NIC answers for another one's address, as Linux does by default (arp_ignore 0). So a listener bound to the
 * device is only put beside the plain one, and whether a dial is steered changes with each one that fails.
 */
#ifndef HWS_LINK_STEER_H
#define HWS_LINK_STEER_H

#include <stdbool.h>
#include <stddef.h>

#include "link/net/addr.h"
#include "link/net/netif.h"

/* Whether another interface of `all` than ifindex leads to the network of `to`: only then there is something to do. */
bool hws_steer_is_contested(const struct hws_netif *all, size_t n, unsigned ifindex, const struct hws_addr *to);

/* Binds a fresh socket to the device. False: the kernel does not let us (before Linux 5.7 only root may). */
bool hws_steer_bind(int fd, const char *ifname);

/* A second listening socket at the address and port of plain_fd, for what comes in through the device. -1: cannot be.
 */
int hws_steer_listen(int plain_fd, const char *ifname, int backlog);

#endif
