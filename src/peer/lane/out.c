/* SPDX-License-Identifier: BSD-3-Clause
 *
 * out: the output stream of a connected socket. Segments leave in order, many in one system call: staged ones
 * (headers and small payloads, copied into a ring) and user ones (payload straight from the user's memory).
 *
 *      head             seg_cur, cur_off         head + seg_n
 *       | sent, kept until    | queued, not sent      |
 *       | acknowledged        | yet                   |          positions: released <= sent <= sent + queued_bytes
 *
 * Without keeping, what is sent is released at once. A segment's memory, and the send it belongs to, are needed until
 * it is released (lane/kept.c sends it again from there when the connection dies).
 */
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/pages.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define FIRST_SEGS  64
#define FIRST_STAGE 4096
#define MAX_IOV     64 /* the kernel copies them one by one; more gain nothing measurable */

int hws_lane_open(struct hws_lane *l, struct hws_socket *s)
{
    memset(l, 0, sizeof *l);
    l->peer = s->peer;
    l->link = s->link;
    l->path = s->path;
    l->keeps = s->keeps && s->theirs.keeps;
    l->watched = !l->link->is_local && l->link->ops->health;
    l->crc = s->engine->cfg.params.crc || s->theirs.crc;
    hws_list_init(&l->out.staged_ops);
    hws_list_init(&l->dirty_node);
    hws_list_init(&l->blocked_node);
    hws_list_init(&l->acked_node);
    l->out.segs = malloc(FIRST_SEGS * sizeof *l->out.segs);
    l->out.stage = malloc(FIRST_STAGE);
    l->in.pre = malloc(HWS_PREFETCH_LEN);
    if (!l->out.segs || !l->out.stage || !l->in.pre) {
        hws_lane_close(l);
        return HWS_ENOMEM;
    }
    l->out.seg_cap = FIRST_SEGS;
    l->out.stage_cap = FIRST_STAGE;
    if (l->link->ops->send_message && hws_lane_open_cuts(l) != HWS_OK) {
        hws_lane_close(l);
        return HWS_ENOMEM;
    }
    return HWS_OK;
}

static void drop_packed(struct hws_lane *l, const struct hws_seg *s)
{
    if (s->packed)
        hws_bufpool_put(&l->peer->engine->payloads, s->packed, s->packed_len);
}

void hws_lane_close(struct hws_lane *l)
{
    hws_lane_account(l);
    for (unsigned i = 0; i < l->out.seg_n; i++)
        drop_packed(l, &l->out.segs[(l->out.seg_head + i) & (l->out.seg_cap - 1)]);
    l->out.seg_n = 0;
    hws_list_remove(&l->dirty_node);
    hws_list_remove(&l->blocked_node);
    hws_list_remove(&l->acked_node);
    free(l->out.segs);
    free(l->out.stage);
    free(l->in.pre);
    free(l->out.cuts);
    l->out.cuts = NULL;
    l->out.segs = NULL;
    l->out.stage = l->in.pre = NULL;
}

static void out_of_memory(struct hws_lane *l)
{
    hws_peer_lose(l->peer, HWS_ENOMEM, "out of memory for the output queue");
}

static struct hws_seg *new_seg(struct hws_lane *l)
{
    if (l->out.seg_n == l->out.seg_cap) {
        struct hws_seg *segs = malloc(2 * l->out.seg_cap * sizeof *segs);
        if (!segs) {
            out_of_memory(l);
            return NULL;
        }
        for (unsigned i = 0; i < l->out.seg_n; i++)
            segs[i] = l->out.segs[(l->out.seg_head + i) & (l->out.seg_cap - 1)];
        free(l->out.segs);
        l->out.segs = segs;
        l->out.seg_head = 0;
        l->out.seg_cap *= 2;
    }
    return &l->out.segs[(l->out.seg_head + l->out.seg_n++) & (l->out.seg_cap - 1)];
}

/* Makes room for n more staged bytes; the ring's content moves, positions stay. */
static bool grow_stage(struct hws_lane *l, size_t n)
{
    size_t used = l->out.staged - l->out.staged_freed, cap = l->out.stage_cap;
    while (cap < used + n)
        cap *= 2;
    uint8_t *stage = malloc(cap);
    if (!stage) {
        out_of_memory(l);
        return false;
    }
    hws_pages_bring(stage, 0, cap);
    for (size_t i = 0; i < used;) {
        size_t from = (l->out.staged_freed + i) & (l->out.stage_cap - 1), to = (l->out.staged_freed + i) & (cap - 1);
        size_t run = used - i;
        if (run > l->out.stage_cap - from)
            run = l->out.stage_cap - from;
        if (run > cap - to)
            run = cap - to;
        memcpy(stage + to, l->out.stage + from, run);
        i += run;
    }
    free(l->out.stage);
    l->out.stage = stage;
    l->out.stage_cap = cap;
    return true;
}

/* The last segment, if more staged bytes may be joined to it. */
static struct hws_seg *open_seg(struct hws_lane *l)
{
    struct hws_seg *last =
        l->out.seg_n ? &l->out.segs[(l->out.seg_head + l->out.seg_n - 1) & (l->out.seg_cap - 1)] : NULL;
    if (!last || last->kind != HWS_SEG_STAGED)
        return NULL;
    if (l->out.seg_cur == l->out.seg_n) { /* all of it is sent: no longer */
        l->out.seg_cur--;
        l->out.cur_off = last->len;
    }
    return last;
}

void hws_lane_put(struct hws_lane *l, const void *bytes, size_t n)
{
    if (!n || !l->out.stage)
        return;
    if (l->out.staged - l->out.staged_freed + n > l->out.stage_cap && !grow_stage(l, n))
        return;
    size_t at = l->out.staged & (l->out.stage_cap - 1);
    size_t run = n < l->out.stage_cap - at ? n : l->out.stage_cap - at;
    hws_copy_long(l->out.stage + at, bytes, run);
    hws_copy_long(l->out.stage, (const uint8_t *)bytes + run, n - run);
    struct hws_seg *last = open_seg(l);
    if (last) {
        last->len += n;
    } else {
        if (!(last = new_seg(l)))
            return;
        *last = (struct hws_seg){.kind = HWS_SEG_STAGED, .len = n};
    }
    l->out.staged += n;
    l->out.queued_bytes += n;
}

static void put_seg(struct hws_lane *l, const struct hws_seg *seg)
{
    struct hws_seg *s = l->out.segs ? new_seg(l) : NULL;
    if (!s) {
        drop_packed(l, seg);
        return;
    }
    *s = *seg;
    if (seg->op)
        seg->op->n_queued++;
    l->out.queued_bytes += seg->len;
}

void hws_lane_put_user(struct hws_lane *l, struct hws_send_op *op, const void *base, size_t n)
{
    put_seg(l, &(struct hws_seg){.kind = HWS_SEG_USER, .base = base, .len = n, .op = op});
}

void hws_lane_put_packed(struct hws_lane *l, struct hws_send_op *op, uint64_t offset, void *packed, size_t n)
{
    put_seg(l, &(struct hws_seg){.kind = HWS_SEG_PACKED,
                                 .base = packed,
                                 .len = n,
                                 .op = op,
                                 .packed = packed,
                                 .packed_len = n,
                                 .offset = offset});
}

void hws_lane_lend(struct hws_lane *l)
{
    l->out.lent_until = l->out.sent + l->out.queued_bytes;
}

void hws_lane_header(struct hws_lane *l, struct hws_frame *f)
{
    uint8_t header[HWS_FRAME_MAX_HDR];
    f->ack = (uint32_t)l->in.received;
    l->in.acked = l->in.received;
    if (l->crc)
        f->flags |= HWS_FRAME_CRC;
    l->count.frames_out++;
    size_t n = hws_frame_encode(header, f);
    hws_lane_put(l, header, n);
    if (__builtin_expect(l->out.cuts != NULL, 0))
        hws_lane_cut(l, n + f->len, f);
}

void hws_lane_frame(struct hws_lane *l, struct hws_frame *f)
{
    if (__builtin_expect(!l->out.cuts, 1) || hws_lane_tells_credit(l, f))
        f->credit = hws_peer_take_credit(l->peer);
    hws_lane_header(l, f);
}

void hws_lane_ack(struct hws_lane *l)
{
    struct hws_frame f = {.type = HWS_FRAME_CREDIT};
    hws_grant_adjust(l->peer);
    hws_lane_frame(l, &f);
    hws_lane_hold(l);
}

/* Fills iov with what is not sent yet, *total bytes; a staged segment may take two entries where the ring wraps. */
static int gather(const struct hws_lane *l, struct iovec *iov, size_t *total)
{
    int n = 0;
    *total = 0;
    uint64_t staged_at = l->out.staged_sent;
    size_t off = l->out.cur_off;
    for (unsigned i = l->out.seg_cur; i < l->out.seg_n && n + 2 <= MAX_IOV; i++, off = 0) {
        const struct hws_seg *s = &l->out.segs[(l->out.seg_head + i) & (l->out.seg_cap - 1)];
        size_t len = s->len - off;
        *total += len;
        if (s->kind != HWS_SEG_STAGED) {
            iov[n].iov_base = (void *)(uintptr_t)(s->base + off);
            iov[n++].iov_len = len;
            continue;
        }
        size_t at = staged_at & (l->out.stage_cap - 1);
        size_t run = len < l->out.stage_cap - at ? len : l->out.stage_cap - at;
        iov[n].iov_base = l->out.stage + at;
        iov[n++].iov_len = run;
        if (run < len) {
            iov[n].iov_base = l->out.stage;
            iov[n++].iov_len = len - run;
        }
        staged_at += len;
    }
    return n;
}

static void drop_head(struct hws_lane *l)
{
    struct hws_seg *s = &l->out.segs[l->out.seg_head];
    struct hws_send_op *op = s->op;
    drop_packed(l, s);
    l->out.seg_head = (l->out.seg_head + 1) & (l->out.seg_cap - 1);
    l->out.seg_n--;
    l->out.seg_cur--;
    l->out.head_off = 0;
    if (op) {
        op->n_queued--;
        hws_send_out(op);
    }
}

/* The next n sent bytes are no longer needed. */
static void release(struct hws_lane *l, size_t n)
{
    l->out.released += n;
    while (n) {
        struct hws_seg *s = &l->out.segs[l->out.seg_head];
        size_t run = n < s->len - l->out.head_off ? n : s->len - l->out.head_off;
        n -= run;
        l->out.head_off += run;
        if (s->kind == HWS_SEG_STAGED)
            l->out.staged_freed += run;
        if (l->out.seg_cur > 0 && l->out.head_off == s->len)
            drop_head(l);
    }
}

static void finish_staged(struct hws_lane *l)
{
    while (!hws_list_is_empty(&l->out.staged_ops)) {
        struct hws_send_op *op = hws_container_of(l->out.staged_ops.next, struct hws_send_op, node);
        if (op->staged_end > l->out.staged_sent)
            break;
        hws_list_remove(&op->node);
        hws_send_out(op);
    }
}

/* A packed fragment is sent: its buffer serves the next one while it is in the cache. Should the connection die, the
 * fragment is packed again, since its message waits for an acknowledgment. */
static void forget_packed(struct hws_lane *l, struct hws_seg *s)
{
    if (!s->packed || !s->op)
        return;
    drop_packed(l, s);
    s->packed = NULL;
    s->base = NULL;
}

void hws_lane_advance(struct hws_lane *l, size_t n)
{
    size_t left = n;
    l->out.sent += n;
    l->out.queued_bytes -= n;
    while (left) {
        struct hws_seg *s = &l->out.segs[(l->out.seg_head + l->out.seg_cur) & (l->out.seg_cap - 1)];
        size_t run = left < s->len - l->out.cur_off ? left : s->len - l->out.cur_off;
        left -= run;
        l->out.cur_off += run;
        if (s->kind == HWS_SEG_STAGED)
            l->out.staged_sent += run;
        if (l->out.cur_off == s->len) {
            forget_packed(l, s);
            l->out.seg_cur++;
            l->out.cur_off = 0;
        }
    }
    if (!l->keeps)
        release(l, n);
    if (l->watched && !l->peer->engine->looks.is_set)
        hws_engine_watch_lanes(l->peer->engine);
    finish_staged(l);
}

int hws_lane_on_ack(struct hws_lane *l, uint32_t ack)
{
    uint32_t n = ack - (uint32_t)l->out.confirmed;
    if (n > l->out.sent - l->out.confirmed)
        return HWS_EPROTO;
    l->out.confirmed += n;
    if (l->out.lent_until && l->out.confirmed >= l->out.lent_until) {
        l->out.lent_until = 0;
        l->in.gives_way = true;
    }
    if (hws_list_is_empty(&l->acked_node))
        hws_list_push(&l->peer->engine->work.acked, &l->acked_node);
    return HWS_OK;
}

void hws_engine_settle_acks(struct hws_engine *e)
{
    struct hws_list *node;
    while ((node = hws_list_pop(&e->work.acked))) {
        struct hws_lane *l = hws_container_of(node, struct hws_lane, acked_node);
        const struct hws_peer *p = l->peer;
        release(l, l->out.confirmed - l->out.released);
        if (!hws_list_is_empty(&p->out.pending) || p->out.bulk_left)
            hws_lane_hold(l); /* room for kept copies may have been what they waited for */
    }
}

/* The socket is full: steps try again directly; interest in writing is set only if the engine goes to sleep (arm). A
 * thread that sleeps already must do so once more. */
void hws_lane_set_blocked(struct hws_lane *l, bool on)
{
    l->out.want_write = on;
    if (on) {
        hws_lane_note_speed(l);
        if (!hws_list_is_empty(&l->blocked_node))
            return;
        hws_list_push(&l->peer->engine->work.blocked, &l->blocked_node);
        hws_engine_sleep_anew(l->peer->engine);
        return;
    }
    l->share.speed.was_full = false;
    hws_list_remove(&l->blocked_node);
    if (l->out.armed)
        hws_link_want(l->link, HWS_LINK_R);
    l->out.armed = false;
}

void hws_lane_arm(struct hws_lane *l)
{
    if (!l->out.armed)
        hws_link_want(l->link, HWS_LINK_R | HWS_LINK_W);
    l->out.armed = true;
}

/* Bulk for several lanes: each takes some, and then its turn comes again. What a shaper's bucket lets pass at once
 * would otherwise be taken for the lane's speed, and one lane given what others are to carry. */
static bool lets_others(struct hws_lane *l)
{
    const struct hws_peer *p = l->peer;
    if (p->n_up <= 1 || !p->out.bulk_left || hws_list_is_empty(&p->engine->work.dirty))
        return false;
    hws_lane_hold(l);
    return true;
}

bool hws_lane_flush(struct hws_lane *l)
{
    bool wrote = false;
    struct hws_socket *sock = hws_container_of(l, struct hws_socket, lane);
    struct iovec iov[MAX_IOV];
    if (__builtin_expect(l->out.cuts != NULL, 0))
        return hws_lane_flush_cuts(l);
    hws_list_remove(&l->dirty_node);
    for (;;) {
        hws_send_pump(l->peer, l);
        if (sock->state != HWS_SOCKET_CONNECTED || hws_lane_is_sent(l))
            break;
        size_t total;
        int n_iov = gather(l, iov, &total);
        ssize_t n = hws_link_send(l->link, iov, n_iov);
        l->count.sends++;
        if (n == HWS_EAGAIN) {
            hws_lane_set_blocked(l, true);
            return wrote;
        }
        if (n < 0) {
            hws_socket_end(sock, (enum hws_err)n);
            return true;
        }
        l->peer->engine->work.activity++;
        hws_lane_advance(l, (size_t)n);
        wrote = true;
        if ((size_t)n < total) { /* full: another call would say so and nothing else */
            hws_lane_set_blocked(l, true);
            return true;
        }
        if (lets_others(l))
            return true;
    }
    if (sock->state == HWS_SOCKET_CONNECTED && l->out.want_write)
        hws_lane_set_blocked(l, false);
    return wrote;
}

void hws_lane_hold(struct hws_lane *l)
{
    l->peer->engine->work.owed = true;
    if (hws_list_is_empty(&l->dirty_node))
        hws_list_push(&l->peer->engine->work.dirty, &l->dirty_node);
}

void hws_lane_hold_burst(struct hws_lane *l)
{
    __atomic_store_n(&l->peer->engine->work.held, true, __ATOMIC_RELAXED);
    if (hws_list_is_empty(&l->dirty_node))
        hws_list_push(&l->peer->engine->work.dirty, &l->dirty_node);
}

void hws_lane_on_writable(struct hws_lane *l)
{
    hws_lane_flush(l);
}
