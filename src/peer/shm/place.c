/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place: ranks of a host keep out of each other's processors (docs/decisions/043). The kernel puts a sleeper that is
 * woken next to whoever wakes it, who is awake there and goes on: on virtual machines even where the sleeper's own
 * processor idles, as one that halts looks taken. Two ranks that poll by turns on one processor are always warm, and
 * hardly ever queued when the kernel looks for what to balance, so it leaves them there.
 *
 * Threads of a rank take turns anyway (docs/decisions/033): where each rank has one processor for a share, they keep to
 * it, or they take it from the rank that is to answer.
 */
#include "shm/place.h"

#include <sched.h>

#include "base/clock.h"
#include "base/runq.h"
#include "peer/shm/shm.h"

#define GAP_LEAST_NS 100000
#define GAP_MOST_NS  20000000
#define LOOK_EVERY   16 /* times that this rank tells where it waits; a look at the others delays what it waits for */
#define BUSY_NS      5000000 /* who was awake so long without a yield computes */
#define COUNT_EVERY  64      /* yields in vain, where ranks outnumber processors, between counts of who is where */
#define CALM         16      /* gaps without a move, after which moves may come soon again */

/* There are others to keep out of the way of, and processors for all. */
static bool looks_around(const struct hws_shm *m)
{
    return !m->crowded && m->seg.n > 1 && m->seg.n <= HWS_SHM_LOOKED_AT;
}

/* Moves that follow each other soon become rarer, also those that fail. */
static void moved(struct hws_shm *m, uint64_t now_ns)
{
    bool is_soon = now_ns - m->moved_ns < CALM * m->move_gap_ns;
    m->move_gap_ns = !is_soon ? GAP_LEAST_NS : m->move_gap_ns < GAP_MOST_NS / 2 ? 2 * m->move_gap_ns : GAP_MOST_NS;
    m->moved_ns = now_ns;
}

/* True: this thread has moved to where its rank waits. */
static bool go_home(const struct hws_shm *m, int here)
{
    int home = hws_place_home(&m->seg, here);
    return home >= 0 && hws_runq_move_to(home);
}

static void on_slept(void *arg)
{
    go_home(arg, sched_getcpu());
}

void hws_shm_keep_together(struct hws_shm *m)
{
    struct hws_engine *e = m->engine;
    m->together = e->cfg.locking && e->cpus.is_tight && looks_around(m);
    if (m->together)
        hws_biglock_on_sleep(&e->threads.lock, on_slept, m);
}

/* Where threads keep together, the one that drives tells for all. */
static void say_cpu(struct hws_shm *m)
{
    int here = sched_getcpu();
    if (!m->together || !go_home(m, here))
        hws_place_say(&m->seg, here);
}

static bool may_move(const struct hws_shm *m, uint64_t now_ns)
{
    return now_ns - m->moved_ns >= m->move_gap_ns;
}

/* True: it moved. */
static bool go_to(struct hws_shm *m, int cpu, uint64_t now_ns)
{
    hws_place_say(&m->seg, cpu); /* before the move, as the other one may look meanwhile */
    moved(m, now_ns);
    if (hws_runq_move_to(cpu))
        return true;
    hws_place_say(&m->seg, sched_getcpu()); /* its processors are fewer than it told: whoever has bound it meanwhile */
    return false;
}

/* Goes where nobody is, if another rank is awake here. True: it moved. */
static bool part(struct hws_shm *m, bool is_new, uint64_t now_ns)
{
    int cpu = may_move(m, now_ns) ? hws_place_find(&m->seg, is_new) : -1;
    return cpu >= 0 && go_to(m, cpu, now_ns);
}

void hws_shm_wait_here(struct hws_shm *m, uint64_t now_ns)
{
    say_cpu(m);
    if (m->together && ++m->n_waited % LOOK_EVERY == 0)
        part(m, false, now_ns);
}

bool hws_shm_part(struct hws_shm *m, bool is_new, uint64_t now_ns)
{
    if (!looks_around(m) || (m->engine->cfg.locking && !m->together))
        return false;
    say_cpu(m);
    return part(m, is_new, now_ns);
}

static void look_for_busy(struct hws_shm *m, uint64_t now_ns)
{
    if (now_ns - m->looked_ns < BUSY_NS)
        return;
    m->looked_ns = now_ns;
    m->beside_busy = hws_place_has_busy(&m->seg, m->seen_idle);
}

void hws_shm_idle(struct hws_shm *m)
{
    hws_place_idle(&m->seg);
    if (!m->engine->cfg.locking) /* else threads of a rank are on several processors */
        hws_place_say(&m->seg, sched_getcpu());
    if (m->seg.n > HWS_SHM_LOOKED_AT || ++m->n_waited % COUNT_EVERY != 0)
        return;
    uint64_t now = hws_clock_ns();
    look_for_busy(m, now);
    int cpu = !m->engine->cfg.locking && may_move(m, now) ? hws_place_even(&m->seg) : -1;
    if (cpu >= 0)
        go_to(m, cpu, now);
}
