/* SPDX-License-Identifier: BSD-3-Clause
 *
 * collectives: the time of one collective operation, for any number of ranks: the median over batches of the slowest
 * rank's mean. With more ranks than processors it shows what waiting costs the ranks that would have something to do.
 *
 * The root of the broadcast goes round, so that the next one can't start before the last one has arrived at its root,
 * and a pipeline of broadcasts doesn't pass for a fast one.
 */
#include "bench.h"

struct ring {
    int rank, size;
    long bytes;              /* of each rank's contribution */
    unsigned char *in, *out; /* size * bytes each */
    MPI_Comm backwards;
};

struct op {
    const char *name;
    long bytes;
    void (*run)(void *context, long iters);
    int usual; /* 1: without a choice of sizes; -1: only where it is named */
};

static void barrier(void *context, long iters)
{
    (void)context;
    for (long i = 0; i < iters; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Bcast(r->in, (int)r->bytes, MPI_BYTE, (int)(i % r->size), MPI_COMM_WORLD);
}

static void allreduce(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Allreduce(r->in, r->out, (int)(r->bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(void *context, long iters)
{
    struct ring *r = context;
    int n = (int)r->bytes;
    for (long i = 0; i < iters; i++)
        MPI_Alltoall(r->in, n, MPI_BYTE, r->out, n, MPI_BYTE, MPI_COMM_WORLD);
}

static void allgather(void *context, long iters)
{
    struct ring *r = context;
    int n = (int)r->bytes;
    for (long i = 0; i < iters; i++)
        MPI_Allgather(r->in, n, MPI_BYTE, r->out, n, MPI_BYTE, MPI_COMM_WORLD);
}

/* Blocks of the same length, which the v forms do not know. */
static void lay_out(const struct ring *r, int *counts, int *displs)
{
    for (int i = 0; i < r->size; i++) {
        counts[i] = (int)r->bytes;
        displs[i] = i * (int)r->bytes;
    }
}

static void vectors(struct ring *r, long iters, int which)
{
    int n = (int)r->bytes, *counts = malloc(2 * (size_t)r->size * sizeof *counts), *displs = counts + r->size;
    if (!counts)
        bench_die("no memory for the counts of %d ranks", r->size);
    lay_out(r, counts, displs);
    for (long i = 0; i < iters; i++) {
        int root = (int)(i % r->size);
        if (which == 0)
            MPI_Gatherv(r->in, n, MPI_BYTE, r->out, counts, displs, MPI_BYTE, root, MPI_COMM_WORLD);
        else if (which == 1)
            MPI_Scatterv(r->out, counts, displs, MPI_BYTE, r->in, n, MPI_BYTE, root, MPI_COMM_WORLD);
        else
            MPI_Allgatherv(r->in, n, MPI_BYTE, r->out, counts, displs, MPI_BYTE, MPI_COMM_WORLD);
    }
    free(counts);
}

static void gatherv(void *context, long iters)
{
    vectors(context, iters, 0);
}

static void scatterv(void *context, long iters)
{
    vectors(context, iters, 1);
}

static void allgatherv(void *context, long iters)
{
    vectors(context, iters, 2);
}

static void reduce(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Reduce(r->in, r->out, (int)(r->bytes / 8), MPI_DOUBLE, MPI_SUM, (int)(i % r->size), MPI_COMM_WORLD);
}

/* Blocks of `bytes`. */
static void reduce_scatter(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Reduce_scatter_block(r->in, r->out, (int)(r->bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* In turn in rank order and backwards, so that the last rank of one begins the next. */
static void scan(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Scan(r->in, r->out, (int)(r->bytes / 8), MPI_DOUBLE, MPI_SUM, i % 2 ? r->backwards : MPI_COMM_WORLD);
}

/* Blocks of `bytes` for the ranks up to `reach` away to both sides, of nothing for all others. */
static void exchange(struct ring *r, long iters, int reach)
{
    int *n = malloc((size_t)r->size * 2 * sizeof *n), *at = n + r->size;
    if (!n)
        bench_die("no memory for %d counts", r->size);
    for (int i = 0; i < r->size; i++) {
        int right = (i - r->rank + r->size) % r->size, left = r->size - right;
        n[i] = right <= reach || left <= reach ? (int)r->bytes : 0;
        at[i] = i * (int)r->bytes;
    }
    for (long i = 0; i < iters; i++)
        MPI_Alltoallv(r->in, n, at, MPI_BYTE, r->out, n, at, MPI_BYTE, MPI_COMM_WORLD);
    free(n);
}

static void alltoallv(void *context, long iters)
{
    struct ring *r = context;
    exchange(r, iters, r->size);
}

/* A halo: its neighbours on a line, and itself. */
static void halo(void *context, long iters)
{
    exchange(context, iters, 1);
}

static const struct op ops[] = {
    {"allreduce", 8, allreduce, 1},
    {"alltoall", 64, alltoall, 1},
    {"barrier", 0, barrier, 1},
    {"bcast", 8, bcast, 1},
    {"allreduce", 65536, allreduce, 1},
    {"reduce", 8, reduce, 0},
    {"allgather", 8, allgather, 0},
    {"allgather", 16384, allgather, 0},
    {"alltoall", 16384, alltoall, 0},
    {"bcast", 65536, bcast, 0},
    {"bcast", 1048576, bcast, 0},
    {"allreduce", 1048576, allreduce, 0},
    {"alltoall", 1048576, alltoall, 0},
    {"reduce", 65536, reduce, 0},
    {"reduce", 1048576, reduce, 0},
    {"allgather", 1048576, allgather, 0},
    {"gatherv", 8, gatherv, 0},
    {"gatherv", 1024, gatherv, 0},
    {"gatherv", 65536, gatherv, 0},
    {"gatherv", 1048576, gatherv, 0},
    {"scatterv", 8, scatterv, 0},
    {"scatterv", 1024, scatterv, 0},
    {"scatterv", 65536, scatterv, 0},
    {"scatterv", 1048576, scatterv, 0},
    {"allgatherv", 8, allgatherv, 0},
    {"allgatherv", 1024, allgatherv, 0},
    {"allgatherv", 65536, allgatherv, 0},
    {"reduce_scatter", 8, reduce_scatter, -1},
    {"reduce_scatter", 1024, reduce_scatter, -1},
    {"reduce_scatter", 4096, reduce_scatter, -1},
    {"scan", 8, scan, -1},
    {"scan", 1024, scan, -1},
    {"scan", 16384, scan, -1},
    {"scan", 65536, scan, -1},
    {"scan", 262144, scan, -1},
    {"scan", 1048576, scan, -1},
    {"alltoallv", 8, alltoallv, -1},
    {"alltoallv", 1024, alltoallv, -1},
    {"alltoallv", 16384, alltoallv, -1},
    {"alltoallv", 1048576, alltoallv, -1},
    {"halo", 8, halo, -1},
    {"halo", 1024, halo, -1},
    {"halo", 16384, halo, -1},
};

static int is_wanted(const struct op *op, const struct bench_options *options)
{
    return options->n_sizes == 0 ? op->usual > 0 : bench_is_size(options, op->bytes);
}

static void check_sum(struct ring *r)
{
    double one = r->rank + 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sum != r->size * (r->size + 1) / 2.0)
        bench_die("allreduce over %d ranks gives %g", r->size, sum);
}

static void check_alltoall(struct ring *r)
{
    unsigned char *in = malloc((size_t)r->size * 2), *out = in + r->size; /* a byte for each rank */
    if (!in)
        bench_die("no memory for %d bytes", r->size * 2);
    for (int i = 0; i < r->size; i++)
        in[i] = (unsigned char)(r->rank * 3 + i);
    MPI_Alltoall(in, 1, MPI_BYTE, out, 1, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < r->size; i++) {
        if (out[i] != (unsigned char)(i * 3 + r->rank))
            bench_die("alltoall over %d ranks: rank %d got %d from rank %d", r->size, r->rank, out[i], i);
    }
    free(in);
}

static void measure(struct ring *r, const struct op *op, const struct bench_options *options)
{
    struct bench_result result;
    struct bench_task task = {op->run, r};
    r->bytes = op->bytes;
    r->in = calloc((size_t)r->size, (size_t)op->bytes + 1);
    r->out = calloc((size_t)r->size, (size_t)op->bytes + 1);
    if (!r->in || !r->out)
        bench_die("no memory for %d times %ld bytes", r->size, op->bytes);
    bench_measure(&task, options, 1, &result);
    if (r->rank == 0)
        bench_print("{\"bench\":\"collective\",\"op\":\"%s\",\"bytes\":%ld,\"ranks\":%d,\"us\":%.3f,\"min_us\":%.3f,"
                    "\"batches\":%d,\"iters\":%ld}\n",
                    op->name, op->bytes, r->size, bench_quantile(&result, 0.5) * 1e6, bench_quantile(&result, 0) * 1e6,
                    result.n_batches, result.iters);
    free(r->in);
    free(r->out);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.5};
    struct ring r = {0};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -r.rank, &r.backwards);
    check_sum(&r);
    check_alltoall(&r);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        if (is_wanted(&ops[i], &options) && (options.ops ? bench_is_op(&options, ops[i].name) : ops[i].usual >= 0))
            measure(&r, &ops[i], &options);
    }
    MPI_Comm_free(&r.backwards);
    MPI_Finalize();
    return 0;
}
