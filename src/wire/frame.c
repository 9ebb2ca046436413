/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame: headers of the frames of a lane (docs/wire.md section 3). One table says which fields a type has; offsets are
 * fixed per type and never depend on the build.
 *
 *             0     1     2        4      8        12    16    20    24          32           40
 *   prefix    type  flags reserved len    credit   ack
 *   EAGER     prefix                                     ctx   tag   seq  0                            32
 *   SYNC      prefix                                     ctx   tag   seq  0      send_handle  0        48
 *   RTS       prefix                                     ctx   tag   seq  0      send_handle  msg_len  48
 *   CTS       prefix                                     send_handle recv_handle msg_len      0        48
 *   BULK      prefix                                     recv_handle offset                            32
 *   ACK       prefix                                     send_handle 0                                 32
 *   DOWN      prefix                                     conn_id     received                          32
 *   CANCEL    prefix                                     ctx   tag   seq  0      send_handle  0        48
 *   CANCELLED prefix                                     send_handle result                            32
 *   WANT      prefix                                     ctx   tag   list 0                            32
 *   DECLINE   prefix                                     send_handle result                            32
 *   CREDIT    prefix                                                                                   16
 *   BYE       prefix                                                                                   16
 *   LEFT      prefix                                                                                   16
 *
 * With HWS_FRAME_CRC every header has 56 bytes, the last ones 0, and 8 bytes follow: CRC32C of the payload, then of
 * the header with that sum.
 */
#include "wire/wire.h"

#include <string.h>

#include "base/crc32c.h"
#include "wire/bytes.h"

struct row {
    const char *name;
    uint8_t header_len;
};

#define ROW(name, header, ...) [HWS_FRAME_##name] = {#name, header},
static const struct row rows[HWS_FRAME_TYPES] = {HWS_FRAME_TABLE(ROW)};
#undef ROW

size_t hws_frame_header_len(uint8_t type)
{
    return type < HWS_FRAME_TYPES ? rows[type].header_len : 0;
}

const char *hws_frame_name(uint8_t type)
{
    return type < HWS_FRAME_TYPES && rows[type].name ? rows[type].name : "unknown";
}

#define SUMS_AT (HWS_FRAME_MAX_HDR - HWS_FRAME_SUMS)
_Static_assert(HWS_FRAME_MAX_HDR % HWS_HEADER_GRAIN == 0, "with checksums, too");

static size_t put_sums(uint8_t *dst, size_t n, const struct hws_frame *f)
{
    memset(dst + n, 0, SUMS_AT - n);
    hws_put32(dst + SUMS_AT, f->payload_crc);
    hws_put32(dst + SUMS_AT + 4, hws_crc32c(0, dst, SUMS_AT + 4));
    return HWS_FRAME_MAX_HDR;
}

size_t hws_frame_encode(uint8_t *dst, const struct hws_frame *f)
{
    hws_put32(dst, f->type | (uint32_t)f->flags << 8);
    hws_put32(dst + 4, f->len);
    hws_put32(dst + 8, f->credit);
    hws_put32(dst + 12, f->ack);
    switch (f->type) {
    case HWS_FRAME_RTS:
    case HWS_FRAME_SYNC:
    case HWS_FRAME_CANCEL:
        hws_put64(dst + 32, f->send_handle);
        hws_put64(dst + 40, f->type == HWS_FRAME_RTS ? f->msg_len : 0); /* fall through */
    case HWS_FRAME_WANT:
    case HWS_FRAME_EAGER:
        hws_put32(dst + 16, f->ctx);
        hws_put32(dst + 20, (uint32_t)f->tag);
        hws_put32(dst + 24, f->seq);
        hws_put32(dst + 28, 0);
        break;
    case HWS_FRAME_CTS:
        hws_put64(dst + 16, f->send_handle);
        hws_put64(dst + 24, f->recv_handle);
        hws_put64(dst + 32, f->msg_len);
        hws_put64(dst + 40, 0);
        break;
    case HWS_FRAME_BULK:
        hws_put64(dst + 16, f->recv_handle);
        hws_put64(dst + 24, f->offset);
        break;
    case HWS_FRAME_ACK:
        hws_put64(dst + 16, f->send_handle);
        hws_put64(dst + 24, 0);
        break;
    case HWS_FRAME_DECLINE:
    case HWS_FRAME_CANCELLED:
        hws_put64(dst + 16, f->send_handle);
        hws_put64(dst + 24, f->result);
        break;
    case HWS_FRAME_DOWN:
        hws_put64(dst + 16, f->conn_id);
        hws_put64(dst + 24, f->received);
        break;
    default:
        break;
    }
    size_t n = rows[f->type].header_len;
    return __builtin_expect(f->flags & HWS_FRAME_CRC, 0) ? put_sums(dst, n, f) : n;
}

static bool are_flags_legal(const struct hws_frame *f)
{
    unsigned more = f->flags & ~HWS_FRAME_CRC;
    if (!more)
        return true;
    if (f->type == HWS_FRAME_CTS)
        return more == HWS_FRAME_LATE;
    if (f->type == HWS_FRAME_WANT)
        return more == HWS_FRAME_OFFER && f->tag >= 0;
    return f->type == HWS_FRAME_RTS && f->len == 0 && more & HWS_FRAME_FREE &&
           more < (HWS_FRAME_OFFER | HWS_FRAME_ANSWERS);
}

static int check_values(const struct hws_frame *f)
{
    if (f->len > HWS_FRAME_MAX_LEN || (f->len && !hws_frame_is(f->type, HWS_FRAMES_PAYLOAD)))
        return HWS_EPROTO;
    if (f->len > HWS_ROOM_PAYLOAD && hws_frame_is(f->type, HWS_FRAMES_ROOM))
        return HWS_EPROTO;
    if ((hws_frame_is(f->type, HWS_FRAMES_FIRST) || f->type == HWS_FRAME_CANCEL) && f->tag < 0)
        return HWS_EPROTO;
    if (f->type == HWS_FRAME_WANT && f->tag < HWS_WIRE_ANY_TAG)
        return HWS_EPROTO;
    if (f->type == HWS_FRAME_DECLINE && f->result >= HWS_DECLINE_RESULTS)
        return HWS_EPROTO;
    if (!are_flags_legal(f))
        return HWS_EPROTO;
    if (f->type == HWS_FRAME_CANCELLED && f->result >= HWS_CANCEL_RESULTS)
        return HWS_EPROTO;
    if (f->type == HWS_FRAME_RTS && f->len > f->msg_len)
        return HWS_EPROTO;
    if (f->type == HWS_FRAME_BULK && f->offset + f->len < f->offset)
        return HWS_EPROTO;
    return f->flags & HWS_FRAME_CRC ? HWS_FRAME_MAX_HDR : rows[f->type].header_len;
}

int hws_frame_check(const uint8_t *src, size_t len)
{
    if (len < HWS_FRAME_MAX_HDR)
        return 0;
    bool holds = (src[1] & HWS_FRAME_CRC) && hws_get32(src + SUMS_AT + 4) == hws_crc32c(0, src, SUMS_AT + 4);
    return holds ? 1 : HWS_ECORRUPT;
}

int hws_frame_decode(const uint8_t *src, size_t len, struct hws_frame *f)
{
    if (len < HWS_FRAME_PREFIX)
        return 0;
    if (src[0] == 0 || src[0] >= HWS_FRAME_TYPES || src[1] >= 2 * HWS_FRAME_OFFER || src[2] || src[3])
        return HWS_EPROTO;
    f->type = src[0];
    f->flags = src[1];
    f->len = hws_get32(src + 4);
    f->credit = hws_get32(src + 8);
    f->ack = hws_get32(src + 12);
    size_t n = rows[f->type].header_len;
    if (len < n)
        return f->len > HWS_FRAME_MAX_LEN ? HWS_EPROTO : 0;
    if (__builtin_expect(f->flags & HWS_FRAME_CRC, 0)) {
        int rc = hws_frame_check(src, len);
        if (rc <= 0)
            return rc;
        f->payload_crc = hws_get32(src + SUMS_AT);
    }
    switch (f->type) {
    case HWS_FRAME_RTS:
        f->msg_len = hws_get64(src + 40); /* fall through */
    case HWS_FRAME_SYNC:
    case HWS_FRAME_CANCEL:
        f->send_handle = hws_get64(src + 32); /* fall through */
    case HWS_FRAME_WANT:
    case HWS_FRAME_EAGER:
        f->ctx = hws_get32(src + 16);
        f->tag = (int32_t)hws_get32(src + 20);
        f->seq = hws_get32(src + 24);
        break;
    case HWS_FRAME_CTS:
        f->send_handle = hws_get64(src + 16);
        f->recv_handle = hws_get64(src + 24);
        f->msg_len = hws_get64(src + 32);
        break;
    case HWS_FRAME_BULK:
        f->recv_handle = hws_get64(src + 16);
        f->offset = hws_get64(src + 24);
        break;
    case HWS_FRAME_ACK:
        f->send_handle = hws_get64(src + 16);
        break;
    case HWS_FRAME_DECLINE:
    case HWS_FRAME_CANCELLED:
        f->send_handle = hws_get64(src + 16);
        f->result = hws_get64(src + 24);
        break;
    case HWS_FRAME_DOWN:
        f->conn_id = hws_get64(src + 16);
        f->received = hws_get64(src + 24);
        break;
    default:
        break;
    }
    return check_values(f);
}
