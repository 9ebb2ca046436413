/* SPDX-License-Identifier: BSD-3-Clause
 *
 * threads: 1 to 4 threads of each of two ranks at once, each pair on a communicator of its own (MPI_THREAD_MULTIPLE).
 * stream: all threads of rank 0 send windows (-w, 64) of 8-byte messages to their partners; messages a second of all
 * together. pingpong: each pair sends one to and fro; the time in which all have had half a round trip.
 */
#include "bench.h"

#include <pthread.h>

enum { MAX_THREADS = 4, MAX_WINDOW = 1024, BYTES = 8 };

struct pair {
    MPI_Comm comm;
    int rank, window;
    long iters;
    void (*part)(const struct pair *pair);
};

struct work {
    struct pair pairs[MAX_THREADS];
    int n;
};

static void stream(const struct pair *p)
{
    MPI_Request requests[MAX_WINDOW];
    MPI_Status statuses[MAX_WINDOW];
    char buffer[MAX_WINDOW][BYTES] = {{0}};
    for (long i = 0; i < p->iters; i++) {
        for (int k = 0; k < p->window; k++) {
            if (p->rank == 0)
                MPI_Isend(buffer[k], BYTES, MPI_CHAR, 1, 0, p->comm, &requests[k]);
            else
                MPI_Irecv(buffer[k], BYTES, MPI_CHAR, 0, 0, p->comm, &requests[k]);
        }
        MPI_Waitall(p->window, requests, statuses);
    }
    if (p->rank == 0)
        MPI_Recv(NULL, 0, MPI_CHAR, 1, 1, p->comm, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_CHAR, 0, 1, p->comm);
}

static void pingpong(const struct pair *p)
{
    char buffer[BYTES] = {0};
    for (long i = 0; i < p->iters; i++) {
        if (p->rank == 0)
            MPI_Send(buffer, BYTES, MPI_CHAR, 1, 0, p->comm);
        MPI_Recv(buffer, BYTES, MPI_CHAR, !p->rank, 0, p->comm, MPI_STATUS_IGNORE);
        if (p->rank == 1)
            MPI_Send(buffer, BYTES, MPI_CHAR, 0, 0, p->comm);
    }
}

static void *run_pair(void *arg)
{
    const struct pair *p = arg;
    p->part(p);
    return NULL;
}

static void run(void *context, long iters)
{
    struct work *w = context;
    pthread_t threads[MAX_THREADS];
    for (int i = 0; i < w->n; i++)
        w->pairs[i].iters = iters;
    for (int i = 1; i < w->n; i++) {
        if (pthread_create(&threads[i], NULL, run_pair, &w->pairs[i]))
            bench_die("no thread");
    }
    run_pair(&w->pairs[0]);
    for (int i = 1; i < w->n; i++)
        pthread_join(threads[i], NULL);
}

/* n_messages: of a pair in an iteration. */
static void measure(struct work *w, const struct bench_options *options, const char *op, int n_messages,
                    void (*part)(const struct pair *))
{
    const struct bench_task task = {run, w};
    for (w->n = 1; w->n <= MAX_THREADS && bench_is_op(options, op); w->n++) {
        struct bench_result result;
        for (int i = 0; i < w->n; i++)
            w->pairs[i].part = part;
        bench_measure(&task, options, 0, &result);
        double seconds = bench_quantile(&result, 0.5) / n_messages;
        if (w->pairs[0].rank == 0)
            bench_print("{\"bench\":\"threads\",\"op\":\"%s\",\"threads\":%d,\"msg_s\":%.0f,\"us\":%.4f}\n", op, w->n,
                        w->n / seconds, seconds * 1e6);
    }
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.5, .window = 64};
    struct work work;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    bench_parse(&options, argc, argv);
    if (level != MPI_THREAD_MULTIPLE || options.window > MAX_WINDOW)
        bench_die("needs MPI_THREAD_MULTIPLE and a window of at most %d", MAX_WINDOW);
    int rank = bench_rank_of(2);
    for (int i = 0; i < MAX_THREADS; i++) {
        work.pairs[i] = (struct pair){.rank = rank, .window = options.window};
        MPI_Comm_dup(MPI_COMM_WORLD, &work.pairs[i].comm);
    }
    measure(&work, &options, "stream", options.window, stream);
    measure(&work, &options, "pingpong", 2, pingpong);
    for (int i = 0; i < MAX_THREADS; i++)
        MPI_Comm_free(&work.pairs[i].comm);
    MPI_Finalize();
    return 0;
}
