/* SPDX-License-Identifier: BSD-3-Clause
 *
 * finalized: rank 1 is in MPI_Finalize, and others wait for it: in a receive, from it or from any, in a probe, in a
 * send that it would have to take, in a collective. All end with MPI_ERR_PROC_ABORTED, whether they have talked to it
 * before or not. The last word is the call; `met`: all have talked to all before.
 */
#include <string.h>

#include "proc.h"

enum { OVER = 1, LONG = 4 << 20 };

static int recv_from(int source)
{
    int word;
    return MPI_Recv(&word, 1, MPI_INT, source, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int call(const char *name)
{
    static char buf[LONG];
    if (strcmp(name, "recv") == 0)
        return recv_from(OVER);
    if (strcmp(name, "any") == 0)
        return recv_from(MPI_ANY_SOURCE);
    if (strcmp(name, "probe") == 0)
        return MPI_Probe(OVER, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(name, "ssend") == 0)
        return MPI_Ssend(buf, 1, MPI_BYTE, OVER, 5, MPI_COMM_WORLD);
    if (strcmp(name, "long") == 0)
        return MPI_Send(buf, LONG, MPI_BYTE, OVER, 5, MPI_COMM_WORLD);
    if (strcmp(name, "waitany") == 0) {
        MPI_Request r[2];
        int which = -1;
        MPI_Irecv(buf, 4, MPI_BYTE, OVER, 5, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(buf + 4, 4, MPI_BYTE, OVER, 6, MPI_COMM_WORLD, &r[1]);
        return MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
    }
    return MPI_Barrier(MPI_COMM_WORLD);
}

/* A short message that nobody will receive is no error of its sender's, whenever it comes. */
static void send_one_too_many(void)
{
    check_eq(MPI_Send(NULL, 0, MPI_INT, OVER, 7, MPI_COMM_WORLD), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const char *name = argc > 1 ? argv[1] : "recv";
    int met = argc > 2 && strcmp(argv[2], "met") == 0;
    if (met) {
        int v[64] = {0};
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, v, 1, MPI_INT, MPI_COMM_WORLD);
    }
    int waits = proc_rank == 0 || (proc_rank != OVER && strcmp(name, "any") != 0 && strcmp(name, "barrier") != 0);
    if (waits) {
        if (met)
            send_one_too_many();
        check_eq(proc_class(call(name)), MPI_ERR_PROC_ABORTED);
        send_one_too_many();
    }
    return proc_end();
}
