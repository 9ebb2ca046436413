/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast, scatter and allgather. The message is cut into p pieces, scattered down a binomial tree and collected by
 * all: by recursive doubling on a power of two of ranks, around a ring otherwise. Why: for long messages; each rank
 * moves about 2 m bytes instead of the m log2 p that a binomial tree's root sends. Cost: (log2 p + p - 1) a + 2 (p -
 * 1)/p m b with the ring, 2 log2 p a with doubling. Source: M. Barnett, L. Shuler, R. van de Geijn, S. Gupta, D. Payne,
 * J. Watts: Interprocessor collective communication library (InterCom). Scalable High Performance Computing Conference,
 * 1994.
 */
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

/* The message as p pieces of equal length, the last ones shorter or empty. */
struct pieces {
    struct hws_sched *sched;
    struct hws_data whole;
    uint64_t piece; /* bytes */
    int root, n;
};

/* Pieces first .. first + count - 1 as one run. */
static struct hws_data run(const struct pieces *c, int first, int count)
{
    uint64_t from = (uint64_t)first * c->piece, to = from + (uint64_t)count * c->piece;
    uint64_t len = c->whole.len_bytes;
    from = from < len ? from : len;
    to = to < len ? to : len;
    return hws_sched_slice(c->sched, c->whole, from, to - from);
}

static void scatter(struct hws_sched *s, const struct pieces *c, int v)
{
    if (v > 0) {
        hws_sched_recv(s, run(c, v, hws_tree_size(v, c->n)), hws_tree_rank(hws_tree_parent(v), c->root, c->n));
        hws_sched_fence(s);
    }
    for (int m = hws_tree_bit(v, c->n) / 2; m > 0; m /= 2)
        if (m < c->n - v)
            hws_sched_send(s, run(c, v + m, hws_tree_size(v + m, c->n)), hws_tree_rank(v + m, c->root, c->n));
}

static void ring(struct hws_sched *s, const struct pieces *c, int v)
{
    int n = c->n, next = hws_tree_rank((v + 1) % n, c->root, n), prev = hws_tree_rank((v + n - 1) % n, c->root, n);
    for (int i = 0; i < n - 1; i++) {
        hws_sched_fence(s);
        hws_sched_recv(s, run(c, (v + n - i - 1) % n, 1), prev);
        hws_sched_send(s, run(c, (v + n - i) % n, 1), next);
    }
}

static void doubling(struct hws_sched *s, const struct pieces *c, int v)
{
    for (int m = 1; m < c->n; m *= 2) {
        int other = hws_tree_rank(v ^ m, c->root, c->n);
        hws_sched_fence(s);
        hws_sched_recv(s, run(c, (v ^ m) & ~(m - 1), m), other);
        hws_sched_send(s, run(c, v & ~(m - 1), m), other);
    }
}

void hws_bcast_scatter_allgather(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, v = hws_tree_virtual(s->rank, a->root, n);
    struct hws_data whole = hws_type_data(a->rt, a->rbuf, a->rn);
    struct pieces c = {.sched = s, .whole = whole, .root = a->root, .n = n};
    c.piece = (whole.len_bytes + (uint64_t)n - 1) / (uint64_t)n;
    scatter(s, &c, v);
    if (n == hws_pow2_below(n))
        doubling(s, &c, v);
    else
        ring(s, &c, v);
}
