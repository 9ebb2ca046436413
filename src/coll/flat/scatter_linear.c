/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scatter, linear: the root sends every rank its block. Serves MPI_Scatter and MPI_Scatterv.
 * Why: each byte travels once; for long blocks, and for the v form, where only the root knows the sizes.
 * Cost: (p - 1) (a + m b) at the root.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.4.
 */
#include "coll/select/algorithm.h"

void hws_scatter_linear(struct hws_sched *s, const struct hws_coll_call *a)
{
    s->lenient = true;
    if (s->rank != a->root) {
        hws_sched_recv(s, hws_type_data(a->rt, a->rbuf, a->rn), a->root);
        return;
    }
    for (int i = 1; i < s->size; i++) {
        int to = (a->root + i) % s->size;
        hws_sched_send(s, hws_sblock(a, to), to);
    }
    if (!hws_coll_in_place(a->rbuf))
        hws_sched_copy(s, hws_sblock(a, s->rank), hws_type_data(a->rt, a->rbuf, a->rn));
}
