/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast, pipelined chain. Ranks form a chain from the root; segments follow each other down it, a rank receives the
 * next segment while it sends the last.
 * Why: for very long messages: each rank sends m bytes once and receives m once, and each opens two connections.
 * Cost: (p - 2 + m/g) (a + g b) for segments of g bytes.
 * Source: J. Pjesivac-Grbovic, T. Angskun, G. Bosilca, G. Fagg, E. Gabriel, J. Dongarra: Performance analysis of MPI
 * collective operations. Cluster Computing 10(2), 2007.
 */
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

/* Long enough that a segment's bytes cost more than its message, short enough that a chain of a few ranks fills soon.
 */
#define SEGMENT (128u << 10)

static struct hws_data segment(struct hws_sched *s, struct hws_data whole, uint64_t i)
{
    uint64_t at = i * SEGMENT, left = whole.len_bytes - at;
    return hws_sched_slice(s, whole, at, left < SEGMENT ? left : SEGMENT);
}

void hws_bcast_chain(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, v = hws_tree_virtual(s->rank, a->root, n);
    struct hws_data whole = hws_type_data(a->rt, a->rbuf, a->rn);
    uint64_t n_seg = (whole.len_bytes + SEGMENT - 1) / SEGMENT;
    for (uint64_t i = 0; i <= n_seg; i++) {
        if (v > 0 && i < n_seg)
            hws_sched_recv(s, segment(s, whole, i), hws_tree_rank(v - 1, a->root, n));
        if (v < n - 1 && i > 0)
            hws_sched_send(s, segment(s, whole, i - 1), hws_tree_rank(v + 1, a->root, n));
        hws_sched_fence(s);
    }
}
