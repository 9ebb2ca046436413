/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hot: lanes that are read directly in each step, HWS_MAX_HOT at most (docs/design.md, Waiting).
 */
#include "peer/state/engine.h"

static void cool(struct hws_lane *l)
{
    l->direct_reads = 0;
    hws_link_rest(l->link, false);
}

static struct hws_lane *idle_longest(const struct hws_engine *e)
{
    struct hws_lane *l = e->hot[0];
    for (unsigned i = 1; i < e->n_hot; i++)
        if (e->hot[i]->found_at < l->found_at)
            l = e->hot[i];
    return l;
}

void hws_engine_hot(struct hws_engine *e, struct hws_lane *l)
{
    l->idle_reads = 0;
    l->found_at = e->n_turns;
    if (l->is_hot)
        return;
    if (e->n_hot == HWS_MAX_HOT)
        hws_engine_not_hot(e, idle_longest(e));
    e->hot[e->n_hot++] = l;
    l->is_hot = true;
}

void hws_engine_not_hot(struct hws_engine *e, struct hws_lane *l)
{
    if (!l->is_hot)
        return;
    unsigned i = 0;
    while (e->hot[i] != l)
        i++;
    cool(l);
    l->is_hot = false;
    e->hot[i] = e->hot[--e->n_hot];
}

void hws_engine_forget_lane(struct hws_engine *e, struct hws_lane *l)
{
    hws_engine_not_hot(e, l);
    if (e->turn == l)
        e->turn = NULL;
}

/* A lane is hot when it has something again before more than HWS_MAX_HOT others had: of many peers that take turns none
 * is, as each would have left before its next turn, after many reads for nothing. */
void hws_lane_found(struct hws_lane *l)
{
    struct hws_engine *e = l->peer->engine;
    if (e->turn != l) {
        e->turn = l;
        e->n_turns++;
    }
    if (l->found_at && e->n_turns - l->found_at <= HWS_MAX_HOT)
        hws_engine_hot(e, l);
    l->found_at = e->n_turns;
    l->idle_reads = 0;
}
