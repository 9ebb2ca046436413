/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall in shared memory: each rank puts the blocks for all others into its slot; when all have met, each takes what
 * is for it. Cost for blocks of m bytes: (p-1) m copied in and out by each rank, and its own block once. What a slot
 * can't take goes in pieces of each block.
 */
#include "base/hot.h"
#include "coll/select/algorithm.h"
#include "coll/shm/shm.h"

struct piece {
    uint64_t at, n;  /* bytes of each block */
    uint64_t stride; /* of the blocks in a slot */
};

/* Where member `from`'s slot has the block for `to`. */
static uint64_t place_of(const struct piece *p, int from, int to)
{
    return (uint64_t)(to < from ? to : to - 1) * p->stride;
}

static void put(const struct hws_region *r, const struct hws_coll_call *a, struct hws_region_slot *own,
                const struct piece *p)
{
    bool in_place = hws_coll_in_place(a->sbuf);
    for (int to = 0; to < r->n; to++) {
        struct hws_data d = in_place ? hws_rblock(a, to) : hws_sblock(a, to);
        own->bytes = d.len_bytes;
        if (to != r->me && p->at < d.len_bytes)
            hws_shm_put(own->data + place_of(p, r->me, to), d, p->at, hws_shm_min(p->n, d.len_bytes - p->at));
    }
}

/* The own block, all of it with the first piece. */
static int take_near(const struct hws_region *r, const struct hws_coll_call *a, const struct piece *p)
{
    struct hws_data from = hws_coll_in_place(a->sbuf) ? hws_rblock(a, r->me) : hws_sblock(a, r->me);
    struct hws_data to = hws_rblock(a, r->me);
    if (from.len_bytes != to.len_bytes)
        return hws_shm_truncated(from.len_bytes, r->me, to.len_bytes);
    if (p->at == 0 && !hws_coll_in_place(a->sbuf))
        hws_data_copy(from, to);
    return MPI_SUCCESS;
}

static int take(const struct hws_region *r, const struct hws_coll_call *a, const struct hws_turn *t,
                const struct piece *p)
{
    int rc = take_near(r, a, p);
    for (int k = 1; k < r->n; k++) { /* each begins with another one's */
        int from = r->me + k < r->n ? r->me + k : r->me + k - r->n;
        const struct hws_region_slot *s = hws_region_slot(r, t, from);
        struct hws_data d = hws_rblock(a, from);
        if (s->bytes == d.len_bytes)
            hws_shm_get(d, p->at, s->data + place_of(p, from, r->me), p->n);
        else
            rc = hws_shm_truncated(s->bytes, from, d.len_bytes);
    }
    return rc;
}

static int run_piece(struct hws_region *r, const struct hws_coll_call *a, const struct piece *p)
{
    struct hws_turn t;
    int rc = hws_region_begin(r, true, true, true, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    put(r, a, hws_region_own(r, &t, place_of(p, 0, r->n)), p);
    rc = hws_shm_meet_all(r, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = take(r, a, &t, p);
    hws_region_end(r, &t);
    return rc;
}

HWS_HOT int hws_alltoall_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    uint64_t block = hws_rblock(a, 0).len_bytes, fits = r->room / (uint64_t)(r->n > 1 ? r->n - 1 : 1);
    int rc = MPI_SUCCESS;
    for (uint64_t at = 0; at < block && rc == MPI_SUCCESS; at += fits) {
        struct piece p = {.at = at, .n = hws_shm_min(fits, block - at), .stride = hws_shm_min(fits, block)};
        rc = run_piece(r, a, &p);
    }
    return rc;
}
