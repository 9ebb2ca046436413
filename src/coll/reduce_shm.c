/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce and allreduce in shared memory: operands go into the slots; of two neighbouring sides the later one combines
 * both (hws_region_meet). Operands keep the order of ranks and the brackets are the same every time, so a result is too, to
 * the bit. Cost for m bytes: m copied in, the reductions of log2 p nodes at most one after the other, m copied out. No rank
 * but one that comes late computes, and none has to run twice.
 */
#include "coll/algorithm.h"
#include "coll/shm.h"

#define PIECE (256u << 10) /* bytes */

/* One piece of the call. */
struct part {
    struct hws_region *r;
    const struct hws_coll_call *a;
    struct hws_turn t;
    const void *operand; /* element 0 of the piece; result likewise, NULL: not here */
    void *result;
    MPI_Count n;
};

/* Elements in a slot begin at the slot's data, whatever the type's lower bound. */
static void *origin(const struct hws_slot *s, const struct hws_type *t)
{
    return (void *)((uintptr_t)s->data - (uintptr_t)t->true_lb);
}

static void combine(void *arg, int left, int right)
{
    struct part *p = arg;
    struct hws_slot *l = hws_region_slot(p->r, &p->t, left), *r = hws_region_slot(p->r, &p->t, right);
    if (l->bytes == r->bytes && l->bytes == (uint64_t)(p->n * p->a->rt->size))
        hws_op_apply(p->a->rop, origin(l, p->a->rt), origin(r, p->a->rt), p->n, p->a->rt);
    else
        r->bytes = HWS_SLOT_BAD;
}

/* The result is in the last rank's slot. */
static int take_result(struct part *p)
{
    struct hws_data d = hws_type_data(p->a->rt, p->result, p->n);
    struct hws_slot *s = hws_region_slot(p->r, &p->t, p->r->n - 1);
    int rc = hws_region_await(p->r, &p->t);
    if (rc != MPI_SUCCESS)
        return rc;
    if (s->bytes == d.len_bytes)
        hws_shm_get(d, 0, s->data, d.len_bytes);
    else
        rc = hws_shm_truncated(s->bytes, p->r->n - 1, d.len_bytes);
    return rc;
}

static int run_part(struct part *p, bool all)
{
    struct hws_data d = hws_type_data(p->a->rt, p->operand, p->n);
    int rc = hws_region_begin(p->r, all, true, true, &p->t);
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_slot *own = hws_region_slot(p->r, &p->t, p->r->me);
    own->bytes = d.len_bytes;
    hws_shm_put(own->data, d, 0, d.len_bytes);
    if (hws_region_meet(p->r, &p->t, combine, p))
        hws_region_release(p->r, &p->t, all ? -1 : p->a->root);
    if (p->result)
        rc = take_result(p);
    if (!p->r->broken)
        hws_region_end(p->r, &p->t);
    return rc;
}

static int run(struct hws_region *r, const struct hws_coll_call *a, bool all)
{
    bool gets = all || r->me == a->root;
    const void *operand = hws_coll_in_place(a->sbuf) ? a->rbuf : a->sbuf;
    MPI_Count step = (MPI_Count)hws_shm_min(PIECE, r->room) / a->rt->size;
    int rc = MPI_SUCCESS;
    for (MPI_Count i = 0; i < a->rn && rc == MPI_SUCCESS; i += step) {
        struct part p = {.r = r, .a = a, .operand = hws_elem(operand, i, a->rt), .n = a->rn - i < step ? a->rn - i : step};
        p.result = gets ? hws_elem(a->rbuf, i, a->rt) : NULL;
        rc = run_part(&p, all);
    }
    return rc;
}

int hws_reduce_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return run(r, a, false);
}

int hws_allreduce_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return run(r, a, true);
}
