/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scatter by multicast: the root broadcasts the blocks of all ranks, and each takes its own.
 * Why: for short blocks one packet serves some ranks or all. Cost: a + p m b, and the room for all blocks at each rank.
 * Source: as bcast_multicast.c.
 */
#include "coll/flat/multicast.h"
#include "coll/select/algorithm.h"

static void give(struct hws_sched *s, const struct hws_coll_call *a, uint64_t block)
{
    char *all = hws_sched_temp(s, block * (uint64_t)s->size);
    for (int i = 0; i < s->size; i++)
        hws_sched_copy(s, hws_sblock(a, i), hws_bytes(all + (uint64_t)i * block, block));
    hws_multicast_one(s, hws_bytes(all, block * (uint64_t)s->size), a->root);
    if (!hws_coll_in_place(a->rbuf))
        hws_sched_copy(s, hws_sblock(a, s->rank), hws_type_data(a->rt, a->rbuf, a->rn));
}

void hws_scatter_multicast(struct hws_sched *s, const struct hws_coll_call *a)
{
    uint64_t block = (uint64_t)(s->rank == a->root ? a->sn * a->st->size : a->rn * a->rt->size);
    if (block == 0)
        return;
    if (s->rank == a->root) {
        give(s, a, block);
        return;
    }
    char *all = hws_sched_temp(s, block * (uint64_t)s->size);
    hws_multicast_one(s, hws_bytes(all, block * (uint64_t)s->size), a->root);
    hws_sched_fence(s);
    hws_sched_copy(s, hws_bytes(all + (uint64_t)s->rank * block, block), hws_type_data(a->rt, a->rbuf, a->rn));
}
