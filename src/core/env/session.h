/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session: MPI_Session (MPI 5.0 section 11.3). Any number may be open at once, with or without MPI_Init; each keeps the
 * process's engine alive. Process sets are the two that every job has: mpi://WORLD and mpi://SELF.
 */
#ifndef HWS_CORE_SESSION_H
#define HWS_CORE_SESSION_H

#include "core/comm/group.h"
#include "core/object/object.h"

struct hws_errhandler;
struct hws_info;
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

/* MPI class. e: its error handler (held here). info may ask for a thread level; NULL: none. */
int hws_session_init(const struct hws_info *info, struct hws_errhandler *e, struct hws_session **out);
/* The hints in force (the thread level; others are ignored), as a new object of the caller's; NULL: no memory. */
struct hws_info *hws_session_hints(const struct hws_session *s);
/* Waits for buffered messages, then ends the session; the memory goes with the last group that refers to it. */
int hws_session_finalize(struct hws_session *s);
void hws_session_drop(struct hws_session *s); /* NULL allowed */

static inline void hws_session_hold(struct hws_session *s)
{
    hws_object_hold(&s->obj);
}

/* Process sets: names by number, NULL beyond the last; the size of one, -1: no such name; its group (a new reference).
 */
const char *hws_pset_name(int n);
int hws_pset_size(const char *name);
int hws_pset_group(struct hws_session *s, const char *name, struct hws_group **out);

#endif
