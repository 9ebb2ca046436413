/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffered sends: both ranks send before either receives, short and long; a full buffer is an error and room comes
 * back; detach waits until all has left; what is in the buffer at MPI_Finalize still arrives.
 */
#include "proc.h"

enum { N = 50, WORDS = 160000 }; /* too long to leave the buffer before they are received */

static int data[WORDS];

static void both_send_first(int other)
{
    size_t room = N * (sizeof(data) + MPI_BSEND_OVERHEAD);
    void *buffer = malloc(room), *back = NULL;
    int size = 0;
    MPI_Buffer_attach(buffer, (int)room);
    for (int i = 0; i < N; i++) {
        data[0] = data[WORDS - 1] = i;
        MPI_Bsend(data, i % 2 ? WORDS : 1, MPI_INT, other, 1, MPI_COMM_WORLD);
        data[0] = data[WORDS - 1] = -1;
    }
    for (int i = 0; i < N; i++) {
        MPI_Recv(data, WORDS, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_eq(data[i % 2 ? WORDS - 1 : 0], i);
    }
    MPI_Buffer_detach(&back, &size);
    check(back == buffer);
    check_eq(size, room);
    memset(buffer, 0xff, room);
    free(buffer);
}

/* A synchronizing message after the failed ones: the receiver takes the two that fitted. */
static void full(int other)
{
    static char room[2 * (sizeof(data) + MPI_BSEND_OVERHEAD)];
    void *back;
    int size, cls, rc = MPI_SUCCESS;
    MPI_Buffer_attach(room, sizeof(room));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++)
        check_eq(MPI_Bsend(data, WORDS, MPI_INT, other, 2, MPI_COMM_WORLD), MPI_SUCCESS);
    rc = MPI_Bsend(data, WORDS, MPI_INT, other, 2, MPI_COMM_WORLD);
    check(rc != MPI_SUCCESS);
    MPI_Error_class(rc, &cls);
    check_eq(cls, MPI_ERR_BUFFER);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Sendrecv(NULL, 0, MPI_INT, other, 3, NULL, 0, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Recv(data, WORDS, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_flush();
    MPI_Bsend(data, WORDS, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Recv(data, WORDS, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&back, &size);
}

static void left_at_finalize(int other)
{
    static int in[WORDS];
    MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
    if (proc_rank == 0) {
        data[WORDS - 1] = 4711;
        MPI_Bsend(data, WORDS, MPI_INT, other, 4, MPI_COMM_WORLD);
    } else if (proc_rank == 1) {
        MPI_Recv(in, WORDS, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_eq(in[WORDS - 1], 4711);
    }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    both_send_first(proc_rank ^ 1);
    full(proc_rank ^ 1);
    left_at_finalize(proc_rank ^ 1);
    return proc_end();
}
