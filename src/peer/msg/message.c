/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message: messages that came before their receive: they are kept, and found when it comes.
 */
#include <string.h>

#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"

void hws_message_free(struct hws_engine *e, struct hws_message *m)
{
    e->count.unexpected_bytes -= m->data ? m->have : 0;
    if (m->peer)
        m->peer->count.n_unexpected--;
    hws_bufpool_put(&e->payloads, m->data, m->have);
    hws_pool_put(&e->messages, m);
}

struct hws_message *hws_message_new(struct hws_engine *e, struct hws_peer *p, const struct hws_match_key *key,
                                    uint32_t have)
{
    struct hws_message *m = hws_pool_get(&e->messages);
    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    m->match.key = *key;
    m->peer = p;
    m->ctx = key->ctx;
    m->have = have;
    hws_list_init(&m->node);
    if (have && !(m->data = hws_bufpool_get(&e->payloads, have))) {
        hws_pool_put(&e->messages, m);
        return NULL;
    }
    e->count.n_unexpected++;
    if (p)
        p->count.n_unexpected++;
    e->count.unexpected_bytes += have;
    if (e->count.unexpected_bytes > e->count.unexpected_peak)
        e->count.unexpected_peak = e->count.unexpected_bytes;
    return m;
}

void hws_recv_queue_unexpected(struct hws_engine *e, struct hws_message *m)
{
    m->waited = true;
    hws_match_add_unexpected(&e->match, &m->match);
    if (hws_engine_is_watched(e, HWS_EVENT_UNEXPECTED))
        hws_engine_event_slow(e, (struct hws_event){.kind = HWS_EVENT_UNEXPECTED,
                                                    .peer = m->peer ? m->peer->number : e->cfg.me,
                                                    .tag = m->match.key.tag,
                                                    .bytes = m->msg_len,
                                                    .queued = hws_match_n_unexpected(&e->match)});
}
