/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allreduce, Rabenseifner: reduce-scatter by recursive halving, then allgather by recursive doubling.
 * Why: for long vectors: 2 m bytes a rank instead of the m log2 p of recursive doubling.
 * Cost: 2 log2 p a + 2 (p - 1)/p m b + (p - 1)/p m c; one message of m more each way when p is no power of two.
 * Source: R. Rabenseifner 2004 (see halving.c).
 */
#include "coll/flat/halving.h"
#include "coll/select/algorithm.h"

void hws_allreduce_rabenseifner(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_halving h;
    if (!hws_halving_init(s, &h, a, -1, a->rbuf, hws_coll_in_place(a->sbuf) ? NULL : a->sbuf))
        return;
    hws_halving_fold(s, &h);
    hws_halving_reduce_scatter(s, &h);
    hws_halving_allgather(s, &h);
    hws_halving_unfold(s, &h);
}
