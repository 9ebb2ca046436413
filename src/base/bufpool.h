/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bufpool: byte buffers of any length for what nobody waits for yet (unexpected messages, copies kept for resending).
 * Up to 64 KiB from pools in four size classes a doubling (at most a quarter of a buffer is lost), above from malloc.
 * What is put back goes back to the system but for what a pool keeps. No lock.
 */
#ifndef HWS_BASE_BUFPOOL_H
#define HWS_BASE_BUFPOOL_H

#include <stddef.h>

#include "base/pool.h"

#define HWS_BUFPOOL_CLASSES 41 /* 64, 80, 96, 112, 128, 160, ... 64 KiB */

struct hws_bufpool {
    struct hws_pool classes[HWS_BUFPOOL_CLASSES];
    size_t large_bytes; /* in buffers above the largest class */
};

void hws_bufpool_init(struct hws_bufpool *b);

/* A buffer of at least len bytes (0 is allowed), aligned to 16, or NULL without memory. */
void *hws_bufpool_get(struct hws_bufpool *b, size_t len);

/* Takes a buffer back; len as at get. NULL is ignored. */
void hws_bufpool_put(struct hws_bufpool *b, void *buf, size_t len);

/* Frees the pools, also with buffers out, except those above 64 KiB, which must have been put back. */
void hws_bufpool_fini(struct hws_bufpool *b);

/* Bytes really occupied by buffers that are out, roundings included: what a bound on memory should count. */
size_t hws_bufpool_bytes(const struct hws_bufpool *b);

/* The bytes that a buffer of len occupies. */
size_t hws_bufpool_size(size_t len);

#endif
