/* SPDX-License-Identifier: BSD-3-Clause
 *
 * threads: MPI_THREAD_MULTIPLE, each thread with collectives on its own communicator, blocking and nonblocking.
 */
#include <pthread.h>

#include "proc.h"

#define THREADS 4
#define ROUNDS  60

static MPI_Comm comms[THREADS];
static int wrong[THREADS];

static void *work(void *arg)
{
    int t = (int)(size_t)arg, sums = proc_size * (proc_size - 1) / 2;
    for (int i = 0; i < ROUNDS; i++) {
        int mine = proc_rank + i * t, sum = 0, all[64], from = i % proc_size, word = from == proc_rank ? i : -1;
        MPI_Request req;
        MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comms[t], &req);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comms[t]);
        MPI_Bcast(&word, 1, MPI_INT, from, comms[t]);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        wrong[t] += sum != sums + proc_size * i * t || word != i;
        for (int r = 0; r < proc_size; r++)
            wrong[t] += all[r] != r + i * t;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    check_eq(provided, MPI_THREAD_MULTIPLE);
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&thread[t], NULL, work, (void *)(size_t)t);
    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        check_eq(wrong[t], 0);
        MPI_Comm_free(&comms[t]);
    }
    return proc_end();
}
