/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gather: what `mpirun -report FILE.html` asks of a rank (decision 038). What was sent is the engine's to tell; here a
 * thread looks every few milliseconds in which call of MPI the rank's threads are. Without -report nothing of it runs.
 */
#ifndef HWS_CORE_GATHER_H
#define HWS_CORE_GATHER_H

struct hws_engine_config;

/* Finds the profile, if one is asked for, and has the engine fill it. Before the board is taken, whose descriptor it
 * shares. */
void hws_gather_begin(struct hws_engine_config *cfg);

/* With the engine open: samples from now on, if the library that counts calls is there. */
void hws_gather_start(void);

/* Before the engine is closed: the last look at everything. */
void hws_gather_end(void);

#endif
