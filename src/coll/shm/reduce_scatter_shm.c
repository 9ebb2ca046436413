/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce-scatter in shared memory: all blocks are reduced in the slots (reduce_shm.h), a piece of them in a turn, and
 * each rank takes what is its own. Why: no rank runs more than once; for short blocks, since each rank puts in all of
 * them.
 */
#include "coll/flat/reduce_scatter.h"
#include "coll/select/algorithm.h"
#include "coll/shm/reduce_shm.h"

/* Elements of all blocks; where the own one begins and ends. */
struct extent {
    MPI_Count n, from, to;
};

static struct extent look(const struct hws_coll_call *a)
{
    struct extent e = {0};
    for (int i = 0; i < a->comm->size; i++) {
        MPI_Count n = a->rcounts.p ? hws_counts_at(a->rcounts, i) : a->rn;
        if (i == a->comm->rank) {
            e.from = e.n;
            e.to = e.n + n;
        }
        e.n += n;
    }
    return e;
}

/* What piece p, from element `at` on, has of the own block. In place that never goes where operands of later pieces
 * are. */
static void take_own(const struct hws_shm_part *p, const struct extent *e, MPI_Count at)
{
    const struct hws_coll_call *a = p->a;
    MPI_Count from = at > e->from ? at : e->from, end = at + p->n < e->to ? at + p->n : e->to;
    const void *piece = hws_shm_part_slot(p, p->r->n - 1);
    if (from < end)
        hws_data_copy(hws_range(a->rt, piece, from - at, end - at),
                      hws_range(a->rt, a->rbuf, from - e->from, end - e->from));
}

/* As much of elements [from, to) as the piece from element `at` on has; its slots count from there. */
static struct hws_data piece_of(const struct hws_shm_part *p, MPI_Count at, MPI_Count from, MPI_Count to,
                                const void *vector, MPI_Count origin)
{
    MPI_Count first = at > from ? at : from, end = at + p->n < to ? at + p->n : to;
    return first < end ? hws_range(p->a->rt, vector, first - origin, end - origin) : hws_range(p->a->rt, vector, 0, 0);
}

/* Own part of the piece: the two members' operands in their order, as in a reduction of two (reduce_shm.c). */
static void fold_pair(struct hws_shm_part *p, const struct extent *e, MPI_Count at, const void *operand)
{
    const struct hws_coll_call *a = p->a;
    int me = p->r->me;
    MPI_Count from = at > e->from ? at : e->from, end = at + p->n < e->to ? at + p->n : e->to;
    const void *own = operand == a->rbuf && me == 0 ? hws_elem(hws_shm_part_slot(p, 0), from - at, a->rt)
                                                    : hws_elem(operand, from, a->rt);
    const void *other = hws_elem(hws_shm_part_slot(p, 1 - me), from - at, a->rt);
    void *result = hws_elem(a->rbuf, from - e->from, a->rt);
    if (from >= end)
        return;
    hws_data_copy(hws_type_data(a->rt, me == 0 ? other : own, end - from), hws_type_data(a->rt, result, end - from));
    hws_op_apply(a->rop, me == 0 ? own : other, result, end - from, a->rt);
}

/* Two members: each gives the other one's part alone, and reduces its own. */
static int run_pair(struct hws_shm_part *p, const struct extent *e, MPI_Count at)
{
    struct hws_region *r = p->r;
    const void *operand = hws_reduce_scatter_operand(p->a);
    int rc = hws_region_begin(r, true, true, true, &p->t);
    if (rc != MPI_SUCCESS)
        return rc;
    MPI_Count from = r->me == 0 ? e->to : 0, to = r->me == 0 ? e->n : e->from;
    void *slot = hws_shm_part_slot(p, r->me);
    hws_region_own(r, &p->t, hws_shm_image_len(p->a->rt, p->n))->bytes = p->total;
    hws_data_copy(piece_of(p, at, from, to, operand, 0), piece_of(p, at, from, to, slot, at));
    if (operand == p->a->rbuf && r->me == 0) /* in place, where the result replaces the left operand */
        hws_data_copy(piece_of(p, at, e->from, e->to, operand, 0), piece_of(p, at, e->from, e->to, slot, at));
    rc = hws_shm_meet_all(r, &p->t);
    uint64_t bytes = rc == MPI_SUCCESS ? hws_region_slot(r, &p->t, 1 - r->me)->bytes : p->total;
    if (bytes != p->total)
        rc = hws_shm_truncated(bytes, 1 - r->me, p->total);
    if (rc == MPI_SUCCESS)
        fold_pair(p, e, at, operand);
    if (!r->broken)
        hws_region_end(r, &p->t);
    return rc;
}

static int run_part(struct hws_shm_part *p, const struct extent *e, MPI_Count at)
{
    if (p->r->n == 2)
        return run_pair(p, e, at);
    int rc = hws_shm_part_put(p, true, hws_elem(hws_reduce_scatter_operand(p->a), at, p->a->rt), -1);
    if (rc == MPI_SUCCESS)
        rc = hws_region_await(p->r, &p->t);
    if (rc == MPI_SUCCESS)
        rc = hws_shm_part_take(p, 0, NULL);
    if (rc == MPI_SUCCESS)
        take_own(p, e, at);
    if (!p->r->broken)
        hws_region_end(p->r, &p->t);
    return rc;
}

int hws_reduce_scatter_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct extent e = look(a);
    MPI_Count step = hws_shm_elements(a->rt, r->room);
    int rc = MPI_SUCCESS;
    if (step == 0)
        step = 1;
    for (MPI_Count i = 0; i < e.n && rc == MPI_SUCCESS; i += step) {
        struct hws_shm_part p = {.r = r, .a = a, .n = e.n - i < step ? e.n - i : step};
        p.total = (uint64_t)(e.n * a->rt->size);
        rc = run_part(&p, &e, i);
    }
    return rc;
}
