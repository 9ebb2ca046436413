/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scan and exscan, doubling: in round k each rank sends the result of the last 2^k ranks up to itself to the one 2^k
 * ahead. Operands are runs of ranks, combined in order. Why: log2 p rounds. Cost: ceil(log2 p) (a + m b + m c). Source:
 * W. D. Hillis, G. L. Steele: Data parallel algorithms. Comm. ACM 29(12), 1986.
 */
#include "coll/select/algorithm.h"

void hws_scan_doubling(struct hws_sched *s, const struct hws_coll_call *a)
{
    bool ex = a->kind == HWS_COLL_EXSCAN, have = false;
    int n = s->size;
    struct hws_data result = hws_type_data(a->rt, a->rbuf, a->rn);
    struct hws_data mine = hws_coll_in_place(a->sbuf) ? result : hws_type_data(a->rt, a->sbuf, a->rn);
    void *acc = ex ? hws_sched_temp_typed(s, a->rn, a->rt) : a->rbuf, *in = hws_sched_temp_typed(s, a->rn, a->rt);
    struct hws_data acc_data = hws_type_data(a->rt, acc, a->rn), in_data = hws_type_data(a->rt, in, a->rn);
    if (acc_data.base != mine.base)
        hws_sched_copy(s, mine, acc_data);
    for (int k = 1; k < n; k *= 2) {
        bool from = s->rank >= k, to = s->rank < n - k;
        if (from)
            hws_sched_recv(s, in_data, s->rank - k);
        if (to)
            hws_sched_send(s, acc_data, s->rank + k);
        hws_sched_fence(s);
        if (from && ex && have)
            hws_sched_reduce(s, a->rop, in, a->rbuf, a->rn, a->rt);
        if (from && ex && !have)
            hws_sched_copy(s, in_data, result);
        if (from)
            hws_sched_reduce(s, a->rop, in, acc, a->rn, a->rt);
        have = have || from;
    }
}
