/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs: a process is named by its job and its rank there, on the wire and wherever two processes speak of a third; in
 * one process peers have numbers. Those of the own job are its ranks, and 0 is the first; processes of other jobs
 * (MPI_Comm_spawn, MPI_Comm_connect) get the numbers behind them when their job is made known.
 */
#ifndef HWS_PEER_JOBS_H
#define HWS_PEER_JOBS_H

#include <stdint.h>

struct hws_engine;

/* Makes the n processes of another job peers, with the numbers *first .. *first + n - 1, until the engine's end. Both
 * ends of a connection must have done so: one from a job that is not known is refused. secret: of connections between
 * the two jobs, the same at both ends. The configuration's lookup() is asked for their cards by their numbers.
 * HWS_OK; HWS_EINVAL: the job is known already, is the own one, or has no process; HWS_ENOMEM. */
int hws_engine_add_job(struct hws_engine *e, uint64_t job_id, int n, const unsigned char secret[32], int *first);

/* The number of a process, or negative: its job is not known, or has no such rank. */
int hws_engine_number(struct hws_engine *e, uint64_t job_id, int rank);

#endif
