/* SPDX-License-Identifier: BSD-3-Clause
 *
 * death: a rank that dies while the others are in a collective ends it there with MPI_ERR_PROC_ABORTED, at once enough, or with
 * MPI_ERR_TRUNCATE at ranks that learn of it from a message of wrong length. The
 * process that mpirun knows as the rank stays alive (it only made the one that dies), else the job would end before anybody
 * has seen an error. A rank that sees the right one ends the job with 42, which is what the testlist expects.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    if (strcmp(op, "reduce") == 0)
        return MPI_Reduce(in, out, 4096, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    if (strcmp(op, "iallreduce") == 0) {
        MPI_Iallreduce(in, out, 4096, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &req);
        return MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    return MPI_Allreduce(in, out, 4096, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int be_rank(const char *op)
{
    int cls = MPI_SUCCESS;
    proc_begin(&(int){0}, &(char **){NULL});
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 20; i++)
        check_eq(run(op), MPI_SUCCESS);
    if (proc_rank == (proc_size > 5 ? proc_size - 1 : 1))
        kill(getpid(), SIGKILL);
    for (int i = 0; i < 100 && cls == MPI_SUCCESS; i++)
        MPI_Error_class(run(op), &cls);
    if (strcmp(op, "reduce") == 0 && cls == MPI_SUCCESS) /* a rank that gives needs nobody */
        MPI_Error_class(MPI_Barrier(MPI_COMM_WORLD), &cls);
    check(cls == MPI_ERR_PROC_ABORTED || cls == MPI_ERR_TRUNCATE);
    MPI_Abort(MPI_COMM_WORLD, proc_failures ? 1 : 42);
    return 1;
}

int main(int argc, char **argv)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        return be_rank(argc > 1 ? argv[1] : "barrier");
    while (waitpid(child, &status, 0) < 0)
        ;
    if (WIFSIGNALED(status))
        sleep(20); /* its death is the others' to see; mpirun ends this */
    return WEXITSTATUS(status);
}
