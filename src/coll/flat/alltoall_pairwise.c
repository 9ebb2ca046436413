/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall, pairwise: in round i each rank sends to the one i ahead and receives from the one i behind. Serves the v
 * and w forms too. Why: for long blocks: one message in and one out at a time, so that neither a switch's nor a
 * receiver's queue overflows. Cost: (p - 1) (a + m b). Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see
 * bcast_binomial.c), section 4.6.
 */
#include "coll/select/algorithm.h"

void hws_alltoall_pairwise(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    s->lenient = true;
    hws_sched_copy(s, hws_sblock(a, s->rank), hws_rblock(a, s->rank));
    for (int i = 1; i < n; i++) {
        int to = (s->rank + i) % n, from = (s->rank - i + n) % n;
        hws_sched_fence(s);
        hws_sched_recv(s, hws_rblock(a, from), from);
        hws_sched_send(s, hws_sblock(a, to), to);
    }
}
