/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_array: entry points for parts of arrays (MPI 5.0 sections 5.1.3 and 5.1.4).
 */
#include "mpi/public.h"

#include "mpi/datatype_check.h"

static struct hws_arg scalar(MPI_Count v)
{
    return (struct hws_arg){.kind = HWS_ARG_INT, .n = 1, .scalar = v};
}

static struct hws_arg list(bool wide, int n, struct hws_counts v)
{
    return (struct hws_arg){.kind = wide ? HWS_ARG_COUNT : HWS_ARG_INT, .n = n, .values = v};
}

static int check_order(int order)
{
    if (order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_ARG, "invalid argument: order is %d, it must be MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
}

static int check_ndims(int ndims)
{
    return ndims > 0 ? MPI_SUCCESS : hws_fail(MPI_ERR_ARG, "invalid argument: ndims is %d, it must be positive", ndims);
}

/* min <= v <= max */
static int check_range(MPI_Count v, MPI_Count min, MPI_Count max, const char *arg, int i)
{
    if (v >= min && v <= max)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_ARG, "invalid argument: %s[%d] is %lld, it must be %lld to %lld", arg, i, (long long)v,
                    (long long)min, (long long)max);
}

static int check_subarray_dim(const struct hws_subarray *a, int i)
{
    MPI_Count size = hws_counts_at(a->sizes, i), part = hws_counts_at(a->subsizes, i);
    int rc = check_range(size, 1, INT64_MAX, "array_of_sizes", i);
    if (rc == MPI_SUCCESS)
        rc = check_range(part, 1, size, "array_of_subsizes", i);
    if (rc == MPI_SUCCESS)
        rc = check_range(hws_counts_at(a->starts, i), 0, size - part, "array_of_starts", i);
    return rc;
}

static int check_subarray(const struct hws_subarray *a, int order)
{
    int rc = check_ndims(a->ndims);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(a->sizes.p, "array_of_sizes");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(a->subsizes.p, "array_of_subsizes");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(a->starts.p, "array_of_starts");
    for (int i = 0; i < a->ndims && rc == MPI_SUCCESS; i++)
        rc = check_subarray_dim(a, i);
    return rc == MPI_SUCCESS ? check_order(order) : rc;
}

static int make_subarray(const struct hws_subarray *a, int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type *old = NULL, *t = NULL;
    int rc = hws_check_make(oldtype, newtype, &old);
    if (rc == MPI_SUCCESS)
        rc = check_subarray(a, order);
    if (rc == MPI_SUCCESS)
        rc = hws_type_new_subarray(a, old, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    bool wide = a->sizes.wide;
    struct hws_arg args[5] = {scalar(a->ndims), list(wide, a->ndims, a->sizes), list(wide, a->ndims, a->subsizes),
                              list(wide, a->ndims, a->starts), scalar(order)};
    if ((rc = hws_type_remember(t, MPI_COMBINER_SUBARRAY, 5, args, 1, &oldtype)) == MPI_SUCCESS)
        *newtype = hws_type_handle(t);
    return rc;
}

int PMPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                              const int array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_subarray a = {ndims, order == MPI_ORDER_FORTRAN, hws_ints(array_of_sizes), hws_ints(array_of_subsizes),
                             hws_ints(array_of_starts)};
    return hws_raise(NULL, "MPI_Type_create_subarray", make_subarray(&a, order, oldtype, newtype));
}
HWS_MPI(Type_create_subarray)

int PMPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[],
                                const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype,
                                MPI_Datatype *newtype)
{
    struct hws_subarray a = {ndims, order == MPI_ORDER_FORTRAN, hws_wides(array_of_sizes), hws_wides(array_of_subsizes),
                             hws_wides(array_of_starts)};
    return hws_raise(NULL, "MPI_Type_create_subarray_c", make_subarray(&a, order, oldtype, newtype));
}
HWS_MPI(Type_create_subarray_c)

static int check_distribution(const struct hws_darray *a, int i)
{
    MPI_Count gsize = hws_counts_at(a->gsizes, i);
    int kind = a->distribs[i], arg = a->dargs[i], p = a->psizes[i];
    if (kind != MPI_DISTRIBUTE_NONE && kind != MPI_DISTRIBUTE_BLOCK && kind != MPI_DISTRIBUTE_CYCLIC)
        return hws_fail(MPI_ERR_ARG, "invalid argument: array_of_distribs[%d] is %d, which is no distribution", i,
                        kind);
    if (kind == MPI_DISTRIBUTE_NONE && p != 1)
        return hws_fail(MPI_ERR_ARG,
                        "invalid argument: array_of_psizes[%d] is %d, it must be 1 for MPI_DISTRIBUTE_NONE", i, p);
    if (kind == MPI_DISTRIBUTE_NONE || arg == MPI_DISTRIBUTE_DFLT_DARG)
        return MPI_SUCCESS;
    if (arg < 1)
        return hws_fail(MPI_ERR_ARG, "invalid argument: array_of_dargs[%d] is %d, it must be positive", i, arg);
    if (kind == MPI_DISTRIBUTE_BLOCK && (MPI_Count)arg * p < gsize)
        return hws_fail(MPI_ERR_ARG,
                        "invalid argument: array_of_dargs[%d] is %d, %d blocks of it do not hold %lld elements", i, arg,
                        p, (long long)gsize);
    return MPI_SUCCESS;
}

static int check_grid(const struct hws_darray *a)
{
    long long n = 1;
    for (int i = 0; i < a->ndims; i++) {
        if (a->psizes[i] < 1 || a->psizes[i] > a->size)
            return hws_fail(MPI_ERR_ARG,
                            "invalid argument: array_of_psizes[%d] is %d, it must be 1 to size, which is %d", i,
                            a->psizes[i], a->size);
        n *= a->psizes[i];
        if (n > a->size)
            break;
    }
    if (n == a->size)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_ARG, "invalid argument: the product of array_of_psizes is not size, which is %d", a->size);
}

static int check_darray(const struct hws_darray *a, int order)
{
    int rc = check_ndims(a->ndims);
    if (rc == MPI_SUCCESS && a->size < 1)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: size is %d, it must be positive", a->size);
    if (rc == MPI_SUCCESS && (a->rank < 0 || a->rank >= a->size))
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: rank is %d, it must be 0 to %d", a->rank, a->size - 1);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(a->gsizes.p, "array_of_gsizes");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(a->distribs, "array_of_distribs");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(a->dargs, "array_of_dargs");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(a->psizes, "array_of_psizes");
    if (rc == MPI_SUCCESS)
        rc = check_grid(a);
    for (int i = 0; i < a->ndims && rc == MPI_SUCCESS; i++) {
        rc = check_range(hws_counts_at(a->gsizes, i), 1, INT64_MAX, "array_of_gsizes", i);
        if (rc == MPI_SUCCESS)
            rc = check_distribution(a, i);
    }
    return rc == MPI_SUCCESS ? check_order(order) : rc;
}

static int make_darray(const struct hws_darray *a, int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_type *old = NULL, *t = NULL;
    int rc = hws_check_make(oldtype, newtype, &old);
    if (rc == MPI_SUCCESS)
        rc = check_darray(a, order);
    if (rc == MPI_SUCCESS)
        rc = hws_type_new_darray(a, old, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    int n = a->ndims;
    struct hws_arg args[8] = {scalar(a->size),
                              scalar(a->rank),
                              scalar(n),
                              list(a->gsizes.wide, n, a->gsizes),
                              list(false, n, hws_ints(a->distribs)),
                              list(false, n, hws_ints(a->dargs)),
                              list(false, n, hws_ints(a->psizes)),
                              scalar(order)};
    if ((rc = hws_type_remember(t, MPI_COMBINER_DARRAY, 8, args, 1, &oldtype)) == MPI_SUCCESS)
        *newtype = hws_type_handle(t);
    return rc;
}

int PMPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[], const int array_of_distribs[],
                            const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype,
                            MPI_Datatype *newtype)
{
    struct hws_darray a = {
        size,           rank,           ndims, order == MPI_ORDER_FORTRAN, hws_ints(array_of_gsizes), array_of_distribs,
        array_of_dargs, array_of_psizes};
    return hws_raise(NULL, "MPI_Type_create_darray", make_darray(&a, order, oldtype, newtype));
}
HWS_MPI(Type_create_darray)

int PMPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                              const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[],
                              int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct hws_darray a = {size,
                           rank,
                           ndims,
                           order == MPI_ORDER_FORTRAN,
                           hws_wides(array_of_gsizes),
                           array_of_distribs,
                           array_of_dargs,
                           array_of_psizes};
    return hws_raise(NULL, "MPI_Type_create_darray_c", make_darray(&a, order, oldtype, newtype));
}
HWS_MPI(Type_create_darray_c)
