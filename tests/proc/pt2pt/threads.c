/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_THREAD_MULTIPLE: eight threads of each rank talk at once, each with its own tag: blocking, nonblocking, to the
 * other rank and to a neighbour thread of the same rank.
 */
#include "../../support/seed.h"
#include "proc.h"

#include <pthread.h>

enum { N_THREADS = 8, N_ROUNDS = 200, WINDOW = 16, WORDS = 6000 };

static int other;

static void ping(int t, int i)
{
    int out = proc_rank * 1000000 + t * 10000 + i, in = -1;
    MPI_Status st;
    if (i % 2) {
        MPI_Sendrecv(&out, 1, MPI_INT, other, t, &in, 1, MPI_INT, other, t, MPI_COMM_WORLD, &st);
    } else if (proc_rank < other) {
        MPI_Send(&out, 1, MPI_INT, other, t, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, other, t, MPI_COMM_WORLD, &st);
    } else {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, t, MPI_COMM_WORLD, &st);
        MPI_Ssend(&out, 1, MPI_INT, other, t, MPI_COMM_WORLD);
    }
    check_eq(in, (proc_rank ^ 1) * 1000000 + t * 10000 + i);
}

static void window(int t)
{
    static _Thread_local int out[WINDOW][WORDS], in[WINDOW][WORDS];
    MPI_Request r[2 * WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        out[i][0] = out[i][WORDS - 1] = proc_rank + i + t;
        MPI_Irecv(in[i], WORDS, MPI_INT, other, 100 + t, MPI_COMM_WORLD, &r[i]);
        MPI_Isend(out[i], i % 2 ? WORDS : 1, MPI_INT, other, 100 + t, MPI_COMM_WORLD, &r[WINDOW + i]);
    }
    MPI_Waitall(2 * WINDOW, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < WINDOW; i++) {
        check_eq(in[i][0], other + i + t);
        if (i % 2)
            check_eq(in[i][WORDS - 1], other + i + t);
    }
}

/* A neighbour thread may be asleep in its wait when this one sends to it. */
static void neighbour(int t, int i)
{
    int out = t + i, in = -1, next = (t + 1) % N_THREADS, prev = (t + N_THREADS - 1) % N_THREADS;
    MPI_Request r;
    MPI_Isend(&out, 1, MPI_INT, proc_rank, 200 + next, MPI_COMM_WORLD, &r);
    MPI_Recv(&in, 1, MPI_INT, proc_rank, 200 + t, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_eq(in, prev + i);
}

static void *work(void *arg)
{
    int t = (int)(intptr_t)arg, n = hws_test_rounds(N_ROUNDS);
    for (int i = 0; i < n; i++) {
        ping(t, i);
        if (i % 10 == 0)
            window(t);
        neighbour(t, i);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level = -1;
    pthread_t th[N_THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    check_eq(level, MPI_THREAD_MULTIPLE);
    other = proc_rank ^ 1;
    for (int t = 0; t < N_THREADS; t++)
        pthread_create(&th[t], NULL, work, (void *)(intptr_t)t);
    for (int t = 0; t < N_THREADS; t++)
        pthread_join(th[t], NULL);
    return proc_end();
}
