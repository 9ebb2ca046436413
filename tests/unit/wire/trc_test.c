/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_test: golden bytes of tcp-trc's preamble and words, as docs/wire.md section 5 has them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "wire/trc.h"

static const uint8_t golden[HWS_TRC_PREAMBLE] = {
    'H',  'W',  'S',  'T',  'R',  'C',  '1',  '\n', 2,    0,    0,    0,    4,    3,
    2,    1,    0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0x20, 0x21, 0x22, 0x23,
    0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f,
};

Test(trc, the_golden_preamble)
{
    struct hws_trc_preamble p = {HWS_TRC_STREAM, 0x01020304, 0x1112131415161718, {0}}, back;
    uint8_t bytes[HWS_TRC_PREAMBLE];
    for (int i = 0; i < HWS_TRC_TOKEN; i++)
        p.token[i] = (uint8_t)(0x20 + i);
    hws_trc_preamble_encode(bytes, &p);
    cr_assert_eq(memcmp(bytes, golden, sizeof bytes), 0);
    cr_assert_eq(hws_trc_preamble_decode(golden, sizeof golden, &back), HWS_OK);
    cr_assert(back.kind == p.kind && back.id == p.id && back.flow == p.flow);
    cr_assert_eq(memcmp(back.token, p.token, sizeof p.token), 0);
}

Test(trc, no_other_preamble_is_taken)
{
    struct hws_trc_preamble p;
    uint8_t bytes[HWS_TRC_PREAMBLE];
    cr_assert_eq(hws_trc_preamble_decode(golden, sizeof golden - 1, &p), HWS_EPROTO);
    for (size_t at = 0; at < 12; at++) {
        memcpy(bytes, golden, sizeof bytes);
        bytes[at] ^= 0x40;
        cr_assert_eq(hws_trc_preamble_decode(bytes, sizeof bytes, &p), HWS_EPROTO, "offset %zu", at);
    }
    memcpy(bytes, golden, sizeof bytes);
    bytes[8] = 1;
    cr_assert(hws_trc_preamble_decode(bytes, sizeof bytes, &p) == HWS_OK && p.kind == HWS_TRC_MAIN);
    bytes[8] = 0;
    cr_assert_eq(hws_trc_preamble_decode(bytes, sizeof bytes, &p), HWS_EPROTO);
}

static int decode(uint32_t kind, uint32_t len, bool is_main)
{
    struct hws_trc_word w = {HWS_TRC_KINDS, 0};
    uint8_t bytes[HWS_TRC_WORD];
    hws_trc_word_encode(bytes, (enum hws_trc_kind)kind, len);
    int rc = hws_trc_word_decode(bytes, sizeof bytes, is_main, &w);
    cr_assert(rc == HWS_EPROTO || (rc == HWS_OK && w.kind == (enum hws_trc_kind)kind && w.len == len));
    return rc;
}

Test(trc, the_golden_word)
{
    static const uint8_t want[HWS_TRC_WORD] = {0x56, 0x34, 0, 0x20};
    struct hws_trc_word w;
    uint8_t bytes[HWS_TRC_WORD];
    hws_trc_word_encode(bytes, HWS_TRC_WHOLE, 0x3456);
    cr_assert_eq(memcmp(bytes, want, sizeof want), 0);
    cr_assert_eq(hws_trc_word_decode(want, sizeof want, false, &w), HWS_OK);
    cr_assert(w.kind == HWS_TRC_WHOLE && w.len == 0x3456);
    cr_assert_eq(hws_trc_word_decode(want, sizeof want - 1, false, &w), HWS_EAGAIN);
}

/* Every kind on either connection, at each end of what it may be long. */
Test(trc, a_word_is_legal_on_its_connection_and_of_its_length_only)
{
    static const struct {
        bool main, stream;
        uint32_t min, max;
    } legal[16] = {
        [1] = {true, false, 1, 65792}, /* BYTES */
        [2] = {true, true, 1, 65792},  /* WHOLE */
        [3] = {false, true, 0, 16},    /* FIN */
        [4] = {true, false, 16, 16},   /* TOKEN_IS */
        [5] = {true, false, 8, 8},     [6] = {true, false, 8, 8}, [7] = {true, false, 8, 8},
        [8] = {true, false, 8, 8},     [9] = {true, false, 8, 8}, [10] = {true, false, 8, 8},
    };
    for (uint32_t kind = 0; kind < 16; kind++)
        for (int is_main = 0; is_main < 2; is_main++)
            for (uint32_t len = 0; len < 1u << 28; len += len < 70000 ? 1 : 999983) {
                bool ok = (is_main ? legal[kind].main : legal[kind].stream) && len >= legal[kind].min &&
                          len <= legal[kind].max;
                cr_assert_eq(decode(kind, len, is_main), ok ? HWS_OK : HWS_EPROTO, "kind %u, %u bytes", kind, len);
            }
}

Test(trc, the_golden_value)
{
    static const uint8_t want[HWS_TRC_VALUE] = {8, 7, 6, 5, 4, 3, 2, 1};
    uint8_t bytes[HWS_TRC_VALUE];
    hws_trc_value_encode(bytes, 0x0102030405060708);
    cr_assert_eq(memcmp(bytes, want, sizeof want), 0);
    cr_assert_eq(hws_trc_value_decode(want), 0x0102030405060708);
}
