/* SPDX-License-Identifier: BSD-3-Clause
 *
 * death: a rank that dies while the others are in a collective ends it there with MPI_ERR_PROC_ABORTED, at once enough,
 * at ranks that learn of it from another one as well. When all that are left have seen the right one, rank 0 ends the
 * job with 42, which is what the testlist expects; in operations in which some need nobody (reduce, gatherv) the first
 * rank that sees it does.
 */
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "outlive.h"
#include "proc.h"

static int run(const char *op)
{
    static double in[4096], out[4096];
    int root = proc_size - 1;
    MPI_Request req = MPI_REQUEST_NULL;
    if (strcmp(op, "barrier") == 0)
        return MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(op, "bcast") == 0)
        return MPI_Bcast(in, 4096, MPI_DOUBLE, 1, MPI_COMM_WORLD); /* by the one that dies */
    static int counts[64], displs[64];
    for (int i = 0; i < proc_size && i < 64; i++)
        displs[i] = 8 * i, counts[i] = 8;
    if (strcmp(op, "gatherv") == 0)
        return MPI_Gatherv(in, 8, MPI_DOUBLE, out, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (strcmp(op, "allgatherv") == 0)
        return MPI_Allgatherv(in, 8, MPI_DOUBLE, out, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    if (strcmp(op, "alltoallv") == 0)
        return MPI_Alltoallv(in, counts, displs, MPI_DOUBLE, out, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    if (strcmp(op, "reduce") == 0)
        return MPI_Reduce(in, out, 4096, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (strcmp(op, "iallreduce") == 0) {
        MPI_Iallreduce(in, out, 4096, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &req);
        return MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    return MPI_Allreduce(in, out, 4096, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void name_of(char *name, size_t len, int rank)
{
    const char *dir = getenv("PROC_BUILD"), *mark = getenv("PROC_MARK");
    snprintf(name, len, "%s/death.%s.%d", dir ? dir : "/tmp", mark ? mark : "0", rank);
}

/* What others still wait for from here goes on its way. */
static void idle(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    usleep(10000);
}

/* Each one that is left leaves a file; rank 0 collects them. */
static void meet(int dead)
{
    char name[4096];
    name_of(name, sizeof name, proc_rank);
    FILE *f = proc_rank > 0 ? fopen(name, "w") : NULL;
    if (f)
        fclose(f);
    while (proc_rank > 0)
        idle();
    for (int r = 1; r < proc_size; r++) {
        name_of(name, sizeof name, r);
        while (r != dead && unlink(name) != 0)
            idle();
    }
}

/* Whoever is named is named by his number in the job, with his host; who only passes the failure on says what it was,
 * also between hosts. */
static void check_text(int rc, int dead)
{
    char text[MPI_MAX_ERROR_STRING], name[64];
    int len;
    MPI_Error_string(rc, text, &len);
    snprintf(name, sizeof name, "rank %d on host ", dead);
    const char *own = strstr(text, "the collective operation");
    if (own && !strstr(own, name))
        proc_failures++, fprintf(stderr, "rank %d: who was lost? %s\n", proc_rank, text);
    int number, end = 0;
    if (own && sscanf(own, "the collective operation lost rank %d on host%n", &number, &end) == 1)
        check(end > 0);
}

static int be_rank(const char *op)
{
    int cls = MPI_SUCCESS;
    proc_begin(&(int){0}, &(char **){NULL});
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 20; i++)
        check_eq(run(op), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD); /* what one that dies has given may be lost with it */
    int dead = proc_size > 5 ? proc_size - 1 : 1;
    if (proc_rank == dead)
        kill(getpid(), SIGKILL);
    for (int i = 0; i < 100 && cls == MPI_SUCCESS; i++) {
        int rc = run(op);
        MPI_Error_class(rc, &cls);
        if (rc != MPI_SUCCESS)
            check_text(rc, dead);
    }
    bool rooted = strcmp(op, "reduce") == 0 || strcmp(op, "gatherv") == 0;
    if (rooted && cls == MPI_SUCCESS) /* a rank that gives needs nobody */
        MPI_Error_class(MPI_Barrier(MPI_COMM_WORLD), &cls);
    check_eq(cls, MPI_ERR_PROC_ABORTED);
    if (!rooted && !proc_failures)
        meet(dead);
    MPI_Abort(MPI_COMM_WORLD, proc_failures ? 1 : 42);
    return 1;
}

int main(int argc, char **argv)
{
    return outlive(be_rank, argc > 1 ? argv[1] : "barrier");
}
