/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session: the object behind MPI_Session (MPI 5.0 section 11.3). Groups made from its sets, and what is made of those,
 * refer to it.
 */
#ifndef HWS_CORE_SESSION_H
#define HWS_CORE_SESSION_H

#include "core/object/object.h"

struct hws_errhandler;
struct hws_bsend_pool;

struct hws_session {
    struct hws_object obj; /* groups made from its sets, and what is made of those, refer to it */
    struct hws_errhandler *errhandler;
    struct hws_bsend_pool *bsend; /* MPI_Session_attach_buffer; NULL: none */
    int thread_level;             /* MPI_THREAD_... in force */
};

/* The object of a handle; NULL if it is none. */
static inline struct hws_session *hws_session_of(MPI_Session h)
{
    return (struct hws_session *)hws_object_of(h, HWS_KIND_SESSION);
}

static inline MPI_Session hws_session_handle(struct hws_session *s)
{
    return (MPI_Session)s;
}

void hws_session_drop(struct hws_session *s); /* NULL allowed */

static inline void hws_session_hold(struct hws_session *s)
{
    hws_object_hold(&s->obj);
}

#endif
