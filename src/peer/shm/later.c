/* SPDX-License-Identifier: BSD-3-Clause
 *
 * later: single copies that are put off (docs/decisions/058). A receive that does not wait, and finds a long message
 * there, would copy it before the caller's own sends are begun, while the other rank waits for these; both then copy
 * one after the other. Where such a receive is followed by long sends, later ones leave their copies: one is made
 * behind each send, the others as soon as the caller waits or tests. Where none follows they are made at once again,
 * as the sender may wait for that while the receiver computes.
 */
#include <stdlib.h>

#include "peer/shm/shm.h"
#include "peer/state/shm.h"

static bool make_room(struct hws_shm_later *l)
{
    if (l->end < l->cap)
        return true;
    unsigned cap = l->cap ? 2 * l->cap : 16;
    struct hws_shm_due *more = realloc(l->of, cap * sizeof *more);
    if (!more)
        return false;
    l->of = more;
    l->cap = cap;
    return true;
}

bool hws_shm_put_off(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t address, uint64_t send_handle)
{
    struct hws_shm_later *l = &s->shm->later;
    const struct hws_engine_work *work = &s->peer->engine->work;
    if (!work->is_starting)
        return false;
    l->found_step = work->step + 1;
    if (!l->is_rule || !make_room(l))
        return false;
    l->is_vain |= l->first == l->end;
    l->of[l->end++] = (struct hws_shm_due){s, op, address, send_handle};
    hws_list_push(&s->peer->in.under_way, &op->node);
    return true;
}

static void copy_oldest(struct hws_shm_later *l)
{
    struct hws_shm_due d = l->of[l->first++];
    if (l->first == l->end)
        l->first = l->end = 0;
    hws_list_remove(&d.op->node);
    hws_shm_copy_once(d.peer, d.op, d.address, d.send_handle);
}

void hws_shm_catch_up(struct hws_shm *m)
{
    m->later.is_rule &= !m->later.is_vain;
    copy_oldest(&m->later);
}

void hws_shm_sent_long(struct hws_shm *m)
{
    struct hws_shm_later *l = &m->later;
    l->is_rule |= l->found_step == m->engine->work.step + 1;
    l->is_vain = false;
    if (hws_shm_is_behind(m) && !m->engine->work.stepping)
        copy_oldest(l);
}

void hws_shm_forget_later(struct hws_shm_peer *s)
{
    struct hws_shm_later *l = &s->shm->later;
    unsigned n = 0;
    for (unsigned i = l->first; i < l->end; i++)
        if (l->of[i].peer != s)
            l->of[n++] = l->of[i];
    l->first = 0;
    l->end = n;
}
