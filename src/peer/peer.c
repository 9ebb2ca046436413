/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peer: one remote process: the order of its messages and what happens when it is lost. A peer is made when the first
 * message to or from it needs it, and stays until the engine ends.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "peer/priv.h"
#include "peer/shm.h"

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

struct hws_peer *hws_peer_new(struct hws_engine *e, int rank)
{
    struct hws_peer *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->engine = e;
    p->rank = rank;
    hws_list_init(&p->pending);
    hws_list_init(&p->short_node);
    p->grant = hws_grant_first();
    hws_list_init(&p->answers);
    hws_list_init(&p->bulk);
    hws_list_init(&p->under_way);
    hws_list_init(&p->cancels);
    hws_list_init(&p->parked);
    hws_list_init(&p->outages);
    hws_list_init(&p->resend);
    hws_list_init(&p->torn);
    hws_list_init(&p->draining_node);
    hws_attempt_init(p);
    hws_peer_init_nudge(p);
    if (e->shm && hws_shm_peer_new(e->shm, p))
        hws_peer_become(p, HWS_PEER_UP);
    return p;
}

void hws_peer_free(struct hws_peer *p)
{
    hws_attempt_end(p);
    hws_timer_stop(&p->nudge);
    hws_list_remove(&p->draining_node);
    struct hws_list *n;
    while ((n = hws_list_pop(&p->parked)))
        hws_message_free(p->engine, hws_container_of(n, struct hws_message, node));
    while ((n = hws_list_pop(&p->torn)))
        free(hws_container_of(n, struct hws_torn, node));
    for (int i = 0; i < p->n_paths; i++) {
        if (p->paths[i])
            hws_timer_stop(&p->paths[i]->retry);
        free(p->paths[i]);
    }
    hws_hold_end(p);
    free(p->seqs);
    free(p->routes);
    free(p);
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
    unsigned cap = p->seq_cap ? 2 * p->seq_cap : 8;
    struct hws_seq_row *rows = calloc(cap, sizeof *rows);
    if (!rows)
        return false;
    for (unsigned i = 0; i < p->seq_cap; i++)
        if (p->seqs[i].ctx_plus_1)
            *find_row(rows, cap, p->seqs[i].ctx_plus_1 - 1, p->engine->ctx_mask) = p->seqs[i];
    free(p->seqs);
    p->seqs = rows;
    p->seq_cap = cap;
    p->seq_last = NULL;
    return true;
}

struct hws_seq_row *hws_peer_seq_slow(struct hws_peer *p, uint32_t ctx)
{
    if (2 * p->seq_n >= p->seq_cap && !grow_rows(p))
        return NULL;
    struct hws_seq_row *row = find_row(p->seqs, p->seq_cap, ctx, p->engine->ctx_mask);
    p->seq_n += !row->ctx_plus_1;
    row->ctx_plus_1 = ctx + 1;
    p->seq_last = row;
    return row;
}

void hws_peer_each_lane(struct hws_peer *p, void (*fn)(struct hws_lane *l, void *arg), void *arg)
{
    const struct hws_list *ended = &p->engine->ended;
    for (int i = 0; i < p->n_paths; i++)
        if (p->paths[i] && p->paths[i]->socket && hws_socket_has_lane(p->paths[i]->socket))
            fn(&p->paths[i]->socket->lane, arg);
    for (struct hws_list *n = ended->next; n != ended; n = n->next) {
        struct hws_socket *s = hws_container_of(n, struct hws_socket, node);
        if (s->peer == p && s->state == HWS_SOCKET_ENDING && s->path->socket != s)
            fn(&s->lane, arg); /* another connection has taken its place already */
    }
}

void hws_peer_ack_all(struct hws_peer *p)
{
    p->ack_now = false;
    for (unsigned i = 0; i < p->n_up; i++)
        if (p->up[i]->keeps && p->up[i]->received != p->up[i]->acked)
            hws_lane_ack(p->up[i]);
}

const char *hws_peer_name(const struct hws_peer *p, char *dst, size_t len)
{
    const struct hws_engine_config *cfg = &p->engine->cfg;
    const char *name = cfg->peer_name ? cfg->peer_name(cfg->lookup_arg, p->rank) : NULL;
    if (name)
        snprintf(dst, len, "%s", name);
    else
        snprintf(dst, len, "rank %d", p->rank);
    return dst;
}

/* A lane that ends with its peer: of what it holds, messages whose sends are done can't be told from other frames. */
static void note_unsent(struct hws_lane *l, void *arg)
{
    struct hws_link_health h;
    bool unsent = l->queued_bytes || (l->keeps && l->released != l->sent);
    if (!unsent && !l->keeps && hws_link_health(l->link, &h)) /* it is the kernel that has them */
        unsent = h.unsent > 0;
    if (unsent)
        *(bool *)arg = true;
}

/* Messages whose sends are done are lost with the peer. */
static bool loses_messages(struct hws_peer *p)
{
    bool found = false;
    hws_peer_each_lane(p, note_unsent, &found);
    return found || hws_kept_has_messages(p);
}

/* GONE, and whoever closes, wants no message and no word about it. */
static void end(struct hws_peer *p, enum hws_peer_state next, enum hws_err why, const char *fmt, va_list ap)
{
    vsnprintf(p->reason, sizeof p->reason, fmt, ap);
    bool is_told = next == HWS_PEER_LOST && !p->engine->closing, loses = is_told && loses_messages(p);
    hws_peer_become(p, next);
    hws_grant_end(p);
    hws_attempt_end(p);
    if (p->shm)
        hws_shm_lost(p->shm);
    hws_send_fail_all(p, why);
    hws_recv_fail_all(p, why);
    hws_cancel_fail_all(p);
    hws_hold_end(p);
    if (p->dial)
        hws_socket_end(p->dial, why);
    for (int i = 0; i < p->n_paths; i++) {
        struct hws_path *path = p->paths[i];
        if (path)
            hws_path_end_wait(path);
        if (path && path->socket)
            hws_socket_end(path->socket, why);
    }
    const struct hws_engine_config *cfg = &p->engine->cfg;
    if (is_told && hws_engine_is_watched(p->engine, HWS_EVENT_PEER_LOST))
        hws_engine_event_slow(p->engine,
                              (struct hws_event){.kind = HWS_EVENT_PEER_LOST, .peer = p->rank, .why = (int)why});
    if (loses && cfg->on_messages_lost)
        cfg->on_messages_lost(cfg->lookup_arg, p->rank, why, p->reason);
    if (is_told && cfg->on_peer_lost)
        cfg->on_peer_lost(cfg->lookup_arg, p->rank, why, p->reason);
}

void hws_peer_lose(struct hws_peer *p, enum hws_err why, const char *fmt, ...)
{
    if (hws_peer_is_over(p))
        return;
    va_list ap;
    va_start(ap, fmt);
    end(p, p->state == HWS_PEER_LEAVING ? HWS_PEER_GONE : HWS_PEER_LOST, why, fmt, ap);
    va_end(ap);
}

void hws_peer_gone(struct hws_peer *p, const char *fmt, ...)
{
    if (hws_peer_is_over(p))
        return;
    va_list ap;
    va_start(ap, fmt);
    end(p, HWS_PEER_GONE, HWS_EPEERDEAD, fmt, ap);
    va_end(ap);
}
