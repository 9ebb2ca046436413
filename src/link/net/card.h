/* SPDX-License-Identifier: BSD-3-Clause
 *
 * card: the address card of a process: how others reach it. It travels through the launcher's key-value space as one
 * line of printable text without spaces, '=' or ';' (they mean something in PMI). The parser takes text from other
 * processes and trusts nothing in it.
 *
 *     HWS1/<host id, 16 hex>/<pid>/<host name>/<loopback port>/<n>/<address>,<bits>,<port>,<interface>,<Mb/s>/...
 *     and, of a job of several sites, behind it: @<site>/
 *
 * Names are percent-escaped; numbers are decimal without leading zeros; every '/' shown is there, also the last.
 */
#ifndef HWS_LINK_CARD_H
#define HWS_LINK_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/net/addr.h"
#include "link/net/netif.h"

#define HWS_CARD_ADDRS    16 /* most addresses on a card */
#define HWS_CARD_HOSTNAME 65 /* HOST_NAME_MAX + 1 */
#define HWS_CARD_SITE     32
#define HWS_CARD_TEXT     1024 /* longest text with its NUL: PMI-1 launchers take values of 1 KiB */

struct hws_card_addr {
    struct hws_addr addr;
    uint8_t prefix_len;
    uint16_t port; /* host order, never 0 */
    char ifname[HWS_NETIF_NAME];
    uint32_t speed_mbps; /* 0: not told */
};

struct hws_card {
    uint64_t host_id;
    uint32_t pid;
    char hostname[HWS_CARD_HOSTNAME]; /* never empty */
    char site[HWS_CARD_SITE];         /* empty: the only one */
    uint16_t loopback_port;           /* 0: does not listen on loopback */
    size_t n_addrs;
    struct hws_card_addr addrs[HWS_CARD_ADDRS]; /* [n_addrs], best first */
};

/* Adds the address of an entry with the port that listens on it. False, and nothing added, if the card is full or the
 * address means something on its own host only (loopback). */
bool hws_card_add(struct hws_card *c, const struct hws_netif *e, uint16_t port);

/* Writes the text. Addresses that do not fit into len are left off, the last first. HWS_OK, or HWS_EINVAL if not even a
 * card without addresses fits or the host name is empty. */
int hws_card_format(const struct hws_card *c, char *dst, size_t len);

/* Reads the text of a card, at most len bytes, up to a NUL if there is one. HWS_OK, or HWS_EPROTO with *out unchanged.
 */
int hws_card_parse(const char *text, size_t len, struct hws_card *out);

#endif
