/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame: headers of the frames of a lane (docs/wire.md section 3). One table says which fields a type has; offsets are
 * fixed per type and never depend on the build.
 *
 *            0     1     2        4      8        12
 *   prefix   type  flags reserved len    credit
 *   EAGER    prefix                              ctx   tag   seq                          24
 *   SYNC     prefix                              ctx   tag   seq   send_handle            32
 *   RTS      prefix                              ctx   tag   seq   send_handle  msg_len   40
 *   CTS      prefix                              reserved send_handle recv_handle msg_len 40
 *   BULK     prefix                              reserved recv_handle offset              32
 *   ACK      prefix                              reserved send_handle                     24
 *   CREDIT   prefix                                                                       12
 *   BYE      prefix                                                                       12
 */
#include "wire/wire.h"

#include "wire/bytes.h"

struct row {
    const char *name;
    uint8_t header_len;
    bool has_payload;
};

static const struct row rows[HWS_FRAME_TYPES] = {
    [HWS_FRAME_EAGER] = {"EAGER", 24, true},   [HWS_FRAME_SYNC] = {"SYNC", 32, true},
    [HWS_FRAME_RTS] = {"RTS", 40, true},       [HWS_FRAME_CTS] = {"CTS", 40, false},
    [HWS_FRAME_BULK] = {"BULK", 32, true},     [HWS_FRAME_ACK] = {"ACK", 24, false},
    [HWS_FRAME_CREDIT] = {"CREDIT", 12, false}, [HWS_FRAME_BYE] = {"BYE", 12, false},
};

size_t hws_frame_header_len(uint8_t type)
{
    return type < HWS_FRAME_TYPES ? rows[type].header_len : 0;
}

const char *hws_frame_name(uint8_t type)
{
    return type < HWS_FRAME_TYPES && rows[type].name ? rows[type].name : "unknown";
}

size_t hws_frame_encode(uint8_t *dst, const struct hws_frame *f)
{
    hws_put32(dst, f->type);
    hws_put32(dst + 4, f->len);
    hws_put32(dst + 8, f->credit);
    switch (f->type) {
    case HWS_FRAME_RTS:
        hws_put64(dst + 32, f->msg_len); /* fall through */
    case HWS_FRAME_SYNC:
        hws_put64(dst + 24, f->send_handle); /* fall through */
    case HWS_FRAME_EAGER:
        hws_put32(dst + 12, f->ctx);
        hws_put32(dst + 16, (uint32_t)f->tag);
        hws_put32(dst + 20, f->seq);
        break;
    case HWS_FRAME_CTS:
        hws_put32(dst + 12, 0);
        hws_put64(dst + 16, f->send_handle);
        hws_put64(dst + 24, f->recv_handle);
        hws_put64(dst + 32, f->msg_len);
        break;
    case HWS_FRAME_BULK:
        hws_put32(dst + 12, 0);
        hws_put64(dst + 16, f->recv_handle);
        hws_put64(dst + 24, f->offset);
        break;
    case HWS_FRAME_ACK:
        hws_put32(dst + 12, 0);
        hws_put64(dst + 16, f->send_handle);
        break;
    default:
        break;
    }
    return rows[f->type].header_len;
}

static int check_values(const struct hws_frame *f)
{
    if (f->len > HWS_FRAME_MAX_LEN || (f->len && !rows[f->type].has_payload))
        return HWS_EPROTO;
    if (f->type <= HWS_FRAME_RTS && f->tag < 0)
        return HWS_EPROTO;
    if (f->type == HWS_FRAME_RTS && f->len > f->msg_len)
        return HWS_EPROTO;
    if (f->type == HWS_FRAME_BULK && f->offset + f->len < f->offset)
        return HWS_EPROTO;
    return rows[f->type].header_len;
}

int hws_frame_decode(const uint8_t *src, size_t len, struct hws_frame *f)
{
    if (len < HWS_FRAME_PREFIX)
        return 0;
    if (src[0] == 0 || src[0] >= HWS_FRAME_TYPES || src[1] || src[2] || src[3])
        return HWS_EPROTO;
    f->type = src[0];
    f->len = hws_get32(src + 4);
    f->credit = hws_get32(src + 8);
    if (len < rows[f->type].header_len)
        return f->len > HWS_FRAME_MAX_LEN ? HWS_EPROTO : 0;
    switch (f->type) {
    case HWS_FRAME_RTS:
        f->msg_len = hws_get64(src + 32); /* fall through */
    case HWS_FRAME_SYNC:
        f->send_handle = hws_get64(src + 24); /* fall through */
    case HWS_FRAME_EAGER:
        f->ctx = hws_get32(src + 12);
        f->tag = (int32_t)hws_get32(src + 16);
        f->seq = hws_get32(src + 20);
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
    default:
        break;
    }
    return check_values(f);
}
