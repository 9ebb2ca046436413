/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grant: how much each peer may leave here unexpected. The peers that are connected share -unexpected, whatever the
 * size of the job: the hello grants little, and more follows at once from what is left. A newcomer gets a quarter of
 * that at most, so something is left for the next. Whoever has more than its share gives some back: credit that is owed
 * to it is not told. Ranks of this host have a part of their own, as each of them has a ring from the start.
 */
#include "peer/msg/msg.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"

#define GROW_PART 4 /* of what is left: the most that one peer is granted at once, so that others find some */

static uint64_t at_least(uint64_t n)
{
    return n > HWS_GRANT_FIRST ? n : HWS_GRANT_FIRST;
}

static uint64_t at_most(uint64_t n, uint64_t limit)
{
    return n < limit ? n : limit;
}

uint64_t hws_grant_local(const struct hws_engine_config *cfg)
{
    uint64_t others = cfg->n_local_ranks > 1 ? (uint64_t)cfg->n_local_ranks - 1 : 1, all = cfg->params.unexpected;
    uint64_t part =
        cfg->n_local_ranks < cfg->n_peers ? all / 2 : all - all / 4; /* some rank may not get at the memory */
    return at_least(at_most(cfg->params.credit, part / others));
}

/* For the connected peers together. */
static uint64_t pool(const struct hws_engine *e)
{
    uint64_t local = e->shm ? e->account.local_grant * (uint64_t)(e->cfg.n_local_ranks - 1) : 0;
    return local < e->cfg.params.unexpected ? e->cfg.params.unexpected - local : 0;
}

static uint64_t share(const struct hws_engine *e)
{
    return at_least(at_most(e->cfg.params.credit, pool(e) / (e->account.n_granted ? e->account.n_granted : 1)));
}

static uint64_t left(const struct hws_engine *e)
{
    uint64_t all = pool(e);
    return e->account.granted < all ? all - e->account.granted : 0;
}

static void grow(struct hws_peer *p, uint64_t to)
{
    struct hws_engine *e = p->engine;
    uint64_t more = at_most(to - p->account.grant, left(e) / GROW_PART);
    p->account.grant += more;
    p->account.owed += more;
    e->account.granted += more;
}

/* By half of what is owed at most: the peer must be able to go on. */
static void shrink(struct hws_peer *p, uint64_t to)
{
    uint64_t less = at_most(p->account.grant - to, p->account.owed / 2);
    p->account.grant -= less;
    p->account.owed -= less;
    p->engine->account.granted -= less;
}

void hws_grant_adjust(struct hws_peer *p)
{
    uint64_t fair = share(p->engine);
    if (!p->count.n_connects || p->shm || hws_peer_is_over(p))
        return;
    if (p->account.grant < fair)
        grow(p, fair);
    else if (p->account.grant > fair)
        shrink(p, fair);
}

void hws_grant_greet(struct hws_peer *p)
{
    struct hws_engine *e = p->engine;
    p->account.grant = HWS_GRANT_FIRST;
    e->account.n_granted++;
    e->account.granted += HWS_GRANT_FIRST;
    if (left(e) / GROW_PART < share(e))
        for (int i = 0; i < e->jobs.n_peers; i++)
            if (e->peers[i] && e->peers[i]->account.grant > share(e))
                hws_grant_adjust(e->peers[i]);
    hws_grant_adjust(p);
}

void hws_grant_end(struct hws_peer *p)
{
    if (!p->count.n_connects || p->shm)
        return;
    p->engine->account.n_granted--;
    p->engine->account.granted -= p->account.grant;
}
