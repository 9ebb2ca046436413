/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_check: checks that only calls about datatypes need (see mpi/check.h).
 */
#ifndef HWS_MPI_DATATYPE_CHECK_H
#define HWS_MPI_DATATYPE_CHECK_H

#include "core/type/datatype_make.h"
#include "mpi/check.h"

/* A type, committed or not. */
static inline int hws_check_any_type(MPI_Datatype h, const char *arg, struct hws_type **out)
{
    int rc = hws_check_up();
    if (rc != MPI_SUCCESS)
        return rc;
    if ((*out = hws_type_of(h)) != NULL)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_TYPE, "invalid datatype: argument %s is %s", arg,
                    h == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "no datatype");
}

/* What every constructor of one old type needs. */
static inline int hws_check_make(MPI_Datatype oldtype, const MPI_Datatype *newtype, struct hws_type **old)
{
    int rc = hws_check_any_type(oldtype, "oldtype", old);
    return rc == MPI_SUCCESS ? hws_check_ptr(newtype, "newtype") : rc;
}

/* An array of n entries, which may be missing when n is 0. */
static inline int hws_check_array(MPI_Count n, const void *p, const char *arg)
{
    return n == 0 ? MPI_SUCCESS : hws_check_ptr(p, arg);
}

static inline int hws_check_lengths(MPI_Count n, struct hws_counts v, const char *arg)
{
    int rc = hws_check_array(n, v.p, arg);
    for (MPI_Count i = 0; i < n && rc == MPI_SUCCESS; i++)
        if (hws_counts_at(v, i) < 0)
            rc = hws_fail(MPI_ERR_ARG, "invalid argument: %s[%lld] is %lld, it must not be negative", arg, (long long)i,
                          (long long)hws_counts_at(v, i));
    return rc;
}

static inline struct hws_counts hws_ints(const int *p)
{
    return (struct hws_counts){p, false};
}

static inline struct hws_counts hws_wides(const MPI_Count *p)
{
    return (struct hws_counts){p, true};
}

static inline struct hws_counts hws_aints(const MPI_Aint *p)
{
    _Static_assert(sizeof(MPI_Aint) == sizeof(MPI_Count), "displacements are read as MPI_Count");
    return (struct hws_counts){p, true};
}

#endif
