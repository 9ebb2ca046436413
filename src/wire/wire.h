/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wire: every byte that leaves the process over a data connection. docs/wire.md is the normative text; the tables here
 * follow it. All integers are little endian at fixed offsets, whatever the host. Encoders write into the caller's
 * memory; decoders check every length and value before they report success, and never read past `len`.
 */
#ifndef HWS_WIRE_WIRE_H
#define HWS_WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "wire/bytes.h"
#include "wire/kinds.h"

#define HWS_WIRE_VERSION 7

/* Frames of a connected lane (docs/wire.md section 3). */
enum hws_frame_type {
    HWS_FRAME_EAGER = 1,      /* a whole message */
    HWS_FRAME_SYNC = 2,       /* a whole message whose match must be acknowledged */
    HWS_FRAME_RTS = 3,        /* first fragment of a long message */
    HWS_FRAME_CTS = 4,        /* the receive is matched: send the rest */
    HWS_FRAME_BULK = 5,       /* a piece of the rest */
    HWS_FRAME_ACK = 6,        /* a SYNC message was matched */
    HWS_FRAME_CREDIT = 7,     /* only what the prefix carries: credit and acknowledgment */
    HWS_FRAME_BYE = 8,        /* the process finalizes; nothing follows */
    HWS_FRAME_DOWN = 9,       /* a connection is over: how much of it arrived */
    HWS_FRAME_CANCEL = 10,    /* forget a message if nothing has matched it */
    HWS_FRAME_CANCELLED = 11, /* the answer */
    HWS_FRAME_WANT = 12,      /* a receive waits for a message that its sender may hold back for want of credit */
    HWS_FRAME_DECLINE = 13    /* no receive takes the message that was offered */
};                            /* HWS_FRAME_LEFT and those behind it: wire/kinds.h */

/* DECLINE */
enum hws_decline_result {
    HWS_DECLINE_UNWANTED = 0, /* no such receive is posted now */
    HWS_DECLINE_AGAIN = 1,    /* messages with a number are on their way: offer it again */
    HWS_DECLINE_RESULTS
};

/* The answers to CANCEL. */
enum hws_cancel_result {
    HWS_CANCEL_NO = 0,        /* it is matched */
    HWS_CANCEL_YES = 1,       /* it is forgotten */
    HWS_CANCEL_ASK_AGAIN = 2, /* it is not here yet */
    HWS_CANCEL_RESULTS
};

#define HWS_FRAME_PREFIX  16 /* type, flags, reserved, len, credit, ack: enough to know the length of the header */
#define HWS_FRAME_SUMS    8  /* the two checksums behind a header with HWS_FRAME_CRC */
#define HWS_FRAME_MAX_HDR (56 + HWS_FRAME_SUMS)
#define HWS_FRAME_MAX_LEN (1u << 30) /* payload bytes of one frame */

/* Flag: the header is filled up to the longest one's length, and CRC32C of the payload and of the header follow it. As
 * its length does not depend on the type, damage of the type can't make the reader wait for bytes that never come. */
#define HWS_FRAME_CRC 1u

/* Flags of an RTS without payload: it costs no credit, as it or one behind it was asked for (WANT); it is the one that
 * was. */
#define HWS_FRAME_FREE    2u
#define HWS_FRAME_ANSWERS 4u
/* Of an RTS that is free: it comes out of turn, has no number, and is only for a receive that is posted and names its
 * tag. Of a WANT: such a receive is. */
#define HWS_FRAME_OFFER 8u

/* Of a CTS: the receive was posted after the message had come. */
#define HWS_FRAME_LATE 2u

#define HWS_WIRE_ANY_TAG (-1) /* WANT: whatever tag */

struct hws_frame {
    uint8_t type;    /* enum hws_frame_type, enum hws_room_frame */
    uint8_t flags;   /* HWS_FRAME_CRC and others */
    uint32_t len;    /* payload bytes that follow the header, 0..HWS_FRAME_MAX_LEN */
    uint32_t credit; /* bytes of eager credit given back */
    uint32_t ack;    /* bytes of whole frames that came on this connection, modulo 2^32 */
    uint32_t ctx;    /* EAGER SYNC RTS CANCEL WANT: context id */
    int32_t tag;     /* EAGER SYNC RTS CANCEL: 0..2^31-1; WANT: or HWS_WIRE_ANY_TAG */
    uint32_t seq; /* EAGER SYNC RTS CANCEL: number of the message in its (peer, context); WANT: of the list of wishes */
    uint64_t msg_len;     /* RTS: bytes of the message; CTS: bytes that the receiver takes */
    uint64_t send_handle; /* SYNC RTS CTS ACK: sender's descriptor (generation << 32 | index); CANCEL CANCELLED: the
                             question's */
    uint64_t recv_handle; /* CTS BULK: receiver's descriptor */
    uint64_t offset;      /* BULK: of the payload in the message (bytes) */
    uint64_t conn_id;     /* DOWN: the connection that is over */
    uint64_t received;    /* DOWN: bytes of whole frames that came on it */
    uint64_t result;      /* CANCELLED: enum hws_cancel_result; DECLINE: enum hws_decline_result */
    uint32_t payload_crc; /* with HWS_FRAME_CRC: CRC32C of the payload */
};

/* The table of frames: the header's bytes without checksums, which are a multiple of HWS_HEADER_GRAIN so that a payload
 * lies as its memory does (decision 050), and what a type is: it
 *   PAYLOAD  may have one
 *   FIRST    begins a message: context, tag and number are in the header, and it is charged to the credit
 *   WHOLE    is all of a message
 *   PART     belongs to a message: it stays in order with the others of its context and tag only
 *   ROOM     belongs to a room above the engine: no header but the prefix, and up to HWS_ROOM_PAYLOAD bytes
 * All come on connections that are proven, and on no other; and behind a BYE, too, which may overtake them on another
 * connection. A kind with ROOM is legal while the room that takes it is open, which is what hws_engine_take_kinds()
 * says. */
#define HWS_HEADER_GRAIN 16
#define HWS_FRAME_TABLE(ROW)                                                                                           \
    /*  name, header, PAYLOAD, FIRST, WHOLE, PART, ROOM */                                                             \
    ROW(EAGER, 32, 1, 1, 1, 1, 0)                                                                                      \
    ROW(SYNC, 48, 1, 1, 1, 1, 0)                                                                                       \
    ROW(RTS, 48, 1, 1, 0, 1, 0)                                                                                        \
    ROW(CTS, 48, 0, 0, 0, 1, 0)                                                                                        \
    ROW(BULK, 32, 1, 0, 0, 1, 0)                                                                                       \
    ROW(ACK, 32, 0, 0, 0, 1, 0)                                                                                        \
    ROW(CREDIT, 16, 0, 0, 0, 0, 0)                                                                                     \
    ROW(BYE, 16, 0, 0, 0, 0, 0)                                                                                        \
    ROW(DOWN, 32, 0, 0, 0, 0, 0)                                                                                       \
    ROW(CANCEL, 48, 0, 0, 0, 1, 0)                                                                                     \
    ROW(CANCELLED, 32, 0, 0, 0, 0, 0)                                                                                  \
    ROW(WANT, 32, 0, 0, 0, 0, 0)                                                                                       \
    ROW(DECLINE, 32, 0, 0, 0, 0, 0)                                                                                    \
    ROW(LEFT, 16, 1, 0, 0, 0, 1)

/* Each column as a set, bit 1 << type. */
#define HWS_FRAME_IF_PAYLOAD(name, header, payload, first, whole, part, room) | (payload##u << HWS_FRAME_##name)
#define HWS_FRAME_IF_FIRST(name, header, payload, first, whole, part, room)   | (first##u << HWS_FRAME_##name)
#define HWS_FRAME_IF_WHOLE(name, header, payload, first, whole, part, room)   | (whole##u << HWS_FRAME_##name)
#define HWS_FRAME_IF_PART(name, header, payload, first, whole, part, room)    | (part##u << HWS_FRAME_##name)
#define HWS_FRAME_IF_ROOM(name, header, payload, first, whole, part, room)    | (room##u << HWS_FRAME_##name)
enum hws_frame_class {
    HWS_FRAMES_PAYLOAD = 0 HWS_FRAME_TABLE(HWS_FRAME_IF_PAYLOAD),
    HWS_FRAMES_FIRST = 0 HWS_FRAME_TABLE(HWS_FRAME_IF_FIRST),
    HWS_FRAMES_WHOLE = 0 HWS_FRAME_TABLE(HWS_FRAME_IF_WHOLE),
    HWS_FRAMES_PART = 0 HWS_FRAME_TABLE(HWS_FRAME_IF_PART),
    HWS_FRAMES_ROOM = 0 HWS_FRAME_TABLE(HWS_FRAME_IF_ROOM)
};

static inline bool hws_frame_is(uint8_t type, enum hws_frame_class c)
{
    return (unsigned)c >> type & 1;
}

/* Bytes of the header of a type without checksums, or 0 if there is no such type. */
size_t hws_frame_header_len(uint8_t type);

/* The name for traces ("EAGER"). */
const char *hws_frame_name(uint8_t type);

/* Writes the header into dst (HWS_FRAME_MAX_HDR bytes of room). Returns its length. */
size_t hws_frame_encode(uint8_t *dst, const struct hws_frame *f);

#define HWS_EAGER_HDR 32 /* hws_frame_header_len(HWS_FRAME_EAGER) */

/* The header of an EAGER frame, the one that decides the latency, without a call. The same bytes as hws_frame_encode().
 */
static inline void hws_frame_encode_eager(uint8_t dst[HWS_EAGER_HDR], const struct hws_frame *f)
{
    hws_put32(dst, HWS_FRAME_EAGER);
    hws_put32(dst + 4, f->len);
    hws_put32(dst + 8, f->credit);
    hws_put32(dst + 12, f->ack);
    hws_put32(dst + 16, f->ctx);
    hws_put32(dst + 20, (uint32_t)f->tag);
    hws_put32(dst + 24, f->seq);
    hws_put32(dst + 28, 0);
}

/* True: src holds the whole header of a legal EAGER frame without checksums, and *f its fields (the other fields are
 * not touched). False: ask hws_frame_decode(). */
static inline bool hws_frame_decode_eager(const uint8_t *src, size_t len, struct hws_frame *f)
{
    if (len < HWS_EAGER_HDR || hws_get32(src) != HWS_FRAME_EAGER)
        return false;
    f->type = HWS_FRAME_EAGER;
    f->flags = 0;
    f->len = hws_get32(src + 4);
    f->credit = hws_get32(src + 8);
    f->ack = hws_get32(src + 12);
    f->ctx = hws_get32(src + 16);
    f->tag = (int32_t)hws_get32(src + 20);
    f->seq = hws_get32(src + 24);
    return f->len <= HWS_FRAME_MAX_LEN && f->tag >= 0;
}

/* On a connection whose frames all have checksums, before decoding: 1 if the header is as it was sent, 0 if more bytes
 * are needed, HWS_ECORRUPT. */
int hws_frame_check(const uint8_t *src, size_t len);

/* Reads a header. Returns its length (> 0); 0: more bytes are needed; HWS_EPROTO: no legal frame; HWS_ECORRUPT: its
 * checksum does not fit. */
int hws_frame_decode(const uint8_t *src, size_t len, struct hws_frame *f);

/* The hello (docs/wire.md section 2): HELLO ->, <- CHALLENGE, PROOF ->, <- VERDICT. */
enum hws_hello_kind { HWS_HELLO = 1, HWS_CHALLENGE = 2, HWS_PROOF = 3, HWS_VERDICT = 4 };
enum hws_verdict { HWS_VERDICT_WELCOME = 0, HWS_VERDICT_HEADON = 1, HWS_VERDICT_DUPLICATE = 2, HWS_VERDICT_N };

#define HWS_NONCE_LEN     32
#define HWS_MAC_LEN       32
#define HWS_HELLO_LEN     80 /* HELLO, and CHALLENGE without its MAC */
#define HWS_CHALLENGE_LEN (HWS_HELLO_LEN + HWS_MAC_LEN)
#define HWS_PROOF_LEN     (12 + HWS_MAC_LEN)
#define HWS_VERDICT_LEN   16

struct hws_hello {
    uint8_t kind;              /* HWS_HELLO or HWS_CHALLENGE */
    bool big_endian;           /* byte order of the sender's memory */
    uint16_t lane;             /* number of the lane this connection is for */
    bool keeps;                /* the sender keeps what it sends until it is acknowledged */
    bool crc;                  /* the sender wants checksums */
    uint64_t from_job, to_job; /* ids of the jobs of sender and addressee, which may be one */
    uint32_t from, to;         /* their ranks there */
    uint32_t credit;           /* eager bytes that the sender of this hello grants */
    uint8_t nonce[HWS_NONCE_LEN];
};

/* Each message of the hello is encoded into its whole length. Decoders take exactly one message of len bytes from the
 * other end, who may be anybody. */
void hws_hello_encode(uint8_t dst[HWS_HELLO_LEN], const struct hws_hello *h);
/* HWS_OK, or HWS_EPROTO: not our protocol, version or kind. */
int hws_hello_decode(const uint8_t *src, size_t len, uint8_t kind, struct hws_hello *h);

void hws_proof_encode(uint8_t dst[HWS_PROOF_LEN], const uint8_t mac[HWS_MAC_LEN]);
/* HWS_OK, or HWS_EPROTO: not a PROOF. */
int hws_proof_decode(const uint8_t *src, size_t len, uint8_t mac[HWS_MAC_LEN]);

void hws_verdict_encode(uint8_t dst[HWS_VERDICT_LEN], enum hws_verdict v);
/* HWS_OK, or HWS_EPROTO: not a VERDICT. */
int hws_verdict_decode(const uint8_t *src, size_t len, enum hws_verdict *v);

#endif
