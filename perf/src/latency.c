/* SPDX-License-Identifier: BSD-3-Clause
 *
 * latency: half the round trip of a message between two ranks, by size. The figure is the median over batches. Further
 * ranks wait at the end of each batch.
 */
#include "bench.h"

enum { TAG = 1 };

struct ping {
    unsigned char *buffer;
    long bytes;
    int rank;
};

static void ping_pong(void *context, long iters)
{
    struct ping *p = context;
    int other = !p->rank, n = (int)p->bytes;
    if (p->rank > 1)
        return;
    for (long i = 0; i < iters; i++) {
        if (p->rank == 0)
            MPI_Send(p->buffer, n, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
        MPI_Recv(p->buffer, n, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (p->rank == 1)
            MPI_Send(p->buffer, n, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
    }
}

/* One exchange with content that is looked at: a fast wrong answer is not a result. */
static void check_content(struct ping *p)
{
    if (p->rank == 0)
        bench_fill(p->buffer, p->bytes, 7);
    else
        memset(p->buffer, 0, (size_t)p->bytes);
    ping_pong(p, 1);
    if (p->rank < 2)
        bench_verify(p->buffer, p->bytes, 7);
}

static void measure(struct ping *p, const struct bench_options *options)
{
    struct bench_result result;
    struct bench_task task = {ping_pong, p};
    check_content(p);
    bench_measure(&task, options, 0, &result);
    if (p->rank == 0)
        bench_print("{\"bench\":\"latency\",\"bytes\":%ld,\"half_us\":%.4f,\"min_us\":%.4f,\"p90_us\":%.4f,"
                    "\"batches\":%d,\"iters\":%ld}\n",
                    p->bytes, bench_quantile(&result, 0.5) * 5e5, bench_quantile(&result, 0) * 5e5,
                    bench_quantile(&result, 0.9) * 5e5, result.n_batches, result.iters);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.2};
    for (long bytes = 1; bytes <= 4 << 20; bytes *= 2)
        options.sizes[options.n_sizes++] = bytes;
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    struct ping p = {.rank = bench_rank_of_at_least(2)};
    for (int i = 0; i < options.n_sizes; i++) {
        p.bytes = options.sizes[i];
        p.buffer = malloc((size_t)p.bytes);
        if (!p.buffer)
            bench_die("no memory for %ld bytes", p.bytes);
        measure(&p, &options);
        free(p.buffer);
    }
    MPI_Finalize();
    return 0;
}
