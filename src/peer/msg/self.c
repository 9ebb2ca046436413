/* SPDX-License-Identifier: BSD-3-Clause
 *
 * self: messages to oneself: copied from place to place, or kept where no receive waits for them.
 */
#include <string.h>

#include "base/copy.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/up.h"

static void copy_between(const struct hws_data *from, struct hws_recv_op *op)
{
    uint64_t n = op->expect;
    if (!from->layout) {
        hws_recv_copy_in(op, 0, from->base, n);
    } else if (!op->data.layout) {
        from->layout->pack(from->layout, from->base, 0, op->data.base, n);
    } else {
        uint8_t piece[8192]; /* bytes: on the stack, and stays in the L1 cache between the two copies */
        for (uint64_t at = 0, run; at < n; at += run) {
            run = n - at < sizeof piece ? n - at : sizeof piece;
            from->layout->pack(from->layout, from->base, at, piece, run);
            hws_recv_copy_in(op, at, piece, run);
        }
    }
    op->received = n;
}

void hws_recv_take_self(struct hws_engine *e, struct hws_send_op *from, struct hws_recv_op *op)
{
    hws_recv_matched(op, e->cfg.me, from->tag, from->data.len_bytes);
    copy_between(&from->data, op);
    hws_recv_finish_if_whole(e, op);
    hws_send_finish(e, from, HWS_OK);
}

/* With what keeping it takes. */
static uint64_t kept_bytes(const struct hws_engine *e)
{
    return e->count.unexpected_bytes + hws_match_n_unexpected(&e->match) * HWS_ENVELOPE;
}

void hws_recv_self(struct hws_engine *e, struct hws_send_op *op)
{
    struct hws_match_key key = {.ctx = op->ctx, .peer = e->cfg.me, .tag = op->tag};
    hws_send_op_init(e, op);
    op->seq = e->self_seq++;
    op->numbered = true;
    struct hws_match_node *n = hws_match_take_posted(&e->match, &key);
    if (n) {
        hws_recv_take_self(e, op, hws_container_of(n, struct hws_recv_op, match));
        return;
    }
    uint64_t len = op->data.len_bytes;
    bool copy = op->mode != HWS_SYNC && len <= e->cfg.params.tcp_eager &&
                kept_bytes(e) + len + HWS_ENVELOPE <= e->cfg.params.unexpected;
    struct hws_message *m = hws_message_new(e, NULL, &key, copy ? (uint32_t)len : 0);
    if (!m) {
        hws_send_finish(e, op, HWS_ENOMEM);
        return;
    }
    m->msg_len = len;
    m->received = m->have;
    m->type = HWS_FRAME_EAGER;
    m->seq = op->seq;
    if (!copy)
        m->self_op = op;
    else if (op->data.layout)
        op->data.layout->pack(op->data.layout, op->data.base, 0, m->data, len);
    else if (len)
        hws_copy_long(m->data, op->data.base, len);
    hws_recv_queue_unexpected(e, m);
    if (copy)
        hws_send_finish(e, op, HWS_OK);
}
