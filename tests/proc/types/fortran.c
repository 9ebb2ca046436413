/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles and statuses go to Fortran and back (mpi_fortran.h): predefined, null and made ones of every kind.
 * fortran_wide.c is the same for a Fortran with INTEGER of 8 bytes.
 */
#include "proc.h"

/* What the standard's ABI gives a predefined handle is what Fortran's constant of that name is. */
#define CHECK_NULL(KIND, HANDLE)                                                                                       \
    check(MPI_##KIND##_c2f(HANDLE) == (MPI_Fint)(intptr_t)(HANDLE) &&                                                  \
          MPI_##KIND##_f2c((MPI_Fint)(intptr_t)(HANDLE)) == (HANDLE))
#define CHECK_MADE(KIND, HANDLE)                                                                                       \
    check(MPI_##KIND##_f2c(MPI_##KIND##_c2f(HANDLE)) == (HANDLE) &&                                                    \
          PMPI_##KIND##_f2c(PMPI_##KIND##_c2f(HANDLE)) == (HANDLE))

static void test_predefined(void)
{
    CHECK_NULL(Comm, MPI_COMM_WORLD);
    CHECK_NULL(Comm, MPI_COMM_SELF);
    CHECK_NULL(Comm, MPI_COMM_NULL);
    CHECK_NULL(Errhandler, MPI_ERRORS_RETURN);
    CHECK_NULL(Errhandler, MPI_ERRHANDLER_NULL);
    CHECK_NULL(File, MPI_FILE_NULL);
    CHECK_NULL(Group, MPI_GROUP_EMPTY);
    CHECK_NULL(Info, MPI_INFO_ENV);
    CHECK_NULL(Info, MPI_INFO_NULL);
    CHECK_NULL(Message, MPI_MESSAGE_NO_PROC);
    CHECK_NULL(Op, MPI_SUM);
    CHECK_NULL(Request, MPI_REQUEST_NULL);
    CHECK_NULL(Session, MPI_SESSION_NULL);
    CHECK_NULL(Type, MPI_DOUBLE);
    CHECK_NULL(Type, MPI_DATATYPE_NULL);
    CHECK_NULL(Win, MPI_WIN_NULL);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void on_error(MPI_Comm *c, int *code, ...)
{
    (void)c, (void)code;
}

static void test_made(void)
{
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler handler;
    int in = 1, out = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Op_create(add, 1, &op);
    MPI_Info_create(&info);
    MPI_Comm_create_errhandler(on_error, &handler);
    CHECK_MADE(Comm, comm);
    CHECK_MADE(Group, group);
    CHECK_MADE(Type, type);
    CHECK_MADE(Op, op);
    CHECK_MADE(Info, info);
    CHECK_MADE(Errhandler, handler);
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_Op_f2c(MPI_Op_c2f(op)), MPI_Comm_f2c(MPI_Comm_c2f(comm)));
    check(out == proc_size);
    MPI_Errhandler_free(&handler);
    MPI_Info_free(&info);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
}

static void test_requests(void)
{
    int x = proc_rank, y = -1;
    MPI_Request r;
    MPI_Message m;
    MPI_Irecv(&y, 1, MPI_INT, proc_rank, 3, MPI_COMM_WORLD, &r);
    CHECK_MADE(Request, r);
    MPI_Request back = MPI_Request_f2c(MPI_Request_c2f(r));
    MPI_Send(&x, 1, MPI_INT, proc_rank, 3, MPI_COMM_WORLD);
    MPI_Wait(&back, MPI_STATUS_IGNORE);
    check(y == proc_rank && back == MPI_REQUEST_NULL);
    MPI_Isend(&x, 1, MPI_INT, proc_rank, 4, MPI_COMM_WORLD, &r);
    MPI_Mprobe(proc_rank, 4, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
    CHECK_MADE(Message, m);
    MPI_Message found = MPI_Message_f2c(MPI_Message_c2f(m));
    MPI_Mrecv(&y, 1, MPI_INT, &found, MPI_STATUS_IGNORE);
    check(found == MPI_MESSAGE_NULL);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* A status keeps what only its library reads in it: the count. */
static void test_statuses(void)
{
    MPI_Status s, back;
    MPI_F08_status f08, f08_back;
    MPI_Fint f[MPI_F_STATUS_SIZE], f_back[MPI_F_STATUS_SIZE];
    char text[10] = "";
    int n = -1;
    MPI_Sendrecv("seven", 5, MPI_CHAR, proc_rank, 7, text, 10, MPI_CHAR, proc_rank, 7, MPI_COMM_WORLD, &s);
    s.MPI_ERROR = MPI_ERR_TAG;
    check(MPI_Status_c2f(&s, f) == MPI_SUCCESS);
    check(f[MPI_F_SOURCE] == proc_rank && f[MPI_F_TAG] == 7 && f[MPI_F_ERROR] == MPI_ERR_TAG);
    check(MPI_Status_f2f08(f, &f08) == MPI_SUCCESS && f08.MPI_TAG == 7 && f08.MPI_SOURCE == proc_rank);
    check(MPI_Status_f082f(&f08, f_back) == MPI_SUCCESS && memcmp(f, f_back, sizeof f) == 0);
    check(MPI_Status_c2f08(&s, &f08_back) == MPI_SUCCESS && memcmp(&f08, &f08_back, sizeof f08) == 0);
    memset(&back, 0, sizeof back);
    check(MPI_Status_f082c(&f08, &back) == MPI_SUCCESS && memcmp(&s, &back, sizeof s) == 0);
    memset(&back, 0, sizeof back);
    check(PMPI_Status_f2c(f, &back) == MPI_SUCCESS && memcmp(&s, &back, sizeof s) == 0);
    MPI_Get_count(&back, MPI_CHAR, &n);
    check(n == 5);
    check(MPI_Status_c2f(MPI_STATUS_IGNORE, f) == MPI_ERR_ARG &&
          MPI_Status_f2c(MPI_F_STATUS_IGNORE, &back) == MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    test_predefined();
    test_made();
    test_requests();
    test_statuses();
    return proc_end();
}
