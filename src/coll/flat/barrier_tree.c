/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barrier, tree: tokens run up a binomial tree and down again; star: the same with all ranks below rank 0.
 * Why: 2 (p - 1) messages and p - 1 connections in all, against p log2 p of the dissemination. Where ranks outnumber
 * the processors every message is a change of process and all messages of a round share the processors, so their number
 * counts and not the number of rounds. Among few ranks the star saves the inner ranks' waits: 8 ranks on 2 processors
 * took 140 us with the tree and 12 changes of process, 105 us with the star and 8 (2026-11).
 * Cost: 2 ceil(log2 p) a when each rank has a processor; star 2 (p - 1) a at rank 0.
 * Source: P. Yew, N. Tzeng, D. Lawrie: Distributing hot-spot addressing in large-scale multiprocessors. IEEE Trans.
 * Computers C-36(4), 1987 (combining tree).
 */
#include "coll/flat/barrier.h"
#include "coll/select/algorithm.h"

void hws_barrier_up(struct hws_sched *s, struct hws_tree_shape t)
{
    int size = hws_shape_size(t, s->rank);
    for (int m = 1; m < size; m = hws_shape_up(t, m))
        hws_sched_recv_token(s, s->rank + m);
    hws_sched_fence(s);
    if (s->rank > 0)
        hws_sched_send_token(s, hws_shape_parent(t, s->rank));
}

void hws_barrier_down(struct hws_sched *s, struct hws_tree_shape t)
{
    if (s->rank > 0) {
        hws_sched_recv_token(s, hws_shape_parent(t, s->rank));
        hws_sched_fence(s);
    }
    for (int m = hws_shape_top(t, hws_shape_size(t, s->rank)); m > 0; m = hws_shape_down(t, m))
        hws_sched_send_token(s, s->rank + m);
}

static void run(struct hws_sched *s, struct hws_tree_shape t)
{
    hws_barrier_up(s, t);
    hws_barrier_down(s, t);
}

void hws_barrier_tree(struct hws_sched *s, const struct hws_coll_call *a)
{
    (void)a;
    run(s, (struct hws_tree_shape){.n = s->size});
}

void hws_barrier_star(struct hws_sched *s, const struct hws_coll_call *a)
{
    (void)a;
    run(s, (struct hws_tree_shape){.n = s->size, .star = true});
}
