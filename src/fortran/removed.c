/* SPDX-License-Identifier: BSD-3-Clause
 *
 * removed: MPI-1's functions that MPI-3.0 removed and that programs in Fortran go on calling. They are to be linked
 * only: neither mpif.h nor a module names them. Addresses, extents and displacements are INTEGER; what does not fit is
 * an error.
 */
#include "fortran/fortran.h"

#include <limits.h>

static int narrow(const char *function, const char *instead, MPI_Aint value, MPI_Fint *out)
{
    if (value < INT_MIN || value > INT_MAX) {
        hws_trouble(MPI_ERR_VALUE_TOO_LARGE, "%lld does not fit INTEGER; use %s", (long long)value, instead);
        return hws_not_made(function);
    }
    *out = (MPI_Fint)value;
    return MPI_SUCCESS;
}

/* The n integers as addresses, for free(). */
static MPI_Aint *widened(const MPI_Fint *from, int n)
{
    MPI_Aint *to = malloc((n > 0 ? (size_t)n : 1) * sizeof *to);
    for (int i = 0; to && i < n; i++)
        to[i] = from[i];
    return to;
}

void FORTRAN(address, ADDRESS)(void *location, MPI_Fint *address, MPI_Fint *ierror)
{
    MPI_Aint value = 0;
    int rc = MPI(Get_address)(hws_choice(location), &value);
    hws_return(ierror, rc ? rc : narrow("MPI_Address", "MPI_Get_address", value, address));
}

/* Which of its bounds: the extent, the lower one, the upper one. */
enum bound { EXTENT, LOWER, UPPER };

static int bound_of(const char *function, MPI_Fint datatype, enum bound which, MPI_Fint *out)
{
    MPI_Aint lb = 0, extent = 0;
    int rc = MPI(Type_get_extent)(PMPI_Type_f2c(datatype), &lb, &extent);
    MPI_Aint value = which == EXTENT ? extent : which == LOWER ? lb : lb + extent;
    return rc ? rc : narrow(function, "MPI_Type_get_extent", value, out);
}

void FORTRAN(type_extent, TYPE_EXTENT)(const MPI_Fint *datatype, MPI_Fint *extent, MPI_Fint *ierror)
{
    hws_return(ierror, bound_of("MPI_Type_extent", *datatype, EXTENT, extent));
}

void FORTRAN(type_lb, TYPE_LB)(const MPI_Fint *datatype, MPI_Fint *lb, MPI_Fint *ierror)
{
    hws_return(ierror, bound_of("MPI_Type_lb", *datatype, LOWER, lb));
}

void FORTRAN(type_ub, TYPE_UB)(const MPI_Fint *datatype, MPI_Fint *ub, MPI_Fint *ierror)
{
    hws_return(ierror, bound_of("MPI_Type_ub", *datatype, UPPER, ub));
}

static void give_type(MPI_Fint *newtype, MPI_Datatype type, MPI_Fint *ierror, int rc)
{
    if (rc == MPI_SUCCESS)
        *newtype = PMPI_Type_c2f(type);
    hws_return(ierror, rc);
}

void FORTRAN(type_hvector, TYPE_HVECTOR)(const MPI_Fint *count, const MPI_Fint *blocklength, const MPI_Fint *stride,
                                         const MPI_Fint *oldtype, MPI_Fint *newtype, MPI_Fint *ierror)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int rc = MPI(Type_create_hvector)(*count, *blocklength, *stride, PMPI_Type_f2c(*oldtype), &type);
    give_type(newtype, type, ierror, rc);
}

void FORTRAN(type_hindexed, TYPE_HINDEXED)(const MPI_Fint *count, const MPI_Fint *blocklengths,
                                           const MPI_Fint *displacements, const MPI_Fint *oldtype, MPI_Fint *newtype,
                                           MPI_Fint *ierror)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Aint *wide = widened(displacements, *count);
    int rc = wide ? MPI(Type_create_hindexed)(*count, blocklengths, wide, PMPI_Type_f2c(*oldtype), &type)
                  : hws_not_made("MPI_Type_hindexed");
    free(wide);
    give_type(newtype, type, ierror, rc);
}

void FORTRAN(type_struct, TYPE_STRUCT)(const MPI_Fint *count, const MPI_Fint *blocklengths,
                                       const MPI_Fint *displacements, const MPI_Fint *types, MPI_Fint *newtype,
                                       MPI_Fint *ierror)
{
    MPI_Datatype type = MPI_DATATYPE_NULL, *c_types = hws_datatypes(types, *count);
    MPI_Aint *wide = widened(displacements, *count);
    int rc = wide && c_types ? MPI(Type_create_struct)(*count, blocklengths, wide, c_types, &type)
                             : hws_not_made("MPI_Type_struct");
    free(wide);
    free(c_types);
    give_type(newtype, type, ierror, rc);
}

void FORTRAN(errhandler_create, ERRHANDLER_CREATE)(hws_procedure *function, MPI_Fint *errhandler, MPI_Fint *ierror)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    hws_comm_errhandler_fn *c_function = hws_comm_errhandler_fn_for(function);
    int rc = c_function ? MPI(Comm_create_errhandler)(c_function, &handler) : hws_not_made("MPI_Errhandler_create");
    if (rc == MPI_SUCCESS)
        *errhandler = PMPI_Errhandler_c2f(handler);
    hws_return(ierror, rc);
}

void FORTRAN(errhandler_set, ERRHANDLER_SET)(const MPI_Fint *comm, const MPI_Fint *errhandler, MPI_Fint *ierror)
{
    hws_return(ierror, MPI(Comm_set_errhandler)(PMPI_Comm_f2c(*comm), PMPI_Errhandler_f2c(*errhandler)));
}

void FORTRAN(errhandler_get, ERRHANDLER_GET)(const MPI_Fint *comm, MPI_Fint *errhandler, MPI_Fint *ierror)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    int rc = MPI(Comm_get_errhandler)(PMPI_Comm_f2c(*comm), &handler);
    if (rc == MPI_SUCCESS)
        *errhandler = PMPI_Errhandler_c2f(handler);
    hws_return(ierror, rc);
}
