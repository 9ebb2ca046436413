/* SPDX-License-Identifier: BSD-3-Clause
 *
 * states_test: what may become of a rank, of a host and of a job's ranks there, and that docs/states.md says so.
 */
#include <criterion/criterion.h>

#include "../../support/lifecycle.h"
#include "mpirun/node/node_state.h"
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
                       "IDLE>CONNECTING IDLE>ENDED CONNECTING>READY CONNECTING>LOST CONNECTING>ENDED BACKOFF>IDLE "
                       "READY>LOST READY>ENDED LOST>BACKOFF");
}

Test(states, a_host_becomes_what_it_is_told_to)
{
    enum hws_host_state state = HWS_HOST_IDLE;
    hws_host_become(&state, HWS_HOST_CONNECTING);
    cr_expect_eq(state, HWS_HOST_CONNECTING);
}

Test(states, of_a_node)
{
    hws_test_lifecycle(&hws_node_lifecycle, "PLANNED>RUNNING PLANNED>LOST RUNNING>DRAINED RUNNING>LOST");
}

Test(states, a_node_becomes_what_it_is_told_to)
{
    enum hws_node_state state = HWS_NODE_PLANNED;
    hws_node_become(&state, HWS_NODE_RUNNING);
    cr_expect_eq(state, HWS_NODE_RUNNING);
}

/* A frame to a host without a daemon would be lost, and what one says that was dismissed is still heard. */
Test(states, frames_of_a_host)
{
    static const struct {
        enum hws_host_state state;
        bool listens, reports;
    } rows[HWS_HOST_N] = {
        {HWS_HOST_IDLE, false, false}, {HWS_HOST_CONNECTING, false, false}, {HWS_HOST_BACKOFF, false, false},
        {HWS_HOST_READY, true, true},  {HWS_HOST_LOST, false, false},       {HWS_HOST_ENDED, false, true},
    };
    for (unsigned i = 0; i < HWS_HOST_N; i++) {
        cr_expect_eq(hws_host_listens(rows[i].state), rows[i].listens, "%u", i);
        cr_expect_eq(hws_host_reports(rows[i].state), rows[i].reports, "%u", i);
    }
}
