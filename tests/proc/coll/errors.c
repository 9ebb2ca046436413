/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errors: wrong arguments end in the class that the standard names, in every form of the call, and the communicator
 * goes on working; arguments that count only at the root are not looked at elsewhere.
 */
#include "proc.h"

static int a[512], b[64], n;
static const int minus[4] = {1, -1, 1, 1}, ones[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
static MPI_Comm w;

#define expect(call, cls) proc_check_eq(__FILE__, __LINE__, #call, proc_class(call), cls)

static void test_common(void)
{
    MPI_Request req;
    MPI_Datatype raw;
    expect(MPI_Bcast(a, 1, MPI_INT, n, w), MPI_ERR_ROOT);
    expect(MPI_Bcast(a, 1, MPI_INT, -1, w), MPI_ERR_ROOT);
    expect(MPI_Bcast(a, -1, MPI_INT, 0, w), MPI_ERR_COUNT);
    expect(MPI_Bcast(a, 1, MPI_DATATYPE_NULL, 0, w), MPI_ERR_TYPE);
    expect(MPI_Bcast(NULL, 1, MPI_INT, 0, w), MPI_ERR_BUFFER);
    expect(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, w), MPI_ERR_BUFFER);
    expect(MPI_Bcast_c(a, (MPI_Count)1 << 62, MPI_INT, 0, w), MPI_ERR_COUNT);
    expect(MPI_Ibcast(a, 1, MPI_INT, 0, w, NULL), MPI_ERR_ARG);
    expect(MPI_Ibcast(a, -1, MPI_INT, 0, w, &req), MPI_ERR_COUNT);
    expect(MPI_Bcast_init(a, 1, MPI_INT, n, w, MPI_INFO_NULL, &req), MPI_ERR_ROOT);
    MPI_Type_contiguous(2, MPI_INT, &raw);
    expect(MPI_Bcast(a, 1, raw, 0, w), MPI_ERR_TYPE);
    MPI_Type_free(&raw);
    expect(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
    expect(MPI_Ibarrier(w, NULL), MPI_ERR_ARG);
}

static void test_reductions(void)
{
    expect(MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, w), MPI_ERR_OP);
    expect(MPI_Allreduce(a, b, 1, MPI_FLOAT, MPI_BAND, w), MPI_ERR_OP);
    expect(MPI_Allreduce(a, a, 1, MPI_INT, MPI_SUM, w), MPI_ERR_BUFFER);
    expect(MPI_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, w), MPI_ERR_BUFFER);
    expect(MPI_Allreduce(a, b, -1, MPI_INT, MPI_SUM, w), MPI_ERR_COUNT);
    expect(MPI_Iallreduce(a, a, 1, MPI_INT, MPI_SUM, w, &(MPI_Request){MPI_REQUEST_NULL}), MPI_ERR_BUFFER);
    expect(MPI_Scan(a, a, 1, MPI_INT, MPI_SUM, w), MPI_ERR_BUFFER);
    expect(MPI_Exscan(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, w), MPI_ERR_TYPE);
    expect(MPI_Reduce_scatter_block(a, b, -2, MPI_INT, MPI_SUM, w), MPI_ERR_COUNT);
    expect(MPI_Reduce_scatter(a, b, n > 1 ? minus : NULL, MPI_INT, MPI_SUM, w), n > 1 ? MPI_ERR_COUNT : MPI_ERR_ARG);
    if (proc_rank > 0) /* only the root may say so */
        expect(MPI_Reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, 0, w), MPI_ERR_BUFFER);
}

static void test_vectors(void)
{
    expect(MPI_Allgatherv(a, 1, MPI_INT, b, n > 1 ? minus : NULL, places, MPI_INT, w),
           n > 1 ? MPI_ERR_COUNT : MPI_ERR_ARG);
    expect(MPI_Alltoallv(a, ones, NULL, MPI_INT, b, ones, places, MPI_INT, w), MPI_ERR_ARG);
    expect(MPI_Alltoallv(a, ones, places, MPI_INT, MPI_IN_PLACE, ones, places, MPI_INT, w), MPI_ERR_BUFFER);
    expect(MPI_Alltoall(a, 1, MPI_INT, a, 1, MPI_INT, w), MPI_ERR_BUFFER);
    expect(MPI_Alltoall(a, 1, MPI_INT, b, -1, MPI_INT, w), MPI_ERR_COUNT);
    expect(MPI_Alltoallw(a, ones, places, NULL, b, ones, places, NULL, w), MPI_ERR_ARG);
    if (proc_rank == 0)
        expect(MPI_Gather(a, 1, MPI_INT, a, 1, MPI_INT, 0, w), MPI_ERR_BUFFER);
}

/* Nonsense where it does not count. */
static void test_insignificant(void)
{
    int root = proc_rank == 0;
    expect(MPI_Gather(a, 1, MPI_INT, root ? b : NULL, root ? 1 : -5, root ? MPI_INT : MPI_DATATYPE_NULL, 0, w),
           MPI_SUCCESS);
    expect(MPI_Scatter(root ? a : NULL, root ? 1 : -5, root ? MPI_INT : MPI_DATATYPE_NULL, b, 1, MPI_INT, 0, w),
           MPI_SUCCESS);
    expect(MPI_Gather(root ? MPI_IN_PLACE : a, root ? -5 : 1, root ? MPI_DATATYPE_NULL : MPI_INT, b, 1, MPI_INT, 0, w),
           MPI_SUCCESS);
    expect(MPI_Reduce(a, root ? b : NULL, 1, MPI_INT, MPI_SUM, 0, w), MPI_SUCCESS);
    expect(MPI_Bcast(NULL, 0, MPI_INT, 0, w), MPI_SUCCESS);
    expect(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, w), MPI_SUCCESS);
}

/* Counts that differ between ranks are found where the messages meet: no rank hangs, none that got too little is
 * content. */
static void test_mismatch(void)
{
    int rc = MPI_Bcast(a, proc_rank == 0 ? 3 : 5, MPI_INT, 0, w);
    check_eq(proc_class(rc), proc_rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    MPI_Barrier(w);
    rc = MPI_Alltoall(a, proc_rank == 0 ? 20 : 10, MPI_INT, b, 10, MPI_INT,
                      w); /* rank 0's own part is too long as well */
    check_eq(proc_class(rc), MPI_ERR_TRUNCATE);
    MPI_Barrier(w);
    for (int i = 0; i < 8; i++)
        b[i] = a[i] = 1;
}

/* In a form where each pair has its own length, rank 0 gives all too much, short or long. */
static void test_pair_mismatch(int n_due)
{
    static int out[80000], in[4 * 40000];
    int sn[4], rn[4], zero[4] = {0}, rd[4];
    for (int i = 0; i < n; i++) {
        sn[i] = proc_rank == 0 ? 2 * n_due : n_due;
        rn[i] = n_due;
        rd[i] = i * n_due;
    }
    int rc = MPI_Alltoallv(out, sn, zero, MPI_INT, in, rn, rd, MPI_INT, w);
    check_eq(proc_class(rc), MPI_ERR_TRUNCATE);
    MPI_Barrier(w);
    for (int i = 0; i < n; i++)
        sn[i] = n_due;
    expect(MPI_Alltoallv(out, sn, zero, MPI_INT, in, rn, rd, MPI_INT, w), MPI_SUCCESS);
}

static void test_reduce_local(void)
{
    expect(MPI_Reduce_local(a, b, 4, MPI_INT, MPI_SUM), MPI_SUCCESS);
    expect(MPI_Reduce_local(MPI_IN_PLACE, b, 4, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    expect(MPI_Reduce_local(a, MPI_IN_PLACE, 4, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    expect(MPI_Reduce_local(a, a, 4, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
}

/* HAWSER_CHECKS=0: mistakes that do no harm here go through. */
static void test_unchecked(void)
{
    int in[4] = {0, 1, 2, 3};
    expect(MPI_Allreduce(in, in, 0, MPI_FLOAT, MPI_BAND, w), MPI_SUCCESS);
    expect(MPI_Allgather(in + proc_rank, 1, MPI_INT, in, 1, MPI_INT, w), MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        check_eq(in[i], i);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    n = proc_size;
    MPI_Comm_dup(MPI_COMM_WORLD, &w);
    MPI_Comm_set_errhandler(w, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (argc > 1) {
        test_unchecked();
        MPI_Comm_free(&w);
        return proc_end();
    }
    test_common();
    test_reductions();
    test_vectors();
    test_insignificant();
    test_reduce_local();
    if (n > 1) {
        test_mismatch();
        test_pair_mismatch(10);
        test_pair_mismatch(40000);
    }
    expect(MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, w), MPI_SUCCESS);
    MPI_Comm_free(&w);
    return proc_end();
}
