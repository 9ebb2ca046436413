/* SPDX-License-Identifier: BSD-3-Clause
 *
 * area: areas of the host's segment that ranks take for what they do together (collectives), and waiting for what
 * others do there: as any wait of the engine, so that messages move, the processor is given up, and a death ends it.
 * Who stores what others wait for looks whether they sleep, as after a record (shm/wait.c).
 */
#include "base/hot.h"
#include "peer/areas.h"
#include "peer/engine/parts.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"

#define PASS_EVERY 32 /* waits that were not needed between two steps of progress */

int hws_engine_area_take(struct hws_engine *e, int n_users)
{
    return e->shm && n_users > 0 ? hws_segment_take_area(&e->shm->seg, (uint32_t)n_users) : -1;
}

void *hws_engine_area(const struct hws_engine *e, int area, size_t *len_bytes)
{
    if (!e->shm || area < 0 || area >= HWS_SEGMENT_AREAS)
        return NULL;
    *len_bytes = e->shm->seg.area_len;
    return hws_segment_area(&e->shm->seg, area);
}

void hws_engine_area_give(struct hws_engine *e, int area)
{
    if (e->shm)
        hws_segment_give_area(&e->shm->seg, area);
}

enum hws_area_reads hws_engine_area_reads(const struct hws_engine *e)
{
    if (!e->shm || e->shm->no_single_copy)
        return HWS_AREA_READS_NOTHING;
    if (e->cfg.params.shm_single == 1)
        return HWS_AREA_READS_ALL;
    return e->shm->weighs ? HWS_AREA_READS_QUICKER : HWS_AREA_READS_NOTHING;
}

bool hws_engine_area_read(struct hws_engine *e, int local, void *dst, uint64_t address, size_t n)
{
    return hws_shm_read(e->shm, local, dst, address, n);
}

HWS_HOT static bool is_over(void *arg)
{
    return hws_area_wait_is_over(arg);
}

HWS_HOT void hws_engine_area_wait(struct hws_engine *e, struct hws_area_wait *w)
{
    w->lost = -1;
    hws_engine_lock(e);
    hws_list_push(&e->shm->waits, &w->node);
    hws_engine_unlock(e);
    hws_engine_wait_until(e, is_over, w, NULL);
    hws_engine_lock(e);
    hws_list_remove(&w->node);
    hws_engine_unlock(e);
}

HWS_HOT void hws_engine_area_wake(struct hws_engine *e, const int *locals, int n)
{
    struct hws_segment *s = &e->shm->seg;
    if (s->has_barrier)
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* who goes to sleep puts the real one here */
    else
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (int i = 0; i < n; i++)
        if (__builtin_expect(__atomic_load_n(&s->ranks[locals[i]].asleep, __ATOMIC_RELAXED), 0) && locals[i] != s->me)
            hws_segment_wake(s, locals[i]);
}

HWS_HOT void hws_engine_area_pass(struct hws_engine *e)
{
    if (__builtin_expect(hws_list_is_empty(&e->work.dirty) && ++e->shm->n_passed % PASS_EVERY, 1))
        return;
    hws_engine_lock(e);
    hws_engine_step(e);
    hws_engine_unlock(e);
}
