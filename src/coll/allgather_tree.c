/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather, tree: a binomial gather to rank 0, then a binomial broadcast. Serves MPI_Allgather and MPI_Allgatherv.
 * Why: 2 (p - 1) messages, for short blocks where ranks outnumber the processors (see barrier_tree.c).
 * Cost: 2 ceil(log2 p) a + (1 + log2 p) (p - 1) m b.
 * Source: composed of gather_binomial.c and bcast_binomial.c.
 */
#include "coll/algorithm.h"
#include "coll/blocks.h"
#include "coll/tree.h"

void hws_allgather_tree(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, v = s->rank, below = hws_tree_bit(v, n) / 2;
    struct hws_blocks b;
    if (!hws_blocks_of_result(s, a, 0, &b))
        return;
    bool in_place = hws_coll_in_place(a->sbuf);
    for (int m = 1; m <= below; m *= 2)
        if (m < n - v)
            hws_sched_recv(s, hws_blocks_run(&b, v + m, hws_tree_size(v + m, n)), v + m);
    struct hws_data mine = in_place ? hws_rblock(a, v) : hws_type_data(a->st, a->sbuf, a->sn);
    hws_sched_copy(s, mine, hws_blocks_run(&b, v, 1));
    hws_sched_fence(s);
    if (v > 0) {
        hws_sched_send(s, hws_blocks_run(&b, v, hws_tree_size(v, n)), hws_tree_parent(v));
        hws_sched_fence(s); /* the send must be done before the same bytes are received back */
        hws_sched_recv(s, hws_blocks_run(&b, 0, n), hws_tree_parent(v));
        hws_sched_fence(s);
    }
    for (int m = below; m > 0; m /= 2)
        if (m < n - v)
            hws_sched_send(s, hws_blocks_run(&b, 0, n), v + m);
    for (int i = 0; i < n; i++)
        if (!in_place || i != v)
            hws_sched_copy(s, hws_blocks_run(&b, i, 1), hws_rblock(a, i));
}
