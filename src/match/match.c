/* SPDX-License-Identifier: BSD-3-Clause
 *
 * match: the two queues of MPI's matching as intrusive hash tables. An index maps a key to a ring of nodes, oldest
 * first; only the ring's leader is in the bucket's chain, so that thousands of nodes of one key cost one step. Removing
 * a leader puts its successor in its place. The tables double when there are more keys than buckets; a table that
 * cannot grow keeps working, only slower. Invariant: a ring never holds two different keys of its index.
 */
#include "match/match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hot.h"

enum { BY_KEY, BY_CTX }; /* which link of a node an index uses */

enum { WILD_PEER = 1, WILD_TAG = 2 };

static inline unsigned wild_kind(const struct hws_match_key *k)
{
    return (k->peer == HWS_MATCH_ANY_PEER ? WILD_PEER : 0u) | (k->tag == HWS_MATCH_ANY_TAG ? WILD_TAG : 0u);
}

static inline bool is_same(const struct hws_match_index *x, const struct hws_match_key *a,
                           const struct hws_match_key *b, int by)
{
    if (by == BY_CTX)
        return ((a->ctx ^ b->ctx) & x->ctx_mask) == 0;
    return a->ctx == b->ctx && a->peer == b->peer && a->tag == b->tag;
}

/* Multiplicative hashing: odd constants from the fractional parts of the golden ratio and of sqrt(2), sqrt(3); the
 * upper bits of the last product are the best mixed, hence the shift. */
static inline struct hws_match_node **bucket_of(const struct hws_match_index *x, const struct hws_match_key *k, int by)
{
    uint64_t h = (by == BY_KEY ? k->ctx : k->ctx & x->ctx_mask) * 0x9e3779b97f4a7c15ull;
    if (by == BY_KEY)
        h += (uint32_t)k->peer * 0x6a09e667f3bcc909ull + (uint32_t)k->tag * 0xbb67ae8584caa73bull;
    h ^= h >> 32;
    return &x->buckets[(h * 0x9e3779b97f4a7c15ull) >> x->shift];
}

static inline struct hws_match_node *leader_of(const struct hws_match_index *x, const struct hws_match_key *k, int by)
{
    if (x->recent && is_same(x, &x->recent->key, k, by))
        return x->recent;
    struct hws_match_node *n = *bucket_of(x, k, by);
    while (n && !is_same(x, &n->key, k, by))
        n = n->link[by].chain;
    return n;
}

static inline void chain_push(struct hws_match_node **bucket, struct hws_match_node *n, int by)
{
    struct hws_match_link *l = &n->link[by];
    l->chain = *bucket;
    l->back = bucket;
    if (l->chain)
        l->chain->link[by].back = &l->chain;
    *bucket = n;
}

static void index_init(struct hws_match_index *x, uint32_t ctx_mask)
{
    memset(x, 0, sizeof *x);
    x->ctx_mask = ctx_mask;
    x->buckets = x->first;
    x->shift = 64 - 6;
    x->grow_at = HWS_MATCH_FIRST_BUCKETS;
    static_assert(HWS_MATCH_FIRST_BUCKETS == 1 << 6, "shift of the first table");
}

static void index_fini(struct hws_match_index *x)
{
    if (x->buckets != x->first)
        free(x->buckets);
    index_init(x, x->ctx_mask);
}

static void grow(struct hws_match_index *x, int by)
{
    size_t n_old = (size_t)1 << (64 - x->shift);
    struct hws_match_node **old = x->buckets;
    struct hws_match_node **bigger = calloc(2 * n_old, sizeof(struct hws_match_node *));
    x->grow_at *= 2; /* also on failure: the next try is far off */
    if (!bigger)
        return;
    x->buckets = bigger;
    x->shift--;
    for (size_t i = 0; i < n_old; i++)
        for (struct hws_match_node *n = old[i], *next; n; n = next) {
            next = n->link[by].chain;
            chain_push(bucket_of(x, &n->key, by), n, by);
        }
    if (old != x->first)
        free(old);
}

static inline void index_add(struct hws_match_index *x, struct hws_match_node *n, int by)
{
    struct hws_match_node *leader = leader_of(x, &n->key, by);
    struct hws_match_link *l = &n->link[by];
    x->recent = leader ? leader : n;
    if (leader) {
        struct hws_match_link *lead = &leader->link[by];
        l->next = leader;
        l->prev = lead->prev;
        lead->prev->link[by].next = n;
        lead->prev = n;
        l->back = NULL;
        return;
    }
    l->next = l->prev = n;
    chain_push(bucket_of(x, &n->key, by), n, by);
    if (++x->n_keys > x->grow_at)
        grow(x, by);
}

/* Hands the leader's place in the chain to the next oldest, or gives it up with the last node of the ring. */
static inline void abdicate(struct hws_match_index *x, struct hws_match_node *n, int by)
{
    struct hws_match_link *l = &n->link[by];
    struct hws_match_node *heir = l->next;
    if (x->recent == n)
        x->recent = heir == n ? NULL : heir;
    if (heir == n) {
        *l->back = l->chain;
        if (l->chain)
            l->chain->link[by].back = l->back;
        x->n_keys--;
    } else {
        struct hws_match_link *h = &heir->link[by];
        h->chain = l->chain;
        h->back = l->back;
        *h->back = heir;
        if (h->chain)
            h->chain->link[by].back = &h->chain;
    }
    l->back = NULL;
}

static inline void index_remove(struct hws_match_index *x, struct hws_match_node *n, int by)
{
    struct hws_match_link *l = &n->link[by];
    if (l->back)
        abdicate(x, n, by);
    l->prev->link[by].next = l->next;
    l->next->link[by].prev = l->prev;
}

static inline void add_posted(struct hws_match *m, struct hws_match_node *n)
{
    index_add(&m->posted, n, BY_KEY);
    unsigned kind = wild_kind(&n->key);
    if (kind)
        m->n_wild[kind]++;
}

/* A second receive comes, or somebody wants to walk through the index: the lone one goes there too. */
static inline void index_lone(struct hws_match *m)
{
    if (m->lone)
        add_posted(m, m->lone);
    m->lone = NULL;
}

static inline void remove_posted(struct hws_match *m, struct hws_match_node *n)
{
    index_lone(m);
    index_remove(&m->posted, n, BY_KEY);
    m->n_posted--;
    unsigned kind = wild_kind(&n->key);
    if (kind)
        m->n_wild[kind]--;
    n->queued = false;
}

static inline void remove_unexpected(struct hws_match *m, struct hws_match_node *n)
{
    index_remove(&m->unexpected, n, BY_KEY);
    index_remove(&m->by_ctx, n, BY_CTX);
    m->n_unexpected--;
    n->queued = false;
}

/* The oldest of `best` and the wildcard receives that take a message with key k. */
static struct hws_match_node *older_wildcard(struct hws_match *m, const struct hws_match_key *k,
                                             struct hws_match_node *best)
{
    for (unsigned kind = 1; kind < 4; kind++) {
        if (!m->n_wild[kind])
            continue;
        struct hws_match_key wild = *k;
        if (kind & WILD_PEER)
            wild.peer = HWS_MATCH_ANY_PEER;
        if (kind & WILD_TAG)
            wild.tag = HWS_MATCH_ANY_TAG;
        struct hws_match_node *n = leader_of(&m->posted, &wild, BY_KEY);
        if (n && (!best || n->order < best->order))
            best = n;
    }
    return best;
}

static struct hws_match_node *first_arrived(struct hws_match *m, const struct hws_match_key *k)
{
    struct hws_match_node *first = leader_of(&m->by_ctx, k, BY_CTX);
    struct hws_match_node *n = first;
    while (n) {
        if (n->key.ctx == k->ctx && (k->peer == HWS_MATCH_ANY_PEER || n->key.peer == k->peer) &&
            (k->tag == HWS_MATCH_ANY_TAG || n->key.tag == k->tag))
            return n;
        n = n->link[BY_CTX].next;
        if (n == first)
            break;
    }
    return NULL;
}

/* Moves a ring from the index to a private list that is threaded through the by-key chain pointers. */
static struct hws_match_node *detach_ring(struct hws_match *m, struct hws_match_node *leader,
                                          struct hws_match_node *list)
{
    for (;;) {
        struct hws_match_node *next = leader->link[BY_KEY].next;
        bool is_last = next == leader;
        hws_match_remove(m, leader);
        leader->link[BY_KEY].chain = list;
        list = leader;
        if (is_last)
            return list;
        leader = next;
    }
}

void hws_match_init(struct hws_match *m, unsigned generation_bits)
{
    memset(m, 0, sizeof *m);
    index_init(&m->posted, UINT32_MAX);
    index_init(&m->unexpected, UINT32_MAX);
    index_init(&m->by_ctx, UINT32_MAX >> generation_bits);
}

void hws_match_fini(struct hws_match *m)
{
    index_fini(&m->posted);
    index_fini(&m->unexpected);
    index_fini(&m->by_ctx);
    m->lone = NULL;
    m->n_posted = m->n_unexpected = 0;
}

HWS_HOT void hws_match_post(struct hws_match *m, struct hws_match_node *recv)
{
    assert(!recv->queued);
    recv->order = m->next_order++;
    recv->queue = HWS_MATCH_POSTED;
    recv->queued = true;
    if (m->n_posted++ == 0) {
        m->lone = recv;
        return;
    }
    index_lone(m);
    add_posted(m, recv);
}

HWS_HOT struct hws_match_node *hws_match_take_indexed(struct hws_match *m, const struct hws_match_key *k)
{
    struct hws_match_node *n = leader_of(&m->posted, k, BY_KEY);
    if (m->n_wild[WILD_PEER] | m->n_wild[WILD_TAG] | m->n_wild[WILD_PEER | WILD_TAG])
        n = older_wildcard(m, k, n);
    if (n)
        remove_posted(m, n);
    return n;
}

struct hws_match_node *hws_match_find_posted(struct hws_match *m, const struct hws_match_key *k)
{
    index_lone(m);
    return older_wildcard(m, k, leader_of(&m->posted, k, BY_KEY));
}

bool hws_match_is_posted(struct hws_match *m, const struct hws_match_key *k)
{
    index_lone(m);
    return leader_of(&m->posted, k, BY_KEY) != NULL;
}

void hws_match_each_posted(struct hws_match *m, void (*fn)(const struct hws_match_key *k, void *arg), void *arg)
{
    index_lone(m);
    for (size_t i = 0; i < (size_t)1 << (64 - m->posted.shift); i++)
        for (const struct hws_match_node *n = m->posted.buckets[i]; n; n = n->link[BY_KEY].chain)
            fn(&n->key, arg);
}

void hws_match_add_unexpected(struct hws_match *m, struct hws_match_node *msg)
{
    assert(!msg->queued && !wild_kind(&msg->key));
    msg->order = m->next_order++;
    msg->queue = HWS_MATCH_UNEXPECTED;
    msg->queued = true;
    index_add(&m->unexpected, msg, BY_KEY);
    index_add(&m->by_ctx, msg, BY_CTX);
    m->n_unexpected++;
}

struct hws_match_node *hws_match_find_unexpected(struct hws_match *m, const struct hws_match_key *k, bool take)
{
    if (!m->n_unexpected)
        return NULL;
    struct hws_match_node *n = wild_kind(k) ? first_arrived(m, k) : leader_of(&m->unexpected, k, BY_KEY);
    if (n && take)
        remove_unexpected(m, n);
    return n;
}

void hws_match_remove(struct hws_match *m, struct hws_match_node *n)
{
    if (!n->queued)
        return;
    if (n->queue == HWS_MATCH_POSTED)
        remove_posted(m, n);
    else
        remove_unexpected(m, n);
}

void hws_match_each_other(struct hws_match *m, uint32_t ctx, void (*fn)(struct hws_match_node *n, void *arg), void *arg)
{
    struct hws_match_key key = {.ctx = ctx};
    struct hws_match_node *n = m->n_unexpected ? leader_of(&m->by_ctx, &key, BY_CTX) : NULL;
    struct hws_match_node *last = n ? n->link[BY_CTX].prev : NULL;
    while (n) {
        struct hws_match_node *next = n == last ? NULL : n->link[BY_CTX].next;
        if (n->key.ctx != ctx)
            fn(n, arg);
        n = next;
    }
}

void hws_match_drain(struct hws_match *m, enum hws_match_queue queue, int32_t peer, bool all,
                     void (*fn)(struct hws_match_node *n, void *arg), void *arg)
{
    struct hws_match_index *x = queue == HWS_MATCH_POSTED ? &m->posted : &m->unexpected;
    struct hws_match_node *list = NULL;
    index_lone(m);
    for (size_t i = 0; i < (size_t)1 << (64 - x->shift); i++)
        for (struct hws_match_node *n = x->buckets[i], *next; n; n = next) {
            next = n->link[BY_KEY].chain;
            if (all || n->key.peer == peer)
                list = detach_ring(m, n, list);
        }
    while (list) {
        struct hws_match_node *n = list;
        list = n->link[BY_KEY].chain;
        fn(n, arg);
    }
}
