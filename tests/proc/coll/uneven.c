/* SPDX-License-Identifier: BSD-3-Clause
 *
 * uneven: lengths that differ between the ranks of one host by so much that the one has more pieces than the other: who
 * takes says so, nobody waits for ever, and the next calls are right.
 */
#include "proc.h"

#define MOST (1 << 19) /* ints */

static int in[3 * MOST], out[3 * MOST], rank, size;

static void verify_all_is_well(void)
{
    int one = 1, sum = 0;
    for (int root = 0; root < size; root++)
        check_eq(MPI_Bcast(&one, 1, MPI_INT, root, MPI_COMM_WORLD), MPI_SUCCESS);
    check_eq(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    check_eq(sum, size);
}

/* Rank `odd` has a number of its own. */
static void differ(int root, int odd, int n, int n_odd)
{
    int mine = rank == odd ? n_odd : n, rc;
    rc = MPI_Bcast(in, mine, MPI_INT, root, MPI_COMM_WORLD);
    check_eq(proc_class(rc), rank == odd ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    verify_all_is_well();
    rc = MPI_Scatter(out, n, MPI_INT, in, mine, MPI_INT, root, MPI_COMM_WORLD);
    check_eq(proc_class(rc), rank == odd ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    verify_all_is_well();
    rc = MPI_Scatter(out, n, MPI_INT, in, rank == root ? n_odd : n, MPI_INT, root, MPI_COMM_WORLD);
    check_eq(proc_class(rc), rank == root ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    verify_all_is_well();
    rc = MPI_Reduce(out, in, mine, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root || (rc != MPI_SUCCESS && size > 2))
        check_eq(proc_class(rc), MPI_ERR_TRUNCATE);
    else /* one of two, or with a single piece: it gives and goes on */
        check_eq(proc_class(rc), MPI_SUCCESS);
    verify_all_is_well();
}

int main(int argc, char **argv)
{
    static const int lens[] = {1, 4000, 4097, 16384, 20000, 100000, MOST};
    enum { N = sizeof lens / sizeof lens[0] };
    proc_begin(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int root = 0; root < size; root++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (i != j)
                    differ(root, (root + 1) % size, lens[i], lens[j]);
    return proc_end();
}
