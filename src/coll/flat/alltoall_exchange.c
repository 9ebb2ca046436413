/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall, exchange: the form for MPI_IN_PLACE. In round k ranks i and j with i + j = k (mod p) swap their blocks by
 * way of a temporary one. Serves the v and w forms too. Why: partners are each other's in every round, so one temporary
 * block is enough. Cost: p (a + m b) + p copies of a block. Source: the round-robin tournament; MPI 5.0 section 6.8,
 * MPI_IN_PLACE.
 */
#include "coll/select/algorithm.h"

void hws_alltoall_exchange(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    uint64_t longest = 0;
    s->lenient = true;
    for (int i = 0; i < n; i++) {
        uint64_t len = hws_rblock(a, i).len_bytes;
        longest = len > longest ? len : longest;
    }
    char *temp = hws_sched_temp(s, longest);
    for (int k = 0; k < n; k++) {
        int other = (k - s->rank + n) % n;
        struct hws_data block = hws_rblock(a, other), in = hws_bytes(temp, block.len_bytes);
        if (other == s->rank)
            continue;
        hws_sched_recv(s, in, other);
        hws_sched_send(s, block, other);
        hws_sched_fence(s);
        hws_sched_copy(s, in, block);
    }
}
