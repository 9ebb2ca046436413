/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kinds: frames of rooms above the engine (peer/kinds.h): who takes which, what has come, what waits for room in a
 * lane.
 */
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "peer/conn/conn.h"
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"

void hws_kinds_init(struct hws_engine *e)
{
    hws_list_init(&e->kinds.came);
}

void hws_kinds_fini(struct hws_engine *e)
{
    struct hws_list *n;
    while ((n = hws_list_pop(&e->kinds.came)))
        free(hws_container_of(n, struct hws_came, node));
}

int hws_engine_take_kinds(struct hws_engine *e, const struct hws_kinds *k)
{
    for (unsigned i = k->first; i <= k->last; i++)
        if (i >= HWS_FRAME_TYPES || !hws_frame_is((uint8_t)i, HWS_FRAMES_ROOM) || e->kinds.of[i])
            return HWS_EINVAL;
    for (unsigned i = k->first; i <= k->last; i++)
        e->kinds.of[i] = k;
    return HWS_OK;
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

void hws_kinds_refuse(struct hws_peer *p, uint8_t kind)
{
    char name[96];
    hws_peer_lose(p, HWS_EPROTO, "%s sent a frame of kind %u (%s), which nothing here takes",
                  hws_peer_name(p, name, sizeof name), kind, hws_frame_name(kind));
}

static struct hws_came *new_came(int peer, uint8_t kind, uint32_t len)
{
    struct hws_came *c = malloc(sizeof *c + len);
    if (!c)
        return NULL;
    *c = (struct hws_came){.peer = peer, .kind = kind, .len = len};
    hws_list_init(&c->node);
    return c;
}

int hws_kinds_begin(struct hws_peer *p, uint8_t kind, uint32_t len, struct hws_came **out)
{
    if (kind >= HWS_FRAME_TYPES || !p->engine->kinds.of[kind]) {
        hws_kinds_refuse(p, kind);
        return HWS_EPROTO;
    }
    *out = new_came(p->number, kind, len);
    if (!*out)
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for a frame of %u bytes", len);
    return *out ? HWS_OK : HWS_ENOMEM;
}

int hws_kinds_on_frame(struct hws_lane *l, const struct hws_frame *f)
{
    struct hws_came *c;
    int rc = hws_kinds_begin(l->peer, f->type, f->len, &c);
    if (rc != HWS_OK)
        return rc;
    l->in.sink.came = c;
    l->in.sink.dst = c->bytes;
    return HWS_OK;
}

void hws_kinds_came(struct hws_engine *e, struct hws_came *c)
{
    hws_list_push(&e->kinds.came, &c->node);
    e->work.frames_came = true;
}

static void lose_for(struct hws_peer *p, uint8_t kind, enum hws_err why)
{
    char name[96];
    hws_peer_lose(p, why, "%s sent a frame of kind %u (%s) that is none: %s", hws_peer_name(p, name, sizeof name), kind,
                  hws_frame_name(kind), hws_err_text(why));
}

void hws_kinds_hand_over(struct hws_engine *e)
{
    struct hws_list *n;
    e->work.frames_came = false;
    while ((n = hws_list_pop(&e->kinds.came))) {
        struct hws_came *c = hws_container_of(n, struct hws_came, node);
        const struct hws_kinds *k = e->kinds.of[c->kind];
        int rc = k->on_frame(k->arg, c->peer, c->kind, c->bytes, c->len);
        if (rc != HWS_OK && e->peers[c->peer])
            lose_for(e->peers[c->peer], c->kind, (enum hws_err)rc);
        free(c);
    }
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

void hws_kinds_sent(struct hws_engine *e, struct hws_frame_op *op, enum hws_err err)
{
    void (*on_done)(struct hws_frame_op *) = op->on_done;
    hws_list_remove(&op->node);
    op->err = err;
    op->done = true; /* the owner may free it from here on, unless on_done is set */
    if (on_done)
        on_done(op);
    hws_engine_notify(e);
}

static void put(struct hws_lane *l, struct hws_frame_op *op)
{
    struct hws_frame f = {.type = op->kind, .len = op->len};
    struct hws_peer *p = l->peer;
    hws_list_remove(&op->node);
    if (l->crc)
        f.payload_crc = hws_crc32c(0, op->bytes, op->len);
    hws_lane_frame(l, &f);
    if (op->len)
        hws_lane_put(l, op->bytes, op->len);
    hws_kinds_sent(p->engine, op, hws_peer_is_over(p) ? HWS_ENOMEM : HWS_OK);
}

bool hws_kinds_put_next(struct hws_peer *p, struct hws_lane *l)
{
    if (hws_list_is_empty(&p->out.frames))
        return false;
    put(l, hws_container_of(p->out.frames.next, struct hws_frame_op, node));
    return true;
}

void hws_kinds_send(struct hws_peer *p, struct hws_frame_op *op)
{
    struct hws_lane *l = p->shm ? NULL : hws_peer_lane(p, op->len);
    if (hws_peer_is_over(p) || p->said_bye)
        hws_kinds_sent(p->engine, op, HWS_EPEERDEAD);
    else if (p->shm)
        hws_shm_send_frame(p->shm, op);
    else if (l && hws_list_is_empty(&p->out.frames) && hws_lane_has_room(l)) {
        put(l, op);
        hws_lane_hold(l);
    } else {
        hws_list_push(&p->out.frames, &op->node);
        if (!p->n_up)
            hws_peer_connect(p);
    }
}

void hws_kinds_fail_all(struct hws_peer *p, enum hws_err why)
{
    while (!hws_list_is_empty(&p->out.frames))
        hws_kinds_sent(p->engine, hws_container_of(p->out.frames.next, struct hws_frame_op, node), why);
    free(p->in.frame_part);
    p->in.frame_part = NULL;
}

static void send_to_self(struct hws_engine *e, struct hws_frame_op *op)
{
    struct hws_came *c = e->kinds.of[op->kind] ? new_came(op->peer, op->kind, op->len) : NULL;
    if (c) {
        if (op->len)
            memcpy(c->bytes, op->bytes, op->len);
        hws_kinds_came(e, c);
    }
    hws_kinds_sent(e, op, c ? HWS_OK : HWS_ENOMEM);
}

void hws_kinds_start(struct hws_engine *e, struct hws_frame_op *op)
{
    op->done = false;
    op->offset = 0;
    hws_list_init(&op->node);
    struct hws_peer *p = op->peer == e->cfg.me ? NULL : hws_engine_peer(e, op->peer);
    if (op->peer == e->cfg.me)
        send_to_self(e, op);
    else if (p)
        hws_kinds_send(p, op);
    else
        hws_kinds_sent(e, op, HWS_ENOMEM);
}
