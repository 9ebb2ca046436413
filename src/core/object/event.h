/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event: the way of the engine's events to MPI_T. The engine notes an event while it works; its callbacks run when the
 * call that made progress has left the engine, so they may call anything.
 */
#ifndef HWS_CORE_EVENT_H
#define HWS_CORE_EVENT_H

#include "peer/config.h"

extern struct hws_event_sink hws_event_sink; /* src/mpi/t/mpi_t_event.c fills it */

/* For calls that make progress without waiting; waits do it themselves. Without any lock held. */
static inline void hws_events_deliver(void)
{
    if (__builtin_expect(__atomic_load_n(&hws_event_sink.due, __ATOMIC_ACQUIRE), 0))
        hws_event_sink.deliver();
}

#endif
