/* SPDX-License-Identifier: BSD-3-Clause
 *
 * death: rank 0 waits for a message of the last rank, which somebody kills. survival.test.py does so while mpirun and
 * its daemons are stopped, so that nobody but the library can notice. What the library says goes to a file: there may
 * be no mpirun left that would pass it on.
 *
 *     death -o FILE [-a] [-w]     -a: from any source; -w: by MPI_Wait, after a message has come
 *
 * Every rank writes its process id to FILE.RANK once it is ready; rank 0 writes "CLASS TEXT" to FILE when its receive
 * has failed.
 */
#include "proc.h"

#include <fcntl.h>
#include <unistd.h>

static void write_file(const char *name, const char *text)
{
    char partly[4096];
    snprintf(partly, sizeof partly, "%s.part", name);
    FILE *file = fopen(partly, "w");
    check(file && fputs(text, file) >= 0 && fclose(file) == 0 && rename(partly, name) == 0);
}

static void tell_ready(const char *name)
{
    char own[4096], text[32];
    snprintf(own, sizeof own, "%s.%d", name, proc_rank);
    snprintf(text, sizeof text, "%d\n", (int)getpid());
    write_file(own, text);
}

static void tell_error(const char *name, int rc)
{
    char text[MPI_MAX_ERROR_STRING + 32], words[MPI_MAX_ERROR_STRING];
    int class = -1, len;
    MPI_Error_class(rc, &class);
    MPI_Error_string(rc, words, &len);
    snprintf(text, sizeof text, "%d %s\n", class, words);
    write_file(name, text);
}

/* Returns when the other end is dead. */
static int wait_for_ever(int from, int by_wait)
{
    int word;
    MPI_Request request;
    if (!by_wait)
        return MPI_Recv(&word, 1, MPI_INT, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&word, 1, MPI_INT, from, 7, MPI_COMM_WORLD, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *name = NULL;
    int any = 0, by_wait = 0;
    for (int c; (c = getopt(argc, argv, "o:aw")) != -1;) {
        any |= c == 'a';
        by_wait |= c == 'w';
        name = c == 'o' ? optarg : name;
    }
    proc_begin(&argc, &argv);
    if (!name || proc_size < 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int last = proc_size - 1, word = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (proc_rank == last) /* the two know each other */
        MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (proc_rank == 0)
        MPI_Recv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    tell_ready(name);
    int rc = wait_for_ever(proc_rank > 0 ? 0 : any ? MPI_ANY_SOURCE : last, by_wait);
    if (proc_rank == 0)
        tell_error(name, rc);
    pause(); /* ended by the test */
    return proc_end();
}
