/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cut: the output of a lane whose link carries messages. The queue of segments is the one of lane/out.c; beside it
 * goes a ring that tells where each frame ends and which flow it belongs to, and each frame leaves as one message.
 * Lanes take turns fragment by fragment, as they share one socket.
 */
#include <assert.h>
#include <stdlib.h>

#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define FIRST_CUTS 64
#define MAX_IOV    256 /* of one frame: its pieces are longer than HWS_COPY_LEN, the staged ones between them as many */
#define TURN_BYTES (64u << 10) /* then another lane has its turn */

int hws_lane_open_cuts(struct hws_lane *l)
{
    l->out.cuts = malloc(FIRST_CUTS * sizeof *l->out.cuts);
    l->out.cut_cap = FIRST_CUTS;
    return l->out.cuts ? HWS_OK : HWS_ENOMEM;
}

static bool grow(struct hws_lane *l)
{
    struct hws_cut *cuts = malloc(2 * l->out.cut_cap * sizeof *cuts);
    if (!cuts)
        return false;
    for (unsigned i = 0; i < l->out.cut_n; i++)
        cuts[i] = l->out.cuts[(l->out.cut_head + i) & (l->out.cut_cap - 1)];
    free(l->out.cuts);
    l->out.cuts = cuts;
    l->out.cut_head = 0;
    l->out.cut_cap *= 2;
    return true;
}

/* A link that leaves messages unread: only what a receive asks for may go behind them. Bulk is asked for, and bounded
 * by nothing. */
static uint64_t flow_of(const struct hws_lane *l, const struct hws_frame *f)
{
    if (!l->link->offer_again)
        return hws_frame_is(f->type, HWS_FRAMES_PART) ? hws_flow(f->ctx, f->tag) : 0;
    if (hws_frame_is(f->type, HWS_FRAMES_FIRST))
        return hws_flow_exact(f->ctx, f->tag);
    return f->type == HWS_FRAME_BULK ? hws_flow_exact(f->ctx, f->tag) | HWS_FLOW_MAY_WAIT : 0;
}

bool hws_lane_tells_credit(const struct hws_lane *l, const struct hws_frame *f)
{
    return !l->link->offer_again || !hws_frame_is(f->type, HWS_FRAMES_PAYLOAD);
}

void hws_lane_cut(struct hws_lane *l, size_t len, const struct hws_frame *f)
{
    if (l->out.cut_n == l->out.cut_cap && !grow(l)) {
        hws_peer_lose(l->peer, HWS_ENOMEM, "out of memory for the output queue");
        return;
    }
    l->out.cuts[(l->out.cut_head + l->out.cut_n++) & (l->out.cut_cap - 1)] =
        (struct hws_cut){.len = (uint32_t)len, .flow = flow_of(l, f)};
}

/* The next len bytes that are not sent. */
static int gather(const struct hws_lane *l, size_t len, struct iovec iov[MAX_IOV])
{
    int n = 0;
    uint64_t staged_at = l->out.staged_sent;
    size_t off = l->out.cur_off;
    for (unsigned i = l->out.seg_cur; len > 0; i++, off = 0) {
        const struct hws_seg *s = &l->out.segs[(l->out.seg_head + i) & (l->out.seg_cap - 1)];
        size_t run = s->len - off < len ? s->len - off : len;
        assert(i < l->out.seg_n && n + 2 <= MAX_IOV);
        len -= run;
        if (s->kind != HWS_SEG_STAGED) {
            iov[n++] = (struct iovec){(void *)(uintptr_t)(s->base + off), run};
            continue;
        }
        size_t at = staged_at & (l->out.stage_cap - 1),
               first = run < l->out.stage_cap - at ? run : l->out.stage_cap - at;
        iov[n++] = (struct iovec){l->out.stage + at, first};
        if (first < run)
            iov[n++] = (struct iovec){l->out.stage, run - first};
        staged_at += run;
    }
    return n;
}

static ssize_t send_next(struct hws_lane *l)
{
    struct iovec iov[MAX_IOV];
    const struct hws_cut cut = l->out.cuts[l->out.cut_head];
    ssize_t n = hws_link_send_message(l->link, iov, gather(l, cut.len, iov), cut.flow);
    l->count.sends++;
    if (n < 0)
        return n;
    l->peer->engine->work.activity++;
    l->out.cut_head = (l->out.cut_head + 1) & (l->out.cut_cap - 1);
    l->out.cut_n--;
    hws_lane_advance(l, cut.len);
    return n;
}

bool hws_lane_flush_cuts(struct hws_lane *l)
{
    struct hws_socket *sock = hws_container_of(l, struct hws_socket, lane);
    size_t sent = 0;
    hws_list_remove(&l->dirty_node);
    for (;;) {
        hws_send_pump(l->peer, l);
        if (sock->state != HWS_SOCKET_CONNECTED || !l->out.cut_n)
            break;
        ssize_t n = send_next(l);
        if (n == HWS_EAGAIN) {
            hws_lane_set_blocked(l, true);
            return sent > 0;
        }
        if (n < 0) {
            hws_socket_end(sock, (enum hws_err)n);
            return true;
        }
        sent += (size_t)n;
        if (sent >= TURN_BYTES) {
            hws_lane_hold(l);
            break;
        }
    }
    if (sock->state == HWS_SOCKET_CONNECTED && l->out.want_write)
        hws_lane_set_blocked(l, false);
    return sent > 0;
}
