/* SPDX-License-Identifier: BSD-3-Clause
 *
 * overlap: many nonblocking collectives outstanding at once, waited for in another order than they were started, mixed
 * with blocking ones and point-to-point on the same communicator; types and operations freed before the end; persistent
 * ones started in different order by different ranks; one of each kind at once, tested for in a loop, in a communicator
 * with mixed ranks that knows nothing of its hosts yet and in one that does.
 */
#include <sched.h>

#include "proc.h"

#define MANY 40
#define LEN  300

static int in[MANY][LEN], out[MANY][LEN];

static void test_many(void)
{
    MPI_Request req[MANY];
    int r = proc_rank, n = proc_size;
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < LEN; i++) {
            in[k][i] = k * 1000 + i + r;
            out[k][i] = k % 2 && k % n == r ? k - i : -1; /* odd ones are broadcasts from k % n */
        }
    for (int k = 0; k < MANY; k++) {
        if (k % 2)
            MPI_Ibcast(out[k], LEN, MPI_INT, k % n, MPI_COMM_WORLD, &req[k]);
        else
            MPI_Iallreduce(in[k], out[k], LEN, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req[k]);
    }
    int token = r, got = -1, sum = 0, one = 1;
    MPI_Sendrecv(&token, 1, MPI_INT, (r + 1) % n, 3, &got, 1, MPI_INT, (r + n - 1) % n, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check_eq(got, (r + n - 1) % n);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_eq(sum, n);
    for (int k = MANY - 1; k >= 0; k--)
        check_eq(MPI_Wait(&req[(k * 7 + r) % MANY], MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < LEN; i++) {
            int want = k % 2 ? k - i : n * (k * 1000 + i) + n * (n - 1) / 2;
            if (out[k][i] != want) {
                check_eq(out[k][i], want);
                break;
            }
        }
}

static void add(void *x, void *y, int *len, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *len; i++)
        ((int *)y)[i] += ((int *)x)[i];
}

static void test_freed_early(void)
{
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request req[2];
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    MPI_Iallreduce(in[0], out[0], LEN, type, op, MPI_COMM_WORLD, &req[0]);
    MPI_Ialltoall(in[1], 1, type, out[1], 1, type, MPI_COMM_WORLD, &req[1]);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LEN; i++)
        if (out[0][i] != proc_size * i + proc_size * (proc_size - 1) / 2) {
            check_eq(out[0][i], proc_size * i + proc_size * (proc_size - 1) / 2);
            break;
        }
}

static void test_persistent(void)
{
    MPI_Request req[2];
    int x = 0, y = 0, sum = 0, max = 0;
    MPI_Allreduce_init(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &req[0]);
    MPI_Allreduce_init(&y, &max, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &req[1]);
    for (int round = 0; round < 20; round++) {
        x = round + proc_rank;
        y = round * proc_rank;
        MPI_Start(&req[proc_rank % 2]); /* MPI 5.0 section 6.13: the order of starts is free */
        MPI_Start(&req[!(proc_rank % 2)]);
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
        check_eq(sum, proc_size * round + proc_size * (proc_size - 1) / 2);
        check_eq(max, round * (proc_size - 1));
    }
    MPI_Request_free(&req[0]);
    MPI_Request_free(&req[1]);
}

/* Starting must not wait: rank 0 starts its barrier only after a message that others send after they started theirs. */
static void test_starts_locally(void)
{
    MPI_Request req;
    int token = 0;
    MPI_Comm fresh;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    if (proc_rank == 0)
        for (int i = 1; i < proc_size; i++)
            MPI_Recv(&token, 1, MPI_INT, i, 9, fresh, MPI_STATUS_IGNORE);
    MPI_Ibarrier(fresh, &req);
    if (proc_rank > 0)
        MPI_Send(&token, 1, MPI_INT, 0, 9, fresh);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Comm_free(&fresh);
}

/* ---- one of each kind ---- */

enum { KINDS = 8, BLOCK = 37, RANKS = 16 };

static int src[RANKS * BLOCK], dst[KINDS][RANKS * BLOCK];

static int word(int from, int to, int i, int round)
{
    return from * 100000 + to * 1000 + i + round * 7;
}

/* Persistent requests for one of each, all from one source; dst[1] holds what is broadcast. */
static void prepare_all(MPI_Comm c, int n, int root, MPI_Request *req)
{
    MPI_Barrier_init(c, MPI_INFO_NULL, &req[0]);
    MPI_Bcast_init(dst[1], BLOCK, MPI_INT, root, c, MPI_INFO_NULL, &req[1]);
    MPI_Reduce_init(src, dst[2], n * BLOCK, MPI_INT, MPI_SUM, root, c, MPI_INFO_NULL, &req[2]);
    MPI_Allreduce_init(src, dst[3], n * BLOCK, MPI_INT, MPI_MAX, c, MPI_INFO_NULL, &req[3]);
    MPI_Allgather_init(src, BLOCK, MPI_INT, dst[4], BLOCK, MPI_INT, c, MPI_INFO_NULL, &req[4]);
    MPI_Gather_init(src, BLOCK, MPI_INT, dst[5], BLOCK, MPI_INT, root, c, MPI_INFO_NULL, &req[5]);
    MPI_Scatter_init(src, BLOCK, MPI_INT, dst[6], BLOCK, MPI_INT, root, c, MPI_INFO_NULL, &req[6]);
    MPI_Alltoall_init(src, BLOCK, MPI_INT, dst[7], BLOCK, MPI_INT, c, MPI_INFO_NULL, &req[7]);
}

static void start_all(MPI_Comm c, int n, int root, MPI_Request *req)
{
    MPI_Ibarrier(c, &req[0]);
    MPI_Ibcast(dst[1], BLOCK, MPI_INT, root, c, &req[1]);
    MPI_Ireduce(src, dst[2], n * BLOCK, MPI_INT, MPI_SUM, root, c, &req[2]);
    MPI_Iallreduce(src, dst[3], n * BLOCK, MPI_INT, MPI_MAX, c, &req[3]);
    MPI_Iallgather(src, BLOCK, MPI_INT, dst[4], BLOCK, MPI_INT, c, &req[4]);
    MPI_Igather(src, BLOCK, MPI_INT, dst[5], BLOCK, MPI_INT, root, c, &req[5]);
    MPI_Iscatter(src, BLOCK, MPI_INT, dst[6], BLOCK, MPI_INT, root, c, &req[6]);
    MPI_Ialltoall(src, BLOCK, MPI_INT, dst[7], BLOCK, MPI_INT, c, &req[7]);
}

static void fill_all(int me, int n, int root, int round)
{
    for (int to = 0; to < n; to++)
        for (int i = 0; i < BLOCK; i++)
            src[to * BLOCK + i] = word(me, to, i, round);
    memset(dst, 0, sizeof dst);
    for (int i = 0; me == root && i < BLOCK; i++)
        dst[1][i] = word(root, 0, i, round);
}

/* The element i of block b that kind k leaves at rank `me`. */
static int wanted(int k, int me, int n, int root, int b, int i, int round)
{
    switch (k) {
    case 1:
        return b ? 0 : word(root, 0, i, round);
    case 2:
        return me == root ? n * word(0, b, i, round) + n * (n - 1) / 2 * 100000 : 0;
    case 3:
        return word(n - 1, b, i, round);
    case 4:
        return word(b, 0, i, round);
    case 5:
        return me == root ? word(b, 0, i, round) : 0;
    case 6:
        return b ? 0 : word(root, me, i, round);
    case 7:
        return word(b, me, i, round);
    default:
        return 0;
    }
}

static void check_all(int me, int n, int root, int round)
{
    int wrong = -1;
    for (int k = 0; k < KINDS; k++)
        for (int at = 0; at < n * BLOCK; at++)
            if (dst[k][at] != wanted(k, me, n, root, at / BLOCK, at % BLOCK, round))
                wrong = k;
    check_eq(wrong, -1);
}

/* Yields, because several "hosts" may be this machine, and their ranks think that each has a processor. */
static void test_loop(MPI_Request *req)
{
    for (int done = 0; !done; sched_yield())
        check_eq(MPI_Testall(KINDS, req, &done, MPI_STATUSES_IGNORE), MPI_SUCCESS);
}

static void test_each_kind(int knows_hosts)
{
    MPI_Comm c;
    MPI_Request req[KINDS];
    int me, n;
    MPI_Comm_split(MPI_COMM_WORLD, 0, proc_rank % 2 ? proc_rank : -proc_rank, &c);
    MPI_Comm_rank(c, &me);
    MPI_Comm_size(c, &n);
    if (knows_hosts)
        MPI_Barrier(c);
    for (int round = 0; round < 40; round++) {
        fill_all(me, n, round % n, round);
        start_all(c, n, round % n, req);
        test_loop(req);
        check_all(me, n, round % n, round);
    }
    prepare_all(c, n, n - 1, req);
    for (int round = 0; round < 100; round++) {
        fill_all(me, n, n - 1, round);
        MPI_Startall(KINDS, req);
        test_loop(req);
        check_all(me, n, n - 1, round);
    }
    for (int k = 0; k < KINDS; k++)
        MPI_Request_free(&req[k]);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    test_many();
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < LEN; i++)
            in[k][i] = i + proc_rank;
    test_freed_early();
    test_persistent();
    test_starts_locally();
    test_each_kind(0);
    test_each_kind(1);
    return proc_end();
}
