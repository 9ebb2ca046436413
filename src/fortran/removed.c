/* SPDX-License-Identifier: BSD-3-Clause
 *
 * removed: MPI-1's functions that MPI-3.0 removed and that programs in Fortran go on calling. They are to be linked
 * only: neither mpif.h nor a module names them. Addresses, extents and displacements are INTEGER; what does not fit is
 * an error.
 */
#include "fortran/bounds.h"
#include "fortran/fortran.h"

#include <limits.h>

static int narrow(const char *function, const char *instead, MPI_Aint value, hws_integer *out)
{
    if (sizeof(hws_integer) < sizeof value && (value < INT_MIN || value > INT_MAX)) {
        hws_trouble(MPI_ERR_VALUE_TOO_LARGE, "%lld does not fit INTEGER; use %s", (long long)value, instead);
        return hws_not_made(function);
    }
    *out = (hws_integer)value;
    return MPI_SUCCESS;
}

/* The n integers as C's, for free(). */
static int *narrowed(const hws_integer *from, hws_integer n)
{
    int *to = malloc((n > 0 ? (size_t)n : 1) * sizeof *to);
    for (hws_integer i = 0; to && i < n; i++)
        to[i] = hws_int(from[i]);
    return to;
}

/* The n integers as addresses, for free(). */
static MPI_Aint *widened(const hws_integer *from, hws_integer n)
{
    MPI_Aint *to = malloc((n > 0 ? (size_t)n : 1) * sizeof *to);
    for (hws_integer i = 0; to && i < n; i++)
        to[i] = from[i];
    return to;
}

void FORTRAN(address, ADDRESS)(void *location, hws_integer *address, hws_integer *ierror)
{
    MPI_Aint value = 0;
    int rc = MPI(Get_address)(hws_choice(location), &value);
    hws_return(ierror, rc ? rc : narrow("MPI_Address", "MPI_Get_address", value, address));
}

/* Which of its bounds: the extent, the lower one, the upper one. */
enum bound { EXTENT, LOWER, UPPER };

static int bound_of(const char *function, hws_integer datatype, enum bound which, hws_integer *out)
{
    MPI_Aint lb = 0, extent = 0;
    int rc = MPI(Type_get_extent)(hws_datatype_of(datatype), &lb, &extent);
    MPI_Aint value = which == EXTENT ? extent : which == LOWER ? lb : lb + extent;
    return rc ? rc : narrow(function, "MPI_Type_get_extent", value, out);
}

void FORTRAN(type_extent, TYPE_EXTENT)(const hws_integer *datatype, hws_integer *extent, hws_integer *ierror)
{
    hws_return(ierror, bound_of("MPI_Type_extent", *datatype, EXTENT, extent));
}

void FORTRAN(type_lb, TYPE_LB)(const hws_integer *datatype, hws_integer *lb, hws_integer *ierror)
{
    hws_return(ierror, bound_of("MPI_Type_lb", *datatype, LOWER, lb));
}

void FORTRAN(type_ub, TYPE_UB)(const hws_integer *datatype, hws_integer *ub, hws_integer *ierror)
{
    hws_return(ierror, bound_of("MPI_Type_ub", *datatype, UPPER, ub));
}

static void give_type(hws_integer *newtype, MPI_Datatype type, hws_integer *ierror, int rc)
{
    if (rc == MPI_SUCCESS)
        *newtype = PMPI_Type_c2f(type);
    hws_return(ierror, rc);
}

void FORTRAN(type_hvector, TYPE_HVECTOR)(const hws_integer *count, const hws_integer *blocklength,
                                         const hws_integer *stride, const hws_integer *oldtype, hws_integer *newtype,
                                         hws_integer *ierror)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int rc =
        MPI(Type_create_hvector)(hws_int(*count), hws_int(*blocklength), *stride, hws_datatype_of(*oldtype), &type);
    give_type(newtype, type, ierror, rc);
}

void FORTRAN(type_hindexed, TYPE_HINDEXED)(const hws_integer *count, const hws_integer *blocklengths,
                                           const hws_integer *displacements, const hws_integer *oldtype,
                                           hws_integer *newtype, hws_integer *ierror)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Aint *wide = widened(displacements, *count);
    int *lengths = narrowed(blocklengths, *count);
    int rc = wide && lengths
                 ? MPI(Type_create_hindexed)(hws_int(*count), lengths, wide, hws_datatype_of(*oldtype), &type)
                 : hws_not_made("MPI_Type_hindexed");
    free(lengths);
    free(wide);
    give_type(newtype, type, ierror, rc);
}

void FORTRAN(type_struct, TYPE_STRUCT)(const hws_integer *count, const hws_integer *blocklengths,
                                       const hws_integer *displacements, const hws_integer *types, hws_integer *newtype,
                                       hws_integer *ierror)
{
    MPI_Datatype type = MPI_DATATYPE_NULL, *c_types = hws_datatypes(types, *count);
    MPI_Aint *wide = widened(displacements, *count);
    int *lengths = narrowed(blocklengths, *count);
    int rc = wide && lengths && c_types ? MPI(Type_create_struct)(hws_int(*count), lengths, wide, c_types, &type)
                                        : hws_not_made("MPI_Type_struct");
    if (rc == MPI_SUCCESS)
        rc = hws_bounded(&(struct hws_members){*count, lengths, wide, types}, &type);
    free(lengths);
    free(wide);
    free(c_types);
    give_type(newtype, type, ierror, rc);
}

void FORTRAN(errhandler_create, ERRHANDLER_CREATE)(hws_procedure *function, hws_integer *errhandler,
                                                   hws_integer *ierror)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    hws_comm_errhandler_fn *c_function = hws_comm_errhandler_fn_for(function);
    int rc = c_function ? MPI(Comm_create_errhandler)(c_function, &handler) : hws_not_made("MPI_Errhandler_create");
    if (rc == MPI_SUCCESS)
        *errhandler = PMPI_Errhandler_c2f(handler);
    hws_return(ierror, rc);
}

void FORTRAN(errhandler_set, ERRHANDLER_SET)(const hws_integer *comm, const hws_integer *errhandler,
                                             hws_integer *ierror)
{
    hws_return(ierror, MPI(Comm_set_errhandler)(hws_comm_of(*comm), hws_errhandler_of(*errhandler)));
}

void FORTRAN(errhandler_get, ERRHANDLER_GET)(const hws_integer *comm, hws_integer *errhandler, hws_integer *ierror)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    int rc = MPI(Comm_get_errhandler)(hws_comm_of(*comm), &handler);
    if (rc == MPI_SUCCESS)
        *errhandler = PMPI_Errhandler_c2f(handler);
    hws_return(ierror, rc);
}
