/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Neighbourhood collectives, linear: every rank exchanges a message with each of its neighbours, all at once.
 * Why: the user has said who talks to whom; each block travels once.
 * Cost: a + d m b for d neighbours.
 * Source: the definition (MPI 5.0 section 8.6).
 *
 * Two edges between the same two ranks are told apart by the order of their messages alone. In a general graph the k-th
 * edge from i to j in i's order is the k-th edge from i in j's. In a Cartesian grid, a block that leaves in the
 * positive direction arrives from the negative one (MPI 5.0 section 8.6, figure of the grid's order): when both
 * neighbours of a dimension are the same rank (periodic, one or two ranks long), receives take the positive direction
 * first.
 */
#include "coll/select/algorithm.h"
#include "core/topo/topo.h"

static bool is_gather(const struct hws_coll_call *a)
{
    return a->kind == HWS_COLL_NEIGHBOR_ALLGATHER || a->kind == HWS_COLL_NEIGHBOR_ALLGATHERV;
}

void hws_neighbor_build(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n_in, n_out;
    const int *in, *out;
    s->fail.rc = hws_topo_neighbors(a->comm->topo, &n_in, &in, &n_out, &out);
    if (s->fail.rc != MPI_SUCCESS)
        return;
    int swap = a->comm->topo->kind == MPI_CART ? 1 : 0; /* neighbours 2d and 2d + 1 are dimension d, down and up */
    s->lenient = true;
    for (int i = 0; i < n_in; i++)
        if (in[i ^ swap] != MPI_PROC_NULL)
            hws_sched_recv(s, hws_rblock(a, i ^ swap), in[i ^ swap]);
    for (int i = 0; i < n_out; i++)
        if (out[i] != MPI_PROC_NULL)
            hws_sched_send(s, is_gather(a) ? hws_type_data(a->st, a->sbuf, a->sn) : hws_sblock(a, i), out[i]);
}
