/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication between ranks: different cuts on both sides, several channels of one tag, short and long
 * partitions, threads that mark partitions ready, arrival seen before the end.
 */
#include "proc.h"

#include <pthread.h>

enum { WORDS = 240000, N_ROUNDS = 10, N_THREADS = 4, N_SEND = 24 };

static int out[WORDS], in[WORDS];
static MPI_Request sending;

static void *make_ready(void *arg)
{
    int t = (int)(intptr_t)arg;
    for (int i = t; i < N_SEND; i += N_THREADS)
        MPI_Pready(i, sending);
    return NULL;
}

static void check_all(int seed)
{
    int wrong = 0;
    for (int i = 0; i < WORDS; i++)
        wrong += in[i] != seed + i;
    check_eq(wrong, 0);
}

static void wait_arrived(MPI_Request r, int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int flag = 0; !flag;)
            MPI_Parrived(r, i, &flag);
}

static void with_threads(int other)
{
    static const int cuts[] = {1, 6, 24, 60, 240};
    for (int c = 0; c < 5; c++) {
        MPI_Request r;
        MPI_Psend_init(out, N_SEND, WORDS / N_SEND, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &sending);
        MPI_Precv_init(in, cuts[c], WORDS / cuts[c], MPI_INT, other, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
        for (int k = 0; k < N_ROUNDS; k++) {
            pthread_t th[N_THREADS];
            for (int i = 0; i < WORDS; i++)
                out[i] = proc_rank + k + i;
            MPI_Start(&r);
            MPI_Start(&sending);
            for (int t = 0; t < N_THREADS; t++)
                pthread_create(&th[t], NULL, make_ready, (void *)(intptr_t)t);
            if (k % 2)
                wait_arrived(r, cuts[c]);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            for (int t = 0; t < N_THREADS; t++)
                pthread_join(th[t], NULL);
            MPI_Wait(&sending, MPI_STATUS_IGNORE);
            check_all(other + k);
        }
        MPI_Request_free(&sending);
        MPI_Request_free(&r);
    }
}

static void several_channels(int other)
{
    enum { N = 20 };
    MPI_Request r[2 * N];
    int a[N][4], b[N][4];
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++)
            a[i][k] = proc_rank * 1000 + i * 4 + k;
        MPI_Psend_init(a[i], 4, 1, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &r[i]);
        MPI_Precv_init_c(b[i], 2, 2, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &r[N + i]);
    }
    MPI_Startall(2 * N, r);
    for (int i = N - 1; i >= 0; i--)
        MPI_Pready_list(4, (int[]){2, 0, 3, 1}, r[i]);
    MPI_Waitall(2 * N, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++)
            check_eq(b[i][k], other * 1000 + i * 4 + k);
        MPI_Request_free(&r[i]);
        MPI_Request_free(&r[N + i]);
    }
}

/* The announcement of a channel comes while its first round is being started, as often as not. */
static void short_channels(int other)
{
    for (int k = 0; k < 1500; k++) {
        MPI_Request r[2];
        int a[2] = {k, proc_rank}, b[2] = {-1, -1};
        MPI_Precv_init(b, 2, 1, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
        MPI_Psend_init(a, 2, 1, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
        MPI_Startall(2, r);
        MPI_Pready_range(0, 1, r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        check_eq(b[0], k);
        check_eq(b[1], other);
        MPI_Request_free(&r[0]);
        MPI_Request_free(&r[1]);
    }
}

static int has_arrived(MPI_Request r, int partition)
{
    int flag;
    MPI_Parrived(r, partition, &flag);
    return flag;
}

/* Partitions without bytes, and those of a receive that lie beyond all that is sent, arrive with what is sent, not
 * before. */
static void empty_partitions(int n_send, int n_recv, int count, int room)
{
    int a[12] = {0}, b[12] = {0};
    MPI_Request s, r;
    MPI_Psend_init(a, n_send, count, MPI_INT, 0, 8, MPI_COMM_SELF, MPI_INFO_NULL, &s);
    MPI_Precv_init(b, n_recv, room, MPI_INT, 0, 8, MPI_COMM_SELF, MPI_INFO_NULL, &r);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&r);
        MPI_Start(&s);
        for (int i = 0; i < n_recv; i++)
            check_eq(has_arrived(r, i), 0);
        for (int i = 0; i < n_send; i++) {
            MPI_Pready(i, s);
            for (int k = 0; k < n_recv && n_send == n_recv && count == room; k++)
                check_eq(has_arrived(r, k), k <= i);
        }
        for (int i = 0; i < n_recv; i++)
            while (!has_arrived(r, i))
                ;
        MPI_Wait(&s, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&s);
    MPI_Request_free(&r);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    with_threads(proc_rank ^ 1);
    several_channels(proc_rank ^ 1);
    short_channels(proc_rank ^ 1);
    empty_partitions(3, 3, 0, 0);
    empty_partitions(4, 2, 0, 0);
    empty_partitions(2, 5, 0, 0);
    empty_partitions(2, 2, 0, 3);
    empty_partitions(3, 3, 2, 2);
    empty_partitions(2, 4, 2, 2);
    return proc_end();
}
