/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message: the states of a multicast message at its sender and at a receiver, and the only functions that write them.
 */
#include "cast/proto/message.h"

#include <assert.h>

#define TO(state)                 (1u << HWS_CAST_##state)
#define ROW(state, meaning, next) [HWS_CAST_##state] = {#state, meaning, next}

static const struct hws_lifecycle_state sends[HWS_CAST_OUT_N] = {
    ROW(QUEUED, "its turn has not come, or no window is left for its first packet.", TO(SENDING) | TO(SENT)),
    ROW(SENDING, "some of its packets have left.", TO(OWED) | TO(SENT)),
    ROW(OWED, "all have left, and some member owes a report that it has them.", TO(SENT)),
    ROW(SENT, "all members have it, or those that have not were dropped.", 0),
};

static const struct hws_lifecycle_state recvs[HWS_CAST_IN_N] = {
    ROW(AWAITED, "posted; nothing of it has come.", TO(COMING) | TO(CAME)),
    ROW(COMING, "posted; some of it is in its place.", TO(CAME)),
    ROW(KEPT, "some or all of it has come before it was posted.", TO(COMING) | TO(CAME)),
    ROW(CAME, "it is all here, or was taken back.", 0),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_cast_sends = HWS_LIFECYCLE("multicast message at its sender", sends);
const struct hws_lifecycle hws_cast_recvs = HWS_LIFECYCLE("multicast message at a receiver", recvs);

void hws_cast_send_become(struct hws_cast_send *op, enum hws_cast_out_state next)
{
    assert(hws_lifecycle_allows(&hws_cast_sends, op->state, next));
    op->state = next;
}

void hws_cast_recv_become(struct hws_cast_recv *op, enum hws_cast_in_state next)
{
    assert(hws_lifecycle_allows(&hws_cast_recvs, op->state, next));
    op->state = next;
}
