/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather, recursive doubling: partners at distance 1, 2, 4, ... swap all they have, in place.
 * Why: log2 p rounds and no copying; a power of two of ranks only.
 * Cost: log2 p a + (p - 1) m b.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.1.
 */
#include "coll/select/algorithm.h"

static struct hws_data run(const struct hws_coll_call *a, int first, int count)
{
    return hws_type_data(a->rt, hws_elem(a->rbuf, first * a->rn, a->rt), count * a->rn);
}

void hws_allgather_doubling(struct hws_sched *s, const struct hws_coll_call *a)
{
    if (!hws_coll_in_place(a->sbuf))
        hws_sched_copy(s, hws_type_data(a->st, a->sbuf, a->sn), hws_rblock(a, s->rank));
    for (int m = 1; m < s->size; m *= 2) {
        int other = s->rank ^ m;
        hws_sched_fence(s);
        hws_sched_recv(s, run(a, other & ~(m - 1), m), other);
        hws_sched_send(s, run(a, s->rank & ~(m - 1), m), other);
    }
}
