/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall in shared memory: each rank puts the blocks for all others into its slot; when all have met, each takes what
 * is for it. Cost for blocks of m bytes: (p-1) m copied in and out by each rank, and its own block once. What a slot
 * can't take goes in pieces of each block. Long blocks may stay where they are (direct.h).
 */
#include "base/hot.h"
#include "coll/select/algorithm.h"
#include "coll/shm/direct.h"
#include "coll/shm/shm.h"

struct piece {
    uint64_t at, n;                 /* bytes of each block */
    uint64_t stride;                /* of the blocks in a slot */
    int n_offers;                   /* members whose blocks stay where they are, in the last turn */
    struct hws_direct_call *direct; /* NULL: blocks are short */
};

/* Where member `from`'s slot has the block for `to`. */
static uint64_t place_of(const struct piece *p, int from, int to)
{
    return (uint64_t)(to < from ? to : to - 1) * p->stride;
}

/* Blocks in one piece, which are not written meanwhile. */
static bool offers(const struct hws_coll_call *a, const struct piece *p)
{
    return p->direct && p->direct->offers && !hws_coll_in_place(a->sbuf) && !hws_sblock(a, 0).layout;
}

static void put(struct hws_region *r, const struct hws_coll_call *a, struct hws_region_slot *own, const struct piece *p)
{
    bool in_place = hws_coll_in_place(a->sbuf);
    own->words = 0;
    if (offers(a, p)) {
        hws_direct_offer(p->direct, own, hws_sblock(a, 0), (uint64_t)(a->sn * a->st->extent));
        return;
    }
    for (int to = 0; to < r->n; to++) {
        struct hws_data d = in_place ? hws_rblock(a, to) : hws_sblock(a, to);
        own->bytes = d.len_bytes;
        if (to != r->me && p->at < d.len_bytes)
            hws_shm_put_slot(r, own->data + place_of(p, r->me, to), d, p->at, hws_shm_min(p->n, d.len_bytes - p->at));
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

static void take_far(const struct hws_region *r, int from, const struct hws_region_slot *s, struct hws_data d,
                     const struct piece *p)
{
    if (!p->direct || !hws_direct_is_offer(s))
        hws_shm_get(d, p->at, s->data + place_of(p, from, r->me), p->n);
    else if (p->at == 0)
        hws_direct_read(p->direct, r, from, s, (uint64_t)r->me, d);
}

static void count_offers(const struct hws_region *r, const struct hws_turn *t, struct piece *p)
{
    p->n_offers = 0;
    for (int i = 0; p->direct && i < r->n; i++)
        p->n_offers += hws_direct_is_offer(hws_region_slot(r, t, i));
    if (p->n_offers > 0)
        p->direct->was_offered = true;
}

static int take(const struct hws_region *r, const struct hws_coll_call *a, const struct hws_turn *t, struct piece *p)
{
    int rc = take_near(r, a, p);
    count_offers(r, t, p);
    for (int k = 1; k < r->n; k++) { /* each begins with another one's */
        int from = r->me + k < r->n ? r->me + k : r->me + k - r->n;
        const struct hws_region_slot *s = hws_region_slot(r, t, from);
        struct hws_data d = hws_rblock(a, from);
        if (s->bytes == d.len_bytes)
            take_far(r, from, s, d, p);
        else
            rc = hws_shm_truncated(s->bytes, from, d.len_bytes);
    }
    return rc;
}

static int run_piece(struct hws_region *r, const struct hws_coll_call *a, struct piece *p)
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

HWS_HOT static int run_pieces(struct hws_region *r, const struct hws_coll_call *a, uint64_t block,
                              struct hws_direct_call *c)
{
    uint64_t fits = r->room / (uint64_t)(r->n > 1 ? r->n - 1 : 1);
    struct piece p = {.stride = hws_shm_min(fits, block), .direct = c};
    int rc = MPI_SUCCESS;
    for (; p.at < block && rc == MPI_SUCCESS && p.n_offers < r->n; p.at += fits) {
        p.n = hws_shm_min(fits, block - p.at);
        rc = run_piece(r, a, &p);
    }
    return rc;
}

static int run_long(struct hws_region *r, const struct hws_coll_call *a, uint64_t block)
{
    struct hws_direct_call c;
    bool again;
    hws_direct_begin(&c, r, HWS_DIRECT_ALLTOALL, block);
    int rc = hws_direct_end(&c, r, run_pieces(r, a, block, &c), &again);
    return again ? run_pieces(r, a, block, NULL) : rc;
}

HWS_HOT int hws_alltoall_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    uint64_t block = hws_rblock(a, 0).len_bytes;
    return block >= HWS_DIRECT_MIN ? run_long(r, a, block) : run_pieces(r, a, block, NULL);
}
