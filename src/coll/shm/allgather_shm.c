/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather in shared memory: each rank puts its block into its slot; when all have met, each takes the others'. Serves
 * MPI_Allgather and MPI_Allgatherv. Cost for blocks of m bytes: m copied in, (p - 1) m copied out by each rank.
 * Long blocks may stay where they are (direct.h).
 */
#include "base/hot.h"
#include "coll/schedule/data.h"
#include "coll/select/algorithm.h"
#include "coll/shm/direct.h"
#include "coll/shm/shm.h"

#define PIECE (64u << 10) /* bytes of a block */

/* Bytes [at, at + n), as far as there are such. */
static uint64_t part_of(uint64_t len, uint64_t at, uint64_t n)
{
    return at < len ? hws_shm_min(n, len - at) : 0;
}

/* One call: direct NULL: no block is long. */
struct gather {
    struct hws_region *r;
    const struct hws_coll_call *a;
    struct hws_data mine;
    struct hws_direct_call *direct;
};

/* A block that stays where it is, all of it with the first piece. */
static void take_offer(const struct gather *g, const struct hws_region_slot *s, int from, uint64_t at)
{
    if (at == 0 && from == g->r->me)
        hws_data_copy(g->mine, hws_rblock(g->a, from));
    else if (at == 0)
        hws_direct_read(g->direct, g->r, from, s, 0, hws_rblock(g->a, from));
}

static int take(const struct gather *g, const struct hws_turn *t, int from, uint64_t at, uint64_t n)
{
    const struct hws_region_slot *s = hws_region_slot(g->r, t, from);
    struct hws_data d = hws_rblock(g->a, from);
    bool is_offer = g->direct && hws_direct_is_offer(s);
    if (is_offer)
        g->direct->was_offered = true;
    if (s->bytes != d.len_bytes)
        return hws_shm_truncated(s->bytes, from, d.len_bytes);
    if (is_offer)
        take_offer(g, s, from, at);
    else
        hws_shm_get(d, at, s->data, part_of(d.len_bytes, at, n));
    return MPI_SUCCESS;
}

static void give(const struct gather *g, const struct hws_turn *t, uint64_t at, uint64_t n)
{
    bool offers = g->direct && g->direct->offers && !g->mine.layout;
    uint64_t part = offers ? 0 : part_of(g->mine.len_bytes, at, n);
    struct hws_region_slot *own = hws_region_own(g->r, t, part);
    if (offers) {
        hws_direct_offer(g->direct, own, g->mine, 0);
        return;
    }
    own->bytes = g->mine.len_bytes;
    own->words = 0;
    hws_shm_put_slot(g->r, own->data, g->mine, at, part);
}

/* *n_offers: of the blocks, how many stay where they are. */
static int run_piece(const struct gather *g, uint64_t at, uint64_t n, int *n_offers)
{
    struct hws_region *r = g->r;
    struct hws_turn t;
    int rc = hws_region_begin(r, true, true, true, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    give(g, &t, at, n);
    hws_shm_come(r, &t);
    int one = hws_coll_in_place(g->a->sbuf) ? MPI_SUCCESS : take(g, &t, r->me, at, n); /* while others come */
    rc = hws_shm_await_all(r, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = one;
    for (int k = 1; k < r->n; k++) { /* each begins with another one's */
        one = take(g, &t, r->me + k < r->n ? r->me + k : r->me + k - r->n, at, n);
        rc = one != MPI_SUCCESS ? one : rc;
    }
    *n_offers = 0;
    for (int i = 0; g->direct && i < r->n; i++)
        *n_offers += hws_direct_is_offer(hws_region_slot(r, &t, i));
    hws_region_end(r, &t);
    return rc;
}

/* All go through all pieces, also after one that failed: it may not have failed at each of them. */
HWS_HOT static int run_pieces(const struct gather *g, uint64_t longest)
{
    uint64_t piece = hws_shm_min(PIECE, g->r->room);
    int rc = MPI_SUCCESS, n_offers = 0;
    for (uint64_t at = 0; at < longest && !g->r->broken && n_offers < g->r->n; at += piece) {
        int one = run_piece(g, at, piece, &n_offers);
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    return rc;
}

static int run_long(struct gather *g, uint64_t longest)
{
    struct hws_direct_call c;
    bool again;
    g->direct = &c;
    hws_direct_begin(&c, g->r, HWS_DIRECT_ALLGATHER, longest);
    int rc = hws_direct_end(&c, g->r, run_pieces(g, longest), &again);
    g->direct = NULL;
    return again ? run_pieces(g, longest) : rc;
}

HWS_HOT int hws_allgather_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_data mine = hws_coll_in_place(a->sbuf) ? hws_rblock(a, r->me) : hws_type_data(a->st, a->sbuf, a->sn);
    struct gather g = {.r = r, .a = a, .mine = mine};
    uint64_t longest = 0;
    for (int i = 0; i < (a->rcounts.p ? r->n : 1); i++) {
        uint64_t len = hws_rblock(a, i).len_bytes;
        longest = len > longest ? len : longest;
    }
    return longest >= HWS_DIRECT_MIN ? run_long(&g, longest) : run_pieces(&g, longest);
}
