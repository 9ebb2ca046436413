/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce, allreduce, scan and exscan in shared memory: operands go into the slots; of two neighbouring sides the later
 * one combines both (hws_region_meet). Operands keep the order of ranks and the brackets are the same every time, so a
 * result is too, to the bit. Cost for m bytes: m copied in, the reductions of log2 p nodes at most one after the other,
 * m copied out, in a scan after log2 p further reductions at most. No rank but one that comes late computes, and none
 * has to run twice.
 */
#include "coll/shm/reduce_shm.h"

#include "base/hot.h"
#include "coll/select/algorithm.h"

#define PIECE      (256u << 10) /* bytes */
#define PIPE_PIECE (128u << 10) /* at most, where one member puts the next piece while the other one computes */
#define ALIGN      16u

static uint64_t distance(const struct hws_type *t)
{
    return (uint64_t)(t->extent < 0 ? -t->extent : t->extent);
}

MPI_Count hws_shm_elements(const struct hws_type *t, uint64_t room)
{
    if (t->dense)
        return t->size > 0 ? (MPI_Count)(room / (uint64_t)t->size) : 0;
    if (t->extent == 0 || t->size == 0 || (uint64_t)t->true_extent + ALIGN > room)
        return 0;
    return 1 + (MPI_Count)((room - ALIGN - (uint64_t)t->true_extent) / distance(t));
}

uint64_t hws_shm_image_len(const struct hws_type *t, MPI_Count n)
{
    if (t->dense || n <= 0)
        return (uint64_t)(t->size * n);
    return (uint64_t)(n - 1) * distance(t) + (uint64_t)t->true_extent + ALIGN;
}

/* Dense ones begin at mem, whatever they consist of, so that n * size bytes are enough. */
void *hws_shm_image(void *mem, const struct hws_type *t, MPI_Count n)
{
    uintptr_t low = (uintptr_t)t->true_lb; /* the lowest byte, seen from element 0's origin */
    if (t->dense)
        return (void *)((uintptr_t)mem - low);
    if (t->extent < 0 && n > 0)
        low += (uintptr_t)((n - 1) * t->extent);
    return (void *)((uintptr_t)mem + (low & (ALIGN - 1)) - low);
}

void *hws_shm_part_slot(const struct hws_shm_part *p, int member)
{
    return hws_shm_image(hws_region_slot(p->r, &p->t, member)->data, p->a->rt, p->n);
}

static struct hws_data data_in(const struct hws_shm_part *p, int member)
{
    return hws_type_data(p->a->rt, hws_shm_part_slot(p, member), p->n);
}

static void put_operand(const struct hws_shm_part *p, const void *operand)
{
    struct hws_data from = hws_type_data(p->a->rt, operand, p->n), to = data_in(p, p->r->me);
    if (!from.layout && !to.layout)
        hws_shm_put_bytes(p->r, to.base, from.base, from.len_bytes);
    else
        hws_data_copy(from, to);
}

static void combine(void *arg, int left, int right)
{
    struct hws_shm_part *p = arg;
    struct hws_region_slot *l = hws_region_slot(p->r, &p->t, left), *r = hws_region_slot(p->r, &p->t, right);
    if (l->bytes == r->bytes && l->bytes == p->total)
        hws_op_apply(p->a->rop, hws_shm_part_slot(p, left), hws_shm_part_slot(p, right), p->n, p->a->rt);
    else
        r->bytes = HWS_SLOT_BAD;
}

/* The last member's slot has all of them, and tells if any two lengths differ. */
static uint64_t last_bytes(const struct hws_shm_part *p)
{
    return hws_region_slot(p->r, &p->t, p->r->n - 1)->bytes;
}

HWS_HOT int hws_shm_part_put(struct hws_shm_part *p, bool joint, const void *operand, int to)
{
    int rc = hws_region_begin(p->r, joint, true, true, &p->t);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_region_own(p->r, &p->t, hws_shm_image_len(p->a->rt, p->n))->bytes = p->total;
    put_operand(p, operand);
    if (hws_region_meet(p->r, &p->t, combine, p)) {
        bool alike = last_bytes(p) == p->total;
        hws_region_release(p->r, &p->t, alike && !p->more ? to : -1);
    }
    return MPI_SUCCESS;
}

HWS_HOT int hws_shm_part_take(struct hws_shm_part *p, int end, void *result)
{
    uint64_t bytes = last_bytes(p);
    if (bytes != p->total)
        return hws_shm_truncated(bytes, p->r->n - 1, p->total);
    if (end == 0)
        return MPI_SUCCESS;
    hws_data_copy(data_in(p, end - 1), hws_type_data(p->a->rt, result, p->n));
    for (int x = end == p->r->n ? 0 : end & (end - 1); x > 0; x &= x - 1)
        hws_op_apply(p->a->rop, hws_shm_part_slot(p, x - 1), result, p->n, p->a->rt);
    return MPI_SUCCESS;
}

/* Members 0 .. end-1 of two, into result. Both members use the same order of operands, so that their results are the
 * same to the bit also where the operation is not quite commutative. */
static void fold_pair(const struct hws_shm_part *p, const void *operand, int end, void *result)
{
    const struct hws_type *t = p->a->rt;
    int me = p->r->me;
    struct hws_data own = hws_type_data(t, operand, p->n), into = hws_type_data(t, result, p->n);
    if (end == 2 && me == 0) {
        const void *left = operand == result ? hws_shm_part_slot(p, 0) : operand;
        hws_data_copy(data_in(p, 1), into);
        hws_op_apply(p->a->rop, left, result, p->n, p->a->rt);
        return;
    }
    if (end == me + 1 && operand != result)
        hws_data_copy(own, into);
    if (end == 2)
        hws_op_apply(p->a->rop, hws_shm_part_slot(p, 0), result, p->n, p->a->rt);
    else if (end == 1 && me == 1)
        hws_data_copy(data_in(p, 0), into);
}

/* Two members: each that gets a result computes it, from its own operand and the other one's slot. */
static int run_pair(struct hws_shm_part *p, const void *operand, int to, int end, void *result)
{
    struct hws_region *r = p->r;
    bool gives = to != r->me, takes = to < 0 || to == r->me;
    bool keeps = operand == result && r->me == 0 && end == 2; /* in the own slot, what the result replaces */
    int rc = hws_region_begin(r, to < 0, true, gives || keeps, &p->t);
    if (rc != MPI_SUCCESS)
        return rc;
    if (gives || keeps) {
        hws_region_own(r, &p->t, hws_shm_image_len(p->a->rt, p->n))->bytes = p->total;
        put_operand(p, operand);
    }
    rc = hws_region_meet_other(r, &p->t, gives, takes);
    uint64_t bytes = rc == MPI_SUCCESS && takes ? hws_region_slot(r, &p->t, 1 - r->me)->bytes : p->total;
    p->came = bytes;
    if (bytes != p->total)
        rc = hws_shm_truncated(bytes, 1 - r->me, p->total);
    if (rc == MPI_SUCCESS && takes)
        fold_pair(p, operand, end, result);
    if (!r->broken)
        hws_region_end(r, &p->t);
    return rc;
}

static int run_part(struct hws_shm_part *p, const void *operand, int to, int end, void *result)
{
    if (p->r->n == 2)
        return run_pair(p, operand, to, end, result);
    bool all = to < 0, takes = all || p->r->me == to;
    int rc = hws_shm_part_put(p, all, operand, to);
    if (rc == MPI_SUCCESS && (takes || p->more)) {
        rc = hws_region_await(p->r, &p->t);
        if (rc == MPI_SUCCESS)
            rc = hws_shm_part_take(p, takes ? end : 0, result);
    }
    if (!p->r->broken)
        hws_region_end(p->r, &p->t);
    return rc;
}

/* Of two members one gives and goes on, the other one takes. */
static bool is_pipe(const struct hws_region *r, int to)
{
    return r->n == 2 && to >= 0;
}

/* Elements of a piece, of so many. */
static MPI_Count step_of(const struct hws_region *r, const struct hws_type *t, MPI_Count n, int to)
{
    uint64_t piece =
        is_pipe(r, to) ? hws_shm_piece(r, (uint64_t)(n * t->size), PIPE_PIECE) : hws_shm_min(PIECE, r->room);
    MPI_Count step = hws_shm_elements(t, piece);
    return step > 0 ? step : 1;
}

/* to: who gets a result (-1: all): that of members 0 .. end-1. Of two members the one that gives does not know of the
 * other one's failure and goes through all its pieces, so who takes does, too. Of more, all that have a second piece
 * know from the first whether lengths differ. */
static int run(struct hws_region *r, const struct hws_coll_call *a, int to, int end)
{
    const void *operand = hws_coll_in_place(a->sbuf) ? a->rbuf : a->sbuf;
    MPI_Count n = a->rn, step = step_of(r, a->rt, n, to);
    int rc = MPI_SUCCESS;
    for (MPI_Count i = 0; i < n && !r->broken && (rc == MPI_SUCCESS || is_pipe(r, to)); i += step) {
        MPI_Count left = a->rn > i ? a->rn - i : 0;
        struct hws_shm_part p = {.r = r, .a = a, .n = left < step ? left : step, .more = i == 0 && n > step};
        p.total = p.came = (uint64_t)(a->rn * a->rt->size);
        int one = run_part(&p, hws_elem(operand, i, a->rt), to, end, hws_elem(a->rbuf, i, a->rt));
        rc = rc == MPI_SUCCESS ? one : rc;
        if (p.came != p.total && is_pipe(r, to) && a->rt->size > 0) {
            n = ((MPI_Count)p.came + a->rt->size - 1) / a->rt->size;
            step = step_of(r, a->rt, n, to);
        }
    }
    return rc;
}

int hws_reduce_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return run(r, a, a->root, r->n);
}

int hws_reduce_shm_blind(struct hws_region *r, const struct hws_coll_call *a)
{
    return run(r, a, a->root, 0);
}

HWS_HOT int hws_allreduce_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return run(r, a, -1, r->n);
}

int hws_scan_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return run(r, a, -1, a->kind == HWS_COLL_SCAN ? r->me + 1 : r->me);
}
