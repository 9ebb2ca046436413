/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather, recursive doubling: partners at distance 1, 2, 4, ... swap all they have, in place.
 * Why: log2 p rounds and no copying; a power of two of ranks only. The own block goes out of the send buffer first.
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
    bool in_place = hws_coll_in_place(a->sbuf);
    struct hws_data own = hws_rblock(a, s->rank), mine = in_place ? own : hws_type_data(a->st, a->sbuf, a->sn);
    if (!in_place)
        hws_sched_copy(s, mine, own);
    for (int m = 1; m < s->size; m *= 2) {
        int other = s->rank ^ m;
        hws_sched_fence(s);
        hws_sched_recv(s, run(a, other & ~(m - 1), m), other);
        hws_sched_send(s, m == 1 ? mine : run(a, s->rank & ~(m - 1), m), other);
    }
}
