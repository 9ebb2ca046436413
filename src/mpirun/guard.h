/* SPDX-License-Identifier: BSD-3-Clause
 *
 * guard: a small process beside mpirun (and beside each node daemon) that outlives it when it is killed with SIGKILL, and
 * then kills what is left of the job on this host. It finds the processes by the mark in their environment, so
 * background children of a rank and children that left its process group are found too.
 */
#ifndef HWS_MPIRUN_GUARD_H
#define HWS_MPIRUN_GUARD_H

#include <sys/types.h>

struct hws_guard {
    pid_t pid; /* 0: none */
    int fd;    /* the guard waits for its end */
};

/* Starts the guard. mark is the value of HWS_COOKIE_VAR that the processes have, or its beginning. */
void hws_guard_start(struct hws_guard *g, const char *mark);

/* Dismisses it: nothing is killed. */
void hws_guard_stop(struct hws_guard *g);

/* Sends SIGKILL to every process of this host that has the mark in its environment; repeats until none is left.
 * Returns how many there were at first. */
int hws_guard_sweep(const char *mark);

#endif
