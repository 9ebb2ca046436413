/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wait: progress and waiting (docs/design.md, Waiting). A step writes what was held back, reads the hot lanes directly,
 * takes ended sockets down. A wait spins on steps while that pays (spin.h), then sleeps in the reactor. With several
 * threads one of them drives, the others sleep until they are woken (waiters.h).
 */
#include <assert.h>
#include <sched.h>

#include "base/clock.h"
#include "base/hot.h"
#include "base/log.h"
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

#define CLOCK_EVERY 8  /* spins between looks at the clock: a look delays the next read */
#define COLD_EVERY  64 /* steps between looks at sockets that are not hot: a look costs as much as two reads */
#define COLD_EVERY_SHM                                                                                                 \
    1024                     /* the same while no socket is hot: a step over shared memory takes some nanoseconds, ... \
                              */
#define COLD_CALLS     8     /* calls that do not wait (tests, probes) between such looks, where ranks share memory */
#define COLD_CALLS_NS  20000 /* ... and the least time */
#define COLD_MOVED     8     /* ... unless it finds something: then it counts as so many */
#define COLD_AGAIN     4     /* steps after a look that found something */
#define OTHERS_EVERY   4     /* steps between looks at hot lanes that are not those of the awaited peer */
#define LOOK_EVERY     16    /* steps between looks at the clock while bulk drains over several lanes */
#define JUDGE_EVERY    64    /* tests in vain, which look at the clock as seldom */
#define PATIENCE_NS    10000 /* of a thread that others at the lock are waiting for, while it waits for room */
#define WATCH_NS       2000000 /* while lanes drain, or a rank copies a message from here, a wait is awake so long */
#define YIELDS         4       /* between looks at the clock, after which some entries of the TLB are gone */
#define SOON_NS        400     /* idle time before a wait yields: what comes as soon needs no processor */
#define SPARE_EVERY_NS 1000000 /* a wait spins again, where others had the processor meanwhile, as often at most */
#define YIELD_NS       100000 /* idle time during which a wait yields to other ranks before it sleeps, if they are many */

/* More ranks than processors on this host, and shared memory: who yields soon gets what he waits for. */
static bool is_crowded(const struct hws_engine *e)
{
    return e->shm && e->shm->crowded;
}

static bool flush_dirty(struct hws_engine *e)
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
    flush_dirty(e);
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
    } else if (e->poll.n_hot == 0 && !is_crowded(e)) {
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
        moved |= flush_dirty(e);
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

HWS_HOT static bool step(struct hws_engine *e, bool cold)
{
    bool moved = false;
    e->work.step++;
    e->work.stepping = true;
    if (!hws_list_is_empty(&e->work.acked))
        hws_engine_settle_acks(e);
    if (!hws_list_is_empty(&e->work.dirty))
        moved |= flush_dirty(e);
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

/* Lets other ranks run, who may do so for milliseconds: threads of this one need not wait for the lock as long. */
static void yield(struct hws_engine *e)
{
    if (e->cfg.locking && hws_biglock_is_outermost(&e->threads.lock))
        hws_biglock_yield(&e->threads.lock);
    else
        sched_yield();
}

/* Threads of one rank stand in the run queue behind each other: that says nothing. */
static void judge_spin(struct hws_engine *e, uint64_t now_ns)
{
    struct hws_spin *s = &e->waits.spin;
    if (!e->cfg.locking && hws_spin_is_judged(s, now_ns))
        hws_spin_judge(s, now_ns, hws_runq_queued_ns(), hws_runq_is_full());
}

/* Another rank of this host may be on the same processor: this one leaves, and what it lost in the run queue so far is
 * no reason to move once more. */
static void part(struct hws_engine *e, bool is_new, uint64_t now_ns)
{
    if (e->shm && hws_shm_part(e->shm, is_new, now_ns))
        hws_runq_note(&e->waits.runq, hws_runq_queued_ns());
}

/* Leaves the processor to others, and for good to a rank of this host that took it. Returns the time. */
static uint64_t yield_once(struct hws_engine *e, uint64_t begin)
{
    sched_yield();
    uint64_t now = hws_clock_ns();
    if (now - begin >= HWS_SPIN_ALONE_NS)
        part(e, false, now);
    return now;
}

/* A rank that was woken from here may have been put on this processor: it is to run, and leave, or the wait for it
 * would keep it from running. */
static bool has_woken(struct hws_engine *e)
{
    if (!e->shm || e->cfg.locking || e->waits.n_woken == e->shm->seg.n_woken)
        return false;
    e->waits.n_woken = e->shm->seg.n_woken;
    return true;
}

/* Between two looks of a spin, which may yield from that time on. Returns the time. */
static uint64_t spin_once(struct hws_engine *e, uint64_t yields_from)
{
    uint64_t begin = hws_clock_ns(), now = begin;
    if (e->shm)
        hws_shm_wait_here(e->shm, begin);
    if (has_woken(e))
        return yield_once(e, begin);
    if (hws_spin_yields(&e->waits.spin) && begin >= yields_from) {
        now = yield_once(e, begin);
        hws_spin_yielded(&e->waits.spin, now - begin, now);
    }
    judge_spin(e, now);
    return now;
}

/* A loop of tests or probes must not keep the one from running that it waits for. */
static void leave_to_others(struct hws_engine *e)
{
    if (e->cfg.locking)
        hws_biglock_spend_turn(&e->threads.lock);
    if (is_crowded(e))
        yield(e);
    else if (hws_spin_yields(&e->waits.spin) || ++e->waits.n_vain % JUDGE_EVERY == 0)
        spin_once(e, 0);
}

/* Where ranks share memory, a loop of calls that do not wait need not ask the kernel in each eighth: that was a quarter
 * of its time (docs/decisions/047). */
static bool has_been_long(struct hws_engine *e)
{
    if (!e->shm)
        return true;
    uint64_t now = hws_clock_ns();
    bool is_long = now - e->poll.asked_ns >= COLD_CALLS_NS;
    e->poll.asked_ns = is_long ? now : e->poll.asked_ns;
    return is_long;
}

void hws_engine_step(struct hws_engine *e)
{
    if (e->threads.settling) /* a probe's predicate, asked by another thread */
        return;
    bool cold = (!e->shm || e->poll.n_hot || e->work.step % COLD_CALLS == 0) && has_been_long(e);
    if (!step(e, cold))
        leave_to_others(e);
}

bool hws_engine_progress(struct hws_engine *e)
{
    hws_engine_lock(e);
    bool cold = ((e->poll.n_hot == 0 && !e->shm) || e->work.step % COLD_CALLS == 0) && has_been_long(e);
    bool moved = step(e, cold);
    if (!moved)
        leave_to_others(e);
    hws_engine_unlock(e);
    return moved;
}

/* Before a sleep, which only the reactor can end. */
static void end_rests(struct hws_engine *e)
{
    for (unsigned i = 0; i < e->poll.n_hot; i++) {
        e->poll.hot[i]->hot.direct_reads = 0;
        hws_link_rest(e->poll.hot[i]->link, false);
    }
}

/* Sleeps until something happens, unless writing what was held back is already something: that may complete operations,
 * so the caller must look again first. True: something moved. */
static bool sleep_once(struct hws_engine *e)
{
    uint64_t before = e->work.activity;
    bool moved = false, slept = false;
    e->work.step++;
    e->work.stepping = true;
    bool wrote = !hws_list_is_empty(&e->work.dirty) || !hws_list_is_empty(&e->work.acked);
    hws_engine_settle_acks(e);
    if (!hws_list_is_empty(&e->work.dirty))
        flush_dirty(e);
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
            part(e, true, hws_clock_ns());
        moved = hws_shm_poll(e->shm);
    }
    moved |= end_step(e);
    moved |= e->work.activity != before;
    tell_threads(e, moved);
    return moved;
}

static bool waits_for_room(const struct hws_engine *e)
{
    return !hws_list_is_empty(&e->work.blocked) || (e->shm && !hws_list_is_empty(&e->shm->busy));
}

/* Room comes soon, where the other end reads; another thread would only queue up behind, and the messages of all would
 * come in turns there. */
static bool is_patient(struct hws_engine *e)
{
    if (!waits_for_room(e))
        return false;
    uint64_t now = hws_clock_ns();
    if (e->threads.wanted_ns == 0)
        e->threads.wanted_ns = now;
    return now - e->threads.wanted_ns < PATIENCE_NS && !hws_biglock_is_turn_over(&e->threads.lock, now);
}

/* Lets other threads at the lock between two steps of a spin. */
static __attribute__((noinline)) void let_wanting(struct hws_engine *e)
{
    if (hws_biglock_is_wanted(&e->threads.lock) && !is_patient(e))
        hws_biglock_give_way(&e->threads.lock);
}

static inline void let_others(struct hws_engine *e)
{
    if (__builtin_expect(e->cfg.locking, 0))
        let_wanting(e);
}

/* What is waited for. */
struct predicate {
    bool (*fn)(void *arg);
    void *arg;
    hws_wait_site site;
};

/* What the last wait ended with is learned at the begin of the next: its caller had a message to look at. */
static inline void learn_last(struct hws_engine *e)
{
    if (e->waits.to_learn) {
        hws_spin_learn(&e->waits.spin, e->waits.to_learn_ns, true);
        hws_runq_found(&e->waits.runq);
    }
    e->waits.to_learn = false;
}

/* After a spin, before the sleep, whose end so waits for nothing: where others want the processors, less is spun; where
 * spinning pays and yet was in vain, the one that is waited for may want this one. */
static void make_room(struct hws_engine *e, uint64_t now_ns)
{
    judge_spin(e, now_ns);
    if (hws_spin_is_full(&e->waits.spin) && hws_runq_slept(&e->waits.runq) &&
        hws_runq_judge(&e->waits.runq, hws_runq_queued_ns()))
        hws_runq_move();
}

/* The wait of a driver is over, or it is to be none any more; w NULL: there is one thread. */
static inline bool ends(const struct hws_engine *e, const struct hws_waiter *w)
{
    return __builtin_expect(w != NULL, 0) &&
           (w->word == HWS_WAITER_DONE || w->steps_back || !hws_waiters_is_driver(e, w));
}

/* What was true is not asked again: it may have taken a message, and its own step may have let another thread drive. */
static inline bool is_true(struct predicate p, struct hws_waiter *w)
{
    bool over = p.fn(p.arg);
    if (w && over)
        w->is_over = true;
    return over;
}

static struct hws_board_wait *tell_asleep(struct hws_engine *e, struct predicate p, struct hws_board_wait *told,
                                          bool moved, uint64_t now_ns)
{
    if (!e->cfg.board)
        return NULL;
    hws_waiters_tell(e, now_ns);
    return hws_engine_asleep(e, told, p.site, p.arg, moved, now_ns);
}

/* Asleep, it would look too late to see how fast a lane drains; and the end of what a rank of this host copies is near.
 */
static bool watches(const struct hws_engine *e, uint64_t idle_ns)
{
    if (idle_ns >= WATCH_NS)
        return false;
    return (e->shm && hws_shm_is_read(e->shm)) || hws_engine_watches(e);
}

/* A wait under way. The clock is read only while nothing moves, so that it delays no message. */
struct drive {
    uint64_t idle_since, now;    /* nothing has moved since; 0: not looked at yet. The last look at the clock */
    bool is_crowded;             /* there are more ranks than processors */
    bool sleeps;                 /* it has spun for long enough */
    bool has_moved;              /* something has, since the last sleep */
    unsigned n_steps;            /* of spinning */
    struct hws_board_wait *told; /* its place on the board, or NULL */
};

static void drive_asleep(struct hws_engine *e, struct predicate p, struct drive *d)
{
    uint64_t begin = d->idle_since ? d->idle_since : hws_clock_ns(), n_sleeps = e->count.n_sleeps;
    d->told = tell_asleep(e, p, d->told, d->has_moved, begin);
    make_room(e, d->idle_since ? d->now : begin);
    d->has_moved = sleep_once(e);
    let_others(e);
    d->now = hws_clock_ns();
    hws_spin_learn(&e->waits.spin, d->now - begin, false);
    d->idle_since = d->is_crowded ? 0 : d->now;
    d->sleeps = d->is_crowded ? !d->has_moved && e->count.n_sleeps != n_sleeps : hws_spin_budget(&e->waits.spin) == 0;
}

static inline void note_moved(struct hws_engine *e, struct drive *d)
{
    d->has_moved = true;
    learn_last(e);
    e->waits.to_learn = true;
    e->waits.to_learn_ns = d->idle_since ? d->now - d->idle_since : 0;
    d->idle_since = 0;
}

/* A yield behind a spin in vain took so long, and what is waited for, or more, had come at its end. */
static void leave_to_spinner(struct hws_engine *e, uint64_t took_ns, int here)
{
    if (sched_getcpu() == here && hws_runq_yielded(&e->waits.runq, took_ns, hws_spin_budget(&e->waits.spin)) &&
        !hws_runq_is_full())
        hws_runq_move();
}

/* After a spin in vain, which ended now. True: others have run meanwhile, perhaps the one that is waited for, which did
 * not have the processor before: it has answered, or another spin may pay. */
static bool try_yield(struct hws_engine *e, struct drive *d)
{
    uint64_t begin = d->now;
    int here = sched_getcpu();
    d->now = yield_once(e, begin);
    uint64_t took_ns = d->now - begin;
    hws_spin_tried(&e->waits.spin, took_ns);
    if (took_ns < HWS_SPIN_ALONE_NS)
        return false;
    if (step(e, true)) {
        d->has_moved = true;
        hws_spin_learn(&e->waits.spin, d->now - d->idle_since, false);
        leave_to_spinner(e, took_ns, here);
        d->idle_since = 0;
        return true;
    }
    bool again = d->now - e->waits.spared_ns >= SPARE_EVERY_NS;
    e->waits.spared_ns = again ? d->now : e->waits.spared_ns;
    d->idle_since = again ? d->now : d->idle_since;
    return again;
}

/* The ranks take turns; the one that is waited for is likely to have his before long. */
static inline void idle_crowded(struct hws_engine *e, struct drive *d)
{
    yield(e);
    if (!e->cfg.locking) /* else threads of a rank are on several processors */
        hws_shm_spread(e->shm);
    if (d->n_steps % YIELDS != 0)
        return;
    uint64_t before = d->now;
    d->now = hws_clock_ns();
    bool is_alone = d->now - before < YIELDS * HWS_SPIN_ALONE_NS; /* the others have ended, or sleep */
    d->idle_since = d->idle_since ? d->idle_since : d->now;
    uint64_t idle_ns = d->now - d->idle_since;
    d->sleeps = idle_ns >= YIELD_NS && !(is_alone && watches(e, idle_ns));
}

static inline bool is_to_cede(const struct hws_engine *e, const struct drive *d)
{
    return e->cfg.locking && hws_cede_is_due(&e->waits.cede, d->idle_since, d->now) &&
           hws_biglock_is_outermost(&e->threads.lock);
}

static void cede(struct hws_engine *e, struct drive *d)
{
    uint64_t begin = d->now;
    uint32_t n_taken = e->threads.lock.n_taken;
    yield(e);
    d->now = hws_clock_ns();
    hws_cede_done(&e->waits.cede, begin, d->now, e->threads.lock.n_taken - n_taken > 1);
}

static inline void idle_alone(struct hws_engine *e, struct drive *d)
{
    if (!hws_spin_yields(&e->waits.spin) && d->n_steps % CLOCK_EVERY != 0)
        return;
    d->now = spin_once(e, d->idle_since ? d->idle_since + SOON_NS : UINT64_MAX);
    d->idle_since = d->idle_since ? d->idle_since : d->now;
    uint64_t idle_ns = d->now - d->idle_since;
    bool may_watch = hws_spin_may_watch(&e->waits.spin);
    d->sleeps = idle_ns >= hws_spin_budget(&e->waits.spin) && !(may_watch && watches(e, idle_ns));
    if (d->sleeps && !e->cfg.locking && hws_spin_is_full(&e->waits.spin))
        d->sleeps = !try_yield(e, d);
    else if (!d->sleeps && is_to_cede(e, d))
        cede(e, d);
}

static inline void drive_awake(struct hws_engine *e, struct drive *d)
{
    bool moved = step(e, is_time_for_cold(e));
    d->n_steps++;
    let_others(e);
    if (moved)
        note_moved(e, d);
    else if (d->is_crowded)
        idle_crowded(e, d);
    else
        idle_alone(e, d);
}

/* Drives progress until pred holds: spinning, and asleep once nothing has moved for as long as the budget. The budget
 * learns from each idle time, not from the length of the wait: a long message moves all the time. Returns the wait's
 * place on the board. */
static inline __attribute__((always_inline)) struct hws_board_wait *
drive(struct hws_engine *e, struct predicate p, struct hws_waiter *w, struct hws_board_wait *told)
{
    learn_last(e);
    struct drive d = {.is_crowded = is_crowded(e), .told = told};
    d.sleeps = !d.is_crowded && hws_spin_budget(&e->waits.spin) == 0;
    while (!ends(e, w) && !is_true(p, w)) {
        if (!d.sleeps)
            drive_awake(e, &d);
        else if (hws_reactor_is_running(e->reactor)) /* the last driver is on its way out of there */
            let_others(e);
        else
            drive_asleep(e, p, &d);
    }
    return d.told;
}

static inline void end_wait(struct hws_engine *e, struct hws_board_wait *told)
{
    if (__builtin_expect(told != NULL, 0))
        hws_board_end(told);
    hws_engine_leave(e, false);
}

/* Another thread drives, or is to. True: the wait is over, and the lock is not held any more. */
static bool sleep_as_other(struct hws_engine *e, struct hws_waiter *w)
{
    if (hws_engine_may_strand(e))
        hws_reactor_wake(e->reactor);
    w->told = tell_asleep(e, (struct predicate){w->pred, w->arg, w->site}, w->told, w->told_at != e->threads.n_moves,
                          e->cfg.board ? hws_clock_ns() : 0);
    w->told_at = e->threads.n_moves;
    return w->steps_back ? hws_waiters_step_back(e, w) : hws_waiters_sleep(e, w);
}

/* True: the wait is over. False: another one drives, or is to. */
static bool drive_for(struct hws_engine *e, struct predicate p, struct hws_waiter *w)
{
    hws_waiters_drive(e, w);
    w->told = drive(e, p, w, w->told);
    return w->word == HWS_WAITER_DONE || w->is_over;
}

/* Several threads. Held back sends go before a sleep: they may be what is waited for. */
static bool wait_among_others(struct hws_engine *e, struct predicate p)
{
    struct hws_waiter w = {.pred = p.fn,
                           .arg = p.arg,
                           .site = p.site,
                           .thread = hws_biglock_self(),
                           .hurries = hws_spin_is_full(&e->waits.spin)};
    bool drives = hws_waiters_begin(e, &w);
    e->threads.wanted_ns = 0;
    while (!p.fn(p.arg)) {
        if (drives) {
            if (drive_for(e, p, &w))
                break;
        } else if (!hws_list_is_empty(&e->work.dirty)) {
            flush_dirty(e);
        } else if (sleep_as_other(e, &w)) {
            return false;
        }
        drives = !e->threads.driver;
    }
    if (hws_waiters_is_driver(e, &w))
        hws_waiters_drive(e, NULL);
    end_wait(e, w.told);
    hws_waiters_leave(e);
    return true;
}

static void wait_threaded(struct hws_engine *e, struct predicate p)
{
    hws_engine_lock(e);
    if (p.fn(p.arg))
        hws_engine_leave(e, false);
    else if (!wait_among_others(e, p))
        return;
    hws_engine_unlock(e);
}

static inline __attribute__((always_inline)) void wait_until(struct hws_engine *e, struct predicate p)
{
    if (e->cfg.locking) {
        wait_threaded(e, p);
    } else if (!p.fn(p.arg)) {
        e->threads.waits_alone = true;
        end_wait(e, drive(e, p, NULL, NULL));
        e->threads.waits_alone = false;
    } else {
        hws_engine_leave(e, false);
    }
    if (__builtin_expect(e->cfg.events && __atomic_load_n(&e->cfg.events->due, __ATOMIC_ACQUIRE), 0))
        e->cfg.events->deliver();
}

HWS_HOT void hws_engine_wait_until(struct hws_engine *e, bool (*pred)(void *arg), void *arg, hws_wait_site site)
{
    wait_until(e, (struct predicate){pred, arg, site});
}

static bool flag_is_set(void *arg)
{
    return *(const volatile bool *)arg;
}

HWS_HOT void hws_engine_wait(struct hws_engine *e, const volatile bool *flag, hws_wait_site site)
{
    wait_until(e, (struct predicate){flag_is_set, (void *)(uintptr_t)flag,
                                     site}); /* inline: the flag is looked at without a call */
}

/* ---- the optional progress thread -------------------------------------------------------------------------------- */

int hws_engine_start_thread(struct hws_engine *e);
void hws_engine_stop_thread(struct hws_engine *e);

static bool is_stopped(void *arg)
{
    const struct hws_engine *e = arg;
    return e->threads.stop;
}

static void *progress_thread(void *arg)
{
    struct hws_engine *e = arg;
    struct hws_waiter w = {.pred = is_stopped, .arg = e, .thread = hws_biglock_self()};
    hws_engine_lock(e);
    while (!e->threads.stop) {
        if (e->threads.driver) {
            if (hws_waiters_sleep(e, &w))
                return NULL;
            continue;
        }
        hws_waiters_drive(e, &w);
        while (!e->threads.stop && hws_waiters_is_driver(e, &w)) {
            if (!hws_reactor_is_running(e->reactor)) /* else the last driver is on its way out of there */
                sleep_once(e);
            let_others(e);
        }
        if (hws_waiters_is_driver(e, &w))
            hws_waiters_drive(e, NULL);
    }
    hws_waiters_leave(e);
    hws_engine_unlock(e);
    return NULL;
}

int hws_engine_start_thread(struct hws_engine *e)
{
    return pthread_create(&e->threads.progress, NULL, progress_thread, e) == 0 ? HWS_OK : HWS_ENOMEM;
}

void hws_engine_stop_thread(struct hws_engine *e)
{
    if (!e->cfg.progress_thread)
        return;
    hws_engine_lock(e);
    e->threads.stop = true;
    hws_engine_notify(e);
    hws_engine_unlock(e);
    hws_reactor_wake(e->reactor);
    pthread_join(e->threads.progress, NULL);
}
