/* SPDX-License-Identifier: BSD-3-Clause
 *
 * biglock: one recursive lock for many short sections, taken again and again by the same thread (decision 033). Who has
 * it may have it again and again for a turn: others wait asleep meanwhile, and nobody is woken at each release, since
 * two threads that hand it over after each section move the sections' memory from cache to cache. A lock that is free
 * and stays free is taken at once.
 *
 * A release does not wake, unless the turn is over; who sleeps looks by himself, too, at growing intervals, so that a
 * thread that leaves for good leaves nobody behind.
 */
#ifndef HWS_BASE_BIGLOCK_H
#define HWS_BASE_BIGLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct hws_biglock {
    uint32_t word;               /* 1: held */
    uint32_t n_taken;            /* counts: who waits sees by it whether the holder comes again and again */
    uint64_t owner;              /* its thread; 0: nobody */
    unsigned depth;              /* how often the owner has it, less one */
    uint32_t n_waiting;          /* threads that want it */
    uint32_t n_asleep;           /* of those, asleep */
    uint32_t bell;               /* changes when a sleeper is woken */
    uint64_t turn_end_ns;        /* while others wait: from then on they come first */
    bool spins;                  /* more than one processor: a short wait is spent awake */
    void (*on_slept)(void *arg); /* by each thread that has slept for it, without the lock; or NULL */
    void *slept_arg;
};

void hws_biglock_init(struct hws_biglock *l, int n_cpus);

/* fn: see on_slept; NULL: nothing. */
static inline void hws_biglock_on_sleep(struct hws_biglock *l, void (*fn)(void *arg), void *arg)
{
    l->slept_arg = arg;
    l->on_slept = fn;
}

/* The parts that are not for everybody to call. */
void hws_biglock_take_slow(struct hws_biglock *l);
void hws_biglock_look_at_turn(struct hws_biglock *l);

/* Gives the lock and ends the turn: for who will not come again soon. Only with a depth of one. */
void hws_biglock_leave(struct hws_biglock *l);

/* The same, and the processor is anybody's, too, who may keep it for milliseconds; the caller has the lock again
 * afterwards. */
void hws_biglock_yield(struct hws_biglock *l);

/* That, if somebody else wants the lock. */
void hws_biglock_give_way(struct hws_biglock *l);

static inline uint64_t hws_biglock_self(void)
{
    return (uint64_t)(uintptr_t)pthread_self();
}

static inline void hws_biglock_take(struct hws_biglock *l)
{
    uint64_t self = hws_biglock_self();
    uint32_t is_free = 0;
    if (__atomic_load_n(&l->owner, __ATOMIC_RELAXED) == self) {
        l->depth++;
        return;
    }
    if (!__atomic_compare_exchange_n(&l->word, &is_free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        hws_biglock_take_slow(l);
    __atomic_store_n(&l->n_taken, l->n_taken + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&l->owner, self, __ATOMIC_RELAXED);
}

static inline void hws_biglock_give(struct hws_biglock *l)
{
    if (l->depth) {
        l->depth--;
        return;
    }
    __atomic_store_n(&l->owner, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
    if (__builtin_expect(__atomic_load_n(&l->n_asleep, __ATOMIC_RELAXED), 0))
        hws_biglock_look_at_turn(l);
}

/* Without the lock, for who has slept until its owner told that something else is over. */
static inline void hws_biglock_slept(const struct hws_biglock *l)
{
    if (l->on_slept)
        l->on_slept(l->slept_arg);
}

static inline bool hws_biglock_is_wanted(const struct hws_biglock *l)
{
    return __atomic_load_n(&l->n_waiting, __ATOMIC_RELAXED) != 0;
}

/* With the lock, which is kept: the turn ends, and whoever else wants it has it at one of the next releases. */
static inline void hws_biglock_spend_turn(struct hws_biglock *l)
{
    __atomic_store_n(&l->turn_end_ns, 0, __ATOMIC_RELAXED);
}

static inline bool hws_biglock_is_turn_over(const struct hws_biglock *l, uint64_t now_ns)
{
    return now_ns >= __atomic_load_n(&l->turn_end_ns, __ATOMIC_RELAXED);
}

/* With the lock: whether giving it once makes it free. */
static inline bool hws_biglock_is_outermost(const struct hws_biglock *l)
{
    return l->depth == 0;
}

#endif
