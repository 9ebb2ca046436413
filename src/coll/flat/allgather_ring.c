/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather, ring: in each of p - 1 rounds every rank passes on to the next rank the block that it got in the last one.
 * Serves MPI_Allgather and MPI_Allgatherv.
 * Why: for long blocks: only neighbours talk (two connections a rank), nothing is copied, every link is busy all the
 * time. The own block goes out of the send buffer: within a host others would read its copy, which makes the next one
 * slow (decision 051). That copy is made first: while it is made this rank answers no announcements, and later its
 * answers would go behind its own long messages.
 * Cost: (p - 1) (a + m b). Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.1.
 */
#include "coll/select/algorithm.h"

void hws_allgather_ring(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, next = (s->rank + 1) % n, prev = (s->rank + n - 1) % n;
    bool in_place = hws_coll_in_place(a->sbuf);
    struct hws_data own = hws_rblock(a, s->rank), mine = in_place ? own : hws_type_data(a->st, a->sbuf, a->sn);
    if (!in_place)
        hws_sched_copy(s, mine, own);
    for (int i = 0; i < n - 1; i++) {
        hws_sched_fence(s);
        hws_sched_recv(s, hws_rblock(a, (s->rank + n - i - 1) % n), prev);
        hws_sched_send(s, i == 0 ? mine : hws_rblock(a, (s->rank + n - i) % n), next);
    }
}
