/* SPDX-License-Identifier: BSD-3-Clause
 *
 * calls: what core calls to send, to receive and to probe: each takes the lock, and lets out what it owes to others.
 */
#include "base/hot.h"
#include "peer/engine/parts.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

/* ---- sends ------------------------------------------------------------------------------------------------------- */

static void start_send(struct hws_engine *e, struct hws_send_op *op, bool hold)
{
    if (e->cfg.locking)
        hws_engine_lock(e);
    struct hws_peer *p = e->peers[op->peer];
    if (op->peer == e->cfg.me) {
        hws_recv_self(e, op);
    } else if (p || (p = hws_engine_peer(e, op->peer)) != NULL) {
        if (p->shm)
            hws_shm_send(p->shm, op);
        else
            hws_send_start(p, op, hold);
    } else {
        op->handle = 0;
        hws_send_finish(e, op, HWS_ENOMEM);
    }
    hws_engine_leave(e, hold);
    if (e->cfg.locking)
        hws_engine_unlock(e);
}

void hws_engine_send(struct hws_engine *e, struct hws_send_op *op)
{
    start_send(e, op, true);
}

void hws_engine_send_at_once(struct hws_engine *e, struct hws_send_op *op)
{
    start_send(e, op, false);
}

/* Credit may lie in the socket: who only sends, without ever waiting, would not see it. */
static void look_for_credit(struct hws_engine *e)
{
    hws_engine_lock(e);
    hws_engine_step(e);
    hws_engine_unlock(e);
}

HWS_HOT void hws_engine_send_now(struct hws_engine *e, struct hws_send_op *op)
{
    const struct hws_peer *p = e->peers[op->peer];
    if (__builtin_expect(p && p->account.credit < op->data.len_bytes + HWS_ENVELOPE, 0) && p->n_up)
        look_for_credit(e);
    start_send(e, op, false);
}

void hws_engine_send_frame(struct hws_engine *e, struct hws_frame_op *op)
{
    hws_engine_lock(e);
    hws_kinds_start(e, op);
    hws_engine_leave(e, true);
    hws_engine_unlock(e);
}

void hws_engine_cancel_send(struct hws_engine *e, struct hws_cancel_op *c)
{
    hws_engine_lock(e);
    hws_cancel_ask(e, c);
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
}

/* ---- receives ---------------------------------------------------------------------------------------------------- */

static bool fails_at_once(struct hws_engine *e, const struct hws_recv_op *op)
{
    if (op->peer == HWS_ANY_PEER || op->peer == e->cfg.me)
        return false;
    const struct hws_peer *p = e->peers[op->peer];
    return p && hws_peer_is_over(p);
}

/* The peer whose ring alone can have the message; NULL: there is none. */
static inline struct hws_shm_peer *ring_of(const struct hws_engine *e, int peer)
{
    if (!e->shm || peer < 0)
        return NULL;
    const struct hws_peer *p = e->peers[peer];
    return p ? p->shm : NULL;
}

static inline bool is_there(const struct hws_engine *e, struct hws_recv_op *op, bool waits)
{
    struct hws_shm_peer *s = ring_of(e, op->peer);
    return s && hws_shm_recv_there(s, op, waits);
}

static inline void start_recv(struct hws_engine *e, struct hws_recv_op *op, bool waits)
{
    hws_engine_lock(e);
    if (!waits)
        e->work.is_starting = !e->work.stepping;
    op->done = false;
    op->err = HWS_OK;
    op->received = op->handle = 0;
    op->match.key = (struct hws_match_key){.ctx = op->ctx, .peer = op->peer, .tag = op->tag};
    op->match.queued = false;
    hws_list_init(&op->node);
    struct hws_match_node *n = NULL;
    if (hws_match_n_unexpected(&e->match))
        n = hws_match_find_unexpected(&e->match, &op->match.key, true);
    struct hws_message *early = n || !e->early.n ? NULL : hws_recv_find_early(e, &op->match.key, true, false);
    if (n || early)
        hws_recv_attach(e, n ? hws_container_of(n, struct hws_message, match) : early, op);
    else if (fails_at_once(e, op))
        hws_recv_finish(e, op, HWS_EPEERDEAD);
    else if (!is_there(e, op, waits))
        hws_match_post(&e->match, &op->match);
    if (!waits)
        e->work.is_starting = false;
    hws_engine_leave(e, !waits);
    hws_engine_unlock(e);
}

HWS_HOT void hws_engine_recv(struct hws_engine *e, struct hws_recv_op *op)
{
    start_recv(e, op, false);
}

/* Of the blocking receives that took no short cut, so many between steps of progress with everybody. */
#define FULL_STEP 128

HWS_HOT void hws_engine_recv_wait(struct hws_engine *e, struct hws_recv_op *op, hws_wait_site site)
{
    if (e->shm && !e->cfg.locking && !hws_match_n_unexpected(&e->match) && hws_list_is_empty(&e->work.dirty)) {
        op->handle = 0;
        struct hws_shm_peer *s = ring_of(e, op->peer);
        if (s && hws_shm_recv_direct(s, op))
            return;
        if (++e->waits.n_recv_wait % FULL_STEP == 0 || e->shm->n_direct % HWS_SHM_DIRECT_RUN == 0)
            hws_engine_step(e);
    }
    start_recv(e, op, true);
    if (!op->done)
        hws_engine_wait(e, &op->done, site);
}

bool hws_engine_cancel_recv(struct hws_engine *e, struct hws_recv_op *op)
{
    hws_engine_lock(e);
    bool taken = op->match.queued && !op->done;
    if (taken) {
        hws_match_remove(&e->match, &op->match);
        hws_recv_finish(e, op, HWS_ECANCELLED);
    }
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
    return taken;
}

static struct hws_message *find_message(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, bool take,
                                        struct hws_envelope *env)
{
    struct hws_match_key key = {.ctx = ctx, .peer = peer, .tag = tag};
    struct hws_match_node *n = hws_match_find_unexpected(&e->match, &key, take);
    struct hws_message *m = n ? hws_container_of(n, struct hws_message, match) : NULL;
    if (!m && e->early.n)
        m = hws_recv_find_early(e, &key, take, true);
    if (!m)
        return NULL;
    env->peer = m->match.key.peer;
    env->tag = m->match.key.tag;
    env->len_bytes = m->msg_len;
    return m;
}

/* What has come first from a rank of this host, and is in its ring still: it need not be kept to be told of. */
static bool shows(const struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, struct hws_envelope *env)
{
    const struct hws_shm_peer *s = ring_of(e, peer);
    if (s || peer >= 0)
        return s && hws_shm_shows(s, ctx, tag, env);
    for (unsigned i = 0; e->shm && i < e->shm->n_hot; i++)
        if (hws_shm_shows(e->shm->hot[i], ctx, tag, env))
            return true;
    return false;
}

static struct hws_message *find_soon(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, bool take,
                                     struct hws_envelope *env)
{
    e->work.probes = true;
    hws_engine_step(e);
    struct hws_message *m = find_message(e, peer, ctx, tag, take, env);
    if (!m)
        hws_engine_note_probe(e, peer);
    return m;
}

bool hws_engine_probe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, struct hws_envelope *env)
{
    hws_engine_lock(e);
    bool found = find_message(e, peer, ctx, tag, false, env) || shows(e, peer, ctx, tag, env) ||
                 find_soon(e, peer, ctx, tag, false, env);
    e->work.probes = !found;
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
    return found;
}

struct hws_message *hws_engine_mprobe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag,
                                      struct hws_envelope *env)
{
    hws_engine_lock(e);
    struct hws_message *m = find_message(e, peer, ctx, tag, true, env);
    if (!m)
        m = find_soon(e, peer, ctx, tag, true, env);
    e->work.probes = !m;
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
    return m;
}

unsigned hws_engine_any_lost(struct hws_engine *e, int *peer)
{
    hws_engine_lock(e);
    unsigned n = e->gone.n_any_lost;
    *peer = e->gone.any_lost;
    hws_engine_unlock(e);
    return n;
}

void hws_engine_mrecv(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    hws_engine_lock(e);
    op->done = false;
    op->err = HWS_OK;
    op->received = op->handle = 0;
    op->match.queued = false;
    hws_list_init(&op->node);
    hws_recv_attach(e, m, op);
    hws_engine_leave(e, false);
    hws_engine_unlock(e);
}
