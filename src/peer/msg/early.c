/* SPDX-License-Identifier: BSD-3-Clause
 *
 * early: messages that come before their turn from a peer with flows (docs/decisions/017-sctp.md). The number of a
 * message is its place among all of its peer and context; a lost packet holds up those of its own flow only, so others
 * come first. MPI 5.0 section 3.5 asks for order only among messages that one receive could take. Those in front of an
 * early message have other tags, as one tag is one flow. So it may be matched when the oldest receive that takes it
 * names its tag: none of those in front could take that receive, and no receive that they could take comes before.
 * Where the oldest is one for any tag, or there is none, the message is parked. What is matched early leaves its number
 * in the list.
 *
 * A link may leave unread what no receive wants (docs/decisions/015-tcp-trc.md). It asks for each message that comes
 * first in its flow: would it be taken? It is asked again for what waits whenever a receive or probe comes that finds
 * nothing.
 */
#include <string.h>

#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define PASSED 256 /* numbers passed by, after which what waits unread is read: the list of them stays short */

static struct hws_message *find_parked(const struct hws_peer *p, uint32_t ctx, int32_t tag)
{
    for (struct hws_list *n = p->in.parked.next; n != &p->in.parked; n = n->next) {
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
    hws_list_push(&p->in.parked, &m->node);
    if (p->in.holds && ++p->in.n_passed % PASSED == 0)
        hws_recv_want_held(p->engine, &(struct hws_match_key){.ctx = ctx, .peer = p->number, .tag = HWS_ANY_TAG}, true);
    return HWS_OK;
}

int hws_recv_early(struct hws_lane *l, const struct hws_frame *f, const struct hws_match_key *key,
                   struct hws_recv_op **op)
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
    struct hws_message *m = p->in.flows ? find_parked(p, key->ctx, key->tag) : NULL;
    if (!m || hws_match_find_posted(&e->match, &m->match.key)) /* an older receive, for any tag, may have to take it */
        return NULL;
    if (!take)
        return m;
    if (pass(p, m->ctx, m->seq) != HWS_OK)
        return NULL; /* its turn will come */
    hws_list_remove(&m->node);
    e->early.n--;
    return m;
}

struct hws_message *hws_recv_find_early(struct hws_engine *e, const struct hws_match_key *key, bool take, bool sure)
{
    struct hws_message *m = NULL;
    if (e->early.n_short)
        hws_hold_wish(e, key, !sure);
    if (e->early.n == e->early.n_short)
        return NULL;
    hws_recv_want_held(e, key, sure);
    if (key->tag == HWS_ANY_TAG)
        return NULL;
    if (key->peer != HWS_ANY_PEER)
        return e->peers[key->peer] ? find_in(e->peers[key->peer], key, take) : NULL;
    for (int i = 0; i < e->jobs.n_peers && !m; i++)
        if (e->peers[i])
            m = find_in(e->peers[i], key, take);
    return m;
}

/* ---- what waits unread ------------------------------------------------------------------------------------------- */

static bool is_wished(const struct hws_match_key *wish, const struct hws_match_key *key)
{
    return wish && wish->ctx == key->ctx && (wish->peer == HWS_ANY_PEER || wish->peer == key->peer) &&
           (wish->tag == HWS_ANY_TAG || wish->tag == key->tag);
}

/* The rest of a long message is behind it. */
static bool is_in_front_of_bulk(const struct hws_peer *p, const struct hws_match_key *key)
{
    for (struct hws_list *n = p->in.under_way.next; n != &p->in.under_way; n = n->next) {
        const struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, node);
        if (op->ctx == key->ctx && op->from_tag == key->tag)
            return true;
    }
    return false;
}

/* It is of an older generation, and a message of a later one waits for its turn: no receive will ever ask for it. */
static bool is_left_behind(const struct hws_peer *p, uint32_t ctx)
{
    for (struct hws_list *n = p->in.parked.next; n != &p->in.parked; n = n->next) {
        const struct hws_message *m = hws_container_of(n, struct hws_message, node);
        if (m->ctx != ctx && ((m->ctx ^ ctx) & p->engine->ctx_mask) == 0)
            return true;
    }
    return false;
}

_Static_assert(HWS_OFFER_LEN == HWS_FRAME_MAX_HDR, "a whole header is shown");

bool hws_recv_would_take(void *socket, const uint8_t *head, size_t n)
{
    const struct hws_socket *s = socket;
    struct hws_peer *p = s->peer;
    struct hws_engine *e = p->engine;
    struct hws_frame f;
    if ((s->lane.crc && hws_frame_check(head, n) <= 0) || hws_frame_decode(head, n, &f) <= 0 ||
        !hws_frame_is(f.type, HWS_FRAMES_FIRST))
        return true; /* if it is damaged, the reader will see */
    struct hws_match_key key = {.ctx = f.ctx, .peer = p->number, .tag = f.tag};
    if (is_wished(e->early.wish, &key) || hws_match_find_posted(&e->match, &key) || is_in_front_of_bulk(p, &key) ||
        is_left_behind(p, f.ctx))
        return true;
    e->early.n += !p->in.holds;
    p->in.holds = true;
    return false;
}

static void want_of(struct hws_peer *p, const struct hws_match_key *key, bool sure)
{
    struct hws_engine *e = p->engine;
    if (!p->in.holds)
        return;
    p->in.holds = false; /* until it is asked for one that is not taken */
    e->early.n--;
    if (!p->n_up)
        return;
    e->early.wish = key;
    p->up[0]->link->offer_again(p->up[0]->link, sure);
    e->early.wish = NULL;
}

void hws_recv_parked(struct hws_peer *p)
{
    want_of(p, NULL, true);
}

void hws_recv_want_held(struct hws_engine *e, const struct hws_match_key *key, bool sure)
{
    if (key->peer != HWS_ANY_PEER) {
        if (e->peers[key->peer])
            want_of(e->peers[key->peer], key, sure);
        return;
    }
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i])
            want_of(e->peers[i], key, sure);
}

uint64_t hws_recv_judge_early(struct hws_peer *p, const struct hws_frame *f)
{
    struct hws_engine *e = p->engine;
    for (struct hws_list *n = p->in.parked.next; n != &p->in.parked; n = n->next) {
        struct hws_message *m = hws_container_of(n, struct hws_message, node);
        if (m->ctx != f->ctx || m->seq != f->seq)
            continue;
        if (m->passed)
            return HWS_CANCEL_NO;
        if (m->received < m->have || pass(p, m->ctx, m->seq) != HWS_OK)
            return HWS_CANCEL_ASK_AGAIN;
        uint32_t charge = m->charge;
        hws_list_remove(&m->node);
        e->early.n--;
        hws_message_free(e, m);
        hws_recv_give_credit(p, charge);
        return HWS_CANCEL_YES;
    }
    hws_recv_want_held(e, &(struct hws_match_key){.ctx = f->ctx, .peer = p->number, .tag = f->tag}, true);
    return HWS_CANCEL_ASK_AGAIN;
}
