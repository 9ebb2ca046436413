/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pool: objects of one size from arenas of our own. A process that has jemalloc lends its arenas (mallocx), any other
 * gets its chunks from mmap; the library itself links no allocator. Objects never move; chunks that become empty are
 * given back, but for some that are kept against thrashing, the more the more often what was given back is wanted
 * again: new pages cost more than all else that is done with an object. No lock: the owner of the pool serialises.
 */
#ifndef HWS_BASE_POOL_H
#define HWS_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"

#define HWS_POOL_MAX_SIZE (64 * 1024)

struct hws_pool {
    size_t stride;      /* bytes from one object to the next */
    size_t chunk_bytes; /* power of two, 64 KiB to 1 MiB; chunks are aligned to it */
    size_t first;       /* offset of a chunk's first object */
    size_t n_per_chunk;
    size_t n_used;           /* objects out */
    size_t n_chunks;         /* chunks held */
    size_t n_empty;          /* of these, without an object out */
    size_t kept;             /* bytes of such that stay */
    bool gave_back;          /* chunks, since one was taken last */
    struct hws_list partial; /* chunks with room, emptiest last */
    struct hws_list full;
};

/* size: 1 to HWS_POOL_MAX_SIZE; align: a power of two up to 4096. Takes no memory yet, cannot fail. */
void hws_pool_init(struct hws_pool *p, size_t size, size_t align);

/* An object with undefined content, or NULL without memory. */
void *hws_pool_get(struct hws_pool *p);

/* Takes back what hws_pool_get() of the same pool gave. */
void hws_pool_put(struct hws_pool *p, void *obj);

/* Gives all chunks back, also with objects out: their pointers die. The pool may be used again. */
void hws_pool_fini(struct hws_pool *p);

static inline size_t hws_pool_count(const struct hws_pool *p)
{
    return p->n_used;
}

/* Bytes of address space held. */
static inline size_t hws_pool_bytes(const struct hws_pool *p)
{
    return p->n_chunks * p->chunk_bytes;
}

#endif
