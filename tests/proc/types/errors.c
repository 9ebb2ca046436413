/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errors: wrong arguments of calls about datatypes, packing and operations end in the right class and name the
 * argument.
 */
#include "proc.h"

static void expect(int rc, int want, const char *words, const char *file, int line)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int cls = MPI_SUCCESS, len;
    if (rc != MPI_SUCCESS) {
        MPI_Error_class(rc, &cls);
        MPI_Error_string(rc, text, &len);
    }
    if (cls == want && strstr(text, words))
        return;
    proc_failures++;
    fprintf(stderr, "%s:%d: class %d, not %d, or no \"%s\" in \"%s\"\n", file, line, cls, want, words, text);
}

#define EXPECT(call, cls, words) expect(call, cls, words, __FILE__, __LINE__)

static void constructors(void)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, kinds[2] = {MPI_INT, MPI_DATATYPE_NULL};
    int lens[2] = {1, -1}, disps[2] = {0, 4};
    MPI_Aint bytes[2] = {0, 8};
    EXPECT(MPI_Type_contiguous(-1, MPI_INT, &t), MPI_ERR_COUNT, "argument count is -1");
    EXPECT(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t), MPI_ERR_TYPE, "argument oldtype is MPI_DATATYPE_NULL");
    EXPECT(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG, "newtype is a null pointer");
    EXPECT(MPI_Type_contiguous(1, (MPI_Datatype)MPI_COMM_WORLD, &t), MPI_ERR_TYPE, "oldtype is no datatype");
    EXPECT(MPI_Type_vector(1, -2, 1, MPI_INT, &t), MPI_ERR_COUNT, "argument blocklength is -2");
    EXPECT(MPI_Type_vector_c(-3, 2, 1, MPI_INT, &t), MPI_ERR_COUNT, "MPI_Type_vector_c");
    EXPECT(MPI_Type_indexed(2, lens, disps, MPI_INT, &t), MPI_ERR_ARG, "array_of_blocklengths[1] is -1");
    EXPECT(MPI_Type_indexed(2, NULL, disps, MPI_INT, &t), MPI_ERR_ARG, "array_of_blocklengths is a null pointer");
    EXPECT(MPI_Type_create_hindexed_block(2, 1, NULL, MPI_INT, &t), MPI_ERR_ARG, "array_of_displacements");
    EXPECT(MPI_Type_create_hindexed(-1, lens, bytes, MPI_INT, &t), MPI_ERR_COUNT, "count is -1");
    lens[1] = 1;
    EXPECT(MPI_Type_create_struct(2, lens, bytes, kinds, &t), MPI_ERR_TYPE, "array_of_types[1] is MPI_DATATYPE_NULL");
    EXPECT(MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 1, &t), MPI_ERR_TYPE, "oldtype");
    EXPECT(MPI_Type_dup(MPI_DATATYPE_NULL, &t), MPI_ERR_TYPE, "oldtype");
    check(t == MPI_DATATYPE_NULL);
    check_eq(MPI_Type_create_struct(0, NULL, NULL, NULL, &t), MPI_SUCCESS);
    MPI_Type_free(&t);
}

static void arrays(void)
{
    MPI_Datatype t;
    int sizes[2] = {4, 4}, part[2] = {2, 5}, starts[2] = {0, 0}, dist[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
    int args[2] = {1, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {2, 2};
    EXPECT(MPI_Type_create_subarray(0, sizes, part, starts, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG, "ndims is 0");
    EXPECT(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG,
           "array_of_subsizes[1] is 5, it must be 1 to 4");
    part[1] = 3;
    starts[1] = 2;
    EXPECT(MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG,
           "array_of_starts[1] is 2, it must be 0 to 1");
    starts[1] = 0;
    EXPECT(MPI_Type_create_subarray(2, sizes, part, starts, 5, MPI_INT, &t), MPI_ERR_ARG, "order is 5");
    EXPECT(MPI_Type_create_darray(4, 4, 2, sizes, dist, args, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG,
           "rank is 4");
    EXPECT(MPI_Type_create_darray(3, 0, 2, sizes, dist, args, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG,
           "array_of_psizes");
    EXPECT(MPI_Type_create_darray(4, 0, 2, sizes, dist, args, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG,
           "array_of_dargs[0]");
    args[0] = 2;
    EXPECT(MPI_Type_create_darray(4, 0, 2, sizes, dist, args, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG,
           "must be 1 for MPI_DISTRIBUTE_NONE");
}

static void use(void)
{
    MPI_Datatype t, null = MPI_DATATYPE_NULL, predefined = MPI_INT;
    int n, combiner, buf[4] = {0}, position = 0;
    MPI_Aint lb;
    EXPECT(MPI_Type_free(&predefined), MPI_ERR_TYPE, "MPI_INT");
    EXPECT(MPI_Type_free(&null), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    EXPECT(MPI_Type_free(NULL), MPI_ERR_ARG, "null pointer");
    EXPECT(MPI_Type_commit(&null), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    check_eq(MPI_Type_commit(&predefined), MPI_SUCCESS);
    EXPECT(MPI_Type_size(null, &n), MPI_ERR_TYPE, "datatype is MPI_DATATYPE_NULL");
    EXPECT(MPI_Type_size(MPI_INT, NULL), MPI_ERR_ARG, "size is a null pointer");
    EXPECT(MPI_Type_get_extent(MPI_INT, &lb, NULL), MPI_ERR_ARG, "extent is a null pointer");
    EXPECT(MPI_Type_get_envelope(MPI_INT, NULL, &n, &n, &combiner), MPI_ERR_ARG, "num_integers");
    EXPECT(MPI_Type_get_contents(MPI_INT, 0, 0, 0, NULL, NULL, NULL), MPI_ERR_TYPE, "MPI_INT, which has no contents");
    EXPECT(MPI_Type_set_name(MPI_INT, NULL), MPI_ERR_ARG, "type_name");
    EXPECT(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &t), MPI_ERR_ARG, "has size 3");
    MPI_Type_contiguous(2, MPI_INT, &t);
    EXPECT(MPI_Type_get_contents(t, 0, 0, 1, buf, NULL, &null), MPI_ERR_ARG, "max_integers is 0, the datatype has 1");
    EXPECT(MPI_Pack(buf, 1, t, buf, 16, &position, MPI_COMM_SELF), MPI_ERR_TYPE, "not committed");
    MPI_Type_commit(&t);
    EXPECT(MPI_Pack(buf, -1, t, buf, 16, &position, MPI_COMM_SELF), MPI_ERR_COUNT, "incount is -1");
    EXPECT(MPI_Pack(buf, 2, t, buf, 15, &position, MPI_COMM_SELF), MPI_ERR_TRUNCATE, "outsize is 15");
    EXPECT(MPI_Pack(buf, 1, t, buf, 16, NULL, MPI_COMM_SELF), MPI_ERR_ARG, "position");
    EXPECT(MPI_Pack(buf, 1, t, buf, 16, &position, MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");
    EXPECT(MPI_Unpack(buf, 4, &position, buf, 1, t, MPI_COMM_SELF), MPI_ERR_TRUNCATE, "insize is 4");
    check_eq(position, 0);
    MPI_Aint at = 0;
    EXPECT(MPI_Pack_external("native", buf, 1, t, buf, 16, &at), MPI_ERR_ARG, "\"native\"");
    MPI_Type_free(&t);
}

/* The memory of a freed type is there for the next one; until then its handle is known to be freed. */
static void freed(void)
{
    MPI_Datatype t[10], copy[10], next;
    int n;
    for (int i = 0; i < 10; i++)
        MPI_Type_contiguous(i, MPI_INT, &t[i]);
    memcpy(copy, t, sizeof t);
    for (int i = 0; i < 10; i++)
        MPI_Type_free(&t[i]);
    for (int i = 0; i < 10; i++)
        EXPECT(MPI_Type_size(copy[i], &n), MPI_ERR_TYPE, "datatype");
    EXPECT(MPI_Type_free(&copy[3]), MPI_ERR_TYPE, "datatype");
    MPI_Type_contiguous(7, MPI_INT, &next);
    check_eq(MPI_Type_size(next, &n), MPI_SUCCESS);
    check_eq(n, 28);
    for (int i = 0; i < 10; i++)
        if (copy[i] != next)
            EXPECT(MPI_Type_size(copy[i], &n), MPI_ERR_TYPE, "datatype");
    MPI_Type_free(&next);
}

static void never(void *in, void *inout, int *n, MPI_Datatype *t)
{
    (void)in, (void)inout, (void)n, (void)t;
}

static void operations(void)
{
    MPI_Op op = MPI_SUM, null = MPI_OP_NULL;
    int in = 1, out = 2, commute;
    float f[2] = {0};
    EXPECT(MPI_Op_free(&op), MPI_ERR_OP, "predefined");
    EXPECT(MPI_Op_free(&null), MPI_ERR_OP, "MPI_OP_NULL");
    EXPECT(MPI_Op_create(NULL, 1, &op), MPI_ERR_ARG, "user_fn");
    EXPECT(MPI_Op_create(never, 1, NULL), MPI_ERR_ARG, "op is a null pointer");
    EXPECT(MPI_Op_commutative(null, &commute), MPI_ERR_OP, "MPI_OP_NULL");
    EXPECT(MPI_Reduce_local(&in, &out, 1, MPI_INT, null), MPI_ERR_OP, "MPI_OP_NULL");
    EXPECT(MPI_Reduce_local(&in, &out, -1, MPI_INT, MPI_SUM), MPI_ERR_COUNT, "count is -1");
    EXPECT(MPI_Reduce_local(&f[0], &f[1], 1, MPI_FLOAT, MPI_BAND), MPI_ERR_OP, "MPI_BAND is not defined on MPI_FLOAT");
    EXPECT(MPI_Reduce_local(&in, &out, 1, MPI_INT, MPI_MAXLOC), MPI_ERR_OP, "MPI_MAXLOC is not defined on MPI_INT");
    EXPECT(MPI_Reduce_local(&in, &in, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "the same");
    EXPECT(MPI_Reduce_local(NULL, &out, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "inbuf");
    check(in == 1 && out == 2);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    constructors();
    arrays();
    use();
    freed();
    operations();
    return proc_end();
}
