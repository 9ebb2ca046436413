/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backlog: rank 0's kernel takes 8 connections for it, and while it computes for longer than a dial is tried in vain
 * twice (1 and 3 s) all others send it their first message. Nobody is dead, so nothing ends, and all messages come.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "proc.h"

enum { COMPUTES_S = 4, MAX = 64 };

/* Only where the network is this test's own. */
static int set_somaxconn(void)
{
    int fd = getenv("PERF_HOSTS") ? open("/proc/sys/net/core/somaxconn", O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return 0;
    int done = write(fd, "8\n", 2) == 2;
    close(fd);
    return done;
}

static void receive_all(void)
{
    int seen[MAX] = {0}, word;
    MPI_Status st;
    sleep(COMPUTES_S);
    for (int i = 1; i < proc_size; i++) {
        check_eq(MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &st), MPI_SUCCESS);
        check_eq(word, 1000 + st.MPI_SOURCE);
        check_eq(seen[st.MPI_SOURCE]++, 0);
    }
}

int main(int argc, char **argv)
{
    const char *rank = getenv("PMI_RANK");
    if (rank && strcmp(rank, "0") == 0 && !set_somaxconn()) {
        printf("needs a network of its own\n");
        return 77;
    }
    proc_begin(&argc, &argv);
    if (proc_size > MAX)
        return 2;
    int word = 1000 + proc_rank;
    if (proc_rank == 0)
        receive_all();
    else
        check_eq(MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    return proc_end();
}
