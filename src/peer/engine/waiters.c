/* SPDX-License-Identifier: BSD-3-Clause
 *
 * waiters: see waiters.h. Only the lock's owner changes anything here; a sleeper reads its own word.
 */
#include "peer/engine/waiters.h"

#include <sched.h>
#include <string.h>

#include "base/clock.h"
#include "base/futex.h"
#include "peer/engine/parts.h"
#include "peer/state/up.h"

#define SOON_NS       20000  /* between two waits: not worth a change of the driver */
#define SOON_TIMES    4      /* in a row, after which that is taken for the rule */
#define FIRST_LOOK_NS 50000  /* the deputy's looks, each after twice as long, ... */
#define LAST_LOOK_NS  200000 /* ... up to that */
#define CALM_LOOKS    8      /* that find the same driver all the time: no deputy is needed then */
#define AWAKE_NS      30000  /* for which a thread yields before it sleeps */
#define WOKEN_OFTEN   2      /* times in a row that a driver woke the same thread, which then drives itself */

static struct hws_waiter *of_node(struct hws_list *n)
{
    return hws_container_of(n, struct hws_waiter, node);
}

static struct hws_waiter *driver(const struct hws_engine *e)
{
    return __atomic_load_n(&e->threads.driver, __ATOMIC_RELAXED);
}

static void set_driver(struct hws_engine *e, struct hws_waiter *w)
{
    __atomic_store_n(&e->threads.driver, w, __ATOMIC_RELAXED);
    e->threads.n_woken = 0;
}

/* Nothing of w may be touched afterwards: its thread goes on. */
static void tell(struct hws_waiter *w, enum hws_waiter_word word)
{
    uint32_t *address = &w->word;
    if (__atomic_exchange_n(address, word, __ATOMIC_ACQ_REL) != HWS_WAITER_AWAKE)
        hws_futex_wake(address);
}

static void take_out(struct hws_engine *e, struct hws_waiter *w)
{
    hws_list_remove(&w->node);
    if (e->threads.deputy == w)
        e->threads.deputy = NULL;
}

static void note_woken(struct hws_engine *e, const struct hws_waiter *w)
{
    e->threads.n_woken = e->threads.last_woken == w->thread ? e->threads.n_woken + 1 : 1;
    e->threads.last_woken = w->thread;
}

static void look_at_sleepers(struct hws_engine *e)
{
    for (struct hws_list *n = e->threads.sleepers.next, *next = n->next; n != &e->threads.sleepers;
         n = next, next = n->next) {
        struct hws_waiter *w = of_node(n);
        if (!w->pred(w->arg))
            continue;
        take_out(e, w);
        note_woken(e, w);
        if (w->told)
            hws_board_end(w->told);
        tell(w, HWS_WAITER_DONE);
        if (e->cpus.is_tight && driver(e) && driver(e)->thread == hws_biglock_self())
            driver(e)->steps_back = true;
    }
}

/* Asleep in the reactor it does not look by itself. A predicate that was true is not asked again: it may have taken a
 * message; nor is one that is being asked: who sleeps there may be the last driver, on its way out, and this thread the
 * one that drives now, whose predicate made a step. */
static void look_at_driver(struct hws_engine *e)
{
    struct hws_waiter *w = driver(e);
    if (!w || !hws_reactor_is_sleeping(e->reactor) || w->word == HWS_WAITER_DONE || w->thread == hws_biglock_self())
        return;
    if (!w->pred(w->arg))
        return;
    w->word = HWS_WAITER_DONE;
    hws_reactor_wake(e->reactor);
}

static void appoint(struct hws_engine *e, struct hws_waiter *w)
{
    e->threads.deputy = w;
    tell(w, HWS_WAITER_DEPUTY);
}

/* Nobody drives, and a call of another thread ended the wait of the deputy, who needs the lock no more. */
static void follow_deputy(struct hws_engine *e)
{
    if (!driver(e) && !e->threads.called && !e->threads.deputy && !hws_list_is_empty(&e->threads.sleepers))
        appoint(e, of_node(e->threads.sleepers.next));
}

/* What a predicate does, such as taking a message, may end other operations. */
void hws_waiters_settle(struct hws_engine *e)
{
    if (e->threads.settling)
        return;
    e->threads.settling = true;
    while (e->threads.due) {
        e->threads.due = false;
        look_at_sleepers(e);
        look_at_driver(e);
    }
    follow_deputy(e);
    e->threads.settling = false;
}

/* ---- who drives -------------------------------------------------------------------------------------------------- */

static void learn_gap(struct hws_engine *e)
{
    if (!e->threads.left_ns)
        return;
    bool soon = hws_clock_ns() - e->threads.left_ns < SOON_NS;
    e->threads.n_short = soon ? e->threads.n_short + 1 : 0;
    e->threads.left_ns = 0;
}

bool hws_waiters_begin(struct hws_engine *e, const struct hws_waiter *w)
{
    learn_gap(e);
    return !driver(e) || !hws_reactor_is_sleeping(e->reactor) ||
           (e->threads.n_woken >= WOKEN_OFTEN && e->threads.last_woken == w->thread);
}

void hws_waiters_drive(struct hws_engine *e, struct hws_waiter *w)
{
    if (driver(e) && hws_reactor_is_sleeping(e->reactor))
        hws_reactor_wake(e->reactor);
    set_driver(e, w);
}

static void call(struct hws_engine *e, struct hws_waiter *w)
{
    take_out(e, w);
    e->threads.called = true;
    tell(w, HWS_WAITER_TO_DRIVE);
}

void hws_waiters_leave(struct hws_engine *e)
{
    if (driver(e) || e->threads.called || hws_list_is_empty(&e->threads.sleepers))
        return;
    struct hws_waiter *first = of_node(e->threads.sleepers.next);
    e->threads.left_ns = hws_clock_ns();
    __atomic_store_n(&e->threads.n_left, e->threads.n_left + 1, __ATOMIC_RELAXED);
    if (e->threads.n_short < SOON_TIMES)
        call(e, first);
    else if (!e->threads.deputy)
        appoint(e, first);
}

/* ---- sleeping ---------------------------------------------------------------------------------------------------- */

/* What the deputy has seen. */
struct looks {
    uint64_t ns; /* until the next */
    uint32_t n_left;
    bool was_free;
    unsigned n_calm;
};

static uint32_t read_word(const struct hws_waiter *w)
{
    return __atomic_load_n(&w->word, __ATOMIC_ACQUIRE);
}

/* Nobody drives, and nobody has since the last look. */
static bool is_deserted(const struct hws_engine *e, struct looks *l)
{
    uint32_t n_left = __atomic_load_n(&e->threads.n_left, __ATOMIC_RELAXED);
    bool is_free = driver(e) == NULL, same = n_left == l->n_left;
    bool deserted = is_free && l->was_free && same;
    l->n_calm = same && !is_free ? l->n_calm + 1 : 0;
    l->ns = l->ns < LAST_LOOK_NS ? 2 * l->ns : l->ns;
    l->n_left = n_left;
    l->was_free = is_free;
    return deserted;
}

/* The deputy drives if nobody else does after all. Leaves the lock if its word has changed. */
static bool step_in(struct hws_engine *e, struct hws_waiter *w)
{
    hws_engine_lock(e);
    if (read_word(w) != HWS_WAITER_DEPUTY || driver(e)) {
        hws_engine_unlock(e);
        return false;
    }
    take_out(e, w);
    e->threads.n_short = 0;
    return true;
}

static void resign(struct hws_engine *e, struct hws_waiter *w)
{
    hws_engine_lock(e);
    if (read_word(w) == HWS_WAITER_DEPUTY && driver(e)) {
        e->threads.deputy = NULL;
        __atomic_store_n(&w->word, HWS_WAITER_ASLEEP, __ATOMIC_RELAXED);
    }
    hws_engine_unlock(e);
}

/* True: it is to drive, and has the lock. */
static bool deputize(struct hws_engine *e, struct hws_waiter *w)
{
    struct looks l = {.ns = FIRST_LOOK_NS};
    while (read_word(w) == HWS_WAITER_DEPUTY) {
        if (hws_futex_wait(&w->word, HWS_WAITER_DEPUTY, l.ns))
            continue;
        if (is_deserted(e, &l) && step_in(e, w))
            return true;
        if (l.n_calm >= CALM_LOOKS) {
            resign(e, w);
            l.n_calm = 0;
        }
    }
    return false;
}

/* Until its word changes, or for as long as that pays. */
static void yield_first(struct hws_engine *e, struct hws_waiter *w)
{
    uint64_t begin = hws_clock_ns(), now = begin;
    bool pays = w->hurries && !hws_cede_is_shunned(&e->waits.cede, begin);
    while (pays && read_word(w) < HWS_WAITER_TO_DRIVE) {
        uint64_t before = now;
        sched_yield();
        now = hws_clock_ns();
        pays = now - begin < AWAKE_NS && !hws_cede_note_yield(&e->waits.cede, before, now);
    }
    uint32_t is_awake = HWS_WAITER_AWAKE;
    __atomic_compare_exchange_n(&w->word, &is_awake, HWS_WAITER_ASLEEP, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* With the lock, which it gives meanwhile. */
static bool sleep_as(struct hws_engine *e, struct hws_waiter *w, enum hws_waiter_word first)
{
    uint32_t word;
    __atomic_store_n(&w->word, first, __ATOMIC_RELAXED);
    if (first == HWS_WAITER_DEPUTY)
        e->threads.deputy = w;
    hws_list_push(&e->threads.sleepers, &w->node);
    if (e->threads.due)
        hws_waiters_settle(e);
    hws_biglock_leave(&e->threads.lock);
    yield_first(e, w);
    while ((word = read_word(w)) < HWS_WAITER_TO_DRIVE) {
        if (word == HWS_WAITER_ASLEEP)
            hws_futex_wait(&w->word, HWS_WAITER_ASLEEP, 0);
        else if (deputize(e, w))
            return false;
        hws_biglock_slept(&e->threads.lock);
    }
    if (word == HWS_WAITER_DONE)
        return true;
    hws_engine_lock(e);
    e->threads.called = false;
    return false;
}

bool hws_waiters_sleep(struct hws_engine *e, struct hws_waiter *w)
{
    return sleep_as(e, w, HWS_WAITER_AWAKE);
}

bool hws_waiters_step_back(struct hws_engine *e, struct hws_waiter *w)
{
    w->steps_back = false;
    set_driver(e, NULL);
    return sleep_as(e, w, e->threads.deputy ? HWS_WAITER_AWAKE : HWS_WAITER_DEPUTY);
}

/* ---- the board --------------------------------------------------------------------------------------------------- */

/* Its site says it again; a call that waits in many places has only its name, which stays. */
static void tell_again(struct hws_waiter *w, uint64_t now_ns)
{
    struct hws_board_what what = {.call = "", .peer = HWS_BOARD_ANY};
    if (w->site)
        w->site(w->arg, &what);
    hws_board_open(w->told);
    if (strcmp(what.call, w->told->what.call) == 0)
        w->told->what = what;
    w->told->moved_ns = now_ns;
    hws_board_close(w->told);
}

void hws_waiters_tell(struct hws_engine *e, uint64_t now_ns)
{
    for (struct hws_list *n = e->threads.sleepers.next; n != &e->threads.sleepers; n = n->next) {
        struct hws_waiter *w = of_node(n);
        if (!w->told || w->told_at == e->threads.n_moves)
            continue;
        w->told_at = e->threads.n_moves;
        tell_again(w, now_ns);
    }
}
