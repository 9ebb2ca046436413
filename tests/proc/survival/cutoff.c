/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cutoff: a job that stands in one of the places in which a host may vanish; the ranks of one host are the victims.
 * hosts.test.py cuts that host off once every rank has written "FILE.RANK".
 *
 *     cutoff MODE FILE HOST     HOST: of the victims
 *
 * All but finalize and init say hello to rank 0 first, so that they know each other.
 */
#include "proc.h"

#include <unistd.h>

enum { LONG_S = 1000 };

static const char *file;

/* Once, when the rank is where it was to go. */
static void tell_ready(void)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.%s", file, getenv("PMI_RANK"));
    FILE *mark = fopen(name, "w");
    if (!mark || fclose(mark))
        abort();
}

/* Round and round, each round a little later: the one behind the victims never hears of it. */
static void ring(void)
{
    int word = 0, next = (proc_rank + 1) % proc_size, last = (proc_rank + proc_size - 1) % proc_size;
    for (int i = 0;; i++) {
        MPI_Send(&word, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 10)
            tell_ready();
        usleep(1000);
    }
}

static void receive(int from)
{
    int word;
    tell_ready();
    MPI_Recv(&word, 1, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collective(void)
{
    for (int i = 0;; i++) {
        int word = i, sum;
        MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(&word, 1, MPI_INT, i % proc_size, MPI_COMM_WORLD);
        if (i == 10)
            tell_ready();
        usleep(1000);
    }
}

/* Outside MPI until somebody makes "FILE.go". */
static int wait_for_go(void)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.go", file);
    tell_ready();
    while (access(name, F_OK) != 0)
        usleep(10000);
    return proc_end();
}

static void hello(void)
{
    int word = 0;
    if (proc_rank > 0)
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; proc_rank == 0 && i < proc_size; i++)
        MPI_Recv(&word, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    char host[256] = "";
    if (argc != 4)
        return 2;
    const char *mode = argv[1];
    file = argv[2];
    gethostname(host, sizeof host - 1);
    int is_victim = strcmp(host, argv[3]) == 0;
    if (strcmp(mode, "init") == 0) {
        tell_ready();
        if (is_victim)
            sleep(LONG_S);
    }
    proc_begin(&argc, &argv);
    if (strcmp(mode, "finalize") == 0) {
        tell_ready();
        if (is_victim)
            sleep(LONG_S);
        return proc_end();
    }
    hello();
    if (strcmp(mode, "ring") == 0)
        ring();
    else if (strcmp(mode, "collective") == 0)
        collective();
    else if (strcmp(mode, "receive") == 0)
        receive((proc_rank + 1) % proc_size);
    else if (strcmp(mode, "any") == 0)
        receive(MPI_ANY_SOURCE);
    else if (strcmp(mode, "known") == 0) /* connected to who is waited for, and nothing on its way there */
        receive(proc_rank == 0 ? proc_size - 1 : 0);
    else if (strcmp(mode, "later") == 0)
        return wait_for_go();
    else if (strcmp(mode, "compute") == 0)
        tell_ready();
    sleep(LONG_S);
    return proc_end();
}
