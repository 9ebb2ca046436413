/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pool: chunks are aligned to their size, so an object finds its chunk by masking its address. A chunk gives out freed
 * objects first and then virgin ones in order, so that pages not yet needed are hardly touched. Invariant: a chunk
 * is in `full` exactly when it has no object to give.
 */
#include "base/pool.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/pages.h"

#define MIN_CHUNK (64 * 1024)
#define MAX_CHUNK (1024 * 1024)
#define WANTED    8             /* objects a chunk should hold at least, sizes permitting */
#define KEPT      (256 * 1024)  /* bytes of empty chunks that are kept at first, or one chunk, ... */
#define MOST_KEPT (4096 * 1024) /* ... and at most, where what was given back is wanted again */

/* jemalloc's own names; present only if the process has it. The last argument's low bits are log2 of the alignment. */
extern void *mallocx(size_t size, int flags) __attribute__((weak));
extern void dallocx(void *ptr, int flags) __attribute__((weak));

struct chunk {
    struct hws_list node;
    void *freed;  /* list through the objects' first words */
    size_t there; /* bytes of the chunk whose pages came ahead of their first use */
    size_t n_virgin_given;
    size_t n_used;
};

static void *map_aligned(size_t bytes)
{
    char *p = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    size_t before = (bytes - ((uintptr_t)p & (bytes - 1))) & (bytes - 1);
    if (before)
        munmap(p, before);
    munmap(p + before + bytes, bytes - before);
    return p + before;
}

static void *chunk_alloc(size_t bytes)
{
    if (mallocx && dallocx)
        return mallocx(bytes, __builtin_ctzll(bytes));
    return map_aligned(bytes);
}

static void chunk_free(void *chunk, size_t bytes)
{
    if (mallocx && dallocx)
        dallocx(chunk, __builtin_ctzll(bytes));
    else
        munmap(chunk, bytes);
}

static struct chunk *chunk_of(const struct hws_pool *p, void *obj)
{
    return (struct chunk *)((uintptr_t)obj & ~(uintptr_t)(p->chunk_bytes - 1));
}

static struct chunk *add_chunk(struct hws_pool *p)
{
    struct chunk *c = chunk_alloc(p->chunk_bytes);
    if (!c)
        return NULL;
    memset(c, 0, sizeof *c);
    if (p->gave_back && p->kept < MOST_KEPT)
        p->kept *= 2;
    p->gave_back = false;
    hws_list_push(&p->partial, &c->node);
    p->n_chunks++;
    p->n_empty++;
    return c;
}

static void drop_chunk(struct hws_pool *p, struct chunk *c)
{
    hws_list_remove(&c->node);
    p->n_chunks--;
    p->gave_back = true;
    chunk_free(c, p->chunk_bytes);
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) & ~(to - 1);
}

void hws_pool_init(struct hws_pool *p, size_t size, size_t align)
{
    assert(size > 0 && size <= HWS_POOL_MAX_SIZE && align <= 4096 && (align & (align - 1)) == 0);
    size_t at_least = align > sizeof(void *) ? align : sizeof(void *);
    memset(p, 0, sizeof *p);
    hws_list_init(&p->partial);
    hws_list_init(&p->full);
    p->stride = round_up(size, at_least);
    p->first = round_up(sizeof(struct chunk), at_least);
    p->chunk_bytes = MIN_CHUNK;
    while (p->chunk_bytes < MAX_CHUNK && p->chunk_bytes < p->first + WANTED * p->stride)
        p->chunk_bytes *= 2;
    p->n_per_chunk = (p->chunk_bytes - p->first) / p->stride;
    p->kept = KEPT;
}

static void *virgin(const struct hws_pool *p, struct chunk *c)
{
    size_t at = p->first + c->n_virgin_given++ * p->stride;
    hws_pages_ahead(c, p->chunk_bytes, &c->there, at + p->stride);
    return (char *)c + at;
}

void *hws_pool_get(struct hws_pool *p)
{
    struct chunk *c = hws_list_is_empty(&p->partial) ? add_chunk(p) : (struct chunk *)p->partial.next;
    if (!c)
        return NULL;
    void *obj = c->freed;
    if (obj)
        memcpy(&c->freed, obj, sizeof c->freed);
    else
        obj = virgin(p, c);
    p->n_empty -= c->n_used == 0;
    p->n_used++;
    if (++c->n_used == p->n_per_chunk) {
        hws_list_remove(&c->node);
        hws_list_push(&p->full, &c->node);
    }
    return obj;
}

void hws_pool_put(struct hws_pool *p, void *obj)
{
    struct chunk *c = chunk_of(p, obj);
    assert(c->n_used > 0);
    memcpy(obj, &c->freed, sizeof c->freed);
    c->freed = obj;
    p->n_used--;
    if (c->n_used-- == p->n_per_chunk) {
        hws_list_remove(&c->node);
        hws_list_push_front(&p->partial, &c->node);
    }
    if (c->n_used > 0)
        return;
    if (p->n_empty > 0 && (p->n_empty + 1) * p->chunk_bytes > p->kept) {
        drop_chunk(p, c);
        return;
    }
    p->n_empty++;
    hws_list_remove(&c->node); /* last in line, so that the others fill up first */
    hws_list_push(&p->partial, &c->node);
}

void hws_pool_fini(struct hws_pool *p)
{
    while (!hws_list_is_empty(&p->partial))
        drop_chunk(p, (struct chunk *)p->partial.next);
    while (!hws_list_is_empty(&p->full))
        drop_chunk(p, (struct chunk *)p->full.next);
    p->n_used = p->n_empty = 0;
    p->gave_back = false;
}
