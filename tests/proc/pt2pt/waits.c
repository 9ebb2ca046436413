/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The any, some and all forms over many requests that complete in another order than they were posted.
 */
#include "proc.h"

enum { N = 64 };

static int v[N];
static MPI_Request r[N];

static void post_all(int other)
{
    for (int i = 0; i < N; i++) {
        v[i] = -1;
        MPI_Irecv(&v[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &r[i]);
    }
}

static void send_all(int other, int step)
{
    for (int i = 0; i < N; i++) {
        int k = i * step % N;
        MPI_Send(&k, 1, MPI_INT, other, k, MPI_COMM_WORLD);
    }
}

static void check_one(int i, const MPI_Status *st)
{
    check_eq(v[i], i);
    check_eq(st->MPI_TAG, i);
    check(r[i] == MPI_REQUEST_NULL);
}

static void wait_any(int test)
{
    int i = -1, flag, seen[N] = {0};
    MPI_Status st;
    for (int k = 0; k < N; k++) {
        flag = !test;
        if (!test)
            MPI_Waitany(N, r, &i, &st);
        while (!flag)
            MPI_Testany(N, r, &i, &flag, &st);
        check(i >= 0 && i < N && !seen[i]);
        seen[i] = 1;
        check_one(i, &st);
    }
    MPI_Waitany(N, r, &i, &st);
    check_eq(i, MPI_UNDEFINED);
}

static void wait_some(int test)
{
    int n, where[N], left = N;
    MPI_Status st[N];
    while (left > 0) {
        (test ? MPI_Testsome : MPI_Waitsome)(N, r, &n, where, st);
        check(test || n > 0);
        for (int k = 0; k < n; k++)
            check_one(where[k], &st[k]);
        left -= n;
    }
    check_eq(left, 0);
}

static void wait_all(int test)
{
    int flag = !test;
    MPI_Status st[N];
    if (!test)
        MPI_Waitall(N, r, st);
    while (!flag)
        MPI_Testall(N, r, &flag, st);
    for (int i = 0; i < N; i++)
        check_one(i, &st[i]);
}

int main(int argc, char **argv)
{
    void (*const forms[])(int) = {wait_any, wait_some, wait_all};
    proc_begin(&argc, &argv);
    for (int k = 0; k < 60; k++) {
        post_all(proc_rank ^ 1);
        send_all(proc_rank ^ 1, 2 * k + 1); /* odd: a permutation */
        forms[k % 3](k % 2);
    }
    return proc_end();
}
