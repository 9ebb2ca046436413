/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ring: a part of a stream of bytes, addressed by offsets of the stream. Its memory grows by doubling with what is held
 * and goes when nothing is. Pure.
 */
#ifndef HWS_GATEWAY_RING_H
#define HWS_GATEWAY_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_LEAST 4096

struct ring {
    uint8_t *mem;
    size_t cap; /* 0, or a power of two from RING_LEAST on */
};

/* Makes room for the bytes from `base` up to `end`, of which those up to `held` may be there and are kept. False: out
 * of memory, nothing changed. */
bool ring_reserve(struct ring *r, uint64_t base, uint64_t held, uint64_t end);
/* Where the byte of that offset is, and how many of the next `want` follow without a break. */
uint8_t *ring_at(const struct ring *r, uint64_t offset, size_t want, size_t *len);
/* Copies into a ring that has room for it; out of one that has them. */
void ring_put(struct ring *r, uint64_t offset, const uint8_t *src, size_t len);
void ring_get(const struct ring *r, uint64_t offset, uint8_t *dst, size_t len);
/* Gives the memory back: nothing is held. */
void ring_free(struct ring *r);

#endif
