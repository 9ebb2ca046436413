/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topo: virtual topologies (MPI 5.0 chapter 8). Immutable once attached to a communicator, shared by its duplicates.
 */
#ifndef HWS_CORE_TOPO_H
#define HWS_CORE_TOPO_H

#include <stdbool.h>

#include <mpi.h>

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

/* Neighbours of the calling process for neighbourhood collectives (MPI 5.0 section 8.6): sources and destinations,
 * ranks or MPI_PROC_NULL, in order; valid as long as t. MPI_ERR_TOPOLOGY with a sentence when there is
 * none (t NULL). */
int hws_topo_neighbors(const struct hws_topo *t, int *n_in, const int **in, int *n_out, const int **out);

/* ---- grids: pure ---- */

/* Coordinates of a rank, and the rank at coordinates: wrapped where the grid is periodic, MPI_PROC_NULL beyond its
 * edge. */
void hws_cart_coords(const struct hws_topo *t, int rank, int *coords);
int hws_cart_rank(const struct hws_topo *t, const int *coords);

/* Rank that lies disp steps from `rank` along a dimension, or MPI_PROC_NULL. */
int hws_cart_neighbor(const struct hws_topo *t, int rank, int dim, long long disp);

/* Fills the zeros of dims[ndims] so that the product is n_nodes: non-increasing and as close to each other as can be
 * (the largest and the smallest differ as little as possible). MPI_SUCCESS or MPI_ERR_DIMS, MPI_ERR_ARG. */
int hws_dims_create(int n_nodes, int ndims, int *dims);

#endif
