/* SPDX-License-Identifier: BSD-3-Clause
 *
 * host_state: the life of a host, from the first attempt to reach it to the dismissal of its daemon. mpirun's own host
 * has no daemon and stays IDLE. What a job's ranks there do is in node/node_state.h.
 */
#ifndef HWS_MPIRUN_HOST_STATE_H
#define HWS_MPIRUN_HOST_STATE_H

#include <stdbool.h>

#include "base/lifecycle.h"

enum hws_host_state {
    HWS_HOST_IDLE,
    HWS_HOST_CONNECTING,
    HWS_HOST_BACKOFF,
    HWS_HOST_READY,
    HWS_HOST_LOST,
    HWS_HOST_ENDED,
    HWS_HOST_N
};

extern const struct hws_lifecycle hws_host_lifecycle;

/* The only writer of a host's state. */
void hws_host_become(enum hws_host_state *state, enum hws_host_state next);

/* A daemon there takes frames. */
bool hws_host_listens(enum hws_host_state state);

/* What it sends is heard. */
bool hws_host_reports(enum hws_host_state state);

#endif
