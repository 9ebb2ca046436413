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
/* gather: len bytes of each, one after another, into `into` at member 0; for nothing but to know that all have come: 0. */
int hws_shm_gather(struct hws_region *r, struct hws_data mine, uint64_t len, void *into);
/* scatter: len bytes of member 0's `from` for each. */
int hws_shm_scatter(struct hws_region *r, const void *from, uint64_t len, struct hws_data mine, int rc);

#endif
