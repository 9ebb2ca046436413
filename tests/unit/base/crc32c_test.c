/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32c_test: the examples of RFC 3720, the definition of the checksum bit by bit, and that both ways and all ways to
 * cut agree.
 */
#include "base/crc32c.h"
#include "base/crc32c_priv.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "../../support/seed.h"

struct example {
    char name[32]; /* no pointer: parameters are copied to another process */
    unsigned len;
    uint32_t crc; /* RFC 3720 appendix B.4 gives it with the first byte on the wire first */
    uint8_t data[48];
};

static struct example examples[] = {
    {"nothing", 0, 0x00000000, {0}},
    {"32 zeros", 32, 0x8a9136aa, {0}},
    {"32 ones", 32, 0x62a8ab43, {[0 ... 31] = 0xff}},
    {"up", 32, 0x46dd794e, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}},
    {"down", 32, 0x113fdb5c, {31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                              15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0}},
    {"an iSCSI read command", 48, 0xd9963a56, {0x01, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0,
                                               0x14, 0,    0, 0, 0, 0, 4, 0, 0, 0, 0, 0x14, 0, 0, 0, 0x18,
                                               0x28, 0,    0, 0, 0, 0, 0, 0, 2, 0, 0, 0,    0, 0, 0, 0}},
    {"123456789", 9, 0xe3069283, "123456789"}, /* the usual check value of catalogues of checksums */
};

ParameterizedTestParameters(crc32c, examples)
{
    return cr_make_param_array(struct example, examples, sizeof examples / sizeof *examples);
}

ParameterizedTest(struct example *e, crc32c, examples)
{
    cr_assert_eq(hws_crc32c(0, e->data, e->len), e->crc, "%s: %08x", e->name, hws_crc32c(0, e->data, e->len));
    cr_assert_eq(hws_crc32c_by_table(0, e->data, e->len), e->crc, "%s", e->name);
    if (hws_crc32c_has_instruction())
        cr_assert_eq(hws_crc32c_by_instruction(0, e->data, e->len), e->crc, "%s", e->name);
}

enum { MAX = 20000 };
static uint8_t data[MAX + 8];

static void fill(void)
{
    hws_test_seed("crc32c");
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)hws_test_next();
}

/* By the definition: division of polynomials, one bit at a time. */
static uint32_t by_bits(const uint8_t *p, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    }
    return ~crc;
}

static void check(const uint8_t *p, size_t n)
{
    uint32_t want = by_bits(p, n);
    cr_assert_eq(hws_crc32c(0, p, n), want, "length %zu", n);
    cr_assert_eq(hws_crc32c_by_table(0, p, n), want, "length %zu, table", n);
    if (hws_crc32c_has_instruction())
        cr_assert_eq(hws_crc32c_by_instruction(0, p, n), want, "length %zu, instruction", n);
}

Test(crc32c, every_short_length_at_every_alignment)
{
    fill();
    for (size_t at = 0; at < 8; at++)
        for (size_t n = 0; n < 500; n++)
            check(data + at, n);
}

Test(crc32c, lengths_around_the_runs)
{
    fill();
    for (size_t n = 3072 - 20; n < 3072 + 20; n++)
        check(data, n);
    for (size_t n = 2 * 3072 + 384 - 10; n < 2 * 3072 + 384 + 10; n++)
        check(data + 3, n);
}

Test(crc32c, random_lengths)
{
    fill();
    for (int i = 0; i < 300; i++)
        check(data + hws_test_random(8), hws_test_random(MAX + 1));
}

Test(crc32c, pieces_give_the_same_as_the_whole)
{
    fill();
    uint32_t whole = by_bits(data, MAX);
    for (int i = 0; i < 1000; i++) {
        uint32_t crc = 0, by_table = 0;
        size_t largest = 1 + hws_test_random(MAX);
        for (size_t at = 0, n; at < MAX; at += n) {
            n = hws_test_random(largest + 1);
            n = n > MAX - at ? MAX - at : n;
            crc = hws_crc32c(crc, data + at, n);
            by_table = hws_crc32c_by_table(by_table, data + at, n);
        }
        cr_assert_eq(crc, whole);
        cr_assert_eq(by_table, whole);
    }
}

Test(crc32c, a_flipped_bit_is_seen)
{
    fill();
    uint32_t whole = hws_crc32c(0, data, MAX);
    for (int i = 0; i < 1000; i++) {
        size_t bit = hws_test_random((uint64_t)MAX * 8);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cr_assert_neq(hws_crc32c(0, data, MAX), whole);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

Test(crc32c, the_way_has_a_name)
{
    cr_assert_eq(strcmp(hws_crc32c_way(), "table") == 0, !hws_crc32c_has_instruction());
}
