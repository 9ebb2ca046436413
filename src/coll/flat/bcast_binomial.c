/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast, binomial tree. Each rank that has the data passes it on, to the largest subtree first.
 * Why: fewest rounds and fewest messages; the choice for short messages.
 * Cost: ceil(log2 p) (a + m b); p - 1 messages.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp: Optimization of collective communication operations in MPICH. Int. J.
 * High Performance Computing Applications 19(1), 2005, section 4.3.
 */
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

void hws_bcast_binomial(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, v = hws_tree_virtual(s->rank, a->root, n);
    struct hws_data d = hws_type_data(a->rt, a->rbuf, a->rn);
    if (v > 0) {
        hws_sched_recv(s, d, hws_tree_rank(hws_tree_parent(v), a->root, n));
        hws_sched_fence(s);
    }
    for (int m = hws_tree_bit(v, n) / 2; m > 0; m /= 2)
        if (m < n - v)
            hws_sched_send(s, d, hws_tree_rank(v + m, a->root, n));
}
