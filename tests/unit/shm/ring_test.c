/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ring_test: records of all sizes come out in order and whole, with one thread and with two, in rings that are
 * small enough to wrap all the time. Payload is full of bytes that look like a record's word.
 */
#include "shm/ring.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    struct hws_ring_shared *shared;
    struct hws_ring_tx tx;
    struct hws_ring_rx rx;
    uint64_t returned;
};

static struct pair make(size_t size)
{
    struct pair p = {.shared = NULL};
    cr_assert_eq(posix_memalign((void **)&p.shared, HWS_LINE, sizeof *p.shared + size), 0);
    memset(p.shared, 0, sizeof *p.shared + size);
    hws_ring_tx_init(&p.tx, p.shared, size);
    hws_ring_rx_init(&p.rx, p.shared, size);
    return p;
}

static size_t len_of(uint32_t i, size_t max)
{
    uint32_t h = i * 2654435761u;
    return h >> 24 < 200 ? (h >> 8) % 100 % (max + 1) : (h >> 4) % (max + 1);
}

static bool put(struct pair *p, uint32_t i)
{
    size_t len = len_of(i, hws_ring_max_payload(p->tx.size));
    if (!hws_ring_has_room(&p->tx, hws_ring_need(len)))
        return false;
    struct hws_record *r = (struct hws_record *)(void *)p->tx.at;
    r->ctx = i;
    r->tag = -1;
    memset(hws_record_data(r, 0, len), (int)(i | 1), len);
    hws_ring_push(&p->tx, hws_ring_need(len), 1, (uint32_t)len);
    return true;
}

/* Takes one record if there is any. i: the number that must come. -1: it was wrong; 0: none; 1: taken. */
static int take(struct pair *p, uint32_t i)
{
    uint64_t word = hws_ring_peek(&p->rx);
    if (!word)
        return 0;
    int result = 1;
    if (hws_record_type(word) != HWS_RECORD_JUMP) {
        const struct hws_record *r = hws_ring_record(&p->rx);
        size_t len = hws_record_len(word);
        if (hws_record_type(word) != 1 || r->ctx != i || r->tag != -1 ||
            len != len_of(i, hws_ring_max_payload(p->rx.size)))
            return -1;
        for (size_t k = 0; k < len; k++)
            if (hws_record_data(r, 0, len)[k] != (uint8_t)(i | 1))
                return -1;
    } else {
        result = 2;
    }
    if (hws_ring_pop(&p->rx, word))
        hws_ring_tell(&p->rx, ++p->returned);
    return result;
}

/* The reader empties the ring whenever the writer finds no room: there must be room then, though the reader has not
 * told of its last steps. */
static void fill_and_empty(size_t size)
{
    struct pair p = make(size);
    uint32_t out = 0, in = 0;
    while (in < 20000) {
        uint32_t before = out;
        while (put(&p, out))
            out++;
        cr_assert_gt(out, before, "size %zu: the ring is empty and has no room for record %u", size, out);
        for (int got; (got = take(&p, in)) != 0; in += got == 1)
            cr_assert_gt(got, 0, "size %zu: record %u came wrong", size, in);
        cr_assert_eq(in, out);
    }
    free(p.shared);
}

Test(ring, fills_and_empties)
{
    for (size_t size = 8 * HWS_LINE; size <= 64 * HWS_LINE; size += HWS_LINE)
        fill_and_empty(size);
}

Test(ring, one_at_a_time)
{
    struct pair p = make(16 * HWS_LINE);
    for (uint32_t i = 0; i < 10000; i++) {
        cr_assert_eq(take(&p, i), 0);
        cr_assert(put(&p, i));
        int got = take(&p, i);
        cr_assert_eq(got == 2 ? take(&p, i) : got, 1);
    }
    free(p.shared);
}

Test(ring, largest_record_fits_a_quarter)
{
    for (size_t size = 8 * HWS_LINE; size < 100 * HWS_LINE; size += HWS_LINE)
        cr_assert_leq(hws_ring_need(hws_ring_max_payload(size)), size / 4);
}

/* Record i, with a reader who has taken all before it, and takes it. */
static void pass(struct pair *p, uint32_t i)
{
    int got;
    cr_assert(put(p, i), "no room for record %u, though all are taken", i);
    while ((got = take(p, i)) == 2)
        ;
    cr_assert_eq(got, 1);
}

static size_t place(const struct pair *p)
{
    return (size_t)(p->tx.at - p->shared->data);
}

static uint32_t fill(struct pair *p, uint32_t from)
{
    uint32_t i = from;
    while (put(p, i))
        i++;
    return i;
}

/* From `from` on; what was put before is taken. */
static uint32_t empty(struct pair *p, uint32_t from)
{
    for (int got; (got = take(p, from)) != 0; from += got == 1)
        cr_assert_gt(got, 0);
    return from;
}

Test(ring, a_reader_that_keeps_up_keeps_the_writer_low)
{
    struct pair p = make(4096 * HWS_LINE);
    size_t top = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        pass(&p, i);
        top = i > 10000 && place(&p) > top ? place(&p) : top;
    }
    cr_assert_leq(top, p.tx.size * 3 / 4, "largest records among them");
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 20000; i++)
        bytes += hws_ring_need(len_of(i, hws_ring_max_payload(p.tx.size)));
    cr_assert_eq(p.tx.pos - p.tx.skipped, bytes, "jumps are no traffic");
    cr_assert_eq(p.rx.pos - p.rx.skipped, bytes);
    free(p.shared);
}

Test(ring, one_that_is_late_has_the_whole_ring_and_comes_back)
{
    struct pair p = make(4096 * HWS_LINE);
    uint32_t i = fill(&p, 0);
    cr_assert_geq(place(&p), p.tx.size / 2, "%zu", place(&p));
    cr_assert_gt(p.tx.pos, p.tx.size / 2);
    cr_assert_eq(empty(&p, 0), i);
    uint32_t first = i;
    for (; place(&p) >= p.tx.size / 2; i++) {
        cr_assert_lt(i, first + 10000, "it stays where the burst was");
        pass(&p, i);
    }
    free(p.shared);
}

/* Whatever the writer has left free, and wherever the reader is. */
Test(ring, bursts_of_all_lengths)
{
    for (size_t lines = 8; lines <= 1024; lines *= 2) {
        struct pair p = make(lines * HWS_LINE);
        uint32_t out = 0, in = 0;
        for (uint32_t burst = 1; burst < 3000; burst++) {
            for (uint32_t n = burst * 2654435761u >> 26; n > 0 && put(&p, out); n--)
                out++;
            for (uint32_t n = burst * 40503u % 64; n > 0 && in < out;) {
                int got = take(&p, in);
                cr_assert_gt(got, 0);
                in += got == 1;
                n -= got == 1;
            }
        }
        cr_assert_eq(empty(&p, in), out);
        cr_assert(put(&p, out), "%zu lines", lines);
        free(p.shared);
    }
}

/* The rings of hosts with up to 16, 64, 256 and more ranks: when all is taken, the largest record fits, wherever the
 * writer has stopped, though the reader has not told of its last steps. */
Test(ring, the_largest_record_fits_when_all_is_taken)
{
    static const size_t strides[] = {256 << 10, 32 << 10, 8 << 10, 4 << 10};
    for (int k = 0; k < 4; k++) {
        size_t size = strides[k] - sizeof(struct hws_ring_shared);
        struct pair p = make(size);
        uint32_t out = 0, in = 0;
        for (uint32_t round = 1; round < 5000; round++) {
            for (uint32_t n = round * 2654435761u >> 25; n > 0 && put(&p, out); n--)
                out++;
            in = empty(&p, in);
            cr_assert_eq(in, out);
            cr_assert(hws_ring_has_room(&p.tx, hws_ring_need(hws_ring_max_payload(size))), "%zu, round %u", size,
                      round);
        }
        free(p.shared);
    }
}

#define RECORDS 100000u

static void *writer(void *arg)
{
    struct pair *p = arg;
    for (uint32_t i = 0; i < RECORDS;)
        if (put(p, i))
            i++;
        else
            sched_yield();
    return NULL;
}

Test(ring, two_threads)
{
    struct pair p = make(128 * HWS_LINE);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, writer, &p), 0);
    for (uint32_t i = 0; i < RECORDS;) {
        int got = take(&p, i);
        cr_assert_geq(got, 0, "record %u came wrong", i);
        if (got == 0)
            sched_yield();
        i += got == 1;
    }
    pthread_join(thread, NULL);
    cr_assert_eq(hws_ring_peek(&p.rx), 0);
    free(p.shared);
}
