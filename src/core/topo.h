/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topo: virtual topologies (MPI 5.0 chapter 8). Immutable once attached to a communicator, shared by its duplicates.
 */
#ifndef HWS_CORE_TOPO_H
#define HWS_CORE_TOPO_H

#include "core/comm.h"

struct hws_topo {
    int refs;
    int kind; /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
    /* MPI_CART */
    int ndims;
    int *dims, *periods, *coords; /* [ndims]; coords: own */
    /* MPI_GRAPH: cumulative degrees and all edges (MPI 5.0 section 8.5.3) */
    int n_nodes, n_edges;
    int *index, *edges;
    /* MPI_DIST_GRAPH */
    bool weighted;
    int *in_weights, *out_weights; /* [n_in], [n_out]; NULL when not weighted */
    /* all kinds: own neighbours in the order of neighbourhood collectives; MPI_PROC_NULL beyond the edge of a grid */
    int n_in, n_out;
    int *in, *out;
};

void hws_topo_hold(struct hws_topo *t); /* NULL allowed */
void hws_topo_drop(struct hws_topo *t); /* NULL allowed */

/* Neighbours of the calling process for neighbourhood collectives (MPI 5.0 section 8.6): sources and destinations, ranks
 * or MPI_PROC_NULL, in order; valid as long as the communicator. MPI_ERR_TOPOLOGY with a sentence when there is none. */
int hws_topo_neighbors(const struct hws_comm *c, int *n_in, const int **in, int *n_out, const int **out);

#endif
