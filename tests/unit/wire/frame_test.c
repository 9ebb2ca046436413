/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame_test: golden bytes of every type of frame, as docs/wire.md section 3 has them. A test that fails here after a
 * change means that the format has changed: raise HWS_WIRE_VERSION.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/list.h"
#include "wire/wire.h"

#define U64(n) 0x80u + (n), 0x90u + (n), 0xa0u + (n), 0xb0u + (n), 0xc0u + (n), 0xd0u + (n), 0xe0u + (n), 0x70u + (n)
#define V64(n) (0x70e0d0c0b0a09080ull + 0x0101010101010101ull * (n))

static const struct golden {
    const char *name;
    struct hws_frame frame;
    size_t len;
    uint8_t bytes[HWS_FRAME_MAX_HDR];
} goldens[] = {
    {"EAGER",
     {.type = HWS_FRAME_EAGER,
      .len = 0x010203,
      .credit = 0x04050607,
      .ack = 0x14151617,
      .ctx = 0x08090a0b,
      .tag = 0x0c0d0e0f,
      .seq = 0x10111213},
     32,
     {1,    0,    0,    0,    3, 2, 1,    0,    7,    6,    5,    4,    0x17, 0x16,
      0x15, 0x14, 0x0b, 0x0a, 9, 8, 0x0f, 0x0e, 0x0d, 0x0c, 0x13, 0x12, 0x11, 0x10}},
    {"SYNC",
     {.type = HWS_FRAME_SYNC, .len = 1, .ctx = 2, .tag = 3, .seq = 4, .send_handle = V64(1)},
     48,
     {2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, U64(1)}},
    {"RTS",
     {.type = HWS_FRAME_RTS, .len = 1, .ctx = 2, .tag = 3, .seq = 4, .send_handle = V64(1), .msg_len = V64(2)},
     48,
     {3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, U64(1), U64(2)}},
    {"CTS",
     {.type = HWS_FRAME_CTS, .credit = 9, .send_handle = V64(1), .recv_handle = V64(2), .msg_len = V64(3)},
     48,
     {4, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, U64(1), U64(2), U64(3)}},
    {"CTS",
     {.type = HWS_FRAME_CTS, .flags = HWS_FRAME_LATE, .send_handle = V64(1), .recv_handle = V64(2), .msg_len = V64(3)},
     48,
     {4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, U64(1), U64(2), U64(3)}},
    {"BULK",
     {.type = HWS_FRAME_BULK, .len = 0x40000000, .recv_handle = V64(1), .offset = V64(2)},
     32,
     {5, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, U64(1), U64(2)}},
    {"ACK",
     {.type = HWS_FRAME_ACK, .send_handle = V64(1)},
     32,
     {6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, U64(1)}},
    {"CREDIT",
     {.type = HWS_FRAME_CREDIT, .credit = UINT32_MAX, .ack = 1},
     16,
     {7, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 1}},
    {"BYE", {.type = HWS_FRAME_BYE}, 16, {8}},
    {"DOWN",
     {.type = HWS_FRAME_DOWN, .conn_id = V64(1), .received = V64(2)},
     32,
     {9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, U64(1), U64(2)}},
    {"CANCEL",
     {.type = HWS_FRAME_CANCEL, .ctx = 2, .tag = 3, .seq = 4, .send_handle = V64(1)},
     48,
     {10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, U64(1)}},
    {"CANCELLED",
     {.type = HWS_FRAME_CANCELLED, .send_handle = V64(1), .result = 2},
     32,
     {11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, U64(1), 2}},
    {"RTS",
     {.type = HWS_FRAME_RTS,
      .flags = HWS_FRAME_FREE | HWS_FRAME_ANSWERS,
      .ctx = 2,
      .tag = 3,
      .seq = 4,
      .send_handle = V64(1),
      .msg_len = V64(2)},
     48,
     {3, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, U64(1), U64(2)}},
    {"RTS",
     {.type = HWS_FRAME_RTS,
      .flags = HWS_FRAME_FREE | HWS_FRAME_OFFER,
      .ctx = 2,
      .tag = 3,
      .seq = 4,
      .send_handle = V64(1),
      .msg_len = V64(2)},
     48,
     {3, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, U64(1), U64(2)}},
    {"DECLINE",
     {.type = HWS_FRAME_DECLINE, .send_handle = V64(1), .result = 1},
     32,
     {13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, U64(1), 1}},
    {"LEFT", {.type = HWS_FRAME_LEFT, .len = 8, .credit = 9, .ack = 10}, 16, {14, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 10}},
    {"WANT",
     {.type = HWS_FRAME_WANT, .ctx = 2, .tag = HWS_WIRE_ANY_TAG, .seq = 4},
     32,
     {12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255, 4}},
};

Test(frame, encodes_the_golden_bytes)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(goldens); i++) {
        const struct golden *g = &goldens[i];
        uint8_t bytes[HWS_FRAME_MAX_HDR + 8];
        memset(bytes, 0xee, sizeof bytes);
        cr_assert_eq(hws_frame_encode(bytes, &g->frame), g->len, "%s", g->name);
        cr_assert_eq(memcmp(bytes, g->bytes, g->len), 0, "%s", g->name);
        cr_assert_eq(bytes[g->len], 0xee, "%s writes too much", g->name);
        cr_assert_eq(hws_frame_header_len(g->frame.type), g->len);
        cr_assert_eq(g->len % HWS_HEADER_GRAIN, 0, "%s moves the payload behind it", g->name);
        cr_assert_str_eq(hws_frame_name(g->frame.type), g->name);
    }
}

Test(frame, decodes_the_golden_bytes)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(goldens); i++) {
        const struct golden *g = &goldens[i];
        struct hws_frame f;
        memset(&f, 0, sizeof f);
        cr_assert_eq(hws_frame_decode(g->bytes, g->len, &f), (int)g->len, "%s", g->name);
        cr_assert_eq(memcmp(&f, &g->frame, sizeof f), 0, "%s", g->name);
        for (size_t len = 0; len < g->len; len++)
            cr_assert_eq(hws_frame_decode(g->bytes, len, &f), 0, "%s cut to %zu", g->name, len);
    }
}

Test(frame, the_short_way_of_eager_frames_agrees)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(goldens); i++) {
        const struct golden *g = &goldens[i];
        uint8_t bytes[HWS_EAGER_HDR];
        struct hws_frame f;
        memset(&f, 0, sizeof f);
        bool eager = g->frame.type == HWS_FRAME_EAGER;
        cr_assert_eq(hws_frame_decode_eager(g->bytes, g->len, &f), eager, "%s", g->name);
        for (size_t len = 0; len < g->len; len++)
            cr_assert_not(hws_frame_decode_eager(g->bytes, len, &f), "%s cut to %zu", g->name, len);
        if (!eager)
            continue;
        cr_assert_eq(memcmp(&f, &g->frame, sizeof f), 0);
        hws_frame_encode_eager(bytes, &g->frame);
        cr_assert_eq(memcmp(bytes, g->bytes, sizeof bytes), 0);
    }
}

Test(frame, the_short_way_leaves_illegal_frames_to_the_other)
{
    uint8_t good[HWS_EAGER_HDR];
    struct hws_frame f;
    memcpy(good, goldens[0].bytes, sizeof good);
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {
        {1, 2}, {2, 1}, {3, 1}, {7, 0x41}, {23, 0x80}}; /* flags, reserved, a length above 2^30, a negative tag */
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++) {
        uint8_t bad[HWS_EAGER_HDR];
        memcpy(bad, good, sizeof bad);
        bad[wrong[i].at] = wrong[i].value;
        cr_assert_not(hws_frame_decode_eager(bad, sizeof bad, &f), "byte %zu", wrong[i].at);
        cr_assert_eq(hws_frame_decode(bad, sizeof bad, &f), HWS_EPROTO, "byte %zu", wrong[i].at);
    }
}

Test(frame, all_types_are_covered)
{
    cr_assert_eq(HWS_ARRAY_LEN(goldens), HWS_FRAME_TYPES - 1 + 3, "RTS and CTS are there with flags, too");
    cr_assert_eq(hws_frame_header_len(0), 0);
    cr_assert_eq(hws_frame_header_len(HWS_FRAME_TYPES), 0);
    cr_assert_str_eq(hws_frame_name(200), "unknown");
}

static int decode(const struct hws_frame *f)
{
    uint8_t bytes[HWS_FRAME_MAX_HDR];
    struct hws_frame out;
    return hws_frame_decode(bytes, hws_frame_encode(bytes, f), &out);
}

/* The types in the order of their numbers. */
Test(frame, each_type_is_what_the_table_says)
{
    static const struct {
        const char *set;
        enum hws_frame_class class;
    } columns[] = {{"EAGER SYNC RTS BULK LEFT ", HWS_FRAMES_PAYLOAD},
                   {"EAGER SYNC RTS ", HWS_FRAMES_FIRST},
                   {"EAGER SYNC ", HWS_FRAMES_WHOLE},
                   {"EAGER SYNC RTS CTS BULK ACK CANCEL ", HWS_FRAMES_PART},
                   {"LEFT ", HWS_FRAMES_ROOM}};
    for (size_t i = 0; i < HWS_ARRAY_LEN(columns); i++) {
        char found[128] = "";
        for (uint8_t type = 1; type < HWS_FRAME_TYPES; type++)
            if (hws_frame_is(type, columns[i].class))
                strcat(strcat(found, hws_frame_name(type)), " ");
        cr_expect_str_eq(found, columns[i].set);
    }
}

Test(frame, values_out_of_range_are_refused)
{
    cr_assert_gt(decode(&(struct hws_frame){.type = HWS_FRAME_LEFT, .len = HWS_ROOM_PAYLOAD}), 0);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_LEFT, .len = HWS_ROOM_PAYLOAD + 1}), HWS_EPROTO);
    cr_assert_gt(decode(&(struct hws_frame){.type = HWS_FRAME_EAGER, .len = HWS_FRAME_MAX_LEN, .tag = INT32_MAX}), 0);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_EAGER, .len = HWS_FRAME_MAX_LEN + 1}), HWS_EPROTO);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_EAGER, .tag = -1}), HWS_EPROTO);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_SYNC, .tag = INT32_MIN}), HWS_EPROTO);
    cr_assert_gt(decode(&(struct hws_frame){.type = HWS_FRAME_RTS, .len = 5, .msg_len = 5}), 0);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_RTS, .len = 6, .msg_len = 5}), HWS_EPROTO);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_CTS, .len = 1}), HWS_EPROTO);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_ACK, .len = 1}), HWS_EPROTO);
    cr_assert_gt(decode(&(struct hws_frame){.type = HWS_FRAME_BULK, .len = 5, .offset = UINT64_MAX - 5}), 0);
    cr_assert_eq(decode(&(struct hws_frame){.type = HWS_FRAME_BULK, .len = 5, .offset = UINT64_MAX - 4}), HWS_EPROTO);
}

Test(frame, an_impossible_length_is_refused_as_soon_as_it_is_read)
{
    uint8_t prefix[HWS_FRAME_PREFIX] = {HWS_FRAME_BULK, 0, 0, 0, 1, 0, 0, 0x40};
    struct hws_frame f;
    cr_assert_eq(hws_frame_decode(prefix, sizeof prefix, &f), HWS_EPROTO);
}

/* The sums cover every byte: one flipped bit anywhere in the header, or in the sums, is seen. */
Test(frame, a_damaged_header_is_seen)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(goldens); i++) {
        struct hws_frame f = goldens[i].frame, out = {0};
        uint8_t bytes[HWS_FRAME_MAX_HDR];
        f.flags = HWS_FRAME_CRC;
        f.payload_crc = 0x01020304;
        size_t len = hws_frame_encode(bytes, &f);
        cr_assert_eq(len, HWS_FRAME_MAX_HDR, "the length depends on no byte that could be damaged");
        cr_assert_eq(hws_frame_decode(bytes, len, &out), (int)len);
        cr_assert_eq(memcmp(&f, &out, sizeof f), 0);
        cr_assert_eq(hws_frame_check(bytes, len), 1);
        for (size_t bit = 0; bit < 8 * len; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            cr_assert_eq(hws_frame_check(bytes, len), HWS_ECORRUPT, "bit %zu of %s", bit, goldens[i].name);
            if (bit >= 32)
                cr_assert_eq(hws_frame_decode(bytes, len, &out), HWS_ECORRUPT, "bit %zu of %s", bit, goldens[i].name);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        cr_assert_eq(hws_frame_check(bytes, len - 1), 0);
        cr_assert_eq(hws_frame_decode(bytes, len - 1, &out), 0);
    }
}
