/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffers of sessions (MPI 5.0 section 3.6): whose buffer a message takes shows in who has room for it. A message of
 * BIG bytes fits into `big` and not into `small`.
 */
#include "proc.h"

enum { BIG = 4000 };

enum { ROOM = 16 * (BIG + MPI_BSEND_OVERHEAD) }; /* messages of earlier rings may still wait for their connection */
static char big[ROOM], small[100 + MPI_BSEND_OVERHEAD], other_big[ROOM];
static char data[BIG];
static int handled;

static void on_error(MPI_Session *s, int *code, ...)
{
    (void)s, (void)code;
    handled++;
}

static MPI_Comm comm_of(MPI_Session s, const char *pset, const char *tag)
{
    MPI_Group g;
    MPI_Comm c;
    MPI_Group_from_session_pset(s, pset, &g);
    MPI_Comm_create_from_group(g, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    MPI_Group_free(&g);
    return c;
}

/* To the next rank; what has left in time is received too. */
static int ring(MPI_Comm c)
{
    int rank, size;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    memset(data, rank, BIG);
    int rc = MPI_Bsend(data, BIG, MPI_CHAR, (rank + 1) % size, 5, c);
    if (rc != MPI_SUCCESS)
        return proc_class(rc);
    int from = (rank + size - 1) % size;
    MPI_Recv(data, BIG, MPI_CHAR, from, 5, c, MPI_STATUS_IGNORE);
    check_eq(data[BIG - 1], from);
    return MPI_SUCCESS;
}

static void check_derived(MPI_Comm c, int want)
{
    MPI_Comm n;
    MPI_Group g;
    check_eq(ring(c), want);
    MPI_Comm_dup(c, &n);
    check_eq(ring(n), want);
    MPI_Comm_free(&n);
    MPI_Comm_split(c, 0, -proc_rank, &n);
    check_eq(ring(n), want);
    MPI_Comm_free(&n);
    MPI_Comm_group(c, &g);
    MPI_Comm_create_group(c, g, 3, &n);
    check_eq(ring(n), want);
    MPI_Comm_free(&n);
    MPI_Group_free(&g);
}

static void detach(MPI_Session s, void *want, MPI_Count want_size)
{
    void *back = NULL;
    MPI_Count size = -1;
    check_eq(MPI_Session_detach_buffer_c(s, &back, &size), MPI_SUCCESS);
    check(back == want);
    check_eq(size, want_size);
}

static void test_order(MPI_Session s, MPI_Comm c, MPI_Comm of_other)
{
    void *back;
    int size;
    MPI_Request r;
    check_eq(ring(c), MPI_ERR_BUFFER);
    MPI_Buffer_attach(other_big, sizeof other_big);
    check_derived(c, MPI_SUCCESS);
    MPI_Session_attach_buffer(s, small, sizeof small); /* goes before the one of the process */
    check_derived(c, MPI_ERR_BUFFER);
    check_eq(ring(of_other), MPI_SUCCESS);
    MPI_Comm_attach_buffer(c, big, sizeof big); /* goes before both */
    check_eq(ring(c), MPI_SUCCESS);
    MPI_Comm_detach_buffer(c, &back, &size);
    check(back == big && size == sizeof big);
    detach(s, small, sizeof small);
    MPI_Buffer_detach(&back, &size);
    check_eq(MPI_Session_attach_buffer_c(s, big, sizeof big), MPI_SUCCESS);
    check_derived(c, MPI_SUCCESS);
    check_eq(ring(of_other), MPI_ERR_BUFFER);
    MPI_Session_flush_buffer(s);
    MPI_Session_iflush_buffer(s, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check(r == MPI_REQUEST_NULL);
    detach(s, big, sizeof big);
    MPI_Session_attach_buffer(s, MPI_BUFFER_AUTOMATIC, 0);
    check_derived(c, MPI_SUCCESS);
    check_eq(MPI_Session_detach_buffer(s, &back, &size), MPI_SUCCESS);
    check(back == MPI_BUFFER_AUTOMATIC && size == 0);
}

static void test_errors(MPI_Session s)
{
    MPI_Errhandler e;
    void *back;
    int size;
    check_eq(proc_class(MPI_Session_detach_buffer(s, &back, &size)), MPI_ERR_BUFFER);
    check_eq(proc_class(MPI_Session_attach_buffer(s, small, -1)), MPI_ERR_ARG);
    check_eq(proc_class(MPI_Session_iflush_buffer(s, NULL)), MPI_ERR_ARG);
    MPI_Session_create_errhandler(on_error, &e);
    MPI_Session_set_errhandler(s, e);
    MPI_Errhandler_free(&e);
    check(MPI_Session_detach_buffer(s, &back, &size) != MPI_SUCCESS);
    check_eq(handled, 1);
}

/* An empty group gives no communicator, one without the caller is an error. */
static void test_groups(MPI_Session s)
{
    MPI_Group world, rest;
    MPI_Comm c = MPI_COMM_WORLD;
    check_eq(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "none", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c), MPI_SUCCESS);
    check(c == MPI_COMM_NULL);
    MPI_Group_from_session_pset(s, "mpi://WORLD", &world);
    MPI_Group_excl(world, 1, &proc_rank, &rest);
    int want = rest == MPI_GROUP_EMPTY ? MPI_SUCCESS : MPI_ERR_GROUP;
    check_eq(proc_class(MPI_Comm_create_from_group(rest, "rest", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c)), want);
    if (rest != MPI_GROUP_EMPTY)
        MPI_Group_free(&rest);
    MPI_Group_free(&world);
}

/* The session ends with its buffer still attached: what is in it arrives. */
static void test_finalize(MPI_Session *s, MPI_Comm c, MPI_Comm of_other)
{
    memset(data, proc_rank, BIG);
    MPI_Session_attach_buffer(*s, big, sizeof big);
    MPI_Bsend(data, BIG, MPI_CHAR, (proc_rank + 1) % proc_size, 6, c);
    MPI_Request r;
    int from = (proc_rank + proc_size - 1) % proc_size;
    MPI_Irecv(data, BIG, MPI_CHAR, from, 6, c, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_eq(data[0], from);
    MPI_Comm_free(&c);
    check_eq(MPI_Session_finalize(s), MPI_SUCCESS);
    MPI_Barrier(of_other);
}

int main(void)
{
    MPI_Session s, other;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
    MPI_Comm c = comm_of(s, "mpi://WORLD", "c"), of_other = comm_of(other, "mpi://world", "o");
    MPI_Comm_rank(c, &proc_rank);
    MPI_Comm_size(c, &proc_size);
    MPI_Comm self = comm_of(s, "mpi://SELF", "self");
    MPI_Session_attach_buffer(s, big, sizeof big);
    check_eq(ring(self), MPI_SUCCESS);
    detach(s, big, sizeof big);
    MPI_Comm_free(&self);
    test_order(s, c, of_other);
    test_groups(s);
    test_errors(s);
    test_finalize(&s, c, of_other);
    MPI_Comm_free(&of_other);
    MPI_Session_finalize(&other);
    return proc_failures != 0;
}
