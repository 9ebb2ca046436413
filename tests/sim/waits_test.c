/* SPDX-License-Identifier: BSD-3-Clause
 *
 * waits_test: several threads wait in one engine for what comes by itself, without an operation's end to tell of it, as
 * a word in shared memory does. One drives, the others sleep; when the driver goes, each must come to know in turn.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "peer/state/engine.h"
#include "sim.h"
#include "virtual.h"

#define THREADS 6

static struct sim s;
static atomic_bool first, last;
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
