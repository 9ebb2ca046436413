/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gate: what gateways between sites read and write (docs/wire.md section 7): the preface of a connection inside a site,
 * which is a header of the PROXY protocol, version 2, and the frames between two gateways.
 */
#ifndef HWS_WIRE_GATE_H
#define HWS_WIRE_GATE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "wire/bytes.h"

/* An IPv4 or IPv6 address and a port, in network byte order: what fits both sockaddrs and nothing else. */
struct hws_gate_addr {
    uint16_t family; /* AF_INET or AF_INET6 */
    uint16_t port;   /* network byte order */
    uint8_t ip[16];  /* the first 4 of IPv4 */
};

/* ---- the preface ------------------------------------------------------------------------------------------------ */

#define HWS_PREFACE_HEAD  16   /* read first; tells the whole length */
#define HWS_PREFACE_FIRST 0x0d /* its first byte */
#define HWS_PREFACE_MAX   160
#define HWS_PREFACE_NONCE 16
#define HWS_PREFACE_MAC   32
#define HWS_PREFACE_KEY   32
#define HWS_GATE_NAME     32 /* of a site or a gateway, with its end */

struct hws_preface {
    struct hws_gate_addr from, to; /* of one family: who connects, and to whom in the other site */
    uint64_t time_s;               /* since 1970: a gateway takes no old preface */
    uint8_t nonce[HWS_PREFACE_NONCE];
    char site[HWS_GATE_NAME]; /* of `to`; empty: the one that has its address */
};

#define HWS_GATE_PURPOSE "gateway" /* for which the shared key of a job is made from its secret */

/* The key for one purpose ("preface", "trunk"), from the one that gateways and processes share. */
void hws_gate_key(const uint8_t shared[HWS_PREFACE_KEY], const char *purpose, uint8_t key[HWS_PREFACE_KEY]);

/* Writes a preface with its MAC. Returns its length, at most HWS_PREFACE_MAX. */
size_t hws_preface_encode(uint8_t dst[HWS_PREFACE_MAX], const struct hws_preface *p,
                          const uint8_t key[HWS_PREFACE_KEY]);

/* The whole length of the preface that begins with these bytes; 0: this is none. */
size_t hws_preface_length(const uint8_t head[HWS_PREFACE_HEAD]);

/* HWS_OK; HWS_EPROTO: not a preface; HWS_EAUTH: made with another key, or changed on the way. */
int hws_preface_decode(const uint8_t *src, size_t len, const uint8_t key[HWS_PREFACE_KEY], struct hws_preface *p);

/* ---- frames between gateways ------------------------------------------------------------------------------------- */

#define HWS_GATE_VERSION 2
#define HWS_GATE_HEADER  16
#define HWS_GATE_PAYLOAD (16384 - HWS_GATE_HEADER) /* a full frame is one record of TLS */

enum hws_gate_kind {
    HWS_GATE_HELLO = 1, /* first on each trunk: struct hws_gate_hello */
    HWS_GATE_OPEN,      /* a flow begins: struct hws_gate_open */
    HWS_GATE_DATA,      /* bytes of a flow from `offset` on */
    HWS_GATE_FIN,       /* a flow's bytes end at `offset` */
    HWS_GATE_ACK,       /* delivered up to `offset`: struct hws_gate_ack */
    HWS_GATE_RESET,     /* the flow is over at once; one byte: why */
    HWS_GATE_GONE,      /* this gateway has no such flow any more */
    HWS_GATE_ASK,       /* give room back if the flow is idle */
    HWS_GATE_LESS,      /* sends no further than `offset` until an ACK of this epoch: 4 bytes, the epoch */
    HWS_GATE_PAD,       /* nothing: a new trunk's congestion window grows by it before there is data */
    HWS_GATE_KINDS
};

struct hws_gate_frame {
    enum hws_gate_kind kind;
    uint32_t flow;
    uint64_t offset;
    uint32_t len; /* of the payload behind the header */
};

enum hws_gate_why { HWS_GATE_CLOSED = 1, HWS_GATE_REFUSED, HWS_GATE_UNREACHABLE, HWS_GATE_NO_ROOM, HWS_GATE_WHYS };

struct hws_gate_hello {
    char site[HWS_GATE_NAME], gateway[HWS_GATE_NAME];
    uint64_t incarnation; /* of this process: flows of an earlier one are gone */
};

struct hws_gate_open {
    struct hws_gate_addr from, to;
};

/* How far the other end may send, as this end knew after LESS of that epoch. */
struct hws_gate_ack {
    uint64_t edge;
    uint32_t epoch;
};

#define HWS_GATE_HELLO_BYTES (4 + 2 * HWS_GATE_NAME + 8)
#define HWS_GATE_OPEN_BYTES  40
#define HWS_GATE_ACK_BYTES   12
#define HWS_GATE_LESS_BYTES  4

void hws_gate_header_encode(uint8_t dst[HWS_GATE_HEADER], const struct hws_gate_frame *f);
/* HWS_OK, or HWS_EPROTO: no such kind, or not of that length. */
int hws_gate_header_decode(const uint8_t src[HWS_GATE_HEADER], struct hws_gate_frame *f);

void hws_gate_hello_encode(uint8_t dst[HWS_GATE_HELLO_BYTES], const struct hws_gate_hello *h);
/* HWS_OK, or HWS_EPROTO: another version, or a name without its end. */
int hws_gate_hello_decode(const uint8_t src[HWS_GATE_HELLO_BYTES], struct hws_gate_hello *h);

void hws_gate_open_encode(uint8_t dst[HWS_GATE_OPEN_BYTES], const struct hws_gate_open *o);
/* HWS_OK, or HWS_EPROTO: of no family that there is, or of two. */
int hws_gate_open_decode(const uint8_t src[HWS_GATE_OPEN_BYTES], struct hws_gate_open *o);

static inline void hws_gate_ack_encode(uint8_t dst[HWS_GATE_ACK_BYTES], const struct hws_gate_ack *a)
{
    hws_put64(dst, a->edge);
    hws_put32(dst + 8, a->epoch);
}

static inline struct hws_gate_ack hws_gate_ack_decode(const uint8_t src[HWS_GATE_ACK_BYTES])
{
    return (struct hws_gate_ack){hws_get64(src), hws_get32(src + 8)};
}

/* What passed between two sites over the trunks of a gateway: its answer to a preface of port 0 that names a site. */
struct hws_gate_counts {
    uint64_t bytes_out, bytes_in; /* with all headers, as TLS gives them to TCP */
    uint64_t again, restarts;     /* segments sent again; windows taken back after an idle time */
    uint64_t rtt_us;              /* of the slowest trunk */
    uint64_t least_rtt_us;        /* ever, of the trunks that are up; 0: not known yet */
};

#define HWS_GATE_COUNTS_BYTES 48

static inline void hws_gate_counts_encode(uint8_t dst[HWS_GATE_COUNTS_BYTES], const struct hws_gate_counts *c)
{
    hws_put64(dst, c->bytes_out);
    hws_put64(dst + 8, c->bytes_in);
    hws_put64(dst + 16, c->again);
    hws_put64(dst + 24, c->restarts);
    hws_put64(dst + 32, c->rtt_us);
    hws_put64(dst + 40, c->least_rtt_us);
}

static inline void hws_gate_counts_decode(struct hws_gate_counts *c, const uint8_t src[HWS_GATE_COUNTS_BYTES])
{
    *c = (struct hws_gate_counts){hws_get64(src),      hws_get64(src + 8),  hws_get64(src + 16),
                                  hws_get64(src + 24), hws_get64(src + 32), hws_get64(src + 40)};
}

/* The shorter of two round trips; 0: not known. */
static inline uint64_t hws_gate_less(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* Adds them to what is there, but takes the longer round trip, and the least of both. */
static inline void hws_gate_counts_add(struct hws_gate_counts *c, const struct hws_gate_counts *more)
{
    c->bytes_out += more->bytes_out;
    c->bytes_in += more->bytes_in;
    c->again += more->again;
    c->restarts += more->restarts;
    c->rtt_us = more->rtt_us > c->rtt_us ? more->rtt_us : c->rtt_us;
    c->least_rtt_us = hws_gate_less(c->least_rtt_us, more->least_rtt_us);
}

/* The name of a kind for messages, static. */
const char *hws_gate_kind_name(enum hws_gate_kind kind);
/* Why a flow was reset, for messages, static. */
const char *hws_gate_why_text(enum hws_gate_why why);

#endif
