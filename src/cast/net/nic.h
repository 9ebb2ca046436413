/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nic: the sockets of one address of an interface: one for packets to this process, and to send from; one for packets
 * to the job's group, made when the interface is first used.
 */
#ifndef HWS_CAST_NIC_H
#define HWS_CAST_NIC_H

#include <stdbool.h>

#include "link/net/netif.h"

struct hws_nic {
    struct hws_addr addr;
    uint8_t prefix_len;
    unsigned ifindex;
    char name[HWS_NETIF_NAME];
    uint16_t port;
    int own, group; /* sockets; -1: none */
    unsigned room;  /* packets that a socket's buffer takes */
};

/* HWS_OK, or the error with no socket left open. */
int hws_nic_open(struct hws_nic *nic, const struct hws_netif *netif);
void hws_nic_close(struct hws_nic *nic);

/* Has packets to the group come to this process. Again: nothing. HWS_OK or an error. */
int hws_nic_join(struct hws_nic *nic, const struct hws_addr *group, uint16_t port);

/* Packets that its socket has sent and that the interface has not taken yet. */
uint64_t hws_nic_queued(const struct hws_nic *nic);

#endif
