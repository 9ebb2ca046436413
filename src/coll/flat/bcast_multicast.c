/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast by multicast: one packet for all ranks, which no two of them share memory.
 * Why: the network copies, so the root's link carries each byte once however many ranks there are.
 * Cost: a + m b, and what is lost again.
 * Source: Y.-Z. Chang, K.-S. Ding, J.-J. Tsay: Design and Implementation of Message Passing Interface for Clusters of
 * Workstations on Local Area Networks. 1997.
 */
#include "coll/flat/multicast.h"
#include "coll/select/algorithm.h"

void hws_bcast_multicast(struct hws_sched *s, const struct hws_coll_call *a)
{
    hws_multicast_one(s, hws_type_data(a->rt, a->rbuf, a->rn), a->root);
}
