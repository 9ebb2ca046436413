/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reduce_scatter: the blocks of MPI_Reduce_scatter and MPI_Reduce_scatter_block.
 */
#ifndef HWS_COLL_REDUCE_SCATTER_H
#define HWS_COLL_REDUCE_SCATTER_H

#include "coll/schedule/call.h"

/* start[n + 1]: the first element of each rank's block, and the total. NULL: no memory (s->rc is set). */
MPI_Count *hws_reduce_scatter_starts(struct hws_sched *s, const struct hws_coll_call *a);

/* The operand: all blocks. */
static inline void *hws_reduce_scatter_operand(const struct hws_coll_call *a)
{
    return hws_coll_in_place(a->sbuf) ? a->rbuf : (void *)(uintptr_t)a->sbuf;
}

/* Elements from .. to - 1 of a vector. */
static inline struct hws_data hws_range(struct hws_type *t, const void *vector, MPI_Count from, MPI_Count to)
{
    return hws_type_data(t, hws_elem(vector, from, t), to - from);
}

#endif
