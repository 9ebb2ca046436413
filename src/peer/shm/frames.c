/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frames: those of rooms above the engine (peer/kinds.h) in a ring, in pieces where the ring is small. A record has the
 * kind in `ctx` and the length of the whole frame in `tag`; the pieces of one follow each other, if not at once.
 */
#include <string.h>

#include "base/copy.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

/* False: there is no room for all of it. */
static bool put(struct hws_shm_peer *s, struct hws_frame_op *op)
{
    do {
        size_t n = op->len - op->offset, most = hws_ring_max_payload(s->tx.size);
        n = n < most ? n : most;
        if (!hws_ring_has_room(&s->tx, hws_ring_need(n)))
            return false;
        struct hws_record *r = hws_shm_next(s);
        r->ctx = op->kind;
        r->tag = (int32_t)op->len;
        if (n)
            hws_copy_across(hws_record_data(r, 0, n), (const uint8_t *)op->bytes + op->offset, n);
        hws_ring_push(&s->tx, hws_ring_need(n), HWS_SHM_FRAME, (uint32_t)n);
        hws_shm_pushed(s);
        op->offset += (uint32_t)n;
    } while (op->offset < op->len);
    hws_kinds_sent(s->peer->engine, op, HWS_OK);
    return true;
}

void hws_shm_send_frame(struct hws_shm_peer *s, struct hws_frame_op *op)
{
    struct hws_list *frames = &s->peer->out.frames;
    if (hws_list_is_empty(frames) && !s->undecided && put(s, op))
        return;
    hws_list_push(frames, &op->node);
    hws_shm_make_busy(s);
}

bool hws_shm_pump_frames(struct hws_shm_peer *s)
{
    const struct hws_list *frames = &s->peer->out.frames;
    uint64_t before = s->tx.pos;
    while (!hws_list_is_empty(frames) && put(s, hws_container_of(frames->next, struct hws_frame_op, node)))
        ;
    return s->tx.pos != before;
}

int hws_shm_on_frame(struct hws_shm_peer *s, const struct hws_record *r, uint32_t len)
{
    struct hws_peer *p = s->peer;
    struct hws_came *c = p->in.frame_part;
    uint32_t total = (uint32_t)r->tag;
    if (r->ctx > UINT8_MAX || total > HWS_ROOM_PAYLOAD)
        return HWS_EPROTO;
    int rc = c ? HWS_OK : hws_kinds_begin(p, (uint8_t)r->ctx, total, &c);
    if (rc != HWS_OK)
        return rc;
    p->in.frame_part = c;
    if (c->kind != r->ctx || c->len != total || len > total - c->have || (len == 0 && total))
        return HWS_EPROTO;
    if (len)
        hws_copy_long(c->bytes + c->have, hws_record_data(r, 0, len), len);
    c->have += len;
    if (c->have == c->len) {
        p->in.frame_part = NULL;
        hws_kinds_came(p->engine, c);
    }
    return HWS_OK;
}
