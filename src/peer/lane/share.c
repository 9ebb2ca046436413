/* SPDX-License-Identifier: BSD-3-Clause
 *
 * share: which lane of several carries what (docs/design.md, Several lanes): the measured rates and backlogs, as
 * src/striping wants them, and when they are looked at.
 */
#include "base/clock.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"
#include "striping/stripe.h"

#define LOOK_NS      50000 /* the kernel is asked for a lane's backlog that often at most (striping/rate.h) */
#define LOOK_MS      1     /* while this process sleeps */
#define NUDGE_MS     2     /* lanes that left bulk to others are asked again, at the latest */
#define SHARED_QUEUE (128u << 10)
#define SHARED_FRAG  (64u << 10)  /* the longest piece for one of several lanes, or for an only one that is slow */
#define ALONE_NS     800000       /* so long may a fragment take an only lane */
#define WATCH_BYTES  (8u << 10)   /* less is over before anybody sees much of it */
#define WIDE_AFTER   (256u << 10) /* bytes of middle messages that take longer than ... */
#define WIDE_NS      800000
#define WIDE_TIMES   16    /* so many times in a row: several lanes are worth their sockets, and looks at all */
#define PIECE_NS     32000 /* what takes a lane less time is not worth the work of a fragment of its own */
#define WHOLE_NS     48000 /* and this, likely, not worth the answer that the others wait for */
#define LEAST_FRAG   4096
#define WATCH_EVERY  16 /* messages that one of several lanes takes whole, of which one is looked at while it drains */
#define WATCH_MORE   16 /* and so many where one was seen that is to be watched */
#define AHEAD_NS     2000000 /* so far ahead is a lane of several given bulk: looks, and acknowledgments that wait */
#define BEGIN_TIMES  2       /* begins of bulk: the first may be that of a message which crossed the announced one */
#define BEGIN_NS     300000  /* ... and at first: what the peer may yet announce is answered behind it */
#define AHEAD_MOST   (256u << 10) /* bytes that count where lanes take turns */
#define SPEED_NS     2000000      /* so long at least a lane's speed is looked at: a shaper's bucket is little of it */
#define SPEED_MAX_NS 8000000      /* and so long at most */
#define SLOW_TIMES   4 /* spans at HWS_PACE_MOST or below, beyond the others: a receiver may not have been scheduled */
#define SLOW_MOST    8
#define SLOW_QUEUE   (64u << 10)
#define ALONE_LEAST  (128u << 10) /* bulk of a message from which an only lane is looked at */

static uint64_t fastest_other(const struct hws_lane *l)
{
    uint64_t best = 0;
    for (unsigned i = 0; i < l->peer->n_up; i++) {
        uint64_t rate = l->peer->up[i] == l ? 0 : hws_rate_of(&l->peer->up[i]->share.rate);
        best = rate > best ? rate : best;
    }
    return best;
}

static void pace(struct hws_lane *l, uint64_t now, uint64_t drained)
{
    struct hws_pace *p = &l->share.pace;
    struct hws_link_health h = {0};
    if (hws_link_paces(l->link) && hws_pace_is_due(p, &l->share.rate, now) && hws_link_health(l->link, &h) &&
        hws_pace_update(p, &l->share.rate, now, l->peer->engine->looks.came, drained, h.srtt_us * HWS_NS_PER_US,
                        fastest_other(l)))
        hws_link_pace(l->link, hws_pace_of(p));
}

/* It was slow once beside another lane, so it is given little, and little is over before anybody looks: only chance
 * would show what it can do. Its bursts were as fast as the other one is, so it is worth a try. */
static bool is_left_behind(const struct hws_lane *l)
{
    uint64_t other = fastest_other(l);
    return hws_rate_of(&l->share.rate) <= other / HWS_STRIPE_SLOWER && hws_rate_burst(&l->share.rate) >= other;
}

static bool is_busy(const struct hws_lane *l)
{
    return l->share.backlog_then || l->out.sent != l->share.sent_then || l->out.queued_bytes;
}

/* As far as is known that lane is not slow beside this one. */
static bool is_alike(const struct hws_lane *l, const struct hws_lane *other)
{
    uint64_t rate = hws_rate_of(&other->share.rate);
    return !rate || rate > hws_rate_of(&l->share.rate) / HWS_STRIPE_SLOWER;
}

static bool is_beside_others(const struct hws_lane *l)
{
    for (unsigned i = 0; i < l->peer->n_up; i++)
        if (l->peer->up[i] != l && is_busy(l->peer->up[i]) && is_alike(l, l->peer->up[i]))
            return true;
    return false;
}

static void look(struct hws_lane *l, uint64_t now)
{
    if (l->share.looked_ns && now - l->share.looked_ns < LOOK_NS)
        return;
    l->share.backlog_then = hws_link_backlog(l->link);
    l->share.sent_then = l->out.sent;
    l->share.looked_ns = now;
    l->share.guess = (struct hws_lane_guess){now, l->share.backlog_then, l->out.sent};
    uint64_t drained = l->out.sent - l->share.backlog_then, left = l->share.backlog_then + l->out.queued_bytes;
    struct hws_link_health h = {0};
    hws_rate_set_others(&l->share.rate, is_beside_others(l), fastest_other(l));
    hws_rate_update(&l->share.rate, now, drained, left);
    if (__builtin_expect(hws_stall_update(&l->share.stall, now, drained, left), 0) && hws_link_health(l->link, &h) &&
        hws_stall_blame(&l->share.stall, now, h.resent))
        hws_rate_doubt(&l->share.rate);
    if (__builtin_expect(hws_rate_is_old(&l->share.rate), 0) && is_left_behind(l))
        hws_rate_doubt(&l->share.rate);
    pace(l, now, drained);
}

/* What has not left the lane yet: as the kernel told last, and what was sent and drained since. From one question to
 * the next, so that time in which it had nothing does not count. */
static uint64_t backlog(struct hws_lane *l, uint64_t rate, uint64_t now)
{
    struct hws_lane_guess *g = &l->share.guess;
    uint64_t in_kernel = g->backlog + (l->out.sent - g->sent);
    uint64_t drained = (uint64_t)((double)rate * 1e-9 * (double)(now - g->at_ns));
    *g = (struct hws_lane_guess){now, in_kernel > drained ? in_kernel - drained : 0, l->out.sent};
    return g->backlog + l->out.queued_bytes;
}

static uint64_t ahead_of(const struct hws_lane *l)
{
    uint64_t carried = l->out.sent + l->out.queued_bytes;
    return carried > l->share.even ? carried - l->share.even : 0;
}

static void even_out(struct hws_peer *p)
{
    uint64_t ahead[HWS_MAX_LANES];
    for (unsigned i = 0; i < p->n_up; i++)
        ahead[i] = ahead_of(p->up[i]);
    hws_stripe_even(ahead, p->n_up, AHEAD_MOST);
    for (unsigned i = 0; i < p->n_up; i++)
        p->up[i]->share.even = p->up[i]->out.sent + p->up[i]->out.queued_bytes - ahead[i];
}

static void view(const struct hws_peer *p, struct hws_stripe_lane *out)
{
    uint64_t now = hws_clock_ns();
    for (unsigned i = 0; i < p->n_up; i++) {
        struct hws_lane *l = p->up[i];
        look(l, now);
        uint64_t rate = hws_rate_of(&l->share.rate);
        out[i] = (struct hws_stripe_lane){.open = true,
                                          .rate = rate,
                                          .slowest = hws_rate_slowest(&l->share.rate),
                                          .fastest = hws_rate_fastest(&l->share.rate),
                                          .backlog = backlog(l, rate, now),
                                          .latency_ns = l->share.latency_ns,
                                          .stall_ns = hws_stall_cost(&l->share.stall, now),
                                          .floor = hws_rate_floor(&l->share.rate),
                                          .nominal = l->share.nominal,
                                          .ahead = ahead_of(l),
                                          .burst = hws_rate_burst(&l->share.rate),
                                          .is_guess = !hws_rate_is_sure(&l->share.rate)};
    }
}

/* Among the peer's lanes that are up; p->n_up: it is not. */
static unsigned number_up(const struct hws_peer *p, const struct hws_lane *l)
{
    unsigned i = 0;
    while (i < p->n_up && p->up[i] != l)
        i++;
    return i;
}

struct hws_lane *hws_peer_pick_lane(struct hws_peer *p, uint64_t bytes)
{
    struct hws_stripe_lane lanes[HWS_MAX_LANES];
    even_out(p);
    view(p, lanes);
    size_t i = hws_stripe_first(lanes, p->n_up, bytes, number_up(p, p->share.back), p->opens_lanes);
    if (bytes)
        p->share.back = NULL;
    return p->up[i];
}

void hws_peer_count_middle(struct hws_peer *p, uint64_t bytes)
{
    if (!p->share.middle)
        p->share.middle_ns = hws_clock_ns();
    p->share.middle += bytes;
    if (p->share.middle < WIDE_AFTER)
        return;
    bool is_slow = hws_clock_ns() - p->share.middle_ns >= WIDE_NS;
    p->share.n_slow = is_slow ? p->share.n_slow + 1 : 0;
    p->share.middle = 0;
    if (p->share.n_slow == WIDE_TIMES)
        hws_peer_widen(p);
}

/* Lanes that have left bulk to others may think otherwise now. */
static void ask_again(struct hws_peer *p)
{
    for (unsigned i = 0; i < p->n_up; i++)
        if (p->up[i]->share.left_bulk)
            hws_lane_hold(p->up[i]);
}

/* One of several lanes drains, and enough to be measured, whose rate is not known for sure, or not of late. */
static bool is_to_be_watched(const struct hws_lane *l)
{
    const struct hws_lane_share *s = &l->share;
    return l->peer->n_up > 1 && s->backlog_then >= WATCH_BYTES &&
           (!hws_rate_is_sure(&s->rate) || hws_rate_is_stale(&s->rate, s->looked_ns));
}

/* False: nothing drains any more, and no pace has to end. */
static bool look_at_peer(struct hws_peer *p, uint64_t now)
{
    bool busy = false;
    for (unsigned i = 0; i < p->n_up; i++) {
        look(p->up[i], now);
        busy |= is_busy(p->up[i]) || hws_pace_of(&p->up[i]->share.pace);
        if (is_to_be_watched(p->up[i]))
            p->share.n_to_watch = WATCH_MORE;
    }
    if (p->out.bulk_left)
        ask_again(p);
    return busy;
}

static bool has_to_be_watched(const struct hws_peer *p)
{
    for (unsigned i = 0; i < p->n_up; i++)
        if (is_to_be_watched(p->up[i]))
            return true;
    return false;
}

bool hws_engine_watches(const struct hws_engine *e)
{
    for (const struct hws_list *n = e->work.draining.next; n != &e->work.draining; n = n->next)
        if (has_to_be_watched(hws_container_of(n, struct hws_peer, share.node)))
            return true;
    return false;
}

void hws_engine_look(struct hws_engine *e)
{
    uint64_t now = hws_clock_ns();
    if (now - e->looks.drain_ns < LOOK_NS)
        return;
    e->looks.drain_ns = now;
    for (struct hws_list *n = e->work.draining.next, *next = n->next; n != &e->work.draining; n = next, next = n->next)
        if (!look_at_peer(hws_container_of(n, struct hws_peer, share.node), now))
            hws_list_remove(n);
}

void hws_engine_on_look(struct hws_timer *t)
{
    struct hws_engine *e = hws_container_of(t, struct hws_engine, looks.drain);
    hws_engine_look(e);
    if (!hws_list_is_empty(&e->work.draining))
        hws_timer_set(t, LOOK_MS);
}

static void look_from_now_on(struct hws_peer *p)
{
    struct hws_engine *e = p->engine;
    if (hws_list_is_empty(&p->share.node))
        hws_list_push(&e->work.draining, &p->share.node);
    if (!hws_timer_is_set(&e->looks.drain))
        hws_timer_set(&e->looks.drain, LOOK_MS);
}

static void on_nudge(struct hws_timer *t)
{
    hws_peer_hold_all(hws_container_of(t, struct hws_peer, share.nudge));
}

void hws_peer_init_nudge(struct hws_peer *p)
{
    hws_timer_init(p->engine->reactor, &p->share.nudge, on_nudge);
}

/* Bytes a second of the fastest lane; 0: no rate is known. */
static uint64_t fastest_of(const struct hws_stripe_lane *lanes, unsigned n)
{
    uint64_t fastest = 0;
    for (unsigned i = 0; i < n; i++)
        if (lanes[i].rate > fastest)
            fastest = lanes[i].rate;
    return fastest;
}

static uint64_t bytes_in(uint64_t rate, uint64_t ns)
{
    return (uint64_t)((double)rate * 1e-9 * (double)ns);
}

/* The least piece of bulk for one of several lanes. */
static uint64_t least_piece(const struct hws_stripe_lane *lanes, unsigned n, uint64_t max_frag)
{
    uint64_t fastest = fastest_of(lanes, n), least = bytes_in(fastest, PIECE_NS);
    if (!fastest)
        least = HWS_MIN_FRAG;
    else if (least < LEAST_FRAG)
        least = LEAST_FRAG;
    return least < max_frag ? least : max_frag;
}

/* Bytes a second that a message of a middle length may be expected to have. */
static uint64_t middle_speed(const struct hws_peer *p, const struct hws_lane *l)
{
    uint64_t rate = hws_rate_of(&l->share.rate), middle = hws_rate_middle(&l->share.rate);
    for (unsigned i = 0; !rate && i < p->n_up; i++)
        if (hws_rate_of(&p->up[i]->share.rate) > middle)
            middle = hws_rate_of(&p->up[i]->share.rate);
    return rate > middle ? rate : middle;
}

/* A lane is done with so much before the others would have begun and been worth their work. */
static bool is_for_one(const struct hws_peer *p, const struct hws_lane *l, uint64_t len)
{
    return len <= bytes_in(middle_speed(p, l), WHOLE_NS);
}

/* The lane is busy from now on, though nobody looks at it for a while. */
static void note_taken(struct hws_lane *l, uint64_t n)
{
    const struct hws_lane_share *s = &l->share;
    uint64_t drained = s->sent_then - s->backlog_then;
    hws_rate_update(&l->share.rate, hws_clock_ns(), drained, l->out.sent - drained + l->out.queued_bytes + n);
}

/* Now and then, and more of them where one was seen to take its time: nobody would see that the bursts which speak for
 * whole messages were let pass by a shaper's bucket. */
static void watch_whole(struct hws_lane *l, uint64_t len)
{
    struct hws_peer *p = l->peer;
    if (p->share.n_to_watch)
        p->share.n_to_watch--;
    else if (++p->share.n_whole % WATCH_EVERY)
        return;
    look(l, hws_clock_ns());
    note_taken(l, len);
    look_from_now_on(p);
}

uint64_t hws_peer_first_part(struct hws_lane *l, uint64_t len, uint64_t most)
{
    struct hws_peer *p = l->peer;
    struct hws_stripe_lane lanes[HWS_MAX_LANES];
    unsigned me = number_up(p, l);
    if (len <= most && is_for_one(p, l, len)) {
        watch_whole(l, len);
        return len;
    }
    view(p, lanes);
    for (unsigned i = 0; i < p->n_up; i++)
        if (i != me && l->share.latency_ns)
            lanes[i].latency_ns =
                2 * l->share.latency_ns + (lanes[i].latency_ns ? lanes[i].latency_ns : l->share.latency_ns);
    uint64_t least = least_piece(lanes, p->n_up, most), n = hws_stripe_take(lanes, p->n_up, me, len, least, most);
    return n > least ? n : least;
}

static bool has_several(const struct hws_list *list)
{
    return list->next != list && list->next->next != list;
}

void hws_peer_note_announced(struct hws_peer *p)
{
    p->share.may_announce = BEGIN_TIMES;
}

void hws_peer_add_bulk(struct hws_peer *p, uint64_t bytes)
{
    if (!p->out.bulk_left && p->n_up > 1) {
        p->share.began_ns = p->share.may_announce ? hws_clock_ns() : 0;
        p->share.may_announce -= p->share.may_announce > 0;
    }
    p->out.bulk_left += bytes;
}

/* So far ahead may a lane be given bulk. Where both ends have a message for each other and this one was the first, the
 * answer to the other's waits behind what has been given until then: no longer than the other one was late. Only with
 * one peer at a time: with several, lanes of theirs share cards, and who looks at all is late (decision 053). */
static uint64_t most_ahead_ns(const struct hws_peer *p)
{
    bool may_cross = p->share.began_ns && hws_list_is_empty(&p->in.under_way);
    if (!may_cross || has_several(&p->engine->work.draining))
        return AHEAD_NS;
    uint64_t since = hws_clock_ns() - p->share.began_ns;
    return since < BEGIN_NS ? BEGIN_NS : since < AHEAD_NS ? since : AHEAD_NS;
}

/* It has enough until somebody looks again: what is left goes to whoever is done first by then, and not to whom it was
 * given by a guess. Over a long way most of a backlog is under way. */
static bool is_far_ahead(const struct hws_peer *p, const struct hws_stripe_lane *l)
{
    return l->rate && l->latency_ns < AHEAD_NS / 8 &&
           (double)l->backlog * 1e9 > (double)l->rate * (double)most_ahead_ns(p);
}

/* The card is what holds up its sender, not the other end. */
static bool is_card_slow(const struct hws_lane *l)
{
    return l->share.speed.n_slow >= SLOW_TIMES;
}

/* A span in which the socket was not full all the time may have been idle for most of it: it can only be fast. One in
 * which nothing moves goes on until something does; one that was long shows a receiver that does not read. */
void hws_lane_note_speed(struct hws_lane *l)
{
    struct hws_lane_speed *s = &l->share.speed;
    uint64_t now = hws_clock_ns(), ns = now - s->at_ns, bytes = l->out.sent - s->sent;
    bool may_be_slow = s->was_full && ns <= SPEED_MAX_NS;
    if (ns < SPEED_NS || (may_be_slow && !bytes))
        return;
    if (bytes > bytes_in(HWS_PACE_MOST, ns))
        s->n_slow -= s->n_slow > 0;
    else if (may_be_slow && s->n_slow < SLOW_MOST)
        s->n_slow++;
    s->at_ns = now;
    s->sent = l->out.sent;
    s->was_full = l->out.want_write;
}

/* The longest fragment by the only lane. A short message waits for it, and each costs calls of its own at both ends.
 * Where windows of messages go both ways, long ones keep either end from reading while it writes. */
static uint64_t longest_alone(const struct hws_peer *p, const struct hws_lane *l, uint64_t max_frag)
{
    uint64_t n = bytes_in(middle_speed(p, l), ALONE_NS);
    if (n < SHARED_FRAG || is_card_slow(l) || (has_several(&p->out.bulk) && has_several(&p->in.under_way)))
        n = SHARED_FRAG;
    return n < max_frag ? n : max_frag;
}

/* The only lane needs no more until something was sent or acknowledged (docs/decisions/048). Where both ends send,
 * neither reads while it writes: what the other kernel has left to read stays within what it has room for, as it drops
 * what is beyond, though it offered to take it. A slow card has little to send in either case: an answer that the other
 * end waits for goes behind it. */
static bool has_enough(const struct hws_lane *l)
{
    uint64_t most = l->link->unread_most;
    bool is_ahead = most && l->keeps && l->out.sent + l->out.queued_bytes - l->out.confirmed > most &&
                    !hws_list_is_empty(&l->peer->in.under_way);
    bool is_queued = l->out.queued_bytes >= SLOW_QUEUE;
    return is_card_slow(l) ? is_queued : is_ahead;
}

/* What the only lane moves is looked at for its pace alone. A look costs a system call, which a fast lane is spared
 * once it has shown that it is fast; but that may have been a shaper's bucket. */
static bool is_looked_at(const struct hws_lane *l)
{
    return l->peer->out.bulk_left >= ALONE_LEAST && hws_link_paces(l->link) &&
           (hws_pace_may_be(&l->share.pace) || is_card_slow(l));
}

/* The only lane: what it moves is measured by long messages. */
static uint64_t alone(struct hws_lane *l, uint64_t max_frag)
{
    struct hws_peer *p = l->peer;
    hws_lane_note_speed(l);
    max_frag = longest_alone(p, l, max_frag);
    if (is_looked_at(l)) {
        look(l, hws_clock_ns());
        look_from_now_on(p);
    }
    if (has_enough(l))
        return 0;
    return p->out.bulk_left < max_frag ? p->out.bulk_left : max_frag;
}

uint64_t hws_peer_bulk_for(struct hws_lane *l, uint64_t max_frag)
{
    struct hws_peer *p = l->peer;
    struct hws_stripe_lane lanes[HWS_MAX_LANES];
    if (p->n_up <= 1)
        return alone(l, max_frag);
    max_frag = max_frag < SHARED_FRAG ? max_frag : SHARED_FRAG;
    if (l->out.queued_bytes >= SHARED_QUEUE)
        return 0;
    view(p, lanes);
    unsigned me = number_up(p, l);
    if (is_far_ahead(p, &lanes[me])) { /* the next look asks it again */
        look_from_now_on(p);
        l->share.left_bulk = true;
        return 0;
    }
    uint64_t n = hws_stripe_take(lanes, p->n_up, me, p->out.bulk_left, least_piece(lanes, p->n_up, max_frag), max_frag);
    l->share.left_bulk = n == 0;
    if (n > 0) {
        note_taken(l, n);
        look_from_now_on(p);
    }
    if (n > 0 && n < p->out.bulk_left)
        ask_again(p); /* they have left it to this one, which has more to do now */
    if (n == 0 && !hws_timer_is_set(&p->share.nudge))
        hws_timer_set(&p->share.nudge, NUDGE_MS);
    return n;
}
