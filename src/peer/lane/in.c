/* SPDX-License-Identifier: BSD-3-Clause
 *
 * in: reads frames from a connected socket. Many small frames come with one recv into the prefetch buffer; a large
 * body is read straight to where it belongs, with a little room behind it for the headers that follow. Each frame's
 * handler (msg/frames.c) checks it against the state and names the sink of its payload.
 */
#include <string.h>

#include "base/copy.h"
#include "base/crc32c.h"
#include "frag/frag.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

static void sink_take(struct hws_lane *l, const uint8_t *src, size_t n)
{
    struct hws_sink *s = &l->in.sink;
    if (l->in.frame.flags & HWS_FRAME_CRC)
        l->in.frame_crc = hws_crc32c(l->in.frame_crc, src, n);
    size_t keep = s->left > s->discard ? s->left - s->discard : 0; /* within the discarded part: none */
    if (keep > n)
        keep = n;
    if (s->dst) {
        hws_copy_long(s->dst, src, keep);
        s->dst += keep;
    } else if (keep) {
        const struct hws_layout *layout = s->op->data.layout;
        layout->unpack(layout, s->op->data.base, s->offset, src, keep);
        s->offset += keep;
    }
    if (s->msg)
        s->msg->received += (uint32_t)keep;
    s->left -= n;
}

static void add_crc(struct hws_lane *l, const struct iovec *iov, size_t n)
{
    for (size_t run; n; n -= run, iov++) {
        run = n < iov->iov_len ? n : iov->iov_len;
        l->in.frame_crc = hws_crc32c(l->in.frame_crc, iov->iov_base, run);
    }
}

/* n bytes of the sink were read in place, where iov says. */
static void sink_took(struct hws_lane *l, const struct iovec *iov, size_t n)
{
    struct hws_sink *s = &l->in.sink;
    if (l->in.frame.flags & HWS_FRAME_CRC)
        add_crc(l, iov, n);
    if (s->dst)
        s->dst += n;
    else
        s->offset += n;
    if (s->msg)
        s->msg->received += (uint32_t)n;
    s->left -= n;
}

/* Gives the sink what the prefetch buffer holds of its payload. */
static void drain_to_sink(struct hws_lane *l)
{
    size_t n = l->in.pre_tail - l->in.pre_head;
    if (n > l->in.sink.left)
        n = l->in.sink.left;
    sink_take(l, l->in.pre + l->in.pre_head, n);
    l->in.pre_head += n;
}

static void take_credit(struct hws_lane *l, const struct hws_frame *f)
{
    if (f->credit) {
        l->peer->account.credit += f->credit;
        if (!hws_list_is_empty(&l->peer->out.pending))
            hws_peer_hold_all(l->peer);
    }
}

/* Received bytes after which an acknowledgment waits no more. One on its own is a system call and a packet just ahead
 * of the message that answers, which would carry it: for whole messages that are not lent it waits longer. Several
 * lanes learn from acknowledgments how fast they are. */
static uint64_t ack_after(const struct hws_lane *l)
{
    const struct hws_frame *f = &l->in.frame;
    bool is_patient = l->peer->n_up == 1 && hws_frame_is(f->type, HWS_FRAMES_FIRST) &&
                      f->len <= HWS_LONE_TIMES * (uint64_t)l->peer->engine->cfg.params.tcp_eager;
    return is_patient ? HWS_ACK_WHOLE : HWS_ACK_EVERY;
}

/* All of the frame is here and handled: only now it counts, as one that is torn comes again. */
static void end_frame(struct hws_lane *l)
{
    struct hws_peer *p = l->peer;
    l->in.received += l->in.frame_bytes;
    l->in.frame_bytes = 0;
    take_credit(l, &l->in.frame);
    if (p->in.ack_now)
        hws_peer_ack_all(p);
    else if (l->keeps && l->in.received - l->in.acked >= ack_after(l))
        hws_lane_ack(l);
}

/* The payload's checksum, once all of it is here. */
static bool is_damaged(struct hws_lane *l)
{
    if (!(l->in.frame.flags & HWS_FRAME_CRC) || l->in.frame_crc == l->in.frame.payload_crc)
        return false;
    l->peer->engine->count.n_corrupt++;
    if (l->in.sink.msg)
        l->in.sink.msg->received = 0; /* nobody may take it for whole */
    return true;
}

static int end_body(struct hws_lane *l)
{
    if (is_damaged(l))
        return HWS_ECORRUPT;
    hws_recv_body_done(l);
    end_frame(l);
    return HWS_OK;
}

/* Memory stays bounded (docs/design.md, Memory is bounded) only if nobody sends more than he was granted. */
static bool overdraws(struct hws_peer *p, const struct hws_frame *f)
{
    if (!hws_frame_is(f->type, HWS_FRAMES_FIRST))
        return false;
    p->account.in_use += hws_frag_charge(f->flags & HWS_FRAME_FREE, f->len, HWS_ENVELOPE);
    if (__builtin_expect(p->account.in_use + p->account.owed + HWS_ENVELOPE > p->account.grant, 0))
        hws_hold_shortens(p);
    return p->account.in_use > p->account.grant;
}

/* A short message that is here as a whole. */
static bool is_handled_at_once(struct hws_lane *l)
{
    const struct hws_frame *f = &l->in.frame;
    const uint8_t *payload = l->in.pre + l->in.pre_head;
    if (f->type != HWS_FRAME_EAGER || f->len > l->in.pre_tail - l->in.pre_head || f->flags ||
        !hws_recv_eager_fast(l, f, payload))
        return false;
    l->in.pre_head += f->len;
    end_frame(l);
    return true;
}

/* With checksums the header is checked before anything in it is believed. */
static int decode_header(const struct hws_lane *l, struct hws_frame *f)
{
    const uint8_t *at = l->in.pre + l->in.pre_head;
    size_t here = l->in.pre_tail - l->in.pre_head;
    if (!l->crc)
        return hws_frame_decode_eager(at, here, f) ? HWS_EAGER_HDR : hws_frame_decode(at, here, f);
    int rc = hws_frame_check(at, here);
    return rc > 0 ? hws_frame_decode(at, here, f) : rc;
}

/* What no frame begins with. Of an unknown kind it is said which: perhaps a newer version has sent it. */
static int refuse(struct hws_lane *l, int rc)
{
    uint8_t kind = l->in.pre[l->in.pre_head];
    l->peer->engine->count.n_corrupt += rc == HWS_ECORRUPT;
    if (rc == HWS_EPROTO && !hws_frame_header_len(kind))
        hws_kinds_refuse(l->peer, kind);
    return rc;
}

/* One frame, if all of its header is here. 1: a frame was begun (its payload may still be coming); 0: more bytes
 * needed; negative: the peer broke the protocol, or the header is damaged. */
static int parse_one(struct hws_lane *l)
{
    struct hws_frame *f = &l->in.frame;
    int n = decode_header(l, f);
    if (n <= 0)
        return n == 0 ? 0 : refuse(l, n);
    l->in.pre_head += (size_t)n;
    l->count.frames_in++;
    l->in.frame_bytes = (size_t)n + f->len;
    l->in.frame_crc = 0;
    l->in.large = f->len >= HWS_LARGE_LEN;
    if (l->keeps && f->ack != (uint32_t)l->out.confirmed && hws_lane_on_ack(l, f->ack) != HWS_OK)
        return HWS_EPROTO;
    if (f->len >= HWS_MIDDLE_LEN && __builtin_expect(!l->peer->wide, 0))
        hws_peer_count_middle(l->peer, f->len);
    if (overdraws(l->peer, f))
        return HWS_EPROTO;
    if (is_handled_at_once(l))
        return 1;
    memset(&l->in.sink, 0, sizeof l->in.sink);
    l->in.sink.left = l->in.sink.frame_len = f->len;
    int rc = hws_frame_is(f->type, HWS_FRAMES_ROOM) ? hws_kinds_on_frame(l, f) : hws_frame_handlers[f->type](l, f);
    if (rc != HWS_OK)
        return rc;
    if (f->len == 0)
        rc = end_body(l);
    return rc == HWS_OK ? 1 : rc;
}

/* A send is over with the frame that was taken last. Who waited for it may be about to receive what comes behind, a
 * long answer perhaps, which would be kept in memory of its own if it were begun now. False too where it is here as a
 * whole: then nothing more may come that would have it looked at. */
static bool gives_way(struct hws_lane *l)
{
    struct hws_frame f;
    if (__builtin_expect(!l->in.gives_way, 1))
        return false;
    int n = decode_header(l, &f);
    l->in.gives_way = n == 0 || (n > 0 && l->in.pre_tail - l->in.pre_head < (size_t)n + f.len);
    l->in.large |= l->in.gives_way;
    return l->in.gives_way;
}

/* Works through the prefetch buffer. */
static int parse(struct hws_lane *l)
{
    const struct hws_socket *sock = hws_container_of(l, struct hws_socket, lane);
    int rc = HWS_OK;
    while (sock->state == HWS_SOCKET_CONNECTED) {
        if (l->in.sink.left) {
            drain_to_sink(l);
            if (l->in.sink.left)
                break;
            if ((rc = end_body(l)) != HWS_OK)
                return rc;
        }
        rc = parse_one(l);
        if (rc < 0)
            return rc;
        if (rc == 0)
            break;
        if (l->in.pre_head == l->in.pre_tail || gives_way(l))
            break;
    }
    if (l->in.pre_head == l->in.pre_tail)
        l->in.pre_head = l->in.pre_tail = 0;
    return HWS_OK;
}

/* The body's own memory, *direct bytes in all; 0: too little of it, or in runs too short, to be read in place. */
static int place_body(const struct hws_sink *s, struct iovec iov[HWS_MAX_RUNS], size_t *direct)
{
    size_t keep = s->left > s->discard ? s->left - s->discard : 0;
    const struct hws_layout *layout = s->op ? s->op->data.layout : NULL;
    *direct = 0;
    if (keep <= HWS_TAIL_LEN)
        return 0;
    if (s->dst) {
        iov[0] = (struct iovec){s->dst, *direct = keep};
        return 1;
    }
    return layout->runs ? layout->runs(layout, s->op->data.base, s->offset, keep, iov, HWS_MAX_RUNS, direct) : 0;
}

/* The memory for the next recv: the body's own place first if it is large enough to pay. */
static int place(struct hws_lane *l, struct iovec iov[HWS_MAX_RUNS + 1], size_t *direct)
{
    struct hws_sink *s = &l->in.sink;
    size_t room = HWS_PREFETCH_LEN - l->in.pre_tail;
    int n = place_body(s, iov, direct);
    if (n > 0 && *direct == s->left) /* else what follows would land before the rest of the body */
        iov[n++] = (struct iovec){l->in.pre, HWS_TAIL_LEN};
    if (n > 0)
        return n;
    if (l->in.pre_head && room < HWS_PREFETCH_LEN / 2) {
        memmove(l->in.pre, l->in.pre + l->in.pre_head, l->in.pre_tail - l->in.pre_head);
        l->in.pre_tail -= l->in.pre_head;
        l->in.pre_head = 0;
        room = HWS_PREFETCH_LEN - l->in.pre_tail;
    }
    if (l->in.large && room > s->left + HWS_TAIL_LEN)
        room = s->left + HWS_TAIL_LEN; /* then likely a large frame's header, but not its body: that is read in place */
    iov[0] = (struct iovec){l->in.pre + l->in.pre_tail, room};
    return 1;
}

static void account(struct hws_lane *l, const struct iovec *iov, size_t n, size_t direct)
{
    l->count.bytes_in += n;
    l->count.recvs++;
    l->peer->engine->work.activity++;
    l->peer->engine->looks.came += n;
    l->peer->share.back = l;
    size_t into_body = n < direct ? n : direct;
    if (into_body)
        sink_took(l, iov, into_body);
    l->in.pre_tail += n - into_body;
}

/* What the acknowledgment has ended is over now, not at the begin of the next step, which reads on. */
static bool has_given_way(struct hws_lane *l)
{
    if (__builtin_expect(!l->in.gives_way, 1))
        return false;
    l->in.gives_way = false;
    hws_engine_settle_acks(l->peer->engine);
    return true;
}

bool hws_lane_read(struct hws_lane *l)
{
    struct hws_socket *sock = hws_container_of(l, struct hws_socket, lane);
    for (int budget = HWS_FRAMES_PER_READ; budget > 0; budget--) {
        struct iovec iov[HWS_MAX_RUNS + 1];
        size_t direct, want = 0;
        int n_iov = place(l, iov, &direct);
        for (int i = 0; i < n_iov; i++)
            want += iov[i].iov_len;
        ssize_t n = hws_link_recv(l->link, iov, n_iov);
        if (n == HWS_EAGAIN)
            return budget < HWS_FRAMES_PER_READ;
        if (n < 0) {
            hws_socket_end(sock, (enum hws_err)n);
            return true;
        }
        account(l, iov, (size_t)n, direct);
        int rc = direct && l->in.sink.left == 0 ? end_body(l) : HWS_OK;
        if (rc == HWS_OK && !(l->in.sink.left && l->in.pre_head == l->in.pre_tail))
            rc = parse(l);
        if (rc != HWS_OK)
            hws_socket_end(sock, (enum hws_err)rc);
        if (has_given_way(l) || sock->state != HWS_SOCKET_CONNECTED || (size_t)n < want)
            return true;
    }
    return true;
}
