/* SPDX-License-Identifier: BSD-3-Clause
 *
 * states_test: what may become of a rank and of a host of a job, and that docs/states.md says so.
 */
#include <criterion/criterion.h>

#include "../../support/lifecycle.h"
#include "mpirun/remote/host_state.h"
#include "mpirun/util/rank_state.h"

Test(states, of_a_rank)
{
    hws_test_lifecycle(&hws_rank_lifecycle,
                       "PLANNED>STARTED STARTED>IN_MPI STARTED>ABORTED STARTED>EXITED IN_MPI>FINALIZED IN_MPI>ABORTED "
                       "IN_MPI>EXITED FINALIZED>ABORTED FINALIZED>EXITED ABORTED>EXITED");
}

Test(states, a_rank_becomes_what_it_is_told_to)
{
    enum hws_rank_state state = HWS_RANK_PLANNED;
    hws_rank_become(&state, HWS_RANK_STARTED);
    cr_expect_eq(state, HWS_RANK_STARTED);
}

Test(states, of_a_host)
{
    hws_test_lifecycle(&hws_host_lifecycle,
                       "IDLE>CONNECTING IDLE>RUNNING IDLE>ENDED CONNECTING>READY CONNECTING>LOST CONNECTING>ENDED "
                       "BACKOFF>IDLE READY>RUNNING READY>LOST READY>ENDED RUNNING>DRAINED RUNNING>LOST DRAINED>LOST "
                       "DRAINED>ENDED LOST>BACKOFF");
}

Test(states, a_host_becomes_what_it_is_told_to)
{
    enum hws_host_state state = HWS_HOST_IDLE;
    hws_host_become(&state, HWS_HOST_CONNECTING);
    cr_expect_eq(state, HWS_HOST_CONNECTING);
}

/* A frame to a host without a daemon would be lost, one from a daemon that has no ranks is a fault. */
Test(states, frames_of_a_host)
{
    static const struct {
        enum hws_host_state state;
        bool listens, reports;
    } rows[HWS_HOST_N] = {
        {HWS_HOST_IDLE, false, false}, {HWS_HOST_CONNECTING, false, false}, {HWS_HOST_BACKOFF, false, false},
        {HWS_HOST_READY, true, false}, {HWS_HOST_RUNNING, true, true},      {HWS_HOST_DRAINED, true, true},
        {HWS_HOST_LOST, false, false}, {HWS_HOST_ENDED, false, true},
    };
    for (unsigned i = 0; i < HWS_HOST_N; i++) {
        cr_expect_eq(hws_host_listens(rows[i].state), rows[i].listens, "%u", i);
        cr_expect_eq(hws_host_reports(rows[i].state), rows[i].reports, "%u", i);
    }
}
