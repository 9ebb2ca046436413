/* SPDX-License-Identifier: BSD-3-Clause
 *
 * queries: sizes, bounds and names in every form; addresses; matching sizes; user operations through MPI_Reduce_local.
 */
#include "proc.h"

#include <limits.h>
#include <stdint.h>

static void names(void)
{
    char text[MPI_MAX_OBJECT_NAME];
    int len;
    MPI_Datatype t;
    MPI_Type_get_name(MPI_DOUBLE, text, &len);
    check(strcmp(text, "MPI_DOUBLE") == 0 && len == 10);
    MPI_Type_get_name(MPI_LONG_LONG_INT, text, &len);
    check(strcmp(text, "MPI_LONG_LONG_INT") == 0); /* MPI_LONG_LONG is the synonym */
    MPI_Type_get_name(MPI_C_FLOAT_COMPLEX, text, &len);
    check(strcmp(text, "MPI_C_COMPLEX") == 0);
    check_eq(MPI_Type_get_name(MPI_DATATYPE_NULL, text, &len), MPI_SUCCESS);
    check(strcmp(text, "MPI_DATATYPE_NULL") == 0 && len == 17);
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Type_get_name(t, text, &len);
    check(len == 0 && text[0] == 0);
    MPI_Type_set_name(t, "pair of ints");
    MPI_Type_get_name(t, text, &len);
    check(strcmp(text, "pair of ints") == 0 && len == 12);
    MPI_Type_free(&t);
}

static void bounds(void)
{
    MPI_Datatype t, u;
    MPI_Aint lb, extent;
    MPI_Count wide_lb, wide;
    int size;
    MPI_Type_vector(3, 1, 2, MPI_INT, &t);
    MPI_Type_create_resized(t, -4, 40, &u);
    MPI_Type_size(u, &size);
    MPI_Type_get_extent(u, &lb, &extent);
    check(size == 12 && lb == -4 && extent == 40);
    MPI_Type_get_true_extent(u, &lb, &extent);
    check(lb == 0 && extent == 20);
    MPI_Type_get_extent_x(u, &wide_lb, &wide);
    check(wide_lb == -4 && wide == 40);
    MPI_Type_get_true_extent_x(u, &wide_lb, &wide);
    check(wide_lb == 0 && wide == 20);
    MPI_Type_get_true_extent_c(u, &wide_lb, &wide);
    check(wide_lb == 0 && wide == 20);
    MPI_Type_size_x(u, &wide);
    check_eq(wide, 12);
    MPI_Type_free(&t);
    MPI_Type_free(&u);
    MPI_Type_contiguous(INT_MAX, MPI_INT, &t);
    MPI_Type_size(t, &size);
    check_eq(size, MPI_UNDEFINED);
    MPI_Type_size_c(t, &wide);
    check_eq(wide, 4 * (MPI_Count)INT_MAX);
    MPI_Type_get_extent(t, &lb, &extent);
    check_eq(extent, 4 * (MPI_Aint)INT_MAX);
    MPI_Type_commit(&t);
    MPI_Pack_size(1, t, MPI_COMM_SELF, &size);
    check_eq(size, MPI_UNDEFINED);
    MPI_Type_free(&t);
}

/* Blocks at addresses that are not aligned: a type reaches as far as its parts, padding included, as in both peers. */
static void padding_of_parts(void)
{
    MPI_Datatype inner, outer;
    MPI_Aint lb, extent;
    MPI_Type_create_hvector(3, 4, 6 * 4 + 1, MPI_INT, &inner); /* ends at 66 */
    MPI_Type_get_extent(inner, &lb, &extent);
    check_eq(lb, 0);
    check_eq(extent, 68);
    MPI_Type_create_hvector(2, 3, 4 * extent + 1, inner, &outer); /* begins at 0 and 273, three of 68 each */
    MPI_Type_get_extent(outer, &lb, &extent);
    check_eq(lb, 0);
    check_eq(extent, 480);
    MPI_Type_get_true_extent(outer, &lb, &extent);
    check_eq(lb, 0);
    check_eq(extent, 475);
    MPI_Type_free(&inner);
    MPI_Type_free(&outer);
}

static void struct_padding(void)
{
    struct mixed {
        char c;
        double d;
        short s;
    } x[2];
    int lens[3] = {1, 1, 1};
    MPI_Aint at[3], base, lb, extent;
    MPI_Datatype kinds[3] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, t;
    MPI_Get_address(&x[0], &base);
    MPI_Get_address(&x[0].c, &at[0]);
    MPI_Get_address(&x[0].d, &at[1]);
    MPI_Get_address(&x[0].s, &at[2]);
    for (int i = 0; i < 3; i++)
        at[i] = MPI_Aint_diff(at[i], base);
    MPI_Type_create_struct(3, lens, at, kinds, &t);
    MPI_Type_get_extent(t, &lb, &extent);
    check_eq(lb, 0);
    check_eq(extent, sizeof(struct mixed));
    check_eq(MPI_Aint_add(base, (MPI_Aint)sizeof x[0]), (MPI_Aint)&x[1]);
    MPI_Type_free(&t);
}

static void matches(void)
{
    static const struct {
        int typeclass, size;
    } all[] = {{MPI_TYPECLASS_REAL, 4},    {MPI_TYPECLASS_REAL, 8},    {MPI_TYPECLASS_INTEGER, 1},
               {MPI_TYPECLASS_INTEGER, 2}, {MPI_TYPECLASS_INTEGER, 4}, {MPI_TYPECLASS_INTEGER, 8},
               {MPI_TYPECLASS_COMPLEX, 8}, {MPI_TYPECLASS_COMPLEX, 16}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        MPI_Datatype t = MPI_DATATYPE_NULL;
        int size = 0;
        check_eq(MPI_Type_match_size(all[i].typeclass, all[i].size, &t), MPI_SUCCESS);
        MPI_Type_size(t, &size);
        check_eq(size, all[i].size);
    }
}

/* 2x2 matrices mod 10007: associative, not commutative. */
static void multiply(void *in, void *inout, int *n, MPI_Datatype *t)
{
    int combiner, unused;
    MPI_Type_get_envelope(*t, &unused, &unused, &unused, &combiner);
    check_eq(combiner, MPI_COMBINER_CONTIGUOUS);
    for (int i = 0; i < *n; i++) {
        int *a = (int *)in + 4 * i, *b = (int *)inout + 4 * i;
        int c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                    a[2] * b[1] + a[3] * b[3]};
        for (int k = 0; k < 4; k++)
            b[k] = c[k] % 10007;
    }
}

static void add_wide(void *in, void *inout, MPI_Count *n, MPI_Datatype *t)
{
    check(*t == MPI_INT);
    for (MPI_Count i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void user_operations(void)
{
    MPI_Datatype matrix;
    MPI_Op op;
    int a[4] = {1, 2, 3, 4}, b[4] = {0, 1, 1, 0}, commute = 1;
    MPI_Type_contiguous(4, MPI_INT, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &op);
    MPI_Op_commutative(op, &commute);
    check_eq(commute, 0);
    MPI_Reduce_local(a, b, 1, matrix, op);
    check(b[0] == 2 && b[1] == 1 && b[2] == 4 && b[3] == 3); /* a times b, not b times a */
    MPI_Op_free(&op);
    check(op == MPI_OP_NULL);
    MPI_Op_create_c(add_wide, 1, &op);
    MPI_Op_commutative(op, &commute);
    check_eq(commute, 1);
    MPI_Reduce_local_c(a, b, 4, MPI_INT, op);
    check(b[0] == 3 && b[3] == 7);
    MPI_Reduce_local(a, b, 2, MPI_INT, op);
    check(b[0] == 4 && b[2] == 7);
    MPI_Op_free(&op);
    MPI_Type_free(&matrix);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    names();
    bounds();
    struct_padding();
    padding_of_parts();
    matches();
    user_operations();
    return proc_end();
}
