/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc: the preamble and the words of tcp-trc.
 *
 *   preamble: 0 magic "HWSTRC1\n"  8 kind u32  12 id u32  16 flow u64  24 token[16]
 *   word:     0 kind << 28 | length u32
 */
#include "wire/trc.h"

#include <string.h>

static const uint8_t magic[8] = {'H', 'W', 'S', 'T', 'R', 'C', '1', '\n'};

enum where { MAIN = 1, STREAM = 2 };

static const struct kind {
    unsigned where;
    uint32_t min, max; /* bytes behind the word */
} kinds[HWS_TRC_KINDS] = {
    [HWS_TRC_BYTES] = {MAIN, 1, HWS_TRC_MESSAGE},
    [HWS_TRC_WHOLE] = {MAIN | STREAM, 1, HWS_TRC_MESSAGE},
    [HWS_TRC_FIN] = {STREAM, 0, HWS_TRC_TOKEN},
    [HWS_TRC_TOKEN_IS] = {MAIN, HWS_TRC_TOKEN, HWS_TRC_TOKEN},
    [HWS_TRC_OPEN] = {MAIN, HWS_TRC_VALUE, HWS_TRC_VALUE},
    [HWS_TRC_OPENED] = {MAIN, HWS_TRC_VALUE, HWS_TRC_VALUE},
    [HWS_TRC_SHED] = {MAIN, HWS_TRC_VALUE, HWS_TRC_VALUE},
    [HWS_TRC_CLOSING] = {MAIN, HWS_TRC_VALUE, HWS_TRC_VALUE},
    [HWS_TRC_END] = {MAIN, HWS_TRC_VALUE, HWS_TRC_VALUE},
    [HWS_TRC_PROBE] = {MAIN, HWS_TRC_VALUE, HWS_TRC_VALUE},
};

void hws_trc_preamble_encode(uint8_t dst[HWS_TRC_PREAMBLE], const struct hws_trc_preamble *p)
{
    memcpy(dst, magic, sizeof magic);
    hws_put32(dst + 8, (uint32_t)p->kind);
    hws_put32(dst + 12, p->id);
    hws_put64(dst + 16, p->flow);
    memcpy(dst + 24, p->token, HWS_TRC_TOKEN);
}

int hws_trc_preamble_decode(const uint8_t *src, size_t len, struct hws_trc_preamble *p)
{
    if (len != HWS_TRC_PREAMBLE || memcmp(src, magic, sizeof magic) != 0)
        return HWS_EPROTO;
    uint32_t kind = hws_get32(src + 8);
    if (kind != HWS_TRC_MAIN && kind != HWS_TRC_STREAM)
        return HWS_EPROTO;
    p->kind = (enum hws_trc_first)kind;
    p->id = hws_get32(src + 12);
    p->flow = hws_get64(src + 16);
    memcpy(p->token, src + 24, HWS_TRC_TOKEN);
    return HWS_OK;
}

int hws_trc_word_decode(const uint8_t *src, size_t len, bool is_main, struct hws_trc_word *w)
{
    if (len < HWS_TRC_WORD)
        return HWS_EAGAIN;
    uint32_t word = hws_get32(src), kind = word >> 28, n = word & 0xfffffffu;
    if (kind >= HWS_TRC_KINDS || !(kinds[kind].where & (is_main ? MAIN : STREAM)) || n < kinds[kind].min ||
        n > kinds[kind].max)
        return HWS_EPROTO;
    w->kind = (enum hws_trc_kind)kind;
    w->len = n;
    return HWS_OK;
}
