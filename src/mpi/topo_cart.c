/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topo_cart: grids (MPI 5.0 section 8.5), and what holds for all topologies.
 */
#include "mpi/public.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/comm_topo.h"
#include "core/topo/topo.h"
#include "mpi/check_object.h"
#include "mpi/check_topo.h"

int PMPI_Topo_test(MPI_Comm comm, int *status)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Topo_test", rc);
    if ((rc = hws_check_ptr(status, "status")) == MPI_SUCCESS)
        *status = c->topo ? c->topo->kind : MPI_UNDEFINED;
    return hws_raise(c, "MPI_Topo_test", rc);
}
HWS_MPI(Topo_test)

int PMPI_Dims_create(int nnodes, int ndims, int dims[])
{
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS && ndims < 0)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: ndims is %d, it must not be negative", ndims);
    if (rc == MPI_SUCCESS && ndims > 0)
        rc = hws_check_ptr(dims, "dims");
    return hws_raise(NULL, "MPI_Dims_create", rc ? rc : hws_dims_create(nnodes, ndims, dims));
}
HWS_MPI(Dims_create)

/* ---- making ---- */

/* A grid that fits into the communicator. */
static int check_grid(const struct hws_comm *c, int ndims, const int *dims, const int *periods)
{
    int rc = MPI_SUCCESS;
    if (ndims < 0)
        return hws_fail(MPI_ERR_DIMS, "invalid dimensions: ndims is %d, it must not be negative", ndims);
    if (ndims > 0 && ((rc = hws_check_ptr(dims, "dims")) || (rc = hws_check_ptr(periods, "periods"))))
        return rc;
    long long n_nodes = 1;
    for (int d = 0; d < ndims; d++) {
        if (dims[d] <= 0)
            return hws_fail(MPI_ERR_DIMS, "invalid dimensions: dims[%d] is %d, it must be positive", d, dims[d]);
        n_nodes *= dims[d];
        if (n_nodes > c->size)
            return hws_fail(MPI_ERR_ARG,
                            "invalid argument: the grid has more points than the communicator's %d processes", c->size);
    }
    return MPI_SUCCESS;
}

int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                     MPI_Comm *comm_cart)
{
    struct hws_comm *c, *n = NULL;
    int rc = hws_check_intra(comm_old, "comm_old", &c);
    (void)reorder;
    hws_call_begin("MPI_Cart_create", c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(comm_cart, "comm_cart")) == MPI_SUCCESS &&
        (rc = check_grid(c, ndims, dims, periods)) == MPI_SUCCESS)
        rc = hws_topo_make_cart(c, ndims, dims, periods, &n);
    return hws_give_comm("MPI_Cart_create", c, rc, n, comm_cart);
}
HWS_MPI(Cart_create)

int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
    struct hws_comm *c, *n = NULL;
    int rc = hws_check_topo(comm, MPI_CART, &c);
    if (rc == MPI_SUCCESS && c->topo->ndims > 0)
        rc = hws_check_ptr(remain_dims, "remain_dims");
    hws_call_begin("MPI_Cart_sub", c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(newcomm, "newcomm")) == MPI_SUCCESS)
        rc = hws_topo_make_sub(c, remain_dims, &n);
    return hws_give_comm("MPI_Cart_sub", c, rc, n, newcomm);
}
HWS_MPI(Cart_sub)

int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    struct hws_comm *c;
    int rc = hws_check_intra(comm, "comm", &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(newrank, "newrank")) == MPI_SUCCESS &&
        (rc = check_grid(c, ndims, dims, periods)) == MPI_SUCCESS) {
        int n_nodes = 1;
        for (int d = 0; d < ndims; d++)
            n_nodes *= dims[d];
        *newrank = c->rank < n_nodes ? c->rank : MPI_UNDEFINED;
    }
    return hws_raise(c, "MPI_Cart_map", rc);
}
HWS_MPI(Cart_map)

/* ---- queries ---- */

int PMPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_CART, &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(ndims, "ndims")) == MPI_SUCCESS)
        *ndims = c->topo->ndims;
    return hws_raise(c, "MPI_Cartdim_get", rc);
}
HWS_MPI(Cartdim_get)

static int check_room(const struct hws_comm *c, int maxdims)
{
    if (maxdims >= c->topo->ndims)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_ARG, "invalid argument: maxdims is %d, the grid has %d dimensions", maxdims,
                    c->topo->ndims);
}

int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_CART, &c);
    if (rc == MPI_SUCCESS && (rc = check_room(c, maxdims)) == MPI_SUCCESS && c->topo->ndims > 0 &&
        (rc = hws_check_ptr(dims, "dims")) == MPI_SUCCESS && (rc = hws_check_ptr(periods, "periods")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(coords, "coords")) == MPI_SUCCESS) {
        size_t len = (size_t)c->topo->ndims * sizeof(int);
        memcpy(dims, c->topo->dims, len);
        memcpy(periods, c->topo->periods, len);
        memcpy(coords, c->topo->coords, len);
    }
    return hws_raise(c, "MPI_Cart_get", rc);
}
HWS_MPI(Cart_get)

int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_CART, &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_node(rank, c->size)) == MPI_SUCCESS &&
        (rc = check_room(c, maxdims)) == MPI_SUCCESS && c->topo->ndims > 0 &&
        (rc = hws_check_ptr(coords, "coords")) == MPI_SUCCESS)
        hws_cart_coords(c->topo, rank, coords);
    return hws_raise(c, "MPI_Cart_coords", rc);
}
HWS_MPI(Cart_coords)

static int find_rank(const struct hws_comm *c, const int *coords, int *rank)
{
    const struct hws_topo *t = c->topo;
    int rc = hws_check_ptr(rank, "rank");
    if (rc || (t->ndims > 0 && (rc = hws_check_ptr(coords, "coords"))))
        return rc;
    for (int d = 0; d < t->ndims; d++)
        if (!t->periods[d] && (coords[d] < 0 || coords[d] >= t->dims[d]))
            return hws_fail(MPI_ERR_ARG, "invalid argument: coords[%d] is %d, it must be 0 to %d", d, coords[d],
                            t->dims[d] - 1);
    *rank = hws_cart_rank(t, coords);
    return MPI_SUCCESS;
}

int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank)
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_CART, &c);
    return hws_raise(c, "MPI_Cart_rank", rc ? rc : find_rank(c, coords, rank));
}
HWS_MPI(Cart_rank)

static int shift(const struct hws_comm *c, int direction, int disp, int *source, int *dest)
{
    const struct hws_topo *t = c->topo;
    int rc = hws_check_ptr(source, "rank_source");
    if (rc || (rc = hws_check_ptr(dest, "rank_dest")))
        return rc;
    if (direction < 0 || direction >= t->ndims)
        return hws_fail(MPI_ERR_ARG, "invalid argument: direction is %d, it must be 0 to %d", direction, t->ndims - 1);
    *source = hws_cart_neighbor(t, c->rank, direction, -(long long)disp);
    *dest = hws_cart_neighbor(t, c->rank, direction, disp);
    return MPI_SUCCESS;
}

int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_CART, &c);
    return hws_raise(c, "MPI_Cart_shift", rc ? rc : shift(c, direction, disp, rank_source, rank_dest));
}
HWS_MPI(Cart_shift)
