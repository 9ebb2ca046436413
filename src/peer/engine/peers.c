/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers: makes a peer, and ends one: everything that was under way to it fails, its connections end.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer/conn/conn.h"
#include "peer/engine/parts.h"
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/up.h"

struct hws_peer *hws_peer_new(struct hws_engine *e, int number)
{
    struct hws_peer *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->engine = e;
    p->number = number;
    p->job = hws_jobs_of_peer(e, number);
    p->rank = number - p->job->first;
    hws_list_init(&p->out.pending);
    hws_list_init(&p->hold.short_node);
    p->account.grant = HWS_GRANT_FIRST;
    hws_list_init(&p->out.answers);
    hws_list_init(&p->out.bulk);
    hws_list_init(&p->in.under_way);
    hws_list_init(&p->out.cancels);
    hws_list_init(&p->out.frames);
    hws_list_init(&p->in.parked);
    hws_list_init(&p->kept.outages);
    hws_list_init(&p->kept.resend);
    hws_list_init(&p->in.torn);
    hws_list_init(&p->share.node);
    hws_attempt_init(p);
    hws_peer_init_nudge(p);
    if (e->shm && hws_shm_peer_new(e->shm, p))
        hws_peer_become(p, HWS_PEER_UP);
    return p;
}

struct hws_peer *hws_engine_peer(struct hws_engine *e, int number)
{
    if (!e->peers[number])
        e->peers[number] = hws_peer_new(e, number);
    return e->peers[number];
}

void hws_peer_free(struct hws_peer *p)
{
    hws_attempt_end(p);
    hws_timer_stop(&p->share.nudge);
    hws_list_remove(&p->share.node);
    struct hws_list *n;
    while ((n = hws_list_pop(&p->in.parked)))
        hws_message_free(p->engine, hws_container_of(n, struct hws_message, node));
    while ((n = hws_list_pop(&p->in.torn)))
        free(hws_container_of(n, struct hws_torn, node));
    for (int i = 0; i < p->n_paths; i++) {
        if (p->paths[i])
            hws_timer_stop(&p->paths[i]->retry);
        free(p->paths[i]);
    }
    hws_hold_end(p);
    hws_kinds_fail_all(p, HWS_ECANCELLED);
    free(p->order.rows);
    free(p->reach.routes);
    free(p);
}

/* A lane that ends with its peer: of what it holds, messages whose sends are done can't be told from other frames. */
static void note_unsent(struct hws_lane *l, void *arg)
{
    struct hws_link_health h;
    bool unsent = l->out.queued_bytes || (l->keeps && l->out.released != l->out.sent);
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
                              (struct hws_event){.kind = HWS_EVENT_PEER_LOST, .peer = p->number, .why = (int)why});
    if (loses && cfg->on_messages_lost)
        cfg->on_messages_lost(cfg->lookup_arg, p->number, why, p->reason);
    if (is_told && cfg->on_peer_lost)
        cfg->on_peer_lost(cfg->lookup_arg, p->number, why, p->reason);
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
