/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sessions: MPI_Session (MPI 5.0 section 11.3). Any number may be open at once, with or without MPI_Init; each keeps
 * the process's engine alive. Process sets are the two that every job has: mpi://WORLD and mpi://SELF.
 */
#ifndef HWS_CORE_SESSIONS_H
#define HWS_CORE_SESSIONS_H

#include "core/comm/group.h"
#include "core/comm/session.h"

struct hws_errhandler;
struct hws_info;

/* MPI class. e: its error handler (held here). info may ask for a thread level; NULL: none. */
int hws_session_init(const struct hws_info *info, struct hws_errhandler *e, struct hws_session **out);
/* The hints in force (the thread level; others are ignored), as a new object of the caller's; NULL: no memory. */
struct hws_info *hws_session_hints(const struct hws_session *s);
/* Waits for buffered messages, then ends the session; the memory goes with the last group that refers to it. */
int hws_session_finalize(struct hws_session *s);

/* Process sets: names by number, NULL beyond the last; the size of one, -1: no such name; its group (a new reference).
 */
const char *hws_pset_name(int n);
int hws_pset_size(const char *name);
int hws_pset_group(struct hws_session *s, const char *name, struct hws_group **out);

#endif
