/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/node/node_state.h"

#include <assert.h>

#define TO(state)                 (1u << HWS_NODE_##state)
#define ROW(state, next, meaning) [HWS_NODE_##state] = {#state, meaning, next}

static const struct hws_lifecycle_state rows[HWS_NODE_N] = {
    ROW(PLANNED, TO(RUNNING) | TO(LOST), "no rank has been started; the host may have yet to be reached."),
    ROW(RUNNING, TO(DRAINED) | TO(LOST), "ranks have been started; more of them will be heard."),
    ROW(DRAINED, 0, "every rank has exited and all output has come."),
    ROW(LOST, 0, "nothing more comes: the host cannot be reached or was lost, or ranks there could not be killed."),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_node_lifecycle = HWS_LIFECYCLE("node of a job", rows);

void hws_node_become(enum hws_node_state *state, enum hws_node_state next)
{
    assert(hws_lifecycle_allows(&hws_node_lifecycle, *state, next));
    *state = next;
}
