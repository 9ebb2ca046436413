/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_memory: the temporary memory of a schedule: chunks that are handed out from front to back and go, or stay for
 * the next schedule, all at once.
 */
#include "coll/schedule/sched_priv.h"

#include <stdlib.h>

#include "core/object/fail.h"
#include "core/type/slice.h"

#define FIRST_BYTES 4096
#define TEMP_ALIGN  64

struct hws_sched_chunk {
    struct hws_sched_chunk *next;
    uint64_t used, cap; /* bytes */
    _Alignas(TEMP_ALIGN) char data[];
};

void hws_sched_no_memory(struct hws_sched *s, uint64_t bytes)
{
    if (s->fail.rc == MPI_SUCCESS)
        s->fail.rc = hws_fail(MPI_ERR_NO_MEM, "out of memory: a collective operation needs %llu bytes more",
                              (unsigned long long)bytes);
}

/* Of a new chunk: room for what is wanted and, in one that is kept, for all there is already, so that the next schedule
 * like this one needs no other (an allgather of 512 KiB: the pages of a chunk that came and went each time took most of
 * the time). */
static uint64_t room_of_chunk(const struct hws_sched *s, uint64_t want)
{
    uint64_t all = want;
    for (const struct hws_sched_chunk *c = s->held.chunks; c && all <= HWS_SCHED_KEEP_BYTES; c = c->next)
        all += c->used;
    if (all <= HWS_SCHED_KEEP_BYTES)
        want = all;
    return want > FIRST_BYTES ? want : FIRST_BYTES;
}

void *hws_sched_array(struct hws_sched *s, uint64_t bytes)
{
    uint64_t want = (bytes + TEMP_ALIGN - 1) & ~(uint64_t)(TEMP_ALIGN - 1);
    struct hws_sched_chunk *c = s->held.chunks;
    if (!c || c->cap - c->used < want) {
        uint64_t cap = room_of_chunk(s, want), len = sizeof *c + cap;
        c = want < bytes || len < want ? NULL : aligned_alloc(TEMP_ALIGN, len);
        if (!c) {
            hws_sched_no_memory(s, bytes);
            return s; /* an address to compute with, never used: start refuses */
        }
        c->used = 0;
        c->cap = cap;
        c->next = s->held.chunks;
        s->held.chunks = c;
    }
    void *p = c->data + c->used;
    c->used += want;
    return p;
}

void *hws_sched_temp(struct hws_sched *s, uint64_t bytes)
{
    return s->hollow ? s : hws_sched_array(s, bytes);
}

void *hws_sched_temp_typed(struct hws_sched *s, MPI_Count n, const struct hws_type *t)
{
    if (n <= 0)
        return hws_sched_temp(s, 1);
    MPI_Count span, low = t->true_lb; /* the lowest byte, seen from element 0's origin */
    if (__builtin_mul_overflow(n - 1, t->extent, &span) || span > INT64_MAX / 2 || span < -(INT64_MAX / 2)) {
        hws_sched_no_memory(s, UINT64_MAX);
        return s;
    }
    if (span < 0)
        low += span;
    char *mem = hws_sched_temp(s, (uint64_t)((span < 0 ? -span : span) + t->true_extent));
    return (void *)((uintptr_t)mem - (uintptr_t)low);
}

struct hws_data hws_sched_slice(struct hws_sched *s, struct hws_data whole, uint64_t at, uint64_t n)
{
    struct hws_slice *keep = whole.layout ? hws_sched_array(s, sizeof *keep) : NULL;
    if (s->fail.rc != MPI_SUCCESS)
        return whole;
    return hws_data_slice(whole, at, n, keep);
}

void hws_sched_trim(struct hws_sched *s, uint64_t keep_bytes)
{
    struct hws_sched_chunk *c = s->held.chunks, *kept = NULL;
    while (c) {
        struct hws_sched_chunk *next = c->next;
        if (c->cap <= keep_bytes && (!kept || c->cap > kept->cap)) {
            free(kept);
            kept = c;
            kept->used = 0;
            kept->next = NULL;
        } else {
            free(c);
        }
        c = next;
    }
    s->held.chunks = kept;
}
