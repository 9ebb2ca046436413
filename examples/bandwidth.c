/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bandwidth: rank 0 streams to rank 1 in windows of 16 messages; prints MB/s (10^6 bytes) for each size.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 16, TAG_DATA = 1, TAG_DONE };

/* Seconds for n_windows windows, each acknowledged by an empty message. */
static double stream(int rank, char *buf, int size, int n_windows)
{
    MPI_Request requests[WINDOW];
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int w = 0; w < n_windows; w++) {
        for (int i = 0; i < WINDOW; i++)
            if (rank == 0)
                MPI_Isend(buf, size, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
            else
                MPI_Irecv(buf + (size_t)i * (size_t)size, size, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0)
            MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
    }
    return MPI_Wtime() - begin;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1024, 16384, 65536, 262144, 1048576, 4194304};
    int rank, n_ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (n_ranks != 2) {
        fprintf(stderr, "bandwidth: needs 2 ranks, not %d\n", n_ranks);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    char *buf = calloc(WINDOW, (size_t)sizes[5]);
    if (!buf)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        printf("%10s %12s\n", "bytes", "MB/s");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n_windows = 2 + (128 << 20) / (sizes[s] < 65536 ? 65536 : sizes[s]) / WINDOW;
        stream(rank, buf, sizes[s], 2);
        double seconds = stream(rank, buf, sizes[s], n_windows);
        if (rank == 0)
            printf("%10d %12.1f\n", sizes[s], (double)sizes[s] * WINDOW * n_windows / seconds / 1e6);
    }
    free(buf);
    MPI_Finalize();
    return 0;
}
