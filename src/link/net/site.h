/* SPDX-License-Identifier: BSD-3-Clause
 *
 * site: where this process can be reached: its host's interfaces, those of them that the job uses (-i, -ni), the ports
 * it may listen on (-portrange) and its address card. Every transport that listens on interfaces has one; it opens no
 * socket itself.
 */
#ifndef HWS_LINK_SITE_H
#define HWS_LINK_SITE_H

#include "base/params.h"
#include "link/net/card.h"
#include "link/net/netif.h"
#include "link/net/pairs.h"

struct hws_site {
    struct hws_netif all[HWS_NETIF_MAX], mine[HWS_NETIF_MAX];
    size_t n_all, n_mine;
    unsigned port_low, port_high; /* 0: any */
    unsigned port_first;          /* offset from port_low: ranks of one host begin at different ports */
    struct hws_card card;         /* without ports and addresses: those are the transport's */
};

/* Fills it; the caller gives zeros. HWS_OK, or a negative code with one line in err. */
int hws_site_init(struct hws_site *s, const struct hws_params *params, char *err, size_t err_len);

/* Ports to try, one after the other, i < hws_site_n_ports(); the only one is 0 where the kernel may choose. */
unsigned hws_site_n_ports(const struct hws_site *s);
uint16_t hws_site_port(const struct hws_site *s, unsigned i);

/* hws_pairs_plan() from here to the process with that card. */
size_t hws_site_pairs(const struct hws_site *s, const struct hws_card *theirs, struct hws_pair *out, size_t n);

#endif
