/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads make communicators from different parents at the same time, in an order that differs between the ranks.
 * Messages on all of them with one tag show that no two got the same context.
 */
#include <pthread.h>

#include "proc.h"

#define THREADS 4
#define ROUNDS  25

static MPI_Comm parent[THREADS], made[THREADS][ROUNDS];

static void *work(void *arg)
{
    int t = (int)(size_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 3 == 0) {
            MPI_Comm_dup(parent[t], &made[t][i]);
        } else if (i % 3 == 1) {
            MPI_Comm_split(parent[t], 0, proc_rank, &made[t][i]);
        } else {
            MPI_Request r;
            MPI_Comm_idup(parent[t], &made[t][i], &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    check_eq(provided, MPI_THREAD_MULTIPLE);
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_dup(MPI_COMM_WORLD, &parent[t]);
    for (int k = 0; k < THREADS; k++) {
        int t = (k + proc_rank) % THREADS;
        pthread_create(&threads[t], NULL, work, (void *)(size_t)t);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);

    MPI_Request r[2 * THREADS * ROUNDS];
    int in[THREADS * ROUNDS], out[THREADS * ROUNDS];
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size, n = THREADS * ROUNDS;
    for (int i = 0; i < n; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, left, 0, made[i / ROUNDS][i % ROUNDS], &r[i]);
    for (int i = n - 1; i >= 0; i--) {
        out[i] = i;
        MPI_Isend(&out[i], 1, MPI_INT, right, 0, made[i / ROUNDS][i % ROUNDS], &r[n + i]);
    }
    MPI_Waitall(2 * n, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) {
        check_eq(in[i], i);
        MPI_Comm_free(&made[i / ROUNDS][i % ROUNDS]);
    }
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_free(&parent[t]);
    return proc_end();
}
