/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gather, linear: every rank sends its block straight to the root, which has receives posted for all of them. Serves
 * MPI_Gather and MPI_Gatherv.
 * Why: each byte travels once; for long blocks, and for the v form, where only the root knows the sizes.
 * Cost: (p - 1) (a + m b) at the root.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.5.
 */
#include "coll/select/algorithm.h"

void hws_gather_linear(struct hws_sched *s, const struct hws_coll_call *a)
{
    s->lenient = true;
    if (s->rank != a->root) {
        s->abreast = s->size > 2; /* others send to the root as well */
        hws_sched_send(s, hws_type_data(a->st, a->sbuf, a->sn), a->root);
        s->abreast = false;
        return;
    }
    for (int i = 1; i < s->size; i++) {
        int from = (a->root + i) % s->size;
        hws_sched_recv(s, hws_rblock(a, from), from);
    }
    if (!hws_coll_in_place(a->sbuf))
        hws_sched_copy(s, hws_type_data(a->st, a->sbuf, a->sn), hws_rblock(a, s->rank));
}
