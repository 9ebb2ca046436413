/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job: one run from the first process to the last: nodes, output, input, signals, and what to do when something fails.
 */
#ifndef HWS_MPIRUN_JOB_H
#define HWS_MPIRUN_JOB_H

#include "mpirun/cli/args.h"
#include "mpirun/node/rank.h"
#include "mpirun/place/place.h"

/* Runs the job to its end. Returns the exit status of mpirun. */
int hws_job_run(const struct hws_args *args, const struct hws_place *place, const struct hws_origin *origin);

#endif
