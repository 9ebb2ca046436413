/* SPDX-License-Identifier: BSD-3-Clause
 *
 * inter: every collective between two groups of different size, from each rank of each group as root, blocking and
 * nonblocking. Argument: ranks of the first group.
 */
#include "proc.h"

static MPI_Comm inter;
static int me, n, m; /* rank and size of the own group, size of the other one */
static int side;     /* 0 or 1 */
static int nonblocking;

#define COUNT 13
#define ROOM  512

static int sbuf[ROOM], rbuf[ROOM], want[ROOM], counts[64], displs[64];

/* What rank `from` of side s has for rank `to` of the other side. */
static int value(int s, int from, int to, int i)
{
    return s * 100000 + from * 1000 + to * 100 + i;
}

static void fresh(void)
{
    for (int i = 0; i < ROOM; i++)
        sbuf[i] = rbuf[i] = want[i] = -1;
}

static void compare(const char *what, int root_side, int root)
{
    if (!memcmp(rbuf, want, sizeof rbuf))
        return;
    proc_failures++;
    fprintf(stderr, "rank %d of side %d: %s, root %d of side %d: wrong result\n", me, side, what, root, root_side);
}

#define RUN(Op, op, ...)                                                                                               \
    do {                                                                                                               \
        MPI_Request req = MPI_REQUEST_NULL;                                                                            \
        if (!nonblocking) {                                                                                            \
            check_eq(MPI_##Op(__VA_ARGS__, inter), MPI_SUCCESS);                                                       \
        } else {                                                                                                       \
            check_eq(MPI_I##op(__VA_ARGS__, inter, &req), MPI_SUCCESS);                                                \
            check_eq(MPI_Wait(&req, MPI_STATUS_IGNORE), MPI_SUCCESS);                                                  \
        }                                                                                                              \
    } while (0)

static int root_argument(int root_side, int root)
{
    if (side != root_side)
        return root;
    return me == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void test_rooted(int root_side, int root)
{
    int arg = root_argument(root_side, root), at_root = arg == MPI_ROOT, leaf = side != root_side;
    fresh();
    for (int i = 0; i < COUNT; i++) {
        if (at_root)
            rbuf[i] = want[i] = value(side, me, 0, i);
        if (leaf)
            want[i] = value(root_side, root, 0, i);
    }
    RUN(Bcast, bcast, rbuf, COUNT, MPI_INT, arg);
    compare("bcast", root_side, root);
    fresh();
    for (int i = 0; i < COUNT; i++) {
        sbuf[i] = leaf ? value(side, me, 0, i) : -1;
        for (int j = 0; at_root && j < m; j++)
            want[j * COUNT + i] = value(!side, j, 0, i);
    }
    RUN(Gather, gather, sbuf, COUNT, MPI_INT, rbuf, COUNT, MPI_INT, arg);
    compare("gather", root_side, root);
    fresh();
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; at_root && j < m; j++)
            sbuf[j * COUNT + i] = value(side, me, j, i);
        want[i] = leaf ? value(root_side, root, me, i) : -1;
    }
    RUN(Scatter, scatter, sbuf, COUNT, MPI_INT, rbuf, COUNT, MPI_INT, arg);
    compare("scatter", root_side, root);
    fresh();
    for (int i = 0; i < COUNT; i++) {
        sbuf[i] = leaf ? value(side, me, 0, i) : -1;
        for (int j = 0; at_root && j < m; j++)
            want[i] = (j ? want[i] : 0) + value(!side, j, 0, i);
    }
    RUN(Reduce, reduce, sbuf, rbuf, COUNT, MPI_INT, MPI_SUM, arg);
    compare("reduce", root_side, root);
}

static void test_vectors(int root_side, int root)
{
    int arg = root_argument(root_side, root), at_root = arg == MPI_ROOT, leaf = side != root_side, at = 0;
    fresh();
    for (int j = 0; j < m; j++) {
        counts[j] = j + 1;
        displs[j] = at;
        for (int i = 0; at_root && i < counts[j]; i++) {
            want[at + i] = value(!side, j, 0, i);
            sbuf[at + i] = value(side, me, j, i);
        }
        at += counts[j] + 1;
    }
    for (int i = 0; leaf && i <= me; i++)
        sbuf[i] = value(side, me, 0, i);
    RUN(Gatherv, gatherv, sbuf, me + 1, MPI_INT, rbuf, counts, displs, MPI_INT, arg);
    compare("gatherv", root_side, root);
    for (int i = 0; i < ROOM; i++)
        rbuf[i] = want[i] = -1;
    for (int i = 0; leaf && i <= me; i++)
        want[i] = value(root_side, root, me, i);
    RUN(Scatterv, scatterv, sbuf, counts, displs, MPI_INT, rbuf, me + 1, MPI_INT, arg);
    compare("scatterv", root_side, root);
}

static void test_all_to_all(void)
{
    fresh();
    for (int i = 0; i < COUNT; i++) {
        sbuf[i] = value(side, me, 0, i);
        for (int j = 0; j < m; j++)
            want[j * COUNT + i] = value(!side, j, 0, i);
    }
    RUN(Allgather, allgather, sbuf, COUNT, MPI_INT, rbuf, COUNT, MPI_INT);
    compare("allgather", 0, 0);
    fresh();
    for (int j = 0; j < m; j++) {
        counts[j] = COUNT;
        displs[j] = j * COUNT;
        for (int i = 0; i < COUNT; i++) {
            sbuf[j * COUNT + i] = value(side, me, j, i);
            want[j * COUNT + i] = value(!side, j, me, i);
        }
    }
    RUN(Alltoall, alltoall, sbuf, COUNT, MPI_INT, rbuf, COUNT, MPI_INT);
    compare("alltoall", 0, 0);
    memset(rbuf, -1, sizeof rbuf);
    RUN(Alltoallv, alltoallv, sbuf, counts, displs, MPI_INT, rbuf, counts, displs, MPI_INT);
    compare("alltoallv", 0, 0);
}

static void test_allreduce(void)
{
    fresh();
    for (int i = 0; i < COUNT; i++) {
        sbuf[i] = value(side, me, 0, i);
        for (int j = 0; j < m; j++)
            want[i] = (j ? want[i] : 0) + value(!side, j, 0, i);
    }
    RUN(Allreduce, allreduce, sbuf, rbuf, COUNT, MPI_INT, MPI_SUM);
    compare("allreduce", 0, 0);
    /* each group's vector has n m elements: m blocks of n in one group, n of m in the other */
    fresh();
    for (int i = 0; i < n * m; i++)
        sbuf[i] = value(side, me, 0, i);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            want[i] = (j ? want[i] : 0) + value(!side, j, 0, me * m + i);
    RUN(Reduce_scatter_block, reduce_scatter_block, sbuf, rbuf, m, MPI_INT, MPI_SUM);
    compare("reduce_scatter_block", 0, 0);
    for (int j = 0; j < n; j++)
        counts[j] = m;
    memset(rbuf, -1, sizeof rbuf);
    RUN(Reduce_scatter, reduce_scatter, sbuf, rbuf, counts, MPI_INT, MPI_SUM);
    compare("reduce_scatter", 0, 0);
}

int main(int argc, char **argv)
{
    MPI_Comm local;
    proc_begin(&argc, &argv);
    int first = argc > 1 ? atoi(argv[1]) : 1;
    side = proc_rank >= first;
    MPI_Comm_split(MPI_COMM_WORLD, side, proc_rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side ? 0 : first, 5, &inter);
    MPI_Comm_rank(inter, &me);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &m);
    for (nonblocking = 0; nonblocking < 2; nonblocking++) {
        check_eq(MPI_Barrier(inter), MPI_SUCCESS);
        for (int s = 0; s < 2; s++)
            for (int root = 0; root < (s == side ? n : m); root++) {
                test_rooted(s, root);
                test_vectors(s, root);
            }
        test_all_to_all();
        test_allreduce();
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
    return proc_end();
}
