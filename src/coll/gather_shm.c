/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gather and scatter in shared memory: by slots, a piece of each block in a turn. In a gather members give their data and go
 * on, only the root waits; in a scatter the root fills all slots and goes on. Cost for blocks of m bytes: p m copied by the
 * root, m by each other.
 */
#include "coll/algorithm.h"
#include "coll/shm.h"
#include "core/fail.h"

/* A piece of every block. */
struct piece {
    uint64_t at, n;
};

static bool is_there(struct hws_data mine)
{
    return !mine.base && !mine.layout && mine.len_bytes == 0;
}

/* ---- gather ------------------------------------------------------------------------------------------------------- */

static void take_block(const struct hws_shm_blocks *b, int i, struct piece p, const void *src)
{
    if (b->call)
        hws_shm_get(hws_rblock(b->call, i), p.at, src, p.n);
    else if (p.n)
        memcpy(b->base + (uint64_t)i * b->len + p.at, src, p.n);
}

static int collect(const struct hws_region *r, const struct hws_turn *t, const struct hws_shm_blocks *b, struct piece p,
                   bool skip_own)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < r->n; i++) {
        const struct hws_slot *s = hws_region_slot(r, t, i);
        if (s->bytes != b->len)
            rc = hws_shm_truncated(s->bytes, i, b->len);
        else if (i != r->me || !skip_own)
            take_block(b, i, p, s->data);
    }
    return rc;
}

static int gather_piece(struct hws_region *r, int to, struct hws_data mine, const struct hws_shm_blocks *b, struct piece p)
{
    struct hws_turn t;
    bool skip_own = b->len > 0 && is_there(mine);
    int rc = hws_region_begin(r, false, true, true, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_slot *own = hws_region_slot(r, &t, r->me);
    own->bytes = skip_own ? b->len : mine.len_bytes;
    if (mine.len_bytes == b->len)
        hws_shm_put(own->data, mine, p.at, p.n);
    if (hws_region_meet(r, &t, NULL, NULL))
        hws_region_release(r, &t, to);
    if (r->me == to) {
        if ((rc = hws_region_await(r, &t)) != MPI_SUCCESS)
            return rc;
        rc = collect(r, &t, b, p, skip_own);
    }
    hws_region_end(r, &t);
    return rc;
}

/* The root goes through all pieces also after one that failed: the others do not know of it. */
int hws_shm_gather(struct hws_region *r, int to, struct hws_data mine, struct hws_shm_blocks into)
{
    struct piece p = {0, 0};
    int rc = MPI_SUCCESS;
    do {
        p.n = hws_shm_min(r->room, into.len - p.at);
        int one = gather_piece(r, to, mine, &into, p);
        rc = rc == MPI_SUCCESS ? one : rc;
        p.at += r->room;
    } while (p.at < into.len && !r->broken);
    return rc;
}

int hws_gather_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    bool root = r->me == a->root;
    struct hws_data mine = root && hws_coll_in_place(a->sbuf) ? hws_bytes(NULL, 0) : hws_type_data(a->st, a->sbuf, a->sn);
    struct hws_shm_blocks into = {NULL, root ? a : NULL, root ? hws_rblock(a, 0).len_bytes : mine.len_bytes};
    return into.len ? hws_shm_gather(r, a->root, mine, into) : MPI_SUCCESS;
}

/* ---- scatter ------------------------------------------------------------------------------------------------------ */

static void give_block(const struct hws_shm_blocks *b, int i, struct piece p, void *dst)
{
    if (b->call)
        hws_shm_put(dst, hws_sblock(b->call, i), p.at, p.n);
    else if (p.n)
        memcpy(dst, b->base + (uint64_t)i * b->len + p.at, p.n);
}

static void deal(const struct hws_region *r, const struct hws_turn *t, const struct hws_shm_blocks *b, struct piece p, int rc)
{
    for (int i = 0; i < r->n; i++) {
        struct hws_slot *s = hws_region_slot(r, t, i);
        s->bytes = rc == MPI_SUCCESS ? b->len : HWS_SLOT_BAD;
        s->error = (uint64_t)rc;
        if (rc == MPI_SUCCESS)
            give_block(b, i, p, s->data);
    }
}

static int take(const struct hws_slot *s, int from, struct hws_data mine, struct piece p)
{
    if (s->bytes == HWS_SLOT_BAD && s->error)
        return hws_fail((int)s->error, "the collective operation failed at another rank of this host");
    if (is_there(mine))
        return MPI_SUCCESS;
    if (s->bytes != mine.len_bytes)
        return hws_shm_truncated(s->bytes, from, mine.len_bytes);
    hws_shm_get(mine, p.at, s->data, p.n);
    return MPI_SUCCESS;
}

/* *total: bytes of a block as the root has them; 0 ends it. */
static int scatter_piece(struct hws_region *r, int from, const struct hws_shm_blocks *b, struct hws_data mine, uint64_t at,
                         uint64_t *total, int rc)
{
    struct hws_turn t;
    struct piece p = {at, hws_shm_min(r->room, b->len - at)};
    int err = hws_region_begin(r, false, true, r->me == from, &t);
    if (err != MPI_SUCCESS)
        return err;
    if (r->me == from) {
        deal(r, &t, b, p, rc);
        hws_region_release(r, &t, -1);
    } else if ((err = hws_region_await(r, &t)) != MPI_SUCCESS) {
        return err;
    }
    const struct hws_slot *s = hws_region_slot(r, &t, r->me);
    *total = s->bytes == HWS_SLOT_BAD ? 0 : s->bytes;
    err = rc == MPI_SUCCESS ? take(s, from, mine, p) : rc;
    hws_region_end(r, &t);
    return err;
}

int hws_shm_scatter(struct hws_region *r, int from, struct hws_shm_blocks blocks, struct hws_data mine, int rc)
{
    uint64_t at = 0, total = blocks.len;
    do {
        rc = scatter_piece(r, from, &blocks, mine, at, &total, rc);
        at += r->room;
    } while (at < total && !r->broken);
    return rc;
}

int hws_scatter_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    bool root = r->me == a->root;
    struct hws_data mine = root && hws_coll_in_place(a->rbuf) ? hws_bytes(NULL, 0) : hws_type_data(a->rt, a->rbuf, a->rn);
    struct hws_shm_blocks blocks = {NULL, root ? a : NULL, root ? hws_sblock(a, 0).len_bytes : mine.len_bytes};
    return blocks.len ? hws_shm_scatter(r, a->root, blocks, mine, MPI_SUCCESS) : MPI_SUCCESS;
}
