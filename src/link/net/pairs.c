/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs: collects every pair that could work, then picks the best again and again, where a pair is worse for each
 * interface of it that an earlier pair uses: two NICs on each side in one network give two pairs of distinct hardware
 * first.
 */
#include "link/net/pairs.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_CANDIDATES = HWS_NETIF_MAX * HWS_CARD_ADDRS };

struct candidate {
    const struct hws_netif *local;
    const struct hws_card_addr *remote;
    enum hws_pair_kind kind;
};

/* How good a candidate is; fields in order of weight, smaller is better. */
struct rank {
    unsigned is_link_local, kind, uses, slowness, is_ipv6;
};

static uint32_t told_or_guess(uint32_t mbps)
{
    return mbps ? mbps : HWS_NETIF_GUESS_MBPS;
}

static uint32_t speed_of(const struct candidate *c)
{
    uint32_t a = told_or_guess(c->local->speed_mbps), b = told_or_guess(c->remote->speed_mbps);
    return a < b ? a : b;
}

static const struct hws_card_addr *find(const struct hws_card *card, const struct hws_addr *a)
{
    for (size_t i = 0; i < card->n_addrs; i++)
        if (hws_addr_is_equal(&card->addrs[i].addr, a))
            return &card->addrs[i];
    return NULL;
}

static bool is_same_hardware(const struct candidate *c, const struct hws_pair *p, const struct hws_card *theirs)
{
    const struct hws_card_addr *r = find(theirs, &p->remote);
    return c->local->ifindex == p->ifindex && r && strcmp(r->ifname, c->remote->ifname) == 0;
}

static bool holds(const struct hws_pairs_input *in, const struct hws_addr *a)
{
    for (size_t i = 0; i < in->n_all; i++)
        if (hws_addr_is_equal(&in->all[i].addr, a))
            return true;
    return false;
}

static bool is_one_subnet(const struct hws_netif *l, const struct hws_card_addr *r)
{
    return hws_addr_is_in(&r->addr, &l->addr, l->prefix_len) && hws_addr_is_in(&l->addr, &r->addr, r->prefix_len);
}

static size_t add_subnet(const struct hws_pairs_input *in, const struct hws_card_addr *r, struct candidate *out)
{
    size_t n = 0;
    for (size_t i = 0; i < in->n_mine && i < HWS_NETIF_MAX; i++)
        if (is_one_subnet(&in->mine[i], r))
            out[n++] = (struct candidate){&in->mine[i], r, HWS_PAIR_SUBNET};
    return n;
}

static size_t add_routed(const struct hws_pairs_input *in, const struct hws_card_addr *r, struct candidate *out)
{
    if (hws_addr_is_link_local(&r->addr) || !in->route)
        return 0;
    int ifindex = in->route(in->route_arg, &r->addr);
    if (ifindex <= 0)
        return 0;
    for (size_t i = 0; i < in->n_mine; i++) {
        const struct hws_netif *l = &in->mine[i];
        if (l->ifindex != (unsigned)ifindex || l->addr.family != r->addr.family || hws_addr_is_link_local(&l->addr))
            continue;
        out[0] = (struct candidate){l, r, HWS_PAIR_ROUTED};
        return 1;
    }
    return 0;
}

/* *held gets the number of their addresses that are my own. */
static size_t collect(const struct hws_pairs_input *in, struct candidate *out, size_t *held)
{
    size_t n = 0;
    *held = 0;
    for (size_t k = 0; k < in->theirs->n_addrs; k++) {
        const struct hws_card_addr *r = &in->theirs->addrs[k];
        if (holds(in, &r->addr)) {
            (*held)++;
            continue;
        }
        size_t added = add_subnet(in, r, out + n);
        n += added ? added : add_routed(in, r, out + n);
    }
    return n;
}

static struct rank rank_of(const struct candidate *c, const struct hws_pairs_input *in, const struct hws_pair *out,
                           size_t n)
{
    struct rank r = {
        .is_link_local = hws_addr_is_link_local(&c->remote->addr),
        .kind = c->kind,
        .slowness = UINT32_MAX - speed_of(c),
        .is_ipv6 = c->remote->addr.family == 6,
    };
    for (size_t i = 0; i < n; i++) {
        r.uses += out[i].ifindex == c->local->ifindex;
        for (size_t k = 0; k < in->theirs->n_addrs; k++)
            if (hws_addr_is_equal(&in->theirs->addrs[k].addr, &out[i].remote))
                r.uses += strcmp(in->theirs->addrs[k].ifname, c->remote->ifname) == 0;
    }
    return r;
}

static bool is_better(const struct rank *a, const struct rank *b)
{
    if (a->is_link_local != b->is_link_local)
        return a->is_link_local < b->is_link_local;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    if (a->uses != b->uses)
        return a->uses < b->uses;
    if (a->slowness != b->slowness)
        return a->slowness < b->slowness;
    return a->is_ipv6 < b->is_ipv6;
}

static uint32_t left_of(uint32_t speed, uint32_t used)
{
    return used < speed ? speed - used : 0;
}

/* What the earlier lanes leave of the interfaces at both ends. So one 10 Gb/s interface is the other end of several of
 * 1 Gb/s, but two addresses of one interface, or a second interface that leads to one that is used up, add nothing. */
static bool is_worth_a_lane(const struct candidate *c, const struct hws_card *theirs, const struct hws_pair *out,
                            size_t n)
{
    uint32_t here = 0, there = 0;
    for (size_t i = 0; i < n; i++) {
        if (!out[i].is_lane)
            continue;
        const struct hws_card_addr *r = find(theirs, &out[i].remote);
        here += out[i].ifindex == c->local->ifindex ? out[i].speed_mbps : 0;
        there += r && strcmp(r->ifname, c->remote->ifname) == 0 ? out[i].speed_mbps : 0;
    }
    uint32_t left_here = left_of(told_or_guess(c->local->speed_mbps), here);
    uint32_t left_there = left_of(told_or_guess(c->remote->speed_mbps), there);
    uint32_t left = left_here < left_there ? left_here : left_there;
    return n == 0 || left >= speed_of(c) - speed_of(c) / 2;
}

static struct hws_pair pair_of(const struct candidate *c, const struct hws_pairs_input *in, const struct hws_pair *out,
                               size_t n)
{
    struct hws_pair p = {
        .kind = c->kind,
        .local = c->local->addr,
        .ifindex = c->local->ifindex,
        .remote = c->remote->addr,
        .port = c->remote->port,
        .speed_mbps = speed_of(c),
        .hardware = n ? out[n - 1].hardware + 1 : 0,
        .is_lane = is_worth_a_lane(c, in->theirs, out, n),
    };
    memcpy(p.ifname, c->local->name, sizeof p.ifname);
    for (size_t i = 0; i < n; i++) /* numbers need not be dense, only equal for equal hardware and new otherwise */
        if (out[i].hardware >= p.hardware)
            p.hardware = out[i].hardware + 1;
    for (size_t i = 0; i < n; i++)
        if (is_same_hardware(c, &out[i], in->theirs))
            p.hardware = out[i].hardware;
    return p;
}

static size_t plan_loopback(const struct hws_card *theirs, struct hws_pair *out, size_t n)
{
    if (n == 0 || theirs->loopback_port == 0)
        return 0;
    out[0] = (struct hws_pair){
        .kind = HWS_PAIR_LOOPBACK,
        .local = hws_addr_loopback(),
        .ifname = "lo",
        .remote = hws_addr_loopback(),
        .port = theirs->loopback_port,
        .speed_mbps = HWS_NETIF_GUESS_MBPS,
        .is_lane = true,
    };
    return 1;
}

static size_t pick_best(const struct hws_pairs_input *in, struct candidate *c, size_t n_c, struct hws_pair *out,
                        size_t n)
{
    size_t k = 0;
    for (; k < n && n_c > 0; k++) {
        size_t best = 0;
        struct rank best_rank = rank_of(&c[0], in, out, k);
        for (size_t i = 1; i < n_c; i++) {
            struct rank r = rank_of(&c[i], in, out, k);
            if (is_better(&r, &best_rank)) {
                best = i;
                best_rank = r;
            }
        }
        out[k] = pair_of(&c[best], in, out, k);
        memmove(&c[best], &c[best + 1], (--n_c - best) * sizeof *c);
    }
    return k;
}

size_t hws_pairs_plan(const struct hws_pairs_input *in, struct hws_pair *out, size_t n)
{
    if (in->theirs->host_id == in->host_id)
        return plan_loopback(in->theirs, out, n);
    struct candidate candidates[MAX_CANDIDATES];
    size_t held, n_c = collect(in, candidates, &held);
    if (n_c == 0 && held > 0 && held == in->theirs->n_addrs)
        return plan_loopback(in->theirs, out, n);
    return pick_best(in, candidates, n_c, out, n);
}
