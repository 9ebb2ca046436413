/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hello: the four messages that open a connection (docs/wire.md section 2). Each begins with the same twelve bytes:
 * magic, version, kind.
 *
 *   0 magic "HAWSER\r\n"  8 version u16  10 kind u8  11 byte order u8 (0 little, 1 big)
 *   HELLO, CHALLENGE: 12 lane u16  14 flags u16  16 job of from u64  24 from u32  28 to u32  32 credit u32
 *                     36 reserved u32  40 job of to u64  48 nonce[32]           (CHALLENGE: 80 MAC[32])
 *   PROOF: 12 MAC[32]          VERDICT: 12 code u32
 */
#include "wire/wire.h"

#include <string.h>

#include "wire/bytes.h"

#define PREAMBLE_LEN 12
#define FLAG_KEEPS   1u
#define FLAG_CRC     2u

static const uint8_t magic[8] = {'H', 'A', 'W', 'S', 'E', 'R', '\r', '\n'};

static void encode_preamble(uint8_t *dst, uint8_t kind, bool big_endian)
{
    memcpy(dst, magic, sizeof magic);
    hws_put16(dst + 8, HWS_WIRE_VERSION);
    dst[10] = kind;
    dst[11] = big_endian;
}

static int decode_preamble(const uint8_t *src, size_t len, size_t want_len, uint8_t kind)
{
    if (len != want_len || memcmp(src, magic, sizeof magic) != 0)
        return HWS_EPROTO;
    if (hws_get16(src + 8) != HWS_WIRE_VERSION || src[10] != kind || src[11] > 1)
        return HWS_EPROTO;
    return HWS_OK;
}

void hws_hello_encode(uint8_t dst[HWS_HELLO_LEN], const struct hws_hello *h)
{
    memset(dst, 0, HWS_HELLO_LEN);
    encode_preamble(dst, h->kind, h->big_endian);
    hws_put16(dst + 12, h->lane);
    hws_put16(dst + 14, (h->keeps ? FLAG_KEEPS : 0) | (h->crc ? FLAG_CRC : 0));
    hws_put64(dst + 16, h->from_job);
    hws_put32(dst + 24, h->from);
    hws_put32(dst + 28, h->to);
    hws_put32(dst + 32, h->credit);
    hws_put64(dst + 40, h->to_job);
    memcpy(dst + 48, h->nonce, HWS_NONCE_LEN);
}

int hws_hello_decode(const uint8_t *src, size_t len, uint8_t kind, struct hws_hello *h)
{
    size_t want_len = kind == HWS_CHALLENGE ? HWS_CHALLENGE_LEN : HWS_HELLO_LEN;
    int rc = decode_preamble(src, len, want_len, kind);
    if (rc != HWS_OK)
        return rc;
    h->kind = kind;
    h->big_endian = src[11];
    h->lane = hws_get16(src + 12);
    h->keeps = hws_get16(src + 14) & FLAG_KEEPS;
    h->crc = hws_get16(src + 14) & FLAG_CRC;
    h->from_job = hws_get64(src + 16);
    h->from = hws_get32(src + 24);
    h->to = hws_get32(src + 28);
    h->credit = hws_get32(src + 32);
    h->to_job = hws_get64(src + 40);
    memcpy(h->nonce, src + 48, HWS_NONCE_LEN);
    return HWS_OK;
}

void hws_proof_encode(uint8_t dst[HWS_PROOF_LEN], const uint8_t mac[HWS_MAC_LEN])
{
    encode_preamble(dst, HWS_PROOF, false);
    memcpy(dst + PREAMBLE_LEN, mac, HWS_MAC_LEN);
}

int hws_proof_decode(const uint8_t *src, size_t len, uint8_t mac[HWS_MAC_LEN])
{
    int rc = decode_preamble(src, len, HWS_PROOF_LEN, HWS_PROOF);
    if (rc == HWS_OK)
        memcpy(mac, src + PREAMBLE_LEN, HWS_MAC_LEN);
    return rc;
}

void hws_verdict_encode(uint8_t dst[HWS_VERDICT_LEN], enum hws_verdict v)
{
    encode_preamble(dst, HWS_VERDICT, false);
    hws_put32(dst + PREAMBLE_LEN, (uint32_t)v);
}

int hws_verdict_decode(const uint8_t *src, size_t len, enum hws_verdict *v)
{
    int rc = decode_preamble(src, len, HWS_VERDICT_LEN, HWS_VERDICT);
    if (rc != HWS_OK)
        return rc;
    uint32_t code = hws_get32(src + PREAMBLE_LEN);
    if (code >= HWS_VERDICT_N)
        return HWS_EPROTO;
    *v = (enum hws_verdict)code;
    return HWS_OK;
}
