/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nonblocking: nonblocking collectives, each started and waited for, for any number of ranks: the median over batches
 * of the slowest rank's mean ("us"), and the same with a computation of that length, cut by MPI_Test, between start and
 * wait ("busy_us": the less it exceeds "us" the better they overlap; not with an -o that leaves "busy" out). Roots go
 * round. Ranks count from MPI_COMM_WORLD or (-w 2) in turn from the hosts, as if the launcher had placed them so.
 */
#include "bench.h"

struct state {
    MPI_Comm comm;
    int rank, size;
    long bytes, i; /* of each rank's contribution; number of the operation */
    void *in, *out;
    int *counts, *displs; /* of blocks of `bytes` */
    MPI_Request (*start)(const struct state *s);
    double compute; /* seconds between start and wait */
};

#define START(name, ...)                                                                                               \
    static MPI_Request name(const struct state *s)                                                                     \
    {                                                                                                                  \
        MPI_Request request;                                                                                           \
        int n = (int)s->bytes, root = (int)(s->i % s->size);                                                           \
        (void)n, (void)root;                                                                                           \
        MPI_I##name(__VA_ARGS__, s->comm, &request);                                                                   \
        return request;                                                                                                \
    }
#define DOUBLES n / 8, MPI_DOUBLE, MPI_SUM
#define BLOCKS  s->in, n, MPI_BYTE, s->out, n, MPI_BYTE

START(bcast, s->in, n, MPI_BYTE, root)
START(reduce, s->in, s->out, DOUBLES, root)
START(allreduce, s->in, s->out, DOUBLES)
START(allgather, BLOCKS)
START(gather, BLOCKS, root)
START(scatter, BLOCKS, root)
START(alltoall, BLOCKS)
START(allgatherv, s->in, n, MPI_BYTE, s->out, s->counts, s->displs, MPI_BYTE)
START(reduce_scatter_block, s->in, s->out, DOUBLES)
START(scan, s->in, s->out, DOUBLES)

static MPI_Request barrier(const struct state *s)
{
    MPI_Request request;
    MPI_Ibarrier(s->comm, &request);
    return request;
}

static const struct op {
    const char *name;
    MPI_Request (*start)(const struct state *s);
    long sizes[3];
} ops[] = {
    {"barrier", barrier, {0, -1, -1}},
    {"bcast", bcast, {8, 65536, 1048576}},
    {"reduce", reduce, {8, 65536, 1048576}},
    {"allreduce", allreduce, {8, 65536, 1048576}},
    {"allgather", allgather, {8, 16384, 65536}},
    {"gather", gather, {8, 1024, 16384}},
    {"scatter", scatter, {8, 1024, 16384}},
    {"alltoall", alltoall, {8, 1024, 16384}},
    {"allgatherv", allgatherv, {8, 16384, 65536}},
    {"reduce_scatter", reduce_scatter_block, {8, 1024, 4096}},
    {"scan", scan, {8, 16384, 262144}},
};

static void compute(double seconds, MPI_Request *request)
{
    double end = bench_now() + seconds, next = seconds / 8;
    for (double left = seconds; left > 0; left = end - bench_now()) {
        int done;
        if (left < seconds - next) {
            next += seconds / 8;
            MPI_Test(request, &done, MPI_STATUS_IGNORE);
        }
    }
}

static void run(void *context, long iters)
{
    struct state *s = context;
    for (long i = 0; i < iters; i++, s->i++) {
        MPI_Request request = s->start(s);
        if (s->compute > 0)
            compute(s->compute, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static double median(struct state *s, double seconds_to_compute, const struct bench_options *options)
{
    struct bench_result result;
    struct bench_task task = {run, s};
    s->compute = seconds_to_compute;
    s->i = 0;
    bench_measure(&task, options, 1, &result);
    return bench_quantile(&result, 0.5);
}

static void measure(struct state *s, const struct op *op, long bytes, const struct bench_options *options)
{
    s->bytes = bytes;
    s->start = op->start;
    s->in = calloc((size_t)s->size, (size_t)bytes + 1);
    s->out = calloc((size_t)s->size, (size_t)bytes + 1);
    s->counts = malloc(2 * (size_t)s->size * sizeof *s->counts);
    if (!s->in || !s->out || !s->counts)
        bench_die("no memory for %d times %ld bytes", s->size, bytes);
    s->displs = s->counts + s->size;
    for (int i = 0; i < s->size; i++) {
        s->counts[i] = (int)bytes;
        s->displs[i] = i * (int)bytes;
    }
    double idle = median(s, 0, options), busy = bench_is_op(options, "busy") ? median(s, idle, options) : 0;
    if (s->rank == 0)
        bench_print(
            "{\"bench\":\"nonblocking\",\"op\":\"%s\",\"bytes\":%ld,\"ranks\":%d,\"us\":%.3f,\"busy_us\":%.3f}\n",
            op->name, bytes, s->size, idle * 1e6, busy * 1e6);
    free(s->counts);
    free(s->in);
    free(s->out);
}

static int is_wanted(const struct bench_options *options, const struct op *op, long bytes)
{
    return bytes >= 0 && (options->n_sizes == 0 || bench_is_size(options, bytes)) && bench_is_op(options, op->name);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.3, .window = 1};
    struct state s = {0};
    int rank, size;
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int hosts = options.window, each = size / hosts; /* rank r of host h is h + r * hosts of the new ones */
    MPI_Comm_split(MPI_COMM_WORLD, 0, each ? rank % each * hosts + rank / each : rank, &s.comm);
    MPI_Comm_rank(s.comm, &s.rank);
    MPI_Comm_size(s.comm, &s.size);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        for (int k = 0; k < 3; k++)
            if (is_wanted(&options, &ops[i], ops[i].sizes[k]))
                measure(&s, &ops[i], ops[i].sizes[k], &options);
    MPI_Comm_free(&s.comm);
    MPI_Finalize();
    return 0;
}
