/* SPDX-License-Identifier: BSD-3-Clause
 *
 * biglock: the ways that are not the common one: waiting, waking, giving way.
 */
#include "base/biglock.h"

#include <sched.h>

#include "base/clock.h"
#include "base/futex.h"

#define TURN_NS      100000  /* for which a thread that comes again and again has the lock alone */
#define SPIN_NS      2000    /* a wait is spent awake so long: a section is shorter, a sleep takes longer */
#define WOKEN_NS     4000    /* the same for one that was woken since it is its turn */
#define QUIET_LOOKS  6       /* that find the lock free and not taken in between: its holder has gone elsewhere */
#define FIRST_NAP_NS 50000   /* who sleeps looks by himself after so long, ... */
#define LAST_NAP_NS  1000000 /* ... then after twice as long, up to that */
#define CLOCK_EVERY  8       /* looks between two at the clock */
#define TURN_EVERY   8       /* releases between two looks at the clock */

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

void hws_biglock_init(struct hws_biglock *l, int n_cpus)
{
    *l = (struct hws_biglock){.spins = n_cpus != 1};
}

static bool try_take(struct hws_biglock *l)
{
    uint32_t is_free = 0;
    return __atomic_load_n(&l->word, __ATOMIC_RELAXED) == 0 &&
           __atomic_compare_exchange_n(&l->word, &is_free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void begin_turn(struct hws_biglock *l, uint64_t now)
{
    __atomic_store_n(&l->turn_end_ns, now + TURN_NS, __ATOMIC_RELAXED);
}

/* polite: only once the turn is over, or the lock stays free for some looks. */
static bool spin(struct hws_biglock *l, uint64_t for_ns, bool polite)
{
    uint64_t begin = hws_clock_ns(), now = begin;
    uint32_t seen = __atomic_load_n(&l->n_taken, __ATOMIC_RELAXED);
    unsigned quiet = 0;
    for (unsigned i = 1; now - begin < for_ns; i++) {
        uint32_t taken = __atomic_load_n(&l->n_taken, __ATOMIC_RELAXED);
        bool is_free = __atomic_load_n(&l->word, __ATOMIC_RELAXED) == 0;
        quiet = is_free && taken == seen ? quiet + 1 : 0;
        seen = taken;
        if (is_free && (!polite || quiet >= QUIET_LOOKS || hws_biglock_is_turn_over(l, now)) && try_take(l))
            return true;
        pause_briefly();
        if (i % CLOCK_EVERY == 0)
            now = hws_clock_ns();
    }
    return false;
}

/* Who wakes by himself takes the lock only where the turn is over, or nobody has had it meanwhile: between two sections
 * of a turn it is free, too. */
static void sleep_for_it(struct hws_biglock *l)
{
    uint64_t nap_ns = FIRST_NAP_NS;
    uint32_t seen = __atomic_load_n(&l->n_taken, __ATOMIC_RELAXED) - 1;
    if (__atomic_fetch_add(&l->n_asleep, 1, __ATOMIC_RELAXED) == 0)
        begin_turn(l, hws_clock_ns());
    for (;;) {
        uint32_t bell = __atomic_load_n(&l->bell, __ATOMIC_RELAXED);
        uint32_t taken = __atomic_load_n(&l->n_taken, __ATOMIC_RELAXED);
        if ((taken == seen || hws_biglock_is_turn_over(l, hws_clock_ns())) && try_take(l))
            break;
        seen = taken;
        bool is_rung = hws_futex_wait(&l->bell, bell, nap_ns);
        hws_biglock_slept(l);
        if (!is_rung)
            nap_ns = nap_ns < LAST_NAP_NS ? 2 * nap_ns : nap_ns;
        else if (l->spins && spin(l, WOKEN_NS, false))
            break;
    }
    __atomic_sub_fetch(&l->n_asleep, 1, __ATOMIC_RELAXED);
}

void hws_biglock_take_slow(struct hws_biglock *l)
{
    __atomic_add_fetch(&l->n_waiting, 1, __ATOMIC_RELAXED);
    if (!l->spins || !spin(l, SPIN_NS, true))
        sleep_for_it(l);
    __atomic_sub_fetch(&l->n_waiting, 1, __ATOMIC_RELAXED);
    begin_turn(l, hws_clock_ns());
}

static void wake_one(struct hws_biglock *l)
{
    __atomic_add_fetch(&l->bell, 1, __ATOMIC_RELAXED);
    hws_futex_wake(&l->bell);
}

void hws_biglock_look_at_turn(struct hws_biglock *l)
{
    if (__atomic_load_n(&l->n_taken, __ATOMIC_RELAXED) % TURN_EVERY)
        return;
    uint64_t now = hws_clock_ns();
    if (!hws_biglock_is_turn_over(l, now))
        return;
    begin_turn(l, now);
    wake_one(l);
}

void hws_biglock_leave(struct hws_biglock *l)
{
    hws_biglock_spend_turn(l);
    __atomic_store_n(&l->owner, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
    if (__atomic_load_n(&l->n_asleep, __ATOMIC_RELAXED))
        wake_one(l);
}

void hws_biglock_yield(struct hws_biglock *l)
{
    hws_biglock_leave(l);
    sched_yield();
    hws_biglock_take(l);
}

void hws_biglock_give_way(struct hws_biglock *l)
{
    if (hws_biglock_is_wanted(l))
        hws_biglock_yield(l);
}
