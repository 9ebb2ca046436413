/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stuck: ranks that wait for what never comes, for report.test.sh. The first argument says how:
 *   tag       rank 1 receives with another tag than rank 0 sends with, the others wait in a barrier
 *   any       rank 1 probes for any message, the others wait in a barrier
 *   set       rank 0 waits for 3 receives, one of them is matched; the others in MPI_Comm_split
 *   some      rank 0 waits for some of 2 receives, the others wait synchronously sending to their left neighbour
 *   busy      rank 0 computes, the others wait for its broadcast
 *   threads   rank 0 waits in two threads, the others in a barrier
 *   named     all wait in MPI_Sendrecv on a communicator with a name
 *   crash     rank 1 gives MPI_Send an address that is none
 *   deaf      rank 1 is killed while it waits in MPI_Recv
 *   abort     rank 1 calls abort() outside MPI
 *   aside     as abort, while another of its threads waits in MPI
 *   operator  rank 1 gives MPI_Reduce_local an operation that calls abort()
 *   handler   as crash, but the program has its own handler
 *   leaves    rank 1 ends without MPI_Finalize, the others are in it
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buf[64];

static void *receive(void *tag)
{
    char c;
    MPI_Recv(&c, 1, MPI_CHAR, 1, (int)(intptr_t)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void wait_in_threads(void)
{
    pthread_t other;
    pthread_create(&other, NULL, receive, (void *)(intptr_t)5);
    receive((void *)(intptr_t)6);
    pthread_join(other, NULL);
}

static void *abort_later(void *unused)
{
    (void)unused;
    usleep(300000);
    abort();
    return NULL;
}

static void wait_and_abort_aside(void)
{
    pthread_t other;
    pthread_create(&other, NULL, abort_later, NULL);
    receive((void *)(intptr_t)5);
    pthread_join(other, NULL);
}

static void abort_as_operator(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
    abort();
}

static void reduce_with_abort(void)
{
    int in = 1, out = 2;
    MPI_Op op;
    MPI_Op_create(abort_as_operator, 1, &op);
    MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
}

static void on_segv(int signum)
{
    static const char said[] = "my own handler\n";
    if (write(2, said, sizeof said - 1) < 0)
        _exit(2);
    signal(signum, SIG_DFL);
    raise(signum);
}

static void wait_for_set(int rank)
{
    MPI_Request reqs[3];
    MPI_Comm c;
    if (rank == 1)
        MPI_Send(buf, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Irecv(buf + i, 1, MPI_CHAR, 1, i, MPI_COMM_WORLD, &reqs[i]);
        MPI_Waitall(3, reqs, MPI_STATUSES_IGNORE);
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &c);
}

static void wait_for_some(int rank)
{
    MPI_Request reqs[2];
    int n, indices[2];
    if (rank) {
        MPI_Ssend(buf, 1, MPI_CHAR, rank - 1, 9, MPI_COMM_WORLD);
        return;
    }
    for (int i = 0; i < 2; i++)
        MPI_Irecv(buf + i, 1, MPI_CHAR, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &reqs[i]);
    MPI_Waitsome(2, reqs, &n, indices, MPI_STATUSES_IGNORE);
}

static void wait_by_name(int rank, int size)
{
    MPI_Comm c;
    char in;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_name(c, "the ring");
    MPI_Sendrecv(buf, 1, MPI_CHAR, (rank + 1) % size, 1, &in, 1, MPI_CHAR, 0, 2, c, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, level;
    const char *how = argc > 1 ? argv[1] : "tag";
    MPI_Init_thread(&argc, &argv, strcmp(how, "threads") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(how, "leaves") == 0 && rank == 1)
        _exit(0);
    if (strcmp(how, "handler") == 0)
        signal(SIGSEGV, on_segv);
    if (strcmp(how, "set") == 0)
        wait_for_set(rank);
    else if (strcmp(how, "some") == 0)
        wait_for_some(rank);
    else if (strcmp(how, "named") == 0)
        wait_by_name(rank, size);
    else if (strcmp(how, "threads") == 0 && rank == 0)
        wait_in_threads();
    else if (strcmp(how, "busy") == 0 && rank == 0)
        for (volatile unsigned i = 0;; i = i + 1)
            ;
    else if (strcmp(how, "tag") == 0 && rank == 0)
        MPI_Send(buf, 1, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
    else if ((strcmp(how, "tag") == 0 || strcmp(how, "deaf") == 0) && rank == 1)
        MPI_Recv(buf, 1, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (strcmp(how, "any") == 0 && rank == 1)
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if ((strcmp(how, "crash") == 0 || strcmp(how, "handler") == 0) && rank == 1)
        MPI_Send((void *)16, 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    else if (strcmp(how, "abort") == 0 && rank == 1)
        abort();
    else if (strcmp(how, "aside") == 0 && rank == 1)
        wait_and_abort_aside();
    else if (strcmp(how, "operator") == 0 && rank == 1)
        reduce_with_abort();
    if (strcmp(how, "leaves") == 0) {
        MPI_Finalize();
        return 0;
    }
    if (strcmp(how, "busy") == 0)
        MPI_Bcast(buf, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
