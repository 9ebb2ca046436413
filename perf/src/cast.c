/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: collectives between hosts whose network, not whose processors, is the limit. Prints the time of one call until
 * the last rank has it. Arguments: OPERATION:BYTES, or BYTES of a broadcast, for which the rate to every host is
 * printed, too. seconds:N is how long each takes from here on. Bytes are those of a block, or of the vector (bcast,
 * allreduce). Short broadcasts have another root each time, so that each waits for the one before; long ones follow
 * each other from rank 0. A barrier stands between two scatters, and its time is subtracted.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT (128l << 10) /* bytes up to which a broadcast's root changes */

static int rank, size;
static double seconds = 1.5; /* for each size, about */
static char *in, *out;       /* blocks of all ranks */

static void bcast(long len, long i)
{
    MPI_Bcast(in, (int)len, MPI_BYTE, len <= SHORT ? (int)(i % size) : 0, MPI_COMM_WORLD);
}

static void allgather(long len, long i)
{
    (void)i;
    MPI_Allgather(in, (int)len, MPI_BYTE, out, (int)len, MPI_BYTE, MPI_COMM_WORLD);
}

static void scatter(long len, long i)
{
    MPI_Scatter(in, (int)len, MPI_BYTE, out, (int)len, MPI_BYTE, (int)(i % size), MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void barrier(long len, long i)
{
    (void)len;
    (void)i;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduce(long len, long i)
{
    (void)i;
    MPI_Allreduce(in, out, (int)(len / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

typedef void call_fn(long len, long i);

static const struct {
    const char *name;
    call_fn *call;
} table[] = {
    {"bcast", bcast}, {"allgather", allgather}, {"scatter", scatter}, {"barrier", barrier}, {"allreduce", allreduce}};

static double run(call_fn *call, long len, long times)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double own = MPI_Wtime(), all;
    for (long i = 0; i < times; i++)
        call(len, i);
    own = MPI_Wtime() - own;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all / (double)times;
}

static long times_of(call_fn *call, long len)
{
    long times = (long)(seconds / run(call, len, 2)) + 2;
    return times < 2000 ? times : 2000;
}

static void measure(const char *name, call_fn *call, long len)
{
    in = calloc((size_t)len * (size_t)size + 1, 1);
    out = calloc((size_t)len * (size_t)size + 1, 1);
    long times = times_of(call, len);
    double each = run(call, len, times);
    if (call == scatter)
        each -= run(barrier, 0, times);
    if (rank == 0)
        printf("%-9s %9ld bytes %10.1f us", name, len, each * 1e6);
    if (rank == 0 && call == bcast)
        printf(" %7.2f Mbit/s", (double)len * 8 / each / 1e6);
    if (rank == 0)
        printf(" (%ld times)\n", times);
    fflush(stdout);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++) {
        const char *colon = strchr(argv[i], ':');
        if (strncmp(argv[i], "seconds:", 8) == 0)
            seconds = atof(argv[i] + 8);
        size_t name_len = colon ? (size_t)(colon - argv[i]) : 0;
        for (size_t k = 0; k < sizeof table / sizeof table[0]; k++)
            if (colon ? strlen(table[k].name) == name_len && strncmp(table[k].name, argv[i], name_len) == 0 : k == 0)
                measure(table[k].name, table[k].call, atol(colon ? colon + 1 : argv[i]));
    }
    MPI_Finalize();
    return 0;
}
