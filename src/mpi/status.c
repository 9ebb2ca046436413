/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status: what a status tells and how users set one (MPI 5.0 sections 3.2.5 and 13.3). These calls are local and work
 * on memory of the user only.
 */
#include "mpi/public.h"

#include <limits.h>

#include "core/request/request.h"
#include "mpi/check.h"

static int check_status(const MPI_Status *st, const void *out, const char *arg)
{
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_ptr(out, arg)) != MPI_SUCCESS)
        return rc;
    return st != MPI_STATUS_IGNORE ? MPI_SUCCESS
                                   : hws_fail(MPI_ERR_ARG, "invalid argument: status is MPI_STATUS_IGNORE");
}

/* Whole elements in the status, MPI_UNDEFINED if there is a rest. The type need not be committed. */
static int get_count_any(const char *fn, const MPI_Status *st, MPI_Datatype h, const void *out, MPI_Count *count)
{
    struct hws_type *t = hws_type_of(h);
    int rc = check_status(st, out, "count");
    if (rc == MPI_SUCCESS && !t)
        rc = hws_fail(MPI_ERR_TYPE, "invalid datatype: argument datatype is %s",
                      h == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "no datatype");
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    uint64_t bytes = hws_status_bytes(st), size = (uint64_t)t->size;
    if (size == 0)
        *count = bytes == 0 ? 0 : MPI_UNDEFINED;
    else
        *count = bytes % size == 0 ? (MPI_Count)(bytes / size) : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int PMPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n;
    int rc = get_count_any("MPI_Get_count", status, datatype, count, &n);
    if (rc == MPI_SUCCESS)
        *count = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}
HWS_MPI(Get_count)

int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    MPI_Count n;
    int rc = get_count_any("MPI_Get_count_c", status, datatype, count, &n);
    if (rc == MPI_SUCCESS)
        *count = n;
    return rc;
}
HWS_MPI(Get_count_c)

int PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    int rc = check_status(status, flag, "flag");
    if (rc == MPI_SUCCESS)
        *flag = hws_status_cancelled(status);
    return hws_raise(NULL, "MPI_Test_cancelled", rc);
}
HWS_MPI(Test_cancelled)

int PMPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    int rc = check_status(status, status, "status");
    if (rc == MPI_SUCCESS)
        status->MPI_internal[2] = flag != 0;
    return hws_raise(NULL, "MPI_Status_set_cancelled", rc);
}
HWS_MPI(Status_set_cancelled)

int PMPI_Status_get_source(const MPI_Status *status, int *source)
{
    int rc = check_status(status, source, "source");
    if (rc == MPI_SUCCESS)
        *source = status->MPI_SOURCE;
    return hws_raise(NULL, "MPI_Status_get_source", rc);
}
HWS_MPI(Status_get_source)

int PMPI_Status_get_tag(const MPI_Status *status, int *tag)
{
    int rc = check_status(status, tag, "tag");
    if (rc == MPI_SUCCESS)
        *tag = status->MPI_TAG;
    return hws_raise(NULL, "MPI_Status_get_tag", rc);
}
HWS_MPI(Status_get_tag)

int PMPI_Status_get_error(const MPI_Status *status, int *error)
{
    int rc = check_status(status, error, "error");
    if (rc == MPI_SUCCESS)
        *error = status->MPI_ERROR;
    return hws_raise(NULL, "MPI_Status_get_error", rc);
}
HWS_MPI(Status_get_error)

int PMPI_Status_set_source(MPI_Status *status, int source)
{
    int rc = check_status(status, status, "status");
    if (rc == MPI_SUCCESS)
        status->MPI_SOURCE = source;
    return hws_raise(NULL, "MPI_Status_set_source", rc);
}
HWS_MPI(Status_set_source)

int PMPI_Status_set_tag(MPI_Status *status, int tag)
{
    int rc = check_status(status, status, "status");
    if (rc == MPI_SUCCESS)
        status->MPI_TAG = tag;
    return hws_raise(NULL, "MPI_Status_set_tag", rc);
}
HWS_MPI(Status_set_tag)

int PMPI_Status_set_error(MPI_Status *status, int error)
{
    int rc = check_status(status, status, "status");
    if (rc == MPI_SUCCESS)
        status->MPI_ERROR = error;
    return hws_raise(NULL, "MPI_Status_set_error", rc);
}
HWS_MPI(Status_set_error)
