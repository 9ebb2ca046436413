/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hash: FNV-1a of 64 bits, for tables and names; nothing secret depends on it.
 */
#ifndef HWS_BASE_HASH_H
#define HWS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HWS_HASH_START 0xcbf29ce484222325ull

/* Goes on from h, which is HWS_HASH_START for the first bytes. */
static inline uint64_t hws_hash(uint64_t h, const void *data, size_t len)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * 0x100000001b3ull;
    return h;
}

#endif
