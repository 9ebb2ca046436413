/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather in shared memory: each rank puts its block into its slot; when all have met, each takes the others'. Serves
 * MPI_Allgather and MPI_Allgatherv. Cost for blocks of m bytes: m copied in, (p - 1) m copied out by each rank.
 */
#include "base/hot.h"
#include "coll/select/algorithm.h"
#include "coll/shm/shm.h"

#define PIECE (64u << 10) /* bytes of a block */

/* Bytes [at, at + n), as far as there are such. */
static uint64_t part_of(uint64_t len, uint64_t at, uint64_t n)
{
    return at < len ? hws_shm_min(n, len - at) : 0;
}

static int take(const struct hws_region *r, const struct hws_coll_call *a, const struct hws_turn *t, int from,
                uint64_t at, uint64_t n)
{
    const struct hws_region_slot *s = hws_region_slot(r, t, from);
    struct hws_data d = hws_rblock(a, from);
    if (s->bytes != d.len_bytes)
        return hws_shm_truncated(s->bytes, from, d.len_bytes);
    hws_shm_get(d, at, s->data, part_of(d.len_bytes, at, n));
    return MPI_SUCCESS;
}

static int run_piece(struct hws_region *r, const struct hws_coll_call *a, struct hws_data mine, uint64_t at, uint64_t n)
{
    struct hws_turn t;
    int rc = hws_region_begin(r, true, true, true, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    uint64_t part = part_of(mine.len_bytes, at, n);
    struct hws_region_slot *own = hws_region_own(r, &t, part);
    own->bytes = mine.len_bytes;
    hws_shm_put(own->data, mine, at, part);
    hws_shm_come(r, &t);
    int one = hws_coll_in_place(a->sbuf) ? MPI_SUCCESS : take(r, a, &t, r->me, at, n); /* while others come */
    rc = hws_shm_await_all(r, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = one;
    for (int k = 1; k < r->n; k++) { /* each begins with another one's */
        one = take(r, a, &t, r->me + k < r->n ? r->me + k : r->me + k - r->n, at, n);
        rc = one != MPI_SUCCESS ? one : rc;
    }
    hws_region_end(r, &t);
    return rc;
}

/* All go through all pieces, also after one that failed: it may not have failed at each of them. */
HWS_HOT int hws_allgather_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_data mine = hws_coll_in_place(a->sbuf) ? hws_rblock(a, r->me) : hws_type_data(a->st, a->sbuf, a->sn);
    uint64_t piece = hws_shm_min(PIECE, r->room), longest = 0;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < (a->rcounts.p ? r->n : 1); i++) {
        uint64_t len = hws_rblock(a, i).len_bytes;
        longest = len > longest ? len : longest;
    }
    for (uint64_t at = 0; at < longest && !r->broken; at += piece) {
        int one = run_piece(r, a, mine, at, piece);
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    return rc;
}
