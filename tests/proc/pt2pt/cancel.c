/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cancelled receives never take a message; one that is matched already completes. A cancelled send is received or
 * cancelled, never both and never neither.
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
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(&proc_rank, 1, MPI_INT, other, 1, &in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_eq(in, other);
}

static void cancel_matched(int other)
{
    MPI_Request r;
    MPI_Status st;
    int v = -1, in = 0;
    MPI_Irecv(&v, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &r);
    MPI_Send(&proc_rank, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
    /* Of two with one tag the second cannot be received before the first (MPI 5.0 section 3.5). */
    MPI_Sendrecv(&proc_rank, 0, MPI_INT, other, 2, &in, 0, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&r);
    check(!is_cancelled(&r, &st));
    check_eq(v, other);
    check_eq(st.MPI_SOURCE, other);
}

/* What was cancelled never arrives, what was not arrives whole; a message behind it does in any case. */
static void settle(int other, MPI_Request *r, int n, int must)
{
    static char in[1 << 20];
    int mine, theirs = -1, there = -1;
    MPI_Status st;
    MPI_Cancel(r);
    mine = is_cancelled(r, &st);
    check(!must || mine);
    MPI_Sendrecv(&mine, 1, MPI_INT, other, 5, &theirs, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Iprobe(other, 4, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    check(!theirs || !there);
    if (!theirs) {
        MPI_Recv(in, n, MPI_CHAR, other, 4, MPI_COMM_WORLD, &st);
        check(n == 0 || in[n - 1] == (char)(n + other));
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the probe must not see the next one */
}

/* Nobody receives before the cancel: it must succeed, in every mode, at every length. */
static void cancel_sends(int other)
{
    static const int lens[] = {0, 1, 100, 20000, 100000, 1 << 20};
    static char out[1 << 20], room[(1 << 20) + MPI_BSEND_OVERHEAD];
    MPI_Request r;
    for (int i = 0; i < 6 * 6; i++) {
        int n = lens[i / 6], size;
        void *at;
        if (n)
            out[n - 1] = (char)(n + proc_rank);
        MPI_Buffer_attach(room, sizeof(room));
        if (i % 6 == 0)
            MPI_Isend(out, n, MPI_CHAR, other, 4, MPI_COMM_WORLD, &r);
        else if (i % 6 == 1)
            MPI_Issend(out, n, MPI_CHAR, other, 4, MPI_COMM_WORLD, &r);
        else if (i % 6 == 2)
            MPI_Ibsend(out, n, MPI_CHAR, other, 4, MPI_COMM_WORLD, &r);
        else if (i % 6 == 3)
            MPI_Send_init(out, n, MPI_CHAR, other, 4, MPI_COMM_WORLD, &r);
        else if (i % 6 == 4)
            MPI_Bsend_init(out, n, MPI_CHAR, other, 4, MPI_COMM_WORLD, &r);
        else
            MPI_Isend(out, n, MPI_CHAR, other, 4, MPI_COMM_WORLD, &r);
        if (i % 6 == 3 || i % 6 == 4) {
            for (int k = 0; k < 3; k++) {
                MPI_Start(&r);
                settle(other, &r, n, 1);
            }
            MPI_Request_free(&r);
        } else {
            settle(other, &r, n, 1);
        }
        MPI_Buffer_detach(&at, &size);
    }
}

/* The other side receives at about the same time: either may win, never both. */
static void cancel_against_recv(int other)
{
    static char out[60000], in[60000];
    MPI_Request s, r;
    MPI_Status st;
    for (int i = 0; i < 200; i++) {
        int n = i % 3 ? 60000 : 10, mine, theirs = -1;
        out[n - 1] = (char)i;
        MPI_Isend(out, n, MPI_CHAR, other, 6, MPI_COMM_WORLD, &s);
        MPI_Irecv(in, n, MPI_CHAR, other, 6, MPI_COMM_WORLD, &r);
        if (i % 2 == proc_rank)
            MPI_Test(&r, &(int){0}, MPI_STATUS_IGNORE);
        MPI_Cancel(&s);
        mine = is_cancelled(&s, &st);
        MPI_Sendrecv(&mine, 1, MPI_INT, other, 5, &theirs, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (theirs && r != MPI_REQUEST_NULL) {
            MPI_Cancel(&r);
            check(is_cancelled(&r, &st));
        } else {
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            check(!theirs && in[n - 1] == (char)i);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* the next message must not meet this receive */
    }
}

static void cancel_to_self(void)
{
    static char out[100000], in[100000];
    MPI_Request r[2];
    MPI_Status st;
    for (int n = 1; n <= 100000; n *= 10) {
        out[0] = 1;
        MPI_Isend(out, n, MPI_CHAR, 0, 7, MPI_COMM_SELF, &r[0]);
        MPI_Isend(out, n, MPI_CHAR, 0, 7, MPI_COMM_SELF, &r[1]);
        MPI_Cancel(&r[0]);
        check(is_cancelled(&r[0], &st));
        MPI_Recv(in, n, MPI_CHAR, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Cancel(&r[1]);
        check(!is_cancelled(&r[1], &st));
    }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    cancel_unmatched(proc_rank ^ 1);
    cancel_matched(proc_rank ^ 1);
    const char *shm = getenv("HAWSER_SHM");
    if (shm && strcmp(shm, "0") == 0) { /* a send through shared memory cannot be cancelled */
        cancel_sends(proc_rank ^ 1);
        cancel_against_recv(proc_rank ^ 1);
    }
    cancel_to_self();
    return proc_end();
}
