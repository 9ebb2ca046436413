/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ring: a queue of records from one process to another in memory that both map. One writer, one reader, no lock and
 * no atomic read-modify-write. Pure: no clock, and no system call but for pages that are written for the first time.
 *
 *   control: | head, returned | reader polls | writer waits |   one cache line each
 *   data:    | record | record | word 0 | free ...            |   records begin at half cache lines
 *
 * A record begins with its word: type in the low 8 bits, payload bytes in the upper 32. The reader polls the word of
 * the record that must come next, so a short message moves a single cache line, and two of up to 16 bytes share one.
 * A payload is a head of up to 16 bytes, or none, and data; those of a long one begin with the next cache line.
 * Before a record's word is set, the word behind it is cleared: what lies there is payload of an earlier time.
 *
 * The data are chunks, and the writer goes on in the lowest free ones that hold the next record: with a reader who
 * keeps up it stays within the first quarter or less, whose lines are in both caches, and one who does not has all of
 * it. What leads from a run of chunks to another one is a record, too (HWS_RECORD_JUMP), for which the writer keeps
 * room at the run's end.
 *
 * The reader tells rarely how far it has come (head) and how much credit it has given back (returned).
 */
#ifndef HWS_SHM_RING_H
#define HWS_SHM_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pages.h"

#define HWS_LINE  64u   /* bytes of a cache line */
#define HWS_GRAIN 32u   /* bytes that the length of a record is a multiple of */
#define HWS_LONG  1024u /* bytes: in a payload of so many the data begins with a cache line (decision 044) */

struct hws_ring_shared {
    _Alignas(HWS_LINE) uint64_t head; /* reader: bytes consumed ever, told late */
    uint64_t returned;                /* reader: bytes of credit given back ever */
    _Alignas(HWS_LINE) uint32_t hot;  /* reader: it polls this ring; 0 (as at first): the writer must ring its bell */
    _Alignas(
        HWS_LINE) uint32_t starved; /* writer: it sleeps until there is room; the reader that makes room wakes it */
    _Alignas(HWS_LINE) uint8_t data[];
};

struct hws_record {
    uint64_t word; /* 0: not there yet */
    uint32_t ctx;  /* what the owners make of these */
    int32_t tag;
    uint8_t payload[]; /* the head; where the data are: hws_record_data */
};

/* Type: the next record is so many bytes from the begin of the data as this one's payload is said to have, and this one
 * takes as many as its ctx says. */
#define HWS_RECORD_JUMP 0xff

#define HWS_RING_CHUNKS 64

struct hws_ring_tx {
    uint8_t *at;  /* where the next record goes */
    size_t run;   /* bytes that a record there may take; HWS_GRAIN more are left in these chunks */
    uint64_t pos; /* bytes written ever, with those that were skipped */
    uint64_t skipped;
    struct hws_ring_shared *shared;
    size_t size;  /* bytes of the data */
    size_t there; /* bytes of *shared whose pages came ahead of their first use */
    struct hws_ring_chunks {
        size_t len;                      /* bytes of one */
        unsigned n, next;                /* the one behind those of the present run */
        unsigned n_row;                  /* chunks of the present run */
        uint64_t head;                   /* the reader's, as it was seen last */
        uint64_t until[HWS_RING_CHUNKS]; /* a chunk is free when the reader has come so far */
    } chunks;
};

struct hws_ring_rx {
    uint8_t *at;  /* the record that comes next */
    uint64_t pos; /* bytes consumed ever, with those that were skipped */
    uint64_t skipped;
    uint64_t told; /* pos as the writer knows it */
    struct hws_ring_shared *shared;
    size_t size, tell; /* bytes of the data; so many consumed ones later the writer is told */
};

/* Bytes that a record with so much payload takes. */
static inline size_t hws_ring_need(size_t payload)
{
    size_t before = payload < HWS_LONG ? sizeof(struct hws_record) : HWS_LINE;
    return (before + payload + HWS_GRAIN - 1) & ~(size_t)(HWS_GRAIN - 1);
}

/* Where the data of a record begin whose payload has so many bytes, `head` of them before the data. */
static inline uint8_t *hws_record_data(const struct hws_record *r, size_t head, size_t payload)
{
    size_t at = payload < HWS_LONG ? sizeof *r + head : HWS_LINE - (uintptr_t)r % HWS_LINE;
    return (uint8_t *)(uintptr_t)r + at;
}

/* The largest payload: a quarter of the ring, for which there is room again when all has been consumed (ring.c). */
static inline size_t hws_ring_max_payload(size_t size)
{
    return (size / 4 & ~(size_t)(HWS_LINE - 1)) - HWS_LINE;
}

/* Both ends, over memory that was zero when the first of them began. size: of the data, at least 8 HWS_LINE. */
void hws_ring_tx_init(struct hws_ring_tx *t, struct hws_ring_shared *s, size_t size);
void hws_ring_rx_init(struct hws_ring_rx *r, struct hws_ring_shared *s, size_t size);

/* The first pages of both rings of a pair come into being: one by one costs as much in the end, but between messages.
 */
void hws_rings_bring(struct hws_ring_tx *t, struct hws_ring_rx *r);

/* Takes a cache line over from the other core, as a store will have to; what __builtin_prefetch makes of it does only
 * read, as long as the compiler is not told of a processor. One that does not know the instruction does nothing. */
static inline void hws_prefetch_own(const void *line)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" ::"m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

/* Publishes the record at t->at, which takes `need` <= t->run bytes and is written but for its word. The line that the
 * next record clears a word in, or of the shortest ones the fourth next, is taken over: one that the reader still has
 * would hold that message back (decision 045). Not behind long ones, which write many lines. */
static inline void hws_ring_push(struct hws_ring_tx *t, size_t need, uint8_t type, uint32_t len)
{
    struct hws_record *r = (struct hws_record *)(void *)t->at;
    t->at += need;
    t->run -= need;
    t->pos += need;
    __atomic_store_n(&((struct hws_record *)(void *)t->at)->word, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&r->word, (uint64_t)len << 32 | type, __ATOMIC_RELEASE);
    if (len < HWS_LONG)
        hws_prefetch_own(t->at + (need == HWS_GRAIN ? 2 : 1) * HWS_LINE);
}

/* Takes more chunks, where they follow or elsewhere. True: t->run is at least `need`, which must not exceed the largest
 * record. */
bool hws_ring_make_room(struct hws_ring_tx *t, size_t need);

static inline bool hws_ring_has_room(struct hws_ring_tx *t, size_t need)
{
    return t->run >= need || hws_ring_make_room(t, need);
}

/* The word of the record that comes next; 0: there is none. What was written before it can be read. */
static inline uint64_t hws_ring_peek(const struct hws_ring_rx *r)
{
    return __atomic_load_n(&((const struct hws_record *)(const void *)r->at)->word, __ATOMIC_ACQUIRE);
}

static inline const struct hws_record *hws_ring_record(const struct hws_ring_rx *r)
{
    return (const struct hws_record *)(const void *)r->at;
}

static inline uint8_t hws_record_type(uint64_t word)
{
    return (uint8_t)word;
}

static inline uint32_t hws_record_len(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

/* Done with the record at r->at, whose word was `word`. True: the writer should be told by now. */
static inline bool hws_ring_pop(struct hws_ring_rx *r, uint64_t word)
{
    bool jumps = __builtin_expect(hws_record_type(word) == HWS_RECORD_JUMP, 0);
    size_t need = jumps ? hws_ring_record(r)->ctx : hws_ring_need(hws_record_len(word));
    r->at = jumps ? r->shared->data + hws_record_len(word) : r->at + need;
    r->pos += need;
    r->skipped += jumps ? need : 0;
    return jumps || r->pos - r->told >= r->tell;
}

static inline void hws_ring_tell(struct hws_ring_rx *r, uint64_t returned)
{
    r->told = r->pos;
    __atomic_store_n(&r->shared->returned, returned, __ATOMIC_RELAXED);
    __atomic_store_n(&r->shared->head, r->pos, __ATOMIC_RELEASE);
}

#endif
