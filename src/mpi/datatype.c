/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype: entry points that make, commit and free datatypes (MPI 5.0 section 5.1). The int and the _c form of a
 * constructor share one helper; what differs is whether the arguments are remembered as integers and addresses or as
 * large counts.
 */
#include "mpi/public.h"

#include "core/object/attr.h"
#include "mpi/datatype_check.h"

static struct hws_arg scalar(enum hws_arg_kind kind, MPI_Count v)
{
    return (struct hws_arg){.kind = kind, .n = 1, .scalar = v};
}

static struct hws_arg list(enum hws_arg_kind kind, MPI_Count n, struct hws_counts v)
{
    return (struct hws_arg){.kind = kind, .n = n, .values = v};
}

/* Ends a constructor: remembers its arguments, hands out the handle. */
static int done(struct hws_type *t, int combiner, int n_args, const struct hws_arg *args, MPI_Datatype old,
                MPI_Datatype *newtype)
{
    int rc = hws_type_remember(t, combiner, n_args, args, 1, &old);
    if (rc == MPI_SUCCESS)
        *newtype = hws_type_handle(t);
    return rc;
}

/* contiguous, vector and hvector; unit 0: stride counts elements. */
struct regular {
    int combiner;
    bool wide, in_bytes;
    MPI_Count count, blocklen, stride;
};

static int make_regular(const struct regular *r, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type *old = NULL, *t = NULL;
    enum hws_arg_kind kind = r->wide ? HWS_ARG_COUNT : HWS_ARG_INT;
    MPI_Count stride = r->stride;
    int rc = hws_check_make(oldtype, newtype, &old);
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(r->count, "count");
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(r->blocklen, "blocklength");
    if (rc == MPI_SUCCESS && !r->in_bytes && r->count > 1 && __builtin_mul_overflow(r->stride, old->extent, &stride))
        stride = INT64_MAX; /* found too large below */
    if (rc == MPI_SUCCESS)
        rc = hws_type_new_loop(r->count, r->blocklen, stride, old, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_arg args[3] = {scalar(kind, r->count), scalar(kind, r->blocklen), scalar(kind, r->stride)};
    if (r->in_bytes && !r->wide)
        args[2].kind = HWS_ARG_AINT;
    return done(t, r->combiner, r->combiner == MPI_COMBINER_CONTIGUOUS ? 1 : 3, args, oldtype, newtype);
}

static int contiguous(const char *fn, bool wide, MPI_Count count, MPI_Datatype old, MPI_Datatype *newtype)
{
    struct regular r = {MPI_COMBINER_CONTIGUOUS, wide, false, count, 1, 1};
    return hws_raise(NULL, fn, make_regular(&r, old, newtype));
}

int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return contiguous("MPI_Type_contiguous", false, count, oldtype, newtype);
}
HWS_MPI(Type_contiguous)

int PMPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return contiguous("MPI_Type_contiguous_c", true, count, oldtype, newtype);
}
HWS_MPI(Type_contiguous_c)

int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct regular r = {MPI_COMBINER_VECTOR, false, false, count, blocklength, stride};
    return hws_raise(NULL, "MPI_Type_vector", make_regular(&r, oldtype, newtype));
}
HWS_MPI(Type_vector)

int PMPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                       MPI_Datatype *newtype)
{
    struct regular r = {MPI_COMBINER_VECTOR, true, false, count, blocklength, stride};
    return hws_raise(NULL, "MPI_Type_vector_c", make_regular(&r, oldtype, newtype));
}
HWS_MPI(Type_vector_c)

int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct regular r = {MPI_COMBINER_HVECTOR, false, true, count, blocklength, stride};
    return hws_raise(NULL, "MPI_Type_create_hvector", make_regular(&r, oldtype, newtype));
}
HWS_MPI(Type_create_hvector)

int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                               MPI_Datatype *newtype)
{
    struct regular r = {MPI_COMBINER_HVECTOR, true, true, count, blocklength, stride};
    return hws_raise(NULL, "MPI_Type_create_hvector_c", make_regular(&r, oldtype, newtype));
}
HWS_MPI(Type_create_hvector_c)

/* The indexed forms. Displacements in elements (unit 0) or bytes (unit 1). */
static int make_indexed(int combiner, bool wide, struct hws_type_blocks b, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type *old = NULL, *t = NULL;
    bool one_len = combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK;
    int rc = hws_check_make(oldtype, newtype, &old);
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(b.n, "count");
    if (rc == MPI_SUCCESS)
        rc = one_len ? hws_check_count(b.blocklen, "blocklength")
                     : hws_check_lengths(b.n, b.lens, "array_of_blocklengths");
    if (rc == MPI_SUCCESS)
        rc = hws_check_array(b.n, b.disps.p, "array_of_displacements");
    if (rc != MPI_SUCCESS)
        return rc;
    enum hws_arg_kind kind = wide ? HWS_ARG_COUNT : HWS_ARG_INT;
    struct hws_arg args[3] = {scalar(kind, b.n), one_len ? scalar(kind, b.blocklen) : list(kind, b.n, b.lens),
                              list(b.unit && !wide ? HWS_ARG_AINT : kind, b.n, b.disps)};
    b.unit = b.unit ? b.unit : old->extent;
    if ((rc = hws_type_new_blocks(&b, old, &t)) != MPI_SUCCESS)
        return rc;
    return done(t, combiner, 3, args, oldtype, newtype);
}

int PMPI_Type_indexed(int count, const int array_of_blocklengths[], const int array_of_displacements[],
                      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {
        .n = count, .lens = hws_ints(array_of_blocklengths), .disps = hws_ints(array_of_displacements)};
    return hws_raise(NULL, "MPI_Type_indexed", make_indexed(MPI_COMBINER_INDEXED, false, b, oldtype, newtype));
}
HWS_MPI(Type_indexed)

int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                        const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {
        .n = count, .lens = hws_wides(array_of_blocklengths), .disps = hws_wides(array_of_displacements)};
    return hws_raise(NULL, "MPI_Type_indexed_c", make_indexed(MPI_COMBINER_INDEXED, true, b, oldtype, newtype));
}
HWS_MPI(Type_indexed_c)

int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
                              MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {
        .n = count, .lens = hws_ints(array_of_blocklengths), .disps = hws_aints(array_of_displacements), .unit = 1};
    return hws_raise(NULL, "MPI_Type_create_hindexed", make_indexed(MPI_COMBINER_HINDEXED, false, b, oldtype, newtype));
}
HWS_MPI(Type_create_hindexed)

int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                                const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {
        .n = count, .lens = hws_wides(array_of_blocklengths), .disps = hws_wides(array_of_displacements), .unit = 1};
    return hws_raise(NULL, "MPI_Type_create_hindexed_c",
                     make_indexed(MPI_COMBINER_HINDEXED, true, b, oldtype, newtype));
}
HWS_MPI(Type_create_hindexed_c)

int PMPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[], MPI_Datatype oldtype,
                                   MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {.n = count, .blocklen = blocklength, .disps = hws_ints(array_of_displacements)};
    return hws_raise(NULL, "MPI_Type_create_indexed_block",
                     make_indexed(MPI_COMBINER_INDEXED_BLOCK, false, b, oldtype, newtype));
}
HWS_MPI(Type_create_indexed_block)

int PMPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[],
                                     MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {.n = count, .blocklen = blocklength, .disps = hws_wides(array_of_displacements)};
    return hws_raise(NULL, "MPI_Type_create_indexed_block_c",
                     make_indexed(MPI_COMBINER_INDEXED_BLOCK, true, b, oldtype, newtype));
}
HWS_MPI(Type_create_indexed_block_c)

int PMPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint array_of_displacements[],
                                    MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {
        .n = count, .blocklen = blocklength, .disps = hws_aints(array_of_displacements), .unit = 1};
    return hws_raise(NULL, "MPI_Type_create_hindexed_block",
                     make_indexed(MPI_COMBINER_HINDEXED_BLOCK, false, b, oldtype, newtype));
}
HWS_MPI(Type_create_hindexed_block)

int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[],
                                      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type_blocks b = {
        .n = count, .blocklen = blocklength, .disps = hws_wides(array_of_displacements), .unit = 1};
    return hws_raise(NULL, "MPI_Type_create_hindexed_block_c",
                     make_indexed(MPI_COMBINER_HINDEXED_BLOCK, true, b, oldtype, newtype));
}
HWS_MPI(Type_create_hindexed_block_c)

static int check_types(MPI_Count n, const MPI_Datatype types[])
{
    int rc = hws_check_array(n, types, "array_of_types");
    for (MPI_Count i = 0; i < n && rc == MPI_SUCCESS; i++)
        if (!hws_type_of(types[i]))
            rc = hws_fail(MPI_ERR_TYPE, "invalid datatype: array_of_types[%lld] is %s", (long long)i,
                          types[i] == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "no datatype");
    return rc;
}

static int make_struct(bool wide, MPI_Count n, struct hws_counts lens, struct hws_counts disps,
                       const MPI_Datatype types[], MPI_Datatype *newtype)
{
    struct hws_type *t = NULL;
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(n, "count");
    if (rc == MPI_SUCCESS)
        rc = hws_check_lengths(n, lens, "array_of_blocklengths");
    if (rc == MPI_SUCCESS)
        rc = hws_check_array(n, disps.p, "array_of_displacements");
    if (rc == MPI_SUCCESS)
        rc = check_types(n, types);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(newtype, "newtype");
    if (rc == MPI_SUCCESS)
        rc = hws_type_new_struct(n, lens, disps, types, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    enum hws_arg_kind kind = wide ? HWS_ARG_COUNT : HWS_ARG_INT;
    struct hws_arg args[3] = {scalar(kind, n), list(kind, n, lens),
                              list(wide ? HWS_ARG_COUNT : HWS_ARG_AINT, n, disps)};
    if ((rc = hws_type_remember(t, MPI_COMBINER_STRUCT, 3, args, n, types)) == MPI_SUCCESS)
        *newtype = hws_type_handle(t);
    return rc;
}

int PMPI_Type_create_struct(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
                            const MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    return hws_raise(NULL, "MPI_Type_create_struct",
                     make_struct(false, count, hws_ints(array_of_blocklengths), hws_aints(array_of_displacements),
                                 array_of_types, newtype));
}
HWS_MPI(Type_create_struct)

int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                              const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                              MPI_Datatype *newtype)
{
    return hws_raise(NULL, "MPI_Type_create_struct_c",
                     make_struct(true, count, hws_wides(array_of_blocklengths), hws_wides(array_of_displacements),
                                 array_of_types, newtype));
}
HWS_MPI(Type_create_struct_c)

static int make_resized(bool wide, MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype)
{
    struct hws_type *old = NULL, *t = NULL;
    int rc = hws_check_make(oldtype, newtype, &old);
    if (rc == MPI_SUCCESS)
        rc = hws_type_new_resized(old, lb, extent, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    enum hws_arg_kind kind = wide ? HWS_ARG_COUNT : HWS_ARG_AINT;
    struct hws_arg args[2] = {scalar(kind, lb), scalar(kind, extent)};
    return done(t, MPI_COMBINER_RESIZED, 2, args, oldtype, newtype);
}

int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype)
{
    return hws_raise(NULL, "MPI_Type_create_resized", make_resized(false, oldtype, lb, extent, newtype));
}
HWS_MPI(Type_create_resized)

int PMPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype)
{
    return hws_raise(NULL, "MPI_Type_create_resized_c", make_resized(true, oldtype, lb, extent, newtype));
}
HWS_MPI(Type_create_resized_c)

static int make_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type *old = NULL, *t = NULL;
    int rc = hws_check_make(oldtype, newtype, &old);
    if (rc == MPI_SUCCESS)
        rc = hws_type_new_dup(old, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    if ((rc = hws_attrs_copy(old->attrs, HWS_KIND_TYPE, oldtype, &t->attrs)) != MPI_SUCCESS) {
        hws_type_drop(t);
        *newtype = MPI_DATATYPE_NULL;
        return rc;
    }
    return done(t, MPI_COMBINER_DUP, 0, NULL, oldtype, newtype);
}

int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return hws_raise(NULL, "MPI_Type_dup", make_dup(oldtype, newtype));
}
HWS_MPI(Type_dup)

int PMPI_Type_commit(MPI_Datatype *datatype)
{
    struct hws_type *t = NULL;
    int rc = hws_check_ptr(datatype, "datatype");
    if (rc == MPI_SUCCESS)
        rc = hws_check_any_type(*datatype, "datatype", &t);
    if (rc == MPI_SUCCESS && !t->committed)
        rc = hws_type_commit(t);
    return hws_raise(NULL, "MPI_Type_commit", rc);
}
HWS_MPI(Type_commit)

static int type_free(MPI_Datatype *datatype)
{
    struct hws_type *t = NULL;
    int rc = hws_check_ptr(datatype, "datatype");
    if (rc == MPI_SUCCESS)
        rc = hws_check_any_type(*datatype, "datatype", &t);
    if (rc == MPI_SUCCESS && t->obj.handle)
        rc = hws_fail(MPI_ERR_TYPE, "invalid datatype: argument datatype is predefined (%s) and cannot be freed",
                      t->name[0] ? t->name : "unnamed");
    if (rc != MPI_SUCCESS)
        return rc;
    bool last = __atomic_sub_fetch(&t->handles, 1, __ATOMIC_ACQ_REL) == 0;
    if (last && t->attrs && (rc = hws_attrs_free(&t->attrs, HWS_KIND_TYPE, *datatype)) != MPI_SUCCESS) {
        __atomic_add_fetch(&t->handles, 1, __ATOMIC_RELAXED); /* a callback refused: the type stays */
        return rc;
    }
    hws_type_drop(t);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int PMPI_Type_free(MPI_Datatype *datatype)
{
    return hws_raise(NULL, "MPI_Type_free", type_free(datatype));
}
HWS_MPI(Type_free)
