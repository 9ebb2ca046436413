/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ranks flood each other with messages that nobody receives yet; then all are received, whole and in order.
 */
#include "proc.h"

enum { N = 10000, WORDS = 256 };

static void fill(int *v, int i)
{
    for (int k = 0; k < WORDS; k++)
        v[k] = i + k;
}

int main(int argc, char **argv)
{
    static int data[N][WORDS], want[WORDS], v[WORDS];
    static MPI_Request r[N];
    int other, last;
    proc_begin(&argc, &argv);
    other = proc_rank ^ 1;
    for (int i = 0; i < N; i++) {
        fill(data[i], i);
        MPI_Isend(data[i], WORDS, MPI_INT, other, i % 7, MPI_COMM_WORLD, &r[i]);
    }
    /* The last message of the other side is taken first: all before it lie unexpected. */
    MPI_Sendrecv(&other, 1, MPI_INT, other, 1000, &last, 1, MPI_INT, other, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) {
        MPI_Recv(v, WORDS, MPI_INT, other, i % 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fill(want, i);
        check(memcmp(v, want, sizeof(v)) == 0);
    }
    MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
    return proc_end();
}
