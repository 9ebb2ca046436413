/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_report: collects where all ranks of all jobs are (standing.h) when a signal, the time limit or `mpirun -report
 * PID` asks.
 */
#ifndef HWS_MPIRUN_JOB_REPORT_H
#define HWS_MPIRUN_JOB_REPORT_H

#include <stddef.h>
#include <sys/types.h>

struct mpirun;
struct job_node;
struct hws_reports;

/* Listens for other mpiruns' questions; where that cannot be, the jobs go on without. */
struct hws_reports *hws_reports_open(struct mpirun *m);

/* Asks all nodes. Their answers are said on mpirun's standard error, and then `then` is called, or NULL; also when some
 * host gives none in time. While an earlier question is open this one gets the same answer. */
void hws_reports_ask(struct hws_reports *r, void (*then)(struct mpirun *m));

/* The answer of a node. */
void hws_reports_answer(struct hws_reports *r, struct job_node *n, const char *data, size_t len);

/* mpirun -report PID: has that mpirun of this host and user say where its ranks are, on standard output. The exit
 * status; the reason of a failure is said. */
int hws_report_main(pid_t pid);

#endif
