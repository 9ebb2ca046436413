/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wait: waiting (docs/design.md, Waiting). A wait spins on steps (step.c) while that pays (spin.h), then sleeps in the
 * reactor. With several threads one of them drives, the others sleep until they are woken (waiters.h).
 */
#include <sched.h>

#include "base/clock.h"
#include "base/hot.h"
#include "peer/engine/parts.h"
#include "peer/engine/waiters.h"
#include "peer/lane/lane.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

#define CLOCK_EVERY    8 /* spins between looks at the clock: a look delays the next read */
#define COLD_CALLS     8 /* calls that do not wait (tests, probes) between looks at epoll, where ranks share memory */
#define COLD_CALLS_NS  20000   /* ... and the least time */
#define JUDGE_EVERY    64      /* tests in vain, which look at the clock as seldom */
#define PATIENCE_NS    10000   /* of a thread that others at the lock are waiting for, while it waits for room */
#define WATCH_NS       2000000 /* while lanes drain, or a rank copies a message from here, a wait is awake so long */
#define YIELDS         4       /* between looks at the clock, after which some entries of the TLB are gone */
#define SOON_NS        400     /* idle time before a wait yields: what comes as soon needs no processor */
#define SPARE_EVERY_NS 1000000 /* a wait spins again, where others had the processor meanwhile, as often at most */
#define YIELD_NS       100000 /* idle time for which a wait yields to other ranks, if they are many, before it sleeps */

/* Lets other ranks run, who may do so for milliseconds: threads of this one need not wait for the lock as long. */
static void yield(struct hws_engine *e)
{
    if (e->cfg.locking && hws_biglock_is_outermost(&e->threads.lock))
        hws_biglock_yield(&e->threads.lock);
    else
        sched_yield();
}

/* Of ranks that outnumber their processors: the others see that this one waits. */
static inline void yield_in_crowd(struct hws_engine *e)
{
    yield(e);
    if (e->shm)
        hws_shm_idle(e->shm);
}

/* Lets others run; where whoever ran meanwhile did so for a time slice, it computes, and none is due for a while, in
 * which waits sleep: a sleeper is woken at once. Returns the time. */
static uint64_t cede(struct hws_engine *e, uint64_t begin)
{
    uint32_t n_taken = e->threads.lock.n_taken;
    yield(e);
    uint64_t now = hws_clock_ns();
    hws_cede_done(&e->waits.cede, begin, now, e->threads.lock.n_taken - n_taken > 1);
    return now;
}

/* Of ranks that outnumber their processors and share no memory: each yield would take a time slice. Of those that share
 * some, each sees whether others compute. */
static inline bool others_compute(const struct hws_engine *e, uint64_t now_ns)
{
    return !e->shm && hws_cede_is_shunned(&e->waits.cede, now_ns);
}

/* Tests and probes do not know how long they have been in vain: beside ranks that compute, so long lies between two
 * yields. */
static void leave_to_busy(struct hws_engine *e, uint64_t now)
{
    if (now - e->waits.ceded_ns < e->waits.look_first_ns)
        return;
    yield_in_crowd(e);
    e->waits.ceded_ns = hws_clock_ns();
}

static void leave_in_crowd(struct hws_engine *e)
{
    bool asks_clock = !e->shm || e->shm->beside_busy;
    uint64_t now = asks_clock ? hws_clock_ns() : 0;
    if (!asks_clock)
        yield_in_crowd(e);
    else if (e->shm || others_compute(e, now))
        leave_to_busy(e, now);
    else
        cede(e, now);
}

/* Threads of one rank stand in the run queue behind each other: that says nothing. */
static void judge_spin(struct hws_engine *e, uint64_t now_ns)
{
    struct hws_spin *s = &e->waits.spin;
    if (!e->cfg.locking && hws_spin_is_judged(s, now_ns))
        hws_spin_judge(s, now_ns, hws_runq_queued_ns(), hws_runq_is_full());
}

/* Leaves the processor to others, and for good to a rank of this host that took it. Returns the time. */
static uint64_t yield_once(struct hws_engine *e, uint64_t begin)
{
    sched_yield();
    uint64_t now = hws_clock_ns();
    if (now - begin >= HWS_SPIN_ALONE_NS)
        hws_step_part(e, false, now);
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
        e->waits.ceded_ns = now;
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
    if (hws_engine_shares_cpus(e))
        leave_in_crowd(e);
    else if (hws_spin_yields(&e->waits.spin) || ++e->waits.n_vain % JUDGE_EVERY == 0)
        spin_once(e, e->waits.ceded_ns + hws_spin_patience(&e->waits.spin));
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
    if (!hws_step(e, cold))
        leave_to_others(e);
}

bool hws_engine_progress(struct hws_engine *e)
{
    hws_engine_lock(e);
    bool cold = ((e->poll.n_hot == 0 && !e->shm) || e->work.step % COLD_CALLS == 0) && has_been_long(e);
    bool moved = hws_step(e, cold);
    if (!moved)
        leave_to_others(e);
    hws_engine_unlock(e);
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
    bool has_looked;             /* beside ranks that compute, for long enough to yield, since something has moved */
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
    d->has_moved = hws_step_asleep(e);
    let_others(e);
    d->now = hws_clock_ns();
    hws_spin_learn(&e->waits.spin, d->now - begin, false);
    d->idle_since = d->is_crowded ? 0 : d->now;
    if (d->is_crowded)
        d->sleeps = (!d->has_moved && e->count.n_sleeps != n_sleeps) || others_compute(e, d->now);
    else
        d->sleeps = hws_spin_budget(&e->waits.spin) == 0;
}

static inline void note_moved(struct hws_engine *e, struct drive *d)
{
    d->has_moved = true;
    d->has_looked = false;
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
    if (hws_step(e, true)) {
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

/* is_alone: nobody took what was yielded since the last look at the clock: the others have ended, or sleep. */
static inline void note_vain(struct hws_engine *e, struct drive *d, bool is_alone)
{
    d->idle_since = d->idle_since ? d->idle_since : d->now;
    uint64_t idle_ns = d->now - d->idle_since;
    d->sleeps = (idle_ns >= YIELD_NS && !(is_alone && watches(e, idle_ns))) || others_compute(e, d->now);
}

/* Beside ranks that compute a yield costs a time slice, and what comes meanwhile lies there: what is under way is
 * looked for first (docs/decisions/060). */
static inline bool looks_first(const struct hws_engine *e, struct drive *d)
{
    if (__builtin_expect(!e->shm->beside_busy, 1) || d->has_looked)
        return false;
    d->now = hws_clock_ns();
    d->idle_since = d->idle_since ? d->idle_since : d->now;
    uint64_t idle_ns = d->now - d->idle_since;
    d->has_looked = idle_ns >= e->waits.look_first_ns && !watches(e, idle_ns);
    return !d->has_looked;
}

/* The ranks take turns; the one that is waited for is likely to have his before long. */
static inline void idle_crowded(struct hws_engine *e, struct drive *d)
{
    if (looks_first(e, d))
        return;
    yield_in_crowd(e);
    if (d->n_steps % YIELDS != 0)
        return;
    uint64_t before = d->now;
    d->now = hws_clock_ns();
    note_vain(e, d, d->now - before < YIELDS * HWS_SPIN_ALONE_NS);
}

/* The same without shared memory, where steps cost system calls: the clock is looked at behind each. */
static inline void idle_apart(struct hws_engine *e, struct drive *d)
{
    uint64_t before = d->idle_since ? d->now : hws_clock_ns();
    d->now = cede(e, before);
    note_vain(e, d, d->now - before < HWS_SPIN_ALONE_NS);
}

static inline bool is_to_cede(const struct hws_engine *e, const struct drive *d)
{
    return e->cfg.locking && hws_cede_is_due(&e->waits.cede, d->idle_since, d->now) &&
           hws_biglock_is_outermost(&e->threads.lock);
}

static inline uint64_t soon_ns(const struct hws_engine *e)
{
    uint64_t patience_ns = hws_spin_patience(&e->waits.spin);
    return patience_ns > SOON_NS ? patience_ns : SOON_NS;
}

static inline void idle_alone(struct hws_engine *e, struct drive *d)
{
    if (!hws_spin_yields(&e->waits.spin) && d->n_steps % CLOCK_EVERY != 0)
        return;
    d->now = spin_once(e, d->idle_since ? d->idle_since + soon_ns(e) : UINT64_MAX);
    d->idle_since = d->idle_since ? d->idle_since : d->now;
    uint64_t idle_ns = d->now - d->idle_since;
    bool may_watch = hws_spin_may_watch(&e->waits.spin);
    d->sleeps = idle_ns >= hws_spin_budget(&e->waits.spin) && !(may_watch && watches(e, idle_ns));
    if (d->sleeps && !e->cfg.locking && hws_spin_is_full(&e->waits.spin))
        d->sleeps = !try_yield(e, d);
    else if (!d->sleeps && is_to_cede(e, d))
        d->now = cede(e, d->now);
}

static inline void drive_awake(struct hws_engine *e, struct drive *d)
{
    bool moved = hws_step_of_wait(e);
    d->n_steps++;
    let_others(e);
    if (moved)
        note_moved(e, d);
    else if (d->is_crowded && e->shm)
        idle_crowded(e, d);
    else if (d->is_crowded)
        idle_apart(e, d);
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
    struct drive d = {.is_crowded = hws_engine_shares_cpus(e), .told = told};
    if (d.is_crowded)
        d.sleeps = !e->shm && others_compute(e, hws_clock_ns());
    else
        d.sleeps = hws_spin_budget(&e->waits.spin) == 0;
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
            hws_step_flush(e);
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
                hws_step_asleep(e);
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
