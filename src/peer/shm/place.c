/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place: ranks of a host keep out of each other's processors (docs/decisions/043). The kernel puts a sleeper that is
 * woken next to whoever wakes it, who is awake there and goes on: on virtual machines even where the sleeper's own
 * processor idles, as one that halts looks taken. Two ranks that poll by turns on one processor are always warm, and
 * hardly ever queued when the kernel looks for what to balance, so it leaves them there.
 */
#include "shm/place.h"

#include <sched.h>

#include "base/runq.h"
#include "peer/shm/shm.h"

#define MOST_RANKS   64 /* of a host, for whom a rank looks where they are */
#define GAP_LEAST_NS 100000
#define GAP_MOST_NS  20000000
#define CALM         16 /* gaps without a move, after which moves may come soon again */

void hws_shm_say_cpu(struct hws_shm *m)
{
    hws_place_say(&m->seg, sched_getcpu());
}

/* Moves that follow each other soon become rarer, also those that fail. */
static void moved(struct hws_shm *m, uint64_t now_ns)
{
    bool is_soon = now_ns - m->moved_ns < CALM * m->move_gap_ns;
    m->move_gap_ns = !is_soon ? GAP_LEAST_NS : m->move_gap_ns < GAP_MOST_NS / 2 ? 2 * m->move_gap_ns : GAP_MOST_NS;
    m->moved_ns = now_ns;
}

bool hws_shm_part(struct hws_shm *m, bool is_new, uint64_t now_ns)
{
    if (m->crowded || m->seg.n < 2 || m->seg.n > MOST_RANKS || m->engine->cfg.locking)
        return false;
    hws_shm_say_cpu(m);
    int cpu = now_ns - m->moved_ns < m->move_gap_ns ? -1 : hws_place_find(&m->seg, is_new);
    if (cpu < 0)
        return false;
    hws_place_say(&m->seg, cpu); /* before the move, as the other one may look meanwhile */
    moved(m, now_ns);
    if (hws_runq_move_to(cpu))
        return true;
    hws_shm_say_cpu(m); /* its processors are fewer than it told: whoever has bound it meanwhile */
    return false;
}
