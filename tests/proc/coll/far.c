/* SPDX-License-Identifier: BSD-3-Clause
 *
 * far: blocks more than 2^31 bytes apart, in sparse memory: displacements of the large-count functions, and of the int
 * ones with a larger type; and counts beyond 2^31 of what has no size.
 */
#include <sys/mman.h>

#include "proc.h"

enum { N = 1000 };                  /* longs of a block */
#define APART ((MPI_Aint)400000000) /* longs from block to block: 3.2 GB */

static long *out, *in, block[N];
static MPI_Count counts_c[4];
static MPI_Aint displs_c[4], bytes_c[4];
static int counts[4], displs[4];
static MPI_Datatype types[4];

static long value(int from, int to, int i)
{
    return from * 1000000L + to * 10000L + i;
}

static void fill(void)
{
    for (int j = 0; j < proc_size; j++)
        for (int i = 0; i < N; i++) {
            out[j * APART + i] = value(proc_rank, j, i);
            in[j * APART + i] = -1;
        }
    for (int i = 0; i < N; i++)
        block[i] = value(proc_rank, 0, i);
}

/* to: whose blocks lie in `in`; all alike when negative. */
static void expect(const char *what, int to)
{
    for (int j = 0; j < proc_size; j++)
        for (int i = 0; i < N; i++)
            if (in[j * APART + i] != value(j, to < 0 ? 0 : to, i)) {
                proc_failures++;
                fprintf(stderr, "rank %d: %s: element %d of block %d is %ld\n", proc_rank, what, i, j,
                        in[j * APART + i]);
                return;
            }
}

static void test_gather(void)
{
    MPI_Request r;
    fill();
    MPI_Gatherv_c(block, N, MPI_LONG, in, counts_c, displs_c, MPI_LONG, 0, MPI_COMM_WORLD);
    if (proc_rank == 0)
        expect("gatherv_c", -1);
    fill();
    MPI_Allgatherv(block, N, MPI_LONG, in, counts, displs, MPI_LONG, MPI_COMM_WORLD);
    expect("allgatherv", -1);
    fill();
    MPI_Iallgatherv_c(block, N, MPI_LONG, in, counts_c, displs_c, MPI_LONG, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    expect("iallgatherv_c", -1);
}

static void test_scatter(void)
{
    MPI_Request r;
    fill();
    MPI_Scatterv_c(out, counts_c, displs_c, MPI_LONG, block, N, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        check_eq(block[i], value(0, proc_rank, i));
    fill();
    MPI_Scatterv_init(out, counts, displs, MPI_LONG, block, N, MPI_LONG, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    for (int i = 0; i < N; i++)
        check_eq(block[i], value(0, proc_rank, i));
}

static void test_alltoall(void)
{
    fill();
    MPI_Alltoallv_c(out, counts_c, displs_c, MPI_LONG, in, counts_c, displs_c, MPI_LONG, MPI_COMM_WORLD);
    expect("alltoallv_c", proc_rank);
    fill();
    MPI_Alltoallv(out, counts, displs, MPI_LONG, in, counts, displs, MPI_LONG, MPI_COMM_WORLD);
    expect("alltoallv", proc_rank);
    fill();
    MPI_Alltoallw_c(out, counts_c, bytes_c, types, in, counts_c, bytes_c, types, MPI_COMM_WORLD);
    expect("alltoallw_c", proc_rank);
}

/* One element that stretches over 3.2 GB: block i of the plain forms lies that far. */
static void test_extent(void)
{
    MPI_Datatype run, wide;
    MPI_Type_contiguous(N, MPI_LONG, &run);
    MPI_Type_create_resized(run, 0, APART * (MPI_Aint)sizeof(long), &wide);
    MPI_Type_commit(&wide);
    fill();
    MPI_Allgather(block, N, MPI_LONG, in, 1, wide, MPI_COMM_WORLD);
    expect("allgather", -1);
    fill();
    MPI_Alltoall(out, 1, wide, in, 1, wide, MPI_COMM_WORLD);
    expect("alltoall", proc_rank);
    MPI_Type_free(&run);
    MPI_Type_free(&wide);
}

static void test_counts(void)
{
    MPI_Datatype nothing;
    MPI_Count many = (MPI_Count)1 << 40;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    check_eq(MPI_Bcast_c(in, many, nothing, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    check_eq(MPI_Allgather_c(out, many, nothing, in, many, nothing, MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Type_free(&nothing);
}

int main(int argc, char **argv)
{
    size_t len = (size_t)4 * (size_t)APART * sizeof(long);
    out = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    in = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (out == MAP_FAILED || in == MAP_FAILED)
        return 77;
    proc_begin(&argc, &argv);
    for (int j = 0; j < proc_size; j++) {
        counts_c[j] = counts[j] = N;
        displs_c[j] = j * APART;
        displs[j] = (int)(j * APART);
        bytes_c[j] = displs_c[j] * (MPI_Aint)sizeof(long);
        types[j] = MPI_LONG;
    }
    test_gather();
    test_scatter();
    test_alltoall();
    test_extent();
    test_counts();
    return proc_end();
}
