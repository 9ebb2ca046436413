/* SPDX-License-Identifier: BSD-3-Clause
 *
 * contents: every constructor's envelope and contents; the type made again from them packs the same bytes.
 */
#include "proc.h"

#include <stdint.h>

struct recipe {
    MPI_Count ints, aints, counts, types;
    int combiner;
    int i[64];
    MPI_Aint a[64];
    MPI_Count c[64];
    MPI_Datatype t[16];
};

static struct recipe read_recipe(MPI_Datatype t)
{
    struct recipe r = {0};
    check_eq(MPI_Type_get_envelope_c(t, &r.ints, &r.aints, &r.counts, &r.types, &r.combiner), MPI_SUCCESS);
    if (r.combiner != MPI_COMBINER_NAMED)
        check_eq(MPI_Type_get_contents_c(t, r.ints, r.aints, r.counts, r.types, r.i, r.a, r.c, r.t), MPI_SUCCESS);
    return r;
}

static MPI_Datatype again_small(const struct recipe *r)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    int n = r->i[0];
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        MPI_Type_contiguous(n, r->t[0], &t);
        break;
    case MPI_COMBINER_VECTOR:
        MPI_Type_vector(n, r->i[1], r->i[2], r->t[0], &t);
        break;
    case MPI_COMBINER_HVECTOR:
        MPI_Type_create_hvector(n, r->i[1], r->a[0], r->t[0], &t);
        break;
    case MPI_COMBINER_INDEXED:
        MPI_Type_indexed(n, &r->i[1], &r->i[1 + n], r->t[0], &t);
        break;
    case MPI_COMBINER_HINDEXED:
        MPI_Type_create_hindexed(n, &r->i[1], r->a, r->t[0], &t);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        MPI_Type_create_indexed_block(n, r->i[1], &r->i[2], r->t[0], &t);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        MPI_Type_create_hindexed_block(n, r->i[1], r->a, r->t[0], &t);
        break;
    case MPI_COMBINER_STRUCT:
        MPI_Type_create_struct(n, &r->i[1], r->a, r->t, &t);
        break;
    case MPI_COMBINER_SUBARRAY:
        MPI_Type_create_subarray(n, &r->i[1], &r->i[1 + n], &r->i[1 + 2 * n], r->i[1 + 3 * n], r->t[0], &t);
        break;
    case MPI_COMBINER_DARRAY:
        n = r->i[2];
        MPI_Type_create_darray(r->i[0], r->i[1], n, &r->i[3], &r->i[3 + n], &r->i[3 + 2 * n], &r->i[3 + 3 * n],
                               r->i[3 + 4 * n], r->t[0], &t);
        break;
    case MPI_COMBINER_RESIZED:
        MPI_Type_create_resized(r->t[0], r->a[0], r->a[1], &t);
        break;
    case MPI_COMBINER_DUP:
        MPI_Type_dup(r->t[0], &t);
        break;
    default:
        check(!"a known combiner");
    }
    return t;
}

static MPI_Datatype again_large(const struct recipe *r)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    MPI_Count n = r->c[0];
    const MPI_Count *c = r->c;
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        MPI_Type_contiguous_c(n, r->t[0], &t);
        break;
    case MPI_COMBINER_VECTOR:
        MPI_Type_vector_c(n, c[1], c[2], r->t[0], &t);
        break;
    case MPI_COMBINER_HVECTOR:
        MPI_Type_create_hvector_c(n, c[1], c[2], r->t[0], &t);
        break;
    case MPI_COMBINER_INDEXED:
        MPI_Type_indexed_c(n, c + 1, c + 1 + n, r->t[0], &t);
        break;
    case MPI_COMBINER_HINDEXED:
        MPI_Type_create_hindexed_c(n, c + 1, c + 1 + n, r->t[0], &t);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        MPI_Type_create_indexed_block_c(n, c[1], c + 2, r->t[0], &t);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        MPI_Type_create_hindexed_block_c(n, c[1], c + 2, r->t[0], &t);
        break;
    case MPI_COMBINER_STRUCT:
        MPI_Type_create_struct_c(n, c + 1, c + 1 + n, r->t, &t);
        break;
    case MPI_COMBINER_SUBARRAY:
        n = r->i[0];
        MPI_Type_create_subarray_c((int)n, c, c + n, c + 2 * n, r->i[1], r->t[0], &t);
        break;
    case MPI_COMBINER_DARRAY:
        n = r->i[2];
        MPI_Type_create_darray_c(r->i[0], r->i[1], (int)n, c, &r->i[3], &r->i[3 + n], &r->i[3 + 2 * n], r->i[3 + 3 * n],
                                 r->t[0], &t);
        break;
    case MPI_COMBINER_RESIZED:
        MPI_Type_create_resized_c(r->t[0], c[0], c[1], &t);
        break;
    default:
        check(!"a known combiner");
    }
    return t;
}

/* Both types take the same bytes of a patterned memory, and have the same bounds. */
static void compare(MPI_Datatype a, MPI_Datatype b)
{
    static char memory[8192], packed[2][4096];
    MPI_Count lb[2], extent[2], size[2], position[2] = {0, 0};
    MPI_Type_get_extent_c(a, &lb[0], &extent[0]);
    MPI_Type_get_extent_c(b, &lb[1], &extent[1]);
    MPI_Type_size_c(a, &size[0]);
    MPI_Type_size_c(b, &size[1]);
    check_eq(lb[0], lb[1]);
    check_eq(extent[0], extent[1]);
    check_eq(size[0], size[1]);
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (char)(i * 7 + i / 256);
    MPI_Type_commit(&a);
    MPI_Type_commit(&b);
    MPI_Pack_c(memory + 4096, 2, a, packed[0], sizeof packed[0], &position[0], MPI_COMM_SELF);
    MPI_Pack_c(memory + 4096, 2, b, packed[1], sizeof packed[1], &position[1], MPI_COMM_SELF);
    check_eq(position[0], 2 * size[0]);
    check_eq(position[1], 2 * size[0]);
    check(memcmp(packed[0], packed[1], (size_t)position[0]) == 0);
}

static void round_trip(const char *name, MPI_Datatype t, MPI_Count ints, MPI_Count aints, MPI_Count counts,
                       MPI_Count types, int combiner)
{
    int before = proc_failures;
    struct recipe r = read_recipe(t);
    check_eq(r.combiner, combiner);
    check_eq(r.ints, ints);
    check_eq(r.aints, aints);
    check_eq(r.counts, counts);
    check_eq(r.types, types);
    MPI_Datatype copy = r.counts ? again_large(&r) : again_small(&r);
    compare(t, copy);
    for (MPI_Count i = 0; i < r.types; i++) {
        int small[4];
        MPI_Count unused;
        MPI_Type_get_envelope_c(r.t[i], &unused, &unused, &unused, &unused, &small[0]);
        if (small[0] != MPI_COMBINER_NAMED)
            MPI_Type_free(&r.t[i]); /* a new reference */
    }
    compare(t, copy);
    MPI_Type_free(&copy);
    MPI_Type_free(&t);
    if (proc_failures > before)
        fprintf(stderr, "... of %s\n", name);
}

static MPI_Datatype inner(void)
{
    MPI_Datatype t;
    MPI_Type_vector(2, 1, 3, MPI_SHORT, &t);
    return t;
}

static void small_forms(void)
{
    MPI_Datatype t, old = inner(), kinds[3] = {MPI_INT, old, MPI_DOUBLE};
    int lens[3] = {1, 2, 3}, disps[3] = {10, 0, 4}, sizes[2] = {5, 6}, part[2] = {2, 3}, starts[2] = {1, 2};
    int dist[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, args[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2},
        grid[2] = {2, 3};
    MPI_Aint bytes[3] = {100, 0, 40};
    MPI_Type_contiguous(3, old, &t);
    round_trip("contiguous", t, 1, 0, 0, 1, MPI_COMBINER_CONTIGUOUS);
    MPI_Type_vector(3, 2, 4, old, &t);
    round_trip("vector", t, 3, 0, 0, 1, MPI_COMBINER_VECTOR);
    MPI_Type_create_hvector(3, 2, 50, old, &t);
    round_trip("hvector", t, 2, 1, 0, 1, MPI_COMBINER_HVECTOR);
    MPI_Type_indexed(3, lens, disps, old, &t);
    round_trip("indexed", t, 7, 0, 0, 1, MPI_COMBINER_INDEXED);
    MPI_Type_create_hindexed(3, lens, bytes, old, &t);
    round_trip("hindexed", t, 4, 3, 0, 1, MPI_COMBINER_HINDEXED);
    MPI_Type_create_indexed_block(3, 2, disps, old, &t);
    round_trip("indexed_block", t, 5, 0, 0, 1, MPI_COMBINER_INDEXED_BLOCK);
    MPI_Type_create_hindexed_block(3, 2, bytes, old, &t);
    round_trip("hindexed_block", t, 2, 3, 0, 1, MPI_COMBINER_HINDEXED_BLOCK);
    MPI_Type_create_struct(3, lens, bytes, kinds, &t);
    round_trip("struct", t, 4, 3, 0, 3, MPI_COMBINER_STRUCT);
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, old, &t);
    round_trip("subarray", t, 8, 0, 0, 1, MPI_COMBINER_SUBARRAY);
    MPI_Type_create_darray(6, 4, 2, sizes, dist, args, grid, MPI_ORDER_C, old, &t);
    round_trip("darray", t, 12, 0, 0, 1, MPI_COMBINER_DARRAY);
    MPI_Type_create_resized(old, -4, 99, &t);
    round_trip("resized", t, 0, 2, 0, 1, MPI_COMBINER_RESIZED);
    MPI_Type_dup(old, &t);
    round_trip("dup", t, 0, 0, 0, 1, MPI_COMBINER_DUP);
    MPI_Type_free(&old);
}

static void large_forms(void)
{
    MPI_Datatype t, old = inner(), kinds[3] = {MPI_INT, old, MPI_DOUBLE};
    MPI_Count lens[3] = {1, 2, 3}, disps[3] = {10, 0, 4}, bytes[3] = {100, 0, 40}, sizes[2] = {5, 6}, part[2] = {2, 3};
    MPI_Count starts[2] = {1, 2};
    int dist[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, args[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2},
        grid[2] = {2, 3};
    MPI_Type_contiguous_c(3, old, &t);
    round_trip("contiguous_c", t, 0, 0, 1, 1, MPI_COMBINER_CONTIGUOUS);
    MPI_Type_vector_c(3, 2, 4, old, &t);
    round_trip("vector_c", t, 0, 0, 3, 1, MPI_COMBINER_VECTOR);
    MPI_Type_create_hvector_c(3, 2, 50, old, &t);
    round_trip("hvector_c", t, 0, 0, 3, 1, MPI_COMBINER_HVECTOR);
    MPI_Type_indexed_c(3, lens, disps, old, &t);
    round_trip("indexed_c", t, 0, 0, 7, 1, MPI_COMBINER_INDEXED);
    MPI_Type_create_hindexed_c(3, lens, bytes, old, &t);
    round_trip("hindexed_c", t, 0, 0, 7, 1, MPI_COMBINER_HINDEXED);
    MPI_Type_create_indexed_block_c(3, 2, disps, old, &t);
    round_trip("indexed_block_c", t, 0, 0, 5, 1, MPI_COMBINER_INDEXED_BLOCK);
    MPI_Type_create_hindexed_block_c(3, 2, bytes, old, &t);
    round_trip("hindexed_block_c", t, 0, 0, 5, 1, MPI_COMBINER_HINDEXED_BLOCK);
    MPI_Type_create_struct_c(3, lens, bytes, kinds, &t);
    round_trip("struct_c", t, 0, 0, 7, 3, MPI_COMBINER_STRUCT);
    MPI_Type_create_subarray_c(2, sizes, part, starts, MPI_ORDER_C, old, &t);
    round_trip("subarray_c", t, 2, 0, 6, 1, MPI_COMBINER_SUBARRAY);
    MPI_Type_create_darray_c(6, 4, 2, sizes, dist, args, grid, MPI_ORDER_C, old, &t);
    round_trip("darray_c", t, 10, 0, 2, 1, MPI_COMBINER_DARRAY);
    MPI_Type_create_resized_c(old, -4, 99, &t);
    round_trip("resized_c", t, 0, 0, 2, 1, MPI_COMBINER_RESIZED);
    MPI_Type_free(&old);
}

/* Values that no int holds come back whole, and only in the large form. */
static void beyond_int(void)
{
    MPI_Datatype t;
    MPI_Count n = ((MPI_Count)1 << 40) + 3;
    int small[3], combiner, cls;
    MPI_Type_vector_c(n, 1, 2, MPI_INT, &t);
    struct recipe r = read_recipe(t);
    check_eq(r.c[0], n);
    int rc = MPI_Type_get_envelope(t, &small[0], &small[1], &small[2], &combiner);
    MPI_Error_class(rc, &cls);
    check_eq(cls, MPI_ERR_TYPE);
    MPI_Type_size(t, &small[0]);
    check_eq(small[0], MPI_UNDEFINED);
    MPI_Type_free(&t);
}

static void unnamed(void)
{
    MPI_Datatype t, same;
    int cls, size;
    MPI_Type_create_f90_real(6, 37, &t);
    struct recipe r = read_recipe(t);
    check(r.combiner == MPI_COMBINER_F90_REAL && r.ints == 2 && r.i[0] == 6 && r.i[1] == 37 && r.types == 0);
    MPI_Type_size(t, &size);
    check_eq(size, 4);
    MPI_Type_create_f90_real(6, 37, &same);
    check(t == same);
    float in = 1, out = 2;
    check_eq(MPI_Reduce_local(&in, &out, 1, t, MPI_SUM), MPI_SUCCESS);
    check(out == 3);
    MPI_Error_class(MPI_Type_free(&t), &cls);
    check_eq(cls, MPI_ERR_TYPE);
    MPI_Type_create_f90_complex(15, MPI_UNDEFINED, &t);
    r = read_recipe(t);
    MPI_Type_size(t, &size);
    check(r.combiner == MPI_COMBINER_F90_COMPLEX && r.ints == 2 && r.i[0] == 15 && r.i[1] == MPI_UNDEFINED &&
          size == 16);
    MPI_Type_create_f90_integer(9, &t);
    r = read_recipe(t);
    MPI_Type_size(t, &size);
    check(r.combiner == MPI_COMBINER_F90_INTEGER && r.ints == 1 && r.i[0] == 9 && size == 4);
    MPI_Error_class(MPI_Type_create_f90_real(500, 5, &t), &cls);
    check_eq(cls, MPI_ERR_ARG);
    MPI_Type_get_value_index(MPI_FLOAT, MPI_INT64_T, &t);
    r = read_recipe(t);
    check(r.combiner == MPI_COMBINER_VALUE_INDEX && r.types == 2 && r.t[0] == MPI_FLOAT && r.t[1] == MPI_INT64_T);
    MPI_Type_get_value_index(MPI_LONG, MPI_INT, &t);
    check(t == MPI_LONG_INT);
}

/* The type that a derived one was made of lives on in it. */
static void contents_outlive(void)
{
    MPI_Datatype old = inner(), t;
    MPI_Type_contiguous(2, old, &t);
    MPI_Type_free(&old);
    struct recipe r = read_recipe(t);
    MPI_Type_free(&t);
    struct recipe deeper = read_recipe(r.t[0]);
    check(deeper.combiner == MPI_COMBINER_VECTOR && deeper.i[2] == 3 && deeper.t[0] == MPI_SHORT);
    MPI_Type_free(&r.t[0]);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    check_eq(read_recipe(MPI_INT).combiner, MPI_COMBINER_NAMED);
    check_eq(read_recipe(MPI_DOUBLE_INT).combiner, MPI_COMBINER_NAMED);
    small_forms();
    large_forms();
    beyond_int();
    unnamed();
    contents_outlive();
    return proc_end();
}
