/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grequest: generalized requests: operations of the user's own behind MPI_Request (MPI 5.0 section 13.2).
 */
#ifndef HWS_CORE_GREQUEST_H
#define HWS_CORE_GREQUEST_H

#include "core/request/request.h"

struct hws_grequest_calls {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

/* A new active request. */
int hws_grequest_start(const struct hws_grequest_calls *calls, struct hws_request **req);

/* The user's operation has ended: threads that wait for it are woken. MPI_ERR_REQUEST if r is of another kind or
 * complete. */
int hws_grequest_complete(struct hws_request *r);

#endif
