/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barrier, tree: tokens run up a binomial tree and down again.
 * Why: 2 (p - 1) messages and p - 1 connections in all, against p log2 p of the dissemination. Where ranks outnumber
 * the processors every message is a change of process and all messages of a round share the processors, so their number
 * counts and not the number of rounds.
 * Cost: 2 ceil(log2 p) a when each rank has a processor.
 * Source: N. Yew, N. Tzeng, D. Lawrie: Distributing hot-spot addressing in large-scale multiprocessors. IEEE Trans.
 * Computers C-36(4), 1987 (combining tree).
 */
#include "coll/algorithm.h"
#include "coll/tree.h"

void hws_barrier_tree(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, v = s->rank, bit = hws_tree_bit(v, n);
    (void)a;
    for (int m = bit / 2; m > 0; m /= 2)
        if (m < n - v)
            hws_sched_recv_token(s, v + m);
    hws_sched_fence(s);
    if (v > 0) {
        hws_sched_send_token(s, hws_tree_parent(v));
        hws_sched_recv_token(s, hws_tree_parent(v));
        hws_sched_fence(s);
    }
    for (int m = bit / 2; m > 0; m /= 2)
        if (m < n - v)
            hws_sched_send_token(s, v + m);
}
