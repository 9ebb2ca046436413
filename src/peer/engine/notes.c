/* SPDX-License-Identifier: BSD-3-Clause
 *
 * notes: messages that are handed over as they come, and generations of contexts.
 */
#include <stdlib.h>
#include <string.h>

#include "peer/engine/parts.h"
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/up.h"

struct note {
    struct hws_recv_op op;
    struct hws_engine *engine;
    uint8_t bytes[];
};

static void on_note(struct hws_recv_op *op)
{
    struct note *n = hws_container_of(op, struct note, op);
    const struct hws_engine_config *cfg = &n->engine->cfg;
    if (op->err == HWS_OK)
        cfg->on_note(cfg->lookup_arg, n->bytes, op->from_len);
    free(n);
}

/* Outside all that reads: what it starts may read, too. */
void hws_recv_notes(struct hws_engine *e)
{
    struct hws_match_key key = {.ctx = e->cfg.note_ctx, .peer = HWS_MATCH_ANY_PEER, .tag = HWS_MATCH_ANY_TAG};
    struct hws_match_node *next;
    e->notes_due = false;
    while ((next = hws_match_find_unexpected(&e->match, &key, false)) != NULL) {
        struct hws_message *m = hws_container_of(next, struct hws_message, match);
        struct note *n = malloc(sizeof *n + m->msg_len);
        if (!n)
            return; /* with the next one's coming */
        hws_match_remove(&e->match, next);
        memset(&n->op, 0, sizeof n->op);
        n->engine = e;
        n->op.data = (struct hws_data){.base = n->bytes, .len_bytes = m->msg_len};
        n->op.on_done = on_note;
        hws_engine_mrecv(e, m, &n->op);
    }
}

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
