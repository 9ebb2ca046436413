/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ring: a queue of records from one process to another in memory that both map. One writer, one reader, no lock and
 * no atomic read-modify-write. Pure: no clock, and no system call but for pages that are written for the first time.
 *
 *   control: | head, returned | reader polls | writer waits |   one cache line each
 *   data:    | record | record | word 0 | free ...            |   records begin at half cache lines and never wrap
 *
 * A record begins with its word: type in the low 8 bits, payload bytes in the upper 32. The reader polls the word of
 * the record that must come next, so a short message moves a single cache line, and two of up to 16 bytes share one.
 * A payload is a head of up to 16 bytes, or none, and data; those of a long one begin with the next cache line.
 * Before a record's word is set, the word behind it is cleared: what lies there is payload of the last round. The
 * writer therefore keeps one line free.
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

#define HWS_RECORD_PAD 0xff /* type: nothing up to the end of the ring */

struct hws_ring_tx {
    uint8_t *at;  /* where the next record goes */
    size_t run;   /* bytes that a record there may take */
    uint64_t pos; /* bytes written ever */
    uint8_t *end;
    struct hws_ring_shared *shared;
    size_t size;
    size_t there; /* bytes of *shared whose pages came ahead of their first use */
};

struct hws_ring_rx {
    uint8_t *at; /* the record that comes next */
    uint8_t *end;
    uint64_t pos;  /* bytes consumed ever */
    uint64_t told; /* pos as the writer knows it */
    struct hws_ring_shared *shared;
    size_t size;
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

/* The largest payload: a quarter of the ring, so that a reader that has told of its progress up to a quarter never
 * leaves the writer without room for good. */
static inline size_t hws_ring_max_payload(size_t size)
{
    return (size / 4 & ~(size_t)(HWS_LINE - 1)) - HWS_LINE;
}

/* Both ends, over memory that was zero when the first of them began. size: of the data, a multiple of HWS_LINE. */
static inline void hws_ring_tx_init(struct hws_ring_tx *t, struct hws_ring_shared *s, size_t size)
{
    *t = (struct hws_ring_tx){.at = s->data, .end = s->data + size, .shared = s, .size = size};
}

static inline void hws_ring_rx_init(struct hws_ring_rx *r, struct hws_ring_shared *s, size_t size)
{
    *r = (struct hws_ring_rx){.at = s->data, .end = s->data + size, .shared = s, .size = size};
}

/* Both rings of a pair come into being whole: page by page costs as much in the end, but between messages. */
static inline void hws_rings_bring(struct hws_ring_tx *t, struct hws_ring_rx *r)
{
    hws_pages_bring(t->shared, 0, sizeof *t->shared + t->size);
    hws_pages_bring(r->shared, 0, sizeof *r->shared + r->size);
    t->there = sizeof *t->shared + t->size;
}

/* Publishes the record at t->at, which takes `need` <= t->run bytes and is written but for its word. */
static inline void hws_ring_push(struct hws_ring_tx *t, size_t need, uint8_t type, uint32_t len)
{
    struct hws_record *r = (struct hws_record *)(void *)t->at;
    uint8_t *next = t->at + need;
    t->at = next;
    t->run -= need;
    t->pos += need;
    if (next == t->end)
        next = t->shared->data;
    __atomic_store_n(&((struct hws_record *)(void *)next)->word, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&r->word, (uint64_t)len << 32 | type, __ATOMIC_RELEASE);
}

/* In the first round: the pages of the next record, after which this is asked again. */
static inline void hws_ring_go_ahead(struct hws_ring_tx *t, size_t need)
{
    size_t at = (size_t)(t->at - (uint8_t *)t->shared);
    hws_pages_ahead(t->shared, sizeof *t->shared + t->size, &t->there, at + need);
    if (t->run > t->there - at)
        t->run = t->there - at;
}

/* Looks again how far the reader is, and skips the end of the ring when the record does not fit there. True: t->run is
 * at least `need`, which must not exceed the largest record. */
static inline bool hws_ring_make_room(struct hws_ring_tx *t, size_t need)
{
    uint64_t used = t->pos - __atomic_load_n(&t->shared->head, __ATOMIC_ACQUIRE);
    size_t free_bytes = t->size - used - HWS_LINE, tail = (size_t)(t->end - t->at);
    if (tail < need && tail) {
        if (free_bytes < tail)
            return false;
        t->run = tail;
        hws_ring_push(t, tail, HWS_RECORD_PAD, 0);
        free_bytes -= tail;
        tail = 0;
    }
    if (!tail) {
        t->at = t->shared->data;
        tail = t->size;
    }
    t->run = free_bytes < tail ? free_bytes : tail;
    if (t->run >= need && t->there < sizeof *t->shared + t->size)
        hws_ring_go_ahead(t, need);
    return t->run >= need;
}

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
    size_t need =
        hws_record_type(word) == HWS_RECORD_PAD ? (size_t)(r->end - r->at) : hws_ring_need(hws_record_len(word));
    r->at += need;
    r->pos += need;
    if (r->at == r->end)
        r->at = r->shared->data;
    return r->pos - r->told >= r->size / 4;
}

static inline void hws_ring_tell(struct hws_ring_rx *r, uint64_t returned)
{
    r->told = r->pos;
    __atomic_store_n(&r->shared->returned, returned, __ATOMIC_RELAXED);
    __atomic_store_n(&r->shared->head, r->pos, __ATOMIC_RELEASE);
}

#endif
