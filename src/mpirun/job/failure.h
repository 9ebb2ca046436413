/* SPDX-License-Identifier: BSD-3-Clause
 *
 * failure: why a job ends badly. When one rank dies, its neighbours notice and complain within microseconds, so several
 * reports arrive almost together; the one that explains the others is shown. What becomes of the job then is the
 * policy's (policy.h). Pure.
 */
#ifndef HWS_MPIRUN_FAILURE_H
#define HWS_MPIRUN_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/util/rank_state.h"

/* Added to the number of a signal that ended the job: the exit status, as shells have it. */
#define HWS_STATUS_SIGNAL 128

/* From the least to the most telling. Of two equal ones the first stays. */
enum hws_cause {
    HWS_CAUSE_NONE,
    HWS_CAUSE_STATUS, /* left with a status other than 0, after MPI_Finalize or without MPI at all */
    HWS_CAUSE_ABORT,  /* asked to end the job; perhaps because another one had died */
    HWS_CAUSE_EARLY,  /* left between MPI_Init and MPI_Finalize, or before MPI_Init while others wait there */
    HWS_CAUSE_SIGNAL, /* killed */
    HWS_CAUSE_HOST,   /* cannot be reached, or was lost with its ranks */
    HWS_CAUSE_SELF,   /* mpirun's own, as its time limit */
    HWS_CAUSES
};

struct hws_failure {
    enum hws_cause cause;
    int status;      /* for mpirun to exit with, 1 to 255 */
    int signum;      /* CAUSE_SIGNAL */
    char text[1024]; /* one line */
};

/* Who a report is about. */
struct hws_culprit {
    int rank, pid;
    const char *host;
    const char *call; /* the MPI call that it was in when it ended; or "" */
};

/* The failure in the end of a rank that exited in the state `last`; CAUSE_NONE: it ended well. */
void hws_failure_of_exit(struct hws_failure *f, const struct hws_culprit *who, int wait_status,
                         enum hws_rank_state last);

/* A rank that is gone without MPI_Init, for which others wait in theirs. */
void hws_failure_of_absence(struct hws_failure *f, const struct hws_culprit *who);

/* The failure in a request to end the job. */
void hws_failure_of_abort(struct hws_failure *f, const struct hws_culprit *who, int code, const char *text);

/* True if `next` tells more than `now`. */
bool hws_failure_is_truer(const struct hws_failure *next, const struct hws_failure *now);

#endif
