/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gather, binomial tree. Each rank collects the packed blocks of its subtree and sends them to its parent as one
 * message. Why: log2 p rounds and few messages at the root; for short blocks, because every block travels up to log2 p
 * times. Cost: ceil(log2 p) a + (p - 1) m b for blocks of m bytes. Source: R. Thakur, R. Rabenseifner, W. Gropp 2005
 * (see bcast_binomial.c); M. Barnett et al. 1994.
 */
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

/* The root receives a subtree's blocks where they belong when their ranks do not wrap around, else by way of temp. */
static void root_receives(struct hws_sched *s, const struct hws_coll_call *a, uint64_t block)
{
    int n = s->size;
    for (int m = 1; m < n; m *= 2) {
        int first = hws_tree_rank(m, a->root, n), count = hws_tree_size(m, n), run = n - first;
        if (run >= count) {
            hws_sched_recv(s, hws_type_data(a->rt, hws_elem(a->rbuf, first * a->rn, a->rt), count * a->rn), first);
            continue;
        }
        char *temp = hws_sched_temp(s, block * (uint64_t)count);
        hws_sched_recv(s, hws_bytes(temp, block * (uint64_t)count), first);
        hws_sched_fence(s);
        hws_sched_copy(s, hws_bytes(temp, block * (uint64_t)run),
                       hws_type_data(a->rt, hws_elem(a->rbuf, first * a->rn, a->rt), run * a->rn));
        hws_sched_copy(s, hws_bytes_at(temp, block * (uint64_t)run, block * (uint64_t)(count - run)),
                       hws_type_data(a->rt, a->rbuf, (count - run) * a->rn));
    }
}

static void others_forward(struct hws_sched *s, const struct hws_coll_call *a, int v)
{
    struct hws_data mine = hws_type_data(a->st, a->sbuf, a->sn);
    int n = s->size, count = hws_tree_size(v, n), parent = hws_tree_rank(hws_tree_parent(v), a->root, n);
    if (count == 1) {
        hws_sched_send(s, mine, parent);
        return;
    }
    uint64_t block = mine.len_bytes;
    char *temp = hws_sched_temp(s, block * (uint64_t)count);
    for (int m = 1; m < count; m *= 2)
        hws_sched_recv(s, hws_bytes_at(temp, block * (uint64_t)m, block * (uint64_t)hws_tree_size(v + m, n)),
                       hws_tree_rank(v + m, a->root, n));
    hws_sched_copy(s, mine, hws_bytes(temp, block));
    hws_sched_fence(s);
    hws_sched_send(s, hws_bytes(temp, block * (uint64_t)count), parent);
}

void hws_gather_binomial(struct hws_sched *s, const struct hws_coll_call *a)
{
    int v = hws_tree_virtual(s->rank, a->root, s->size);
    if (v > 0) {
        others_forward(s, a, v);
        return;
    }
    if (!hws_coll_in_place(a->sbuf))
        hws_sched_copy(s, hws_type_data(a->st, a->sbuf, a->sn), hws_rblock(a, s->rank));
    root_receives(s, a, (uint64_t)(a->rn * a->rt->size));
}
