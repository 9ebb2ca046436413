/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: the packets of the reliable multicast.
 *
 *   all:    0 magic "HC" u16  2 kind u8  3 flags u8  4 group u64  12 from u16  14 of u16  16 seq u64  24 turn u32
 *   DATA:   28 tag u64  36 message length u64  44 offset u64  52 payload
 *   REPORT: 28 limit u64  36 who u16  38 ranges u16  40 ranges of 8: at u32, n u32
 */
#include "wire/cast.h"

#include "wire/bytes.h"

#define MAGIC 0x4348u

size_t hws_cast_encode(uint8_t *dst, const struct hws_cast_packet *p)
{
    hws_put16(dst, MAGIC);
    dst[2] = p->kind;
    dst[3] = p->flags;
    hws_put64(dst + 4, p->group);
    hws_put16(dst + 12, p->from);
    hws_put16(dst + 14, p->of);
    hws_put64(dst + 16, p->seq);
    hws_put32(dst + 24, p->turn);
    if (p->kind == HWS_CAST_IS_DATA) {
        hws_put64(dst + 28, p->tag);
        hws_put64(dst + 36, p->msg_len);
        hws_put64(dst + 44, p->offset);
        return HWS_CAST_DATA;
    }
    if (p->kind != HWS_CAST_IS_REPORT)
        return HWS_CAST_COMMON;
    hws_put64(dst + 28, p->limit);
    hws_put16(dst + 36, p->who);
    hws_put16(dst + 38, p->n_ranges);
    for (unsigned i = 0; i < p->n_ranges; i++) {
        hws_put32(dst + HWS_CAST_REPORT + 8 * i, p->ranges[i].at);
        hws_put32(dst + HWS_CAST_REPORT + 8 * i + 4, p->ranges[i].n);
    }
    return HWS_CAST_REPORT + 8 * (size_t)p->n_ranges;
}

static int decode_data(const uint8_t *src, size_t len, struct hws_cast_packet *p)
{
    if (len < HWS_CAST_DATA || len > HWS_CAST_PACKET)
        return HWS_EPROTO;
    p->tag = hws_get64(src + 28);
    p->msg_len = hws_get64(src + 36);
    p->offset = hws_get64(src + 44);
    p->payload = src + HWS_CAST_DATA;
    p->len = (uint32_t)(len - HWS_CAST_DATA);
    if (p->msg_len > INT64_MAX || p->offset > p->msg_len || p->len > p->msg_len - p->offset)
        return HWS_EPROTO;
    return p->len > 0 || p->msg_len == 0 ? HWS_OK : HWS_EPROTO;
}

/* Ranges ascend and do not touch. */
static int decode_report(const uint8_t *src, size_t len, struct hws_cast_packet *p)
{
    if (len < HWS_CAST_REPORT)
        return HWS_EPROTO;
    p->limit = hws_get64(src + 28);
    p->who = hws_get16(src + 36);
    p->n_ranges = hws_get16(src + 38);
    if (p->n_ranges > HWS_CAST_RANGES || len != HWS_CAST_REPORT + 8 * (size_t)p->n_ranges || p->limit < p->seq)
        return HWS_EPROTO;
    uint64_t least = 0;
    for (unsigned i = 0; i < p->n_ranges; i++) {
        struct hws_cast_range r = {hws_get32(src + HWS_CAST_REPORT + 8 * i),
                                   hws_get32(src + HWS_CAST_REPORT + 8 * i + 4)};
        if (r.at < least || r.n == 0)
            return HWS_EPROTO;
        least = (uint64_t)r.at + r.n + 1;
        p->ranges[i] = r;
    }
    return HWS_OK;
}

static int is_legal_flags(const struct hws_cast_packet *p)
{
    unsigned legal = p->kind == HWS_CAST_IS_DATA   ? HWS_CAST_ASKS | HWS_CAST_DIRECT
                     : p->kind == HWS_CAST_IS_POLL ? HWS_CAST_DIRECT
                                                   : 0;
    return (p->flags & ~legal) == 0;
}

int hws_cast_decode(const uint8_t *src, size_t len, struct hws_cast_packet *p)
{
    if (len < HWS_CAST_COMMON || hws_get16(src) != MAGIC)
        return HWS_EPROTO;
    p->kind = src[2];
    p->flags = src[3];
    p->group = hws_get64(src + 4);
    p->from = hws_get16(src + 12);
    p->of = hws_get16(src + 14);
    p->seq = hws_get64(src + 16);
    p->turn = hws_get32(src + 24);
    p->n_ranges = 0;
    p->len = 0;
    if (!is_legal_flags(p) || p->seq > INT64_MAX)
        return HWS_EPROTO;
    if (p->kind == HWS_CAST_IS_DATA)
        return decode_data(src, len, p);
    if (p->kind == HWS_CAST_IS_REPORT)
        return decode_report(src, len, p);
    return (p->kind == HWS_CAST_IS_POLL || p->kind == HWS_CAST_IS_HELLO) && len == HWS_CAST_COMMON ? HWS_OK
                                                                                                   : HWS_EPROTO;
}
