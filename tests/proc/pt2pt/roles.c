/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads in different roles at once: one sends without ever waiting for an answer, one waits for a message that comes
 * last of all, some exchange messages, one only computes, one probes, one tests, two do collectives, each on its own
 * communicator. The order in which they leave differs, so that whoever makes progress for all has to be replaced again
 * and again, by threads that sleep and by threads that come back.
 */
#include <pthread.h>

#include "../../support/seed.h"
#include "proc.h"

enum { ROUNDS = 300, EXCHANGERS = 3, WINDOW = 8, MEET_EVERY = 50 };
enum { LATE = 1, STREAM, PROBED, TESTED, EXCHANGED }; /* tags */

static int other, rounds;
static MPI_Comm comms[2];
static volatile unsigned computed;

static void *wait_for_the_last(void *arg)
{
    int word = 0;
    (void)arg;
    MPI_Recv(&word, 1, MPI_INT, other, LATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_eq(word, 4711 + other);
    return NULL;
}

static void *send_on_and_on(void *arg)
{
    (void)arg;
    for (int i = 0; i < rounds; i++)
        MPI_Send(&i, 1, MPI_INT, other, STREAM, MPI_COMM_WORLD);
    return NULL;
}

static void *take_in_windows(void *arg)
{
    int in[WINDOW];
    (void)arg;
    for (int i = 0; i < rounds; i += WINDOW) {
        MPI_Request r[WINDOW];
        int n = rounds - i < WINDOW ? rounds - i : WINDOW;
        for (int k = 0; k < n; k++)
            MPI_Irecv(&in[k], 1, MPI_INT, other, STREAM, MPI_COMM_WORLD, &r[k]);
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
        for (int k = 0; k < n; k++)
            check_eq(in[k], i + k);
    }
    return NULL;
}

static void *exchange(void *arg)
{
    int tag = EXCHANGED + (int)(intptr_t)arg;
    for (int i = 0; i < rounds; i++) {
        int in = -1;
        if (proc_rank == 0)
            MPI_Send(&i, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (proc_rank != 0)
            MPI_Send(&i, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
        check_eq(in, i);
    }
    return NULL;
}

/* Each message is taken once, also where the probe is asked by the thread that makes progress. */
static void *probe(void *arg)
{
    (void)arg;
    for (int i = 0; i < rounds; i++) {
        MPI_Message m;
        MPI_Status st;
        int in = -1;
        MPI_Send(&i, 1, MPI_INT, other, PROBED, MPI_COMM_WORLD);
        if (i % 2) {
            MPI_Mprobe(other, PROBED, MPI_COMM_WORLD, &m, &st);
            MPI_Mrecv(&in, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
        } else {
            MPI_Probe(MPI_ANY_SOURCE, PROBED, MPI_COMM_WORLD, &st);
            MPI_Recv(&in, 1, MPI_INT, st.MPI_SOURCE, PROBED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        check_eq(in, i);
    }
    return NULL;
}

static void *test(void *arg)
{
    (void)arg;
    for (int i = 0; i < rounds; i++) {
        MPI_Request r[2];
        int in = -1, done = 0;
        MPI_Irecv(&in, 1, MPI_INT, other, TESTED, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&i, 1, MPI_INT, other, TESTED, MPI_COMM_WORLD, &r[1]);
        while (!done)
            MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
        check_eq(in, i);
    }
    return NULL;
}

static void *meet(void *arg)
{
    MPI_Comm c = comms[(intptr_t)arg];
    for (int i = 0; i < rounds; i++) {
        int sum = 0, mine = proc_rank + i;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c);
        check_eq(sum, 2 * i + 1);
        if (i % MEET_EVERY == 0)
            MPI_Barrier(c);
    }
    return NULL;
}

static void *compute(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < 20u * 1000 * 1000; i++)
        computed += i;
    return NULL;
}

int main(int argc, char **argv)
{
    int level = -1, n = 0, word;
    pthread_t late, th[EXCHANGERS + 7];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    check_eq(level, MPI_THREAD_MULTIPLE);
    other = proc_rank ^ 1;
    rounds = hws_test_rounds(ROUNDS);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    pthread_create(&late, NULL, wait_for_the_last, NULL);
    pthread_create(&th[n++], NULL, compute, NULL);
    pthread_create(&th[n++], NULL, send_on_and_on, NULL);
    pthread_create(&th[n++], NULL, take_in_windows, NULL);
    pthread_create(&th[n++], NULL, probe, NULL);
    pthread_create(&th[n++], NULL, test, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&th[n++], NULL, meet, (void *)(intptr_t)i);
    for (int i = 0; i < EXCHANGERS; i++)
        pthread_create(&th[n++], NULL, exchange, (void *)(intptr_t)i);
    for (int i = 0; i < n; i++)
        pthread_join(th[i], NULL);
    word = 4711 + proc_rank;
    MPI_Send(&word, 1, MPI_INT, other, LATE, MPI_COMM_WORLD);
    pthread_join(late, NULL);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
    return proc_end();
}
