/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Probes, and matched probes by several threads at once: each message is received exactly once, by the thread that
 * probed it. "single": without threads, for which receives and probes of short messages have ways of their own.
 */
#include "proc.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { N_THREADS = 4, N = 400 };

static int taken[N];

static void one_by_one(void)
{
    MPI_Status st;
    int n, flag = 0, *v;
    for (int i = 1; i <= 5; i++) {
        if (i % 2) {
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
        } else {
            for (flag = 0; !flag;)
                MPI_Iprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &st);
        }
        MPI_Get_count(&st, MPI_INT, &n);
        check_eq(n, i * 4000);
        check_eq(st.MPI_TAG, i);
        check_eq(st.MPI_SOURCE, 1);
        v = malloc((size_t)n * sizeof(int));
        MPI_Recv(v, n, MPI_INT, st.MPI_SOURCE, st.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_eq(v[n - 1], i);
        free(v);
    }
}

static void send_one_by_one(void)
{
    for (int i = 1; i <= 5; i++) {
        int *v = calloc((size_t)i * 4000, sizeof(int));
        v[i * 4000 - 1] = i;
        MPI_Send(v, i * 4000, MPI_INT, 0, i, MPI_COMM_WORLD);
        free(v);
    }
}

enum { ROUNDS = 60, FIRST = 7, OTHER = 8, GO = 9 };

static void expect(int source, int tag, int n_expected, int tag_expected)
{
    MPI_Status st;
    for (int again = 0; again < 2; again++) { /* a probe takes nothing */
        int n, flag = 0;
        if (again)
            MPI_Iprobe(source, tag, MPI_COMM_WORLD, &flag, &st);
        else
            MPI_Probe(source, tag, MPI_COMM_WORLD, &st);
        check(!again || flag);
        MPI_Get_count(&st, MPI_INT, &n);
        check_eq(n, n_expected);
        check_eq(st.MPI_TAG, tag_expected);
        check_eq(st.MPI_SOURCE, 1);
    }
}

static void expect_none(void)
{
    int flag = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    check(!flag);
}

/* Three messages, of which a receive that is posted takes the first: no probe tells of it, whether they come before
 * the receive or behind it. */
static void short_ones(int i)
{
    int v[3] = {0}, any = i % 4 < 2;
    MPI_Request r;
    MPI_Status st;
    if (i % 2)
        MPI_Send(NULL, 0, MPI_INT, 1, GO, MPI_COMM_WORLD);
    if (i % 2 && i % 3)
        expect(1, FIRST, 1, FIRST);
    MPI_Irecv(v, 3, MPI_INT, any ? MPI_ANY_SOURCE : 1, FIRST, MPI_COMM_WORLD, &r);
    if (i % 2 == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, GO, MPI_COMM_WORLD);
    if (i % 3 == 0)
        expect(any ? 1 : MPI_ANY_SOURCE, FIRST, 3, FIRST);
    expect(any ? MPI_ANY_SOURCE : 1, MPI_ANY_TAG, 2, OTHER);
    MPI_Wait(&r, &st);
    check_eq(v[0], i);
    MPI_Recv(v, 2, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
    check(st.MPI_TAG == OTHER && v[1] == i + 1);
    expect(1, MPI_ANY_TAG, 3, FIRST);
    MPI_Recv(v, 3, MPI_INT, MPI_ANY_SOURCE, FIRST, MPI_COMM_WORLD, &st);
    check_eq(v[2], i + 2);
    expect_none();
}

static void send_short_ones(int i)
{
    int v[3] = {i, i + 1, i + 2};
    MPI_Recv(NULL, 0, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(v, 1, MPI_INT, 0, FIRST, MPI_COMM_WORLD);
    MPI_Send(v, 2, MPI_INT, 0, OTHER, MPI_COMM_WORLD);
    MPI_Send(v, 3, MPI_INT, 0, FIRST, MPI_COMM_WORLD);
}

/* Ends at the message of length 1, of which there is one for each thread. */
static void *taker(void *arg)
{
    int n = 0, v[8000];
    for (;;) {
        MPI_Message m;
        MPI_Status st;
        if (arg) {
            MPI_Mprobe(1, 50, MPI_COMM_WORLD, &m, &st);
        } else {
            for (int flag = 0; !flag;)
                MPI_Improbe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &flag, &m, &st);
        }
        MPI_Get_count(&st, MPI_INT, &n);
        if (n % 2) {
            MPI_Mrecv(v, n, MPI_INT, &m, &st);
        } else {
            MPI_Request r;
            MPI_Imrecv(v, n, MPI_INT, &m, &r);
            MPI_Wait(&r, &st);
        }
        check(m == MPI_MESSAGE_NULL);
        check_eq(v[n - 1], v[0]);
        if (n == 1)
            return NULL;
        __atomic_add_fetch(&taken[v[0]], 1, __ATOMIC_RELAXED);
    }
}

static void take_all(void)
{
    pthread_t th[N_THREADS];
    for (int t = 0; t < N_THREADS; t++)
        pthread_create(&th[t], NULL, taker, t % 2 ? &taken : NULL);
    for (int t = 0; t < N_THREADS; t++)
        pthread_join(th[t], NULL);
    for (int i = 0; i < N; i++)
        check_eq(taken[i], 1);
}

static void send_all(void)
{
    static int v[8000];
    for (int i = 0; i < N + N_THREADS; i++) {
        int n = i < N ? 2 + i * 17 % 7990 : 1;
        v[0] = v[n - 1] = i < N ? i : -1;
        MPI_Send(v, n, MPI_INT, 0, 50, MPI_COMM_WORLD);
        v[n - 1] = 0;
    }
}

int main(int argc, char **argv)
{
    int level;
    bool single = argc > 1 && strcmp(argv[1], "single") == 0;
    MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    for (int i = 0; i < ROUNDS && proc_rank < 2; i++) {
        if (proc_rank == 0)
            short_ones(i);
        else
            send_short_ones(i);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* what is sent from here on is none of what expect_none() looks for */
    if (proc_rank == 0) {
        one_by_one();
        if (!single)
            take_all();
    } else if (proc_rank == 1) {
        send_one_by_one();
        if (!single)
            send_all();
    }
    return proc_end();
}
