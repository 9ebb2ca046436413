/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_find: entry points that find a predefined datatype by what it can hold (MPI 5.0 sections 19.1.5 and 6.9.4).
 */
#include "mpi/public.h"

#include "mpi/datatype_check.h"

/* Ends a call: rc and what was found. */
static int found(const char *fn, int rc, struct hws_type *t, MPI_Datatype *out)
{
    if (rc == MPI_SUCCESS)
        *out = t ? hws_type_handle(t) : MPI_DATATYPE_NULL;
    return hws_raise(NULL, fn, rc);
}

static int check_out(const MPI_Datatype *out, const char *arg)
{
    int rc = hws_check_up();
    return rc == MPI_SUCCESS ? hws_check_ptr(out, arg) : rc;
}

int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    struct hws_type *t = NULL;
    int rc = check_out(newtype, "newtype");
    if (rc == MPI_SUCCESS)
        rc = hws_type_f90_real(p, r, &t);
    return found("MPI_Type_create_f90_real", rc, t, newtype);
}
HWS_MPI(Type_create_f90_real)

int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    struct hws_type *t = NULL;
    int rc = check_out(newtype, "newtype");
    if (rc == MPI_SUCCESS)
        rc = hws_type_f90_complex(p, r, &t);
    return found("MPI_Type_create_f90_complex", rc, t, newtype);
}
HWS_MPI(Type_create_f90_complex)

int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    struct hws_type *t = NULL;
    int rc = check_out(newtype, "newtype");
    if (rc == MPI_SUCCESS)
        rc = hws_type_f90_integer(r, &t);
    return found("MPI_Type_create_f90_integer", rc, t, newtype);
}
HWS_MPI(Type_create_f90_integer)

int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    struct hws_type *t = NULL;
    int rc = check_out(datatype, "datatype");
    if (rc == MPI_SUCCESS && !(t = hws_type_match(typeclass, size)))
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: no datatype of typeclass %d has size %d", typeclass, size);
    return found("MPI_Type_match_size", rc, t, datatype);
}
HWS_MPI(Type_match_size)

int PMPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type)
{
    struct hws_type *value = NULL, *index = NULL, *t = NULL;
    int rc = hws_check_any_type(value_type, "value_type", &value);
    if (rc == MPI_SUCCESS)
        rc = hws_check_any_type(index_type, "index_type", &index);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(pair_type, "pair_type");
    if (rc == MPI_SUCCESS)
        rc = hws_type_value_index(value, index, &t);
    return found("MPI_Type_get_value_index", rc, t, pair_type);
}
HWS_MPI(Type_get_value_index)
