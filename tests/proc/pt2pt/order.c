/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of one sender with one tag are received in the order of their sends, whatever their sizes, forms and modes
 * (MPI 5.0 section 3.5), also when receives ask for the tags in another order and messages wait unexpected.
 */
#include "proc.h"

enum { N = 400, N_TAGS = 4, LONGEST = 50000 };

static int length(int i)
{
    static const int lengths[] = {4, 20000, 8, 12, 30000, 4, 16384, 4, 16388, LONGEST};
    return lengths[i % 10] / 4;
}

static void send_all(int dest)
{
    static int data[N][LONGEST / 4];
    static MPI_Request r[N];
    for (int i = 0; i < N; i++) {
        data[i][0] = i;
        data[i][length(i) - 1] = i;
        if (i % 3 == 0)
            MPI_Issend(data[i], length(i), MPI_INT, dest, i % N_TAGS, MPI_COMM_WORLD, &r[i]);
        else
            MPI_Isend(data[i], length(i), MPI_INT, dest, i % N_TAGS, MPI_COMM_WORLD, &r[i]);
    }
    MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
}

static void recv_all(int source)
{
    static int v[LONGEST / 4];
    MPI_Status st;
    int n;
    for (int tag = N_TAGS - 1; tag >= 0; tag--)
        for (int i = tag; i < N; i += N_TAGS) {
            MPI_Recv(v, LONGEST / 4, MPI_INT, i % 2 ? source : MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &st);
            MPI_Get_count(&st, MPI_INT, &n);
            check_eq(n, length(i));
            check_eq(v[0], i);
            check_eq(v[length(i) - 1], i);
        }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    if (proc_rank == 0)
        send_all(1);
    else if (proc_rank == 1)
        recv_all(0);
    return proc_end();
}
