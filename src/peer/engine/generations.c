/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generations: a context that is used again: what nobody has received of the earlier ones is dropped.
 */
#include "peer/engine/parts.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/up.h"

/* Only what has come whole and whose sender waits for nothing: a send that is not done may still be taken back. */
static void drop_old(struct hws_match_node *n, void *arg)
{
    struct hws_engine *e = arg;
    struct hws_message *m = hws_container_of(n, struct hws_message, match);
    struct hws_peer *p = m->peer;
    uint32_t charge = m->charge;
    if (m->self_op || m->send_handle || m->received < m->have)
        return;
    hws_match_remove(&e->match, n);
    hws_message_free(e, m);
    if (p && p->shm)
        hws_shm_give_credit(p->shm, charge);
    else if (p)
        hws_recv_give_credit(p, charge);
}

void hws_engine_ctx_begin(struct hws_engine *e, uint32_t ctx, int n_kinds)
{
    if (!hws_match_n_unexpected(&e->match) && !e->cfg.locking)
        return;
    hws_engine_lock(e);
    for (int i = 0; i < n_kinds; i++)
        hws_match_each_other(&e->match, ctx + (uint32_t)i, drop_old, e);
    hws_engine_unlock(e);
}
