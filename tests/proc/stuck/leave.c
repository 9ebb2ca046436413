/* SPDX-License-Identifier: BSD-3-Clause
 *
 * leave: the last rank leaves its job as the first argument says, for launched.test.sh; the others go on:
 *   well           all end well, after messages around the ring; each says "rank of size, n local"
 *   exit-before    it exits with status 0 instead of calling MPI_Init
 *   kill-before    it is killed instead of calling MPI_Init
 *   exit-inside    it exits with status 0, the others wait in a barrier
 *   kill-inside    it is killed, the others wait in a barrier
 *   kill-late      it is killed, the others have been in MPI_Finalize for some looks of theirs at who is gone
 *   kill-later     the same, but after the others have closed their connections
 *   abort          it calls MPI_Abort with code 9, the others wait in a barrier
 * The second argument, the number of ranks, tells before MPI_Init which rank is the last.
 */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : -1;
}

static int rank_before_init(void)
{
    static const char *const names[] = {"PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (int i = 0; i < 3; i++)
        if (number(names[i]) >= 0)
            return number(names[i]);
    return -1;
}

static void leave_before(const char *how)
{
    if (strcmp(how, "exit-before") == 0)
        exit(0);
    if (strcmp(how, "kill-before") == 0)
        raise(SIGKILL);
}

static bool is_late(const char *how)
{
    return strcmp(how, "kill-late") == 0 || strcmp(how, "kill-later") == 0;
}

static void leave_inside(const char *how)
{
    if (strcmp(how, "exit-inside") == 0)
        exit(0);
    if (strcmp(how, "kill-late") == 0)
        usleep(400000);
    if (strcmp(how, "kill-later") == 0)
        sleep(12);
    if (strcmp(how, "kill-inside") == 0 || is_late(how))
        raise(SIGKILL);
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static int go_round(int rank, int size)
{
    int token = rank, got = -1;
    MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got == (rank + size - 1) % size;
}

int main(int argc, char **argv)
{
    int rank, size, n_local;
    MPI_Comm local;
    if (argc < 3)
        return 2;
    if (rank_before_init() == atoi(argv[2]) - 1)
        leave_before(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local);
    MPI_Comm_size(local, &n_local);
    if (!go_round(rank, size))
        return 3;
    if (rank == size - 1)
        leave_inside(argv[1]);
    else if (!is_late(argv[1]))
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(argv[1], "well") == 0)
        printf("%d of %d, %d local\n", rank, size, n_local);
    MPI_Comm_free(&local);
    MPI_Finalize();
    return 0;
}
