/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings of send-receive in all forms, with contiguous and strided data, with MPI_PROC_NULL at the ends.
 */
#include "proc.h"

enum { LEN = 30000 };

static int a[LEN], b[LEN];

static void fill(int *v, int seed)
{
    for (int i = 0; i < LEN; i++)
        v[i] = seed * LEN + i;
}

/* Every entry that the type covers (step) is of rank `from`, the others still of `own`. */
static void check_array(const int *v, int n, int step, int from, int own)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += v[i] != (i % step == 0 ? from : own) * LEN + i;
    check_eq(wrong, 0);
}

static void ring(int n, int step, MPI_Datatype type, int count)
{
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size;
    MPI_Request r;
    fill(a, proc_rank), fill(b, proc_rank);
    MPI_Sendrecv(a, count, type, right, 1, b, count, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_array(b, n, step, left, proc_rank);
    fill(a, proc_rank);
    MPI_Sendrecv_replace(a, count, type, right, 2, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_array(a, n, step, left, proc_rank);
    fill(a, proc_rank), fill(b, proc_rank);
    MPI_Isendrecv(a, count, type, right, 3, b, count, type, left, 3, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_array(b, n, step, left, proc_rank);
    fill(a, proc_rank);
    MPI_Isendrecv_replace_c(a, count, type, right, 4, left, 4, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_array(a, n, step, left, proc_rank);
}

static void chain(void)
{
    int right = proc_rank + 1 < proc_size ? proc_rank + 1 : MPI_PROC_NULL,
        left = proc_rank > 0 ? proc_rank - 1 : MPI_PROC_NULL;
    MPI_Status st;
    fill(a, proc_rank);
    MPI_Sendrecv_replace(a, LEN, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD, &st);
    check_array(a, LEN, 1, proc_rank > 0 ? left : proc_rank, proc_rank);
    check_eq(st.MPI_SOURCE, left);
}

int main(int argc, char **argv)
{
    MPI_Datatype strided;
    proc_begin(&argc, &argv);
    MPI_Type_vector(LEN / 3, 1, 3, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    ring(1, 1, MPI_INT, 1);
    ring(LEN, 1, MPI_INT, LEN);
    ring(LEN, 3, strided, 1);
    chain();
    MPI_Type_free(&strided);
    return proc_end();
}
