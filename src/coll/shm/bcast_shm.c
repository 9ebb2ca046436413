/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast in shared memory: the root puts a piece into a slot, and all others take it from there. The root does not
 * wait for them until it is out of cells, so pieces are a pipeline. Cost for m bytes: 2 m copied, one after the other
 * for a single piece.
 */
#include "base/hot.h"
#include "coll/select/algorithm.h"
#include "coll/shm/shm.h"
#include "core/object/fail.h"

/* Bytes: pieces that stay in the second-level cache, and few enough that ranks without a processor of their own do not
 * have to run often. */
#define PIECE (64u << 10)

/* One slot serves whoever gives: it shares its page with the word that says that the turn is ready. Of two members it
 * is the giver's, where that word is (hws_shm_give). */
static struct hws_region_slot *slot_of(const struct hws_region *r, const struct hws_turn *t, int from)
{
    return hws_region_slot(r, t, r->n == 2 ? from : 0);
}

/* What the root knows of a failure stands in the slot instead of data. */
static void give(struct hws_region *r, const struct hws_turn *t, struct hws_data d, uint64_t at, uint64_t n, int to,
                 int rc)
{
    struct hws_region_slot *s = slot_of(r, t, r->me);
    s->bytes = rc == MPI_SUCCESS ? d.len_bytes : HWS_SLOT_BAD;
    hws_shm_put_failure(s, rc, r->room);
    if (rc == MPI_SUCCESS)
        hws_shm_put(s->data, d, at, n);
    hws_shm_give(r, t, to);
}

static int failed(const struct hws_region_slot *s, int from, uint64_t due)
{
    int rc = hws_shm_slot_class(s);
    return rc == MPI_SUCCESS ? hws_shm_truncated(s->bytes, from, due) : rc;
}

static int take(const struct hws_region_slot *s, struct hws_data d, uint64_t at, uint64_t n, int from)
{
    if (s->bytes != d.len_bytes)
        return failed(s, from, d.len_bytes);
    hws_shm_get(d, at, s->data, n);
    return MPI_SUCCESS;
}

/* One piece. *total: the bytes of all pieces, to all as the giver has them, who may have others than are due here; 0
 * ends it. A taker that has failed already takes nothing. */
static int pass_piece(struct hws_region *r, int from, int to, struct hws_data d, uint64_t at, uint64_t *total, int rc)
{
    struct hws_turn t;
    uint64_t n = hws_shm_min(hws_shm_min(PIECE, r->room), d.len_bytes - at);
    int err = hws_region_begin(r, false, true, r->me == from, &t);
    if (err != MPI_SUCCESS)
        return err;
    if (r->me == from) {
        give(r, &t, d, at, n, to, rc);
    } else if (to < 0 || r->me == to) {
        if ((err = hws_shm_await_giver(r, &t)) != MPI_SUCCESS)
            return err;
        const struct hws_region_slot *s = slot_of(r, &t, from);
        if (to < 0)
            *total = s->bytes == HWS_SLOT_BAD ? 0 : s->bytes;
        rc = rc == MPI_SUCCESS ? take(s, d, at, n, from) : rc;
    }
    hws_region_end(r, &t);
    return rc;
}

HWS_HOT int hws_shm_pass(struct hws_region *r, int from, int to, struct hws_data d, int rc)
{
    uint64_t piece = hws_shm_min(PIECE, r->room), at = 0, total = d.len_bytes;
    if (to < 0 && r->me == from && rc != MPI_SUCCESS)
        total = 0; /* the others see it; where they do not look, all go through all pieces */
    do {
        rc = pass_piece(r, from, to, d, at, &total, rc);
        at += piece;
    } while (at < total && !r->broken);
    return rc;
}

HWS_HOT int hws_bcast_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_data d = hws_type_data(a->rt, a->rbuf, a->rn);
    return d.len_bytes ? hws_shm_pass(r, a->root, -1, d, MPI_SUCCESS) : MPI_SUCCESS;
}
