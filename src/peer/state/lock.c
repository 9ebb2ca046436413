/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lock: the engine's lock, and how threads and watchers learn that something has happened.
 */
#include "base/clock.h"
#include "base/hot.h"
#include "peer/state/engine.h"

HWS_HOT void hws_engine_lock(struct hws_engine *e)
{
    if (!e->cfg.locking)
        return;
    __atomic_add_fetch(&e->threads.lock_waiters, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&e->threads.mutex);
    __atomic_sub_fetch(&e->threads.lock_waiters, 1, __ATOMIC_RELAXED);
}

HWS_HOT void hws_engine_unlock(struct hws_engine *e)
{
    if (e->cfg.locking)
        pthread_mutex_unlock(&e->threads.mutex);
}

void hws_engine_notify_slow(struct hws_engine *e)
{
    if (e->threads.waiters)
        pthread_cond_broadcast(&e->threads.cond);
    if (hws_reactor_is_sleeping(e->reactor))
        hws_reactor_wake(e->reactor);
}

void hws_engine_wake(struct hws_engine *e)
{
    hws_engine_lock(e);
    hws_engine_notify(e);
    hws_engine_unlock(e);
}

void hws_engine_event_slow(struct hws_engine *e, struct hws_event ev)
{
    ev.when_ns = hws_clock_ns();
    e->cfg.events->on_event(&ev);
}
