/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scan and exscan, linear: each rank gets the result of all before it from the one below and passes its own on.
 * Why: p - 1 messages, each rank reduces once; for many scans one behind the other, which overlap. Alone, doubling is
 * faster. Cost: (p - 1) (a + m b + m c). Source: the definition (MPI 5.0 section 6.11).
 */
#include "coll/select/algorithm.h"

void hws_scan_linear(struct hws_sched *s, const struct hws_coll_call *a)
{
    bool ex = a->kind == HWS_COLL_EXSCAN, last = s->rank == s->size - 1;
    struct hws_data result = hws_type_data(a->rt, a->rbuf, a->rn);
    struct hws_data mine = hws_coll_in_place(a->sbuf) ? result : hws_type_data(a->rt, a->sbuf, a->rn);
    void *acc = ex && !last ? hws_sched_temp_typed(s, a->rn, a->rt) : a->rbuf; /* result up to and with this rank */
    struct hws_data acc_data = hws_type_data(a->rt, acc, a->rn);
    if (acc_data.base != mine.base && !(ex && last))
        hws_sched_copy(s, mine, acc_data);
    if (s->rank > 0) {
        void *in = ex ? a->rbuf : hws_sched_temp_typed(s, a->rn, a->rt);
        hws_sched_recv(s, hws_type_data(a->rt, in, a->rn), s->rank - 1);
        hws_sched_fence(s);
        if (!(ex && last))
            hws_sched_reduce(s, a->rop, in, acc, a->rn, a->rt);
    }
    if (!last)
        hws_sched_send(s, acc_data, s->rank + 1);
}
