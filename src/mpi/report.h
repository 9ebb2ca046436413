/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report: how a complete request is handed back to the user: status, handle, error handler. Shared by the waits on one
 * request and those on many.
 */
#ifndef HWS_MPI_REPORT_H
#define HWS_MPI_REPORT_H

#include "core/request/request_set.h"
#include "mpi/check_p2p.h"

static inline int hws_report_failed(const char *fn, MPI_Request *h, struct hws_request *r, MPI_Status *st)
{
    struct hws_comm *c = r->comm; /* outlives the request for the error handler's sake */
    if (c)
        hws_comm_hold(c);
    bool persistent = r->persistent;
    int rc = hws_request_report(r, st);
    if (!persistent)
        *h = MPI_REQUEST_NULL;
    rc = hws_raise(c, fn, rc);
    if (c)
        hws_comm_drop(c);
    return rc;
}

/* Ends the complete and active request r, whose handle is *h. Returns the code for the user. */
static inline int hws_report_one(const char *fn, MPI_Request *h, struct hws_request *r, MPI_Status *st)
{
    if (__builtin_expect(r->error != MPI_SUCCESS, 0))
        return hws_report_failed(fn, h, r, st);
    if (!r->persistent)
        *h = MPI_REQUEST_NULL;
    return hws_raise(NULL, fn, hws_request_report(r, st)); /* can still fail: callbacks of generalized requests */
}

#endif
