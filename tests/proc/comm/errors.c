/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error handlers of users on communicators, codes and texts of communicator calls word for word; with the argument
 * "initial": errors outside of MPI_Init and MPI_Finalize under an initial handler that returns.
 */
#include "expect.h"

static int calls, last_code;
static MPI_Comm last_comm;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last_comm = *comm;
    last_code = *code;
}

static void texts(void)
{
    MPI_Comm c;
    MPI_Group g;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect(MPI_Comm_dup(MPI_COMM_NULL, &c), MPI_ERR_COMM,
           "MPI_Comm_dup: MPI_ERR_COMM: invalid communicator: argument comm is MPI_COMM_NULL");
    expect(MPI_Comm_split(MPI_COMM_WORLD, -2, 0, &c), MPI_ERR_ARG,
           "MPI_Comm_split: MPI_ERR_ARG: invalid argument: color is -2, it must not be negative");
    expect(MPI_Comm_remote_size(MPI_COMM_WORLD, &calls), MPI_ERR_COMM,
           "MPI_Comm_remote_size: MPI_ERR_COMM: invalid communicator: argument comm is no intercommunicator");
    expect(MPI_Group_incl(MPI_GROUP_NULL, 0, NULL, &g), MPI_ERR_GROUP,
           "MPI_Group_incl: MPI_ERR_GROUP: invalid group: argument group is MPI_GROUP_NULL");
    expect(MPI_Group_incl(MPI_GROUP_EMPTY, 1, (int[]){0}, &g), MPI_ERR_RANK,
           "MPI_Group_incl: MPI_ERR_RANK: invalid rank: ranks[0] is 0, it must be 0 to -1");
    expect(MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, -1, &c), MPI_ERR_TAG,
           "MPI_Comm_create_group: MPI_ERR_TAG: invalid tag: argument tag is -1, it must be 0 to 2147483647");
    expect(
        MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){3}, (int[]){0}, 0, &c), MPI_ERR_ARG,
        "MPI_Cart_create: MPI_ERR_ARG: invalid argument: the grid has more points than the communicator's 2 processes");
    expect(MPI_Cartdim_get(MPI_COMM_WORLD, &calls), MPI_ERR_TOPOLOGY,
           "MPI_Cartdim_get: MPI_ERR_TOPOLOGY: invalid topology: the communicator has no grid");
    expect(MPI_Info_set(MPI_INFO_NULL, "a", "b"), MPI_ERR_INFO,
           "MPI_Info_set: MPI_ERR_INFO: invalid info object: argument info is MPI_INFO_NULL");
    MPI_Comm world = MPI_COMM_WORLD;
    expect(MPI_Comm_free(&world), MPI_ERR_COMM,
           "MPI_Comm_free: MPI_ERR_COMM: invalid communicator: MPI_COMM_WORLD can't be freed");
}

/* A null pointer for the result is no error of the parent, as long as nobody set a handler there. */
static void null_result(void)
{
    MPI_Comm c;
    MPI_Group g;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(c, &g);
    expect(MPI_Comm_create(c, g, NULL), MPI_ERR_ARG,
           "MPI_Comm_create: MPI_ERR_ARG: invalid argument: newcomm is a null pointer");
    expect(MPI_Comm_split(c, 0, 0, NULL), MPI_ERR_ARG,
           "MPI_Comm_split: MPI_ERR_ARG: invalid argument: newcomm is a null pointer");
    MPI_Group_free(&g);
    MPI_Comm_free(&c);
}

static void handlers(void)
{
    MPI_Errhandler e, got;
    MPI_Comm c, d;
    int v = 0, cls;
    calls = 0;
    MPI_Comm_create_errhandler(on_error, &e);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, e);
    MPI_Comm_get_errhandler(c, &got);
    check(got == e);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&e);
    check(e == MPI_ERRHANDLER_NULL);
    int code = MPI_Send(&v, 1, MPI_INT, 99, 0, c);
    check(calls == 1 && last_comm == c && last_code == code);
    MPI_Error_class(code, &cls);
    check_eq(cls, MPI_ERR_RANK);
    MPI_Comm_dup(c, &d); /* inherits */
    MPI_Comm_call_errhandler(d, MPI_ERR_IO);
    check(calls == 2 && last_comm == d && last_code == MPI_ERR_IO);
    MPI_Comm_free(&c);
    MPI_Comm_free(&d);
    MPI_File_get_errhandler(MPI_FILE_NULL, &got);
    check(got == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&got); /* a predefined one may be freed */
}

static int before_and_after(void)
{
    int cls, fails = 0, rank;
    MPI_Error_class(MPI_Comm_rank(MPI_COMM_WORLD, &rank), &cls);
    fails += cls != MPI_ERR_OTHER;
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    MPI_Error_class(MPI_Barrier(MPI_COMM_WORLD), &cls);
    fails += cls != MPI_ERR_OTHER;
    MPI_Error_class(MPI_Init(NULL, NULL), &cls);
    fails += cls != MPI_ERR_OTHER;
    return fails;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return before_and_after();
    proc_begin(&argc, &argv);
    texts();
    null_result();
    handlers();
    return proc_end();
}
