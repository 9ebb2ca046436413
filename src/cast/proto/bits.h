/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bits: a bit for each packet of a window, in a ring: packet s has bit s mod HWS_CAST_WINDOW.
 */
#ifndef HWS_CAST_BITS_H
#define HWS_CAST_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HWS_CAST_WINDOW 1024 /* packets from the first that somebody lacks to the last that may be sent; 2^n */

struct hws_cast_bits {
    uint64_t words[HWS_CAST_WINDOW / 64];
};

static inline bool hws_cast_bit(const struct hws_cast_bits *b, uint64_t s)
{
    return b->words[s % HWS_CAST_WINDOW / 64] >> (s % 64) & 1;
}

static inline void hws_cast_bit_set(struct hws_cast_bits *b, uint64_t s)
{
    b->words[s % HWS_CAST_WINDOW / 64] |= 1ull << (s % 64);
}

static inline void hws_cast_bit_clear(struct hws_cast_bits *b, uint64_t s)
{
    b->words[s % HWS_CAST_WINDOW / 64] &= ~(1ull << (s % 64));
}

static inline void hws_cast_bits_zero(struct hws_cast_bits *b)
{
    memset(b, 0, sizeof *b);
}

#endif
