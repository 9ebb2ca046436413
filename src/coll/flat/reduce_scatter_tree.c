/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce-scatter, tree: a binomial reduce of the whole vector to rank 0, which then sends each rank its block.
 * Why: 2 (p - 1) messages; for short vectors, and the form for operations that do not commute (the reduce keeps the
 * order). Cost: (log2 p + p - 1) a + (log2 p + 1) m b + log2 p m c. Source: composed of reduce_binomial.c and
 * scatter_linear.c.
 */
#include "coll/flat/reduce_scatter.h"
#include "coll/select/algorithm.h"

void hws_reduce_scatter_tree(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, r = s->rank;
    const MPI_Count *start = hws_reduce_scatter_starts(s, a);
    if (!start)
        return;
    struct hws_coll_call up = *a;
    up.kind = HWS_COLL_REDUCE;
    up.sbuf = hws_reduce_scatter_operand(a);
    up.rcounts.p = NULL;
    up.rn = start[n];
    up.root = 0;
    up.rbuf = r == 0 ? hws_sched_temp_typed(s, start[n], a->rt) : NULL;
    hws_reduce_binomial(s, &up);
    hws_sched_fence(s);
    struct hws_data mine = hws_type_data(a->rt, a->rbuf, start[r + 1] - start[r]);
    if (r > 0) {
        hws_sched_recv(s, mine, 0);
        return;
    }
    for (int i = 1; i < n; i++)
        hws_sched_send(s, hws_range(a->rt, up.rbuf, start[i], start[i + 1]), i);
    hws_sched_copy(s, hws_range(a->rt, up.rbuf, start[0], start[1]), mine);
}
