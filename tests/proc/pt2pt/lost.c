/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lost: messages that no operation waits for any more are lost with the rank that dies (1, or 0 where `first` is said):
 * one from MPI_Bsend, or a long one whose request was freed. Where MPI_COMM_WORLD's errors are returned a line says so,
 * with that rank's number; then rank 0, or the last one, ends the job with 42. Else (`fatal`) it ends with the line.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "outlive.h"
#include "proc.h"

enum { LONG = 1 << 20, TAG = 1, NEVER = 2 };

static int dead = 1;
static bool fatal, freed;
static char bytes[LONG];

static void start_one(void)
{
    static char room[LONG + MPI_BSEND_OVERHEAD];
    MPI_Request r;
    if (freed) {
        MPI_Isend(bytes, LONG, MPI_BYTE, dead, NEVER, MPI_COMM_WORLD, &r);
        MPI_Request_free(&r);
        return;
    }
    MPI_Buffer_attach(room, (int)sizeof room);
    MPI_Bsend(bytes, LONG, MPI_BYTE, dead, NEVER, MPI_COMM_WORLD);
}

/* What is printed until the wait for the dead one is over. */
static void check_line(int from)
{
    char said[4096], want[64];
    ssize_t n = read(from, said, sizeof said - 1);
    said[n > 0 ? n : 0] = '\0';
    snprintf(want, sizeof want, "messages to rank %d on host ", dead);
    const char *line = strstr(said, want);
    check(line && strstr(line, "whose sends were complete are lost"));
}

static void send_and_wait(void)
{
    int ends[2], word, saved = dup(2);
    MPI_Recv(NULL, 0, MPI_INT, dead, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* they know each other */
    start_one();
    MPI_Send(NULL, 0, MPI_INT, dead, TAG, MPI_COMM_WORLD);
    if (!fatal && (pipe(ends) || dup2(ends[1], 2) < 0))
        abort();
    int rc = MPI_Recv(&word, 1, MPI_INT, dead, NEVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (fatal)
        MPI_Abort(MPI_COMM_WORLD, 2); /* the line should have ended it */
    dup2(saved, 2);
    close(ends[1]);
    check_eq(proc_class(rc), MPI_ERR_PROC_ABORTED);
    check_line(ends[0]);
    MPI_Abort(MPI_COMM_WORLD, proc_failures ? 1 : 42);
}

static int be_rank(const char *words)
{
    proc_begin(&(int){0}, &(char **){NULL});
    fatal = strstr(words, "fatal");
    freed = strstr(words, "freed");
    dead = strstr(words, "first") ? 0 : 1;
    if (!fatal)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (proc_rank != dead)
        send_and_wait();
    MPI_Send(NULL, 0, MPI_INT, 1 - dead, TAG, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, 1 - dead, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    raise(SIGKILL);
    return 1;
}

int main(int argc, char **argv)
{
    return outlive(be_rank, argc > 1 ? argv[1] : "bsend");
}
