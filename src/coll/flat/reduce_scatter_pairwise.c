/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce-scatter, pairwise: in round i each rank sends the block of the rank i ahead to it and adds the one it gets.
 * Why: for long vectors: every block travels once, straight from the user's buffer; the first one comes to where the
 * result is made, the others to one temporary block.
 * Cost: (p - 1) a + (p - 1)/p m (b + c).
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.7.
 */
#include "coll/flat/reduce_scatter.h"
#include "coll/select/algorithm.h"

MPI_Count *hws_reduce_scatter_starts(struct hws_sched *s, const struct hws_coll_call *a)
{
    MPI_Count *start = hws_sched_array(s, ((uint64_t)s->size + 1) * sizeof *start);
    if (s->fail.rc != MPI_SUCCESS)
        return NULL;
    start[0] = 0;
    for (int i = 0; i < s->size; i++)
        start[i + 1] = start[i] + (a->rcounts.p ? hws_counts_at(a->rcounts, i) : a->rn);
    return start;
}

void hws_reduce_scatter_pairwise(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, r = s->rank;
    struct hws_type *t = a->rt;
    const void *operand = hws_reduce_scatter_operand(a);
    const MPI_Count *start = hws_reduce_scatter_starts(s, a);
    if (!start)
        return;
    MPI_Count count = start[r + 1] - start[r];
    bool in_place = hws_coll_in_place(a->sbuf); /* other blocks lie where the result goes */
    void *acc = in_place ? hws_sched_temp_typed(s, count, t) : a->rbuf,
         *in = n > 2 ? hws_sched_temp_typed(s, count, t) : NULL;
    for (int i = 1; i < n; i++) {
        int to = (r + i) % n, from = (r - i + n) % n;
        hws_sched_recv(s, hws_type_data(t, i == 1 ? acc : in, count), from);
        hws_sched_send(s, hws_range(t, operand, start[to], start[to + 1]), to);
        hws_sched_fence(s);
        hws_sched_reduce(s, a->rop, i == 1 ? hws_elem(operand, start[r], t) : in, acc, count, t);
    }
    if (n == 1)
        hws_sched_copy(s, hws_range(t, operand, start[r], start[r + 1]), hws_type_data(t, acc, count));
    if (in_place)
        hws_sched_copy(s, hws_type_data(t, acc, count), hws_type_data(t, a->rbuf, count));
}
