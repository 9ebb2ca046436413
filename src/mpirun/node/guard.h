/* SPDX-License-Identifier: BSD-3-Clause
 *
 * guard: a small process beside mpirun (and beside each node daemon) that outlives it when it is killed with SIGKILL,
 * and then kills what is left of the job on this host. It finds the processes by the mark in their environment, so
 * background children of a rank and children that left its process group are found too. While mpirun or the daemon
 * lives, it ends them itself when the job is over.
 */
#ifndef HWS_MPIRUN_GUARD_H
#define HWS_MPIRUN_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct hws_guard {
    pid_t pid;   /* 0: none */
    int fd;      /* the guard waits for its end */
    bool adopts; /* what the ranks leave behind is this process's child */
};

/* Starts the guard; hws_guard_adopt() came before. mark is the value of HWS_COOKIE_VAR that the processes have, or its
 * beginning. */
void hws_guard_start(struct hws_guard *g, const char *mark);

/* All ranks of this host have ended: dismisses the guard and kills what they left behind, in a session of its own or
 * not. Where nothing was adopted, that is what has the mark (of a node) in its environment; NULL: no ranks were here.
 */
void hws_guard_stop(struct hws_guard *g, const char *mark);

/* A job has ended that others outlive, on this host or elsewhere: dismisses the guard and kills what has the mark. */
void hws_guard_end(struct hws_guard *g, const char *mark);

/* Before anything is started: what ranks leave behind is to become this process's child (PR_SET_CHILD_SUBREAPER),
 * however it hides. Not so if this process has children already, as where a shell began some and then became mpirun;
 * nor if it runs_agents: these may leave something that is to stay, as ssh does with ControlPersist. */
void hws_guard_adopt(struct hws_guard *g, bool runs_agents);

/* From now on agents are run: nothing more is adopted. */
void hws_guard_disown(struct hws_guard *g);

/* Sends SIGKILL to every process of this host that has the mark in its environment, also if it is just becoming another
 * program (execve), when it shows none; repeats until none is left. */
void hws_guard_sweep(const char *mark);

#endif
