/* SPDX-License-Identifier: BSD-3-Clause
 *
 * later: rank 0 waits in a receive while nothing is under way, until the last rank sees a file and sends to it; then
 * it answers. sites.test.py cuts the way between them meanwhile.
 *
 *     later FILE
 */
#include "proc.h"

#include <unistd.h>

enum { N = 100000, TAG = 1, MEETINGS = 30 };

static int words[N];

static void fill(int seed)
{
    for (int i = 0; i < N; i++)
        words[i] = seed + i;
}

static void check_words(int seed)
{
    for (int i = 0; i < N; i++)
        check(words[i] == seed + i);
}

/* So much both ways that the connections are up, with large congestion windows. */
static void meet(int rank, int other)
{
    for (int i = 0; i < MEETINGS; i++) {
        fill(i + rank);
        MPI_Sendrecv_replace(words, N, MPI_INT, other, TAG, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_words(i + other);
    }
    if (rank == 0)
        puts("met");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check(argc == 2 && size == 2);
    meet(rank, 1 - rank);
    if (rank == 0) {
        MPI_Recv(words, N, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_words(1);
        fill(2);
        MPI_Send(words, N, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    } else {
        while (access(argv[1], F_OK) != 0)
            usleep(20000);
        fill(1);
        MPI_Send(words, N, MPI_INT, 0, TAG, MPI_COMM_WORLD);
        MPI_Recv(words, N, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_words(2);
    }
    MPI_Finalize();
    return 0;
}
