/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a call owes to others leaves before it returns: one rank makes it and then computes until a word of shared
 * memory, which the library knows nothing of, says that the other has got what it waits for.
 */
#define _GNU_SOURCE
#include "proc.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 3, PATIENCE = 20 /* seconds */ };

static volatile int *word; /* how many waits are over */
static int n_over, other, values[2] = {5, 6};

static volatile int *shared_word(void)
{
    int fd = proc_rank == 0 ? memfd_create("owed", 0) : -1, made = fd >= 0 && ftruncate(fd, (off_t)sizeof(int)) == 0;
    char name[64];
    check(made || proc_rank != 0);
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), fd);
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (proc_rank != 0)
        fd = open(name, O_RDWR);
    volatile int *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    close(fd);
    return at;
}

/* False: the other one waits for something that this rank has not sent. */
static int compute(void)
{
    time_t until = time(NULL) + PATIENCE;
    while (*word < n_over && time(NULL) < until)
        usleep(500);
    return *word >= n_over;
}

/* ---- answers: the other one is in MPI_Ssend ---------------------------------------------------------------------- */

static void probe_and_recv(void)
{
    int in = 0;
    MPI_Probe(other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(compute());
}

static void iprobe_and_irecv(void)
{
    int in = 0, flag = 0;
    MPI_Request r;
    while (!flag)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r);
    check(compute());
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void mprobe_and_mrecv(void)
{
    int in = 0;
    MPI_Message m;
    MPI_Mprobe(other, TAG, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
    MPI_Mrecv(&in, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    check(compute());
}

static void persistent_receive(void)
{
    int in = 0;
    MPI_Request r;
    MPI_Recv_init(&in, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, &r);
    MPI_Probe(other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Start(&r);
    check(compute());
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
}

/* ---- sends: the other one is in MPI_Recv, twice ------------------------------------------------------------------ */

static void bsends(void)
{
    int size;
    void *buffer = malloc(1000 + 2 * MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(buffer, 1000 + 2 * MPI_BSEND_OVERHEAD);
    for (int i = 0; i < 2; i++)
        MPI_Bsend(&values[i], 1, MPI_INT, other, TAG, MPI_COMM_WORLD);
    check(compute());
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
}

static void isends(MPI_Request r[2])
{
    for (int i = 0; i < 2; i++)
        MPI_Isend(&values[i], 1, MPI_INT, other, TAG, MPI_COMM_WORLD, &r[i]);
}

static void isends_and_test(void)
{
    MPI_Request r[2];
    int flag;
    isends(r);
    MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
    check(compute());
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void isends_that_are_freed(void)
{
    MPI_Request r[2];
    isends(r);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&r[i]);
    check(compute());
}

static void persistent_sends(void)
{
    MPI_Request r[2];
    for (int i = 0; i < 2; i++)
        MPI_Send_init(&values[i], 1, MPI_INT, other, TAG, MPI_COMM_WORLD, &r[i]);
    MPI_Startall(2, r);
    check(compute());
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&r[i]);
}

static void wait_in_ssend(void)
{
    MPI_Ssend(&proc_rank, 1, MPI_INT, other, TAG, MPI_COMM_WORLD);
}

static void wait_in_recv(void)
{
    for (int i = 0, in = 0; i < 2; i++) {
        MPI_Recv(&in, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_eq(in, values[i]);
    }
}

static void both_ways(void (*one)(void), void (*wait)(void))
{
    for (int waiter = 0; waiter < 2; waiter++) {
        MPI_Barrier(MPI_COMM_WORLD);
        n_over++;
        if (proc_rank == waiter) {
            wait();
            *word = n_over;
        } else {
            one();
        }
    }
}

int main(int argc, char **argv)
{
    static void (*const answers[])(void) = {probe_and_recv, iprobe_and_irecv, mprobe_and_mrecv, persistent_receive};
    static void (*const sends[])(void) = {bsends, isends_and_test, isends_that_are_freed, persistent_sends};
    proc_begin(&argc, &argv);
    other = 1 - proc_rank;
    word = shared_word();
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        both_ways(answers[i], wait_in_ssend);
    for (size_t i = 0; i < sizeof sends / sizeof *sends; i++)
        both_ways(sends[i], wait_in_recv);
    MPI_Barrier(MPI_COMM_WORLD);
    return proc_end();
}
