/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce-scatter in shared memory and in two levels: an allreduce of all blocks, of which each rank keeps its own. Why: no rank
 * runs more than once in a host; for short blocks, since each rank copies all of them.
 */
#include <stdlib.h>

#include "coll/algorithm.h"
#include "coll/reduce_scatter.h"
#include "coll/reduce_shm.h"
#include "core/fail.h"

/* Elements of all blocks, and where the own block begins and ends. */
static MPI_Count find_block(const struct hws_coll_call *a, MPI_Count *from, MPI_Count *to)
{
    MPI_Count at = 0;
    *from = *to = 0;
    for (int i = 0; i < a->comm->size; i++) {
        MPI_Count n = a->rcounts.p ? hws_counts_at(a->rcounts, i) : a->rn;
        if (i == a->comm->rank) {
            *from = at;
            *to = at + n;
        }
        at += n;
    }
    return at;
}

static int by_allreduce(struct hws_region *r, const struct hws_coll_call *a, hws_coll_run_fn *allreduce)
{
    struct hws_coll_call c = *a;
    MPI_Count from, to, n = find_block(a, &from, &to);
    if (n == 0)
        return MPI_SUCCESS;
    char *memory = malloc(hws_shm_image_len(a->rt, n));
    if (!memory)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a reduce-scatter of %lld elements", (long long)n);
    c.kind = HWS_COLL_ALLREDUCE;
    c.sbuf = hws_reduce_scatter_operand(a);
    c.rbuf = hws_shm_image(memory, a->rt, n);
    c.rn = n;
    int rc = allreduce(r, &c);
    if (rc == MPI_SUCCESS)
        hws_data_copy(hws_range(a->rt, c.rbuf, from, to), hws_type_data(a->rt, a->rbuf, to - from));
    free(memory);
    return rc;
}

int hws_reduce_scatter_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    return by_allreduce(r, a, hws_allreduce_shm);
}

int hws_reduce_scatter_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    return by_allreduce(r, a, hws_allreduce_two_level);
}
