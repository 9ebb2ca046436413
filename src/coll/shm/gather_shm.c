/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gather and scatter in shared memory: by slots, a piece of each block in a turn. In a gather members give their data
 * and go on, only the root waits; in a scatter the root fills all slots and goes on. Cost for blocks of m bytes: p m
 * copied by the root, m by each other.
 */
#include "base/copy.h"
#include "coll/schedule/data.h"
#include "coll/select/algorithm.h"
#include "coll/shm/shm.h"
#include "core/object/fail.h"

#define PIECE (64u << 10) /* bytes at most, of a scatter */

/* A piece of every block. */
struct piece {
    uint64_t at, n;
};

static int index_of(const struct hws_shm_blocks *b, int i)
{
    return b->ranks ? b->ranks[i] : i;
}

static char *place_of(const struct hws_shm_blocks *b, int i, uint64_t at)
{
    return b->base + (b->at ? b->at[i] : (uint64_t)i * b->len) + at;
}

/* As much of the piece as a block of len bytes has; nothing of one that does not go through slots. */
static uint64_t part_of(const struct hws_shm_blocks *b, struct piece p, uint64_t len)
{
    return len > b->len || p.at >= len ? 0 : hws_shm_min(p.n, len - p.at);
}

/* ---- gather ------------------------------------------------------------------------------------------------------ */

static uint64_t due_from(const struct hws_shm_blocks *b, int i, uint64_t came)
{
    if (!b->vector)
        return b->len;
    if (b->open)
        return came;
    return b->call ? hws_rblock(b->call, index_of(b, i)).len_bytes : b->lens[i];
}

static void take_block(const struct hws_shm_blocks *b, int i, uint64_t at, uint64_t n, const void *src)
{
    if (b->call)
        hws_shm_get(hws_rblock(b->call, index_of(b, i)), at, src, n);
    else if (n)
        hws_copy_long(place_of(b, i, at), src, n);
}

/* Whether the block of a call's root, which is here, passes by the slots. */
static bool is_near(const struct hws_shm_blocks *b)
{
    return b->call;
}

/* The root's own block of a call: all of it with the first piece, unless the caller copies it, as it does long ones of
 * a vector. */
static int take_near(const struct hws_shm_blocks *b, int i, struct hws_data mine, uint64_t at)
{
    struct hws_data d = hws_rblock(b->call, index_of(b, i));
    if (mine.len_bytes != d.len_bytes)
        return hws_shm_truncated(mine.len_bytes, index_of(b, i), d.len_bytes);
    if (at == 0 && d.len_bytes <= b->len)
        hws_data_copy(mine, d);
    return MPI_SUCCESS;
}

static int collect(const struct hws_region *r, const struct hws_turn *t, const struct hws_shm_blocks *b, struct piece p)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < r->n; i++) {
        const struct hws_region_slot *s = hws_region_slot(r, t, i);
        if (b->lens && (b->open || b->call))
            b->lens[i] = s->bytes;
        if (i == r->me && is_near(b))
            continue;
        uint64_t due = due_from(b, i, s->bytes);
        if (s->bytes != due)
            rc = hws_shm_truncated(s->bytes, index_of(b, i), due);
        else if (i != r->me || !b->in_place)
            take_block(b, i, p.at, part_of(b, p, due), s->data);
    }
    return rc;
}

static int gather_piece(struct hws_region *r, int to, struct hws_data mine, const struct hws_shm_blocks *b,
                        struct piece p, int rc)
{
    struct hws_turn t;
    int err = hws_region_begin(r, false, true, true, &t);
    if (err != MPI_SUCCESS)
        return err;
    bool near = r->me == to && is_near(b);
    uint64_t part = near || b->in_place ? 0 : part_of(b, p, mine.len_bytes);
    struct hws_region_slot *own = hws_region_own(r, &t, part);
    own->bytes = b->in_place ? due_from(b, r->me, 0) : mine.len_bytes;
    if (near && !b->in_place && rc == MPI_SUCCESS)
        rc = take_near(b, r->me, mine, p.at);
    else if (part)
        hws_shm_put_slot(r->me == to ? NULL : r, own->data, mine, p.at, part);
    if ((err = hws_shm_meet_at(r, &t, to)) != MPI_SUCCESS)
        return err;
    if (r->me == to && rc == MPI_SUCCESS)
        rc = collect(r, &t, b, p);
    hws_region_end(r, &t);
    return rc;
}

static int gather_alone(struct hws_data mine, const struct hws_shm_blocks *b, int rc)
{
    if (b->lens && (b->open || b->call))
        b->lens[0] = mine.len_bytes;
    if (rc != MPI_SUCCESS || b->in_place)
        return rc;
    uint64_t due = due_from(b, 0, mine.len_bytes);
    if (mine.len_bytes != due)
        return hws_shm_truncated(mine.len_bytes, index_of(b, 0), due);
    if (b->base)
        hws_shm_put(place_of(b, 0, 0), mine, 0, due > b->len ? 0 : due);
    return rc;
}

/* The root goes through all pieces also after one that failed: the others do not know of it. */
int hws_shm_gather(struct hws_region *r, int to, struct hws_data mine, struct hws_shm_blocks into, int rc)
{
    struct piece p = {0, 0};
    if (!r)
        return gather_alone(mine, &into, rc);
    do {
        p.n = hws_shm_min(r->room, into.len - p.at);
        int one = gather_piece(r, to, mine, &into, p, rc);
        rc = rc == MPI_SUCCESS ? one : rc;
        p.at += r->room;
    } while (p.at < into.len && !r->broken);
    return rc;
}

int hws_shm_gather_call(struct hws_region *r, const struct hws_coll_call *a, uint64_t longest, int rc)
{
    bool root = r->me == a->root;
    struct hws_shm_blocks into = {.call = root ? a : NULL, .in_place = root && hws_coll_in_place(a->sbuf)};
    struct hws_data mine = into.in_place ? hws_bytes(NULL, 0) : hws_type_data(a->st, a->sbuf, a->sn);
    into.vector = longest > 0;
    into.len = longest > 0 ? longest : root ? hws_rblock(a, 0).len_bytes : mine.len_bytes;
    return into.len ? hws_shm_gather(r, a->root, mine, into, rc) : rc;
}

int hws_gather_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return hws_shm_gather_call(r, a, 0, MPI_SUCCESS);
}

/* ---- scatter ----------------------------------------------------------------------------------------------------- */

static uint64_t len_for(const struct hws_shm_blocks *b, int i)
{
    if (!b->vector)
        return b->len;
    return b->call ? hws_sblock(b->call, index_of(b, i)).len_bytes : b->lens[i];
}

static void give_block(struct hws_region *r, const struct hws_shm_blocks *b, int i, uint64_t at, uint64_t n, void *dst)
{
    if (b->call)
        hws_shm_put_slot(r, dst, hws_sblock(b->call, index_of(b, i)), at, n);
    else
        hws_shm_put_slot(r, dst, hws_bytes(place_of(b, i, at), n), 0, n);
}

/* Where the root puts a member's block: of two, the other one's stands in the root's slot (hws_shm_give). */
static struct hws_region_slot *slot_for(const struct hws_region *r, const struct hws_turn *t, int i)
{
    return hws_region_slot(r, t, r->n == 2 ? 1 - i : i);
}

/* The root's own block of a call: all of it behind the last piece, as others wait for pieces; so they have got theirs
 * also where its length is not what is due. */
static int give_near(const struct hws_shm_blocks *b, int i, struct hws_data mine, struct piece p)
{
    struct hws_data d = hws_sblock(b->call, index_of(b, i));
    if (!b->vector && p.at + p.n < d.len_bytes)
        return MPI_SUCCESS;
    if (mine.len_bytes != d.len_bytes)
        return hws_shm_truncated(d.len_bytes, index_of(b, i), mine.len_bytes);
    if (d.len_bytes <= b->len)
        hws_data_copy(d, mine);
    return MPI_SUCCESS;
}

static void deal(struct hws_region *r, const struct hws_turn *t, const struct hws_shm_blocks *b, struct piece p, int rc)
{
    for (int i = 0; i < r->n; i++) {
        struct hws_region_slot *s = slot_for(r, t, i);
        s->bytes = rc == MPI_SUCCESS ? len_for(b, i) : HWS_SLOT_BAD;
        hws_shm_put_failure(s, rc, r->room);
        if (rc == MPI_SUCCESS && !(i == r->me && is_near(b)))
            give_block(i == r->me ? NULL : r, b, i, p.at, part_of(b, p, s->bytes), s->data);
    }
}

static int take(const struct hws_shm_blocks *b, const struct hws_region_slot *s, int from, struct hws_data mine,
                struct piece p)
{
    int rc = hws_shm_slot_class(s);
    if (rc != MPI_SUCCESS)
        return rc;
    if (b->in_place)
        return MPI_SUCCESS;
    if (s->bytes != mine.len_bytes)
        return hws_shm_truncated(s->bytes, from, mine.len_bytes);
    hws_shm_get(mine, p.at, s->data, part_of(b, p, s->bytes));
    return MPI_SUCCESS;
}

/* Blocks whose lengths differ fit a slot, and nobody but the root knows how long the longest is: they go at once. */
static uint64_t piece_of(const struct hws_region *r, const struct hws_shm_blocks *b, uint64_t total)
{
    return b->vector ? r->room : hws_shm_piece(r, total, PIECE);
}

/* *bytes: of the own block as the root has it. */
static int scatter_piece(struct hws_region *r, int from, const struct hws_shm_blocks *b, struct hws_data mine,
                         uint64_t at, uint64_t *bytes, int rc)
{
    struct hws_turn t;
    struct piece p = {at, hws_shm_min(piece_of(r, b, b->len), b->len - at)};
    int err = hws_region_begin(r, false, true, r->me == from, &t);
    if (err != MPI_SUCCESS)
        return err;
    if (r->me == from) {
        deal(r, &t, b, p, rc);
        hws_shm_give(r, &t, -1);
    } else if ((err = hws_shm_await_giver(r, &t)) != MPI_SUCCESS) {
        return err;
    }
    const struct hws_region_slot *s = slot_for(r, &t, r->me);
    *bytes = s->bytes;
    if (rc == MPI_SUCCESS && r->me == from && is_near(b))
        err = b->in_place ? MPI_SUCCESS : give_near(b, r->me, mine, p);
    else
        err = rc == MPI_SUCCESS ? take(b, s, from, mine, p) : rc;
    hws_region_end(r, &t);
    return err;
}

static int scatter_alone(const struct hws_shm_blocks *b, struct hws_data mine, int rc)
{
    if (rc != MPI_SUCCESS || b->in_place)
        return rc;
    uint64_t len = len_for(b, 0);
    if (len != mine.len_bytes)
        return hws_shm_truncated(len, index_of(b, 0), mine.len_bytes);
    if (b->base)
        hws_shm_get(mine, 0, place_of(b, 0, 0), len > b->len ? 0 : len);
    return rc;
}

int hws_shm_scatter(struct hws_region *r, int from, struct hws_shm_blocks blocks, struct hws_data mine, int rc)
{
    uint64_t at = 0, total = blocks.len, bytes = HWS_SLOT_BAD;
    if (!r)
        return scatter_alone(&blocks, mine, rc);
    do {
        rc = scatter_piece(r, from, &blocks, mine, at, &bytes, rc);
        if (!blocks.vector)
            total = bytes == HWS_SLOT_BAD ? 0 : bytes;
        at += piece_of(r, &blocks, total);
    } while (at < total && !r->broken);
    if (blocks.vector && r->me != from)
        *blocks.lens = bytes;
    return rc;
}

int hws_shm_scatter_call(struct hws_region *r, const struct hws_coll_call *a, uint64_t longest, int rc)
{
    bool root = r->me == a->root;
    uint64_t came;
    struct hws_shm_blocks blocks = {.call = root ? a : NULL, .in_place = root && hws_coll_in_place(a->rbuf)};
    struct hws_data mine = blocks.in_place ? hws_bytes(NULL, 0) : hws_type_data(a->rt, a->rbuf, a->rn);
    blocks.vector = longest > 0;
    blocks.lens = &came;
    blocks.len = longest > 0 ? longest : root ? hws_sblock(a, 0).len_bytes : mine.len_bytes;
    return blocks.len ? hws_shm_scatter(r, a->root, blocks, mine, rc) : rc;
}

int hws_scatter_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return hws_shm_scatter_call(r, a, 0, MPI_SUCCESS);
}
