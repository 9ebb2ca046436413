/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank_state: the life of a rank as its node sees it: what its process does, and what it has told over PMI of MPI. The
 * state is in the rank's PMI connection, since only there is it learned.
 */
#ifndef HWS_MPIRUN_RANK_STATE_H
#define HWS_MPIRUN_RANK_STATE_H

#include "base/lifecycle.h"

/* A number of the node daemon's frames (proto.h): who changes them counts HWS_PROTO_BANNER up. */
enum hws_rank_state {
    HWS_RANK_PLANNED,
    HWS_RANK_STARTED,
    HWS_RANK_IN_MPI,
    HWS_RANK_FINALIZED,
    HWS_RANK_ABORTED,
    HWS_RANK_EXITED,
    HWS_RANK_N
};

extern const struct hws_lifecycle hws_rank_lifecycle;

/* The only writer of a rank's state. */
void hws_rank_become(enum hws_rank_state *state, enum hws_rank_state next);

#endif
