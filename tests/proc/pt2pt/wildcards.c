/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receives from any source, with any tag, mixed with specific ones: every message arrives once, those of one sender in
 * order, and a specific receive posted before a wildcard one gets its message.
 */
#include "proc.h"

enum { N = 300 };

static void collect(void)
{
    int next[64] = {0}, v[2];
    MPI_Status st;
    for (int i = 0; i < N * (proc_size - 1); i++) {
        MPI_Recv(v, 2, MPI_INT, MPI_ANY_SOURCE, i % 2 ? MPI_ANY_TAG : 5, MPI_COMM_WORLD, &st);
        check_eq(v[0], st.MPI_SOURCE);
        check_eq(v[1], next[v[0]]);
        check_eq(st.MPI_TAG, 5);
        next[v[0]]++;
    }
}

static void specific_first(void)
{
    int a = -1, b = -1, c = -1, token = 0;
    MPI_Request r[3];
    MPI_Status st[3];
    MPI_Irecv(&a, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(&c, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &r[2]);
    MPI_Send(&token, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    MPI_Waitall(3, r, st);
    check_eq(a, 100);
    check_eq(b, 101);
    check_eq(c, 102);
    check_eq(st[1].MPI_SOURCE, 1);
    check_eq(st[1].MPI_TAG, 7);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    if (proc_rank == 0) {
        collect();
        specific_first();
    } else {
        for (int i = 0; i < N; i++)
            MPI_Send((int[]){proc_rank, i}, 2, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    if (proc_rank == 1) {
        int token;
        MPI_Recv(&token, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 100; i < 103; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    return proc_end();
}
