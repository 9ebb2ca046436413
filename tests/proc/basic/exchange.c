/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ranks exchange short and long messages and verify them; rank 0 says "exchanged".
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LONGEST (1 << 20)

static int is_right(const unsigned char *b, int n, int from)
{
    for (int i = 0; i < n; i++)
        if (b[i] != (unsigned char)(i * 7 + from))
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int rank, size, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned char *out = malloc(LONGEST), *in = malloc(LONGEST);
    for (int i = 0; i < LONGEST; i++)
        out[i] = (unsigned char)(i * 7 + rank);
    int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    for (int n = 1; n <= LONGEST; n *= 4) {
        MPI_Sendrecv(out, n, MPI_BYTE, next, n, in, n, MPI_BYTE, prev, n, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        right &= is_right(in, n, prev);
    }
    int all;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "exchanged" : "wrong bytes");
    free(out);
    free(in);
    MPI_Finalize();
    return !all;
}
