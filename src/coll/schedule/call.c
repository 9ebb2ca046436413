/* SPDX-License-Identifier: BSD-3-Clause
 *
 * call: see call.h.
 */
#include "coll/schedule/call.h"

#include "base/hot.h"

static bool are_zero(struct hws_counts n, int ranks)
{
    for (int i = 0; n.p && i < ranks; i++)
        if (hws_counts_at(n, i) != 0)
            return false;
    return true;
}

/* Of gatherv; of scatterv with the sides exchanged: the own block is empty, and at the root all are. */
static bool has_none(const struct hws_coll_call *a, const void *own, MPI_Count n, struct hws_counts all)
{
    bool root = a->comm->rank == a->root;
    return (n == 0 || (root && hws_coll_in_place(own))) && (!root || are_zero(all, a->comm->size));
}

HWS_HOT bool hws_coll_sits_out(const struct hws_coll_call *a)
{
    if (a->comm->remote)
        return false;
    if (a->kind == HWS_COLL_GATHERV)
        return has_none(a, a->sbuf, a->sn, a->rcounts);
    if (a->kind == HWS_COLL_SCATTERV)
        return has_none(a, a->rbuf, a->rn, a->scounts);
    if (a->kind != HWS_COLL_ALLTOALLV && a->kind != HWS_COLL_ALLTOALLW)
        return false;
    int size = a->comm->size;
    return are_zero(a->rcounts, size) && (hws_coll_in_place(a->sbuf) || are_zero(a->scounts, size));
}
