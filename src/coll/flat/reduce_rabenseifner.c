/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce, Rabenseifner: reduce-scatter by recursive halving, then a binomial gather of the pieces to the root.
 * Why: for long vectors: each rank moves about 2 m bytes and reduces m, instead of log2 p times as much.
 * Cost: 2 log2 p a + 2 (p - 1)/p m b + (p - 1)/p m c.
 * Source: R. Rabenseifner 2004 (see halving.c).
 */
#include "coll/flat/halving.h"
#include "coll/select/algorithm.h"

/* Pieces run together towards the root: in each round the ranks whose bit differs from the root's give up theirs. */
static void gather(struct hws_sched *s, const struct hws_halving *h, int root)
{
    int to = hws_fold_number(h->fold, root);
    for (int m = 1; m < h->fold.pow2 && h->number >= 0; m *= 2) {
        int other = hws_fold_rank(h->fold, h->number ^ m);
        hws_sched_fence(s);
        if ((h->number & m) != (to & m)) {
            hws_sched_send(s, hws_halving_run(h, h->acc, h->number & ~(m - 1), m), other);
            return;
        }
        hws_sched_recv(s, hws_halving_run(h, h->acc, (h->number ^ m) & ~(m - 1), m), other);
    }
}

void hws_reduce_rabenseifner(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_halving h;
    bool root = s->rank == a->root;
    void *acc = root ? a->rbuf : hws_sched_temp_typed(s, a->rn, a->rt);
    if (!hws_halving_init(s, &h, a, a->root, acc, root && hws_coll_in_place(a->sbuf) ? NULL : a->sbuf))
        return;
    hws_halving_fold(s, &h);
    hws_halving_reduce_scatter(s, &h);
    gather(s, &h, a->root);
}
