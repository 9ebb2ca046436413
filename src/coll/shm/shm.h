/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shm: what the forms share that work in memory common to all ranks of a communicator (core/hosts/region.h):
 * barrier_shm.c and so on. They run at once, in the caller's thread, so they serve blocking calls only. Long data goes
 * in pieces, one turn each.
 */
#ifndef HWS_COLL_SHM_H
#define HWS_COLL_SHM_H

#include <string.h>

#include "base/copy.h"
#include "coll/schedule/call.h"
#include "core/hosts/region.h"
#include "core/object/fail.h"

/* Bytes [at, at + n) of d's packed stream, to or from memory. */
static inline void hws_shm_put(void *dst, struct hws_data d, uint64_t at, uint64_t n)
{
    if (d.layout)
        d.layout->pack(d.layout, d.base, at, dst, n);
    else if (n)
        hws_copy_long(dst, (const char *)d.base + at, n);
}

/* n bytes into a slot: HWS_LONG_ACROSS_MIN and more; any. */
void hws_shm_put_long(struct hws_region *r, void *dst, const void *src, uint64_t n);

static inline void hws_shm_put_bytes(struct hws_region *r, void *dst, const void *src, uint64_t n)
{
    if (n >= HWS_LONG_ACROSS_MIN)
        hws_shm_put_long(r, dst, src, n);
    else if (n)
        hws_copy_long(dst, src, n);
}

/* As hws_shm_put, into a slot that another member takes it from; NULL: this one does. */
static inline void hws_shm_put_slot(struct hws_region *r, void *dst, struct hws_data d, uint64_t at, uint64_t n)
{
    if (!r || d.layout)
        hws_shm_put(dst, d, at, n);
    else
        hws_shm_put_bytes(r, dst, (const char *)d.base + at, n);
}

static inline void hws_shm_get(struct hws_data d, uint64_t at, const void *src, uint64_t n)
{
    if (d.layout)
        d.layout->unpack(d.layout, d.base, at, src, n);
    else if (n)
        hws_copy_long((char *)d.base + at, src, n);
}

static inline uint64_t hws_shm_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Bytes of a piece of so many, the same at all members, where one member's next piece may go while others still take
 * this one. A quarter: all cells have one then, so ranks without a processor of their own need not run more often for
 * it. Not so few that turns cost more than they gain; most: what the caches keep between who puts and who takes. */
static inline uint64_t hws_shm_piece(const struct hws_region *r, uint64_t total, uint64_t most)
{
    uint64_t quarter = (total / HWS_REGION_CELLS + 4095) & ~(uint64_t)4095, least = 16u << 10;
    return hws_shm_min(hws_shm_min(quarter < least ? least : quarter, most), r->room);
}

/* The thread's sentence about class rc, cut to fit; its length. */
uint32_t hws_shm_put_words(uint8_t *dst, size_t room, int rc) __attribute__((cold));
/* The failure that a slot tells of. Its class. */
int hws_shm_failed_there(const struct hws_region_slot *s) __attribute__((cold));

/* MPI_ERR_TRUNCATE: what came from a rank is not as long as what is due here. */
int hws_shm_truncated(uint64_t got, int rank, uint64_t due);

/* What failed before at who fills the slot, rc: a class with the thread's sentence, which the takers' errors pass on.
 * It stands where the data would; room: for that. MPI_SUCCESS: nothing failed. */
static inline void hws_shm_put_failure(struct hws_region_slot *s, int rc, size_t room)
{
    s->error = (uint32_t)rc;
    s->words = 0;
    if (rc != MPI_SUCCESS)
        s->words = hws_shm_put_words(s->data, room, rc);
}

/* What failed where a slot's data comes from. MPI class. */
static inline int hws_shm_slot_class(const struct hws_region_slot *s)
{
    return s->bytes == HWS_SLOT_BAD && s->error ? hws_shm_failed_there(s) : MPI_SUCCESS;
}

/* Of a turn in which all take what all have put into their slots: says that this rank's is filled. */
static inline void hws_shm_come(struct hws_region *r, const struct hws_turn *t)
{
    if (r->n == 2)
        hws_region_meet_other(r, t, true, false);
    else if (hws_region_meet(r, t, NULL, NULL))
        hws_region_release(r, t, -1);
}

/* Then waits until all are. MPI class. */
static inline int hws_shm_await_all(struct hws_region *r, const struct hws_turn *t)
{
    return r->n == 2 ? hws_region_meet_other(r, t, false, true) : hws_region_await(r, t);
}

static inline int hws_shm_meet_all(struct hws_region *r, const struct hws_turn *t)
{
    hws_shm_come(r, t);
    return hws_shm_await_all(r, t);
}

/* Of a turn in which one member gives to all others: says that the slots are filled. Of two members that is said in the
 * giver's own slot, so what is given to the other one should be there. to: as hws_region_release. */
static inline void hws_shm_give(struct hws_region *r, const struct hws_turn *t, int to)
{
    if (r->n == 2)
        hws_region_meet_other(r, t, true, false);
    else
        hws_region_release(r, t, to);
}

/* Then waits until they are, at who takes. MPI class. */
static inline int hws_shm_await_giver(struct hws_region *r, const struct hws_turn *t)
{
    return r->n == 2 ? hws_region_meet_other(r, t, false, true) : hws_region_await(r, t);
}

/* Of a turn in which member `to` takes what all have put into their slots: waits there until they have. MPI class. */
static inline int hws_shm_meet_at(struct hws_region *r, const struct hws_turn *t, int to)
{
    if (r->n == 2)
        return hws_region_meet_other(r, t, r->me != to, r->me == to);
    if (hws_region_meet(r, t, NULL, NULL))
        hws_region_release(r, t, to);
    return r->me == to ? hws_region_await(r, t) : MPI_SUCCESS;
}

/* Parts of the forms in two levels (coll/levels); members count in the region. rc: what went wrong before at the member
 * that gives: the takers fail with it then. MPI class.
 *
 * pass: d of member `from` into d of member `to`, -1: of all others. At least one turn, also for no bytes. */
int hws_shm_pass(struct hws_region *r, int from, int to, struct hws_data d, int rc);
/* Blocks of all members: at `base`, one after another, or the blocks of a call's buffer; none: NULL, NULL. */
struct hws_shm_blocks {
    char *base;
    const struct hws_coll_call *call;
    uint64_t len;   /* bytes of each; with `vector` the longest that slots take, the same at all members: a longer one
                       goes as   a message, and only its length is in the slot */
    bool vector;    /* lengths differ; each member knows its own */
    bool in_place;  /* this member's own block stays where it is */
    bool open;      /* gather: this member knows no lengths: whatever comes is right */
    uint64_t *lens; /* lens[n] of a vector; gather into a call's blocks or open: as they come (or NULL); else given */
    const uint64_t *at; /* at[n]: where each one is at `base`; NULL: len bytes apart */
    const int *ranks;   /* ranks[n]: whose block of the call each member's is; NULL: 0, 1, 2, ... */
};

/* A host with a single rank has no region: r NULL; then blocks of a call are not moved, only looked at.
 *
 * gather: each one's data into the blocks of member `to`. Blocks of no bytes: that all have come. rc: what went wrong
 * before at `to`: it takes nothing. MPI class. */
int hws_shm_gather(struct hws_region *r, int to, struct hws_data mine, struct hws_shm_blocks into, int rc);
/* scatter: each one gets its block of member `from`. rc: what went wrong before at `from`: all fail with it. With
 * `vector`, lens of the others is one number: their block's length as `from` has it; HWS_SLOT_BAD: not known. MPI
 * class. */
int hws_shm_scatter(struct hws_region *r, int from, struct hws_shm_blocks blocks, struct hws_data mine, int rc);

/* The same for the blocks of a call, whose root counts in the region. longest: of blocks whose lengths differ and that
 * all fit slots, the bytes of the longest one, the same at all members; 0: they do not differ. rc: as above. */
int hws_shm_gather_call(struct hws_region *r, const struct hws_coll_call *a, uint64_t longest, int rc);
int hws_shm_scatter_call(struct hws_region *r, const struct hws_coll_call *a, uint64_t longest, int rc);

#endif
