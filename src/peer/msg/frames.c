/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frames: what becomes of each kind of frame that comes on a lane.
 */
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"

static int on_credit(struct hws_lane *l, const struct hws_frame *f)
{
    (void)l;
    (void)f;
    return HWS_OK; /* the credit itself is in every prefix */
}

static int on_bye(struct hws_lane *l, const struct hws_frame *f)
{
    (void)f;
    return hws_peer_on_bye(l->peer);
}

static int on_cts(struct hws_lane *l, const struct hws_frame *f)
{
    return hws_send_on_cts(l->peer, f);
}

static int on_ack(struct hws_lane *l, const struct hws_frame *f)
{
    return hws_send_on_ack(l->peer, f);
}

static int on_cancel(struct hws_lane *l, const struct hws_frame *f)
{
    return hws_cancel_on_ask(l->peer, f);
}

static int on_cancelled(struct hws_lane *l, const struct hws_frame *f)
{
    return hws_cancel_on_answer(l->peer, f);
}

static int on_want(struct hws_lane *l, const struct hws_frame *f)
{
    hws_hold_on_want(l->peer, f->ctx, f->tag, f->seq, f->flags & HWS_FRAME_OFFER);
    return HWS_OK;
}

static int on_decline(struct hws_lane *l, const struct hws_frame *f)
{
    return hws_hold_on_decline(l->peer, f->send_handle, f->result == HWS_DECLINE_AGAIN);
}

static int on_down(struct hws_lane *l, const struct hws_frame *f)
{
    return hws_kept_on_down(l, f);
}

const hws_frame_handler hws_frame_handlers[HWS_FRAME_TYPES] = {
    [HWS_FRAME_EAGER] = hws_recv_on_first,
    [HWS_FRAME_SYNC] = hws_recv_on_first,
    [HWS_FRAME_RTS] = hws_recv_on_first,
    [HWS_FRAME_CTS] = on_cts,
    [HWS_FRAME_BULK] = hws_recv_on_bulk,
    [HWS_FRAME_ACK] = on_ack,
    [HWS_FRAME_CREDIT] = on_credit,
    [HWS_FRAME_BYE] = on_bye,
    [HWS_FRAME_DOWN] = on_down,
    [HWS_FRAME_CANCEL] = on_cancel,
    [HWS_FRAME_CANCELLED] = on_cancelled,
    [HWS_FRAME_WANT] = on_want,
    [HWS_FRAME_DECLINE] = on_decline,
};
