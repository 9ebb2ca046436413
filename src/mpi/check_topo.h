/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check_topo: arguments of topology calls.
 */
#ifndef HWS_MPI_CHECK_TOPO_H
#define HWS_MPI_CHECK_TOPO_H

#include "core/topo/topo.h"
#include "mpi/check.h"

/* A communicator with a topology of that kind. */
static inline int hws_check_topo(MPI_Comm h, int kind, struct hws_comm **out)
{
    int rc = hws_check_intra(h, "comm", out);
    if (rc != MPI_SUCCESS)
        return rc;
    if ((*out)->topo && (*out)->topo->kind == kind)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_TOPOLOGY, "invalid topology: the communicator has no %s",
                    kind == MPI_CART    ? "grid"
                    : kind == MPI_GRAPH ? "graph"
                                        : "distributed graph");
}

static inline int hws_check_node(int rank, int size)
{
    return rank >= 0 && rank < size
               ? MPI_SUCCESS
               : hws_fail(MPI_ERR_RANK, "invalid rank: argument rank is %d, it must be 0 to %d", rank, size - 1);
}

#endif
