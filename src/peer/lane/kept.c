/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kept: what a dead connection leaves behind (docs/design.md, When a lane dies; LA-MPI's retransmission, TEG's lanes).
 * Its frames that nobody has acknowledged are taken out of the lane's queue into an outage. Both ends tell each other,
 * over any lane that is up, how many bytes of whole frames they got from it (DOWN); what came after that is sent again.
 * As neither end reads on from a connection it has told about, no frame is lost and none comes twice; a frame that was
 * torn comes again from its beginning.
 */
#include <stdlib.h>
#include <string.h>

#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

struct hws_kept {
    struct hws_list node;
    uint64_t end; /* position in the dead stream behind the frame */
    struct hws_frame frame;
    unsigned n_pieces;
    struct hws_seg pieces[]; /* the payload; STAGED: base is a copy of its own, in `packed` */
};

/* Walks through a lane's queue. */
struct walk {
    struct hws_lane *lane;
    unsigned i;         /* segment, from the head */
    size_t off;         /* in it */
    uint64_t staged_at; /* in the ring, for STAGED */
};

static struct hws_seg *seg_at(const struct walk *w)
{
    const struct hws_lane *l = w->lane;
    return w->i < l->out.seg_n ? &l->out.segs[(l->out.seg_head + w->i) & (l->out.seg_cap - 1)] : NULL;
}

static void copy_staged(const struct walk *w, uint8_t *dst, size_t n)
{
    const struct hws_lane *l = w->lane;
    size_t at = w->staged_at & (l->out.stage_cap - 1), run = n < l->out.stage_cap - at ? n : l->out.stage_cap - at;
    memcpy(dst, l->out.stage + at, run);
    memcpy(dst + run, l->out.stage, n - run);
}

static void move_on(struct walk *w, size_t n)
{
    const struct hws_seg *s = seg_at(w);
    if (s->kind == HWS_SEG_STAGED)
        w->staged_at += n;
    w->off += n;
    if (w->off == s->len) {
        w->i++;
        w->off = 0;
    }
}

/* Segments that n bytes of payload reach into. */
static unsigned count_pieces(struct walk w, size_t n)
{
    unsigned k = 0;
    for (const struct hws_seg *s; n && (s = seg_at(&w)); k++) {
        size_t run = n < s->len - w.off ? n : s->len - w.off;
        n -= run;
        move_on(&w, run);
    }
    return n ? 0 : k;
}

static bool take_piece(struct walk *w, size_t n, struct hws_seg *piece)
{
    struct hws_seg *s = seg_at(w);
    size_t run = n < s->len - w->off ? n : s->len - w->off;
    *piece = *s;
    piece->len = run;
    if (s->kind == HWS_SEG_STAGED) {
        uint8_t *copy = hws_bufpool_get(&w->lane->peer->engine->payloads, run);
        if (!copy)
            return false;
        copy_staged(w, copy, run);
        piece->base = piece->packed = copy;
        piece->packed_len = run;
        piece->op = NULL;
    } else {
        s->packed = NULL; /* ours now */
        s->op = NULL;
    }
    move_on(w, run);
    return true;
}

static int take_frame(struct walk *w, struct hws_kept **out)
{
    uint8_t header[HWS_FRAME_MAX_HDR];
    struct hws_frame f = {0};
    const struct hws_seg *s = seg_at(w);
    size_t n = s->len - w->off < sizeof header ? s->len - w->off : sizeof header;
    if (s->kind != HWS_SEG_STAGED)
        return HWS_EPROTO;
    copy_staged(w, header, n);
    int len = hws_frame_decode(header, n, &f);
    if (len <= 0)
        return HWS_EPROTO; /* the other end acknowledged a part of a frame */
    move_on(w, (size_t)len);
    unsigned n_pieces = count_pieces(*w, f.len);
    struct hws_kept *k = malloc(sizeof *k + n_pieces * sizeof k->pieces[0]);
    if (!k)
        return HWS_ENOMEM;
    *k = (struct hws_kept){.frame = f, .end = (uint64_t)len + f.len};
    hws_list_init(&k->node);
    *out = k;
    for (size_t left = f.len; left; left -= k->pieces[k->n_pieces - 1].len) {
        if (k->n_pieces == n_pieces || !take_piece(w, left, &k->pieces[k->n_pieces]))
            return HWS_ENOMEM;
        k->n_pieces++;
    }
    return HWS_OK;
}

/* One piece of a frame that is over, delivered or not. */
static void end_piece(struct hws_engine *e, const struct hws_seg *piece, enum hws_err err)
{
    struct hws_send_op *op = piece->op;
    if (piece->packed)
        hws_bufpool_put(&e->payloads, piece->packed, piece->packed_len);
    if (!op)
        return;
    op->n_queued--;
    if (err == HWS_OK)
        hws_send_out(op);
    else if (op->n_queued == 0 && hws_list_is_empty(&op->node))
        hws_send_finish(e, op, err);
}

static void end_frame(struct hws_peer *p, struct hws_kept *k, enum hws_err err)
{
    for (unsigned i = 0; i < k->n_pieces; i++)
        end_piece(p->engine, &k->pieces[i], err);
    free(k);
}

/* What tells of an outage must not wait for the end of another one: two connections that die at once, each with the
 * other's DOWN on it, would wait for each other. */
static bool is_down(const struct hws_kept *k)
{
    return k->frame.type == HWS_FRAME_DOWN;
}

int hws_kept_take(struct hws_lane *l, uint64_t conn_id, struct hws_outage **out)
{
    struct hws_outage *o = calloc(1, sizeof *o);
    if (!o)
        return HWS_ENOMEM;
    hws_list_init(&o->node);
    hws_list_init(&o->kept);
    o->conn_id = conn_id;
    *out = o;
    hws_list_push(&l->peer->kept.outages, &o->node);
    struct walk w = {.lane = l, .off = l->out.head_off, .staged_at = l->out.staged_freed};
    uint64_t at = l->out.released;
    int rc = HWS_OK;
    while (rc == HWS_OK && seg_at(&w)) {
        struct hws_kept *k = NULL;
        rc = take_frame(&w, &k);
        if (!k)
            break;
        at += k->end;
        k->end = at;
        hws_list_push(is_down(k) ? &l->peer->kept.resend : &o->kept, &k->node);
    }
    l->out.seg_n = l->out.seg_cur = 0;
    l->out.queued_bytes = 0;
    struct hws_list *n;
    while ((n = hws_list_pop(&l->out.staged_ops))) /* their bytes are copied */
        hws_send_out(hws_container_of(n, struct hws_send_op, node));
    return rc;
}

static void remember(struct hws_peer *p, uint64_t conn_id)
{
    p->kept.settled[p->kept.settled_next++ % HWS_SETTLED] = conn_id;
}

bool hws_kept_is_settled(const struct hws_peer *p, uint64_t conn_id)
{
    for (unsigned i = 0; i < HWS_SETTLED; i++)
        if (p->kept.settled[i] == conn_id)
            return true;
    return false;
}

void hws_kept_settle(struct hws_peer *p, struct hws_outage *o, uint64_t received)
{
    struct hws_list *n;
    remember(p, o->conn_id);
    hws_list_remove(&o->node);
    while ((n = hws_list_pop(&o->kept))) {
        struct hws_kept *k = hws_container_of(n, struct hws_kept, node);
        if (k->end <= received || (k->frame.type == HWS_FRAME_CREDIT && k->frame.credit == 0)) {
            end_frame(p, k, HWS_OK);
            continue;
        }
        hws_list_push(&p->kept.resend, &k->node);
        p->engine->count.n_resends++;
    }
    free(o);
    hws_peer_hold_all(p);
}

/* Packed pieces whose buffers were given up when they were sent. False: no memory. */
static bool pack_again(struct hws_engine *e, struct hws_kept *k)
{
    for (unsigned i = 0; i < k->n_pieces; i++) {
        struct hws_seg *s = &k->pieces[i];
        if (s->kind != HWS_SEG_PACKED || s->packed)
            continue;
        if (!(s->packed = hws_bufpool_get(&e->payloads, s->len)))
            return false;
        s->packed_len = s->len;
        const struct hws_data *data = &s->op->data;
        data->layout->pack(data->layout, data->base, s->offset, s->packed, s->len);
    }
    return true;
}

void hws_kept_put(struct hws_lane *l, struct hws_list *kept)
{
    struct hws_kept *k = hws_container_of(hws_list_pop(kept), struct hws_kept, node);
    if (!pack_again(l->peer->engine, k)) {
        hws_peer_lose(l->peer, HWS_ENOMEM, "out of memory to pack a fragment again");
        end_frame(l->peer, k, HWS_ENOMEM);
        return;
    }
    if (!l->crc)
        k->frame.flags &= (uint8_t)~HWS_FRAME_CRC;
    hws_lane_header(l, &k->frame);
    for (unsigned i = 0; i < k->n_pieces; i++) {
        struct hws_seg *s = &k->pieces[i];
        if (s->op)
            s->op->n_queued--; /* queueing counts it again */
        if (s->kind == HWS_SEG_STAGED)
            hws_lane_put(l, s->base, s->len);
        else if (s->kind == HWS_SEG_PACKED)
            hws_lane_put_packed(l, s->op, s->offset, s->packed, s->len);
        else
            hws_lane_put_user(l, s->op, s->base, s->len);
        if (s->kind == HWS_SEG_STAGED)
            hws_bufpool_put(&l->peer->engine->payloads, s->packed, s->packed_len);
    }
    l->path->n_resends++;
    free(k);
}

void hws_kept_add(struct hws_peer *p, const struct hws_frame *f)
{
    struct hws_kept *k = calloc(1, sizeof *k);
    if (!k) {
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for a frame that must wait for a connection");
        return;
    }
    k->frame = *f;
    hws_list_init(&k->node);
    hws_list_push(&p->kept.resend, &k->node);
    hws_peer_hold_all(p);
}

/* A connection that is still being opened here although the other end has already seen its end. */
static void forget_attempt(struct hws_peer *p, uint64_t conn_id)
{
    for (int i = 0; i < p->n_paths; i++) {
        struct hws_socket *s = p->paths[i] ? p->paths[i]->socket : NULL;
        if (s && s->dialer && hws_socket_in_hello(s) && s->conn_id == conn_id) {
            hws_peer_dial_refused(p, s);
            hws_socket_end(s, HWS_ECLOSED);
        }
    }
}

static struct hws_socket *find_socket(struct hws_peer *p, uint64_t conn_id)
{
    for (unsigned i = 0; i < p->n_up; i++) {
        struct hws_socket *s = hws_container_of(p->up[i], struct hws_socket, lane);
        if (s->conn_id == conn_id)
            return s;
    }
    for (struct hws_list *n = p->engine->work.ended.next; n != &p->engine->work.ended; n = n->next) {
        struct hws_socket *s = hws_container_of(n, struct hws_socket, node);
        if (s->peer == p && s->state == HWS_SOCKET_ENDING && s->conn_id == conn_id)
            return s;
    }
    return NULL;
}

int hws_kept_on_down(struct hws_lane *l, const struct hws_frame *f)
{
    struct hws_peer *p = l->peer;
    struct hws_socket *s = find_socket(p, f->conn_id);
    if (s && &s->lane == l)
        return HWS_EPROTO;
    if (s) {
        s->told = true;
        s->told_received = f->received;
        hws_socket_end(s, HWS_ECLOSED);
        return HWS_OK;
    }
    for (struct hws_list *n = p->kept.outages.next; n != &p->kept.outages; n = n->next) {
        struct hws_outage *o = hws_container_of(n, struct hws_outage, node);
        if (o->conn_id == f->conn_id) {
            hws_kept_settle(p, o, f->received);
            return HWS_OK;
        }
    }
    if (hws_kept_is_settled(p, f->conn_id))
        return HWS_OK;
    remember(p, f->conn_id);
    forget_attempt(p, f->conn_id);
    hws_kept_add(p, &(struct hws_frame){.type = HWS_FRAME_DOWN, .conn_id = f->conn_id}); /* nothing came on it */
    return HWS_OK;
}

static bool has_message(const struct hws_list *kept)
{
    for (const struct hws_list *n = kept->next; n != kept; n = n->next) {
        const struct hws_kept *k = hws_container_of(n, const struct hws_kept, node);
        unsigned i = 0;
        while (i < k->n_pieces && !k->pieces[i].op)
            i++;
        if (k->frame.type == HWS_FRAME_EAGER && i == k->n_pieces)
            return true;
    }
    return false;
}

bool hws_kept_has_messages(const struct hws_peer *p)
{
    for (const struct hws_list *n = p->kept.outages.next; n != &p->kept.outages; n = n->next)
        if (has_message(&hws_container_of(n, const struct hws_outage, node)->kept))
            return true;
    return has_message(&p->kept.resend);
}

void hws_kept_fail_all(struct hws_peer *p, enum hws_err why)
{
    struct hws_list *n;
    while ((n = hws_list_pop(&p->kept.outages))) {
        struct hws_outage *o = hws_container_of(n, struct hws_outage, node);
        while ((n = hws_list_pop(&o->kept)))
            end_frame(p, hws_container_of(n, struct hws_kept, node), why);
        free(o);
    }
    while ((n = hws_list_pop(&p->kept.resend)))
        end_frame(p, hws_container_of(n, struct hws_kept, node), why);
}
