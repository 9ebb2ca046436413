/* SPDX-License-Identifier: BSD-3-Clause
 *
 * traffic: messages whose bytes page.test.py knows. The first argument says how:
 *   pairs    each rank to each other one: three by MPI_Send, two long ones by MPI_Isend, one of a datatype with gaps
 *   threads  two ranks, two threads each, a hundred messages of 8 bytes in each direction and thread
 *   die      two ranks as in pairs; then rank 1 has waited in MPI for a second, and is killed
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "proc.h"

#define LONG  200000
#define SHORT 1000
#define TURNS 100

static int rank, size;
static char buf[8][LONG + 1000];

static void receive(int from, MPI_Request *r)
{
    for (int k = 0; k < 6; k++)
        MPI_Irecv(buf[2 + k], (int)sizeof buf[0], MPI_CHAR, from, k, MPI_COMM_WORLD, &r[k]);
}

static void send(int to)
{
    MPI_Request r[2];
    MPI_Datatype gaps;
    MPI_Type_vector(100, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int k = 0; k < 3; k++)
        MPI_Send(buf[0], SHORT * (rank + 1) + to, MPI_CHAR, to, k, MPI_COMM_WORLD);
    for (int k = 0; k < 2; k++)
        MPI_Isend(buf[k], LONG + 10 * rank + to, MPI_CHAR, to, 3 + k, MPI_COMM_WORLD, &r[k]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Send(buf[0], 1, gaps, to, 5, MPI_COMM_WORLD);
    MPI_Type_free(&gaps);
}

/* In round d each rank sends to the one d further. */
static void pairs(void)
{
    for (int d = 1; d < size; d++) {
        MPI_Request r[6];
        receive((rank + size - d) % size, r);
        send((rank + d) % size);
        MPI_Waitall(6, r, MPI_STATUSES_IGNORE);
    }
}

static void *exchange(void *arg)
{
    int tag = *(int *)arg;
    long word = 0;
    for (int i = 0; i < TURNS; i++) {
        MPI_Send(&word, 8, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD);
        MPI_Recv(&word, 8, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t t[2];
    int tags[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, exchange, &tags[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}

static void die(void)
{
    char word;
    pairs();
    if (rank == 0)
        sleep(1);
    if (rank == 0)
        MPI_Send(&word, 0, MPI_BYTE, 1, 9, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_BYTE, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    raise(SIGKILL);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "threads") == 0)
        threads();
    else if (argc > 1 && strcmp(argv[1], "die") == 0)
        die();
    else
        pairs();
    MPI_Finalize();
    return 0;
}
