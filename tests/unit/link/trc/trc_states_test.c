/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_states_test: the states of a stream of tcp-trc.
 */
#include "../../../support/lifecycle.h"
#include "link/trc/trc_priv.h"

Test(trc_states, these_changes_are_legal_and_the_document_shows_them)
{
    hws_test_lifecycle(&hws_trc_streams, "WAITS>DIALING WAITS>UP WAITS>FAILED "
                                         "DIALING>UNCONFIRMED DIALING>UP DIALING>WAITS DIALING>FAILED "
                                         "UNCONFIRMED>UP UNCONFIRMED>FINISHED "
                                         "UP>SHEDDING UP>CLOSING UP>DRAINING UP>FINISHED "
                                         "SHEDDING>DRAINING SHEDDING>FINISHED "
                                         "CLOSING>FINISHED DRAINING>FINISHED");
}
