/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ring: offset modulo capacity; growing copies what is held to where the larger ring has it, and no more: pages that
 * nobody has written yet cost a fault each.
 */
#include "gateway/ring.h"

#include <stdlib.h>
#include <string.h>

uint8_t *ring_at(const struct ring *r, uint64_t offset, size_t want, size_t *len)
{
    size_t at = (size_t)offset & (r->cap - 1), n = r->cap - at;
    *len = n < want ? n : want;
    return r->mem + at;
}

void ring_put(struct ring *r, uint64_t offset, const uint8_t *src, size_t len)
{
    size_t n;
    for (; len; offset += n, src += n, len -= n) {
        uint8_t *dst = ring_at(r, offset, len, &n);
        memcpy(dst, src, n);
    }
}

void ring_get(const struct ring *r, uint64_t offset, uint8_t *dst, size_t len)
{
    size_t n;
    for (; len; offset += n, dst += n, len -= n) {
        const uint8_t *src = ring_at(r, offset, len, &n);
        memcpy(dst, src, n);
    }
}

bool ring_reserve(struct ring *r, uint64_t base, uint64_t held, uint64_t end)
{
    size_t need = (size_t)(end - base), cap = r->cap ? r->cap : RING_LEAST;
    if (r->cap >= need)
        return true;
    while (cap < need)
        cap *= 2;
    struct ring grown = {malloc(cap), cap};
    if (!grown.mem)
        return false;
    for (size_t n; base < held; base += n) {
        const uint8_t *src = ring_at(r, base, (size_t)(held - base), &n);
        ring_put(&grown, base, src, n);
    }
    free(r->mem);
    *r = grown;
    return true;
}

void ring_free(struct ring *r)
{
    free(r->mem);
    *r = (struct ring){0};
}
