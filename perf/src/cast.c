/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: collectives between hosts whose network, not whose processors, is the limit. Prints the time of one call until
 * the last rank has it. Arguments: OPERATION:BYTES, or BYTES of a broadcast, for which the rate to every host is
 * printed, too. seconds:N is how long each takes from here on; window:A:B: calls go on until B, and those are counted
 * that lie between A and B (seconds of CLOCK_MONOTONIC, of those that lie there in part the part). Bytes are those of a
 * block, or of the vector (bcast, reduce, allreduce, scan). Short broadcasts have another root each time, so that each
 * waits for the one before; long ones follow each other from rank 0. Where ranks need not wait for each other a barrier
 * stands before each call, and the time of a call is that of the slowest rank from there on.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SHORT (128l << 10) /* bytes up to which a broadcast's root changes */

static int rank, size;
static double seconds = 1.5; /* for each size, about */
static char *in, *out;       /* blocks of all ranks */
static double from, until;   /* the window; 0: none */

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
}

static void gather(long len, long i)
{
    MPI_Gather(in, (int)len, MPI_BYTE, out, (int)len, MPI_BYTE, (int)(i % size), MPI_COMM_WORLD);
}

static void alltoall(long len, long i)
{
    (void)i;
    MPI_Alltoall(in, (int)len, MPI_BYTE, out, (int)len, MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce(long len, long i)
{
    MPI_Reduce(in, out, (int)(len / 8), MPI_DOUBLE, MPI_SUM, (int)(i % size), MPI_COMM_WORLD);
}

static void reduce_scatter(long len, long i)
{
    (void)i;
    MPI_Reduce_scatter_block(in, out, (int)(len / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(long len, long i)
{
    (void)i;
    MPI_Scan(in, out, (int)(len / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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
    int apart; /* a barrier stands before each */
} table[] = {
    {"bcast", bcast, 0},     {"allgather", allgather, 0},          {"scatter", scatter, 1},   {"gather", gather, 1},
    {"barrier", barrier, 0}, {"allreduce", allreduce, 0},          {"alltoall", alltoall, 0}, {"reduce", reduce, 1},
    {"scan", scan, 1},       {"reduce_scatter", reduce_scatter, 0}};

/* Of one call; of all this takes: *all. */
static double run(size_t op, long len, long times, double *all)
{
    double calls = 0, slowest;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (long i = 0; i < times; i++) {
        if (table[op].apart)
            MPI_Barrier(MPI_COMM_WORLD);
        double t = MPI_Wtime();
        table[op].call(len, i);
        calls += MPI_Wtime() - t;
    }
    *all = MPI_Wtime() - begin;
    if (!table[op].apart)
        calls = *all;
    MPI_Allreduce(&calls, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest / (double)times;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* How much of begin .. end lies in the window. */
static double part(double begin, double end)
{
    double a = begin > from ? begin : from, b = end < until ? end : until;
    return b > a ? (b - a) / (end - begin) : 0;
}

/* Of one call in the window, as rank 0 sees them, which says every few calls whether there are more. */
static double run_in_window(size_t op, long len, double *n)
{
    int more = 1;
    *n = 0;
    for (long i = 0; more; i++) {
        double begin = now();
        table[op].call(len, i);
        double end = now();
        *n += part(begin, end);
        more = end < until;
        if (i % 4 < 3)
            more = 1;
        else
            MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return *n > 0 ? (until - from) / *n : 0;
}

static void measure(size_t op, long len)
{
    double all, n;
    in = calloc((size_t)len * (size_t)size + 1, 1);
    out = calloc((size_t)len * (size_t)size + 1, 1);
    run(op, len, 1, &all); /* connections are made, and multicast is tried */
    run(op, len, 2, &all);
    long times = (long)(seconds * 2 / all) + 2;
    times = times < 2000 ? times : 2000;
    double each = until > 0 ? run_in_window(op, len, &n) : run(op, len, times, &all);
    times = until > 0 ? (long)n : times;
    if (rank == 0)
        printf("%-14s %9ld bytes %10.1f us", table[op].name, len, each * 1e6);
    if (rank == 0 && table[op].call == bcast)
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
        if (strncmp(argv[i], "seconds:", 8) == 0) {
            seconds = atof(argv[i] + 8);
            continue;
        }
        if (sscanf(argv[i], "window:%lf:%lf", &from, &until) == 2)
            continue;
        size_t name_len = colon ? (size_t)(colon - argv[i]) : 0;
        char *end;
        long bytes = strtol(colon ? colon + 1 : argv[i], &end, 10);
        if (*end || bytes < 0) {
            fprintf(stderr, "cast: %s: not a number of bytes\n", argv[i]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        for (size_t k = 0; k < sizeof table / sizeof table[0]; k++)
            if (colon ? strlen(table[k].name) == name_len && strncmp(table[k].name, argv[i], name_len) == 0 : k == 0)
                measure(k, bytes);
    }
    MPI_Finalize();
    return 0;
}
