/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session: what entry points with a session argument share.
 */
#ifndef HWS_MPI_SESSION_H
#define HWS_MPI_SESSION_H

#include "core/env/sessions.h"

/* *out is NULL when the handle is none (MPI_ERR_SESSION). */
int hws_check_session(MPI_Session h, struct hws_session **out);

/* Errors of a session go to its own handler (MPI 5.0 section 9.3); s may be NULL. */
int hws_raise_session(struct hws_session *s, const char *fn, int rc);

#endif
