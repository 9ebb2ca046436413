/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peer: one remote process: its state and the order of its messages. A peer is made when the first message to or from
 * it needs it, and stays until the engine ends.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "peer/state/engine.h"

#define TO(state)                 (1u << HWS_PEER_##state)
#define ROW(state, next, meaning) [HWS_PEER_##state] = {#state, meaning, next}

#define END (TO(GONE) | TO(LOST))

static const struct hws_lifecycle_state states[] = {
    ROW(UNUSED, TO(DIALING) | TO(BACKOFF) | TO(UP) | END,
        "it was never connected, and nothing has been sent there yet."),
    ROW(DIALING, TO(BACKOFF) | TO(UP) | END, "no lane is up, and this end dials one of its routes."),
    ROW(BACKOFF, TO(DIALING) | TO(UP) | END, "a dial has failed; the next one is due after a while."),
    ROW(DOWN, TO(DIALING) | TO(BACKOFF) | TO(UP) | END,
        "its last lane has died, and the other end dials first; this one does after a while."),
    ROW(UP, TO(UNUSED) | TO(DYING) | TO(LEAVING) | END,
        "a lane is up; or it is reached through shared memory, be it that it has not attached yet. If it can't, it is "
        "UNUSED again."),
    ROW(DYING, TO(DIALING) | TO(BACKOFF) | TO(DOWN) | TO(UP) | END,
        "its last lane has died just now, and is taken down at the end of the step."),
    ROW(LEAVING, TO(GONE), "its BYE came: its lanes may end one by one; the last one that does, ends it."),
    ROW(GONE, 0, "it has called MPI_Finalize, or this rank has, and they have parted: no error."),
    ROW(LOST, 0, "it has died, cannot be reached, or broke the protocol."),
};

#undef END
#undef ROW
#undef TO

const struct hws_lifecycle hws_peer_states = HWS_LIFECYCLE("peer", states);

void hws_peer_become(struct hws_peer *p, enum hws_peer_state next)
{
    assert(hws_lifecycle_allows(&hws_peer_states, p->state, next));
    assert((p->dial != NULL) == (next == HWS_PEER_DIALING) || next >= HWS_PEER_GONE);
    hws_trace(peer, "rank %d: %s -> %s", p->rank, states[p->state].name, states[next].name);
    p->state = next;
}

int hws_peer_on_bye(struct hws_peer *p)
{
    if (p->state == HWS_PEER_UP)
        hws_peer_become(p, HWS_PEER_LEAVING);
    return hws_peer_is_leaving(p) ? HWS_OK : HWS_EPROTO;
}

/* cap: at least 2. The upper bits of the product are those that all bits of the context reach. */
static struct hws_seq_row *find_row(struct hws_seq_row *rows, unsigned cap, uint32_t ctx, uint32_t mask)
{
    unsigned i = ((ctx & mask) * 0x9e3779b1u) >> (__builtin_clz(cap) + 1);
    while (rows[i].ctx_plus_1 && ((rows[i].ctx_plus_1 - 1) ^ ctx) & mask)
        i = (i + 1) & (cap - 1);
    return &rows[i];
}

static bool grow_rows(struct hws_peer *p)
{
    unsigned cap = p->order.cap ? 2 * p->order.cap : 8;
    struct hws_seq_row *rows = calloc(cap, sizeof *rows);
    if (!rows)
        return false;
    for (unsigned i = 0; i < p->order.cap; i++)
        if (p->order.rows[i].ctx_plus_1)
            *find_row(rows, cap, p->order.rows[i].ctx_plus_1 - 1, p->engine->ctx_mask) = p->order.rows[i];
    free(p->order.rows);
    p->order.rows = rows;
    p->order.cap = cap;
    p->order.last = NULL;
    return true;
}

struct hws_seq_row *hws_peer_seq_slow(struct hws_peer *p, uint32_t ctx)
{
    if (2 * p->order.n >= p->order.cap && !grow_rows(p))
        return NULL;
    struct hws_seq_row *row = find_row(p->order.rows, p->order.cap, ctx, p->engine->ctx_mask);
    p->order.n += !row->ctx_plus_1;
    row->ctx_plus_1 = ctx + 1;
    p->order.last = row;
    return row;
}

const char *hws_peer_name(const struct hws_peer *p, char *dst, size_t len)
{
    const struct hws_engine_config *cfg = &p->engine->cfg;
    bool is_own = p->job == p->engine->jobs.list[0];
    const char *name = is_own && cfg->peer_name ? cfg->peer_name(cfg->lookup_arg, p->rank) : NULL;
    if (name)
        snprintf(dst, len, "%s", name);
    else if (is_own)
        snprintf(dst, len, "rank %d", p->rank);
    else
        snprintf(dst, len, "rank %d of job %016llx", p->rank, (unsigned long long)p->job->id);
    return dst;
}
