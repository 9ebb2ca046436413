/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbor: the five neighbourhood collectives in all forms on Cartesian grids (periodic ones of one and two ranks,
 * where both neighbours are the same rank; edges, where there is none) and on graphs with several edges between two
 * ranks.
 */
#include "proc.h"

#define COUNT 5
#define MOST  16
#define ROOM  (MOST * (COUNT + MOST + 1))

enum form { BLOCKING, NONBLOCKING, PERSISTENT };

static enum form form;
static MPI_Comm comm;
static int me, n_in, n_out, in[MOST], out[MOST];
static int cart; /* block k comes from the sender's block k ^ 1, else from its block k */
static int sbuf[ROOM], rbuf[ROOM], want[ROOM];
static int scounts[MOST], rcounts[MOST], sdispls[MOST], rdispls[MOST];
static MPI_Count scounts_c[MOST], rcounts_c[MOST];
static MPI_Aint sdispls_c[MOST], rdispls_c[MOST];
static MPI_Datatype types[MOST];

static int value(int from, int block, int i)
{
    return from * 10000 + block * 100 + i;
}

/* Elements of the block that crosses edge k of the receiving side. */
static int edge_n(int k)
{
    return k % 3 + 1;
}

static int sent_as(int k)
{
    return cart ? k ^ 1 : k;
}

static void fresh(void)
{
    for (int i = 0; i < ROOM; i++)
        sbuf[i] = rbuf[i] = want[i] = -1;
}

static void compare(const char *what)
{
    if (!memcmp(rbuf, want, sizeof rbuf))
        return;
    proc_failures++;
    fprintf(stderr, "rank %d: %s, %d in, %d out, cart %d: wrong result\n", me, what, n_in, n_out, cart);
}

#define RUN(Name, iname, init, ...)                                                                                    \
    do {                                                                                                               \
        MPI_Request req = MPI_REQUEST_NULL;                                                                            \
        if (form == BLOCKING) {                                                                                        \
            check_eq(MPI_Neighbor_##Name(__VA_ARGS__, comm), MPI_SUCCESS);                                             \
        } else if (form == NONBLOCKING) {                                                                              \
            check_eq(MPI_Ineighbor_##iname(__VA_ARGS__, comm, &req), MPI_SUCCESS);                                     \
            check_eq(MPI_Wait(&req, MPI_STATUS_IGNORE), MPI_SUCCESS);                                                  \
        } else {                                                                                                       \
            check_eq(MPI_Neighbor_##init(__VA_ARGS__, comm, MPI_INFO_NULL, &req), MPI_SUCCESS);                        \
            for (int start = 0; start < 3; start++) {                                                                  \
                memset(rbuf, -1, sizeof rbuf);                                                                         \
                MPI_Start(&req);                                                                                       \
                check_eq(MPI_Wait(&req, MPI_STATUS_IGNORE), MPI_SUCCESS);                                              \
            }                                                                                                          \
            MPI_Request_free(&req);                                                                                    \
        }                                                                                                              \
    } while (0)

static void test_gather(void)
{
    fresh();
    for (int i = 0; i < COUNT; i++) {
        sbuf[i] = value(me, 0, i);
        for (int k = 0; k < n_in; k++)
            want[k * COUNT + i] = in[k] == MPI_PROC_NULL ? -1 : value(in[k], 0, i);
    }
    RUN(allgather, allgather, allgather_init, sbuf, COUNT, MPI_INT, rbuf, COUNT, MPI_INT);
    compare("allgather");
    memset(rbuf, -1, sizeof rbuf);
    RUN(allgather_c, allgather_c, allgather_init_c, sbuf, COUNT, MPI_INT, rbuf, COUNT, MPI_INT);
    compare("allgather_c");
    fresh();
    for (int k = 0; k < n_in; k++) {
        rcounts_c[k] = rcounts[k] = COUNT;
        rdispls_c[k] = rdispls[k] = (n_in - 1 - k) * (COUNT + 1);
        for (int i = 0; i < COUNT && in[k] != MPI_PROC_NULL; i++)
            want[rdispls[k] + i] = value(in[k], 0, i);
    }
    for (int i = 0; i < COUNT; i++)
        sbuf[i] = value(me, 0, i);
    RUN(allgatherv, allgatherv, allgatherv_init, sbuf, COUNT, MPI_INT, rbuf, rcounts, rdispls, MPI_INT);
    compare("allgatherv");
    memset(rbuf, -1, sizeof rbuf);
    RUN(allgatherv_c, allgatherv_c, allgatherv_init_c, sbuf, COUNT, MPI_INT, rbuf, rcounts_c, rdispls_c, MPI_INT);
    compare("allgatherv_c");
}

static void test_alltoall(void)
{
    fresh();
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < n_out; k++)
            sbuf[k * COUNT + i] = value(me, k, i);
        for (int k = 0; k < n_in; k++)
            want[k * COUNT + i] = in[k] == MPI_PROC_NULL ? -1 : value(in[k], sent_as(k), i);
    }
    RUN(alltoall, alltoall, alltoall_init, sbuf, COUNT, MPI_INT, rbuf, COUNT, MPI_INT);
    compare("alltoall");
}

static void fill_vectors(void)
{
    fresh();
    for (int k = 0; k < n_out; k++) {
        scounts_c[k] = scounts[k] = edge_n(sent_as(k)); /* the edge's number on the other side */
        sdispls_c[k] = sdispls[k] = k * 4;
        for (int i = 0; i < scounts[k]; i++)
            sbuf[sdispls[k] + i] = value(me, k, i);
        types[k] = MPI_INT;
    }
    for (int k = 0; k < n_in; k++) {
        rcounts_c[k] = rcounts[k] = edge_n(k);
        rdispls_c[k] = rdispls[k] = k * 4 + 1;
        for (int i = 0; i < rcounts[k] && in[k] != MPI_PROC_NULL; i++)
            want[rdispls[k] + i] = value(in[k], sent_as(k), i);
        types[k] = MPI_INT;
    }
}

static void test_vectors(void)
{
    fill_vectors();
    RUN(alltoallv, alltoallv, alltoallv_init, sbuf, scounts, sdispls, MPI_INT, rbuf, rcounts, rdispls, MPI_INT);
    compare("alltoallv");
    memset(rbuf, -1, sizeof rbuf);
    RUN(alltoallv_c, alltoallv_c, alltoallv_init_c, sbuf, scounts_c, sdispls_c, MPI_INT, rbuf, rcounts_c, rdispls_c,
        MPI_INT);
    compare("alltoallv_c");
    for (int k = 0; k < MOST; k++) {
        sdispls_c[k] *= (MPI_Aint)sizeof(int);
        rdispls_c[k] *= (MPI_Aint)sizeof(int);
    }
    memset(rbuf, -1, sizeof rbuf);
    RUN(alltoallw, alltoallw, alltoallw_init, sbuf, scounts, sdispls_c, types, rbuf, rcounts, rdispls_c, types);
    compare("alltoallw");
    memset(rbuf, -1, sizeof rbuf);
    RUN(alltoallw_c, alltoallw_c, alltoallw_init_c, sbuf, scounts_c, sdispls_c, types, rbuf, rcounts_c, rdispls_c,
        types);
    compare("alltoallw_c");
    MPI_Aint from[MOST], to[MOST];
    for (int k = 0; k < MOST; k++) {
        from[k] = MPI_Aint_add((MPI_Aint)sbuf, sdispls_c[k]);
        to[k] = MPI_Aint_add((MPI_Aint)rbuf, rdispls_c[k]);
    }
    memset(rbuf, -1, sizeof rbuf);
    RUN(alltoallw, alltoallw, alltoallw_init, MPI_BOTTOM, scounts, from, types, MPI_BOTTOM, rcounts, to, types);
    compare("alltoallw with absolute addresses");
}

static void test_all(void)
{
    MPI_Comm_rank(comm, &me);
    for (form = BLOCKING; form <= PERSISTENT; form++) {
        test_gather();
        test_alltoall();
        test_vectors();
    }
    MPI_Comm_free(&comm);
}

static void test_cart(int ndims, const int *dims, const int *periods)
{
    MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &comm);
    n_in = n_out = 2 * ndims;
    for (int d = 0; d < ndims; d++) {
        MPI_Cart_shift(comm, d, 1, &in[2 * d], &in[2 * d + 1]);
        out[2 * d] = in[2 * d];
        out[2 * d + 1] = in[2 * d + 1];
    }
    cart = 1;
    test_all();
}

/* Two edges to the next rank, one to the one before: with two ranks three edges each way between the same two. */
static void test_dist_graph(void)
{
    int *volatile none = MPI_UNWEIGHTED; /* gcc takes the small constant for an array of no bytes */
    int next = (proc_rank + 1) % proc_size, prev = (proc_rank + proc_size - 1) % proc_size;
    int to[3] = {next, next, prev}, from[3] = {prev, prev, next};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, from, none, 3, to, none, MPI_INFO_NULL, 0, &comm);
    n_in = n_out = 3;
    memcpy(in, from, sizeof from);
    memcpy(out, to, sizeof to);
    cart = 0;
    test_all();
}

static void test_none(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int class, rc = MPI_Neighbor_allgather(sbuf, 1, MPI_INT, rbuf, 1, MPI_INT, comm);
    MPI_Error_class(rc, &class);
    check_eq(class, MPI_ERR_TOPOLOGY);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    static const int yes[3] = {1, 1, 1}, no[3] = {0, 0, 0}, mixed[3] = {1, 0, 1};
    proc_begin(&argc, &argv);
    int line[3] = {proc_size, 1, 1}, grid[3] = {0, 0, 1};
    MPI_Dims_create(proc_size, 2, grid);
    test_cart(1, line, yes);
    test_cart(1, line, no);
    test_cart(3, line, yes);
    test_cart(3, grid, yes);
    test_cart(3, grid, mixed);
    test_dist_graph();
    test_none();
    return proc_end();
}
