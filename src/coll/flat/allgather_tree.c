/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather, tree: a binomial gather to rank 0, then a binomial broadcast; star: the same with all ranks below rank 0.
 * Serves MPI_Allgather and MPI_Allgatherv.
 * Why: 2 (p - 1) messages, for short blocks where ranks outnumber the processors (see barrier_tree.c).
 * Cost: 2 ceil(log2 p) a + (1 + log2 p) (p - 1) m b.
 * Source: composed of gather_binomial.c and bcast_binomial.c.
 */
#include "coll/flat/blocks.h"
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

static void run(struct hws_sched *s, const struct hws_coll_call *a, struct hws_tree_shape t)
{
    int n = s->size, v = s->rank, size = hws_shape_size(t, v);
    struct hws_blocks b;
    if (!hws_blocks_of_result(s, a, 0, &b))
        return;
    bool in_place = hws_coll_in_place(a->sbuf);
    for (int m = 1; m < size; m = hws_shape_up(t, m))
        hws_sched_recv(s, hws_blocks_run(&b, v + m, hws_shape_size(t, v + m)), v + m);
    struct hws_data mine = in_place ? hws_rblock(a, v) : hws_type_data(a->st, a->sbuf, a->sn);
    hws_sched_copy(s, mine, hws_blocks_run(&b, v, 1));
    hws_sched_fence(s);
    if (v > 0) {
        hws_sched_send(s, hws_blocks_run(&b, v, size), hws_shape_parent(t, v));
        hws_sched_fence(s); /* the send must be done before the same bytes are received back */
        hws_sched_recv(s, hws_blocks_run(&b, 0, n), hws_shape_parent(t, v));
        hws_sched_fence(s);
    }
    for (int m = hws_shape_top(t, size); m > 0; m = hws_shape_down(t, m))
        hws_sched_send(s, hws_blocks_run(&b, 0, n), v + m);
    for (int i = 0; i < n; i++)
        if (!in_place || i != v)
            hws_sched_copy(s, hws_blocks_run(&b, i, 1), hws_rblock(a, i));
}

void hws_allgather_tree(struct hws_sched *s, const struct hws_coll_call *a)
{
    run(s, a, (struct hws_tree_shape){.n = s->size});
}

void hws_allgather_star(struct hws_sched *s, const struct hws_coll_call *a)
{
    run(s, a, (struct hws_tree_shape){.n = s->size, .star = true});
}
