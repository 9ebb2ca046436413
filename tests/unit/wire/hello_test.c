/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hello_test: golden bytes of the four messages of the hello, as docs/wire.md section 2 has them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "wire/wire.h"

#define PREAMBLE(kind, order) 'H', 'A', 'W', 'S', 'E', 'R', '\r', '\n', 7, 0, kind, order

static const uint8_t golden_hello[HWS_HELLO_LEN] = {
    PREAMBLE(1, 1), 2,    1,    3,    0,    8,    7,    6,    5,    4,    3,    2,    1,    0x0c, 0x0b,
    0x0a,           9,    0x10, 0x0f, 0x0e, 0x0d, 0x14, 0x13, 0x12, 0x11, 0,    0,    0,    0,    0x48,
    0x47,           0x46, 0x45, 0x44, 0x43, 0x42, 0x41, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27,
    0x28,           0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36,
    0x37,           0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f,
};

static struct hws_hello hello(void)
{
    struct hws_hello h;
    memset(&h, 0, sizeof h);
    h.kind = HWS_HELLO;
    h.big_endian = true;
    h.lane = 0x0102;
    h.keeps = true;
    h.crc = true;
    h.from_job = 0x0102030405060708;
    h.to_job = 0x4142434445464748;
    h.from = 0x090a0b0c;
    h.to = 0x0d0e0f10;
    h.credit = 0x11121314;
    for (int i = 0; i < HWS_NONCE_LEN; i++)
        h.nonce[i] = (uint8_t)(0x20 + i);
    return h;
}

Test(hello, the_golden_hello)
{
    struct hws_hello h = hello(), back;
    uint8_t bytes[HWS_HELLO_LEN];
    memset(&back, 0, sizeof back);
    hws_hello_encode(bytes, &h);
    cr_assert_eq(memcmp(bytes, golden_hello, sizeof bytes), 0);
    cr_assert_eq(hws_hello_decode(golden_hello, sizeof golden_hello, HWS_HELLO, &back), HWS_OK);
    cr_assert_eq(memcmp(&h, &back, sizeof h), 0);
}

Test(hello, the_golden_challenge_is_a_hello_of_another_kind_with_a_mac)
{
    uint8_t bytes[HWS_CHALLENGE_LEN] = {0};
    struct hws_hello h;
    memcpy(bytes, golden_hello, sizeof golden_hello);
    bytes[10] = 2;
    cr_assert_eq(hws_hello_decode(bytes, sizeof bytes, HWS_CHALLENGE, &h), HWS_OK);
    cr_assert_eq(h.kind, HWS_CHALLENGE);
    cr_assert_eq(hws_hello_decode(bytes, HWS_HELLO_LEN, HWS_CHALLENGE, &h), HWS_EPROTO, "without its MAC");
    cr_assert_eq(hws_hello_decode(bytes, HWS_HELLO_LEN, HWS_HELLO, &h), HWS_EPROTO, "as a hello");
}

Test(hello, the_golden_proof)
{
    uint8_t want[HWS_PROOF_LEN] = {PREAMBLE(3, 0)}, mac[HWS_MAC_LEN], bytes[HWS_PROOF_LEN], back[HWS_MAC_LEN];
    for (int i = 0; i < HWS_MAC_LEN; i++)
        mac[i] = want[12 + i] = (uint8_t)(i + 1);
    hws_proof_encode(bytes, mac);
    cr_assert_eq(memcmp(bytes, want, sizeof want), 0);
    cr_assert_eq(hws_proof_decode(bytes, sizeof bytes, back), HWS_OK);
    cr_assert_eq(memcmp(mac, back, sizeof mac), 0);
    cr_assert_eq(hws_proof_decode(bytes, sizeof bytes - 1, back), HWS_EPROTO);
}

Test(hello, the_golden_verdicts)
{
    for (int v = 0; v < HWS_VERDICT_N; v++) {
        uint8_t want[HWS_VERDICT_LEN] = {PREAMBLE(4, 0), (uint8_t)v}, bytes[HWS_VERDICT_LEN];
        enum hws_verdict back = HWS_VERDICT_N;
        hws_verdict_encode(bytes, (enum hws_verdict)v);
        cr_assert_eq(memcmp(bytes, want, sizeof want), 0);
        cr_assert_eq(hws_verdict_decode(bytes, sizeof bytes, &back), HWS_OK);
        cr_assert_eq((int)back, v);
    }
    uint8_t unknown[HWS_VERDICT_LEN] = {PREAMBLE(4, 0), HWS_VERDICT_N};
    enum hws_verdict v;
    cr_assert_eq(hws_verdict_decode(unknown, sizeof unknown, &v), HWS_EPROTO);
    unknown[12] = 0;
    unknown[15] = 1;
    cr_assert_eq(hws_verdict_decode(unknown, sizeof unknown, &v), HWS_EPROTO);
}

Test(hello, each_byte_of_the_preamble_counts)
{
    struct hws_hello h;
    for (int i = 0; i < 12; i++) {
        uint8_t bytes[HWS_HELLO_LEN];
        memcpy(bytes, golden_hello, sizeof bytes);
        bytes[i] ^= 2; /* the byte order at 11 becomes 3 */
        cr_assert_eq(hws_hello_decode(bytes, sizeof bytes, HWS_HELLO, &h), HWS_EPROTO, "byte %d", i);
    }
}

Test(hello, a_length_that_is_not_exact_is_refused)
{
    uint8_t bytes[HWS_HELLO_LEN + 1] = {0};
    struct hws_hello h;
    memcpy(bytes, golden_hello, HWS_HELLO_LEN);
    for (size_t len = 0; len <= sizeof bytes; len++)
        cr_assert_eq(hws_hello_decode(bytes, len, HWS_HELLO, &h) == HWS_OK, len == HWS_HELLO_LEN);
}
