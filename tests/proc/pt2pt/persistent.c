/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests in all modes, started many times, one by one and together, freed while inactive and while active.
 */
#include "proc.h"

enum { N_ROUNDS = 50, WORDS = 10000 };

static int out[4][WORDS], in[4][WORDS];

static void make(MPI_Request r[8], int other)
{
    MPI_Send_init(out[0], WORDS, MPI_INT, other, 0, MPI_COMM_WORLD, &r[4]);
    MPI_Bsend_init(out[1], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[5]);
    MPI_Ssend_init(out[2], WORDS, MPI_INT, other, 2, MPI_COMM_WORLD, &r[6]);
    MPI_Rsend_init_c(out[3], 3, MPI_INT, other, 3, MPI_COMM_WORLD, &r[7]);
    for (int i = 0; i < 4; i++)
        MPI_Recv_init(in[i], WORDS, MPI_INT, i % 2 ? other : MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &r[i]);
}

static void round_trip(MPI_Request r[8], int other, int k)
{
    MPI_Status st[8];
    for (int i = 0; i < 4; i++)
        out[i][0] = out[i][WORDS - 1] = k + i + proc_rank;
    MPI_Startall(4, r);
    MPI_Sendrecv(NULL, 0, MPI_INT, other, 9, NULL, 0, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 4; i < 8; i++)
        MPI_Start(&r[i]);
    MPI_Waitall(8, r, st);
    for (int i = 0; i < 4; i++) {
        check_eq(in[i][0], k + i + other);
        check_eq(st[i].MPI_SOURCE, other);
        check_eq(st[i].MPI_TAG, i);
        check(r[i] != MPI_REQUEST_NULL);
    }
    check_eq(in[0][WORDS - 1], k + other);
}

int main(int argc, char **argv)
{
    static char room[4096];
    MPI_Request r[8], last;
    void *p;
    int n, flag = 0, v = -1;
    proc_begin(&argc, &argv);
    int other = proc_rank ^ 1;
    MPI_Buffer_attach(room, sizeof(room));
    make(r, other);
    MPI_Testall(8, r, &flag, MPI_STATUSES_IGNORE);
    check(flag);
    for (int k = 0; k < N_ROUNDS; k++)
        round_trip(r, other, k);
    for (int i = 0; i < 8; i++)
        MPI_Request_free(&r[i]);
    check(r[7] == MPI_REQUEST_NULL);
    MPI_Recv_init(&v, 1, MPI_INT, other, 20, MPI_COMM_WORLD, &last);
    MPI_Start(&last);
    MPI_Request_free(&last);
    /* Messages of one tag are matched in the order of their sends: when the second is here, the first is in the freed
     * request's buffer. */
    MPI_Send(&other, 1, MPI_INT, other, 20, MPI_COMM_WORLD);
    MPI_Sendrecv(&other, 1, MPI_INT, other, 20, &n, 1, MPI_INT, other, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_eq(v, proc_rank);
    MPI_Buffer_detach(&p, &n);
    check_eq(n, sizeof(room));
    return proc_end();
}
