/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recv: the receiving half of shared memory. Records are taken in the order of the ring, so that there is nothing
 * to park; short payload is copied once more, into the receive's memory or into a struct hws_message.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/copy.h"
#include "base/hot.h"
#include "frag/frag.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

#define BUDGET      64          /* records of one ring before others get their turn */
#define BOUNCE_LEN  (64u << 10) /* scattered receives by single copy */
#define BOTH_MOST   4           /* long messages that count when it is asked whether most go both ways at once */
#define LED         64          /* long messages one way without one the other way: until then both ways are one's */
#define VAIN_LOOKS  4           /* in a row, after which one receive of so many looks: */
#define LOOK_EVERY  16
#define DIRECT_SPIN 1000 /* looks at one ring, about a microsecond, before the wait with everything else */

void hws_shm_tell(struct hws_shm_peer *s)
{
    s->told = s->returned;
    hws_ring_tell(&s->rx, s->returned);
    if (s->must_fence)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&s->rx.shared->starved, __ATOMIC_RELAXED)) {
        __atomic_store_n(&s->rx.shared->starved, 0, __ATOMIC_RELAXED);
        hws_segment_wake(&s->shm->seg, s->local);
    }
}

static inline void tell_credit(struct hws_shm_peer *s)
{
    if (s->returned - s->told >= s->grant / HWS_SHM_TELL_PART)
        hws_shm_tell(s);
}

void hws_shm_give_credit(struct hws_shm_peer *s, uint32_t charge)
{
    s->returned += charge;
    hws_shm_use(s, -(int64_t)charge);
    tell_credit(s);
}

static inline void copy_in(struct hws_recv_op *op, uint64_t offset, const uint8_t *src, size_t n)
{
    if (__builtin_expect(op->data.layout != NULL, 0))
        op->data.layout->unpack(op->data.layout, op->data.base, offset, src, n);
    else if (n)
        hws_copy((uint8_t *)op->data.base + offset, src, n);
}

static inline void matched(struct hws_recv_op *op, int peer, int32_t tag, uint64_t len)
{
    op->from_peer = peer;
    op->from_tag = tag;
    op->from_len = len;
    op->expect = len < op->data.len_bytes ? len : op->data.len_bytes;
}

static inline enum hws_err result(const struct hws_recv_op *op)
{
    return __builtin_expect(op->from_len > op->data.len_bytes, 0) ? HWS_ETRUNCATE : HWS_OK;
}

/* ---- long messages ----------------------------------------------------------------------------------------------- */

static bool read_scattered(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t address)
{
    struct hws_shm *m = s->shm;
    if (!m->bounce && !(m->bounce = malloc(BOUNCE_LEN)))
        return false;
    for (uint64_t at = 0, n; at < op->expect; at += n) {
        n = op->expect - at < BOUNCE_LEN ? op->expect - at : BOUNCE_LEN;
        if (!hws_shm_read(m, s->local, m->bounce, address + at, n))
            return false;
        copy_in(op, at, m->bounce, n);
    }
    return true;
}

static bool read_all(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t address)
{
    return op->data.layout ? read_scattered(s, op, address)
                           : hws_shm_read(s->shm, s->local, op->data.base, address, op->expect);
}

/* Long messages one way are weighed apart from those that go both ways at once: there copies share what the processors
 * can move, and another way may be the quicker one. Whether this one's sender is waiting for data, too, is not quite
 * the same at both ends each time; so what most are counts. */
static void note_direction(struct hws_shm_peer *s)
{
    const struct hws_peer *p = s->peer;
    bool both = !hws_list_is_empty(&p->out.answers) || !hws_list_is_empty(&p->out.bulk);
    unsigned *n = &s->long_ones.n_both;
    if (both && *n < BOTH_MOST)
        ++*n;
    else if (!both && *n > 0)
        --*n;
}

static struct hws_copies *weights(struct hws_shm_peer *s)
{
    return &s->shm->copies[s->long_ones.n_both > BOTH_MOST / 2];
}

static bool is_weighed(const struct hws_shm *m, const struct hws_recv_op *op)
{
    return m->weighs && !m->no_single_copy && op->expect >= HWS_COPIES_MIN;
}

/* Whether messages like this one go the other way, too, where the rank with the lower number decides for both: two of
 * which each gets them another way wait for each other. */
static bool is_led(struct hws_shm_peer *s, int class)
{
    return s->local < s->shm->seg.me && s->long_ones.sent_class == 1 + class && s->long_ones.n_since++ < LED;
}

static bool choose_single(struct hws_shm_peer *s, uint64_t len_bytes)
{
    struct hws_shm *m = s->shm;
    note_direction(s);
    struct hws_copies *w = weights(s);
    int class = hws_copies_class(len_bytes), both = w != m->copies;
    uint32_t *own = &m->seg.ranks[m->seg.me].ways, bit = 1u << (both * HWS_COPIES_CLASSES + class);
    if (is_led(s, class))
        hws_copies_follow(w, class, __atomic_load_n(&m->seg.ranks[s->local].ways, __ATOMIC_RELAXED) & bit);
    else
        hws_copies_choose(w, class);
    bool once = hws_copies_is_once(w, class);
    if (once != ((*own & bit) != 0))
        __atomic_store_n(own, *own ^ bit, __ATOMIC_RELAXED);
    return once;
}

static bool is_single(struct hws_shm_peer *s, const struct hws_recv_op *op, uint64_t address)
{
    const struct hws_shm *m = s->shm;
    if (!address || m->no_single_copy)
        return false;
    return !m->weighs || (is_weighed(m, op) && choose_single(s, op->expect));
}

static void end_by_ring(struct hws_shm_peer *s, const struct hws_recv_op *op)
{
    if (is_weighed(s->shm, op))
        hws_copies_ended(weights(s), op->expect, hws_clock_ns());
}

static void finish_long(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t send_handle)
{
    op->received = op->expect;
    s->shm->n_single++;
    s->long_ones.copied_in += op->expect;
    hws_shm_answer(s, HWS_SHM_DONE, send_handle, 0, op->expect);
    hws_recv_finish(s->peer->engine, op, result(op));
}

static void ask_for_bulk(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t send_handle)
{
    struct hws_peer *p = s->peer;
    s->shm->n_double++;
    hws_list_push(&p->in.under_way, &op->node);
    op->handle = hws_handle_new(p->engine, HWS_HANDLE_RECV, op);
    if (!op->handle)
        hws_peer_lose(p, HWS_ENOMEM, "out of memory for the table of receives");
    else
        hws_shm_answer(s, HWS_SHM_CTS, send_handle, op->handle, op->expect);
}

void hws_shm_copy_once(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t address, uint64_t send_handle)
{
    if (!read_all(s, op, address)) {
        ask_for_bulk(s, op, send_handle);
        return;
    }
    if (is_weighed(s->shm, op)) {
        hws_copies_came(weights(s), true, op->expect);
        hws_copies_ended(weights(s), op->expect, hws_clock_ns());
    }
    finish_long(s, op, send_handle);
}

/* A receive has met an RTS. */
static void take_long(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t address, uint64_t send_handle)
{
    if (op->expect == 0)
        finish_long(s, op, send_handle);
    else if (!is_single(s, op, address))
        ask_for_bulk(s, op, send_handle);
    else if (!hws_shm_put_off(s, op, address, send_handle))
        hws_shm_copy_once(s, op, address, send_handle);
}

static int on_bulk(struct hws_shm_peer *s, const struct hws_record *r, uint32_t len)
{
    struct hws_peer *p = s->peer;
    struct hws_shm_bulk b;
    if (len <= sizeof b)
        return HWS_EPROTO;
    memcpy(&b, r->payload, sizeof b);
    size_t n = len - sizeof b;
    struct hws_recv_op *op = hws_handle_get(p->engine, HWS_HANDLE_RECV, b.recv_handle);
    if (!op || op->handle != b.recv_handle || op->from_peer != p->number || b.offset > op->expect ||
        n > op->expect - b.offset || op->received + n > op->expect)
        return HWS_EPROTO;
    copy_in(op, b.offset, hws_record_data(r, sizeof b, len), n);
    op->received += n;
    hws_copies_came(weights(s), false, n);
    if (op->received == op->expect) {
        hws_list_remove(&op->node);
        end_by_ring(s, op);
        hws_recv_finish(p->engine, op, result(op));
    }
    return HWS_OK;
}

/* ---- first records ----------------------------------------------------------------------------------------------- */

struct first {
    struct hws_match_key key;
    uint64_t msg_len, address, send_handle;
    const uint8_t *data;
    uint32_t have, charge;
    uint8_t flags;
    enum hws_shm_type type;
};

static int read_first(const struct hws_shm_peer *s, const struct hws_record *r, uint64_t word, struct first *f)
{
    uint32_t len = hws_record_len(word);
    *f = (struct first){.key = {r->ctx, s->peer->number, r->tag}, .type = (enum hws_shm_type)hws_record_type(word)};
    if (f->type == HWS_SHM_RTS) {
        struct hws_shm_rts rts;
        if (len != sizeof rts)
            return HWS_EPROTO;
        memcpy(&rts, r->payload, sizeof rts);
        f->msg_len = rts.msg_len;
        f->address = rts.address;
        f->send_handle = rts.send_handle;
        f->charge = hws_frag_charge(rts.flags & HWS_FRAME_FREE, 0, HWS_ENVELOPE);
        f->flags = (uint8_t)rts.flags;
        return HWS_OK;
    }
    struct hws_shm_sync sync = {0, 0};
    size_t head = f->type == HWS_SHM_SYNC ? sizeof sync : 0;
    if (len < head)
        return HWS_EPROTO;
    memcpy(&sync, r->payload, head);
    f->send_handle = sync.send_handle;
    f->data = hws_record_data(r, head, len);
    f->have = len - (uint32_t)head;
    f->msg_len = f->have;
    f->charge = f->have + HWS_ENVELOPE;
    return HWS_OK;
}

/* The payload is in place, or a long message is to begin. */
HWS_HOT static void complete(struct hws_shm_peer *s, struct hws_recv_op *op, const struct first *f)
{
    s->returned += f->charge;
    if (f->type == HWS_SHM_RTS) {
        take_long(s, op, f->address, f->send_handle);
        return;
    }
    if (f->type == HWS_SHM_SYNC)
        hws_shm_answer(s, HWS_SHM_DONE, f->send_handle, 0, 0);
    hws_recv_finish(s->peer->engine, op, result(op));
}

static bool keep(struct hws_shm_peer *s, const struct first *f)
{
    struct hws_engine *e = s->peer->engine;
    struct hws_message *m = hws_message_new(e, s->peer, &f->key, f->have);
    if (!m)
        return false;
    m->type = (uint8_t)f->type;
    m->msg_len = f->msg_len;
    m->address = f->address;
    m->send_handle = f->send_handle;
    m->charge = f->charge;
    m->received = f->have;
    m->seq = (uint32_t)s->n_came;
    if (f->have)
        hws_copy_long(m->data, f->data, f->have);
    hws_recv_queue_unexpected(e, m);
    hws_shm_use(s, f->charge);
    hws_hold_shortens(s->peer);
    return true;
}

static void take_first(struct hws_shm_peer *s, const struct first *f, bool *taken)
{
    struct hws_match_node *n = hws_match_take_posted(&s->peer->engine->match, &f->key);
    if (!n) {
        *taken = keep(s, f);
        s->n_came += *taken;
        return;
    }
    struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, match);
    s->n_came++;
    matched(op, s->peer->number, f->key.tag, f->msg_len);
    if (f->type != HWS_SHM_RTS)
        copy_in(op, 0, f->data, op->expect);
    complete(s, op, f);
}

/* Out of turn: only for a receive that names its tag and is the oldest that takes it. */
static void on_offer(struct hws_shm_peer *s, const struct first *f)
{
    struct hws_match *match = &s->peer->engine->match;
    struct hws_match_node *n = hws_match_find_posted(match, &f->key);
    if (n && n->key.tag == f->key.tag) {
        struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, match);
        hws_match_remove(match, n);
        s->n_out_of_turn++;
        matched(op, s->peer->number, f->key.tag, f->msg_len);
        complete(s, op, f);
    } else {
        hws_shm_answer(s, HWS_SHM_DECLINE, f->send_handle, 0, 0);
    }
    hws_hold_judged(s->peer, f->key.ctx, f->key.tag);
}

static int on_first(struct hws_shm_peer *s, const struct hws_record *r, uint64_t word, bool *taken)
{
    struct first f;
    if (read_first(s, r, word, &f) != HWS_OK)
        return HWS_EPROTO;
    if (f.flags & HWS_FRAME_OFFER) {
        on_offer(s, &f);
        return HWS_OK;
    }
    take_first(s, &f, taken);
    if (f.flags & HWS_FRAME_ANSWERS && *taken)
        hws_hold_answered(s->peer, f.key.ctx, f.key.tag);
    return HWS_OK;
}

/* A short message into the memory of its receive. */
static inline void take_short(struct hws_shm_peer *s, struct hws_recv_op *op, const struct hws_record *r, uint32_t len)
{
    s->n_came++;
    matched(op, s->peer->number, r->tag, len);
    copy_in(op, 0, hws_record_data(r, 0, len), op->expect);
    s->returned += len + HWS_ENVELOPE;
}

/* The usual case of on_first: a short message whose receive is posted. False: it is another one, nothing has changed.
 */
static inline bool on_awaited(struct hws_shm_peer *s, const struct hws_record *r, uint64_t word)
{
    struct hws_match_key key = {r->ctx, s->peer->number, r->tag};
    struct hws_match_node *n = hws_match_take_posted(&s->peer->engine->match, &key);
    if (!n)
        return false;
    struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, match);
    take_short(s, op, r, hws_record_len(word));
    hws_recv_finish(s->peer->engine, op, result(op));
    return true;
}

/* All messages that went out before the question are here: there is nothing to wait for. */
static int on_cancel(struct hws_shm_peer *s, enum hws_shm_type type, const struct hws_shm_answer *a)
{
    struct hws_match_key key = {
        .ctx = (uint32_t)(a->recv_handle >> 32), .peer = s->peer->number, .tag = (int32_t)a->recv_handle};
    if (type == HWS_SHM_CANCELLED)
        return hws_cancel_end(s->peer, a->send_handle, a->limit != 0);
    uint32_t charge;
    bool taken = hws_cancel_forget(s->peer->engine, &key, (uint32_t)a->limit, &charge);
    if (taken) {
        s->returned += charge;
        hws_shm_use(s, -(int64_t)charge);
    }
    hws_shm_answer(s, HWS_SHM_CANCELLED, a->send_handle, 0, taken);
    return HWS_OK;
}

static int on_record(struct hws_shm_peer *s, const struct hws_record *r, uint64_t word, bool *taken)
{
    enum hws_shm_type type = (enum hws_shm_type)hws_record_type(word);
    struct hws_shm_answer a;
    switch (type) {
    case HWS_SHM_EAGER:
        if (on_awaited(s, r, word))
            return HWS_OK;
        return on_first(s, r, word, taken);
    case HWS_SHM_SYNC:
    case HWS_SHM_RTS:
        return on_first(s, r, word, taken);
    case HWS_SHM_CTS:
    case HWS_SHM_DONE:
        memcpy(&a, r->payload, sizeof a);
        return hws_record_len(word) == sizeof a ? hws_shm_on_answer(s, type, &a) : HWS_EPROTO;
    case HWS_SHM_CANCEL:
    case HWS_SHM_CANCELLED:
        memcpy(&a, r->payload, sizeof a);
        return hws_record_len(word) == sizeof a ? on_cancel(s, type, &a) : HWS_EPROTO;
    case HWS_SHM_WANT:
        memcpy(&a, r->payload, sizeof a);
        if (hws_record_len(word) != sizeof a)
            return HWS_EPROTO;
        hws_hold_on_want(s->peer, (uint32_t)(a.recv_handle >> 32), (int32_t)a.recv_handle, (uint32_t)a.send_handle,
                         a.limit != 0);
        return HWS_OK;
    case HWS_SHM_DECLINE:
        memcpy(&a, r->payload, sizeof a);
        return hws_record_len(word) == sizeof a ? hws_hold_on_decline(s->peer, a.send_handle, false) : HWS_EPROTO;
    case HWS_SHM_BULK:
        return on_bulk(s, r, hws_record_len(word));
    case HWS_SHM_FRAME:
        return hws_shm_on_frame(s, r, hws_record_len(word));
    case HWS_SHM_BYE:
        return hws_peer_on_bye(s->peer);
    default:
        return hws_record_type(word) == HWS_RECORD_JUMP ? HWS_OK : HWS_EPROTO;
    }
}

/* There is no more to take: of what was awaited nothing, and a look whether more is there would take its line from the
 * sender, who is about to write it. */
static inline bool has_all(const struct hws_shm_peer *s, bool awaits)
{
    return hws_peer_is_over(s->peer) || (awaits && !hws_match_n_posted(&s->peer->engine->match));
}

HWS_HOT bool hws_shm_drain(struct hws_shm_peer *s)
{
    struct hws_peer *p = s->peer;
    uint64_t word;
    bool moved = false, tell = false, taken = true;
    s->draining = true;
    const bool awaits = hws_match_n_posted(&p->engine->match);
    const int budget = p->engine->work.probes && !awaits ? 1 : BUDGET;
    for (int i = 0; i < budget && taken && !has_all(s, awaits) && (word = hws_ring_peek(&s->rx)) != 0; i++) {
        if (on_record(s, hws_ring_record(&s->rx), word, &taken) != HWS_OK) {
            hws_peer_lose(p, HWS_EPROTO, "rank %d of this host wrote nonsense into the shared memory", p->rank);
            break;
        }
        moved |= taken;
        if (taken)
            tell |= hws_ring_pop(&s->rx, word);
    }
    s->draining = false;
    s->active_step = p->engine->work.step;
    if (tell || s->returned - s->told >= s->tell_at)
        hws_shm_tell(s);
    return moved;
}

/* ---- the engine's calls ------------------------------------------------------------------------------------------ */

static bool is_for_older(const struct hws_shm_peer *s, const struct hws_record *r)
{
    struct hws_match *match = &s->peer->engine->match;
    const struct hws_match_key key = {.ctx = r->ctx, .peer = s->peer->number, .tag = r->tag};
    return hws_match_n_posted(match) && hws_match_find_posted(match, &key);
}

/* Nothing that is kept takes what comes first in the ring: a receive or probe for ctx and tag has it, unless a receive
 * that is posted takes it, or it is another record; these go the ordinary way. Receives of other threads do not count.
 */
static inline bool is_first_for(const struct hws_shm_peer *s, uint64_t word, uint32_t ctx, int32_t tag)
{
    const struct hws_record *r = hws_ring_record(&s->rx);
    return hws_record_type(word) == HWS_SHM_EAGER && r->ctx == ctx && (r->tag == tag || tag == HWS_ANY_TAG) &&
           !is_for_older(s, r);
}

static inline bool take_direct(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t word)
{
    if (!is_first_for(s, word, op->ctx, op->tag))
        return false;
    take_short(s, op, hws_ring_record(&s->rx), hws_record_len(word));
    if (hws_ring_pop(&s->rx, word) || s->returned - s->told >= s->tell_at)
        hws_shm_tell(s);
    hws_recv_finish(s->peer->engine, op, result(op));
    return true;
}

static inline bool may_take_direct(const struct hws_shm_peer *s)
{
    return !s->draining && !hws_peer_is_over(s->peer) && s->in_poll && ++s->shm->n_direct % HWS_SHM_DIRECT_RUN != 0;
}

HWS_HOT bool hws_shm_recv_direct(struct hws_shm_peer *s, struct hws_recv_op *op)
{
    uint64_t word;
    if (!may_take_direct(s))
        return false;
    const bool spins = !s->shm->crowded && !hws_match_n_posted(&s->peer->engine->match);
    for (unsigned i = spins ? 0 : DIRECT_SPIN; (word = hws_ring_peek(&s->rx)) == 0 && i < DIRECT_SPIN; i++)
        ;
    return take_direct(s, op, word);
}

/* As long as it is mostly there, and now and then: too early a look takes the line from the sender (has_all). */
static inline bool may_look(struct hws_shm_peer *s)
{
    unsigned n = s->n_vain++;
    return n < VAIN_LOOKS || n % LOOK_EVERY == 0;
}

HWS_HOT bool hws_shm_recv_there(struct hws_shm_peer *s, struct hws_recv_op *op, bool waits)
{
    if ((!waits && !may_look(s)) || !may_take_direct(s))
        return false;
    uint64_t word = hws_ring_peek(&s->rx);
    s->n_vain = word ? 0 : s->n_vain;
    return take_direct(s, op, word);
}

bool hws_shm_shows(const struct hws_shm_peer *s, uint32_t ctx, int32_t tag, struct hws_envelope *env)
{
    uint64_t word;
    if (s->draining || !s->in_poll || hws_peer_is_over(s->peer) || (word = hws_ring_peek(&s->rx)) == 0)
        return false;
    if (!is_first_for(s, word, ctx, tag))
        return false;
    *env = (struct hws_envelope){
        .peer = s->peer->number, .tag = hws_ring_record(&s->rx)->tag, .len_bytes = hws_record_len(word)};
    return true;
}

void hws_shm_take(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    struct hws_peer *p = m->peer;
    struct first f = {.key = m->match.key,
                      .msg_len = m->msg_len,
                      .address = m->address,
                      .send_handle = m->send_handle,
                      .charge = m->charge,
                      .type = (enum hws_shm_type)m->type};
    matched(op, p->number, f.key.tag, f.msg_len);
    if (f.type != HWS_SHM_RTS)
        copy_in(op, 0, m->data, op->expect);
    hws_shm_use(p->shm, -(int64_t)m->charge);
    hws_message_free(e, m);
    if (hws_peer_is_over(p) && f.type == HWS_SHM_RTS) {
        hws_recv_finish(e, op, HWS_EPEERDEAD);
        return;
    }
    complete(p->shm, op, &f);
    tell_credit(p->shm);
}
