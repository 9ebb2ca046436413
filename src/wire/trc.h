/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc: what tcp-trc puts on its connections around the hello's bytes and the frames (docs/wire.md section 5): the
 * preamble of each connection, and before each message a word of its kind and length.
 */
#ifndef HWS_WIRE_TRC_H
#define HWS_WIRE_TRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "wire/bytes.h"

#define HWS_TRC_MESSAGE  ((64u << 10) + 256) /* longest message: a fragment of 64 KiB and any header */
#define HWS_TRC_WORD     4
#define HWS_TRC_VALUE    8
#define HWS_TRC_TOKEN    16
#define HWS_TRC_PREAMBLE 40

enum hws_trc_kind {
    HWS_TRC_BYTES = 1,
    HWS_TRC_WHOLE,
    HWS_TRC_FIN, /* on a stream: nothing follows */
    /* on the main connection, with eight bytes, but for TOKEN */
    HWS_TRC_TOKEN_IS, /* from the acceptor: proves a stream's dialer */
    HWS_TRC_OPEN,     /* from the acceptor: dial that flow */
    HWS_TRC_OPENED,   /* from the acceptor: the stream of that id is here */
    HWS_TRC_SHED,     /* from the acceptor: close the stream of that id */
    HWS_TRC_CLOSING,  /* from the dialer: read the stream of that id to its end */
    HWS_TRC_END,      /* the link is closed, so many messages came on streams */
    HWS_TRC_PROBE,    /* from either end: nothing, but the other kernel must acknowledge it */
    HWS_TRC_KINDS
};

enum hws_trc_first { HWS_TRC_MAIN = 1, HWS_TRC_STREAM };

struct hws_trc_preamble {
    enum hws_trc_first kind;
    uint32_t id;                  /* STREAM: its number, as the dialer counts */
    uint64_t flow;                /* STREAM */
    uint8_t token[HWS_TRC_TOKEN]; /* STREAM: of TOKEN_IS */
};

struct hws_trc_word {
    enum hws_trc_kind kind;
    uint32_t len; /* bytes of the message behind it */
};

void hws_trc_preamble_encode(uint8_t dst[HWS_TRC_PREAMBLE], const struct hws_trc_preamble *p);
/* HWS_OK, or HWS_EPROTO: not tcp-trc's. */
int hws_trc_preamble_decode(const uint8_t *src, size_t len, struct hws_trc_preamble *p);

static inline void hws_trc_word_encode(uint8_t dst[HWS_TRC_WORD], enum hws_trc_kind kind, size_t len)
{
    hws_put32(dst, (uint32_t)kind << 28 | (uint32_t)len);
}

/* HWS_OK; HWS_EAGAIN: more bytes are needed; HWS_EPROTO: no such message on that connection, or not of that length. */
int hws_trc_word_decode(const uint8_t *src, size_t len, bool is_main, struct hws_trc_word *w);

/* What is behind the word of OPEN and those after it. */
static inline void hws_trc_value_encode(uint8_t dst[HWS_TRC_VALUE], uint64_t value)
{
    hws_put64(dst, value);
}

static inline uint64_t hws_trc_value_decode(const uint8_t src[HWS_TRC_VALUE])
{
    return hws_get64(src);
}

#endif
