/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank: starts one process of a job, as vfork does so that hundreds start in milliseconds however large mpirun is.
 */
#ifndef HWS_MPIRUN_RANK_H
#define HWS_MPIRUN_RANK_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What the process that starts others changed in itself and its children must get back. */
struct hws_origin {
    sigset_t mask;
    struct rlimit nofile;
    int first_own; /* descriptors from here on are the launcher's own: no process that it starts gets them */
};

/* Notes the own signal mask and descriptor limit, and raises the soft limit to the hard one. */
void hws_origin_init(struct hws_origin *o);

/* Moves a descriptor that no started process needs to the own ones; returns its new number. */
int hws_origin_raise(const struct hws_origin *o, int fd);

struct hws_launch {
    const struct hws_origin *origin;
    const char *path; /* absolute, from hws_find_program() */
    char **argv, **env;
    const char *wdir;
    int in, out, err;      /* become descriptors 0, 1, 2; all >= 3 */
    int keep[2];           /* stay open under their own numbers (PMI_FD, the board); or -1 */
    bool own_group;        /* leads a process group of its own */
    const cpu_set_t *cpus; /* to run on; NULL: any */
    bool no_keys;          /* ignores what the terminal's keys send: SIGINT, SIGQUIT, SIGTSTP */
};

/* Starts a process that dies with this one (SIGKILL).
 *   returns    0 and *pid, or the errno of what failed and in *what "chdir", "exec" or "fork" */
int hws_launch_run(const struct hws_launch *l, pid_t *pid, const char **what);

/* The file that a program name means: a name with '/' as it is (relative to wdir), another one looked for in the
 * directory `first` (or NULL), in `search` (the value of PATH) and at last in wdir. NULL with errno ENOENT or EACCES;
 * else the caller's to free. */
char *hws_find_program(const char *name, const char *wdir, const char *first, const char *search);

#endif
