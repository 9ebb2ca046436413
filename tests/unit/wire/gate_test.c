/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gate_test: golden bytes of the preface and of the frames between gateways, as docs/wire.md has them.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <string.h>

#include "wire/gate.h"

static const uint8_t key[HWS_PREFACE_KEY] = {1, 2, 3};

/* From 10.1.0.2:4660 to 10.2.0.3:22136; the MAC is behind it. */
static const uint8_t golden[] = {
    0x0d, 0x0a, 0x0d, 0x0a, 0,    0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a, 0x21, 0x11, 0,    77,
    10,   1,    0,    2,    10,   2,    0,    3,    0x12, 0x34, 0x56, 0x78, 0xe0, 0,    16,   0x20,
    0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0xe1,
    0,    8,    8,    7,    6,    5,    4,    3,    2,    1,    0xe2, 0,    32,
};
enum { GOLDEN_BYTES = sizeof golden + HWS_PREFACE_MAC };

static struct hws_preface preface(void)
{
    struct hws_preface p = {
        {AF_INET, htons(0x1234), {10, 1, 0, 2}}, {AF_INET, htons(0x5678), {10, 2, 0, 3}}, 0x0102030405060708, {0}, ""};
    for (int i = 0; i < HWS_PREFACE_NONCE; i++)
        p.nonce[i] = (uint8_t)(0x20 + i);
    return p;
}

static bool same(const struct hws_preface *a, const struct hws_preface *b)
{
    return memcmp(&a->from, &b->from, sizeof a->from) == 0 && memcmp(&a->to, &b->to, sizeof a->to) == 0 &&
           a->time_s == b->time_s && memcmp(a->nonce, b->nonce, sizeof a->nonce) == 0 && strcmp(a->site, b->site) == 0;
}

Test(gate, the_golden_preface)
{
    struct hws_preface p = preface(), back;
    uint8_t bytes[HWS_PREFACE_MAX];
    cr_assert_eq(hws_preface_encode(bytes, &p, key), GOLDEN_BYTES);
    cr_assert_eq(memcmp(bytes, golden, sizeof golden), 0);
    cr_assert_eq(hws_preface_length(bytes), GOLDEN_BYTES);
    cr_assert_eq(hws_preface_decode(bytes, GOLDEN_BYTES, key, &back), HWS_OK);
    cr_assert(same(&p, &back));
}

Test(gate, a_preface_of_ipv6)
{
    struct hws_preface p = preface(), back;
    uint8_t bytes[HWS_PREFACE_MAX];
    p.from.family = p.to.family = AF_INET6;
    memset(p.to.ip, 0xfd, sizeof p.to.ip);
    size_t len = hws_preface_encode(bytes, &p, key);
    cr_assert(len <= HWS_PREFACE_MAX && hws_preface_length(bytes) == len);
    cr_assert_eq(hws_preface_decode(bytes, len, key, &back), HWS_OK);
    cr_assert(same(&p, &back));
}

Test(gate, a_preface_that_names_the_site)
{
    for (int family = 0; family < 2; family++) {
        struct hws_preface p = preface(), back;
        uint8_t bytes[HWS_PREFACE_MAX];
        p.from.family = p.to.family = family ? AF_INET6 : AF_INET;
        strcpy(p.site, "lyon");
        size_t len = hws_preface_encode(bytes, &p, key), at = len - HWS_PREFACE_MAC - 3 - HWS_GATE_NAME;
        cr_assert(len <= HWS_PREFACE_MAX && hws_preface_length(bytes) == len);
        cr_assert_eq(hws_preface_decode(bytes, len, key, &back), HWS_OK);
        cr_assert(same(&p, &back));
        cr_assert_str_eq((const char *)bytes + at, "lyon");
        bytes[at] ^= 1;
        cr_assert_eq(hws_preface_decode(bytes, len, key, &back), HWS_EAUTH);
    }
}

Test(gate, no_other_preface_is_taken)
{
    struct hws_preface p = preface(), back;
    uint8_t bytes[HWS_PREFACE_MAX], other[HWS_PREFACE_KEY] = {1, 2, 4};
    size_t len = hws_preface_encode(bytes, &p, key);
    cr_assert_eq(hws_preface_decode(bytes, len, other, &back), HWS_EAUTH);
    cr_assert_eq(hws_preface_decode(bytes, len - 1, key, &back), HWS_EPROTO);
    cr_assert_eq(hws_preface_decode(bytes, 3, key, &back), HWS_EPROTO);
    for (size_t at = 0; at < len; at++) {
        bytes[at] ^= 0x40;
        cr_assert_eq(hws_preface_decode(bytes, len, key, &back), at < HWS_PREFACE_HEAD ? HWS_EPROTO : HWS_EAUTH,
                     "offset %zu", at);
        bytes[at] ^= 0x40;
    }
}

Test(gate, the_golden_frame)
{
    static const uint8_t want[HWS_GATE_HEADER] = {3,    0,    0x34, 0x12, 8,    7,    6,    5,
                                                  0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11};
    struct hws_gate_frame f = {HWS_GATE_DATA, 0x05060708, 0x1112131415161718, 0x1234}, back;
    uint8_t bytes[HWS_GATE_HEADER];
    hws_gate_header_encode(bytes, &f);
    cr_assert_eq(memcmp(bytes, want, sizeof want), 0);
    cr_assert_eq(hws_gate_header_decode(bytes, &back), HWS_OK);
    cr_assert(back.kind == f.kind && back.flow == f.flow && back.offset == f.offset && back.len == f.len);
}

/* The lengths that each kind may have: the least and the most. */
static const uint32_t lengths[HWS_GATE_KINDS][2] = {
    [HWS_GATE_HELLO] = {76, 76}, [HWS_GATE_OPEN] = {40, 40},  [HWS_GATE_DATA] = {1, 16368}, [HWS_GATE_FIN] = {0, 0},
    [HWS_GATE_ACK] = {12, 12},   [HWS_GATE_RESET] = {1, 1},   [HWS_GATE_GONE] = {0, 0},     [HWS_GATE_ASK] = {0, 0},
    [HWS_GATE_LESS] = {4, 4},    [HWS_GATE_PAD] = {0, 16368},
};

Test(gate, frames_of_other_kinds_or_lengths_are_refused)
{
    struct hws_gate_frame f;
    for (uint32_t kind = 0; kind < 256; kind++) {
        for (uint32_t len = 0; len < 17000; len++) {
            uint8_t bytes[HWS_GATE_HEADER] = {(uint8_t)kind, 0, (uint8_t)len, (uint8_t)(len >> 8)};
            bool is_right = kind && kind < HWS_GATE_KINDS && len >= lengths[kind][0] && len <= lengths[kind][1];
            cr_assert_eq(hws_gate_header_decode(bytes, &f), is_right ? HWS_OK : HWS_EPROTO, "kind %u, length %u", kind,
                         len);
            bytes[1] = 1;
            cr_assert_eq(hws_gate_header_decode(bytes, &f), HWS_EPROTO);
        }
    }
}

Test(gate, payloads)
{
    struct hws_gate_hello h = {"paris", "gw1", 0x0102030405060708}, h2;
    struct hws_gate_open o = {{AF_INET, htons(0x1234), {10, 1, 0, 2}}, {AF_INET, htons(0x5678), {10, 2, 0, 3}}}, o2;
    struct hws_gate_ack a = {0x0102030405060708, 9}, a2;
    uint8_t hello[HWS_GATE_HELLO_BYTES], open[HWS_GATE_OPEN_BYTES], ack[HWS_GATE_ACK_BYTES];
    hws_gate_hello_encode(hello, &h);
    cr_assert(hello[0] == 2 && hello[4] == 'p' && hello[36] == 'g' && hello[68] == 8);
    cr_assert(hws_gate_hello_decode(hello, &h2) == HWS_OK && strcmp(h2.gateway, "gw1") == 0 &&
              h2.incarnation == h.incarnation);
    hello[35] = 'x';
    cr_assert_eq(hws_gate_hello_decode(hello, &h2), HWS_EPROTO, "a name without its end");
    hello[35] = 0, hello[0] = 1;
    cr_assert_eq(hws_gate_hello_decode(hello, &h2), HWS_EPROTO, "another version");
    hws_gate_open_encode(open, &o);
    cr_assert(open[0] == 4 && open[2] == 0x12 && open[4] == 0x56 && open[8] == 10 && open[24] == 10 && open[25] == 2);
    cr_assert(hws_gate_open_decode(open, &o2) == HWS_OK && memcmp(&o, &o2, sizeof o) == 0);
    open[0] = 5;
    cr_assert_eq(hws_gate_open_decode(open, &o2), HWS_EPROTO);
    hws_gate_ack_encode(ack, &a);
    a2 = hws_gate_ack_decode(ack);
    cr_assert(ack[0] == 8 && ack[8] == 9 && a2.edge == a.edge && a2.epoch == a.epoch);
}

Test(gate, the_counts_of_two_gateways_are_added_up)
{
    struct hws_gate_counts sum = {.bytes_out = 1, .rtt_us = 5, .least_rtt_us = 0}, back;
    struct hws_gate_counts more = {
        .bytes_out = 2, .bytes_in = 3, .again = 4, .restarts = 5, .rtt_us = 4, .least_rtt_us = 2};
    uint8_t text[HWS_GATE_COUNTS_BYTES];
    hws_gate_counts_encode(text, &more);
    hws_gate_counts_decode(&back, text);
    hws_gate_counts_add(&sum, &back);
    cr_assert_eq(sum.bytes_out, 3);
    cr_assert_eq(sum.bytes_in, 3);
    cr_assert_eq(sum.again, 4);
    cr_assert_eq(sum.restarts, 5);
    cr_assert_eq(sum.rtt_us, 5);
    cr_assert_eq(sum.least_rtt_us, 2);
    hws_gate_counts_add(&sum, &(struct hws_gate_counts){.least_rtt_us = 1});
    cr_assert_eq(sum.least_rtt_us, 1);
    hws_gate_counts_add(&sum, &(struct hws_gate_counts){.least_rtt_us = 7});
    cr_assert_eq(sum.least_rtt_us, 1);
}
