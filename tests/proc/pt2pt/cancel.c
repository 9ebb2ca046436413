/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cancelled receives never take a message; one that is matched already completes; a cancelled send arrives.
 */
#include "proc.h"

enum { N = 20 };

static int is_cancelled(MPI_Request *r, MPI_Status *st)
{
    int flag = -1;
    MPI_Wait(r, st);
    MPI_Test_cancelled(st, &flag);
    return flag;
}

static void cancel_unmatched(int other)
{
    MPI_Request r[N];
    MPI_Status st;
    int v[N], in = -1;
    for (int i = 0; i < N; i++)
        MPI_Irecv(&v[i], 1, MPI_INT, i % 2 ? other : MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < N; i++) {
        MPI_Cancel(&r[i]);
        check(is_cancelled(&r[i], &st));
    }
    MPI_Sendrecv(&proc_rank, 1, MPI_INT, other, 1, &in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_eq(in, other);
}

static void cancel_matched(int other)
{
    MPI_Request r;
    MPI_Status st;
    int v = -1, in;
    MPI_Irecv(&v, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &r);
    MPI_Send(&proc_rank, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Sendrecv(&v, 0, MPI_INT, other, 3, &in, 0, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&r);
    check(!is_cancelled(&r, &st));
    check_eq(v, other);
    check_eq(st.MPI_SOURCE, other);
}

static void cancel_send(int other)
{
    static int out[100000], in[100000];
    MPI_Request r;
    MPI_Status st;
    out[99999] = proc_rank;
    MPI_Isend(out, 100000, MPI_INT, other, 4, MPI_COMM_WORLD, &r);
    MPI_Cancel(&r);
    MPI_Recv(in, 100000, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(!is_cancelled(&r, &st));
    check_eq(in[99999], other);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    cancel_unmatched(proc_rank ^ 1);
    cancel_matched(proc_rank ^ 1);
    cancel_send(proc_rank ^ 1);
    return proc_end();
}
