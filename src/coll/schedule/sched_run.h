/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_run: runs a schedule that was built with sched.h. None of these calls blocks but hws_sched_run and
 * hws_sched_run_after.
 */
#ifndef HWS_COLL_SCHED_RUN_H
#define HWS_COLL_SCHED_RUN_H

#include "coll/schedule/sched.h"

/* How steps leave the process; the engine, or a test's own. */
struct hws_sched_net {
    void (*send)(struct hws_send_op *op);
    void (*recv)(struct hws_recv_op *op);
    void (*wait)(const volatile bool *flag);
    void (*lock)(void);
    void (*unlock)(void);
    void (*cast)(struct hws_sched *s, struct hws_data d, int root); /* appends the steps of hws_sched_cast() */
};

extern const struct hws_sched_net hws_sched_engine_net;
extern const struct hws_sched_net *hws_sched_default_net; /* of new schedules: the engine's; a test may set its own */

/* Starts (again, when complete). MPI class; on success the end shows in `complete`, then on_complete is called. What
 * failed before fails again, as its messages were replaced, but leaves nobody for whom all was well waiting for it. */
int hws_sched_start(struct hws_sched *s);
/* The result of a complete schedule: MPI class; hws_sched_result leaves the sentence too, in the user's thread. */
int hws_sched_class(const struct hws_sched *s);
int hws_sched_result(struct hws_sched *s);
/* Start, wait, result. why: what failed before, with the thread's sentence about it, or MPI_SUCCESS: then it takes part
 * only to make it fail at the others, too, and its buffers are not touched. What failed while it was built can't run.
 * MPI class: why, if that is one. */
int hws_sched_run_after(struct hws_sched *s, int why);
/* The same, where nothing failed before, and free. */
int hws_sched_run(struct hws_sched *s);

#endif
