/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_topo: communicators with a topology (MPI 5.0 chapter 8). Collective over c. MPI class; *out NULL: the caller is
 * in none. The arguments were checked.
 */
#ifndef HWS_CORE_COMM_TOPO_H
#define HWS_CORE_COMM_TOPO_H

#include "core/comm/comm.h"

/* dims, periods: [ndims]. remain: [ndims] of c's topology, nonzero: the dimension stays. index: [n_nodes], edges:
 * [index[n_nodes - 1]], as MPI_Graph_create takes them. */
int hws_topo_make_cart(struct hws_comm *c, int ndims, const int *dims, const int *periods, struct hws_comm **out);
int hws_topo_make_sub(struct hws_comm *c, const int *remain, struct hws_comm **out);
int hws_topo_make_graph(struct hws_comm *c, int n_nodes, const int *index, const int *edges, struct hws_comm **out);

/* Lists without entries may be NULL. */
int hws_topo_make_adjacent(struct hws_comm *c, int n_in, const int *in, const int *in_weights, int n_out,
                           const int *out_ranks, const int *out_weights, bool weighted, struct hws_comm **out);

/* An edge of a distributed graph as any process may give it. */
struct hws_topo_edge {
    int from, to, weight;
};
int hws_topo_make_distributed(struct hws_comm *c, int n, const struct hws_topo_edge *edges, bool weighted,
                              struct hws_comm **out);

#endif
