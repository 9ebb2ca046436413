/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hot: lanes that are read directly in each step, HWS_MAX_HOT at most (docs/design.md, Waiting).
 */
#include "peer/state/engine.h"

static void cool(struct hws_lane *l)
{
    l->hot.direct_reads = 0;
    hws_link_rest(l->link, false);
}

static struct hws_lane *idle_longest(const struct hws_engine *e)
{
    struct hws_lane *l = e->poll.hot[0];
    for (unsigned i = 1; i < e->poll.n_hot; i++)
        if (e->poll.hot[i]->hot.found_at < l->hot.found_at)
            l = e->poll.hot[i];
    return l;
}

/* Ranks that outnumber their processors yield between two looks. Where they share no memory, and one may have more
 * peers than can be hot, a question to epoll for all of them is a shorter look than one to each hot lane and to epoll
 * for the others (docs/decisions/059). */
static bool looks_by_epoll(const struct hws_engine *e)
{
    return !e->shm && e->cpus.is_crowded && e->cfg.n_local > HWS_MAX_HOT;
}

void hws_engine_hot(struct hws_engine *e, struct hws_lane *l)
{
    l->hot.idle_reads = 0;
    l->hot.found_at = e->poll.n_turns;
    if (l->hot.is_hot || looks_by_epoll(e))
        return;
    if (e->poll.n_hot == HWS_MAX_HOT)
        hws_engine_not_hot(e, idle_longest(e));
    e->poll.hot[e->poll.n_hot++] = l;
    l->hot.is_hot = true;
}

void hws_engine_not_hot(struct hws_engine *e, struct hws_lane *l)
{
    if (!l->hot.is_hot)
        return;
    unsigned i = 0;
    while (e->poll.hot[i] != l)
        i++;
    cool(l);
    l->hot.is_hot = false;
    e->poll.hot[i] = e->poll.hot[--e->poll.n_hot];
}

void hws_engine_forget_lane(struct hws_engine *e, struct hws_lane *l)
{
    hws_engine_not_hot(e, l);
    if (e->poll.turn == l)
        e->poll.turn = NULL;
}

/* A lane is hot when it has something again before more than HWS_MAX_HOT others had: of many peers that take turns none
 * is, as each would have left before its next turn, after many reads for nothing. */
void hws_lane_found(struct hws_lane *l)
{
    struct hws_engine *e = l->peer->engine;
    if (e->poll.turn != l) {
        e->poll.turn = l;
        e->poll.n_turns++;
    }
    if (l->hot.found_at && e->poll.n_turns - l->hot.found_at <= HWS_MAX_HOT)
        hws_engine_hot(e, l);
    l->hot.found_at = e->poll.n_turns;
    l->hot.idle_reads = 0;
}
