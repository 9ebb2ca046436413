/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flood: how much the memory of a receiver grows when messages arrive that it doesn't expect yet: -n (100,000) of
 * -s (8 KiB) each, all then received in order and every byte looked at.
 *   -o isend  nonblocking sends; the receiver sleeps, then waits for one last message with another tag, so that all
 * others are before it in the unexpected queue -o send   standard blocking sends; the receiver makes progress for -t (1
 * s) by probing for a message that never comes The growth is the peak of the resident set (VmHWM, reset before) over
 * the resident set before the flood.
 *
 * The messages overlap in one array of counters: message i begins at counter i. Thus each has its own content without
 * 800 MB of send buffers (send buffers may be read by several sends at once, MPI 5.0, 3.7.2).
 */
#include "bench.h"

#include <fcntl.h>
#include <stdint.h>

enum { TAG = 1, TAG_LAST = 2, TAG_NEVER = 3, TAG_DONE = 4 };

struct flood {
    long count, bytes;
    int is_blocking;
    double seconds;
};

/* Message i begins at counters[i]. */
static uint64_t *make_counters(const struct flood *f)
{
    long n = f->count + f->bytes / 8;
    uint64_t *counters = malloc((size_t)n * sizeof *counters);
    if (!counters)
        bench_die("no memory for %ld counters", n);
    for (long i = 0; i < n; i++)
        counters[i] = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
    return counters;
}

static void send_nonblocking(const struct flood *f, uint64_t *counters)
{
    MPI_Request *requests = malloc((size_t)f->count * sizeof *requests);
    if (!requests)
        bench_die("no memory for %ld requests", f->count);
    for (long i = 0; i < f->count; i++)
        MPI_Isend(counters + i, (int)f->bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &requests[i]);
    MPI_Send(&f->count, 1, MPI_LONG, 1, TAG_LAST, MPI_COMM_WORLD);
    MPI_Waitall((int)f->count, requests, MPI_STATUSES_IGNORE);
    free(requests);
}

static void run_sender(const struct flood *f)
{
    uint64_t *counters = make_counters(f);
    MPI_Barrier(MPI_COMM_WORLD);
    if (f->is_blocking) {
        for (long i = 0; i < f->count; i++)
            MPI_Send(counters + i, (int)f->bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    } else {
        send_nonblocking(f, counters);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(counters);
}

/* Sets VmHWM back to the present resident set (Linux, proc(5), clear_refs). */
static void reset_peak(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY);
    if (fd < 0 || write(fd, "5", 1) != 1)
        bench_die("can't reset the peak of the resident set");
    close(fd);
}

static void let_it_flood(const struct flood *f)
{
    if (!f->is_blocking) {
        sleep(1);
        long count;
        MPI_Recv(&count, 1, MPI_LONG, 0, TAG_LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    int found = 0;
    for (double end = bench_now() + f->seconds; bench_now() < end && !found;)
        MPI_Iprobe(0, TAG_NEVER, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

static void receive_all(const struct flood *f)
{
    uint64_t *expected = make_counters(f);
    uint64_t *message = malloc((size_t)f->bytes);
    if (!message)
        bench_die("no memory for %ld bytes", f->bytes);
    for (long i = 0; i < f->count; i++) {
        MPI_Status status;
        int bytes;
        memset(message, 0, (size_t)f->bytes);
        MPI_Recv(message, (int)f->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        if (bytes != f->bytes || memcmp(message, expected + i, (size_t)f->bytes) != 0)
            bench_die("message %ld of %ld: %d bytes, content wrong or out of order", i, f->count, bytes);
    }
    free(message);
    free(expected);
}

static void run_receiver(const struct flood *f)
{
    MPI_Barrier(MPI_COMM_WORLD);
    reset_peak();
    long before = bench_status_kib("VmRSS");
    let_it_flood(f);
    long at_peak = bench_status_kib("VmHWM");
    double start = bench_now();
    receive_all(f);
    double seconds = bench_now() - start;
    /* The 0.8 MB of counters to compare with are the program's own. */
    long after = bench_status_kib("VmHWM") - (f->count + f->bytes / 8) * 8 / 1024;
    long peak = after > at_peak ? after : at_peak;
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
    bench_print(
        "{\"bench\":\"flood\",\"mode\":\"%s\",\"messages\":%ld,\"bytes\":%ld,\"growth_mb\":%.1f,\"received\":%ld,"
        "\"receive_s\":%.3f}\n",
        f->is_blocking ? "send" : "isend", f->count, f->bytes, (double)(peak - before) * 1024 / 1e6, f->count, seconds);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 1, .count = 100000, .ops = "isend"};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    int rank = bench_rank_of(2);
    struct flood f = {options.count, options.n_sizes ? options.sizes[0] : 8192, strcmp(options.ops, "send") == 0,
                      options.seconds};
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        run_sender(&f);
    else
        run_receiver(&f);
    MPI_Finalize();
    return 0;
}
