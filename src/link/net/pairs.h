/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs: which pairs of (own interface, address of the peer) to dial, in which order. Pure: the routing table is asked
 * through a callback. LA-MPI pairs interfaces by their index; here the networks decide, because hosts differ.
 */
#ifndef HWS_LINK_PAIRS_H
#define HWS_LINK_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "link/net/addr.h"
#include "link/net/card.h"
#include "link/net/netif.h"

enum hws_pair_kind {
    HWS_PAIR_LOOPBACK, /* same host: 127.0.0.1 */
    HWS_PAIR_SUBNET,   /* one network has both */
    HWS_PAIR_ROUTED    /* the routing table leads from the one to the other */
};

struct hws_pair {
    enum hws_pair_kind kind;
    struct hws_addr local; /* to bind to before connect() */
    unsigned ifindex;      /* of local; 1 (loopback's) is not promised for LOOPBACK: 0 there */
    char ifname[HWS_NETIF_NAME];
    struct hws_addr remote;
    uint16_t port;       /* of remote */
    uint32_t speed_mbps; /* of the slower end, HWS_NETIF_GUESS_MBPS where not told */
    unsigned hardware;   /* equal for pairs that use the same two interfaces (their IPv4 and IPv6 addresses) */
    bool is_lane; /* worth a lane of its own: the pairs before it leave half of what it could carry, at both ends */
};

struct hws_pairs_input {
    const struct hws_netif *all; /* every address this host holds: hws_netif_list() */
    size_t n_all;
    const struct hws_netif *mine; /* those to use: hws_netif_select() */
    size_t n_mine;
    uint64_t host_id; /* own */
    const struct hws_card *theirs;
    int (*route)(void *arg, const struct hws_addr *to); /* ifindex or -1: hws_netif_route() */
    void *route_arg;
};

/* Fills out, best first, and returns how many (at most n).
 *   - same host id: loopback and nothing else;
 *   - never an address that this host holds itself (docker0 has 172.17.0.1 on every host); if that is all the peer has,
 *     then it is this host under another name: loopback;
 *   - pairs of one subnet before routed pairs; link-local ones after both;
 *   - pairs of interfaces not yet in the list before those that repeat one, then the faster, then IPv4, then the order
 * given. */
size_t hws_pairs_plan(const struct hws_pairs_input *in, struct hws_pair *out, size_t n);

#endif
