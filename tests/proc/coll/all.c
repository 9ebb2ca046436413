/* SPDX-License-Identifier: BSD-3-Clause
 *
 * all: every collective on MPI_COMM_WORLD and on a communicator with its ranks mixed, in one form: argument "blocking",
 * "nonblocking" or "persistent" (started three times). Counts from 0 on, int and large-count functions in turn,
 * MPI_IN_PLACE, contiguous and strided types, an operation that does not commute.
 */
#include "proc.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT };

static enum form form;
static MPI_Comm comm;
static int me, n; /* in comm */
static int count, in_place, wide;
static MPI_Datatype type; /* of one element: two ints, the second 12 bytes after the first when strided */
static int stride;        /* ints per element */
static MPI_Op op;         /* composition of maps */
static int *sbuf, *rbuf, *want;
static int counts[64], displs[64];
static MPI_Count counts_c[64];
static MPI_Aint displs_c[64];

#define PRIME        32003
#define ROOM(blocks) ((size_t)(blocks) * (size_t)(count + 3) * 5 + 16)

static int value_a(int from, int to, int i)
{
    return (from * 131 + to * 17 + i * 7) % 30011 + 1;
}

static int value_b(int from, int to, int i)
{
    return (from * 3 + to * 5 + i) % 29989;
}

static void put(int *buf, int at, int a, int b)
{
    buf[at * stride] = a;
    buf[at * stride + (stride > 2 ? 3 : 1)] = b;
}

static void put_value(int *buf, int at, int from, int to, int i)
{
    put(buf, at, value_a(from, to, i), value_b(from, to, i));
}

static void compose(void *in, void *inout, int *len, MPI_Datatype *t)
{
    int *x = in, *y = inout, second = stride > 2 ? 3 : 1;
    (void)t;
    for (int i = 0; i < *len; i++, x += stride, y += stride) {
        int a = (int)((long long)x[0] * y[0] % PRIME), b = (int)(((long long)x[0] * y[second] + x[second]) % PRIME);
        y[0] = a;
        y[second] = b;
    }
}

/* The composition of ranks 0..to-1's element i. */
static void put_reduced(int *buf, int at, int to, int i)
{
    int a = value_a(0, 0, i), b = value_b(0, 0, i);
    for (int r = 1; r < to; r++) {
        b = (int)(((long long)a * value_b(r, 0, i) + b) % PRIME);
        a = (int)((long long)a * value_a(r, 0, i) % PRIME);
    }
    put(buf, at, a, b);
}

static void fresh(int blocks)
{
    free(sbuf);
    free(rbuf);
    free(want);
    sbuf = malloc(ROOM(blocks) * sizeof(int));
    rbuf = malloc(ROOM(blocks) * sizeof(int));
    want = malloc(ROOM(blocks) * sizeof(int));
    for (size_t i = 0; i < ROOM(blocks); i++)
        sbuf[i] = rbuf[i] = want[i] = -7;
}

static void compare(const char *what, int blocks, int root)
{
    if (memcmp(rbuf, want, ROOM(blocks) * sizeof(int)) == 0)
        return;
    proc_failures++;
    fprintf(stderr, "rank %d of %d: %s count=%d root=%d in_place=%d wide=%d stride=%d: wrong result\n", me, n, what,
            count, root, in_place, wide, stride);
}

/* Runs one operation in the chosen form; `again` restores the receive buffer for the next start. */
#define RUN(Op, op_c, ...)                                                                                             \
    do {                                                                                                               \
        MPI_Request req = MPI_REQUEST_NULL;                                                                            \
        if (form == BLOCKING) {                                                                                        \
            check_eq(MPI_##Op(__VA_ARGS__), MPI_SUCCESS);                                                              \
        } else if (form == NONBLOCKING) {                                                                              \
            check_eq(MPI_I##op_c(__VA_ARGS__, &req), MPI_SUCCESS);                                                     \
            check_eq(MPI_Wait(&req, MPI_STATUS_IGNORE), MPI_SUCCESS);                                                  \
            check(req == MPI_REQUEST_NULL);                                                                            \
        } else {                                                                                                       \
            size_t bytes = room * sizeof(int);                                                                         \
            int *before = memcpy(malloc(bytes), rbuf, bytes);                                                          \
            check_eq(MPI_##Op##_init(__VA_ARGS__, MPI_INFO_NULL, &req), MPI_SUCCESS);                                  \
            for (int start = 0; start < 3; start++) {                                                                  \
                memcpy(rbuf, before, bytes);                                                                           \
                check_eq(MPI_Start(&req), MPI_SUCCESS);                                                                \
                check_eq(MPI_Wait(&req, MPI_STATUS_IGNORE), MPI_SUCCESS);                                              \
            }                                                                                                          \
            free(before);                                                                                              \
            check_eq(MPI_Request_free(&req), MPI_SUCCESS);                                                             \
        }                                                                                                              \
    } while (0)

/* The large-count functions are named MPI_Ibcast_c and MPI_Bcast_init_c. */
#define MPI_Bcast_c_init                MPI_Bcast_init_c
#define MPI_Gather_c_init               MPI_Gather_init_c
#define MPI_Gatherv_c_init              MPI_Gatherv_init_c
#define MPI_Scatter_c_init              MPI_Scatter_init_c
#define MPI_Scatterv_c_init             MPI_Scatterv_init_c
#define MPI_Allgather_c_init            MPI_Allgather_init_c
#define MPI_Allgatherv_c_init           MPI_Allgatherv_init_c
#define MPI_Alltoall_c_init             MPI_Alltoall_init_c
#define MPI_Alltoallv_c_init            MPI_Alltoallv_init_c
#define MPI_Alltoallw_c_init            MPI_Alltoallw_init_c
#define MPI_Reduce_c_init               MPI_Reduce_init_c
#define MPI_Allreduce_c_init            MPI_Allreduce_init_c
#define MPI_Reduce_scatter_c_init       MPI_Reduce_scatter_init_c
#define MPI_Reduce_scatter_block_c_init MPI_Reduce_scatter_block_init_c
#define MPI_Scan_c_init                 MPI_Scan_init_c
#define MPI_Exscan_c_init               MPI_Exscan_init_c

#define EITHER(Op, op_l, ...)                                                                                          \
    do {                                                                                                               \
        if (wide)                                                                                                      \
            RUN(Op##_c, op_l##_c, __VA_ARGS__);                                                                        \
        else                                                                                                           \
            RUN(Op, op_l, __VA_ARGS__);                                                                                \
    } while (0)

static void test_barrier(void)
{
    size_t room = 0;
    fresh(1);
    RUN(Barrier, barrier, comm);
}

static void test_bcast(int root)
{
    size_t room = ROOM(1);
    fresh(1);
    for (int i = 0; i < count; i++) {
        put_value(want, i, root, 0, i);
        if (me == root)
            put_value(rbuf, i, root, 0, i);
    }
    EITHER(Bcast, bcast, rbuf, count, type, root, comm);
    compare("bcast", 1, root);
}

static int block_n(int i, int v)
{
    return v ? (count + i) % (count + 3) : count;
}

static int block_at(int i, int v)
{
    int at = 0;
    for (int j = 0; j < i; j++)
        at += block_n(j, v) + v; /* v forms: a hole after each block */
    return at;
}

static void vectors(int v)
{
    for (int i = 0; i < n; i++) {
        counts_c[i] = counts[i] = block_n(i, v);
        displs_c[i] = displs[i] = block_at(i, v);
    }
}

static void fill_gather(int root, int v)
{
    fresh(n);
    vectors(v);
    for (int i = 0; i < block_n(me, v); i++) {
        put_value(sbuf, i, me, 0, i);
        if (in_place && (root < 0 || me == root))
            put_value(rbuf, block_at(me, v) + i, me, 0, i);
    }
    for (int j = 0; (root < 0 || me == root) && j < n; j++)
        for (int i = 0; i < block_n(j, v); i++)
            put_value(want, block_at(j, v) + i, j, 0, i);
}

static void test_gather(int root)
{
    size_t room = ROOM(n);
    fill_gather(root, 0);
    const void *from = in_place && me == root ? MPI_IN_PLACE : sbuf;
    EITHER(Gather, gather, from, count, type, rbuf, count, type, root, comm);
    compare("gather", n, root);
    fill_gather(root, 1);
    from = in_place && me == root ? MPI_IN_PLACE : sbuf;
    if (wide)
        RUN(Gatherv_c, gatherv_c, from, block_n(me, 1), type, rbuf, counts_c, displs_c, type, root, comm);
    else
        RUN(Gatherv, gatherv, from, block_n(me, 1), type, rbuf, counts, displs, type, root, comm);
    compare("gatherv", n, root);
}

static void test_allgather(void)
{
    size_t room = ROOM(n);
    fill_gather(-1, 0);
    const void *from = in_place ? MPI_IN_PLACE : sbuf;
    EITHER(Allgather, allgather, from, count, type, rbuf, count, type, comm);
    compare("allgather", n, 0);
    fill_gather(-1, 1);
    from = in_place ? MPI_IN_PLACE : sbuf;
    if (wide)
        RUN(Allgatherv_c, allgatherv_c, from, block_n(me, 1), type, rbuf, counts_c, displs_c, type, comm);
    else
        RUN(Allgatherv, allgatherv, from, block_n(me, 1), type, rbuf, counts, displs, type, comm);
    compare("allgatherv", n, 0);
}

static void fill_scatter(int root, int v)
{
    fresh(n);
    vectors(v);
    for (int j = 0; me == root && j < n; j++)
        for (int i = 0; i < block_n(j, v); i++)
            put_value(sbuf, block_at(j, v) + i, root, j, i);
    for (int i = 0; !(in_place && me == root) && i < block_n(me, v); i++)
        put_value(want, i, root, me, i);
}

static void test_scatter(int root)
{
    size_t room = ROOM(n);
    fill_scatter(root, 0);
    void *to = in_place && me == root ? MPI_IN_PLACE : rbuf;
    EITHER(Scatter, scatter, sbuf, count, type, to, count, type, root, comm);
    compare("scatter", n, root);
    fill_scatter(root, 1);
    to = in_place && me == root ? MPI_IN_PLACE : rbuf;
    if (wide)
        RUN(Scatterv_c, scatterv_c, sbuf, counts_c, displs_c, type, to, block_n(me, 1), type, root, comm);
    else
        RUN(Scatterv, scatterv, sbuf, counts, displs, type, to, block_n(me, 1), type, root, comm);
    compare("scatterv", n, root);
}

/* Block sizes of the v and w forms depend on both ranks, in the same way seen from both. */
static int pair_n(int j, int v)
{
    return v ? (count + me + j) % (count + 3) : count;
}

static void fill_alltoall(int v)
{
    int at = 0;
    fresh(n);
    for (int j = 0; j < n; j++) {
        counts_c[j] = counts[j] = pair_n(j, v);
        displs_c[j] = displs[j] = at;
        for (int i = 0; i < pair_n(j, v); i++) {
            put_value(sbuf, at + i, me, j, i);
            if (in_place)
                put_value(rbuf, at + i, me, j, i);
            put_value(want, at + i, j, me, i);
        }
        at += pair_n(j, v) + v;
    }
}

static void test_alltoall(void)
{
    size_t room = ROOM(n);
    MPI_Datatype types[64];
    fill_alltoall(0);
    EITHER(Alltoall, alltoall, in_place ? MPI_IN_PLACE : sbuf, count, type, rbuf, count, type, comm);
    compare("alltoall", n, 0);
    fill_alltoall(1);
    const void *from = in_place ? MPI_IN_PLACE : sbuf;
    if (wide)
        RUN(Alltoallv_c, alltoallv_c, from, counts_c, displs_c, type, rbuf, counts_c, displs_c, type, comm);
    else
        RUN(Alltoallv, alltoallv, from, counts, displs, type, rbuf, counts, displs, type, comm);
    compare("alltoallv", n, 0);
    fill_alltoall(1);
    from = in_place ? MPI_IN_PLACE : sbuf;
    for (int j = 0; j < n; j++) {
        types[j] = type;
        displs_c[j] = displs[j] *= stride * (int)sizeof(int);
    }
    if (wide)
        RUN(Alltoallw_c, alltoallw_c, from, counts_c, displs_c, types, rbuf, counts_c, displs_c, types, comm);
    else
        RUN(Alltoallw, alltoallw, from, counts, displs, types, rbuf, counts, displs, types, comm);
    compare("alltoallw", n, 0);
}

static void fill_reduce(int elements, int gets)
{
    fresh(n);
    for (int i = 0; i < elements; i++) {
        put_value(sbuf, i, me, 0, i);
        if (in_place && gets)
            put_value(rbuf, i, me, 0, i), put_value(want, i, me, 0, i);
    }
}

static void test_reduce(int root)
{
    size_t room = ROOM(n);
    fill_reduce(count, me == root);
    for (int i = 0; me == root && i < count; i++)
        put_reduced(want, i, n, i);
    EITHER(Reduce, reduce, in_place && me == root ? MPI_IN_PLACE : sbuf, rbuf, count, type, op, root, comm);
    compare("reduce", n, root);
}

static void test_allreduce(void)
{
    size_t room = ROOM(n);
    fill_reduce(count, 1);
    for (int i = 0; i < count; i++)
        put_reduced(want, i, n, i);
    EITHER(Allreduce, allreduce, in_place ? MPI_IN_PLACE : sbuf, rbuf, count, type, op, comm);
    compare("allreduce", n, 0);
}

static void test_scan(void)
{
    size_t room = ROOM(n);
    fill_reduce(count, 1);
    for (int i = 0; i < count; i++)
        put_reduced(want, i, me + 1, i);
    EITHER(Scan, scan, in_place ? MPI_IN_PLACE : sbuf, rbuf, count, type, op, comm);
    compare("scan", n, 0);
    fill_reduce(count, 1);
    for (int i = 0; me > 0 && i < count; i++)
        put_reduced(want, i, me, i);
    EITHER(Exscan, exscan, in_place ? MPI_IN_PLACE : sbuf, rbuf, count, type, op, comm);
    compare("exscan", n, 0);
}

static void test_reduce_scatter(void)
{
    size_t room = ROOM(n);
    fill_reduce(count * n, 1);
    for (int i = 0; i < count; i++)
        put_reduced(want, i, n, me * count + i);
    EITHER(Reduce_scatter_block, reduce_scatter_block, in_place ? MPI_IN_PLACE : sbuf, rbuf, count, type, op, comm);
    compare("reduce_scatter_block", n, 0);
    int total = 0, mine = 0;
    for (int j = 0; j < n; j++) {
        mine = j == me ? total : mine;
        counts_c[j] = counts[j] = block_n(j, 1);
        total += counts[j];
    }
    fill_reduce(total, 1);
    for (int i = 0; i < counts[me]; i++)
        put_reduced(want, i, n, mine + i);
    const void *from = in_place ? MPI_IN_PLACE : sbuf;
    if (wide)
        RUN(Reduce_scatter_c, reduce_scatter_c, from, rbuf, counts_c, type, op, comm);
    else
        RUN(Reduce_scatter, reduce_scatter, from, rbuf, counts, type, op, comm);
    compare("reduce_scatter", n, 0);
}

static void test_all(void)
{
    test_barrier();
    for (int root = 0; root<n; root += count> 100 ? n : 1) {
        test_bcast(root);
        test_gather(root);
        test_scatter(root);
        test_reduce(root);
    }
    test_allgather();
    test_alltoall();
    test_allreduce();
    test_reduce_scatter();
    test_scan();
}

static MPI_Datatype make_type(int strided)
{
    MPI_Datatype pair, t;
    int lengths[2] = {1, 1}, at[2] = {0, strided ? 3 : 1};
    MPI_Type_indexed(2, lengths, at, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, (strided ? 5 : 2) * (int)sizeof(int), &t);
    MPI_Type_commit(&t);
    MPI_Type_free(&pair);
    return t;
}

static void test_comm(MPI_Comm c)
{
    static const int sizes[] = {0, 1, 3, 50, 5000};
    comm = c;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    for (int strided = 0; strided < 2; strided++) {
        stride = strided ? 5 : 2;
        type = make_type(strided);
        for (int commute = 0; commute < 2; commute++) {
            /* "commutes" is a lie about compose; told only where the operands do not show it: on one rank */
            MPI_Op_create(compose, commute && n == 1, &op);
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                count = sizes[s];
                in_place = commute;
                wide = (int)(s + (size_t)strided) % 2;
                test_all();
            }
            MPI_Op_free(&op);
        }
        MPI_Type_free(&type);
    }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    form = argc < 2 || !strcmp(argv[1], "blocking") ? BLOCKING
           : !strcmp(argv[1], "nonblocking")        ? NONBLOCKING
                                                    : PERSISTENT;
    test_comm(MPI_COMM_WORLD);
    MPI_Comm mixed; /* odd ranks before even ones, both downwards: hosts have no runs of ranks */
    MPI_Comm_split(MPI_COMM_WORLD, 0, (proc_rank % 2 ? 0 : proc_size) - proc_rank, &mixed);
    test_comm(mixed);
    MPI_Comm_free(&mixed);
    return proc_end();
}
