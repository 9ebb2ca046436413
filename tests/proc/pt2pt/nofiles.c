/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nofiles: a rank has no descriptor left when another one connects. It says so on stderr, where its user looks when the
 * job stands still; the connection waits, and when there are descriptors again the message comes.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proc.h"

static void set_limit(rlim_t n)
{
    struct rlimit limit;
    check(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = n;
    check(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static rlim_t first_free(void)
{
    int fd = open("/dev/null", O_RDONLY);
    check(fd >= 0);
    close(fd);
    return (rlim_t)fd;
}

/* Makes progress until the pipe brings the line; traces may come before it. */
static void await_line(int fd)
{
    static const char wanted[] = "no descriptor is left for connections of other ranks";
    struct pollfd p = {.fd = fd, .events = POLLIN};
    static char text[8192];
    size_t have = 0;
    int flag;
    while (!strstr(text, wanted)) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (poll(&p, 1, 0) == 0)
            continue;
        if (have > sizeof text / 2) { /* keep what may be the line's begin */
            memmove(text, text + have - sizeof wanted, sizeof wanted);
            have = sizeof wanted;
        }
        ssize_t n = read(fd, text + have, sizeof text - have - 1);
        have += n > 0 ? (size_t)n : 0;
        text[have] = '\0';
    }
}

static void run_out(void)
{
    struct rlimit before;
    int ends[2], own = dup(STDERR_FILENO), x = 0;
    check(own >= 0 && pipe(ends) == 0 && getrlimit(RLIMIT_NOFILE, &before) == 0);
    check(dup2(ends[1], STDERR_FILENO) >= 0);
    set_limit(first_free());
    await_line(ends[0]);
    set_limit(before.rlim_cur);
    check(dup2(own, STDERR_FILENO) >= 0);
    MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(x == 42);
}

int main(int argc, char **argv)
{
    int x = 42;
    proc_begin(&argc, &argv);
    if (proc_rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    else if (proc_rank == 1)
        run_out();
    return proc_end();
}
