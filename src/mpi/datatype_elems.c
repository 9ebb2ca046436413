/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_elems: entry points that count basic elements in a status (MPI 5.0 section 5.1.11) and set them
 * (section 13.3).
 */
#include "mpi/public.h"

#include <limits.h>

#include "core/request/request.h"
#include "core/type/datatype_elems.h"
#include "mpi/datatype_check.h"

static int get_elements(const char *fn, const MPI_Status *status, MPI_Datatype datatype, const void *count_arg,
                        MPI_Count *count)
{
    struct hws_type *t = NULL;
    int rc = hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(status, "status");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(count_arg, "count");
    if (rc == MPI_SUCCESS) {
        MPI_Count n = hws_type_elements(t, (MPI_Count)hws_status_bytes(status));
        *count = n < 0 ? MPI_UNDEFINED : n;
    }
    return hws_raise(NULL, fn, rc);
}

int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n = 0;
    int rc = get_elements("MPI_Get_elements", status, datatype, count, &n);
    if (rc == MPI_SUCCESS)
        *count = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}
HWS_MPI(Get_elements)

int PMPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return get_elements("MPI_Get_elements_c", status, datatype, count, count);
}
HWS_MPI(Get_elements_c)

int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return get_elements("MPI_Get_elements_x", status, datatype, count, count);
}
HWS_MPI(Get_elements_x)

static int set_elements(const char *fn, MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    struct hws_type *t = NULL;
    MPI_Count bytes = 0;
    int rc = hws_check_any_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(status, "status");
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(count, "count");
    if (rc == MPI_SUCCESS && !hws_type_elements_bytes(t, count, &bytes))
        rc = hws_fail(MPI_ERR_COUNT, "invalid count: argument count is %lld, the datatype cannot have so many elements",
                      (long long)count);
    if (rc == MPI_SUCCESS)
        hws_status_set(status, status->MPI_SOURCE, status->MPI_TAG, (uint64_t)bytes, hws_status_cancelled(status));
    return hws_raise(NULL, fn, rc);
}

int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count)
{
    return set_elements("MPI_Status_set_elements", status, datatype, count);
}
HWS_MPI(Status_set_elements)

int PMPI_Status_set_elements_c(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return set_elements("MPI_Status_set_elements_c", status, datatype, count);
}
HWS_MPI(Status_set_elements_c)

int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return set_elements("MPI_Status_set_elements_x", status, datatype, count);
}
HWS_MPI(Status_set_elements_x)
