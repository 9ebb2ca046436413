/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lock: the engine's lock, and how threads and watchers learn that something has happened.
 */
#include "base/clock.h"
#include "base/hot.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"

HWS_HOT void hws_engine_lock(struct hws_engine *e)
{
    if (e->cfg.locking)
        hws_biglock_take(&e->threads.lock);
}

HWS_HOT void hws_engine_unlock(struct hws_engine *e)
{
    if (!e->cfg.locking)
        return;
    if (__builtin_expect(e->threads.due, 0) && hws_biglock_is_outermost(&e->threads.lock))
        hws_waiters_settle(e);
    hws_biglock_give(&e->threads.lock);
}

void hws_engine_sleep_anew(struct hws_engine *e)
{
    if (hws_reactor_is_sleeping(e->reactor))
        hws_reactor_wake(e->reactor);
}

void hws_engine_wake(struct hws_engine *e)
{
    hws_engine_lock(e);
    hws_engine_notify(e);
    hws_engine_sleep_anew(e);
    hws_engine_unlock(e);
}

void hws_engine_event_slow(struct hws_engine *e, struct hws_event ev)
{
    ev.when_ns = hws_clock_ns();
    e->cfg.events->on_event(&ev);
}
