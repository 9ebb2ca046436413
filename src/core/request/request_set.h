/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request_set: arrays of handles, for the any, some and all forms of waits and tests. Entries are MPI_REQUEST_NULL or
 * valid (the caller checked). Nothing is reported or freed here.
 */
#ifndef HWS_CORE_REQUEST_SET_H
#define HWS_CORE_REQUEST_SET_H

#include "core/request/request.h"

enum { HWS_SET_NONE_COMPLETE = -1, HWS_SET_NONE_ACTIVE = MPI_UNDEFINED };

/* The object of an entry if waits have to look at it: NULL for MPI_REQUEST_NULL and inactive persistent requests. */
static inline struct hws_request *hws_set_active(MPI_Request h)
{
    struct hws_request *r = (struct hws_request *)h;
    return h == MPI_REQUEST_NULL || !hws_request_is_active(r) ? NULL : r;
}

/* Index of the first active entry that is complete, from `from` on; HWS_SET_NONE_COMPLETE, or HWS_SET_NONE_ACTIVE. */
int hws_set_find(int n, const MPI_Request *set, int from);

/* True when MPI_Waitall may return: all are complete, or one failed because its peer is lost (the others might then
 * never complete: they are reported as MPI_ERR_PENDING, MPI 5.0 section 3.7.5). */
bool hws_set_is_ready(int n, const MPI_Request *set);

/* Block until that is so; hws_set_wait_any returns the index, or HWS_SET_NONE_ACTIVE at once. call:
 * MPI_Waitany or MPI_Waitsome. */
int hws_set_wait_any(const char *call, int n, const MPI_Request *set);
void hws_set_wait_all(int n, const MPI_Request *set);

#endif
