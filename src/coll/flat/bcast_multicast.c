/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast by multicast: one packet for all ranks, which no two of them share memory.
 * Why: the network copies, so the root's link carries each byte once however many ranks there are.
 * Cost: a + m b, and what is lost again.
 * Source: Y.-Z. Chang, K.-S. Ding, J.-J. Tsay: Design and Implementation of Message Passing Interface for Clusters of
 * Workstations on Local Area Networks. 1997.
 */
#include "coll/schedule/cast.h"
#include "coll/select/algorithm.h"

void hws_bcast_multicast(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_data whole = hws_type_data(a->rt, a->rbuf, a->rn), flat = whole;
    if (whole.layout)
        flat = hws_bytes(hws_sched_temp(s, whole.len_bytes), whole.len_bytes);
    if (whole.layout && s->rank == a->root)
        hws_sched_copy(s, whole, flat);
    hws_sched_cast(s, flat, a->root);
    if (whole.layout && s->rank != a->root) {
        hws_sched_fence(s);
        hws_sched_copy(s, flat, whole);
    }
}
