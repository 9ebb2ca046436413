/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allreduce, tree: a binomial reduce to rank 0, then a binomial broadcast.
 * Why: 2 (p - 1) messages instead of p log2 p, for short vectors where ranks outnumber the processors (see
 * barrier_tree.c). Cost: 2 ceil(log2 p) (a + m b) + ceil(log2 p) m c when each rank has a processor. Source: composed
 * of reduce_binomial.c and bcast_binomial.c.
 */
#include "coll/select/algorithm.h"

void hws_allreduce_tree(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_coll_call up = *a, down = *a;
    up.root = down.root = 0;
    if (hws_coll_in_place(a->sbuf) && s->rank != 0)
        up.sbuf = a->rbuf; /* in place is the root's right in MPI_Reduce */
    hws_reduce_binomial(s, &up);
    hws_sched_fence(s);
    hws_bcast_binomial(s, &down);
}
