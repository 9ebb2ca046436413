/* SPDX-License-Identifier: BSD-3-Clause
 *
 * waits_test: several threads wait in one engine for what comes by itself, without an operation's end to tell of it, as
 * a word in shared memory does. One drives, the others sleep; when the driver goes, each must come to know in turn.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "peer/engine/parts.h"
#include "peer/engine/waiters.h"
#include "peer/state/engine.h"
#include "sim.h"
#include "virtual.h"

#define THREADS 6

static struct sim s;
static atomic_bool first, last, leaves;
static atomic_int n_waiting = THREADS;

static void with_lock(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->locking = true;
    cfg->n_local = 1;
    cfg->params.spin_us = 200000; /* the driver sees the word by itself and leaves without a sleep */
}

static bool is_set(void *arg)
{
    return atomic_load((atomic_bool *)arg);
}

static void *wait_for(void *arg)
{
    hws_engine_wait_until(s.engines[0], is_set, arg, NULL);
    atomic_fetch_sub(&n_waiting, 1);
    return NULL;
}

static unsigned n_asleep(void)
{
    unsigned n = 0;
    hws_engine_lock(s.engines[0]);
    const struct hws_list *sleepers = &s.engines[0]->threads.sleepers;
    for (const struct hws_list *l = sleepers->next; l != sleepers; l = l->next)
        n++;
    hws_engine_unlock(s.engines[0]);
    return n;
}

/* Until all who wait for it have left, the driver is woken: whoever drives hears of what others wait for when it
 * sleeps. */
static void set(atomic_bool *word, int n_others)
{
    atomic_store(word, true);
    while (atomic_load(&n_waiting) > n_others) {
        usleep(1000);
        hws_reactor_wake(s.engines[0]->reactor);
    }
}

/* The old driver woke one thread, which needed nothing any more; the others slept on. */
Test(waits, the_last_thread_drives, .timeout = 600)
{
    static const struct hws_mem_faults none = {0};
    pthread_t threads[THREADS];
    sim_open(&s, 1, &none, with_lock, NULL);
    virtual_end(); /* the threads spin and sleep by the real one */
    for (int i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, wait_for, i < THREADS - 1 ? &first : &last), 0);
        while (n_asleep() < (unsigned)i)
            sched_yield();
    }
    set(&first, 1);
    set(&last, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(n_asleep(), 0);
    sim_close(&s);
}

/* Where waits follow each other quickly, a driver leaves a deputy behind, which only looks whether somebody drives. A
 * call of another thread may end just its wait. */
Test(waits, a_deputy_whose_wait_is_over_is_followed, .timeout = 600)
{
    static const struct hws_mem_faults none = {0};
    pthread_t threads[THREADS + 1];
    sim_open(&s, 1, &none, with_lock, NULL);
    virtual_end();
    struct hws_engine *e = s.engines[0];
    for (int n_done = 1; n_done < THREADS; n_done++) { /* the deputy alone, or others with it */
        atomic_store(&first, false);
        atomic_store(&last, false);
        atomic_store(&leaves, false);
        for (int i = 0; i <= THREADS; i++) { /* each drives until the next one does, who runs and is not at the lock */
            atomic_bool *word = i == THREADS ? &leaves : i < n_done ? &first : &last;
            cr_assert_eq(pthread_create(&threads[i], NULL, wait_for, word), 0);
            while (n_asleep() < (unsigned)i)
                sched_yield();
        }
        hws_engine_lock(e);
        e->threads.n_short = 1000; /* waits that followed each other quickly */
        hws_waiters_drive(e, NULL);
        hws_waiters_leave(e);
        cr_assert_not_null(e->threads.deputy);
        atomic_store(&leaves, true);
        atomic_store(&first, true);
        hws_engine_notify(e);
        hws_engine_unlock(e);
        atomic_store(&last, true); /* seen by who drives only */
        for (int i = 0; i <= THREADS; i++)
            pthread_join(threads[i], NULL);
        cr_assert_eq(n_asleep(), 0);
        cr_assert_null(e->threads.driver);
    }
    sim_close(&s);
}

static int n_asked, depth, deepest;

/* As that of MPI_Mprobe, which makes a step and would take a message each time. */
static bool makes_a_step(void *arg)
{
    struct hws_engine *e = arg;
    depth++;
    n_asked++;
    deepest = depth > deepest ? depth : deepest;
    if (depth == 1) {
        hws_engine_notify(e);
        hws_engine_step(e);
    }
    depth--;
    return n_asked >= 8;
}

/* Who drives from now on has woken the last driver, which still sleeps for the reactor. */
Test(waits, a_predicate_is_not_asked_while_it_is_asked, .timeout = 600)
{
    static const struct hws_mem_faults none = {0};
    pthread_t threads[2];
    sim_open(&s, 1, &none, with_lock, NULL);
    virtual_end();
    struct hws_engine *e = s.engines[0];
    atomic_store(&last, false);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, wait_for, &last), 0);
        while (n_asleep() < (unsigned)i)
            sched_yield();
    }
    hws_engine_lock(e);
    while (!hws_reactor_is_sleeping(e->reactor)) {
        hws_engine_unlock(e);
        sched_yield();
        hws_engine_lock(e);
    }
    e->threads.n_woken = 1000; /* for this thread: it is to drive itself */
    e->threads.last_woken = hws_biglock_self();
    hws_engine_unlock(e);
    hws_engine_wait_until(e, makes_a_step, e, NULL);
    atomic_store(&last, true);
    for (int i = 0; i < 2; i++) {
        hws_engine_wake(e);
        pthread_join(threads[i], NULL);
    }
    sim_close(&s);
    cr_assert_eq(deepest, 1);
}

static int n_taken;

/* As that of MPI_Mprobe: its step wakes the other thread, and it takes a message each time that there is one. */
static bool takes(void *arg)
{
    if (!atomic_load(&first))
        return false;
    hws_engine_notify(arg);
    hws_engine_step(arg);
    n_taken++;
    return true;
}

static void *wait_and_take(void *arg)
{
    hws_engine_wait_until(arg, takes, arg, NULL);
    atomic_fetch_sub(&n_waiting, 1);
    return NULL;
}

/* Where processors are few, a driver steps back for the one that it has woken, but not once its own wait is over. */
Test(waits, what_was_true_is_not_asked_again, .timeout = 600)
{
    static const struct hws_mem_faults none = {0};
    pthread_t other, taker;
    sim_open(&s, 1, &none, with_lock, NULL);
    virtual_end();
    s.engines[0]->cpus.is_tight = true;
    atomic_store(&n_waiting, 2);
    cr_assert_eq(pthread_create(&other, NULL, wait_for, &first), 0);
    while (!s.engines[0]->threads.driver)
        sched_yield();
    cr_assert_eq(pthread_create(&taker, NULL, wait_and_take, s.engines[0]), 0);
    while (n_asleep() < 1)
        sched_yield();
    set(&first, 0);
    pthread_join(other, NULL);
    pthread_join(taker, NULL);
    cr_assert_eq(n_taken, 1);
    cr_assert_eq(n_asleep(), 0);
    sim_close(&s);
}
