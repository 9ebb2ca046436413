/* SPDX-License-Identifier: BSD-3-Clause
 *
 * siblings: which ranks of this host still have a process. Slurm, Hydra and Open MPI may keep a job whose rank ends
 * before MPI_Init, and the others would wait for it for ever.
 */
#ifndef HWS_LAUNCH_SIBLINGS_H
#define HWS_LAUNCH_SIBLINGS_H

/* Looks at the children of the launcher's daemon on this host, the nearest ancestor of process `pid` that is one.
 *   proc       where the kernel shows processes: "/proc"
 *   me         the own rank: where it is not found, the others would not be either
 *   ranks, n   the job's ranks on this host
 *   returns    one of them that has no process; -1: all have one, or it cannot be told */
int hws_siblings_missing(const char *proc, int pid, int me, const int *ranks, int n);

#endif
