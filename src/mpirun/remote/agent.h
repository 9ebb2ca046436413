/* SPDX-License-Identifier: BSD-3-Clause
 *
 * agent: runs the remote shell (ssh, srun, or what -rsh names) that starts a node daemon on another host.
 */
#ifndef HWS_MPIRUN_AGENT_H
#define HWS_MPIRUN_AGENT_H

#include <sys/types.h>

#include "mpirun/remote/remote.h"

/* Runs an agent, or (cfg->host NULL) the program itself.
 *   agent    its words, split at spaces
 *   fds      all -1 before; on success the ends of its stdin (for writing), stdout and stderr (for reading), not
 * blocking, the caller's to close *pid     its process, or unchanged or 0 when there is none returns  0, or an errno;
 * then nothing is open */
int hws_agent_run(const struct hws_remote_config *cfg, const char *agent, pid_t *pid, int fds[3]);

#endif
