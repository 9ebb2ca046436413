/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce, binomial tree. Each rank combines its operand with the results of its subtrees and sends the result up. For
 * an operation that does not commute the tree stands on rank 0, so that every subtree is a run of ranks and operands
 * keep their order (MPI 5.0 section 6.9.1); rank 0 then sends the result to the root. Why: fewest rounds and messages;
 * for short messages, and for whatever must stay in order. Cost: ceil(log2 p) (a + m b + m c); p - 1 messages (one more
 * in order). Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.3.
 */
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

/* Up to here the receives from all children are posted at once, each into its own buffer: one wait instead of one per
 * child. */
#define ALL_AT_ONCE (64u << 10)

/* Leaves the result of v's subtree in a buffer and returns it; `into` is used for it if not NULL and there are
 * children. */
static const void *combine(struct hws_sched *s, const struct hws_coll_call *a, const void *mine, void *into, int v,
                           int base)
{
    int n = s->size;
    const void *acc = mine;
    bool at_once = (uint64_t)(a->rn * a->rt->size) <= ALL_AT_ONCE;
    void *from_child[32]; /* by bit of the child */
    for (int m = 1, i = 0; m < hws_tree_size(v, n); m *= 2, i++) {
        bool last = 2 * m >= hws_tree_size(v, n);
        from_child[i] = last && into       ? into
                        : at_once || i < 2 ? hws_sched_temp_typed(s, a->rn, a->rt)
                                           : from_child[i - 2];
        hws_sched_recv(s, hws_type_data(a->rt, from_child[i], a->rn), hws_tree_rank(v + m, base, n));
        if (at_once && !last)
            continue;
        hws_sched_fence(s);
        for (int j = at_once ? 0 : i; j <= i; j++) { /* what came is the right operand, so the result lands there */
            hws_sched_reduce(s, a->rop, acc, from_child[j], a->rn, a->rt);
            acc = from_child[j];
        }
    }
    return acc;
}

void hws_reduce_binomial(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, base = a->rop->commutative ? a->root : 0, v = hws_tree_virtual(s->rank, base, n);
    bool root = s->rank == a->root, in_place = root && hws_coll_in_place(a->sbuf);
    const void *mine = in_place ? a->rbuf : a->sbuf;
    void *into = root && v == 0 && !in_place ? a->rbuf : NULL;
    const void *acc = combine(s, a, mine, into, v, base);
    hws_sched_fence(s);
    if (v > 0)
        hws_sched_send(s, hws_type_data(a->rt, acc, a->rn), hws_tree_rank(hws_tree_parent(v), base, n));
    else if (root && acc != a->rbuf)
        hws_sched_copy(s, hws_type_data(a->rt, acc, a->rn), hws_type_data(a->rt, a->rbuf, a->rn));
    else if (!root)
        hws_sched_send(s, hws_type_data(a->rt, acc, a->rn), a->root);
    if (root && v > 0) {
        hws_sched_fence(s); /* rbuf may be what was sent */
        hws_sched_recv(s, hws_type_data(a->rt, a->rbuf, a->rn), hws_tree_rank(0, base, n));
    }
}
