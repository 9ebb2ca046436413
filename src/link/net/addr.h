/* SPDX-License-Identifier: BSD-3-Clause
 *
 * addr: an IP address of either family as plain bytes, with the few questions that choosing interfaces asks of it.
 * Pure.
 */
#ifndef HWS_LINK_ADDR_H
#define HWS_LINK_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define HWS_ADDR_TEXT 46 /* room for the longest text and its NUL */

struct hws_addr {
    uint8_t family;    /* 4 or 6; 0: none */
    uint8_t bytes[16]; /* network order; the last 12 are zero for IPv4 */
};

/* Number of bits: 32 or 128. */
static inline unsigned hws_addr_bits(const struct hws_addr *a)
{
    return a->family == 4 ? 32 : 128;
}

/* Family and address; the rest is not compared. */
bool hws_addr_is_equal(const struct hws_addr *a, const struct hws_addr *b);

/* Whether a lies in the network net/prefix_len; never across families. */
bool hws_addr_is_in(const struct hws_addr *a, const struct hws_addr *net, unsigned prefix_len);

bool hws_addr_is_loopback(const struct hws_addr *a);

/* 169.254/16 or fe80::/10. */
bool hws_addr_is_link_local(const struct hws_addr *a);

/* Whether one process can be reached by it: not unspecified, multicast or broadcast. */
bool hws_addr_is_unicast(const struct hws_addr *a);

/* HWS_OK or HWS_EINVAL. Takes what inet_pton() takes, without scope. */
int hws_addr_parse(const char *text, struct hws_addr *out);

/* Numbers only. Returns dst, which has room for HWS_ADDR_TEXT. */
char *hws_addr_format(const struct hws_addr *a, char *dst);

/* For bind() and connect(); ifindex is used for link-local IPv6 only. Returns the length to pass. */
socklen_t hws_addr_to_sockaddr(const struct hws_addr *a, uint16_t port, unsigned ifindex, struct sockaddr_storage *out);

/* HWS_OK, or HWS_EINVAL for another family. *port may be NULL. */
int hws_addr_from_sockaddr(const struct sockaddr *sa, struct hws_addr *out, uint16_t *port);

/* 127.0.0.1 */
struct hws_addr hws_addr_loopback(void);

#endif
