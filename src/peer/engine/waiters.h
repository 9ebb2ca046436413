/* SPDX-License-Identifier: BSD-3-Clause
 *
 * waiters: who of the threads that wait makes progress, and how the others learn that their wait is over (decision
 * 033). One drives: it spins on steps, or sleeps in the reactor. The others sleep, each on its own word. After a step
 * that moved something, and when a call that ended an operation gives the lock, the waits of the sleepers are looked
 * at, and just those are woken whose wait is over; these need the lock no more.
 *
 * A driver that leaves calls a sleeper to drive. Where waits follow each other quickly, it does not: the next wait will
 * drive, and one of the sleepers, the deputy, looks now and then whether one has come; where its own wait ends
 * meanwhile, the next sleeper does. The thread that a driver has to wake again and again drives itself at its next
 * wait.
 *
 * Where each rank has but one processor for a share, a driver that wakes another thread steps back: it goes to
 * sleep itself, as deputy, so that the woken one runs at once and drives at its next wait. Else it would take the
 * messages for that one, which stands in the processor's queue behind it, into the unexpected queue.
 *
 * Before it sleeps, a thread yields its processor for a while instead (decision 057): whoever gets it may be the one
 * that sends what it waits for, or drives, and it comes back without being woken.
 */
#ifndef HWS_PEER_ENGINE_WAITERS_H
#define HWS_PEER_ENGINE_WAITERS_H

#include "peer/state/engine.h"

enum hws_waiter_word { HWS_WAITER_AWAKE, HWS_WAITER_ASLEEP, HWS_WAITER_DEPUTY, HWS_WAITER_TO_DRIVE, HWS_WAITER_DONE };

/* On the stack of the thread that waits. */
struct hws_waiter {
    struct hws_list node; /* in threads.sleepers */
    bool (*pred)(void *arg);
    void *arg;
    hws_wait_site site;
    struct hws_board_wait *told; /* its place on the board; or NULL */
    uint64_t told_at;            /* threads.n_moves when that was written */
    uint64_t thread;             /* hws_biglock_self() */
    uint32_t word;               /* enum hws_waiter_word (atomic) */
    bool hurries;                /* it yields for a while before it sleeps: to be woken takes longer */
    bool is_over;                /* the predicate was true */
    bool steps_back;             /* a driver that leaves its processor to the one that it woke */
};

/* All with the lock. */

/* A new wait begins: true if it is to drive, as nobody does, the driver works for this thread only, or does not run
 * either: it waits for the lock. */
bool hws_waiters_begin(struct hws_engine *e, const struct hws_waiter *w);

/* Sleeps. True: the wait is over, and the lock is not held any more. False: with the lock, to look again. */
bool hws_waiters_sleep(struct hws_engine *e, struct hws_waiter *w);

void hws_waiters_drive(struct hws_engine *e, struct hws_waiter *w); /* it drives from now on, instead of whoever did */
void hws_waiters_leave(struct hws_engine *e);                       /* a thread's wait is over: who drives now? */

/* The driver leaves that to the one that it woke. Sleeps, and returns, as hws_waiters_sleep() does. */
bool hws_waiters_step_back(struct hws_engine *e, struct hws_waiter *w);

/* Before the driver sleeps: the sleepers' places on the board say how far their waits are. */
void hws_waiters_tell(struct hws_engine *e, uint64_t now_ns);

static inline bool hws_waiters_is_driver(const struct hws_engine *e, const struct hws_waiter *w)
{
    return e->threads.driver == w;
}

#endif
