/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather by multicast: the ranks broadcast their blocks in turn, short ones together. Serves MPI_Allgather and
 * MPI_Allgatherv.
 * Why: each rank sends its block once, instead of p - 1 blocks. Cost: p (a + m b) where a link takes one block at a
 * time; where it takes more, p a + m b for short blocks.
 * Source: as bcast_multicast.c.
 */
#include "coll/flat/multicast.h"
#include "coll/select/algorithm.h"

void hws_allgather_multicast(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_data *blocks = hws_sched_array(s, (uint64_t)s->size * sizeof *blocks);
    if (s->fail.rc != MPI_SUCCESS)
        return;
    for (int i = 0; i < s->size; i++)
        blocks[i] = hws_rblock(a, i);
    if (!hws_coll_in_place(a->sbuf))
        hws_sched_copy(s, hws_type_data(a->st, a->sbuf, a->sn), blocks[s->rank]);
    hws_multicast_blocks(s, blocks);
}
