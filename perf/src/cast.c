/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: broadcasts between hosts whose network, not whose processors, is the limit. Short ones have another root each
 * time, so that each waits for the one before; long ones follow each other from rank 0. Prints the time of one, until
 * the last rank has it, and what that is as a rate to every host. Sizes are the arguments (bytes).
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

#define SHORT   (128l << 10) /* bytes up to which the root changes */
#define SECONDS 1.5          /* for each size, about */

static int rank, size;

static double run(char *buf, long len, long times)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double own = MPI_Wtime(), all;
    for (long i = 0; i < times; i++)
        MPI_Bcast(buf, (int)len, MPI_BYTE, len <= SHORT ? (int)(i % size) : 0, MPI_COMM_WORLD);
    own = MPI_Wtime() - own;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all / (double)times;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++) {
        long len = atol(argv[i]), times;
        char *buf = calloc((size_t)len, 1);
        double each = run(buf, len, 2);
        times = (long)(SECONDS / each) + 2;
        times = times < 2000 ? times : 2000;
        each = run(buf, len, times);
        if (rank == 0)
            printf("bcast %9ld bytes %10.1f us %7.2f Mbit/s (%ld times)\n", len, each * 1e6,
                   (double)len * 8 / each / 1e6, times);
        free(buf);
    }
    MPI_Finalize();
    return 0;
}
