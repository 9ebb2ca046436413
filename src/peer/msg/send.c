/* SPDX-License-Identifier: BSD-3-Clause
 *
 * send: the sending half of the protocol (docs/design.md, Sending). A short message goes whole (EAGER, SYNC); a long
 * one, or one for which there is no credit, begins with RTS and continues in BULK frames after the CTS. Without credit
 * even for an envelope it waits (msg/hold.c).
 *
 * A send that is not done is in exactly one list of its peer (pending, answers, bulk), or in its lane's staged_ops, or
 * has segments queued (n_queued > 0), or both of the latter kinds. It is done when none of these holds.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/copy.h"
#include "base/crc32c.h"
#include "base/hot.h"
#include "frag/frag.h"
#include "peer/conn/conn.h"
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define LATE_TIMES     4          /* messages that came before their receives: the next ones likely do, too */
#define LATE_MOST      16         /* of them are counted, ... */
#define IN_TIME_WEIGHT 4          /* ... less so many for each one that did not */
#define LATE_PART      (1u << 20) /* of so many bytes, one in ... */
#define LATE_PARTS     16         /* ... is announced all the same */
#define LONE_LENT      32 /* times -tcpeagersend, of what is lent until it has come, where nothing is under way */
#define LONE_SHARED    4 /* the same by one of several lanes: as much as goes by each at once may be all that is fast */
#define UNDER_WAY      4096  /* bytes that count: not those of short frames */
#define BURST_NS       20000 /* sends to one peer that follow each other this fast are held back for one system call */

HWS_HOT void hws_send_finish(struct hws_engine *e, struct hws_send_op *op, enum hws_err err)
{
    if (op->handle)
        hws_handle_free(e, op->handle);
    op->handle = 0;
    op->err = err;
    void (*on_done)(struct hws_send_op *) = op->on_done;
    op->done = true; /* the owner may free it from here on, unless on_done is set */
    if (on_done)
        on_done(op);
    hws_engine_notify(e);
}

HWS_HOT void hws_send_out(struct hws_send_op *op)
{
    if (op->n_queued || op->answer_due || !hws_list_is_empty(&op->node))
        return;
    hws_send_finish(op->engine, op, op->taken_back ? HWS_ECANCELLED : HWS_OK);
}

/* An envelope that costs nothing: it was asked for, or the link bounds what comes. */
static struct hws_first plan_free(struct hws_peer *p, const struct hws_send_op *op, struct hws_frame *f)
{
    f->flags = hws_hold_flags(p, op);
    return (struct hws_first){.rendezvous = true, .no_credit = true};
}

/* Bytes sent in this turn, that is since the other end sent something itself. Messages that cross can't acknowledge
 * each other, so what was sent before that counts as if it had come. */
static uint64_t sent_in_turn(struct hws_lane *l)
{
    uint64_t came = l->in.received - l->turn.received;
    if (came >= UNDER_WAY)
        l->turn = (struct hws_lane_turn){.sent = l->out.sent, .received = l->in.received, .room = came};
    return l->out.sent - l->turn.sent;
}

/* For messages of len bytes: as much as the longest that goes whole or, where more came, two such messages. */
static uint64_t room_of_turn(const struct hws_lane *l, uint64_t longest, uint64_t len)
{
    uint64_t most = l->turn.room < 2 * len ? l->turn.room : 2 * len;
    return (most < longest ? longest : most) + UNDER_WAY;
}

static uint64_t times_eager(const struct hws_peer *p, unsigned times)
{
    return times * (uint64_t)p->engine->cfg.params.tcp_eager;
}

/* Of a message that goes whole a lane that keeps makes a copy; a longer one lends it the user's memory until it is
 * acknowledged. The other end does that at once for what is so long. */
static bool is_lent(const struct hws_peer *p, uint64_t len)
{
    return len > times_eager(p, HWS_LONE_TIMES) && len >= HWS_ACK_EVERY;
}

/* The longest that goes whole, of messages like one of len bytes. */
static uint64_t longest_whole(const struct hws_peer *p, uint64_t len)
{
    return times_eager(p, p->n_up > 1 ? LONE_SHARED : is_lent(p, len) ? LONE_LENT : HWS_LONE_TIMES);
}

/* Nothing waits but short frames that go along (acknowledgments of what this answers), and of what was sent hardly
 * anything is not known to have come; or both ends send, and this turn has room for len more. */
static bool is_idle(const struct hws_peer *p, struct hws_lane *l, uint64_t len)
{
    if (!hws_list_is_empty(&p->out.answers) || p->out.bulk_left || l->out.want_write ||
        l->out.queued_bytes >= UNDER_WAY)
        return false;
    uint64_t in_turn = sent_in_turn(l), longest = longest_whole(p, len);
    return !l->keeps || l->out.sent - l->out.confirmed < UNDER_WAY || in_turn + len < room_of_turn(l, longest, len);
}

static bool is_short(const struct hws_peer *p, uint64_t len)
{
    return __builtin_expect(len <= p->engine->cfg.params.tcp_eager, 1);
}

/* The other end posts its receives one after the other, each when the message has come: it would wait for the rest of
 * each. Part of them are announced all the same, to see whether it still does. */
static bool is_late(const struct hws_peer *p, const struct hws_lane *l)
{
    return p->out.n_late >= LATE_TIMES && (l->out.sent / LATE_PART) % LATE_PARTS;
}

/* How many bytes of a message that is not short may go before a receive is known. Where nothing else is under way, to
 * wait for an answer costs a round trip, so longer messages go whole; where there is, the wait is hidden, and they are
 * spared a copy (docs/decisions/027). A link of messages carries none that is longer than -tcpeagersend may be. */
static uint64_t eager_for(const struct hws_peer *p, struct hws_lane *l, uint64_t len)
{
    uint64_t eager = p->engine->cfg.params.tcp_eager;
    return len > longest_whole(p, len) || p->in.flows || !(is_late(p, l) || is_idle(p, l, len)) ? eager : len;
}

/* A message that is not short: several lanes could share it, or nobody has asked yet whether there can be several. */
static bool is_for_several(const struct hws_peer *p)
{
    return p->n_up > 1 || !p->wide;
}

/* Whether a message of that length may leave whole, by this lane alone. */
static bool goes_whole(const struct hws_peer *p, struct hws_lane *l, uint64_t len)
{
    return is_short(p, len) || (len <= eager_for(p, l, len) && !is_for_several(p));
}

/* What the other lanes carry of a message waits for an answer, so it is cut where that pays in spite of it. The first
 * one is an RTS in any case, as lanes may be the other end's to open. */
static struct hws_first share(struct hws_lane *l, const struct hws_send_op *op, struct hws_first plan)
{
    struct hws_peer *p = l->peer;
    uint32_t part = plan.len;
    plan.rendezvous |= !p->wide;
    if (!p->wide)
        hws_peer_widen(p);
    if (p->n_up > 1 && plan.len)
        part = (uint32_t)hws_peer_first_part(l, op->data.len_bytes, plan.len);
    plan.rendezvous |= part < plan.len;
    plan.charge -= plan.len - part;
    plan.len = part;
    return plan;
}

/* Decides how a message begins and pays the credit for it. */
static void plan_first(struct hws_lane *l, struct hws_send_op *op, struct hws_frame *f)
{
    struct hws_peer *p = l->peer;
    struct hws_engine *e = p->engine;
    uint64_t len = op->data.len_bytes;
    bool is_long = !is_short(p, len);
    memset(f, 0, sizeof *f);
    struct hws_first plan =
        op->is_asked || p->account.credit < HWS_ENVELOPE
            ? plan_free(p, op, f)
            : hws_frag_first(len, is_long ? eager_for(p, l, len) : len, p->account.credit, HWS_ENVELOPE);
    if (is_long && is_for_several(p))
        plan = share(l, op, plan);
    f->type = plan.rendezvous ? HWS_FRAME_RTS : op->mode == HWS_SYNC ? HWS_FRAME_SYNC : HWS_FRAME_EAGER;
    f->len = plan.len;
    f->ctx = op->ctx;
    f->tag = op->tag;
    f->seq = op->seq;
    f->msg_len = op->data.len_bytes;
    p->account.credit -= plan.charge;
    e->count.n_no_credit += plan.no_credit;
    if (plan.no_credit && hws_engine_is_watched(e, HWS_EVENT_NO_CREDIT))
        hws_engine_event_slow(
            e, (struct hws_event){
                   .kind = HWS_EVENT_NO_CREDIT, .peer = p->number, .tag = op->tag, .bytes = op->data.len_bytes});
    if (f->type == HWS_FRAME_EAGER) {
        e->count.n_eager++;
        return;
    }
    e->count.n_rts += plan.rendezvous;
    op->answer_due = true;
    hws_list_push(&p->out.answers, &op->node);
    op->handle = f->send_handle = hws_handle_new(e, HWS_HANDLE_SEND, op);
    if (!op->handle)
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for the table of sends");
}

static void put_run(struct hws_lane *l, struct hws_send_op *op, const void *from, size_t n)
{
    if (n <= HWS_COPY_LEN || !op)
        hws_lane_put(l, from, n);
    else
        hws_lane_put_user(l, op, from, n);
}

static void put_runs(struct hws_lane *l, struct hws_send_op *op, uint64_t offset, size_t n)
{
    const struct hws_layout *layout = op->data.layout;
    struct iovec iov[HWS_MAX_RUNS];
    for (size_t covered; n > 0; offset += covered, n -= covered) {
        int k = layout->runs(layout, op->data.base, offset, n, iov, HWS_MAX_RUNS, &covered);
        for (int i = 0; i < k; i++)
            put_run(l, op, iov[i].iov_base, iov[i].iov_len);
    }
}

/* Short runs: packed, but never more than a buffer at once. waits: the send that is over once they are out, or NULL. */
static void put_packed(struct hws_lane *l, const struct hws_data *data, struct hws_send_op *waits, uint64_t offset,
                       size_t n)
{
    uint8_t small[HWS_COPY_LEN];
    for (size_t len; n > 0; offset += len, n -= len) {
        len = n < HWS_PACK_LEN ? n : HWS_PACK_LEN;
        uint8_t *packed = len <= sizeof small ? small : hws_bufpool_get(&l->peer->engine->payloads, len);
        if (!packed) {
            hws_peer_lose(l->peer, HWS_ENOMEM, "out of memory to pack %zu bytes", len);
            return;
        }
        data->layout->pack(data->layout, data->base, offset, packed, len);
        if (packed == small)
            hws_lane_put(l, packed, len);
        else
            hws_lane_put_packed(l, waits, offset, packed, len);
    }
}

/* Queues payload bytes [offset, offset + n) of a send behind its header. A message that is over once it is sent (EAGER,
 * SYNC) must not need the user's memory again, so a lane that keeps copies it, unless it is long and ends with its
 * acknowledgment; what waits for an answer anyway is kept where it is. */
static void put_payload(struct hws_lane *l, struct hws_send_op *op, uint8_t type, uint64_t offset, size_t n)
{
    bool is_whole = l->keeps && hws_frame_is(type, HWS_FRAMES_WHOLE);
    struct hws_send_op *waits = is_whole && !is_lent(l->peer, n) ? NULL : op;
    const struct hws_layout *layout = op->data.layout;
    if (n == 0)
        return;
    if (!layout)
        put_run(l, waits, (const uint8_t *)op->data.base + offset, n);
    else if (layout->runs && n > HWS_COPY_LEN && waits)
        put_runs(l, op, offset, n);
    else
        put_packed(l, &op->data, waits, offset, n);
    if (is_whole && waits)
        hws_lane_lend(l);
}

static uint32_t payload_crc(const struct hws_data *data, uint64_t offset, size_t n)
{
    uint8_t piece[4096]; /* bytes: on the stack, and stays in the L1 cache until it is summed */
    uint32_t crc = 0;
    if (!data->layout)
        return n ? hws_crc32c(0, (const uint8_t *)data->base + offset, n) : 0;
    for (size_t len; n > 0; offset += len, n -= len) {
        len = n < sizeof piece ? n : sizeof piece;
        data->layout->pack(data->layout, data->base, offset, piece, len);
        crc = hws_crc32c(crc, piece, len);
    }
    return crc;
}

/* Queues a frame with payload bytes [offset, offset + f->len) of a send. */
static void put_frame(struct hws_lane *l, struct hws_send_op *op, struct hws_frame *f, uint64_t offset)
{
    if (l->crc)
        f->payload_crc = payload_crc(&op->data, offset, f->len);
    hws_lane_frame(l, f);
    put_payload(l, op, f->type, offset, f->len);
}

/* Only when it leaves the pending list, so that a send taken back from there leaves no gap. */
static void number(struct hws_seq_row *row, struct hws_send_op *op)
{
    op->seq = row->send_next++;
    op->numbered = true;
}

static void queue_first(struct hws_peer *p, struct hws_lane *l, struct hws_send_op *op)
{
    struct hws_frame f;
    plan_first(l, op, &f);
    if (hws_peer_is_over(p))
        return;
    put_frame(l, op, &f, 0);
    op->offset = f.len;
    if (op->n_queued == 0 && f.type == HWS_FRAME_EAGER) {
        op->staged_end = l->out.staged;
        hws_list_push(&l->out.staged_ops, &op->node);
    }
}

/* Puts into the lane's queue what was sent beside it, n bytes of which the kernel has taken: behind the system call,
 * while the message is on its way. */
static void keep_direct(struct hws_lane *l, struct hws_send_op *op, const uint8_t *buf, size_t header, ssize_t n)
{
    size_t len = op->data.len_bytes;
    op->offset = len;
    if (len <= HWS_COPY_LEN) {
        hws_lane_put(l, buf, header + len);
    } else {
        hws_lane_put(l, buf, header);
        put_payload(l, op, HWS_FRAME_EAGER, 0, len);
    }
    bool is_by_segments = op->n_queued > 0; /* it is done with the last of them */
    if (n > 0)
        hws_lane_advance(l, (size_t)n);
    if (is_by_segments)
        return;
    if (n == (ssize_t)(header + len)) {
        hws_send_finish(op->engine, op, HWS_OK);
        return;
    }
    op->staged_end = l->out.staged;
    hws_list_push(&l->out.staged_ops, &op->node);
}

/* The fast path: nothing queued, eager, contiguous or short: one system call. False: not applicable. */
static bool send_direct(struct hws_peer *p, struct hws_lane *l, struct hws_send_op *op)
{
    size_t len = op->data.len_bytes;
    uint64_t charge = len + HWS_ENVELOPE;
    if (!hws_lane_is_sent(l) || l->crc || l->out.cuts || op->mode == HWS_SYNC || p->account.credit < charge ||
        !goes_whole(p, l, len))
        return false;
    const struct hws_layout *layout = op->data.layout;
    if (layout && len > HWS_COPY_LEN)
        return false;
    struct hws_frame f = {
        .len = (uint32_t)len, .ctx = op->ctx, .tag = op->tag, .seq = op->seq, .ack = (uint32_t)l->in.received};
    uint8_t buf[HWS_EAGER_HDR + HWS_COPY_LEN];
    l->in.acked = l->in.received;
    f.credit = hws_peer_take_credit(p);
    hws_frame_encode_eager(buf, &f);
    size_t header = HWS_EAGER_HDR, total = header + len;
    struct iovec iov[2] = {{buf, header}, {op->data.base, len}};
    int n_iov = len ? 2 : 1;
    if (len <= HWS_COPY_LEN) {
        if (layout)
            layout->pack(layout, op->data.base, 0, buf + header, len);
        else
            hws_copy(buf + header, op->data.base ? op->data.base : buf, len);
        iov[0].iov_len = total;
        n_iov = 1;
    }
    ssize_t n = hws_link_send(l->link, iov, n_iov);
    l->count.sends++;
    l->count.frames_out++;
    p->count.payload_sent += len;
    p->account.credit -= charge;
    if (len >= HWS_MIDDLE_LEN && __builtin_expect(!p->wide, 0))
        hws_peer_count_middle(p, len);
    if (n == (ssize_t)total && !l->keeps) {
        l->out.sent += total;
        l->out.released += total;
        if (__builtin_expect(l->watched && !p->engine->looks.is_set, 0))
            hws_engine_watch_lanes(p->engine);
        hws_send_finish(p->engine, op, HWS_OK);
        return true;
    }
    keep_direct(l, op, buf, header, n);
    if (n < 0 && n != HWS_EAGAIN)
        hws_socket_end(hws_container_of(l, struct hws_socket, lane), (enum hws_err)n);
    else if (n != (ssize_t)total)
        hws_lane_flush(l);
    return true;
}

/* The gap counts from the end of the last send: its system call may have taken longer than the caller's own work. */
static bool is_burst(const struct hws_lane *l)
{
    return l->out.burst_step == l->peer->engine->work.step && hws_clock_ns() - l->out.burst_ns < BURST_NS;
}

static void end_of_send(struct hws_lane *l)
{
    l->out.burst_step = l->peer->engine->work.step;
    l->out.burst_ns = hws_clock_ns();
}

static __attribute__((noinline, cold)) void count_queued(struct hws_peer *p, const struct hws_send_op *op)
{
    p->count.n_queued++;
    p->count.payload_sent += op->data.len_bytes;
    if (op->data.len_bytes >= HWS_MIDDLE_LEN && !p->wide)
        hws_peer_count_middle(p, op->data.len_bytes);
}

static void defer(struct hws_peer *p, struct hws_send_op *op)
{
    count_queued(p, op);
    hws_list_push(&p->out.pending, &op->node);
    if (!p->n_up)
        hws_peer_connect(p);
    hws_hold_waits(p, op);
}

static void queue_and_flush(struct hws_peer *p, struct hws_lane *l, struct hws_send_op *op, bool held)
{
    queue_first(p, l, op);
    if (held && l->out.queued_bytes < HWS_BURST_FLUSH)
        hws_lane_hold_burst(l);
    else if (!l->out.want_write)
        hws_lane_flush(l);
}

/* A short message to a rank in MPI_Finalize would have been sent, and received by nobody, a moment before. */
void hws_send_to_lost(struct hws_peer *p, struct hws_send_op *op)
{
    bool is_moot =
        p->state == HWS_PEER_GONE && op->mode != HWS_SYNC && op->data.len_bytes <= p->engine->cfg.params.tcp_eager;
    hws_send_finish(p->engine, op, is_moot ? HWS_OK : HWS_EPEERDEAD);
}

HWS_HOT void hws_send_start(struct hws_peer *p, struct hws_send_op *op, bool hold)
{
    hws_send_op_init(p->engine, op);
    struct hws_seq_row *row = hws_peer_seq(p, op->ctx);
    if (hws_peer_is_over(p) || !row) {
        if (hws_peer_is_over(p))
            hws_send_to_lost(p, op);
        else
            hws_send_finish(p->engine, op, HWS_ENOMEM);
        return;
    }
    p->count.n_sent++;
    struct hws_lane *l = hws_peer_lane(p, op->data.len_bytes);
    if (!l || !hws_list_is_empty(&p->out.pending) || !hws_lane_has_room(l)) {
        defer(p, op);
        return;
    }
    number(row, op);
    hold &= !p->engine->cfg.progress_thread;
    bool held = hold && is_burst(l);
    if (held || !send_direct(p, l, op)) {
        if (hws_hold_must_wait(p)) {
            row->send_next--;
            op->numbered = false;
            defer(p, op);
            return;
        }
        count_queued(p, op);
        queue_and_flush(p, l, op, held);
    }
    if (hold)
        end_of_send(l);
}

static void queue_fragment(struct hws_lane *l, struct hws_send_op *op, uint64_t max)
{
    size_t n = hws_frag_next(op->offset, op->limit, max);
    struct hws_frame f = {.type = HWS_FRAME_BULK,
                          .len = (uint32_t)n,
                          .ctx = op->ctx,
                          .tag = op->tag,
                          .recv_handle = op->recv_handle,
                          .offset = op->offset};
    uint64_t offset = op->offset;
    op->offset += n;
    l->peer->out.bulk_left -= n;
    hws_list_remove(&op->node);
    if (op->offset < op->limit)
        hws_list_push(&l->peer->out.bulk, &op->node); /* to the back: long messages take turns */
    put_frame(l, op, &f, offset);
    if (op->offset == op->limit && op->n_queued == 0) {
        op->staged_end = l->out.staged;
        hws_list_push(&l->out.staged_ops, &op->node);
    }
}

/* The long message whose turn it is. Over a link with flows, of those of one context and tag only the oldest gets
 * turns. */
static struct hws_send_op *next_bulk(const struct hws_peer *p)
{
    struct hws_send_op *op = hws_container_of(p->out.bulk.next, struct hws_send_op, node);
    for (struct hws_list *n = op->node.next; p->in.flows && n != &p->out.bulk; n = n->next) {
        struct hws_send_op *other = hws_container_of(n, struct hws_send_op, node);
        if (other->ctx == op->ctx && other->tag == op->tag && (int32_t)(other->seq - op->seq) < 0)
            op = other;
    }
    return op;
}

/* The send that begins next; NULL: none waits, or none has the credit. */
static struct hws_send_op *next_first(struct hws_peer *p)
{
    bool is_short = !hws_list_is_empty(&p->out.pending) && hws_hold_must_wait(p);
    if (is_short && p->hold.wishes.look)
        hws_hold_settle(p);
    struct hws_send_op *op = hws_container_of(p->out.pending.next, struct hws_send_op, node);
    if (hws_list_is_empty(&p->out.pending) || op->answer_due || (is_short && !op->is_asked))
        return NULL;
    hws_list_remove(&op->node);
    return op;
}

bool hws_send_pump(struct hws_peer *p, struct hws_lane *l)
{
    struct hws_send_op *op;
    bool moved = false;
    while (hws_lane_has_room(l) && !hws_peer_is_over(p)) {
        if (!hws_list_is_empty(&p->kept.resend)) {
            hws_kept_put(l, &p->kept.resend);
        } else if (hws_kinds_put_next(p, l)) {
            ; /* of a room above the engine */
        } else if ((op = next_first(p)) != NULL) {
            number(hws_peer_seq(p, op->ctx), op); /* the row is there since the send was started */
            queue_first(p, l, op);
        } else if (!hws_list_is_empty(&p->out.bulk)) {
            uint64_t n = hws_peer_bulk_for(l, p->engine->cfg.params.tcp_max_frag);
            if (n == 0)
                break;
            queue_fragment(l, next_bulk(p), n);
        } else {
            break;
        }
        moved = true;
    }
    return moved;
}

/* The send that an answer of this peer names; NULL: there is none. It stays in the peer's list, and fails with the
 * peer, until the whole answer has been checked. */
static struct hws_send_op *answered(struct hws_peer *p, uint64_t handle)
{
    struct hws_send_op *op = hws_handle_get(p->engine, HWS_HANDLE_SEND, handle);
    return op && op->peer == p->number && op->answer_due && op->handle == handle ? op : NULL;
}

static void take_answer(struct hws_peer *p, struct hws_send_op *op)
{
    op->answer_due = false;
    hws_list_remove(&op->node);
    hws_handle_free(p->engine, op->handle);
    op->handle = 0;
}

/* Who is late for most is in time for one now and then, as after a sleep. */
static void note_late(struct hws_peer *p, bool was_late)
{
    unsigned n = p->out.n_late;
    if (was_late)
        p->out.n_late += n < LATE_MOST;
    else
        p->out.n_late -= n < IN_TIME_WEIGHT ? n : IN_TIME_WEIGHT;
}

int hws_send_on_cts(struct hws_peer *p, const struct hws_frame *f)
{
    struct hws_send_op *op = answered(p, f->send_handle);
    if (!op || f->msg_len > op->data.len_bytes)
        return HWS_EPROTO;
    if (!op->numbered)
        hws_hold_accepted(p, op);
    take_answer(p, op);
    note_late(p, f->flags & HWS_FRAME_LATE);
    op->recv_handle = f->recv_handle;
    op->limit = f->msg_len;
    if (op->offset < op->limit) {
        hws_list_push(&p->out.bulk, &op->node);
        hws_peer_add_bulk(p, op->limit - op->offset);
        hws_peer_hold_all(p);
    } else {
        hws_send_out(op);
    }
    return HWS_OK;
}

int hws_send_on_ack(struct hws_peer *p, const struct hws_frame *f)
{
    struct hws_send_op *op = answered(p, f->send_handle);
    if (!op || !op->numbered || op->offset != op->data.len_bytes) /* a message that waits for its CTS */
        return HWS_EPROTO;
    take_answer(p, op);
    hws_send_out(op);
    return HWS_OK;
}

bool hws_send_take_back(struct hws_peer *p, uint64_t handle)
{
    struct hws_send_op *op = answered(p, handle);
    if (!op)
        return false;
    take_answer(p, op);
    op->taken_back = true;
    hws_send_out(op);
    return true;
}

static void fail_list(struct hws_engine *e, struct hws_list *list, enum hws_err why)
{
    struct hws_list *n;
    while ((n = hws_list_pop(list)))
        hws_send_finish(e, hws_container_of(n, struct hws_send_op, node), why);
}

/* Sends whose bytes are queued: forget the segments first, so that none is touched after it is done. */
static void fail_lane(struct hws_lane *l, void *arg)
{
    enum hws_err why = *(enum hws_err *)arg;
    struct hws_engine *e = l->peer->engine;
    for (unsigned i = 0; i < l->out.seg_n; i++) {
        struct hws_seg *s = &l->out.segs[(l->out.seg_head + i) & (l->out.seg_cap - 1)];
        struct hws_send_op *op = s->op;
        s->op = NULL;
        if (op && --op->n_queued == 0 && hws_list_is_empty(&op->node))
            hws_send_finish(e, op, why);
    }
    fail_list(e, &l->out.staged_ops, why);
}

void hws_send_fail_all(struct hws_peer *p, enum hws_err why)
{
    struct hws_engine *e = p->engine;
    hws_peer_each_lane(p, fail_lane, &why);
    hws_kept_fail_all(p, why);
    p->out.bulk_left = 0;
    fail_list(e, &p->out.answers, why);
    fail_list(e, &p->out.bulk, why);
    fail_list(e, &p->out.pending, why);
    hws_kinds_fail_all(p, why);
}
