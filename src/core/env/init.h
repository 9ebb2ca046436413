/* SPDX-License-Identifier: BSD-3-Clause
 *
 * init: start and end of the process, for MPI_Init and for sessions.
 */
#ifndef HWS_CORE_INIT_H
#define HWS_CORE_INIT_H

/* Starts the process for MPI_Init(_thread): launcher, engine, predefined communicators. MPI class with a sentence. */
int hws_world_init(int required, int *provided);
/* The end of MPI_Finalize: flush, barrier with the launcher, close. */
int hws_world_fini(void);

/* The same two for each session (MPI 5.0 section 11.3). */
int hws_world_add_session(void);
int hws_world_remove_session(void);

#endif
