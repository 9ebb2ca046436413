/* SPDX-License-Identifier: BSD-3-Clause
 *
 * empty: collectives that move nothing, as every rank knows by itself, wait for nobody: rank r + 1 makes its call after
 * rank r has returned from it. No program may rely on it; that one with something to move follows, works.
 */
#include "proc.h"

static int zeros[16], displs[16];
static char bytes[16];
static MPI_Datatype nothing;

static void call(int kind, int root)
{
    MPI_Comm c = MPI_COMM_WORLD;
    switch (kind) {
    case 0:
        MPI_Bcast(bytes, 0, MPI_INT, root, c);
        break;
    case 1:
        MPI_Gather(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, root, c);
        break;
    case 2:
        MPI_Scatter(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, root, c);
        break;
    case 3:
        MPI_Allgather(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, c);
        break;
    case 4:
        MPI_Alltoall(bytes, 7, nothing, bytes, 7, nothing, c);
        break;
    case 5:
        MPI_Reduce(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, root, c);
        break;
    case 6:
        MPI_Allreduce(MPI_IN_PLACE, bytes, 0, MPI_INT, MPI_SUM, c);
        break;
    case 7:
        MPI_Reduce_scatter_block(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c);
        break;
    case 8:
        MPI_Scan(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c);
        break;
    case 9:
        MPI_Exscan(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c);
        break;
    case 10:
        MPI_Allgatherv(bytes, 0, MPI_CHAR, bytes, zeros, displs, MPI_CHAR, c);
        break;
    default:
        MPI_Reduce_scatter(bytes, bytes + 8, zeros, MPI_INT, MPI_SUM, c);
    }
}

/* The same of nonblocking forms. */
static int start(int kind, int root, MPI_Request *r)
{
    MPI_Comm c = MPI_COMM_WORLD;
    switch (kind) {
    case 0:
        return MPI_Ibcast(bytes, 0, MPI_INT, root, c, r);
    case 1:
        return MPI_Igather(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, root, c, r);
    case 2:
        return MPI_Iscatter(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, root, c, r);
    case 3:
        return MPI_Iallgather(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, c, r);
    case 4:
        return MPI_Ialltoall(bytes, 7, nothing, bytes, 7, nothing, c, r);
    case 5:
        return MPI_Ireduce(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, root, c, r);
    case 6:
        return MPI_Iallreduce(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c, r);
    case 7:
        return MPI_Ireduce_scatter_block(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c, r);
    case 8:
        return MPI_Iscan(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c, r);
    case 9:
        return MPI_Iexscan(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c, r);
    case 10:
        return MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_CHAR, bytes, zeros, displs, MPI_CHAR, c, r);
    default:
        return MPI_Ireduce_scatter(bytes, bytes + 8, zeros, MPI_INT, MPI_SUM, c, r);
    }
}

static void check_empty(const MPI_Status *st)
{
    int n = -1;
    check_eq(st->MPI_SOURCE, MPI_ANY_SOURCE);
    check_eq(st->MPI_TAG, MPI_ANY_TAG);
    MPI_Get_count(st, MPI_BYTE, &n);
    check_eq(n, 0);
}

static void start_and_wait(int kind, int root)
{
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status st;
    check_eq(start(kind, root, &r), MPI_SUCCESS);
    check(r != MPI_REQUEST_NULL);
    MPI_Wait(&r, &st);
    check(r == MPI_REQUEST_NULL);
    check_empty(&st);
}

/* Their requests are requests like others: among others, looked at, tested, given back, as integers. */
static void requests(void)
{
    MPI_Request r[5], one;
    MPI_Status st[5];
    int flag = 0, n = 0, which[5], got = 0, mine = 7;
    for (int i = 0; i < 5; i++)
        if (i != 2)
            start(i, 0, &r[i]);
    MPI_Irecv(&got, 1, MPI_INT, proc_rank, 99, MPI_COMM_WORLD, &r[2]);
    MPI_Testany(5, r, &n, &flag, st);
    check(flag && n == 0 && r[0] == MPI_REQUEST_NULL);
    MPI_Testsome(5, r, &n, which, st);
    check(n == 3 && which[0] == 1 && which[1] == 3 && which[2] == 4 && r[2] != MPI_REQUEST_NULL);
    MPI_Send(&mine, 1, MPI_INT, proc_rank, 99, MPI_COMM_WORLD);
    start(5, 0, &r[0]);
    start(6, 0, &r[4]);
    MPI_Waitall(5, r, st);
    check(got == 7 && st[2].MPI_SOURCE == proc_rank && r[4] == MPI_REQUEST_NULL);
    check_empty(&st[0]);
    start(7, 0, &one);
    MPI_Request_get_status(one, &flag, st);
    check(flag && one != MPI_REQUEST_NULL);
    one = MPI_Request_f2c(MPI_Request_c2f(one));
    MPI_Test(&one, &flag, st);
    check(flag && one == MPI_REQUEST_NULL);
    start(8, 0, &one);
    MPI_Request_free(&one);
    check(one == MPI_REQUEST_NULL);
    start_and_wait(9, 0);
}

static int class_of(int rc)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(rc, &class);
    return class;
}

/* What is wrong with a call is told though it would move nothing. */
static void mistakes(void)
{
    MPI_Comm c = MPI_COMM_WORLD;
    MPI_Datatype unready;
    MPI_Type_contiguous(2, MPI_INT, &unready);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    check_eq(class_of(MPI_Bcast(bytes, 0, MPI_INT, proc_size, c)), MPI_ERR_ROOT);
    check_eq(class_of(MPI_Bcast(bytes, 0, unready, 0, c)), MPI_ERR_TYPE);
    check_eq(class_of(MPI_Bcast(MPI_IN_PLACE, 0, MPI_INT, 0, c)), MPI_ERR_BUFFER);
    check_eq(class_of(MPI_Bcast(bytes, 0, MPI_INT, 0, MPI_COMM_NULL)), MPI_ERR_COMM);
    check_eq(class_of(MPI_Gather(bytes, 0, MPI_INT, bytes, 0, MPI_INT, -1, c)), MPI_ERR_ROOT);
    MPI_Request r;
    check_eq(class_of(MPI_Ibcast(bytes, 0, MPI_INT, 0, c, NULL)), MPI_ERR_ARG);
    check_eq(class_of(MPI_Ibcast(bytes, 0, MPI_INT, proc_size, c, &r)), MPI_ERR_ROOT);
    start(3, 0, &r);
    check_eq(class_of(MPI_Cancel(&r)), MPI_ERR_REQUEST);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_eq(class_of(MPI_Allgather(bytes, 0, MPI_INT, bytes, 0, unready, c)), MPI_ERR_TYPE);
    check_eq(class_of(MPI_Allgather(bytes, 0, MPI_INT, bytes, -1, MPI_INT, c)), MPI_ERR_COUNT);
    check_eq(class_of(MPI_Allgatherv(bytes, 0, MPI_INT, bytes, zeros, NULL, MPI_INT, c)), MPI_ERR_ARG);
    check_eq(class_of(MPI_Gatherv(bytes, 0, MPI_INT, bytes, zeros, displs, MPI_INT, proc_size, c)), MPI_ERR_ROOT);
    check_eq(class_of(MPI_Scatterv(bytes, zeros, displs, MPI_INT, bytes, 0, unready, 0, c)), MPI_ERR_TYPE);
    check_eq(class_of(MPI_Alltoallv(bytes, zeros, NULL, MPI_INT, bytes, zeros, displs, MPI_INT, c)), MPI_ERR_ARG);
    check_eq(class_of(MPI_Reduce(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, proc_size, c)), MPI_ERR_ROOT);
    check_eq(class_of(MPI_Allreduce(bytes, bytes + 8, 0, MPI_INT, MPI_OP_NULL, c)), MPI_ERR_OP);
    check_eq(class_of(MPI_Allreduce(bytes, bytes + 8, 0, MPI_FLOAT, MPI_BAND, c)), MPI_ERR_OP);
    check_eq(class_of(MPI_Reduce_scatter(bytes, bytes + 8, NULL, MPI_INT, MPI_SUM, c)), MPI_ERR_ARG);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_ARE_FATAL);
    MPI_Type_free(&unready);
}

/* Of the v forms each rank knows its own part. Two have something for each other, the others have not and go on; what
 * comes after is for all. */
static void some_sit_out(MPI_Comm c, int giver, int taker)
{
    int counts[16] = {0}, none[16] = {0}, mine = proc_rank + 1, in = 0, n = proc_rank == giver, sum = 0;
    MPI_Request r;
    counts[giver] = 1;
    MPI_Gatherv(&mine, n, MPI_INT, &in, counts, displs, MPI_INT, taker, c);
    check_eq(in, proc_rank == taker ? giver + 1 : 0);
    MPI_Igatherv(&mine, n, MPI_INT, &sum, counts, displs, MPI_INT, taker, c, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_eq(sum, proc_rank == taker ? giver + 1 : 0);
    counts[giver] = 0;
    counts[taker] = 1;
    in = 0;
    MPI_Scatterv(&mine, counts, displs, MPI_INT, &in, proc_rank == taker, MPI_INT, giver, c);
    check_eq(in, proc_rank == taker ? giver + 1 : 0);
    in = 0;
    none[giver] = proc_rank == taker;
    MPI_Alltoallv(&mine, n ? counts : zeros, displs, MPI_INT, &in, none, displs, MPI_INT, c);
    check_eq(in, proc_rank == taker ? giver + 1 : 0);
    MPI_Iscatterv(&mine, counts, displs, MPI_INT, &in, proc_rank == taker, MPI_INT, giver, c, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Ialltoallv(&mine, zeros, displs, MPI_INT, &in, zeros, displs, MPI_INT, c, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Gatherv(&mine, 0, MPI_INT, &in, zeros, displs, MPI_INT, taker, c);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, c);
    check_eq(sum, proc_size * (proc_size + 1) / 2);
}

static void all_pairs(MPI_Comm c)
{
    for (int giver = 0; giver < proc_size; giver++)
        for (int taker = 0; taker < proc_size; taker++)
            some_sit_out(c, giver, taker);
}

/* Blocks of which one rank's has something, where all know: nobody may leave it out. */
static void some_are_not(void)
{
    int counts[16] = {0}, sum = 0, mine = proc_rank + 1, in[16] = {0};
    counts[proc_size - 1] = 1;
    MPI_Allgatherv(&mine, counts[proc_rank], MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    check_eq(in[0], proc_size);
    MPI_Reduce_scatter(&mine, &sum, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_eq(sum, proc_rank == proc_size - 1 ? proc_size * (proc_size + 1) / 2 : 0);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int kind = 0; kind < 24; kind++)
        for (int root = 0; root < proc_size; root++) {
            if (proc_rank > 0)
                MPI_Recv(NULL, 0, MPI_BYTE, proc_rank - 1, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (kind < 12)
                call(kind, root);
            else
                start_and_wait(kind - 12, root);
            if (proc_rank < proc_size - 1)
                MPI_Send(NULL, 0, MPI_BYTE, proc_rank + 1, kind, MPI_COMM_WORLD);
        }
    requests();
    some_are_not();
    MPI_Comm c;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    all_pairs(c);
    MPI_Comm_free(&c);
    mistakes();
    MPI_Type_free(&nothing);
    return proc_end();
}
