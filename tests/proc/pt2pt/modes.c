/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every mode, blocking and nonblocking, int and large counts, to another rank and to oneself, around all the sizes
 * where the protocol changes.
 */
#include "proc.h"

static const int sizes[] = {0, 1, 7, 8, 64, 1000, 4096, 16383, 16384, 16385, 65536, 100001, 1 << 20, 3000000};

enum { N_SIZES = sizeof(sizes) / sizeof(sizes[0]), MOST = 3000000, N_FORMS = 16 };

static unsigned char out[MOST], in[MOST];

static void fill(unsigned char *p, int n, int seed)
{
    for (int i = 0; i < n; i++)
        p[i] = (unsigned char)(i * 31 + (i >> 8) + seed);
}

static void send_form(int form, int n, int dest, int tag)
{
    typedef int blocking(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    typedef int blocking_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
    typedef int started(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    typedef int started_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    static blocking *const b[] = {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend};
    static blocking_c *const bc[] = {MPI_Send_c, MPI_Bsend_c, MPI_Ssend_c, MPI_Rsend_c};
    static started *const s[] = {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend};
    static started_c *const sc[] = {MPI_Isend_c, MPI_Ibsend_c, MPI_Issend_c, MPI_Irsend_c};
    MPI_Request r = MPI_REQUEST_NULL;
    switch (form / 4) {
    case 0:
        b[form % 4](out, n, MPI_BYTE, dest, tag, MPI_COMM_WORLD);
        break;
    case 1:
        bc[form % 4](out, n, MPI_BYTE, dest, tag, MPI_COMM_WORLD);
        break;
    case 2:
        s[form % 4](out, n, MPI_BYTE, dest, tag, MPI_COMM_WORLD, &r);
        break;
    default:
        sc[form % 4](out, n, MPI_BYTE, dest, tag, MPI_COMM_WORLD, &r);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void check_message(int n, int seed, const MPI_Status *st, int source, int tag)
{
    static unsigned char want[MOST];
    int got = -1;
    MPI_Get_count(st, MPI_BYTE, &got);
    check_eq(got, n);
    check_eq(st->MPI_SOURCE, source);
    check_eq(st->MPI_TAG, tag);
    fill(want, n, seed);
    check(memcmp(in, want, (size_t)n) == 0);
    check(n == MOST || in[n] == 0xee);
}

/* The receive is posted before the send starts (ready mode needs that), the send of the partner is told by a token. */
static void exchange(int partner, int form, int n)
{
    MPI_Request r;
    MPI_Status st;
    int seed = form * 100 + n, tag = form;
    memset(in, 0xee, sizeof(in));
    fill(out, n, seed);
    MPI_Irecv(in, MOST, MPI_BYTE, partner, tag, MPI_COMM_WORLD, &r);
    if (partner != proc_rank)
        MPI_Sendrecv(NULL, 0, MPI_BYTE, partner, 99, NULL, 0, MPI_BYTE, partner, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    send_form(form, n, partner, tag);
    MPI_Wait(&r, &st);
    check_message(n, seed, &st, partner, tag);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    int room = MOST + 2 * MPI_BSEND_OVERHEAD, size = 0;
    void *buffer = malloc((size_t)room), *back = NULL;
    MPI_Buffer_attach(buffer, room);
    for (int self = 0; self < 2; self++)
        for (int i = 0; i < N_SIZES; i++)
            for (int form = 0; form < N_FORMS; form++) {
                exchange(self ? proc_rank : proc_rank ^ 1, form, sizes[i]);
                if (form % 4 == 1)
                    MPI_Buffer_flush();
            }
    MPI_Buffer_detach(&back, &size);
    check(back == buffer);
    check_eq(size, room);
    free(buffer);
    return proc_end();
}
