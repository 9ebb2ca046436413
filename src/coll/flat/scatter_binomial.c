/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scatter, binomial tree. The root sends each child the packed blocks of the child's whole subtree, and so on down.
 * Why: log2 p rounds and few messages at the root; for short blocks, because every block travels up to log2 p times.
 * Cost: ceil(log2 p) a + (p - 1) m b for blocks of m bytes.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c); M. Barnett et al. 1994.
 */
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

/* Straight from the user's buffer when the subtree's ranks do not wrap around, else packed into temp first. */
static void root_sends(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    uint64_t block = (uint64_t)(a->sn * a->st->size);
    for (int m = hws_pow2_above(n) / 2; m > 0; m /= 2) {
        int first = hws_tree_rank(m, a->root, n), count = hws_tree_size(m, n), run = n - first;
        if (run >= count) {
            hws_sched_send(s, hws_type_data(a->st, hws_elem(a->sbuf, first * a->sn, a->st), count * a->sn), first);
            continue;
        }
        char *temp = hws_sched_temp(s, block * (uint64_t)count);
        hws_sched_copy(s, hws_type_data(a->st, hws_elem(a->sbuf, first * a->sn, a->st), run * a->sn),
                       hws_bytes(temp, block * (uint64_t)run));
        hws_sched_copy(s, hws_type_data(a->st, a->sbuf, (count - run) * a->sn),
                       hws_bytes_at(temp, block * (uint64_t)run, block * (uint64_t)(count - run)));
        hws_sched_send(s, hws_bytes(temp, block * (uint64_t)count), first);
    }
}

static void others_forward(struct hws_sched *s, const struct hws_coll_call *a, int v)
{
    struct hws_data mine = hws_type_data(a->rt, a->rbuf, a->rn);
    int n = s->size, count = hws_tree_size(v, n), parent = hws_tree_rank(hws_tree_parent(v), a->root, n);
    if (count == 1) {
        hws_sched_recv(s, mine, parent);
        return;
    }
    uint64_t block = mine.len_bytes;
    char *temp = hws_sched_temp(s, block * (uint64_t)count);
    hws_sched_recv(s, hws_bytes(temp, block * (uint64_t)count), parent);
    hws_sched_fence(s);
    for (int m = hws_tree_bit(v, n) / 2; m > 0; m /= 2)
        if (m < count)
            hws_sched_send(s, hws_bytes_at(temp, block * (uint64_t)m, block * (uint64_t)hws_tree_size(v + m, n)),
                           hws_tree_rank(v + m, a->root, n));
    hws_sched_copy(s, hws_bytes(temp, block), mine);
}

void hws_scatter_binomial(struct hws_sched *s, const struct hws_coll_call *a)
{
    int v = hws_tree_virtual(s->rank, a->root, s->size);
    if (v > 0) {
        others_forward(s, a, v);
        return;
    }
    root_sends(s, a);
    if (!hws_coll_in_place(a->rbuf))
        hws_sched_copy(s, hws_sblock(a, s->rank), hws_type_data(a->rt, a->rbuf, a->rn));
}
