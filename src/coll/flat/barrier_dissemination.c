/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barrier, dissemination. In round k each rank tells the one 2^k ahead and waits for the one 2^k behind.
 * Why: the fewest rounds, all ranks finish together. Each rank opens log p connections.
 * Cost: ceil(log2 p) a; p ceil(log2 p) messages in all.
 * Source: D. Hensgen, R. Finkel, U. Manber: Two algorithms for barrier synchronization. Int. J. Parallel Programming
 * 17(1), 1988.
 */
#include "coll/select/algorithm.h"

void hws_barrier_dissemination(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    (void)a;
    for (int k = 1; k < n; k *= 2) {
        hws_sched_fence(s);
        hws_sched_send_token(s, (s->rank + k) % n);
        hws_sched_recv_token(s, (s->rank - k + n) % n);
        if (k > n / 2)
            break;
    }
}
