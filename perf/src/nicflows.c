/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nicflows: bytes a second that a host sends or gets, where all its NICs are needed: a stream one way, in which either
 * end or nobody has sent to the other before; a ring; alltoall; many to one. A job measures one of them (-o NAME), as
 * what went before decides who connected to whom.
 */
#include "bench.h"

enum { TAG = 1, TAG_ACK = 2, MAX_REQUESTS = 1024 };

struct flow {
    int rank, size;
    int from, to; /* of a stream */
    int window;
    int bytes; /* of a message */
    unsigned char *out, *in;
    MPI_Request requests[MAX_REQUESTS];
};

/* Who sends the first byte of a stream. */
enum first { NOBODY, SENDER, RECEIVER };

struct kind {
    const char *name;
    void (*run)(void *context, long iters);
    int ranks; /* that it needs; 0: any number */
    int from;  /* of a stream */
    enum first first;
};

static unsigned char *block(unsigned char *base, const struct flow *f, int i)
{
    return base + (long)f->bytes * i;
}

static void ack(int from, int to, int rank)
{
    char word = 1;
    if (rank == from)
        MPI_Send(&word, 1, MPI_BYTE, to, TAG_ACK, MPI_COMM_WORLD);
    else if (rank == to)
        MPI_Recv(&word, 1, MPI_BYTE, from, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_window(struct flow *f, int to)
{
    for (int i = 0; i < f->window; i++)
        MPI_Isend(block(f->out, f, i), f->bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &f->requests[i]);
    MPI_Waitall(f->window, f->requests, MPI_STATUSES_IGNORE);
}

static void receive_windows(struct flow *f, int from, int n)
{
    for (int i = 0; i < n; i++)
        MPI_Irecv(block(f->in, f, i), f->bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &f->requests[i]);
    MPI_Waitall(n, f->requests, MPI_STATUSES_IGNORE);
}

static void stream(void *context, long iters)
{
    struct flow *f = context;
    for (long k = 0; k < iters; k++) {
        if (f->rank == f->from)
            send_window(f, f->to);
        else
            receive_windows(f, f->from, f->window);
        ack(f->to, f->from, f->rank);
    }
}

static void ring(void *context, long iters)
{
    struct flow *f = context;
    int right = (f->rank + 1) % f->size, left = (f->rank + f->size - 1) % f->size;
    for (long k = 0; k < iters; k++)
        MPI_Sendrecv(f->out, f->bytes, MPI_BYTE, right, TAG, f->in, f->bytes, MPI_BYTE, left, TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void alltoall(void *context, long iters)
{
    struct flow *f = context;
    for (long k = 0; k < iters; k++)
        MPI_Alltoall(f->out, f->bytes, MPI_BYTE, f->in, f->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void many(void *context, long iters)
{
    struct flow *f = context;
    for (long k = 0; k < iters; k++) {
        if (f->rank)
            send_window(f, 0);
        else
            receive_windows(f, MPI_ANY_SOURCE, f->window * (f->size - 1));
        for (int from = 1; from < f->size; from++)
            ack(0, from, f->rank);
    }
}

static const struct kind kinds[] = {
    {"up", stream, 2, 0, NOBODY},   {"up-sender", stream, 2, 0, SENDER},   {"up-receiver", stream, 2, 0, RECEIVER},
    {"down", stream, 2, 1, NOBODY}, {"down-sender", stream, 2, 1, SENDER}, {"down-receiver", stream, 2, 1, RECEIVER},
    {"ring", ring, 0, 0, NOBODY},   {"alltoall", alltoall, 0, 0, NOBODY},  {"many", many, 0, 0, NOBODY},
};

static const struct kind *find_kind(const struct bench_options *options)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (options->ops && strcmp(options->ops, kinds[i].name) == 0)
            return &kinds[i];
    }
    bench_die("-o: need one of up, down, with -sender or -receiver or none, ring, alltoall, many");
}

/* Blocks of each side; bytes that a host moves in an iteration. */
static int out_blocks(const struct flow *f, const struct kind *k)
{
    return k->run == ring ? 1 : k->run == alltoall ? f->size : f->window;
}

static int in_blocks(const struct flow *f, const struct kind *k)
{
    return k->run == many ? f->window * (f->size - 1) : out_blocks(f, k);
}

static double bytes_moved(const struct flow *f, const struct kind *k)
{
    return (double)f->bytes * (k->run == alltoall ? f->size - 1 : in_blocks(f, k));
}

static void fill(struct flow *f, const struct kind *k)
{
    for (int i = 0; i < out_blocks(f, k); i++)
        bench_fill(block(f->out, f, i), f->bytes,
                   (unsigned)(k->run == many     ? 0
                              : k->run == stream ? i
                                                 : f->rank * f->size + i));
    memset(f->in, 0, (size_t)f->bytes * (size_t)in_blocks(f, k));
}

static void verify(struct flow *f, const struct kind *k)
{
    int left = (f->rank + f->size - 1) % f->size;
    int receives = k->run == stream ? f->rank == f->to : k->run == many ? f->rank == 0 : 1;
    for (int i = 0; receives && i < in_blocks(f, k); i++) {
        unsigned seed = (unsigned)(k->run == many     ? 0
                                   : k->run == stream ? i
                                   : k->run == ring   ? left * f->size
                                                      : i * f->size + f->rank);
        bench_verify(block(f->in, f, i), f->bytes, seed);
    }
}

static void measure(struct flow *f, const struct kind *k, const struct bench_options *options)
{
    struct bench_result result;
    struct bench_task task = {k->run, f};
    fill(f, k);
    k->run(f, 1);
    verify(f, k);
    bench_measure(&task, options, 1, &result);
    if (f->rank == 0)
        bench_print("{\"bench\":\"flow\",\"op\":\"%s\",\"bytes\":%d,\"ranks\":%d,\"window\":%d,\"mb_s\":%.3f,\"best_mb_"
                    "s\":%.3f,"
                    "\"batches\":%d,\"iters\":%ld}\n",
                    k->name, f->bytes, f->size, f->window, bytes_moved(f, k) / bench_quantile(&result, 0.5) / 1e6,
                    bytes_moved(f, k) / bench_quantile(&result, 0) / 1e6, result.n_batches, result.iters);
}

static void measure_size(struct flow *f, const struct kind *k, const struct bench_options *options, long bytes)
{
    if (bytes < 1 || bytes > INT_MAX)
        bench_die("-s %ld: need 1 to %d bytes", bytes, INT_MAX);
    f->bytes = (int)bytes;
    f->out = malloc((size_t)bytes * (size_t)out_blocks(f, k));
    f->in = malloc((size_t)bytes * (size_t)in_blocks(f, k));
    if (!f->out || !f->in)
        bench_die("no memory for blocks of %ld bytes", bytes);
    measure(f, k, options);
    free(f->out);
    free(f->in);
}

int main(int argc, char **argv)
{
    static struct flow f;
    struct bench_options options = {.seconds = 1};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    if (!options.n_sizes)
        bench_parse_sizes(&options, "1M");
    const struct kind *kind = find_kind(&options);
    MPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &f.size);
    f.window = options.window ? options.window : 16;
    if ((kind->ranks && kind->ranks != f.size) || f.size < 2 || in_blocks(&f, kind) > MAX_REQUESTS)
        bench_die("%s: not with %d ranks and a window of %d", kind->name, f.size, f.window);
    f.from = kind->from;
    f.to = 1 - kind->from;
    if (kind->first != NOBODY)
        ack(kind->first == SENDER ? f.from : f.to, kind->first == SENDER ? f.to : f.from, f.rank);
    for (int i = 0; i < options.n_sizes; i++)
        measure_size(&f, kind, &options, options.sizes[i]);
    MPI_Finalize();
    return 0;
}
