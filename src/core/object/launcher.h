/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launcher: what core asks the launcher while the job runs.
 */
#ifndef HWS_CORE_LAUNCHER_H
#define HWS_CORE_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

#define HWS_LAUNCHER_CARD 4096 /* bytes of "host/card" under one key */

/* The launcher's barrier that this process waits in is over. */
extern volatile bool hws_launcher_barrier_done;

/* The value of a peer's key, "host/card". Call with the engine's lock or before there is an engine. While it waits for
 * the answer the end of the last barrier may arrive, which then makes nothing readable any more. enum hws_err. */
int hws_launcher_card(int peer, char *value, size_t len);

/* Forgets what was learned, and the client. */
void hws_launcher_close(void);

/* A key that follows from the job's secret, another one for each purpose. enum hws_err. */
int hws_launcher_key(const char *purpose, unsigned char key[32]);

/* Tells the launcher to end the job, from any thread at any time. False: nobody has printed the text. */
bool hws_world_abort(int exit_code, const char *text);

/* (*hosts)[size]: the number of each process's host, as the launcher placed them, the same in all processes; valid
 * until the end. NULL: not known, to none of them, or the same for all. MPI class. */
int hws_world_hosts(const int **hosts);

/* (*sites)[size]: the number of each process's site, in the same way. */
int hws_world_sites(const int **sites);

/* "rank 3 on host h1" of any process of the job, for messages; valid until the thread's next call. */
const char *hws_world_peer_name(int peer);

#endif
