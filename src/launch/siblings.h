/* SPDX-License-Identifier: BSD-3-Clause
 *
 * siblings: which ranks of this host still have a process. Slurm and Hydra keep a job whose rank ends before MPI_Init,
 * with status 0 or at all, and the others would wait for it for ever.
 */
#ifndef HWS_LAUNCH_SIBLINGS_H
#define HWS_LAUNCH_SIBLINGS_H

/* Looks at the children of the launcher's daemon on this host, the nearest ancestor of process `me` that is one.
 *   proc       where the kernel shows processes: "/proc"
 *   ranks, n   the job's ranks on this host
 *   returns    one of them that has no process; -1: all have one, or it cannot be told */
int hws_siblings_missing(const char *proc, int me, const int *ranks, int n);

#endif
