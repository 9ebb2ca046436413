/* SPDX-License-Identifier: BSD-3-Clause
 *
 * policy: what becomes of the job when a rank or a host of it dies, or something else goes wrong. Only here: nodes and
 * daemons tell what has happened, the library has operations fail that need the dead rank, and neither ends a job for
 * it. A policy is a row for each cause (failure.h). Pure.
 */
#ifndef HWS_MPIRUN_POLICY_H
#define HWS_MPIRUN_POLICY_H

#include "mpirun/job/failure.h"

enum hws_consequence {
    HWS_GO_ON,    /* the other ranks go on, and mpirun's exit status is that of a job that ended well */
    HWS_END_SOON, /* the job ends, after a moment in which something that explains it better may come */
    HWS_END_NOW,
};

struct hws_policy {
    const char *name;
    enum hws_consequence on[HWS_CAUSES];
};

/* MPI's default: a death ends the job. */
extern const struct hws_policy hws_policy_end;

/* Hears the news. *found: what ends the job, as far as is known; `news` takes its place if the job does not go on and
 * it tells more. Returns what is to be done now: HWS_GO_ON for news that change nothing, too. */
enum hws_consequence hws_policy_judge(const struct hws_policy *p, struct hws_failure *found,
                                      const struct hws_failure *news);

#endif
