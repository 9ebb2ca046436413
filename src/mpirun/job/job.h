/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job: mpirun's jobs from the first process to the last: nodes, output, input, signals, and what to do when something
 * fails. A job has ranks, a secret, a key space and a fate of its own; the hosts with their daemons, mpirun's streams
 * and signals are shared (decision 039). The command line makes one job.
 */
#ifndef HWS_MPIRUN_JOB_H
#define HWS_MPIRUN_JOB_H

#include "mpirun/cli/args.h"
#include "mpirun/node/rank.h"
#include "mpirun/place/place.h"

struct mpirun;

/* Nothing runs yet. args says what is about mpirun as a whole, and must live as long, as origin. It lives until the
 * process ends. NULL: the reason is said on stderr. */
struct mpirun *hws_mpirun_open(const struct hws_args *args, const struct hws_origin *origin);

/* Begins a job, also while others run; args and place must live as long. mpirun's input is the first one's. 0, or the
 * exit status and nothing begun: the reason is said on stderr. */
int hws_mpirun_add_job(struct mpirun *m, const struct hws_args *args, const struct hws_place *place);

/* Runs all jobs to their ends. Returns the exit status of mpirun: of the first job, by its number, that has failed. */
int hws_mpirun_run(struct mpirun *m);

/* Runs one job to its end. Returns the exit status of mpirun. */
int hws_job_run(const struct hws_args *args, const struct hws_place *place, const struct hws_origin *origin);

#endif
