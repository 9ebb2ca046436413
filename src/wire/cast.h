/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: the packets of the reliable multicast (docs/wire.md section 6). One UDP datagram is one packet: a header, what
 * belongs to its kind, and a MAC over both. Nothing here trusts the bytes.
 */
#ifndef HWS_WIRE_CAST_H
#define HWS_WIRE_CAST_H

#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"

#define HWS_CAST_COMMON  28   /* bytes that all kinds begin with */
#define HWS_CAST_DATA    52   /* bytes before the payload of DATA */
#define HWS_CAST_REPORT  40   /* bytes before the ranges of REPORT */
#define HWS_CAST_PAYLOAD 1384 /* most bytes of a message in a packet: with all headers 1500 over IPv6 */
#define HWS_CAST_RANGES  64   /* most ranges of a REPORT */
#define HWS_CAST_MAC     16
#define HWS_CAST_PACKET  (HWS_CAST_DATA + HWS_CAST_PAYLOAD) /* longest packet without its MAC */
#define HWS_CAST_SEVERAL 0xffffu                            /* as a member: more than one, or nobody */
#define HWS_CAST_MEMBERS 4096                               /* most of a group */

enum hws_cast_kind {
    HWS_CAST_IS_DATA = 1, /* a piece of a message */
    HWS_CAST_IS_POLL,     /* asks for a REPORT */
    HWS_CAST_IS_REPORT,   /* what has come and what is missing of a stream */
    HWS_CAST_IS_HELLO     /* whether multicast gets here */
};

#define HWS_CAST_ASKS   1u /* DATA: a REPORT is wanted */
#define HWS_CAST_DIRECT 2u /* DATA, POLL: the REPORT goes straight to the sender */

struct hws_cast_range {
    uint32_t at, n; /* packets seq + at .. seq + at + n - 1 are missing */
};

struct hws_cast_packet {
    uint8_t kind, flags;
    uint64_t group;
    uint16_t from; /* member that sends the packet */
    uint16_t of;   /* member whose stream it belongs to */
    uint64_t seq;  /* DATA: its number in the stream; POLL: the next number; REPORT: all below are here; HELLO: which */
    uint32_t turn; /* DATA, POLL: number of the transmission, never 0; REPORT: that of what it answers, 0: nothing */
    /* DATA */
    uint64_t tag, msg_len, offset;
    const uint8_t *payload;
    uint32_t len;
    /* REPORT */
    uint64_t limit; /* packets below may be sent */
    uint16_t who;   /* who lacks the ranges; HWS_CAST_SEVERAL: more than one */
    uint16_t n_ranges;
    struct hws_cast_range ranges[HWS_CAST_RANGES];
};

/* Writes all but the payload of DATA into dst (HWS_CAST_PACKET bytes of room). Returns its length. */
size_t hws_cast_encode(uint8_t *dst, const struct hws_cast_packet *p);

/* HWS_OK, the payload pointing into src; or HWS_EPROTO: no legal packet. len: without the MAC. */
int hws_cast_decode(const uint8_t *src, size_t len, struct hws_cast_packet *p);

#endif
