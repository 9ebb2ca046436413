/* SPDX-License-Identifier: BSD-3-Clause
 *
 * halving: see halving.h. Only for operations that commute.
 * Source: R. Rabenseifner: Optimization of collective reduction operations. ICCS 2004, LNCS 3036.
 */
#include "coll/flat/halving.h"

bool hws_halving_init(struct hws_sched *s, struct hws_halving *h, const struct hws_coll_call *a, int keep, void *acc,
                      const void *own)
{
    h->fold = hws_fold_of(s->size, keep);
    h->number = hws_fold_number(h->fold, s->rank);
    h->op = a->rop;
    h->type = a->rt;
    h->acc = acc;
    h->own = own;
    h->in = hws_sched_temp_typed(s, a->rn, a->rt);
    MPI_Count p = h->fold.pow2;
    h->start = hws_sched_array(s, (uint64_t)(p + 1) * sizeof *h->start);
    if (s->fail.rc != MPI_SUCCESS)
        return false;
    for (MPI_Count i = 0; i <= p; i++)
        h->start[i] = a->rn / p * i + (i < a->rn % p ? i : a->rn % p);
    return true;
}

struct hws_data hws_halving_run(const struct hws_halving *h, const void *vector, int first, int count)
{
    return hws_type_data(h->type, hws_elem(vector, h->start[first], h->type),
                         h->start[first + count] - h->start[first]);
}

/* The partner of a rank that is, or has one that is, out; -1: none. */
static int fold_partner(const struct hws_halving *h, int rank)
{
    return rank < 2 * h->fold.extra ? rank ^ 1 : -1;
}

/* Pieces keep .. keep + count - 1 come and are combined with this rank's; of its others as many from `give` on go; -1:
 * none. The first ones come to where they stay, and are combined there with the own operand, which is copied nowhere.
 */
static void exchange(struct hws_sched *s, struct hws_halving *h, int keep, int give, int count, int other)
{
    MPI_Count at = h->start[keep];
    hws_sched_fence(s);
    hws_sched_recv(s, hws_halving_run(h, h->own ? h->acc : h->in, keep, count), other);
    if (give >= 0)
        hws_sched_send(s, hws_halving_run(h, h->own ? h->own : h->acc, give, count), other);
    hws_sched_fence(s);
    hws_sched_reduce(s, h->op, hws_elem(h->own ? h->own : h->in, at, h->type), hws_elem(h->acc, at, h->type),
                     h->start[keep + count] - at, h->type);
    h->own = NULL;
}

void hws_halving_fold(struct hws_sched *s, struct hws_halving *h)
{
    int partner = fold_partner(h, s->rank);
    if (partner < 0)
        return;
    if (h->number >= 0) {
        exchange(s, h, 0, -1, h->fold.pow2, partner);
        return;
    }
    hws_sched_fence(s);
    hws_sched_send(s, hws_halving_run(h, h->own ? h->own : h->acc, 0, h->fold.pow2), partner);
}

void hws_halving_reduce_scatter(struct hws_sched *s, struct hws_halving *h)
{
    if (h->number < 0)
        return;
    for (int m = h->fold.pow2 / 2; m > 0; m /= 2) {
        int other = hws_fold_rank(h->fold, h->number ^ m);
        exchange(s, h, h->number & ~(m - 1), (h->number ^ m) & ~(m - 1), m, other);
    }
    if (h->own) /* nobody else has any */
        hws_sched_copy(s, hws_halving_run(h, h->own, 0, h->fold.pow2), hws_halving_run(h, h->acc, 0, h->fold.pow2));
    h->own = NULL;
}

void hws_halving_allgather(struct hws_sched *s, const struct hws_halving *h)
{
    if (h->number < 0)
        return;
    for (int m = 1; m < h->fold.pow2; m *= 2) {
        int other = hws_fold_rank(h->fold, h->number ^ m);
        hws_sched_fence(s);
        hws_sched_recv(s, hws_halving_run(h, h->acc, (h->number ^ m) & ~(m - 1), m), other);
        hws_sched_send(s, hws_halving_run(h, h->acc, h->number & ~(m - 1), m), other);
    }
}

void hws_halving_unfold(struct hws_sched *s, const struct hws_halving *h)
{
    int partner = fold_partner(h, s->rank);
    if (partner < 0)
        return;
    hws_sched_fence(s);
    if (h->number < 0)
        hws_sched_recv(s, hws_halving_run(h, h->acc, 0, h->fold.pow2), partner);
    else
        hws_sched_send(s, hws_halving_run(h, h->acc, 0, h->fold.pow2), partner);
}
