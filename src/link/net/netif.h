/* SPDX-License-Identifier: BSD-3-Clause
 *
 * netif: the interfaces of this host and which of them a job uses. hws_netif_list(), hws_netif_route() and
 * hws_netif_host_id() ask the kernel; hws_netif_select() is pure. One entry is one address of one interface: an
 * interface with an IPv4 and an IPv6 address has two entries with one ifindex.
 */
#ifndef HWS_LINK_NETIF_H
#define HWS_LINK_NETIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/net/addr.h"

#define HWS_NETIF_NAME       16   /* IFNAMSIZ */
#define HWS_NETIF_MAX        64   /* entries looked at */
#define HWS_NETIF_GUESS_MBPS 1000 /* taken for an interface that does not tell its speed (virtio, WLAN) */

struct hws_netif {
    char name[HWS_NETIF_NAME];
    unsigned ifindex;
    struct hws_addr addr;
    uint8_t prefix_len;
    uint32_t speed_mbps; /* 0: the driver does not tell */
    bool is_up;          /* administratively */
    bool has_carrier;
    bool is_loopback;
    bool is_host_private; /* a bridge none of whose ports leads out of the host (docker0, virbr0) */
    bool is_unusable;     /* an IPv6 address that is tentative, deprecated or a duplicate */
};

/* Fills at most n entries in the kernel's order. Returns how many, or HWS_ESYS / HWS_ENOMEM. */
int hws_netif_list(struct hws_netif *out, size_t n);

/* Chooses entries of `all` into out, which has room for n_all.
 *   spec      -i: names, CIDRs, addresses, comma separated; "" or NULL: every interface that is up with carrier, not
 *             loopback. Link-local addresses and host-private bridges only where there is nothing better.
 *   max_n     -ni: at most so many interfaces (not entries); 0: no bound
 *   order     as listed in spec, else fastest first, then as in `all`; one interface's entries stay together
 *   returns   number of entries, 0 on a host with loopback only; or HWS_EINVAL with one line in err that names the
 * entry of spec and what this host has */
int hws_netif_select(const struct hws_netif *all, size_t n_all, const char *spec, size_t max_n, struct hws_netif *out,
                     char *err, size_t err_len);

/* The interface through which the kernel would send to `to`: its ifindex, or -1 if it has no route or `to` is this
 * host's own. Fits the callback of pairs.h; arg is not used. */
int hws_netif_route(void *arg, const struct hws_addr *to);

/* A number that is equal for processes that reach each other by loopback, and no others: from the boot id, the network
 * namespace and the host name (cloned virtual machines may share the first two). */
uint64_t hws_netif_host_id(void);

#endif
