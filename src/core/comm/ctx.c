/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ctx: see ctx.h. The tree along which members say that they have left is the binomial one of comm_agree.h over both
 * groups, the leader's side first, with the leader as its root.
 */
#include "core/comm/ctx.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/comm_agree.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "peer/engine.h"
#include "peer/kinds.h"

_Static_assert(HWS_CTX_KINDS <= 1 << HWS_CTX_KIND_BITS, "kinds of traffic");

static struct hws_ids ids; /* under the engine's lock */

struct letter {
    struct hws_frame_op op;
    uint32_t ids[HWS_IDS_LETTER];
};

/* The peer may be lost meanwhile: nobody asks for its ids any more. */
static void on_sent(struct hws_frame_op *op)
{
    free(hws_container_of(op, struct letter, op));
}

static void send_letter(void *arg, int peer, const uint32_t *of, unsigned n)
{
    (void)arg;
    struct letter *l = hws_world.engine ? malloc(sizeof *l) : NULL; /* the job ends: ids are no longer needed */
    if (!l)
        return;
    memcpy(l->ids, of, n * sizeof *of);
    l->op = (struct hws_frame_op){
        .peer = peer, .kind = HWS_FRAME_LEFT, .bytes = l->ids, .len = (uint32_t)(n * sizeof *of), .on_done = on_sent};
    hws_engine_send_frame(hws_world.engine, &l->op);
}

static int on_letter(void *arg, int peer, uint8_t kind, const void *bytes, size_t len)
{
    uint32_t of[HWS_IDS_LETTER];
    (void)arg, (void)peer, (void)kind;
    if (len == 0 || len % sizeof *of || len > sizeof of)
        return HWS_EPROTO;
    memcpy(of, bytes, len);
    hws_ids_told(&ids, of, (unsigned)(len / sizeof *of));
    return HWS_OK;
}

void hws_ctx_begin(struct hws_engine_config *cfg)
{
    hws_ids_init(&ids, hws_world.size, hws_world.rank, send_letter, NULL);
    cfg->generation_bits = ids.generation_bits;
}

int hws_ctx_listen(void)
{
    static const struct hws_kinds letters = {.first = HWS_FRAME_LEFT, .last = HWS_FRAME_LEFT, .on_frame = on_letter};
    return hws_engine_take_kinds(hws_world.engine, &letters);
}

void hws_ctx_end(void)
{
    hws_ids_fini(&ids);
}

uint32_t hws_ctx_take(void)
{
    hws_engine_lock(hws_world.engine);
    uint32_t id = hws_ids_take(&ids);
    hws_engine_unlock(hws_world.engine);
    return id;
}

void hws_ctx_give(uint32_t id)
{
    if (id == HWS_CTX_NONE)
        return;
    hws_engine_lock(hws_world.engine);
    hws_ids_give(&ids, id);
    hws_engine_unlock(hws_world.engine);
}

void hws_ctx_enter(uint32_t id)
{
    hws_engine_ctx_begin(hws_world.engine, id, HWS_CTX_KINDS);
}

/* A group and a remote one, the leader's side first. */
struct members {
    const struct hws_group *first, *second; /* second: NULL */
    int size, me, root;
};

static bool find_root(struct members *m, int leader)
{
    m->root = hws_group_peer(m->first, 0) == leader ? 0 : hws_group_rank_of_peer(m->first, leader);
    return m->root != MPI_UNDEFINED;
}

static struct members members_of(const struct hws_group *group, const struct hws_group *remote, int leader)
{
    struct members m = {group, remote, group->size + (remote ? remote->size : 0), group->rank, 0};
    if (find_root(&m, leader) || !remote)
        return m;
    m.first = remote;
    m.second = group;
    m.me = remote->size + group->rank;
    find_root(&m, leader);
    return m;
}

static int peer_of(const struct members *m, int node)
{
    int i = (node + m->root) % m->size;
    return i < m->first->size ? hws_group_peer(m->first, i) : hws_group_peer(m->second, i - m->first->size);
}

void hws_ctx_leave(uint32_t id, const struct hws_group *group, const struct hws_group *remote)
{
    if (!hws_world.engine)
        return;
    struct members m = members_of(group, remote, hws_ids_leader(&ids, id));
    int me = m.me < m.root ? m.me - m.root + m.size : m.me - m.root, n = 0;
    for (int bit = hws_tree_first_bit(me, m.size); bit; bit >>= 1)
        n += me + bit < m.size;
    hws_engine_lock(hws_world.engine);
    hws_ids_leave(&ids, id, me ? peer_of(&m, hws_tree_parent(me)) : -1, n);
    hws_engine_unlock(hws_world.engine);
}

void hws_comm_set_ctx(struct hws_comm *c, uint32_t ctx)
{
    hws_ctx_enter(ctx);
    c->ctx = ctx;
    c->holds_ctx = true;
    if (c->local) /* among others than those it is used with on c */
        c->local->ctx = ctx;
}
