/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vectors: gatherv, scatterv and allgatherv of blocks from 0 bytes to 300 KB, long and short ones in one call, in
 * communicators whose ranks are in the order of hosts and in another one; and lengths on which the ranks disagree:
 * those that have to take such a block say so, nobody hangs, and the communicator goes on working. Shared memory and
 * two levels only: of messages alone a shorter one passes.
 */
#define _GNU_SOURCE
#include "shared.h"

enum { RANKS = 16, LONGEST = 300000, ROOM = RANKS * (LONGEST + 16) };

static const int lengths[] = {8, 0, 4096, 300000, 65537, 1, 4097, 70000, 65536, 100};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

static MPI_Comm comm;
static int me, n, counts[RANKS], displs[RANKS], mine;
static unsigned char one[LONGEST + 16], all[ROOM];

static unsigned char value(int rank, int i)
{
    return (unsigned char)(rank * 37 + i * 11 + i / 251);
}

static void lay_out(int salt)
{
    int at = 0;
    for (int r = n - 1; r >= 0; r--) {
        counts[r] = lengths[(r + salt) % N_LENGTHS];
        displs[r] = at;
        at += counts[r] + 3;
    }
    mine = counts[me];
}

static void fill(unsigned char *buf, int rank, int len)
{
    for (int i = 0; i < len; i++)
        buf[i] = value(rank, i);
}

static void expect(const char *what, const unsigned char *buf, int rank, int len)
{
    for (int i = 0; i < len; i++) {
        if (buf[i] == value(rank, i))
            continue;
        proc_failures++;
        fprintf(stderr, "rank %d of %d: %s: byte %d of %d of rank %d is %d\n", me, n, what, i, len, rank, buf[i]);
        return;
    }
}

static void expect_all(const char *what)
{
    for (int r = 0; r < n; r++) {
        expect(what, all + displs[r], r, counts[r]);
        for (int i = 0; i < 3; i++)
            check_eq(all[displs[r] + counts[r] + i], 0xee); /* the hole behind it */
    }
}

static void test_gatherv(int root, int in_place)
{
    int stays = in_place && me == root;
    memset(all, 0xee, sizeof all);
    fill(stays ? all + displs[me] : one, me, mine);
    check_eq(MPI_Gatherv(stays ? MPI_IN_PLACE : one, mine, MPI_BYTE, all, counts, displs, MPI_BYTE, root, comm),
             MPI_SUCCESS);
    if (me == root)
        expect_all("gatherv");
}

static void test_allgatherv(int in_place)
{
    memset(all, 0xee, sizeof all);
    fill(in_place ? all + displs[me] : one, me, mine);
    check_eq(MPI_Allgatherv(in_place ? MPI_IN_PLACE : one, mine, MPI_BYTE, all, counts, displs, MPI_BYTE, comm),
             MPI_SUCCESS);
    expect_all("allgatherv");
}

static void test_scatterv(int root, int in_place)
{
    int stays = in_place && me == root;
    memset(one, 0xee, sizeof one);
    for (int r = 0; me == root && r < n; r++)
        fill(all + displs[r], r, counts[r]);
    check_eq(MPI_Scatterv(all, counts, displs, MPI_BYTE, stays ? MPI_IN_PLACE : one, mine, MPI_BYTE, root, comm),
             MPI_SUCCESS);
    if (!stays)
        expect("scatterv", one, me, mine);
    check_eq(one[stays ? 0 : mine], 0xee);
}

/* Only the forms in shared memory compare lengths: a message may be shorter than the room for it, and none may come at
 * all. */
static int finds_disagreement;

/* Rank `who` means another length than the others do. */
static void test_disagreement(int root, int who, int here, int there)
{
    for (int r = 0; r < n; r++)
        counts[r] = there;
    for (int r = 0; r < n; r++)
        displs[r] = r * there;
    mine = me == who ? here : there;
    int cls = proc_class(MPI_Gatherv(one, mine, MPI_BYTE, all, counts, displs, MPI_BYTE, root, comm));
    check_eq(cls, me == root ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    MPI_Barrier(comm);
    cls = proc_class(MPI_Scatterv(all, counts, displs, MPI_BYTE, one, mine, MPI_BYTE, root, comm));
    int next = proc_class(MPI_Barrier(comm));
    if (mine == 0 && cls == MPI_SUCCESS)
        cls = next;  /* who has no part may be told later: sit_out.c */
    if (root == who) /* the others do as well, if its failure has spread */
        check(me != who || cls == MPI_ERR_TRUNCATE);
    else
        check_eq(cls, me == who ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    cls = proc_class(MPI_Allgatherv(one, mine, MPI_BYTE, all, counts, displs, MPI_BYTE, comm));
    check_eq(cls, MPI_ERR_TRUNCATE);
    MPI_Barrier(comm);
}

static void use(MPI_Comm c)
{
    static const int pairs[][2] = {{8, 9},          {9, 8},          {8, 70000}, {70000, 8},
                                   {200000, 70000}, {70000, 200000}, {0, 8},     {100000, 1}};
    comm = c;
    MPI_Comm_rank(c, &me);
    MPI_Comm_size(c, &n);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    for (int salt = 0; salt < N_LENGTHS; salt++) {
        lay_out(salt);
        for (int root = salt % 2; root < n; root += 2) {
            test_gatherv(root, salt % 3 == 0);
            test_scatterv(root, salt % 3 == 1);
        }
        test_allgatherv(salt % 2);
    }
    for (int i = 0; n > 1 && finds_disagreement && i < (int)(sizeof pairs / sizeof pairs[0]); i++)
        test_disagreement(i % n, (i * 3 + 1) % n, pairs[i][0], pairs[i][1]);
    lay_out(3);
    test_gatherv(0, 0);
    test_allgatherv(0);
}

int main(int argc, char **argv)
{
    MPI_Comm c;
    proc_begin(&argc, &argv);
    finds_disagreement = proc_shares_memory();
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    use(c);
    MPI_Comm_free(&c);
    MPI_Comm_split(MPI_COMM_WORLD, 0, proc_rank * 7 % 5, &c); /* hosts mixed */
    use(c);
    MPI_Comm_free(&c);
    return proc_end();
}
