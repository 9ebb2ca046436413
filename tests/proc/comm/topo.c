/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topologies between real ranks: grids with shifts and parts, graphs, distributed graphs given whole and by neighbours.
 */
#include "proc.h"

static void cart(void)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0}, got[2], wrap[2], coords[2], source, dest, from = -1, rank, size, kind;
    int keep[2] = {0, 1}, none[2] = {0, 0};
    MPI_Comm c, row, point;
    MPI_Dims_create(proc_size, 2, dims);
    check_eq(dims[0] * dims[1], proc_size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &c);
    MPI_Topo_test(c, &kind);
    check_eq(kind, MPI_CART);
    MPI_Comm_rank(c, &rank);
    MPI_Cart_get(c, 2, got, wrap, coords);
    check(got[0] == dims[0] && got[1] == dims[1] && wrap[0] == 1 && wrap[1] == 0);
    MPI_Cart_rank(c, coords, &from);
    check_eq(from, rank);
    MPI_Cart_shift(c, 0, 1, &source, &dest);
    MPI_Sendrecv(&rank, 1, MPI_INT, dest, 0, &from, 1, MPI_INT, source, 0, c, MPI_STATUS_IGNORE);
    check_eq(from, source);
    MPI_Cart_shift(c, 1, dims[1], &source, &dest);
    check(source == MPI_PROC_NULL && dest == MPI_PROC_NULL);
    MPI_Cart_sub(c, keep, &row);
    MPI_Comm_size(row, &size);
    check_eq(size, dims[1]);
    MPI_Comm_rank(row, &from);
    check_eq(from, coords[1]);
    MPI_Cart_sub(c, none, &point);
    MPI_Comm_size(point, &size);
    check_eq(size, 1);
    MPI_Cartdim_get(point, &size);
    check_eq(size, 0);
    MPI_Comm_free(&point);
    MPI_Comm_free(&row);
    MPI_Comm_dup(c, &row);
    MPI_Topo_test(row, &kind);
    check_eq(kind, MPI_CART);
    MPI_Comm_free(&row);
    MPI_Comm_free(&c);
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){1}, periods, 0, &c);
    check_eq(c != MPI_COMM_NULL, proc_rank == 0);
    if (c != MPI_COMM_NULL)
        MPI_Comm_free(&c);
}

/* A star: 0 with all others. */
static void graph(void)
{
    int n = proc_size, index[64], edges[128], got, nodes, n_edges, list[64];
    MPI_Comm c;
    for (int i = 0; i < n; i++) {
        index[i] = n - 1 + i;
        if (i > 0) {
            edges[i - 1] = i;
            edges[n - 2 + i] = 0;
        }
    }
    MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &c);
    MPI_Graphdims_get(c, &nodes, &n_edges);
    check(nodes == n && n_edges == 2 * (n - 1));
    MPI_Graph_neighbors_count(c, 0, &got);
    check_eq(got, n - 1);
    MPI_Graph_neighbors(c, 0, 64, list);
    for (int i = 0; i < n - 1; i++)
        check_eq(list[i], i + 1);
    if (proc_rank) {
        MPI_Graph_neighbors(c, proc_rank, 64, list);
        check_eq(list[0], 0);
    }
    MPI_Comm_free(&c);
}

/* A ring, told by rank 0 alone and by every rank for itself: both must give the same lists. */
static void distributed(void)
{
    int n = proc_size, right = (proc_rank + 1) % n, left = (proc_rank + n - 1) % n, sources[64], degrees[64], dests[64],
        w[64];
    int n_in, n_out, weighted, in, in_weight, out, out_weight, from = -1;
    MPI_Comm c, d;
    for (int i = 0; i < n; i++) {
        sources[i] = i;
        degrees[i] = 1;
        dests[i] = (i + 1) % n;
        w[i] = 10 + i;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, proc_rank ? 0 : n, sources, degrees, dests, w, MPI_INFO_NULL, 0, &c);
    MPI_Dist_graph_neighbors_count(c, &n_in, &n_out, &weighted);
    check(n_in == 1 && n_out == 1 && weighted);
    MPI_Dist_graph_neighbors(c, 1, &in, &in_weight, 1, &out, &out_weight);
    check(in == left && in_weight == 10 + left && out == right && out_weight == 10 + proc_rank);
    int *volatile no_weights = MPI_UNWEIGHTED; /* volatile: gcc 12 takes the constant for an address and warns */
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, no_weights, 1, &right, no_weights, MPI_INFO_NULL, 0, &d);
    MPI_Dist_graph_neighbors_count(d, &n_in, &n_out, &weighted);
    check(n_in == 1 && n_out == 1 && !weighted);
    MPI_Neighbor_alltoall(&proc_rank, 1, MPI_INT, &from, 1, MPI_INT, d);
    check_eq(from, left);
    MPI_Comm_free(&c);
    MPI_Comm_free(&d);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    cart();
    if (proc_size > 1)
        graph();
    distributed();
    return proc_end();
}
