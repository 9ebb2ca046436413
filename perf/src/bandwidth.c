/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bandwidth: bytes a second in one direction: a window of nonblocking sends, one acknowledgment, again. Each
 * receive of a window has a buffer of its own, since two receives may not share one (MPI 5.0, 3.7.2).
 *
 * rate: the same with 8-byte messages and a window of 64, called as "bandwidth -o rate": the figure is messages a
 * second.
 */
#include "bench.h"

enum { TAG = 1, TAG_ACK = 2, MAX_WINDOW = 1024 };

struct stream {
    unsigned char *buffers; /* window of them, bytes each */
    MPI_Request *requests;
    long bytes;
    int window;
    int rank;
};

static unsigned char *slot(const struct stream *s, int i)
{
    return s->buffers + s->bytes * i;
}

static void send_window(struct stream *s)
{
    char ack;
    for (int i = 0; i < s->window; i++)
        MPI_Isend(slot(s, i), (int)s->bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &s->requests[i]);
    MPI_Waitall(s->window, s->requests, MPI_STATUSES_IGNORE);
    MPI_Recv(&ack, 1, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive_window(struct stream *s)
{
    char ack = 1;
    for (int i = 0; i < s->window; i++)
        MPI_Irecv(slot(s, i), (int)s->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &s->requests[i]);
    MPI_Waitall(s->window, s->requests, MPI_STATUSES_IGNORE);
    MPI_Send(&ack, 1, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
}

static void stream_windows(void *context, long iters)
{
    struct stream *s = context;
    for (long i = 0; i < iters; i++) {
        if (s->rank == 0)
            send_window(s);
        else
            receive_window(s);
    }
}

static void check_content(struct stream *s)
{
    for (int i = 0; i < s->window; i++) {
        if (s->rank == 0)
            bench_fill(slot(s, i), s->bytes, (unsigned)i);
        else
            memset(slot(s, i), 0, (size_t)s->bytes);
    }
    stream_windows(s, 1);
    for (int i = 0; i < s->window && s->rank == 1; i++)
        bench_verify(slot(s, i), s->bytes, (unsigned)i);
}

static void measure(struct stream *s, const char *name, const struct bench_options *options)
{
    struct bench_result result;
    struct bench_task task = {stream_windows, s};
    check_content(s);
    bench_measure(&task, options, 0, &result);
    if (s->rank != 0)
        return;
    double seconds = bench_quantile(&result, 0.5) / s->window, best = bench_quantile(&result, 0) / s->window;
    bench_print("{\"bench\":\"%s\",\"bytes\":%ld,\"window\":%d,\"mb_s\":%.3f,\"msg_s\":%.1f,\"best_mb_s\":%.3f,"
                "\"batches\":%d,\"iters\":%ld}\n",
                name, s->bytes, s->window, (double)s->bytes / seconds / 1e6, 1 / seconds, (double)s->bytes / best / 1e6,
                result.n_batches, result.iters);
}

static void measure_size(struct stream *s, const char *name, const struct bench_options *options)
{
    s->buffers = malloc((size_t)s->bytes * (size_t)s->window);
    if (!s->buffers)
        bench_die("no memory for %d buffers of %ld bytes", s->window, s->bytes);
    measure(s, name, options);
    free(s->buffers);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.3};
    MPI_Request requests[MAX_WINDOW];
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    int is_rate = options.ops && strcmp(options.ops, "rate") == 0;
    if (!options.n_sizes)
        bench_parse_sizes(&options, is_rate ? "8" : "1K,2K,4K,8K,16K,32K,64K,128K,256K,512K,1M,2M,4M");
    if (!options.window)
        options.window = is_rate ? 64 : 16;
    if (options.window < 1 || options.window > MAX_WINDOW)
        bench_die("-w %d: need 1 to %d", options.window, MAX_WINDOW);
    struct stream s = {.requests = requests, .window = options.window, .rank = bench_rank_of(2)};
    for (int i = 0; i < options.n_sizes; i++) {
        s.bytes = options.sizes[i];
        measure_size(&s, is_rate ? "rate" : "bandwidth", &options);
    }
    MPI_Finalize();
    return 0;
}
