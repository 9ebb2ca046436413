/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_state: the life of a node, which is the ranks of one job on one host.
 */
#ifndef HWS_MPIRUN_NODE_STATE_H
#define HWS_MPIRUN_NODE_STATE_H

#include "base/lifecycle.h"

enum hws_node_state { HWS_NODE_PLANNED, HWS_NODE_RUNNING, HWS_NODE_DRAINED, HWS_NODE_LOST, HWS_NODE_N };

extern const struct hws_lifecycle hws_node_lifecycle;

/* The only writer of a node's state. */
void hws_node_become(enum hws_node_state *state, enum hws_node_state next);

#endif
