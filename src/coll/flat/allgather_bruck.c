/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather, Bruck. Blocks are kept in the order own, next rank, ...; in each round a rank sends all it has (as far as
 * it is needed) down by the number of blocks it has. Serves MPI_Allgather and MPI_Allgatherv. Why: log2 p rounds for
 * any number of ranks; for short blocks, because all is copied once more at the end. Cost: ceil(log2 p) a + (p - 1) m
 * b. Source: J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby: Efficient algorithms for all-to-all communications
 * in multiport message-passing systems. IEEE Trans. Parallel and Distributed Systems 8(11), 1997.
 */
#include "coll/flat/blocks.h"
#include "coll/select/algorithm.h"

void hws_allgather_bruck(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    struct hws_blocks b;
    if (!hws_blocks_of_result(s, a, s->rank, &b))
        return;
    bool in_place = hws_coll_in_place(a->sbuf);
    struct hws_data mine = in_place ? hws_rblock(a, s->rank) : hws_type_data(a->st, a->sbuf, a->sn);
    hws_sched_copy(s, mine, hws_blocks_run(&b, 0, 1));
    for (int have = 1; have < n;) {
        int more = have < n - have ? have : n - have;
        hws_sched_fence(s);
        hws_sched_recv(s, hws_blocks_run(&b, have, more), (s->rank + have) % n);
        /* Sizes differ: the receiver's block i is the sender's block i - have, so the lengths agree. */
        hws_sched_send(s, hws_blocks_run(&b, 0, more), (s->rank - have + n) % n);
        have += more;
    }
    hws_sched_fence(s);
    for (int i = in_place ? 1 : 0; i < n; i++)
        hws_sched_copy(s, hws_blocks_run(&b, i, 1), hws_rblock(a, (s->rank + i) % n));
}
