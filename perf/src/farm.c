/* SPDX-License-Identifier: BSD-3-Clause
 *
 * farm: a task farm that hides latency (the benchmark of the thesis on MPI over SCTP, sections 3.3 and 4.2). Rank 0
 * deals tasks of several kinds, each kind with its tag; a worker has a receive posted for each kind and works on
 * whatever comes first, so that a loss in one kind's messages need not hold up another's. An answer asks for the next
 * task; -w tasks are under way to each worker. Every byte of every task is looked at. The figure is the time for all of
 * them.
 *
 *   farm -n TASKS -s BYTES,... -w WINDOW
 */
#include "bench.h"

enum { KINDS = 10, TAG_ANSWER = 100, TAG_END = 101, MAX_RANKS = 256 };

struct farm {
    long bytes, n_tasks;
    int window, rank, size;
    unsigned char *buffers[KINDS];
};

static void deal(const struct farm *f, int worker, long task, MPI_Request *request)
{
    MPI_Isend(f->buffers[task % KINDS], (int)f->bytes, MPI_BYTE, worker, (int)(task % KINDS), MPI_COMM_WORLD, request);
}

/* A free place among the sends under way; waits for one if there is none. */
static int free_place(MPI_Request *requests, int n)
{
    for (int i = 0; i < n; i++)
        if (requests[i] == MPI_REQUEST_NULL)
            return i;
    int place;
    MPI_Waitany(n, requests, &place, MPI_STATUS_IGNORE);
    return place;
}

static void manage(const struct farm *f)
{
    int n_requests = f->window * (f->size - 1);
    MPI_Request *requests = malloc(sizeof(MPI_Request) * (size_t)n_requests);
    if (!requests)
        bench_die("no memory for %d requests", n_requests);
    for (int i = 0; i < n_requests; i++)
        requests[i] = MPI_REQUEST_NULL;
    long dealt = 0;
    for (int round = 0; round < f->window; round++)
        for (int worker = 1; worker < f->size && dealt < f->n_tasks; worker++, dealt++)
            deal(f, worker, dealt, &requests[free_place(requests, n_requests)]);
    for (long answered = 0; answered < f->n_tasks; answered++) {
        MPI_Status status;
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, &status);
        if (dealt < f->n_tasks)
            deal(f, status.MPI_SOURCE, dealt++, &requests[free_place(requests, n_requests)]);
    }
    MPI_Waitall(n_requests, requests, MPI_STATUSES_IGNORE);
    for (int worker = 1; worker < f->size; worker++)
        MPI_Send(NULL, 0, MPI_BYTE, worker, TAG_END, MPI_COMM_WORLD);
    free(requests);
}

static void expect_task(const struct farm *f, int kind, MPI_Request *request)
{
    MPI_Irecv(f->buffers[kind], (int)f->bytes, MPI_BYTE, 0, kind, MPI_COMM_WORLD, request);
}

static void work(const struct farm *f)
{
    MPI_Request requests[KINDS + 1];
    for (int kind = 0; kind < KINDS; kind++)
        expect_task(f, kind, &requests[kind]);
    MPI_Irecv(NULL, 0, MPI_BYTE, 0, TAG_END, MPI_COMM_WORLD, &requests[KINDS]);
    for (;;) {
        int which;
        MPI_Waitany(KINDS + 1, requests, &which, MPI_STATUS_IGNORE);
        if (which == KINDS)
            break;
        bench_verify(f->buffers[which], f->bytes, (unsigned)which);
        memset(f->buffers[which], 0, (size_t)f->bytes);
        expect_task(f, which, &requests[which]);
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    }
    for (int kind = 0; kind < KINDS; kind++)
        MPI_Cancel(&requests[kind]);
    MPI_Waitall(KINDS, requests, MPI_STATUSES_IGNORE);
}

static void allocate(struct farm *f)
{
    for (int kind = 0; kind < KINDS; kind++) {
        f->buffers[kind] = malloc((size_t)f->bytes);
        if (!f->buffers[kind])
            bench_die("no memory for %ld bytes", f->bytes);
        if (f->rank == 0)
            bench_fill(f->buffers[kind], f->bytes, (unsigned)kind);
    }
}

static void run(struct farm *f)
{
    allocate(f);
    MPI_Barrier(MPI_COMM_WORLD); /* connections are open from here on */
    double begin = bench_now();
    if (f->rank == 0)
        manage(f);
    else
        work(f);
    double seconds = bench_now() - begin;
    if (f->rank == 0)
        bench_print("{\"bench\":\"farm\",\"bytes\":%ld,\"tasks\":%ld,\"window\":%d,\"workers\":%d,\"seconds\":%.4f,"
                    "\"mb_s\":%.3f}\n",
                    f->bytes, f->n_tasks, f->window, f->size - 1, seconds,
                    (double)f->bytes * (double)f->n_tasks / seconds / 1e6);
    for (int kind = 0; kind < KINDS; kind++)
        free(f->buffers[kind]);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.count = 400, .window = 10, .sizes = {30 << 10, 300 << 10}, .n_sizes = 2};
    struct farm f = {0};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &f.size);
    if (f.size < 2 || f.size > MAX_RANKS)
        bench_die("farm: needs 2 to %d ranks", MAX_RANKS);
    f.n_tasks = options.count;
    f.window = options.window;
    for (int i = 0; i < options.n_sizes; i++) {
        f.bytes = options.sizes[i];
        run(&f);
    }
    MPI_Finalize();
    return 0;
}
