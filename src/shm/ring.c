/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ring: see ring.h. The chunks of the writer's present run are free again, too, as far as the reader has come: a
 * writer that jumps may come back to the begin of the run that it leaves.
 *
 * Why there is always room in the end: a reader that has taken all has told so but for an eighth of the ring at most,
 * in the run of the last record. So what is not free is in one piece, of an eighth and two chunks, and one of the two
 * others holds the largest record, a quarter of the ring.
 */
#include "shm/ring.h"

#include "base/hot.h"

/* Parts of the ring that a run has, from which on lower chunks are looked for. A jump costs as much as a record, so
 * dozens of records are between two: shorter runs of short ones are written again while the reader still holds their
 * lines. Middle ones stay within half of a first cache, if that is not more than such a part, so that the lines that
 * change caches are those that both ends had last (decision 056). */
#define ROW_PART      4
#define LONG_ROW_PART 2
#define MIDDLE_ROW    (16u << 10) /* bytes */
#define MIDDLE_MIN    512u        /* bytes of a record */
#define LONG_MIN      8192u

#define SMALL (64u << 10) /* bytes of a ring, in which a chunk holds few records: its reader tells less often */
#define TELL  (4u << 10)  /* bytes after which the reader of another one tells: a quarter of a run */
#define FIRST (64u << 10) /* bytes that rings have at first */

void hws_ring_tx_init(struct hws_ring_tx *t, struct hws_ring_shared *s, size_t size)
{
    size_t len = (size / HWS_RING_CHUNKS + HWS_LINE - 1) & ~(size_t)(HWS_LINE - 1);
    *t = (struct hws_ring_tx){.at = s->data, .shared = s, .size = size};
    t->chunks.len = len;
    t->chunks.n = (unsigned)(size / len);
}

void hws_ring_rx_init(struct hws_ring_rx *r, struct hws_ring_shared *s, size_t size)
{
    *r = (struct hws_ring_rx){.at = s->data, .shared = s, .size = size, .tell = size < SMALL ? size / 8 : TELL};
}

void hws_rings_bring(struct hws_ring_tx *t, struct hws_ring_rx *r)
{
    size_t len = sizeof *t->shared + t->size, first = len < FIRST ? len : FIRST;
    hws_pages_bring(t->shared, 0, first);
    hws_pages_bring(r->shared, 0, first);
    t->there = first;
}

static uint8_t *begin_of(const struct hws_ring_tx *t, unsigned chunk)
{
    return t->shared->data + chunk * t->chunks.len;
}

/* The reader's progress is looked at only where it matters: its line is in the reader's cache. */
static bool is_free(struct hws_ring_chunks *c, const struct hws_ring_shared *s, unsigned chunk)
{
    if (c->head < c->until[chunk])
        c->head = __atomic_load_n(&s->head, __ATOMIC_ACQUIRE);
    return c->head >= c->until[chunk];
}

/* The next chunk belongs to the run. */
static void extend(struct hws_ring_tx *t)
{
    struct hws_ring_chunks *c = &t->chunks;
    uint8_t *end = begin_of(t, c->next + 1);
    hws_pages_ahead(t->shared, sizeof *t->shared + t->size, &t->there, (size_t)(end - (uint8_t *)t->shared));
    c->until[c->next] = t->pos + (uint64_t)(end - t->at);
    c->next++;
    c->n_row++;
    t->run = (size_t)(end - t->at) - HWS_GRAIN;
}

/* Whether the next chunk costs nothing: it is known to be free, and its pages are there. */
static bool is_at_hand(const struct hws_ring_tx *t)
{
    const struct hws_ring_chunks *c = &t->chunks;
    size_t end = (size_t)(begin_of(t, c->next + 1) - (uint8_t *)t->shared);
    return c->head >= c->until[c->next] && end <= t->there;
}

/* Takes following chunks until the run has `need` bytes, and those at hand, up to n_most chunks in all. */
static bool go_on(struct hws_ring_tx *t, size_t need, unsigned n_most)
{
    struct hws_ring_chunks *c = &t->chunks;
    while (c->n_row < n_most && c->next < c->n && (t->run < need ? is_free(c, t->shared, c->next) : is_at_hand(t)))
        extend(t);
    return t->run >= need;
}

/* The lowest of n free chunks in a row; c->n: there are none. */
static unsigned find(struct hws_ring_tx *t, unsigned n)
{
    struct hws_ring_chunks *c = &t->chunks;
    for (unsigned first = 0, at = 0; at < c->n; at++) {
        if (!is_free(c, t->shared, at))
            first = at + 1;
        else if (at + 1 - first == n)
            return first;
    }
    return c->n;
}

/* The run ends here, and another one begins at that chunk. */
static void jump(struct hws_ring_tx *t, unsigned chunk)
{
    struct hws_record *r = (struct hws_record *)(void *)t->at;
    uint8_t *to = begin_of(t, chunk);
    size_t rest = t->run + HWS_GRAIN;
    r->ctx = (uint32_t)rest;
    t->at = to;
    t->pos += rest;
    t->skipped += rest;
    t->chunks.next = chunk;
    t->chunks.n_row = 0;
    extend(t);
    __atomic_store_n(&((struct hws_record *)(void *)to)->word, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&r->word, (uint64_t)(to - t->shared->data) << 32 | HWS_RECORD_JUMP, __ATOMIC_RELEASE);
}

/* Chunks that a run has before lower ones are looked for. */
static unsigned row_of(const struct hws_ring_chunks *c, size_t need)
{
    if (need >= LONG_MIN)
        return c->n / LONG_ROW_PART;
    unsigned part = c->n / ROW_PART, middle = (unsigned)(MIDDLE_ROW / c->len);
    return need < MIDDLE_MIN || part < middle ? part : middle;
}

HWS_HOT bool hws_ring_make_room(struct hws_ring_tx *t, size_t need)
{
    struct hws_ring_chunks *c = &t->chunks;
    if (go_on(t, need, row_of(c, need)))
        return true;
    unsigned first = find(t, (unsigned)((need + HWS_GRAIN + c->len - 1) / c->len));
    if (first >= c->next && go_on(t, need, c->n)) /* nothing lower */
        return true;
    if (first == c->n)
        return false;
    jump(t, first);
    return go_on(t, need, c->n);
}
