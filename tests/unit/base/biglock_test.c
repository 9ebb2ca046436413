/* SPDX-License-Identifier: BSD-3-Clause
 *
 * biglock_test: threads that take the lock recursively, in bursts and now and then; nobody is left asleep, no section
 * is entered twice.
 */
#include "base/biglock.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { N_THREADS = 6, N_ROUNDS = 20000 };

static struct hws_biglock lock;
static uint64_t inside, count; /* not atomic: the lock's */

static void *work(void *arg)
{
    int pattern = (int)(intptr_t)arg % 3;
    for (int i = 0; i < N_ROUNDS; i++) {
        hws_biglock_take(&lock);
        hws_biglock_take(&lock);
        cr_assert_eq(inside++, 0u);
        count++;
        inside--;
        hws_biglock_give(&lock);
        cr_assert(hws_biglock_is_outermost(&lock));
        if (pattern == 1)
            hws_biglock_give_way(&lock);
        hws_biglock_give(&lock);
        if (pattern == 2 && i % 1000 == 0)
            usleep(100);
    }
    return NULL;
}

static void run(int n_cpus)
{
    pthread_t t[N_THREADS];
    count = 0;
    hws_biglock_init(&lock, n_cpus);
    for (int i = 0; i < N_THREADS; i++)
        cr_assert_eq(pthread_create(&t[i], NULL, work, (void *)(intptr_t)i), 0);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(t[i], NULL);
    cr_assert_eq(count, (uint64_t)N_THREADS * N_ROUNDS);
    cr_assert_not(hws_biglock_is_wanted(&lock));
    cr_assert_eq(lock.n_asleep, 0u);
}

Test(biglock, threads_of_several_habits)
{
    run(2);
}

Test(biglock, one_processor)
{
    run(1);
}

/* The holder leaves without a wake: whoever waits finds out by himself. */
static void *take_once(void *arg)
{
    (void)arg;
    hws_biglock_take(&lock);
    count = 1;
    hws_biglock_give(&lock);
    return NULL;
}

Test(biglock, nobody_is_left_asleep)
{
    pthread_t t;
    count = 0;
    hws_biglock_init(&lock, 1);
    hws_biglock_take(&lock);
    pthread_create(&t, NULL, take_once, NULL);
    while (!hws_biglock_is_wanted(&lock))
        sched_yield();
    hws_biglock_give(&lock);
    pthread_join(t, NULL);
    cr_assert_eq(count, 1u);
}

/* A holder that does nothing but yield does not keep it, whether others have come already or not. */
static void yield_until_it_was_had(int n_cpus, bool come_first)
{
    pthread_t t;
    count = 0;
    hws_biglock_init(&lock, n_cpus);
    hws_biglock_take(&lock);
    pthread_create(&t, NULL, take_once, NULL);
    while (come_first && !hws_biglock_is_wanted(&lock))
        sched_yield();
    while (count == 0)
        hws_biglock_yield(&lock);
    cr_assert(hws_biglock_is_outermost(&lock));
    hws_biglock_give(&lock);
    pthread_join(t, NULL);
    cr_assert_eq(lock.word, 0u);
}

Test(biglock, a_yield_gives_it)
{
    for (int n_cpus = 1; n_cpus <= 2; n_cpus++) {
        yield_until_it_was_had(n_cpus, false);
        yield_until_it_was_had(n_cpus, true);
    }
}
