/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gone: the first call that needs a rank which has died before, from outside MPI unnoticed, ends with
 * MPI_ERR_PROC_ABORTED: at ranks that have talked to it, with a tag never used before (with tcp-trc that needs a new
 * connection), and at one that has not. Rank 1 dies; rank 0 ends the job with 42 when the others have
 * seen it.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "outlive.h"
#include "proc.h"

enum { DEAD = 1, STRANGER = 3, TAG_PID = 1, TAG_SEND, TAG_RECV, TAG_SEEN };

static void expect_aborted(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;
    if (proc_class(code) == MPI_ERR_PROC_ABORTED)
        return;
    if (code != MPI_SUCCESS)
        MPI_Error_string(code, text, &len);
    fprintf(stderr, "rank %d: %s: %s\n", proc_rank, call, text);
    check_eq(proc_class(code), MPI_ERR_PROC_ABORTED);
}

/* An eager message may leave before anything is known. */
static int send_until_seen(void)
{
    int code = MPI_SUCCESS, word = 0;
    while (code == MPI_SUCCESS)
        code = MPI_Send(&word, 1, MPI_INT, DEAD, TAG_SEND, MPI_COMM_WORLD);
    return code;
}

static int recv_one(void)
{
    int word;
    return MPI_Recv(&word, 1, MPI_INT, DEAD, TAG_RECV, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 1's process, at all; the stranger has it from rank 0. Rank 0 connects to rank 1, rank 1 to rank 2. */
static int tell_pid(void)
{
    int pid = getpid(), theirs = pid;
    if (proc_rank == 0)
        MPI_Send(NULL, 0, MPI_INT, DEAD, TAG_PID, MPI_COMM_WORLD);
    if (proc_rank == DEAD) {
        MPI_Recv(NULL, 0, MPI_INT, 0, TAG_PID, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&pid, 1, MPI_INT, 0, TAG_PID, MPI_COMM_WORLD);
        MPI_Send(&pid, 1, MPI_INT, 2, TAG_PID, MPI_COMM_WORLD);
    }
    if (proc_rank == 0 || proc_rank == 2)
        MPI_Recv(&theirs, 1, MPI_INT, DEAD, TAG_PID, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (proc_rank == 0)
        MPI_Send(&theirs, 1, MPI_INT, STRANGER, TAG_PID, MPI_COMM_WORLD);
    if (proc_rank == STRANGER)
        MPI_Recv(&theirs, 1, MPI_INT, 0, TAG_PID, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return theirs;
}

static int be_rank(const char *first)
{
    proc_begin(&(int){0}, &(char **){NULL});
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int pid = tell_pid();
    if (proc_rank == DEAD) {
        for (int r = 0; r < STRANGER; r++) /* they have what they need */
            if (r != DEAD)
                MPI_Recv(NULL, 0, MPI_INT, r, TAG_SEEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        raise(SIGKILL);
    }
    if (proc_rank != STRANGER)
        MPI_Ssend(NULL, 0, MPI_INT, DEAD, TAG_SEEN, MPI_COMM_WORLD); /* the answer may be lost with it */
    while (kill(pid, 0) == 0 || errno != ESRCH)
        usleep(1000);
    if (strcmp(first, "recv") == 0) /* the stranger has no connection to see the end of */
        expect_aborted("MPI_Recv", recv_one());
    expect_aborted("MPI_Send", send_until_seen());
    expect_aborted("MPI_Recv", recv_one());
    for (int r = 1; proc_rank == 0 && r < proc_size; r++)
        if (r != DEAD)
            check_eq(MPI_Recv(NULL, 0, MPI_INT, r, TAG_SEEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_SUCCESS);
    if (proc_failures)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (proc_rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 42);
    check_eq(MPI_Ssend(NULL, 0, MPI_INT, 0, TAG_SEEN, MPI_COMM_WORLD), MPI_SUCCESS);
    pause(); /* until rank 0 ends the job */
    return 1;
}

int main(int argc, char **argv)
{
    return outlive(be_rank, argc > 1 ? argv[1] : "send");
}
