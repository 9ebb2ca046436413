/* SPDX-License-Identifier: BSD-3-Clause
 *
 * patterns: 25 patterns of messages at 22 sizes from 0 to 1 MiB, for any number of ranks: the least over short batches
 * of the slowest rank's mean. Many short runs of it, each library after the other, show which row has fallen behind.
 *
 * The root of a rooted pattern goes round, so that none can run ahead of the others. Reductions are sums of floats.
 */
#include "bench.h"

enum { TAG = 1, TAG_ACK, WINDOW = 16 };

struct ring {
    int rank, size, left, right;
    int mate;                /* of a pair; the own rank where the last one has none */
    int bytes;               /* of a block */
    unsigned char *in, *out; /* blocks for each rank, two at least */
    int *counts, *displs;
};

/* What the first round leaves in `out`. */
enum leaves {
    MATES,     /* a block of the mate */
    LOWERS,    /* the same at the higher rank of a pair */
    LEFTS,     /* a block of the left neighbour */
    BOTH,      /* the same, then one of the right one */
    ROOTS,     /* block 0 of rank 0, where that is another one */
    ITS_OWN,   /* the block that rank 0 has for this rank */
    ALL,       /* each rank's block 0 */
    ALL_AT_0,  /* the same at rank 0 */
    ALL_TO_ME, /* the block that each rank has for this one */
    SUM,       /* of all ranks' block 0 */
    SUM_AT_0,
    SUM_OF_MINE, /* of the blocks that all ranks have for this one */
};

struct pattern {
    const char *name;
    void (*run)(void *context, long iters);
    enum leaves leaves;
};

static void pingpong(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters && r->mate != r->rank; i++) {
        if (r->rank < r->mate)
            MPI_Send(r->in, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD);
        MPI_Recv(r->out, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (r->rank > r->mate)
            MPI_Send(r->in, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD);
    }
}

static void pingping(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters && r->mate != r->rank; i++) {
        MPI_Isend(r->in, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD, &q);
        MPI_Recv(r->out, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

/* The same, the receive posted first. */
static void posted(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters && r->mate != r->rank; i++) {
        MPI_Irecv(r->out, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD, &q);
        MPI_Send(r->in, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

/* A ping-pong whose receiver learns of the message by MPI_Probe. */
static void probed(void *context, long iters)
{
    struct ring *r = context;
    MPI_Status st;
    for (long i = 0; i < iters && r->mate != r->rank; i++) {
        if (r->rank < r->mate)
            MPI_Send(r->in, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD);
        MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &st);
        MPI_Recv(r->out, r->bytes, MPI_BYTE, st.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (r->rank > r->mate)
            MPI_Send(r->in, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD);
    }
}

/* One way, from the lower rank of a pair: a window of messages under way, an acknowledgment of all. */
static void stream(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q[WINDOW];
    if (r->mate == r->rank)
        return;
    if (r->rank > r->mate) {
        for (long i = 0; i < iters; i++)
            MPI_Recv(r->out, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_BYTE, r->mate, TAG_ACK, MPI_COMM_WORLD);
        return;
    }
    for (long i = 0; i < iters; i += WINDOW) {
        int n = iters - i < WINDOW ? (int)(iters - i) : WINDOW;
        for (int k = 0; k < n; k++)
            MPI_Isend(r->in, r->bytes, MPI_BYTE, r->mate, TAG, MPI_COMM_WORLD, &q[k]);
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, r->mate, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sendrecv(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Sendrecv(r->in, r->bytes, MPI_BYTE, r->right, TAG, r->out, r->bytes, MPI_BYTE, r->left, TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

/* Blocks to both sides, of both sides. */
static void exchange(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q[2];
    for (long i = 0; i < iters; i++) {
        MPI_Isend(r->in, r->bytes, MPI_BYTE, r->right, TAG, MPI_COMM_WORLD, &q[0]);
        MPI_Isend(r->in, r->bytes, MPI_BYTE, r->left, TAG, MPI_COMM_WORLD, &q[1]);
        MPI_Recv(r->out, r->bytes, MPI_BYTE, r->left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(r->out + r->bytes, r->bytes, MPI_BYTE, r->right, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
}

/* The same as most programs have it: both receives posted first, one wait for all. */
static void halo(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q[4];
    for (long i = 0; i < iters; i++) {
        MPI_Irecv(r->out, r->bytes, MPI_BYTE, r->left, TAG, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(r->out + r->bytes, r->bytes, MPI_BYTE, r->right, TAG, MPI_COMM_WORLD, &q[1]);
        MPI_Isend(r->in, r->bytes, MPI_BYTE, r->right, TAG, MPI_COMM_WORLD, &q[2]);
        MPI_Isend(r->in, r->bytes, MPI_BYTE, r->left, TAG, MPI_COMM_WORLD, &q[3]);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    }
}

static void bcast(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++) {
        int root = (int)(i % r->size);
        MPI_Bcast(root == r->rank ? r->in : r->out, r->bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    }
}

static void reduce(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Reduce(r->in, r->out, r->bytes / 4, MPI_FLOAT, MPI_SUM, (int)(i % r->size), MPI_COMM_WORLD);
}

static void allreduce(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Allreduce(r->in, r->out, r->bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter_block(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Reduce_scatter_block(r->in, r->out, r->bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Allgather(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void allgatherv(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Allgatherv(r->in, r->bytes, MPI_BYTE, r->out, r->counts, r->displs, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Alltoall(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoallv(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Alltoallv(r->in, r->counts, r->displs, MPI_BYTE, r->out, r->counts, r->displs, MPI_BYTE, MPI_COMM_WORLD);
}

static void gather(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Gather(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, (int)(i % r->size), MPI_COMM_WORLD);
}

static void scatter(void *context, long iters)
{
    struct ring *r = context;
    for (long i = 0; i < iters; i++)
        MPI_Scatter(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, (int)(i % r->size), MPI_COMM_WORLD);
}

/* ---- the nonblocking forms, each waited for at once ---- */

static void ibcast(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters; i++) {
        int root = (int)(i % r->size);
        MPI_Ibcast(root == r->rank ? r->in : r->out, r->bytes, MPI_BYTE, root, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

static void ireduce(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters; i++) {
        MPI_Ireduce(r->in, r->out, r->bytes / 4, MPI_FLOAT, MPI_SUM, (int)(i % r->size), MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

static void iallreduce(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters; i++) {
        MPI_Iallreduce(r->in, r->out, r->bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

static void iallgather(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters; i++) {
        MPI_Iallgather(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

static void ialltoall(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters; i++) {
        MPI_Ialltoall(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

static void igather(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters; i++) {
        MPI_Igather(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, (int)(i % r->size), MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

static void iscatter(void *context, long iters)
{
    struct ring *r = context;
    MPI_Request q;
    for (long i = 0; i < iters; i++) {
        MPI_Iscatter(r->in, r->bytes, MPI_BYTE, r->out, r->bytes, MPI_BYTE, (int)(i % r->size), MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
}

static const struct pattern patterns[] = {
    {"pingpong", pingpong, MATES},
    {"pingping", pingping, MATES},
    {"posted", posted, MATES},
    {"probed", probed, MATES},
    {"stream", stream, LOWERS},
    {"sendrecv", sendrecv, LEFTS},
    {"exchange", exchange, BOTH},
    {"halo", halo, BOTH},
    {"bcast", bcast, ROOTS},
    {"reduce", reduce, SUM_AT_0},
    {"allreduce", allreduce, SUM},
    {"reduce_scatter_block", reduce_scatter_block, SUM_OF_MINE},
    {"allgather", allgather, ALL},
    {"allgatherv", allgatherv, ALL},
    {"alltoall", alltoall, ALL_TO_ME},
    {"alltoallv", alltoallv, ALL_TO_ME},
    {"gather", gather, ALL_AT_0},
    {"scatter", scatter, ITS_OWN},
    {"ibcast", ibcast, ROOTS},
    {"ireduce", ireduce, SUM_AT_0},
    {"iallreduce", iallreduce, SUM},
    {"iallgather", iallgather, ALL},
    {"ialltoall", ialltoall, ALL_TO_ME},
    {"igather", igather, ALL_AT_0},
    {"iscatter", iscatter, ITS_OWN},
};

/* ---- what arrives ---- */

static int is_sum(const struct pattern *p)
{
    return p->leaves >= SUM;
}

/* Element k of all blocks of a rank; sums of them are exact. */
static float element(int rank, long k)
{
    return (float)((k + 3L * rank) % 17);
}

static void fill(const struct ring *r, const struct pattern *p)
{
    memset(r->out, 0, (size_t)r->bytes * (size_t)(r->size + 1));
    for (long k = 0; is_sum(p) && k < (long)r->bytes / 4 * r->size; k++)
        ((float *)(void *)r->in)[k] = element(r->rank, k);
    for (int to = 0; !is_sum(p) && to < r->size; to++)
        bench_fill(r->in + (long)to * r->bytes, r->bytes, (unsigned)(r->rank * r->size + to));
}

static void verify_sums(const struct ring *r, const struct pattern *p)
{
    long n = r->bytes / 4, first = p->leaves == SUM_OF_MINE ? n * r->rank : 0;
    for (long k = 0; k < n && (p->leaves != SUM_AT_0 || r->rank == 0); k++) {
        float sum = 0;
        for (int from = 0; from < r->size; from++)
            sum += element(from, first + k);
        if (((float *)(void *)r->out)[k] != sum)
            bench_die("%s: element %ld of %ld is wrong at rank %d", p->name, k, n, r->rank);
    }
}

/* Block `at` of `out` is what rank `from` had for rank `to`. */
static void verify_block(const struct ring *r, int at, int from, int to)
{
    bench_verify(r->out + (long)at * r->bytes, r->bytes, (unsigned)(from * r->size + to));
}

static void verify_blocks(const struct ring *r, const struct pattern *p)
{
    int all = p->leaves == ALL || p->leaves == ALL_TO_ME || (p->leaves == ALL_AT_0 && r->rank == 0);
    if ((p->leaves == MATES && r->mate != r->rank) || (p->leaves == LOWERS && r->mate < r->rank))
        verify_block(r, 0, r->mate, 0);
    if (p->leaves == LEFTS || p->leaves == BOTH)
        verify_block(r, 0, r->left, 0);
    if (p->leaves == BOTH)
        verify_block(r, 1, r->right, 0);
    if ((p->leaves == ROOTS && r->rank != 0) || p->leaves == ITS_OWN)
        verify_block(r, 0, 0, p->leaves == ITS_OWN ? r->rank : 0);
    for (int from = 0; all && from < r->size; from++)
        verify_block(r, from, from, p->leaves == ALL_TO_ME ? r->rank : 0);
}

static void check_content(struct ring *r, const struct pattern *p)
{
    fill(r, p);
    p->run(r, 1);
    if (is_sum(p))
        verify_sums(r, p);
    else
        verify_blocks(r, p);
}

/* ---- figures ---- */

static void measure(struct ring *r, const struct pattern *p, const struct bench_options *options)
{
    struct bench_result result;
    struct bench_task task = {p->run, r};
    check_content(r, p);
    bench_measure(&task, options, 1, &result);
    if (r->rank == 0)
        bench_print("{\"bench\":\"pattern\",\"op\":\"%s\",\"bytes\":%d,\"ranks\":%d,\"min_us\":%.4f,\"us\":%.4f,"
                    "\"batches\":%d,\"iters\":%ld}\n",
                    p->name, r->bytes, r->size, bench_quantile(&result, 0) * 1e6, bench_quantile(&result, 0.5) * 1e6,
                    result.n_batches, result.iters);
}

static void measure_size(struct ring *r, long bytes, const struct bench_options *options)
{
    if (bytes > INT_MAX / (r->size + 1))
        bench_die("-s %ld: too long for blocks of %d ranks", bytes, r->size);
    r->bytes = (int)bytes;
    r->in = malloc((size_t)bytes * (size_t)(r->size + 1) + 1);
    r->out = malloc((size_t)bytes * (size_t)(r->size + 1) + 1);
    if (!r->in || !r->out)
        bench_die("no memory for %d times %ld bytes", r->size, bytes);
    for (int i = 0; i < r->size; i++) {
        r->counts[i] = r->bytes;
        r->displs[i] = i * r->bytes;
    }
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (bench_is_op(options, patterns[i].name) && (!is_sum(&patterns[i]) || bytes % 4 == 0))
            measure(r, &patterns[i], options);
    }
    free(r->in);
    free(r->out);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.003};
    struct ring r = {0};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    if (!options.n_sizes)
        bench_parse_sizes(&options, "0,1,2,4,8,16,32,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K,256K,512K,1M");
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.size);
    r.left = (r.rank + r.size - 1) % r.size;
    r.right = (r.rank + 1) % r.size;
    r.mate = (r.rank ^ 1) < r.size ? r.rank ^ 1 : r.rank;
    r.counts = malloc(2 * (size_t)r.size * sizeof *r.counts);
    if (!r.counts)
        bench_die("no memory for the counts of %d ranks", r.size);
    r.displs = r.counts + r.size;
    for (int i = 0; i < options.n_sizes; i++)
        measure_size(&r, options.sizes[i], &options);
    free(r.counts);
    MPI_Finalize();
    return 0;
}
