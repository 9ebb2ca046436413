/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allreduce, star: all operands go to rank 0, which combines them in order and sends each rank the result.
 * Why: 2 (p - 1) messages as the tree's, but no rank waits more than once; for short vectors of few ranks that
 * outnumber the processors (see barrier_tree.c). Cost: (p - 1) (2 a + 2 m b + m c) at rank 0. Source: the definition
 * (MPI 5.0 section 6.9.6).
 */
#include "coll/select/algorithm.h"

void hws_allreduce_star(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_data result = hws_type_data(a->rt, a->rbuf, a->rn);
    const void *mine = hws_coll_in_place(a->sbuf) ? a->rbuf : a->sbuf, *acc = mine;
    if (s->rank > 0) {
        hws_sched_send(s, hws_type_data(a->rt, mine, a->rn), 0);
        hws_sched_fence(s); /* in place: what is received overwrites what is sent */
        hws_sched_recv(s, result, 0);
        return;
    }
    MPI_Count room = a->rn * s->size; /* all operands one after another, the first place unused */
    void *in = s->size > 1 ? hws_sched_temp_typed(s, room, a->rt) : NULL;
    for (int i = 1; i < s->size; i++)
        hws_sched_recv(s, hws_type_data(a->rt, hws_elem(in, i * a->rn, a->rt), a->rn), i);
    hws_sched_fence(s);
    for (int i = 1; i < s->size; i++) { /* what came is the right operand, so the result lands there */
        void *right = hws_elem(in, i * a->rn, a->rt);
        hws_sched_reduce(s, a->rop, acc, right, a->rn, a->rt);
        acc = right;
    }
    if (acc != a->rbuf)
        hws_sched_copy(s, hws_type_data(a->rt, acc, a->rn), result);
    for (int i = 1; i < s->size; i++)
        hws_sched_send(s, result, i);
}
