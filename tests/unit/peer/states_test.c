/* SPDX-License-Identifier: BSD-3-Clause
 *
 * states_test: docs/states.md holds the tables of states as the code has them, and no change is legal but these.
 */
#include "../../support/lifecycle.h"

#include "peer/conn/conn.h"
#include "peer/state/engine.h"

Test(states, of_a_connection)
{
    hws_test_lifecycle(
        &hws_socket_states,
        "CLOSED>CONNECTING CLOSED>AWAIT_HELLO CONNECTING>AWAIT_CHALLENGE AWAIT_CHALLENGE>AWAIT_VERDICT "
        "AWAIT_VERDICT>CONNECTED AWAIT_HELLO>AWAIT_PROOF AWAIT_PROOF>CONNECTED CONNECTING>DROPPED "
        "AWAIT_CHALLENGE>DROPPED AWAIT_VERDICT>DROPPED AWAIT_HELLO>DROPPED AWAIT_PROOF>DROPPED CONNECTED>ENDING "
        "ENDING>CLOSED DROPPED>CLOSED");
}

Test(states, of_a_peer)
{
    hws_test_lifecycle(&hws_peer_states,
                       "UNUSED>DIALING UNUSED>BACKOFF UNUSED>UP UNUSED>GONE UNUSED>LOST "
                       "DIALING>BACKOFF DIALING>UP DIALING>GONE DIALING>LOST "
                       "BACKOFF>DIALING BACKOFF>UP BACKOFF>GONE BACKOFF>LOST "
                       "DOWN>DIALING DOWN>BACKOFF DOWN>UP DOWN>GONE DOWN>LOST "
                       "UP>UNUSED UP>DYING UP>LEAVING UP>GONE UP>LOST "
                       "DYING>DIALING DYING>BACKOFF DYING>DOWN DYING>UP DYING>GONE DYING>LOST LEAVING>GONE");
}

Test(states, of_a_path)
{
    hws_test_lifecycle(&hws_path_states,
                       "UNUSED>DIALING UNUSED>UP UNUSED>WAITING DIALING>UP DIALING>WAITING DIALING>UNUSED UP>UNUSED "
                       "WAITING>DIALING WAITING>UP WAITING>UNUSED");
}
