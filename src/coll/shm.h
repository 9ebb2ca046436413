/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shm: what the forms share that work in memory common to all ranks of a communicator (core/region.h): barrier_shm.c and
 * so on. They run at once, in the caller's thread, so they serve blocking calls only. Long data goes in pieces, one turn
 * each.
 */
#ifndef HWS_COLL_SHM_H
#define HWS_COLL_SHM_H

#include <string.h>

#include "coll/call.h"
#include "core/region.h"

/* Bytes [at, at + n) of d's packed stream, to or from memory. */
static inline void hws_shm_put(void *dst, struct hws_data d, uint64_t at, uint64_t n)
{
    if (d.layout)
        d.layout->pack(d.layout, d.base, at, dst, n);
    else if (n)
        memcpy(dst, (const char *)d.base + at, n);
}

static inline void hws_shm_get(struct hws_data d, uint64_t at, const void *src, uint64_t n)
{
    if (d.layout)
        d.layout->unpack(d.layout, d.base, at, src, n);
    else if (n)
        memcpy((char *)d.base + at, src, n);
}

static inline uint64_t hws_shm_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* MPI_ERR_TRUNCATE: what came from a rank is not as long as what is due here. */
int hws_shm_truncated(uint64_t got, int rank, uint64_t due);

/* Waits until all have put what they have into the turn's slots. MPI class. */
static inline int hws_shm_meet_all(struct hws_region *r, const struct hws_turn *t)
{
    if (hws_region_meet(r, t, NULL, NULL))
        hws_region_release(r, t, -1);
    return hws_region_await(r, t);
}

/* Parts of the forms in two levels (two_level.c); members count in the region. rc: what went wrong before at the member that
 * gives: the takers fail with it then. MPI class.
 *
 * pass: d of member `from` into d of member `to`, -1: of all others. At least one turn, also for no bytes. */
int hws_shm_pass(struct hws_region *r, int from, int to, struct hws_data d, int rc);
/* Blocks of len bytes of all members: at `base`, one after another, or the blocks of a call's buffer; none: NULL, NULL. */
struct hws_shm_blocks {
    char *base;
    const struct hws_coll_call *call;
    uint64_t len;
};

/* gather: each one's data (base NULL: what it gives is there already, in place) into the blocks of member `to`. Blocks of no
 * bytes: that all have come. */
int hws_shm_gather(struct hws_region *r, int to, struct hws_data mine, struct hws_shm_blocks into);
/* scatter: each one gets its block of member `from` (base NULL: it leaves it there, in place). */
int hws_shm_scatter(struct hws_region *r, int from, struct hws_shm_blocks blocks, struct hws_data mine, int rc);

#endif
