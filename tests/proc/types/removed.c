/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_removed.h: the functions of MPI-1 that are gone do what those that replaced them do.
 */
#include "mpi_removed.h"

#include "proc.h"

struct mixed {
    int n;
    double x;
};

static int calls;

static void on_error(MPI_Comm *c, int *code, ...)
{
    (void)c, (void)code;
    calls++;
}

static void test_types(void)
{
    struct mixed m;
    MPI_Aint at[2], base, lb = -1, ub = -1, extent = -1;
    int one[2] = {1, 1}, size;
    MPI_Datatype both[2] = {MPI_INT, MPI_DOUBLE}, t;
    MPI_Address(&m, &base);
    MPI_Address(&m.n, &at[0]);
    MPI_Address(&m.x, &at[1]);
    at[0] -= base, at[1] -= base;
    MPI_Type_struct(2, one, at, both, &t);
    MPI_Type_extent(t, &extent);
    MPI_Type_lb(t, &lb);
    MPI_Type_ub(t, &ub);
    MPI_Type_size(t, &size);
    check(extent == sizeof m && lb == 0 && ub == sizeof m && size == sizeof(int) + sizeof(double));
    MPI_Type_free(&t);
    MPI_Type_hvector(3, 2, 100, MPI_INT, &t);
    MPI_Type_extent(t, &extent);
    check_eq(extent, 200 + 2 * sizeof(int));
    MPI_Type_free(&t);
    at[0] = 8, at[1] = 40;
    MPI_Type_hindexed(2, one, at, MPI_INT, &t);
    MPI_Type_lb(t, &lb);
    MPI_Type_ub(t, &ub);
    check(lb == 8 && ub == 40 + sizeof(int));
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    MPI_Errhandler e, got;
    proc_begin(&argc, &argv);
    test_types();
    MPI_Errhandler_create(on_error, &e);
    MPI_Errhandler_set(MPI_COMM_WORLD, e);
    MPI_Errhandler_get(MPI_COMM_WORLD, &got);
    check(got == e);
    MPI_Send(NULL, 0, MPI_INT, proc_size, 0, MPI_COMM_WORLD);
    check_eq(calls, 1);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&e);
    return proc_end();
}
