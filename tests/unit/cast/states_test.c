/* SPDX-License-Identifier: BSD-3-Clause
 *
 * states_test: the states of a multicast message at both ends.
 */
#include "../../support/lifecycle.h"
#include "cast/net/station.h"
#include "cast/proto/message.h"

Test(cast_states, these_changes_are_legal_at_the_sender_and_the_document_shows_them)
{
    hws_test_lifecycle(&hws_cast_sends, "QUEUED>SENDING QUEUED>SENT SENDING>OWED SENDING>SENT OWED>SENT");
}

Test(cast_states, these_changes_are_legal_at_a_receiver_and_the_document_shows_them)
{
    hws_test_lifecycle(&hws_cast_recvs, "AWAITED>COMING AWAITED>CAME COMING>CAME KEPT>COMING KEPT>CAME");
}

Test(cast_states, these_changes_are_legal_of_a_group_and_the_document_shows_them)
{
    hws_test_lifecycle(&hws_circles, "MEETING>UP MEETING>OFF");
}
