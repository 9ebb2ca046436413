/* SPDX-License-Identifier: BSD-3-Clause
 *
 * daemon: the node daemon, a mode of mpirun that the remote shell starts on another host. Its stdin and stdout are the
 * connection to mpirun; when that ends without a farewell, all ranks here are killed.
 */
#ifndef HWS_MPIRUN_DAEMON_H
#define HWS_MPIRUN_DAEMON_H

#include "mpirun/node/rank.h"

#define HWS_DAEMON_FLAG "--hawser-node"

/* Serves until mpirun dismisses it or is gone. Returns the exit status. */
int hws_daemon_run(const struct hws_origin *origin);

#endif
