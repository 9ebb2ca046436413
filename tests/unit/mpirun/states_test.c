/* SPDX-License-Identifier: BSD-3-Clause
 *
 * states_test: what may become of a rank of a job, and that docs/states.md says so.
 */
#include <criterion/criterion.h>

#include "../../support/lifecycle.h"
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
