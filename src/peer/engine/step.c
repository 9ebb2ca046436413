/* SPDX-License-Identifier: BSD-3-Clause
 *
 * step: one step of progress (docs/design.md, Waiting). It writes what was held back, reads the hot lanes directly,
 * takes ended sockets down, and looks at everything else, through epoll, now and then.
 */
#include <assert.h>

#include "base/clock.h"
#include "base/hot.h"
#include "peer/conn/conn.h"
#include "peer/engine/parts.h"
#include "peer/engine/waiters.h"
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define COLD_EVERY     64   /* steps between looks at sockets that are not hot: a look costs as much as two reads */
#define COLD_EVERY_SHM 1024 /* the same while no socket is hot: a step over shared memory takes some nanoseconds */
#define COLD_MOVED     8    /* a step that moved something counts as so many */
#define COLD_AGAIN     4    /* steps after a look that found something */
#define OTHERS_EVERY   4    /* steps between looks at hot lanes that are not those of the awaited peer */
#define LOOK_EVERY     16   /* steps between looks at the clock while bulk drains over several lanes */

bool hws_step_flush(struct hws_engine *e)
{
    bool moved = false;
    struct hws_list *n;
    while ((n = hws_list_pop(&e->work.dirty)))
        moved |= hws_lane_flush(hws_container_of(n, struct hws_lane, dirty_node));
    e->work.owed = false;
    __atomic_store_n(&e->work.held, false, __ATOMIC_RELAXED);
    return moved;
}

void hws_engine_send_held(struct hws_engine *e)
{
    if (e->work.stepping)
        return;
    e->work.stepping = true; /* for what callbacks start */
    hws_step_flush(e);
    e->work.stepping = false;
}

HWS_HOT void hws_engine_push(struct hws_engine *e)
{
    if (__builtin_expect(!__atomic_load_n(&e->work.held, __ATOMIC_RELAXED), 1))
        return;
    hws_engine_lock(e);
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
}

/* Lanes whose socket was full: another try each. The list is walked once, a lane that is still full stays in it. */
static bool retry_blocked(struct hws_engine *e)
{
    bool moved = false;
    for (struct hws_list *n = e->work.blocked.next, *next = n->next; n != &e->work.blocked; n = next, next = n->next)
        moved |= hws_lane_flush(hws_container_of(n, struct hws_lane, blocked_node));
    return moved;
}

static void arm_blocked(struct hws_engine *e)
{
    for (struct hws_list *n = e->work.blocked.next; n != &e->work.blocked; n = n->next)
        hws_lane_arm(hws_container_of(n, struct hws_lane, blocked_node));
}

/* What a lane may die of while the process at its other end lives. */
static bool is_survivable(enum hws_err why)
{
    return why != HWS_EPROTO && why != HWS_ENOMEM && why != HWS_EAUTH;
}

/* A connected socket that ends is a lost lane, or a lost peer where nothing is kept; one that is being made is a failed
 * dial, already counted. */
static void take_down(struct hws_engine *e, struct hws_socket *s)
{
    struct hws_peer *p = s->peer;
    bool goes_on = s->lane.keeps && is_survivable(s->why);
    char name[96], where[160];
    if (s->state == HWS_SOCKET_ENDING && !hws_peer_is_over(p) && !e->closing) {
        bool is_leaving = p->state == HWS_PEER_LEAVING;
        if (!is_leaving && hws_engine_is_watched(e, HWS_EVENT_LANE_LOST))
            hws_engine_event_slow(
                e, (struct hws_event){
                       .kind = HWS_EVENT_LANE_LOST, .peer = p->number, .lane = s->path->number, .why = (int)s->why});
        if (is_leaving && p->n_up == 0) /* the normal end: no name, that could cost a question to the launcher */
            hws_peer_gone(p, "rank %d has called MPI_Finalize", p->rank);
        else if (!is_leaving && !goes_on)
            hws_peer_lose(p, s->why == HWS_ECLOSED ? HWS_EPEERDEAD : s->why, "connection to %s lost (%s): %s",
                          hws_peer_name(p, name, sizeof name), hws_link_describe(s->link, where, sizeof where),
                          hws_err_text(s->why));
        hws_engine_detach(s);
        if (goes_on && !hws_peer_is_over(
                           p)) /* also while the peer closes its lanes one by one: what it confirmed is not known yet */
            hws_peer_lane_lost(p, s);
    }
    assert(!p || p->dial != s || hws_peer_is_over(p) || e->closing); /* who waits for that dial would wait for ever */
    hws_engine_detach(s);
    hws_socket_free(s);
}

static void take_down_ended(struct hws_engine *e)
{
    struct hws_list *n;
    while ((n = hws_list_pop(&e->work.ended)))
        take_down(e, hws_container_of(n, struct hws_socket, node));
}

/* What direct reads find again and again need not wake the reactor as well, unless another thread sleeps there. */
static void found_directly(struct hws_engine *e, struct hws_lane *l)
{
    if (++l->hot.direct_reads >= HWS_REST_AFTER && !hws_reactor_is_running(e->reactor))
        hws_link_rest(l->link, true);
}

/* True: something came. The lane may have left the list. */
static bool read_directly(struct hws_engine *e, struct hws_lane *l)
{
    const struct hws_socket *sock = hws_container_of(l, struct hws_socket, lane);
    if (hws_lane_read(l)) {
        if (sock->state != HWS_SOCKET_CONNECTED)
            return true;
        hws_lane_found(l);
        if (l->hot.is_hot)
            found_directly(e, l);
        return true;
    }
    if (l->hot.is_hot && ++l->hot.idle_reads >= (e->shm ? HWS_COOL_AFTER : HWS_COOL_AFTER_ALONE))
        hws_engine_not_hot(e, l);
    return false;
}

static bool read_hot(struct hws_engine *e, const struct hws_peer *but)
{
    bool moved = false;
    for (unsigned i = e->poll.n_hot; i-- > 0;) { /* from the end: whoever leaves, the last one takes his place */
        if (i < e->poll.n_hot && e->poll.hot[i]->peer != but)
            moved |= read_directly(e, e->poll.hot[i]);
    }
    return moved;
}

/* The only receive that is posted names the peer that is likely waited for; NULL: there is none, any will do, or it has
 * many lanes. */
static inline struct hws_peer *awaited(const struct hws_engine *e)
{
    const struct hws_match_node *lone = e->match.lone;
    struct hws_peer *p = lone && lone->key.peer >= 0 ? e->peers[lone->key.peer] : NULL;
    return p && p->n_up <= HWS_MAX_HOT ? p : NULL;
}

/* Of several lanes to a peer: the one that had something last, and one of the others, beginning with the one behind it.
 * What was found may be what is waited for, so it is looked at first; the lane has its next turn after another's. */
static bool read_in_turn(struct hws_engine *e, struct hws_peer *p)
{
    struct hws_peer_turns *t = &p->turns;
    bool had = t->has_found;
    t->has_found = false;
    if (!had && t->last < p->n_up && read_directly(e, p->up[t->last]))
        return t->has_found = true;
    unsigned next = t->next < p->n_up ? t->next : 0;
    if (!had && next == t->last && p->n_up > 1)
        next = next + 1 < p->n_up ? next + 1 : 0;
    t->next = next + 1;
    if (p->n_up == 0 || !read_directly(e, p->up[next]))
        return false;
    t->last = next;
    return t->has_found = true;
}

/* The awaited peer's lanes first; the others, while it is awaited, now and then. */
static bool read_lanes(struct hws_engine *e, struct hws_peer *p)
{
    bool moved = false;
    if (p && p->n_up > 1)
        moved = read_in_turn(e, p);
    else if (p && p->n_up == 1)
        moved = read_directly(e, p->up[0]);
    if (e->poll.n_hot && (!p || e->work.step % OTHERS_EVERY == 0))
        moved |= read_hot(e, p);
    return moved;
}

/* How many steps may pass before epoll, and with it new connections and timers, is asked again: whatever is found
 * elsewhere, and in however many waits. */
static inline bool is_time_for_cold(const struct hws_engine *e)
{
    unsigned gap = COLD_EVERY;
    if (e->poll.n_hot == 0 && !e->shm) {
        const struct hws_peer *p = awaited(e);
        gap = p && p->n_up ? COLD_EVERY : 1;
    } else if (e->poll.n_hot == 0 && !hws_engine_shares_cpus(e)) {
        gap = COLD_EVERY_SHM;
    }
    return e->poll.since_cold >= gap || e->poll.since_cold >= e->poll.cold_gap;
}

static bool look_at_cold(struct hws_engine *e)
{
    uint64_t before = e->work.activity;
    e->count.n_polls++;
    hws_reactor_run(e->reactor, false);
    bool moved = e->work.activity != before;
    e->poll.since_cold = 0;
    e->poll.cold_gap = moved ? COLD_AGAIN : e->poll.cold_gap < COLD_EVERY_SHM ? 2 * e->poll.cold_gap : e->poll.cold_gap;
    return moved;
}

/* The end of a step: what it leaves to others goes out, also by the lanes that are left when one broke. */
static inline bool end_step(struct hws_engine *e)
{
    bool moved = false;
    if (__builtin_expect(e->work.frames_came, 0))
        hws_kinds_hand_over(e);
    while (!hws_list_is_empty(&e->work.dirty) || __builtin_expect(!hws_list_is_empty(&e->work.ended), 0)) {
        take_down_ended(e);
        moved |= hws_step_flush(e);
    }
    e->work.stepping = false;
    return moved;
}

/* The end of a step: the waits of threads that sleep may be over, also by what moves no message here, as in an area. */
static inline void tell_threads(struct hws_engine *e, bool moved)
{
    if (__builtin_expect(!hws_list_is_empty(&e->threads.sleepers), 0) && (moved || e->threads.due)) {
        e->threads.n_moves += moved;
        e->threads.due = true;
        hws_waiters_settle(e);
    }
    e->threads.due = false;
}

HWS_HOT bool hws_step(struct hws_engine *e, bool cold)
{
    bool moved = false;
    e->work.step++;
    e->work.stepping = true;
    if (!hws_list_is_empty(&e->work.acked))
        hws_engine_settle_acks(e);
    if (!hws_list_is_empty(&e->work.dirty))
        moved |= hws_step_flush(e);
    if (!hws_list_is_empty(&e->work.blocked))
        moved |= retry_blocked(e);
    if (!hws_list_is_empty(&e->work.draining) && e->work.step % LOOK_EVERY == 0)
        hws_engine_look(e);
    moved |= read_lanes(e, awaited(e));
    if (e->shm)
        moved |= hws_shm_poll(e->shm);
    if (cold && !hws_reactor_is_running(e->reactor))
        moved |= look_at_cold(e);
    e->poll.since_cold += moved ? COLD_MOVED : 1;
    moved |= end_step(e);
    tell_threads(e, moved);
    return moved;
}

HWS_HOT bool hws_step_of_wait(struct hws_engine *e)
{
    return hws_step(e, is_time_for_cold(e));
}

void hws_step_part(struct hws_engine *e, bool is_new, uint64_t now_ns)
{
    if (e->shm && hws_shm_part(e->shm, is_new, now_ns))
        hws_runq_note(&e->waits.runq, hws_runq_queued_ns());
}

/* Before a sleep, which only the reactor can end. */
static void end_rests(struct hws_engine *e)
{
    for (unsigned i = 0; i < e->poll.n_hot; i++) {
        e->poll.hot[i]->hot.direct_reads = 0;
        hws_link_rest(e->poll.hot[i]->link, false);
    }
}

bool hws_step_asleep(struct hws_engine *e)
{
    uint64_t before = e->work.activity;
    bool moved = false, slept = false;
    e->work.step++;
    e->work.stepping = true;
    bool wrote = !hws_list_is_empty(&e->work.dirty) || !hws_list_is_empty(&e->work.acked);
    hws_engine_settle_acks(e);
    if (!hws_list_is_empty(&e->work.dirty))
        hws_step_flush(e);
    if (!wrote && hws_list_is_empty(&e->work.ended) && (!e->shm || hws_shm_may_sleep(e->shm))) {
        e->count.n_sleeps++;
        arm_blocked(e);
        end_rests(e);
        hws_engine_may_strand(e);
        hws_reactor_run(e->reactor, true);
        e->poll.since_cold = 0;
        e->threads.due = true;
        slept = true;
    } else if (is_time_for_cold(e)) {
        look_at_cold(e); /* shared memory may have something for ever */
    }
    e->poll.since_cold += COLD_MOVED;
    if (e->shm) {
        hws_shm_awake(e->shm);
        if (slept)
            hws_step_part(e, true, hws_clock_ns());
        moved = hws_shm_poll(e->shm);
    }
    moved |= end_step(e);
    moved |= e->work.activity != before;
    tell_threads(e, moved);
    return moved;
}
