/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request: waits and tests of one request, cancel, free and looks without ending (MPI 5.0 sections 3.7 and 3.8.4).
 */
#include "mpi/public.h"

#include "core/object/event.h"
#include "mpi/report.h"
#include "peer/engine.h"

static int check_handle(const MPI_Request *req, struct hws_request **r)
{
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_ptr(req, "request")) != MPI_SUCCESS)
        return rc;
    return hws_check_request_or_null(*req, "request", -1, r);
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct hws_request *r;
    int rc = check_handle(request, &r);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Wait", rc);
    if (!r || !hws_request_is_active(r)) {
        hws_status_empty(status);
        return MPI_SUCCESS;
    }
    if (!hws_request_is_complete(r))
        hws_engine_wait(hws_world.engine, &r->complete, hws_request_describe);
    else
        hws_engine_push(hws_world.engine);
    return hws_report_one("MPI_Wait", request, r, status);
}
HWS_MPI(Wait)

/* True: complete, perhaps after one step of progress. */
static bool is_complete_now(struct hws_request *r)
{
    if (hws_request_is_complete(r)) {
        hws_engine_push(hws_world.engine);
        return true;
    }
    hws_engine_progress(hws_world.engine);
    hws_events_deliver();
    return hws_request_is_complete(r);
}

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct hws_request *r;
    int rc = check_handle(request, &r);
    if (rc != MPI_SUCCESS || (rc = hws_check_ptr(flag, "flag")) != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Test", rc);
    *flag = 1;
    if (!r || !hws_request_is_active(r)) {
        hws_status_empty(status);
        return MPI_SUCCESS;
    }
    if (is_complete_now(r))
        return hws_report_one("MPI_Test", request, r, status);
    *flag = 0;
    return MPI_SUCCESS;
}
HWS_MPI(Test)

int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct hws_request *r;
    int rc = check_handle(&request, &r);
    if (rc != MPI_SUCCESS || (rc = hws_check_ptr(flag, "flag")) != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Request_get_status", rc);
    *flag = 1;
    if (!r || !hws_request_is_active(r)) {
        hws_status_empty(status);
        return MPI_SUCCESS;
    }
    if (is_complete_now(r))
        return hws_raise(r->comm, "MPI_Request_get_status", r->ops->finish(r, status));
    *flag = 0;
    return MPI_SUCCESS;
}
HWS_MPI(Request_get_status)

static int check_no_null(const char *fn, const MPI_Request *req, struct hws_request **r)
{
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_ptr(req, "request")) != MPI_SUCCESS ||
        (rc = hws_check_request(*req, "request", -1, r)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    return MPI_SUCCESS;
}

int PMPI_Cancel(MPI_Request *request)
{
    struct hws_request *r;
    int rc = check_no_null("MPI_Cancel", request, &r);
    return rc != MPI_SUCCESS ? rc : hws_raise(r->comm, "MPI_Cancel", hws_request_cancel(r));
}
HWS_MPI(Cancel)

int PMPI_Request_free(MPI_Request *request)
{
    struct hws_request *r;
    int rc = check_no_null("MPI_Request_free", request, &r);
    if (rc != MPI_SUCCESS)
        return rc;
    *request = MPI_REQUEST_NULL;
    return hws_raise(NULL, "MPI_Request_free", hws_request_discard(r));
}
HWS_MPI(Request_free)
