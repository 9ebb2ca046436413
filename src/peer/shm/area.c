/* SPDX-License-Identifier: BSD-3-Clause
 *
 * area: who waits for what others do in an area of the host's segment, and whether those others live.
 */
#include "base/hot.h"
#include "peer/areas.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

HWS_HOT bool hws_shm_area_is_over(const struct hws_shm *m)
{
    for (const struct hws_list *n = m->waits.next; n != &m->waits; n = n->next)
        if (hws_area_wait_is_over(hws_container_of(n, struct hws_area_wait, node)))
            return true;
    return false;
}

/* Whoever has attached and is no more. It may never have exchanged a message with this process. */
static bool is_lost(struct hws_shm *m, int local)
{
    const struct hws_segment_rank *r = &m->seg.ranks[local];
    struct hws_peer *p = m->peers[local] ? m->peers[local]->peer : NULL;
    if (p && p->state == HWS_PEER_LOST)
        return true;
    if (!hws_shm_has_died(m, local))
        return __atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == HWS_SEGMENT_GONE;
    char name[96];
    p = hws_engine_peer(m->engine, m->engine->cfg.local_ranks[local]);
    if (p && !hws_peer_is_over(p))
        hws_peer_lose(p, HWS_EPEERDEAD, "%s, process %u, has died", hws_peer_name(p, name, sizeof name), r->pid);
    return true;
}

/* A rank in MPI_Finalize does no more. */
static bool has_left(const struct hws_shm *m, const struct hws_area_wait *w, int i)
{
    int state = __atomic_load_n(&m->seg.ranks[w->locals[i]].state, __ATOMIC_ACQUIRE);
    return state == HWS_SEGMENT_LEAVING && !w->has_done(w->arg, i);
}

static void look_after(struct hws_shm *m, struct hws_area_wait *w)
{
    for (int i = 0; i < w->n && w->lost < 0; i++)
        if (w->locals[i] != m->seg.me && (has_left(m, w, i) || is_lost(m, w->locals[i])) && !w->is_over(w->arg))
            w->lost = m->engine->cfg.local_ranks[w->locals[i]];
}

void hws_shm_area_look(struct hws_shm *m)
{
    for (struct hws_list *n = m->waits.next; n != &m->waits; n = n->next) {
        struct hws_area_wait *w = hws_container_of(n, struct hws_area_wait, node);
        if (!w->is_over(w->arg))
            look_after(m, w);
    }
}
