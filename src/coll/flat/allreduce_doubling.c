/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allreduce, recursive doubling: partners at distance 1, 2, 4, ... swap their partial results. Of each of the first
 * pairs of a number of ranks that is no power of two one rank stays out, and gets the result at the end. Partial
 * results are those of a run of ranks and are combined in their order, so any operation is right. What comes first
 * comes to where the result belongs, where the order allows that, and the operand is copied nowhere. Why: fewest
 * rounds; for short vectors when each rank has a processor. Cost: ceil(log2 p) (a + m b + m c); p log2 p messages.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.7.
 */
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

/* Combines what came (in *in) with *acc; the result is in *acc again, the buffers change places if need be. */
static void combine(struct hws_sched *s, const struct hws_coll_call *a, void **acc, void **in, bool in_is_left)
{
    if (in_is_left || a->rop->commutative) {
        hws_sched_reduce(s, a->rop, *in, *acc, a->rn, a->rt);
        return;
    }
    hws_sched_reduce(s, a->rop, *acc, *in, a->rn, a->rt);
    void *swap = *acc;
    *acc = *in;
    *in = swap;
}

/* The first partners swap their operands. False: that is not all there is to do first. */
static bool swap_first(struct hws_sched *s, const struct hws_coll_call *a, struct hws_fold f, int number)
{
    int other = hws_fold_rank(f, number ^ 1);
    if (f.pow2 == 1 || number < 0 || s->rank < 2 * f.extra || hws_coll_in_place(a->sbuf) ||
        !(a->rop->commutative || s->rank < other))
        return false;
    hws_sched_recv(s, hws_type_data(a->rt, a->rbuf, a->rn), other);
    hws_sched_send(s, hws_type_data(a->rt, a->sbuf, a->rn), other);
    hws_sched_fence(s);
    hws_sched_reduce(s, a->rop, a->sbuf, a->rbuf, a->rn, a->rt);
    return true;
}

void hws_allreduce_doubling(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_fold f = hws_fold_of(s->size, -1);
    int number = hws_fold_number(f, s->rank), partner = s->rank < 2 * f.extra ? s->rank ^ 1 : -1;
    struct hws_data result = hws_type_data(a->rt, a->rbuf, a->rn);
    int m = swap_first(s, a, f, number) ? 2 : 1;
    void *acc = a->rbuf, *in = m < f.pow2 || partner >= 0 ? hws_sched_temp_typed(s, a->rn, a->rt) : NULL;
    if (m == 1 && !hws_coll_in_place(a->sbuf))
        hws_sched_copy(s, hws_type_data(a->rt, a->sbuf, a->rn), result);
    if (number < 0) {
        hws_sched_send(s, result, partner);
        hws_sched_fence(s);
        hws_sched_recv(s, result, partner);
        return;
    }
    if (partner >= 0) {
        hws_sched_recv(s, hws_type_data(a->rt, in, a->rn), partner);
        hws_sched_fence(s);
        combine(s, a, &acc, &in, partner < s->rank);
    }
    for (; m < f.pow2; m *= 2) {
        int other = hws_fold_rank(f, number ^ m);
        hws_sched_recv(s, hws_type_data(a->rt, in, a->rn), other);
        hws_sched_send(s, hws_type_data(a->rt, acc, a->rn), other);
        hws_sched_fence(s);
        combine(s, a, &acc, &in, other < s->rank);
    }
    if (acc != a->rbuf)
        hws_sched_copy(s, hws_type_data(a->rt, acc, a->rn), result);
    if (partner >= 0)
        hws_sched_send(s, result, partner);
}
