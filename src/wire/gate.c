/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gate: the preface (PROXY protocol version 2, with values of its own) and the frames between gateways.
 *
 *   preface: 0 signature[12]  12 version and command  13 family and protocol  14 length u16, network order
 *            16 from ip, to ip, from port, to port   then type u8, length u16 in network order, value:
 *            0xe0 nonce[16]  0xe1 time u64  0xe3 site[32], if said  0xe2 MAC[32] of all before it
 *   frame:   0 kind u8  1 zero u8  2 length u16  4 flow u32  8 offset u64
 *   hello:   0 version u32  4 site[32]  36 gateway[32]  68 incarnation u64
 *   ack:     0 edge u64  8 epoch u32
 *   less:    0 epoch u32
 *   reset:   0 why u8
 *   open:    0 family u16  2 from port u16  4 to port u16  6 zero u16  8 from ip[16]  24 to ip[16]
 */
#include "wire/gate.h"

#include <sodium.h>
#include <string.h>

static const uint8_t signature[12] = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};

enum { VERSION_2_PROXY = 0x21, TCP_OVER_IPV4 = 0x11, TCP_OVER_IPV6 = 0x21 };
enum { VALUE_NONCE = 0xe0, VALUE_TIME = 0xe1, VALUE_MAC = 0xe2, VALUE_SITE = 0xe3, VALUE_HEAD = 3 };
enum { IPV4_BYTES = 4, IPV6_BYTES = 16 };

#define VALUES     (3 * VALUE_HEAD + HWS_PREFACE_NONCE + 8 + HWS_PREFACE_MAC)
#define SITE_BYTES (VALUE_HEAD + HWS_GATE_NAME)

static size_t ip_bytes(bool is_ipv6)
{
    return is_ipv6 ? IPV6_BYTES : IPV4_BYTES;
}

static size_t preface_bytes(bool is_ipv6)
{
    return HWS_PREFACE_HEAD + 2 * ip_bytes(is_ipv6) + 4 + VALUES;
}

static void put_network16(uint8_t *dst, size_t v)
{
    dst[0] = (uint8_t)(v >> 8);
    dst[1] = (uint8_t)v;
}

static uint8_t *put_value(uint8_t *dst, uint8_t type, const void *value, size_t len)
{
    dst[0] = type;
    put_network16(dst + 1, len);
    if (value)
        memcpy(dst + VALUE_HEAD, value, len);
    return dst + VALUE_HEAD + len;
}

/* The value of that type and length at *src; moves on behind it. NULL: another one is there. */
static const uint8_t *take_value(const uint8_t **src, uint8_t type, size_t len)
{
    const uint8_t *p = *src;
    if (p[0] != type || (size_t)(p[1] << 8 | p[2]) != len)
        return NULL;
    *src = p + VALUE_HEAD + len;
    return p + VALUE_HEAD;
}

void hws_gate_key(const uint8_t shared[HWS_PREFACE_KEY], const char *purpose, uint8_t key[HWS_PREFACE_KEY])
{
    crypto_generichash(key, HWS_PREFACE_KEY, (const uint8_t *)purpose, strlen(purpose), shared, HWS_PREFACE_KEY);
}

static void mac_of(uint8_t mac[HWS_PREFACE_MAC], const uint8_t *src, size_t len, const uint8_t key[HWS_PREFACE_KEY])
{
    crypto_generichash(mac, HWS_PREFACE_MAC, src, len, key, HWS_PREFACE_KEY);
}

size_t hws_preface_encode(uint8_t dst[HWS_PREFACE_MAX], const struct hws_preface *p, const uint8_t key[HWS_PREFACE_KEY])
{
    bool is_ipv6 = p->to.family == AF_INET6;
    size_t n = ip_bytes(is_ipv6), len = preface_bytes(is_ipv6) + (p->site[0] ? SITE_BYTES : 0);
    uint8_t *at = dst + HWS_PREFACE_HEAD, when[8];
    memcpy(dst, signature, sizeof signature);
    dst[12] = VERSION_2_PROXY;
    dst[13] = is_ipv6 ? TCP_OVER_IPV6 : TCP_OVER_IPV4;
    put_network16(dst + 14, len - HWS_PREFACE_HEAD);
    memcpy(at, p->from.ip, n);
    memcpy(at + n, p->to.ip, n);
    memcpy(at + 2 * n, &p->from.port, 2);
    memcpy(at + 2 * n + 2, &p->to.port, 2);
    hws_put64(when, p->time_s);
    at = put_value(at + 2 * n + 4, VALUE_NONCE, p->nonce, HWS_PREFACE_NONCE);
    at = put_value(at, VALUE_TIME, when, sizeof when);
    if (p->site[0])
        at = put_value(at, VALUE_SITE, p->site, HWS_GATE_NAME);
    put_value(at, VALUE_MAC, NULL, HWS_PREFACE_MAC);
    mac_of(dst + len - HWS_PREFACE_MAC, dst, len - HWS_PREFACE_MAC, key);
    return len;
}

size_t hws_preface_length(const uint8_t head[HWS_PREFACE_HEAD])
{
    if (memcmp(head, signature, sizeof signature) != 0 || head[12] != VERSION_2_PROXY ||
        (head[13] != TCP_OVER_IPV4 && head[13] != TCP_OVER_IPV6))
        return 0;
    size_t len = HWS_PREFACE_HEAD + (size_t)(head[14] << 8 | head[15]);
    size_t least = preface_bytes(head[13] == TCP_OVER_IPV6);
    return len == least || len == least + SITE_BYTES ? len : 0;
}

static void take_addr(struct hws_gate_addr *a, bool is_ipv6, const uint8_t *ip, const uint8_t *port)
{
    memset(a, 0, sizeof *a);
    a->family = is_ipv6 ? AF_INET6 : AF_INET;
    memcpy(a->ip, ip, ip_bytes(is_ipv6));
    memcpy(&a->port, port, 2);
}

int hws_preface_decode(const uint8_t *src, size_t len, const uint8_t key[HWS_PREFACE_KEY], struct hws_preface *p)
{
    if (len < HWS_PREFACE_HEAD || hws_preface_length(src) != len)
        return HWS_EPROTO;
    uint8_t mac[HWS_PREFACE_MAC];
    mac_of(mac, src, len - HWS_PREFACE_MAC, key);
    if (sodium_memcmp(mac, src + len - HWS_PREFACE_MAC, sizeof mac) != 0)
        return HWS_EAUTH;
    bool is_ipv6 = src[13] == TCP_OVER_IPV6;
    size_t n = ip_bytes(is_ipv6);
    const uint8_t *ips = src + HWS_PREFACE_HEAD, *at = ips + 2 * n + 4;
    const uint8_t *nonce = take_value(&at, VALUE_NONCE, HWS_PREFACE_NONCE);
    const uint8_t *when = nonce ? take_value(&at, VALUE_TIME, 8) : NULL;
    bool has_site = len > preface_bytes(is_ipv6);
    const uint8_t *site = when && has_site ? take_value(&at, VALUE_SITE, HWS_GATE_NAME) : NULL;
    if (!when || (has_site && (!site || site[HWS_GATE_NAME - 1])) || !take_value(&at, VALUE_MAC, HWS_PREFACE_MAC))
        return HWS_EPROTO;
    memset(p->site, 0, sizeof p->site);
    if (site)
        memcpy(p->site, site, sizeof p->site);
    take_addr(&p->from, is_ipv6, ips, ips + 2 * n);
    take_addr(&p->to, is_ipv6, ips + n, ips + 2 * n + 2);
    memcpy(p->nonce, nonce, sizeof p->nonce);
    p->time_s = hws_get64(when);
    return HWS_OK;
}

static const struct kind {
    const char *name;
    uint32_t min, max; /* bytes behind the header */
} kinds[HWS_GATE_KINDS] = {
    [HWS_GATE_HELLO] = {"HELLO", HWS_GATE_HELLO_BYTES, HWS_GATE_HELLO_BYTES},
    [HWS_GATE_OPEN] = {"OPEN", HWS_GATE_OPEN_BYTES, HWS_GATE_OPEN_BYTES},
    [HWS_GATE_DATA] = {"DATA", 1, HWS_GATE_PAYLOAD},
    [HWS_GATE_FIN] = {"FIN", 0, 0},
    [HWS_GATE_ACK] = {"ACK", HWS_GATE_ACK_BYTES, HWS_GATE_ACK_BYTES},
    [HWS_GATE_RESET] = {"RESET", 1, 1},
    [HWS_GATE_GONE] = {"GONE", 0, 0},
    [HWS_GATE_ASK] = {"ASK", 0, 0},
    [HWS_GATE_LESS] = {"LESS", HWS_GATE_LESS_BYTES, HWS_GATE_LESS_BYTES},
    [HWS_GATE_PAD] = {"PAD", 0, HWS_GATE_PAYLOAD},
};

void hws_gate_header_encode(uint8_t dst[HWS_GATE_HEADER], const struct hws_gate_frame *f)
{
    dst[0] = (uint8_t)f->kind;
    dst[1] = 0;
    hws_put16(dst + 2, (uint16_t)f->len);
    hws_put32(dst + 4, f->flow);
    hws_put64(dst + 8, f->offset);
}

int hws_gate_header_decode(const uint8_t src[HWS_GATE_HEADER], struct hws_gate_frame *f)
{
    uint32_t kind = src[0], len = hws_get16(src + 2);
    if (kind >= HWS_GATE_KINDS || !kinds[kind].name || src[1] != 0 || len < kinds[kind].min || len > kinds[kind].max)
        return HWS_EPROTO;
    f->kind = (enum hws_gate_kind)kind;
    f->len = len;
    f->flow = hws_get32(src + 4);
    f->offset = hws_get64(src + 8);
    return HWS_OK;
}

void hws_gate_hello_encode(uint8_t dst[HWS_GATE_HELLO_BYTES], const struct hws_gate_hello *h)
{
    memset(dst, 0, HWS_GATE_HELLO_BYTES);
    hws_put32(dst, HWS_GATE_VERSION);
    memcpy(dst + 4, h->site, strnlen(h->site, HWS_GATE_NAME - 1));
    memcpy(dst + 4 + HWS_GATE_NAME, h->gateway, strnlen(h->gateway, HWS_GATE_NAME - 1));
    hws_put64(dst + 4 + 2 * HWS_GATE_NAME, h->incarnation);
}

int hws_gate_hello_decode(const uint8_t src[HWS_GATE_HELLO_BYTES], struct hws_gate_hello *h)
{
    if (hws_get32(src) != HWS_GATE_VERSION || src[4 + HWS_GATE_NAME - 1] || src[4 + 2 * HWS_GATE_NAME - 1])
        return HWS_EPROTO;
    memcpy(h->site, src + 4, HWS_GATE_NAME);
    memcpy(h->gateway, src + 4 + HWS_GATE_NAME, HWS_GATE_NAME);
    h->incarnation = hws_get64(src + 4 + 2 * HWS_GATE_NAME);
    return HWS_OK;
}

void hws_gate_open_encode(uint8_t dst[HWS_GATE_OPEN_BYTES], const struct hws_gate_open *o)
{
    hws_put16(dst, o->to.family == AF_INET6 ? IPV6_BYTES : IPV4_BYTES);
    memcpy(dst + 2, &o->from.port, 2);
    memcpy(dst + 4, &o->to.port, 2);
    hws_put16(dst + 6, 0);
    memcpy(dst + 8, o->from.ip, IPV6_BYTES);
    memcpy(dst + 24, o->to.ip, IPV6_BYTES);
}

int hws_gate_open_decode(const uint8_t src[HWS_GATE_OPEN_BYTES], struct hws_gate_open *o)
{
    uint16_t bytes = hws_get16(src);
    if ((bytes != IPV4_BYTES && bytes != IPV6_BYTES) || hws_get16(src + 6) != 0)
        return HWS_EPROTO;
    take_addr(&o->from, bytes == IPV6_BYTES, src + 8, src + 2);
    take_addr(&o->to, bytes == IPV6_BYTES, src + 24, src + 4);
    return HWS_OK;
}

const char *hws_gate_kind_name(enum hws_gate_kind kind)
{
    return kind < HWS_GATE_KINDS && kinds[kind].name ? kinds[kind].name : "?";
}

const char *hws_gate_why_text(enum hws_gate_why why)
{
    static const char *const texts[HWS_GATE_WHYS] = {
        [HWS_GATE_CLOSED] = "the other end closed it",
        [HWS_GATE_REFUSED] = "nothing listens there",
        [HWS_GATE_UNREACHABLE] = "the address cannot be reached from the other site's gateway",
        [HWS_GATE_NO_ROOM] = "the other gateway is full",
    };
    return why < HWS_GATE_WHYS && texts[why] ? texts[why] : "?";
}
