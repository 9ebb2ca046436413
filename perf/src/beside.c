/* SPDX-License-Identifier: BSD-3-Clause
 *
 * beside: what messages take where other ranks of the host compute, and what those lose by it. The lower half of the
 * ranks communicates (-o), the upper half computes, each for -t seconds; ranks should outnumber processors. A figure is
 * the time of an operation, and the share that the upper half keeps of the work that it does while the lower half
 * sleeps.
 *
 *   pingpong   pairs of neighbours; half a round trip
 *   tests      the same by MPI_Isend, MPI_Irecv and loops of MPI_Test
 *   probes     the same by loops of MPI_Iprobe
 *   allreduce  of the lower half
 */
#include "bench.h"

enum {
    ROUND = 16,     /* operations between questions whether to go on */
    MOST = 4 << 20, /* bytes */
};

struct half {
    MPI_Comm comm;
    int rank, size;
    long bytes;
    unsigned char *out, *in;
};

static void by_tests(const struct half *h, int to, int sends)
{
    MPI_Request request;
    if (sends)
        MPI_Isend(h->out, (int)h->bytes, MPI_BYTE, to, 0, h->comm, &request);
    else
        MPI_Irecv(h->in, (int)h->bytes, MPI_BYTE, to, 0, h->comm, &request);
    for (int done = 0; !done;)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void by_probes(const struct half *h, int to, int sends)
{
    for (int there = sends; !there;)
        MPI_Iprobe(to, 0, h->comm, &there, MPI_STATUS_IGNORE);
    if (sends)
        MPI_Send(h->out, (int)h->bytes, MPI_BYTE, to, 0, h->comm);
    else
        MPI_Recv(h->in, (int)h->bytes, MPI_BYTE, to, 0, h->comm, MPI_STATUS_IGNORE);
}

static void blocking(const struct half *h, int to, int sends)
{
    if (sends)
        MPI_Send(h->out, (int)h->bytes, MPI_BYTE, to, 0, h->comm);
    else
        MPI_Recv(h->in, (int)h->bytes, MPI_BYTE, to, 0, h->comm, MPI_STATUS_IGNORE);
}

static void trips(const struct half *h, void (*message)(const struct half *h, int to, int sends))
{
    int to = h->rank ^ 1;
    if (to >= h->size)
        return;
    for (int i = 0; i < ROUND; i++) {
        message(h, to, h->rank < to);
        message(h, to, h->rank > to);
    }
}

static void run_round(const struct half *h, const char *op)
{
    if (strcmp(op, "allreduce") == 0)
        for (int i = 0; i < ROUND; i++)
            MPI_Allreduce(h->out, h->in, (int)(h->bytes / (long)sizeof(int)), MPI_INT, MPI_SUM, h->comm);
    else
        trips(h, strcmp(op, "tests") == 0 ? by_tests : strcmp(op, "probes") == 0 ? by_probes : blocking);
}

/* Microseconds of an operation, at rank 0. */
static double communicate(const struct half *h, const char *op, double seconds)
{
    double start = bench_now();
    long n = 0;
    for (int more = 1; more; n += ROUND) {
        run_round(h, op);
        more = bench_now() - start < seconds;
        MPI_Bcast(&more, 1, MPI_INT, 0, h->comm);
    }
    return (bench_now() - start) / (double)n / (strcmp(op, "allreduce") == 0 ? 1 : 2) * 1e6;
}

/* Steps of work. */
static double compute(double seconds)
{
    double end = bench_now() + seconds;
    volatile double x = 1;
    long n = 0;
    for (; bench_now() < end; n++)
        for (int i = 0; i < 1000; i++)
            x = x * 1.0000001;
    return (double)n;
}

static double sum(double mine)
{
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double work_alone(int computes, double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    MPI_Barrier(MPI_COMM_WORLD);
    if (!computes)
        nanosleep(&time, NULL);
    return sum(computes ? compute(seconds) : 0);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.5, .sizes = {8, 65536}, .n_sizes = 2};
    static const char *const ops[] = {"pingpong", "tests", "probes", "allreduce"};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    int size, rank = bench_rank_of_at_least(4);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int computes = rank >= size / 2;
    struct half h = {.out = calloc(1, MOST), .in = calloc(1, MOST)};
    if (!h.out || !h.in)
        bench_die("no memory for messages");
    MPI_Comm_split(MPI_COMM_WORLD, computes, rank, &h.comm);
    MPI_Comm_rank(h.comm, &h.rank);
    MPI_Comm_size(h.comm, &h.size);
    double alone = work_alone(computes, options.seconds);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        for (int i = 0; bench_is_op(&options, ops[k]) && i < options.n_sizes; i++) {
            h.bytes = options.sizes[i] < MOST ? options.sizes[i] : MOST;
            MPI_Barrier(MPI_COMM_WORLD);
            double us = computes ? 0 : communicate(&h, ops[k], options.seconds);
            double work = sum(computes ? compute(options.seconds) : 0);
            if (rank == 0)
                bench_print(
                    "{\"bench\":\"beside\",\"op\":\"%s\",\"bytes\":%ld,\"ranks\":%d,\"us\":%.3f,\"work\":%.3f}\n",
                    ops[k], h.bytes, size, us, work / alone);
        }
    }
    MPI_Comm_free(&h.comm);
    free(h.out);
    free(h.in);
    MPI_Finalize();
    return 0;
}
