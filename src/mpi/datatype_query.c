/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_query: entry points that ask a datatype for size, bounds and name (MPI 5.0 sections 5.1.5 to 5.1.8, 7.8).
 * What does not fit the caller's integer is MPI_UNDEFINED.
 */
#include "mpi/public.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mpi/datatype_check.h"

static int type_size(const char *fn, MPI_Datatype datatype, const void *size_arg, MPI_Count *size)
{
    struct hws_type *t = NULL;
    int rc = hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(size_arg, "size");
    if (rc == MPI_SUCCESS)
        *size = t->too_large ? MPI_UNDEFINED : t->size;
    return hws_raise(NULL, fn, rc);
}

int PMPI_Type_size(MPI_Datatype datatype, int *size)
{
    MPI_Count n = 0;
    int rc = type_size("MPI_Type_size", datatype, size, &n);
    if (rc == MPI_SUCCESS)
        *size = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}
HWS_MPI(Type_size)

int PMPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size)
{
    return type_size("MPI_Type_size_c", datatype, size, size);
}
HWS_MPI(Type_size_c)

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    return type_size("MPI_Type_size_x", datatype, size, size);
}
HWS_MPI(Type_size_x)

/* lb and extent, or the true ones. */
static int bounds(const char *fn, bool true_ones, MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    struct hws_type *t = NULL;
    int rc = hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(lb, true_ones ? "true_lb" : "lb");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(extent, true_ones ? "true_extent" : "extent");
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if (t->too_large) {
        *lb = *extent = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    *lb = true_ones ? t->true_lb : t->lb;
    *extent = true_ones ? t->true_extent : t->extent;
    return MPI_SUCCESS;
}

/* MPI_Aint is as wide as MPI_Count here, but may be another C type. */
static int bounds_aint(const char *fn, bool true_ones, MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    MPI_Count wide_lb = 0, wide_extent = 0;
    int rc = bounds(fn, true_ones, datatype, lb ? &wide_lb : NULL, extent ? &wide_extent : NULL);
    if (rc == MPI_SUCCESS) {
        *lb = wide_lb;
        *extent = wide_extent;
    }
    return rc;
}

int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    return bounds_aint("MPI_Type_get_extent", false, datatype, lb, extent);
}
HWS_MPI(Type_get_extent)

int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return bounds("MPI_Type_get_extent_c", false, datatype, lb, extent);
}
HWS_MPI(Type_get_extent_c)

int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return bounds("MPI_Type_get_extent_x", false, datatype, lb, extent);
}
HWS_MPI(Type_get_extent_x)

int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent)
{
    return bounds_aint("MPI_Type_get_true_extent", true, datatype, true_lb, true_extent);
}
HWS_MPI(Type_get_true_extent)

int PMPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    return bounds("MPI_Type_get_true_extent_c", true, datatype, true_lb, true_extent);
}
HWS_MPI(Type_get_true_extent_c)

int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    return bounds("MPI_Type_get_true_extent_x", true, datatype, true_lb, true_extent);
}
HWS_MPI(Type_get_true_extent_x)

int PMPI_Type_set_name(MPI_Datatype datatype, const char *type_name)
{
    struct hws_type *t = NULL;
    int rc = hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(type_name, "type_name");
    if (rc == MPI_SUCCESS)
        snprintf(t->name, sizeof t->name, "%s", type_name);
    return hws_raise(NULL, "MPI_Type_set_name", rc);
}
HWS_MPI(Type_set_name)

/* MPI_DATATYPE_NULL has a name too (MPI 5.0 section 7.8). */
int PMPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen)
{
    struct hws_type *t = NULL;
    int rc = datatype == MPI_DATATYPE_NULL ? hws_check_up() : hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(type_name, "type_name");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(resultlen, "resultlen");
    if (rc == MPI_SUCCESS) {
        strcpy(type_name, t ? t->name : "MPI_DATATYPE_NULL");
        *resultlen = (int)strlen(type_name);
    }
    return hws_raise(NULL, "MPI_Type_get_name", rc);
}
HWS_MPI(Type_get_name)

/* Address arithmetic goes through integers, so that MPI_BOTTOM and any two objects are fine (section 5.1.5). */
int PMPI_Get_address(const void *location, MPI_Aint *address)
{
    int rc = hws_check_ptr(address, "address");
    if (rc == MPI_SUCCESS)
        *address = (MPI_Aint)location;
    return hws_raise(NULL, "MPI_Get_address", rc);
}
HWS_MPI(Get_address)

MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}

MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}
HWS_MPI(Aint_add)
HWS_MPI(Aint_diff)
