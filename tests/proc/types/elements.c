/* SPDX-License-Identifier: BSD-3-Clause
 *
 * elements: basic elements in statuses of partial receives (MPI 5.0 section 5.1.11), setting them, and packing in
 * several steps.
 */
#include "proc.h"

#include <limits.h>

static MPI_Datatype mixed(void)
{
    int lens[3] = {1, 2, 1};
    MPI_Aint at[3] = {0, 8, 24};
    MPI_Datatype kinds[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, t;
    MPI_Type_create_struct(3, lens, at, kinds, &t);
    MPI_Type_commit(&t);
    return t;
}

/* Rank 0 sends `bytes` bytes; rank 1 receives up to 4 of t and counts. */
static void partial(MPI_Datatype t, int bytes, int elements, int count)
{
    char buf[512] = {0};
    if (proc_rank == 0)
        MPI_Send(buf, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (proc_rank != 1)
        return;
    MPI_Status status;
    int got = -1;
    MPI_Count wide = -1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* one that ends inside an element is an error */
    int cls = MPI_SUCCESS, rc = MPI_Recv(buf, 4, t, 0, 0, MPI_COMM_WORLD, &status);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Error_class(rc, &cls);
    check_eq(cls, elements == MPI_UNDEFINED ? MPI_ERR_TYPE : MPI_SUCCESS);
    MPI_Get_elements(&status, t, &got);
    check_eq(got, elements);
    MPI_Get_elements_x(&status, t, &wide);
    check_eq(wide, elements);
    MPI_Get_elements_c(&status, t, &wide);
    check_eq(wide, elements);
    MPI_Get_count(&status, t, &got);
    check_eq(got, count);
}

static void receives(void)
{
    MPI_Datatype t = mixed(), empty; /* 4, 8, 8, 1 bytes */
    partial(t, 0, 0, 0);
    partial(t, 4, 1, MPI_UNDEFINED);
    partial(t, 6, MPI_UNDEFINED, MPI_UNDEFINED);
    partial(t, 20, 3, MPI_UNDEFINED);
    partial(t, 21, 4, 1);
    partial(t, 21 * 3 + 12, 14, MPI_UNDEFINED);
    partial(t, 84, 16, 4);
    partial(MPI_DOUBLE_INT, 24, 4, 2);
    partial(MPI_DOUBLE_INT, 8, 1, MPI_UNDEFINED);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    partial(empty, 0, 0, 0);
    MPI_Type_free(&empty);
    MPI_Type_free(&t);
}

static void set(void)
{
    MPI_Datatype t = mixed();
    MPI_Status status = {.MPI_SOURCE = 3, .MPI_TAG = 4, .MPI_ERROR = 5};
    int got, flag;
    MPI_Count wide, large = ((MPI_Count)INT_MAX + 2) * 4;
    MPI_Status_set_cancelled(&status, 1);
    for (int n = 0; n < 12; n++) {
        MPI_Status_set_elements(&status, t, n);
        MPI_Get_elements(&status, t, &got);
        check_eq(got, n);
        MPI_Get_count(&status, t, &got);
        check_eq(got, n % 4 ? MPI_UNDEFINED : n / 4);
    }
    MPI_Status_set_elements_c(&status, t, large);
    MPI_Get_elements_c(&status, t, &wide);
    check_eq(wide, large);
    MPI_Get_elements(&status, t, &got);
    check_eq(got, MPI_UNDEFINED);
    MPI_Status_set_elements_x(&status, MPI_INT, large);
    MPI_Get_elements_x(&status, MPI_INT, &wide);
    check_eq(wide, large);
    MPI_Test_cancelled(&status, &flag);
    check(flag && status.MPI_SOURCE == 3 && status.MPI_TAG == 4 && status.MPI_ERROR == 5);
    MPI_Type_free(&t);
}

/* Several things in one buffer, sent as MPI_PACKED, taken out one by one. */
static void packed(void)
{
    char buf[200];
    int position = 0, n = 3, used, sizes[3];
    double list[3] = {1.5, 2.5, 3.5};
    MPI_Status status;
    if (proc_rank == 0) {
        MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &sizes[0]);
        MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &sizes[1]);
        MPI_Pack(&n, 1, MPI_INT, buf, sizeof buf, &position, MPI_COMM_WORLD);
        MPI_Pack(list, n, MPI_DOUBLE, buf, sizeof buf, &position, MPI_COMM_WORLD);
        check(position <= sizes[0] + sizes[1]);
        MPI_Send(buf, position, MPI_PACKED, 1, 9, MPI_COMM_WORLD);
    }
    if (proc_rank != 1)
        return;
    n = 0;
    memset(list, 0, sizeof list);
    MPI_Recv(buf, sizeof buf, MPI_PACKED, 0, 9, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_PACKED, &used);
    MPI_Unpack(buf, used, &position, &n, 1, MPI_INT, MPI_COMM_WORLD);
    check_eq(n, 3);
    MPI_Unpack(buf, used, &position, list, n, MPI_DOUBLE, MPI_COMM_WORLD);
    check(list[0] == 1.5 && list[1] == 2.5 && list[2] == 3.5);
    check_eq(position, used);
}

static void external(void)
{
    MPI_Datatype t = mixed();
    struct {
        int i;
        double d[2];
        char c;
    } in = {7, {1.0, -1.0}, 'x'}, out = {0};
    unsigned char buf[64];
    MPI_Aint size, position = 0;
    MPI_Count wide, at = 0;
    check_eq(MPI_Pack_external_size("external32", 2, t, &size), MPI_SUCCESS);
    check_eq(size, 42);
    MPI_Pack_external_size_c("external32", 3, MPI_LONG, &wide);
    check_eq(wide, 12);
    MPI_Pack_external("external32", &in, 1, t, buf, sizeof buf, &position);
    check_eq(position, 21);
    check(memcmp(buf, "\0\0\0\7\x3f\xf0\0\0\0\0\0\0\xbf\xf0\0\0\0\0\0\0x", 21) == 0);
    position = 0;
    MPI_Unpack_external("external32", buf, 21, &position, &out, 1, t);
    check(out.i == 7 && out.d[0] == 1.0 && out.d[1] == -1.0 && out.c == 'x');
    MPI_Pack_external_c("external32", &in.i, 1, MPI_INT, buf, 4, &at);
    check_eq(at, 4);
    at = 0;
    out.i = 0;
    MPI_Unpack_external_c("external32", buf, 4, &at, &out.i, 1, MPI_INT);
    check_eq(out.i, 7);
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    receives();
    packed();
    set();
    external();
    return proc_end();
}
