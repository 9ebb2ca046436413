/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/util/rank_state.h"

#include <assert.h>

#define TO(state)                 (1u << HWS_RANK_##state)
#define ROW(state, meaning, next) [HWS_RANK_##state] = {#state, meaning, next}

static const struct hws_lifecycle_state rows[HWS_RANK_N] = {
    ROW(PLANNED, "its node has not started it yet.", TO(STARTED)),
    ROW(STARTED, "a process that has not called MPI_Init; it may be a program without MPI.",
        TO(IN_MPI) | TO(ABORTED) | TO(EXITED)),
    ROW(IN_MPI, "between MPI_Init and MPI_Finalize; its end is an early one.",
        TO(FINALIZED) | TO(ABORTED) | TO(EXITED)),
    ROW(FINALIZED, "it has called MPI_Finalize.", TO(ABORTED) | TO(EXITED)),
    ROW(ABORTED, "it has asked to end the job, which has been reported; its exit status tells nothing more.",
        TO(EXITED)),
    ROW(EXITED, "the process is gone; its output may still be on the way.", 0),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_rank_lifecycle = HWS_LIFECYCLE("rank of mpirun", rows);

void hws_rank_become(enum hws_rank_state *state, enum hws_rank_state next)
{
    assert(hws_lifecycle_allows(&hws_rank_lifecycle, *state, next));
    *state = next;
}
