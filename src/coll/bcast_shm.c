/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast in shared memory: the root puts a piece into its slot, and all others take it from there. The root does not
 * wait for them until it is out of cells, so pieces are a pipeline. Cost for m bytes: 2 m copied, one after the other for a
 * single piece.
 */
#include "coll/algorithm.h"
#include "coll/shm.h"

#define PIECE (64u << 10) /* bytes: half of them leave the first-level cache, all of them stay in the second */

static int pass_on(struct hws_region *r, const struct hws_coll_call *a, struct hws_data d, uint64_t at, uint64_t n)
{
    struct hws_turn t;
    int rc = hws_region_begin(r, false, true, r->me == a->root, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_slot *s = hws_region_slot(r, &t, a->root);
    if (r->me == a->root) {
        s->bytes = d.len_bytes;
        hws_shm_put(s->data, d, at, n);
        hws_region_release(r, &t, -1);
    } else if ((rc = hws_region_await(r, &t)) != MPI_SUCCESS) {
        return rc;
    } else if (s->bytes != d.len_bytes) {
        rc = hws_shm_truncated(s->bytes, a->root, d.len_bytes);
    } else {
        hws_shm_get(d, at, s->data, n);
    }
    hws_region_end(r, &t);
    return rc;
}

int hws_bcast_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_data d = hws_type_data(a->rt, a->rbuf, a->rn);
    uint64_t piece = hws_shm_min(PIECE, r->room);
    int rc = MPI_SUCCESS;
    for (uint64_t at = 0; at < d.len_bytes && rc == MPI_SUCCESS; at += piece)
        rc = pass_on(r, a, d, at, hws_shm_min(piece, d.len_bytes - at));
    return rc;
}
