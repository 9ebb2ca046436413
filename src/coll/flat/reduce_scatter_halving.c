/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce-scatter, recursive halving. The ranks are folded onto a power of two; a rank that stands for two owns the
 * blocks of both and hands the other one's over at the end. Why: log2 p rounds and m bytes a rank; for vectors of short
 * and middle length. Cost: log2 p a + (p - 1)/p m (b + c); m b more and one message more when p is no power of two.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.7.
 */
#include "coll/flat/halving.h"
#include "coll/flat/reduce_scatter.h"
#include "coll/select/algorithm.h"

/* The first rank whose block belongs to a number (pow2: the end). */
static int first_rank(struct hws_fold f, int number)
{
    return number < f.extra ? 2 * number : number + f.extra;
}

static bool set_up(struct hws_sched *s, const struct hws_coll_call *a, const MPI_Count *start, struct hws_halving *h)
{
    struct hws_coll_call whole = *a;
    whole.rn = start[s->size];
    if (!hws_halving_init(s, h, &whole, -1, hws_sched_temp_typed(s, whole.rn, a->rt), hws_reduce_scatter_operand(a)))
        return false;
    for (int i = 0; i <= h->fold.pow2; i++)
        h->start[i] = start[first_rank(h->fold, i)];
    return true;
}

void hws_reduce_scatter_halving(struct hws_sched *s, const struct hws_coll_call *a)
{
    int r = s->rank;
    struct hws_halving h;
    const MPI_Count *start = hws_reduce_scatter_starts(s, a);
    if (!start || !set_up(s, a, start, &h))
        return;
    struct hws_data mine = hws_type_data(a->rt, a->rbuf, start[r + 1] - start[r]);
    hws_halving_fold(s, &h);
    hws_halving_reduce_scatter(s, &h);
    hws_sched_fence(s);
    if (h.number < 0) {
        hws_sched_recv(s, mine, r ^ 1);
        return;
    }
    if (r < 2 * h.fold.extra)
        hws_sched_send(s, hws_range(a->rt, h.acc, start[r ^ 1], start[(r ^ 1) + 1]), r ^ 1);
    hws_sched_copy(s, hws_range(a->rt, h.acc, start[r], start[r + 1]), mine);
}
