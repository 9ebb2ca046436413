/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recv_early: messages that come before their turn from a peer with flows (docs/decisions/013-sctp.md). The number of a
 * message is its place among all of its peer and context; a lost packet holds up those of its own flow only, so others come
 * first. MPI 5.0 section 3.5 asks for order only among messages that one receive could take. Those in front of an early
 * message have other tags, as one tag is one flow. So it may be matched when the oldest receive that takes it names its
 * tag: none of those in front could take that receive, and no receive that they could take comes before. Where the oldest is one
 * for any tag, or there is none, the message is parked. What is matched early leaves its number in the list.
 */
#include <string.h>

#include "peer/priv.h"

static struct hws_message *find_parked(const struct hws_peer *p, uint32_t ctx, int32_t tag)
{
    for (struct hws_list *n = p->parked.next; n != &p->parked; n = n->next) {
        struct hws_message *m = hws_container_of(n, struct hws_message, node);
        if (!m->passed && m->ctx == ctx && m->match.key.tag == tag)
            return m;
    }
    return NULL;
}

/* Remembers that this number has been matched. */
static int pass(struct hws_peer *p, uint32_t ctx, uint32_t seq)
{
    struct hws_message *m = hws_pool_get(&p->engine->messages);
    if (!m)
        return HWS_ENOMEM;
    memset(m, 0, sizeof *m);
    m->passed = true;
    m->ctx = ctx;
    m->seq = seq;
    hws_list_init(&m->node);
    hws_list_push(&p->parked, &m->node);
    return HWS_OK;
}

int hws_recv_early(struct hws_lane *l, const struct hws_frame *f, const struct hws_match_key *key, struct hws_recv_op **op)
{
    struct hws_peer *p = l->peer;
    struct hws_match *match = &p->engine->match;
    struct hws_match_node *n = hws_match_find_posted(match, key);
    if (!n || n->key.tag == HWS_ANY_TAG || find_parked(p, f->ctx, f->tag))
        return HWS_OK;
    int rc = pass(p, f->ctx, f->seq);
    if (rc != HWS_OK)
        return rc;
    hws_match_remove(match, n);
    *op = hws_container_of(n, struct hws_recv_op, match);
    return HWS_OK;
}

static struct hws_message *find_in(struct hws_peer *p, const struct hws_match_key *key, bool take)
{
    struct hws_engine *e = p->engine;
    struct hws_message *m = p->flows ? find_parked(p, key->ctx, key->tag) : NULL;
    if (!m || hws_match_find_posted(&e->match, &m->match.key)) /* an older receive, for any tag, may have to take it */
        return NULL;
    if (!take)
        return m;
    if (pass(p, m->ctx, m->seq) != HWS_OK)
        return NULL; /* its turn will come */
    hws_list_remove(&m->node);
    e->n_early--;
    return m;
}

struct hws_message *hws_recv_find_early(struct hws_engine *e, const struct hws_match_key *key, bool take)
{
    struct hws_message *m = NULL;
    if (key->tag == HWS_ANY_TAG)
        return NULL;
    if (key->peer != HWS_ANY_PEER)
        return e->peers[key->peer] ? find_in(e->peers[key->peer], key, take) : NULL;
    for (int i = 0; i < e->cfg.n_peers && !m; i++)
        if (e->peers[i])
            m = find_in(e->peers[i], key, take);
    return m;
}
