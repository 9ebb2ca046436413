/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast_test: the packets of the multicast, byte by byte.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "wire/cast.h"

Test(cast, the_golden_data)
{
    static const uint8_t want[HWS_CAST_DATA] = {
        'H',  'C',  1,    3,    8,    7,    6,    5,    4,    3,    2,    1,    0x12, 0x11, 0x14, 0x13, 0x28, 0x27,
        0x26, 0x25, 0x24, 0x23, 0x22, 0x21, 0x34, 0x33, 0x32, 0x31, 0x48, 0x47, 0x46, 0x45, 0x44, 0x43, 0x42, 0x41,
        0x05, 0,    0,    0,    0,    0,    0,    0,    0x02, 0,    0,    0,    0,    0,    0,    0};
    struct hws_cast_packet p = {.kind = HWS_CAST_IS_DATA,
                                .flags = HWS_CAST_ASKS | HWS_CAST_DIRECT,
                                .group = 0x0102030405060708,
                                .from = 0x1112,
                                .of = 0x1314,
                                .seq = 0x2122232425262728,
                                .turn = 0x31323334,
                                .tag = 0x4142434445464748,
                                .msg_len = 5,
                                .offset = 2},
                           q;
    uint8_t bytes[HWS_CAST_PACKET];
    cr_assert_eq(hws_cast_encode(bytes, &p), sizeof want);
    cr_assert_eq(memcmp(bytes, want, sizeof want), 0);
    memcpy(bytes + sizeof want, "xyz", 3);
    cr_assert_eq(hws_cast_decode(bytes, sizeof want + 3, &q), HWS_OK);
    cr_assert(q.kind == p.kind && q.flags == p.flags && q.group == p.group && q.from == p.from && q.of == p.of);
    cr_assert(q.seq == p.seq && q.turn == p.turn && q.tag == p.tag && q.msg_len == 5 && q.offset == 2 && q.len == 3);
    cr_assert_eq(memcmp(q.payload, "xyz", 3), 0);
    cr_assert_eq(hws_cast_decode(bytes, sizeof want + 4, &q), HWS_EPROTO, "behind the message's end");
    cr_assert_eq(hws_cast_decode(bytes, sizeof want, &q), HWS_EPROTO, "nothing of a message that has something");
    cr_assert_eq(hws_cast_decode(bytes, sizeof want - 1, &q), HWS_EPROTO);
}

Test(cast, the_golden_report)
{
    static const uint8_t want[HWS_CAST_REPORT + 16] = {'H', 'C', 3, 0, 9, 0, 0, 0, 0, 0,  0, 0, 2, 0, 1, 0, 50, 0, 0,
                                                       0,   0,   0, 0, 0, 7, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0,  2, 0,
                                                       2,   0,   0, 0, 0, 0, 3, 0, 0, 0,  5, 0, 0, 0, 1, 0, 0,  0};
    struct hws_cast_packet p = {.kind = HWS_CAST_IS_REPORT,
                                .group = 9,
                                .from = 2,
                                .of = 1,
                                .seq = 50,
                                .turn = 7,
                                .limit = 99,
                                .who = 2,
                                .n_ranges = 2,
                                .ranges = {{0, 3}, {5, 1}}},
                           q;
    uint8_t bytes[HWS_CAST_PACKET];
    cr_assert_eq(hws_cast_encode(bytes, &p), sizeof want);
    cr_assert_eq(memcmp(bytes, want, sizeof want), 0);
    cr_assert_eq(hws_cast_decode(bytes, sizeof want, &q), HWS_OK);
    cr_assert(q.limit == 99 && q.who == 2 && q.n_ranges == 2);
    cr_assert(q.ranges[0].at == 0 && q.ranges[0].n == 3 && q.ranges[1].at == 5 && q.ranges[1].n == 1);
    for (size_t len = 0; len < sizeof want; len++)
        cr_assert_eq(hws_cast_decode(bytes, len, &q), HWS_EPROTO, "%zu bytes", len);
    bytes[HWS_CAST_REPORT + 8] = 3; /* touches the range before */
    cr_assert_eq(hws_cast_decode(bytes, sizeof want, &q), HWS_EPROTO);
    bytes[HWS_CAST_REPORT + 8] = 5;
    bytes[28] = 49; /* a limit below what is here */
    cr_assert_eq(hws_cast_decode(bytes, sizeof want, &q), HWS_EPROTO);
}

Test(cast, every_kind_with_every_flag)
{
    static const unsigned legal[6] = {[1] = 3, [2] = 2, [3] = 0, [4] = 0}; /* DATA, POLL, REPORT, HELLO */
    uint8_t bytes[HWS_CAST_PACKET] = {'H', 'C'};
    for (unsigned kind = 0; kind < 256; kind++)
        for (unsigned flags = 0; flags < 256; flags++) {
            struct hws_cast_packet p;
            bytes[2] = (uint8_t)kind;
            bytes[3] = (uint8_t)flags;
            size_t len = kind == 1 ? HWS_CAST_DATA : kind == 3 ? HWS_CAST_REPORT : HWS_CAST_COMMON;
            bool ok = kind >= 1 && kind <= 4 && (flags & ~legal[kind]) == 0;
            cr_assert_eq(hws_cast_decode(bytes, len, &p), ok ? HWS_OK : HWS_EPROTO, "kind %u, flags %u", kind, flags);
        }
    bytes[0] = 'h';
    bytes[2] = 4;
    bytes[3] = 0;
    struct hws_cast_packet p;
    cr_assert_eq(hws_cast_decode(bytes, HWS_CAST_COMMON, &p), HWS_EPROTO);
}
