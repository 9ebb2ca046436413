/* SPDX-License-Identifier: BSD-3-Clause
 *
 * finalized: one rank (1) is in MPI_Finalize, or all but rank 0 are, and others wait for it: in a receive or probe,
 * from it or from any, in a send that it would have to take, in a collective. All end with MPI_ERR_PROC_ABORTED,
 * whether they have talked to it before or not. The first word is the call; then `met`: all have talked to all before;
 * `threads`: threads may call, but there is one only; `helper`: another one sends to its own rank when a line has said
 * that nobody else can; `without=N`: not rank 1 but N is over.
 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "proc.h"

enum { LONG = 4 << 20 };

static int over = 1;
static bool met, threads, helper;

static int recv_from(int source)
{
    int word;
    return MPI_Recv(&word, 1, MPI_INT, source, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int mprobe_any(void)
{
    MPI_Message m;
    int rc = MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
    if (rc == MPI_SUCCESS)
        MPI_Mrecv(NULL, 0, MPI_INT, &m, MPI_STATUS_IGNORE);
    return rc;
}

static int wait_any(void)
{
    static int words[2];
    MPI_Request r[2];
    int which = -1;
    MPI_Irecv(&words[0], 1, MPI_INT, over, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&words[1], 1, MPI_INT, over, 6, MPI_COMM_WORLD, &r[1]);
    return MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
}

static int call(const char *name)
{
    static char buf[LONG];
    static int in[64], out[64];
    if (strcmp(name, "recv") == 0)
        return recv_from(over);
    if (strcmp(name, "any") == 0)
        return recv_from(MPI_ANY_SOURCE);
    if (strcmp(name, "probe") == 0)
        return MPI_Probe(over, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(name, "probeany") == 0)
        return MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(name, "mprobeany") == 0)
        return mprobe_any();
    if (strcmp(name, "ssend") == 0)
        return MPI_Ssend(buf, 1, MPI_BYTE, over, 5, MPI_COMM_WORLD);
    if (strcmp(name, "long") == 0)
        return MPI_Send(buf, LONG, MPI_BYTE, over, 5, MPI_COMM_WORLD);
    if (strcmp(name, "waitany") == 0)
        return wait_any();
    if (strcmp(name, "bcast") == 0)
        return MPI_Bcast(buf, 1000, MPI_BYTE, over, MPI_COMM_WORLD);
    if (strcmp(name, "allreduce") == 0)
        return MPI_Allreduce(in, out, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(name, "alltoall") == 0)
        return MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
    return MPI_Barrier(MPI_COMM_WORLD);
}

/* A short message that nobody will receive is no error of its sender's, whenever it comes. */
static void send_one_too_many(void)
{
    check_eq(MPI_Send(NULL, 0, MPI_INT, over, 7, MPI_COMM_WORLD), MPI_SUCCESS);
}

/* What is printed, up to the line; the rest would be written to nobody. */
static void *send_to_self(void *arg)
{
    char said[4096] = "";
    const int *from = arg;
    for (size_t len = 0; !strstr(said, "only another thread") && len < sizeof said - 1;) {
        ssize_t n = read(*from, said + len, sizeof said - 1 - len);
        if (n <= 0)
            break;
        said[len += (size_t)n] = '\0';
    }
    check(strstr(said, "hawser: rank 0: a receive or probe of any source waits"));
    MPI_Send(NULL, 0, MPI_INT, proc_rank, 5, MPI_COMM_WORLD);
    return NULL;
}

static void call_with_helper(const char *name)
{
    pthread_t thread;
    int ends[2], saved = dup(2);
    if (pipe(ends) || dup2(ends[1], 2) < 0 || pthread_create(&thread, NULL, send_to_self, &ends[0]))
        abort();
    check_eq(call(name), MPI_SUCCESS);
    if (strcmp(name, "probeany") == 0)
        check_eq(recv_from(MPI_ANY_SOURCE), MPI_SUCCESS);
    pthread_join(thread, NULL);
    dup2(saved, 2);
}

static bool is_alone(const char *name)
{
    return strcmp(name, "any") == 0 || strcmp(name, "probeany") == 0 || strcmp(name, "mprobeany") == 0 ||
           strcmp(name, "last") == 0;
}

static void take_words(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        met |= strcmp(argv[i], "met") == 0;
        threads |= strcmp(argv[i], "threads") == 0;
        helper |= strcmp(argv[i], "helper") == 0;
        sscanf(argv[i], "without=%d", &over);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "recv";
    int level;
    take_words(argc, argv);
    MPI_Init_thread(&argc, &argv, threads || helper ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (met) {
        int v[64] = {0};
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, v, 1, MPI_INT, MPI_COMM_WORLD);
    }
    bool waits = is_alone(name) ? proc_rank == 0 : proc_rank != over;
    if (waits && met)
        send_one_too_many();
    if (waits && helper)
        call_with_helper(name);
    else if (waits)
        check_eq(proc_class(call(name)), MPI_ERR_PROC_ABORTED);
    if (waits)
        send_one_too_many();
    return proc_end();
}
