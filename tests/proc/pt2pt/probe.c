/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Probes, and matched probes by several threads at once: each message is received exactly once, by the thread that
 * probed it.
 */
#include "proc.h"

#include <pthread.h>

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
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    if (proc_rank == 0) {
        one_by_one();
        take_all();
    } else if (proc_rank == 1) {
        send_one_by_one();
        send_all();
    }
    return proc_end();
}
