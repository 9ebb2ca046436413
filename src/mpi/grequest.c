/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grequest: generalized requests (MPI 5.0 section 13.2).
 */
#include "mpi/public.h"

#include "core/request/grequest.h"
#include "mpi/check_p2p.h"

int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                        MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request)
{
    struct hws_grequest_calls calls = {query_fn, free_fn, cancel_fn, extra_state};
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS && !query_fn)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: query_fn is a null pointer");
    if (rc == MPI_SUCCESS && !cancel_fn)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: cancel_fn is a null pointer");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(request, "request");
    if (rc == MPI_SUCCESS)
        rc = hws_grequest_start(&calls, (struct hws_request **)request);
    return hws_raise(NULL, "MPI_Grequest_start", rc);
}
HWS_MPI(Grequest_start)

int PMPI_Grequest_complete(MPI_Request request)
{
    struct hws_request *r;
    int rc;
    if ((rc = hws_check_up()) == MPI_SUCCESS && (rc = hws_check_request(request, "request", -1, &r)) == MPI_SUCCESS)
        rc = hws_grequest_complete(r);
    return hws_raise(NULL, "MPI_Grequest_complete", rc);
}
HWS_MPI(Grequest_complete)
