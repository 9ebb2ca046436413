/* SPDX-License-Identifier: BSD-3-Clause
 *
 * match: which receive gets which message (MPI 5.0 section 3.5: messages of one pair and communicator do not overtake,
 * and the oldest matching receive wins). Pure data: no system call, no clock, no lock. The owner embeds a node in each
 * receive and in each unexpected message and keeps it still while `queued`; nothing is allocated per operation.
 *
 * Posted receives lie in a hash by their key, wildcards included as they are: an arriving message looks up its exact
 * key and, only while wildcard receives exist, the three keys that could also match, and the oldest of the heads found
 * wins. Unexpected messages lie in a hash by key and in one list per context in order of arrival, which wildcards walk.
 */
#ifndef HWS_MATCH_MATCH_H
#define HWS_MATCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_MATCH_ANY_PEER (-1) /* posted receives and look-ups only */
#define HWS_MATCH_ANY_TAG  (-2) /* posted receives and look-ups only */

struct hws_match_key {
    uint32_t ctx;
    int32_t peer;
    int32_t tag;
};

struct hws_match_node;

/* Nodes of one key form a ring in order of age. The oldest, its leader, alone is in the bucket's chain. */
struct hws_match_link {
    struct hws_match_node *next, *prev; /* ring */
    struct hws_match_node *chain;       /* leader: next leader of the bucket */
    struct hws_match_node **back;       /* leader: what points at it; NULL: not a leader */
};

enum hws_match_queue { HWS_MATCH_POSTED, HWS_MATCH_UNEXPECTED };

struct hws_match_node {
    struct hws_match_key key;      /* set by the owner before queueing, untouched until !queued */
    bool queued;                   /* initialise to false */
    uint8_t queue;                 /* enum hws_match_queue, valid while queued */
    uint64_t order;                /* age: set when queued, grows */
    struct hws_match_link link[2]; /* by key; by context (unexpected only) */
};

#define HWS_MATCH_FIRST_BUCKETS 64

struct hws_match_index {
    struct hws_match_node **buckets;
    struct hws_match_node *first[HWS_MATCH_FIRST_BUCKETS];
    struct hws_match_node *recent; /* the leader of the key that was added last, or NULL: windows are of one key */
    size_t n_keys;
    size_t grow_at;    /* number of keys that triggers the next growth */
    unsigned shift;    /* 64 - log2(number of buckets) */
    uint32_t ctx_mask; /* bits of a context that count here: by_ctx takes all generations of one for the same */
};

struct hws_match {
    struct hws_match_index posted, unexpected, by_ctx;
    struct hws_match_node *lone; /* the only posted receive, kept out of the index: in and out cost nothing; or NULL */
    size_t n_posted, n_unexpected;
    size_t n_wild[4]; /* posted wildcards by kind; [0] unused */
    uint64_t next_order;
};

/* Caller's memory; it must not move afterwards. The highest generation_bits of a context tell generations of it apart.
 */
void hws_match_init(struct hws_match *m, unsigned generation_bits);

/* Frees the tables. Nodes still queued are forgotten, not touched: drain first. */
void hws_match_fini(struct hws_match *m);

/* Queues a receive; its key may hold wildcards. */
void hws_match_post(struct hws_match *m, struct hws_match_node *recv);

/* hws_match_take_posted() where more than one receive is posted. */
struct hws_match_node *hws_match_take_indexed(struct hws_match *m, const struct hws_match_key *k);

/* The oldest posted receive that takes a message with key k (no wildcards), removed; or NULL. */
static inline struct hws_match_node *hws_match_take_posted(struct hws_match *m, const struct hws_match_key *k)
{
    struct hws_match_node *n = m->lone;
    if (!n)
        return m->n_posted ? hws_match_take_indexed(m, k) : NULL;
    if (n->key.ctx != k->ctx || (n->key.peer != k->peer && n->key.peer != HWS_MATCH_ANY_PEER) ||
        (n->key.tag != k->tag && n->key.tag != HWS_MATCH_ANY_TAG))
        return NULL;
    m->lone = NULL;
    m->n_posted = 0;
    n->queued = false;
    return n;
}

/* The oldest posted receive that takes a message with key k, left where it is; or NULL. */
struct hws_match_node *hws_match_find_posted(struct hws_match *m, const struct hws_match_key *k);

/* A receive of exactly this key, wildcards included as they are, is posted. */
bool hws_match_is_posted(struct hws_match *m, const struct hws_match_key *k);

/* Calls fn for each different key of the posted receives. fn must not post or take any. */
void hws_match_each_posted(struct hws_match *m, void (*fn)(const struct hws_match_key *k, void *arg), void *arg);

/* Queues a message that no posted receive takes; its key has no wildcards. */
void hws_match_add_unexpected(struct hws_match *m, struct hws_match_node *msg);

/* The message that arrived first of those that match k (which may hold wildcards), or NULL. Removed if `take`. */
struct hws_match_node *hws_match_find_unexpected(struct hws_match *m, const struct hws_match_key *k, bool take);

/* The next younger message of exactly the same key; the oldest one's after the youngest. n is an unexpected message. */
static inline struct hws_match_node *hws_match_next_alike(const struct hws_match_node *n)
{
    return n->link[0].next;
}

/* Takes a node out of whichever queue it is in; nothing if it is in none. */
void hws_match_remove(struct hws_match *m, struct hws_match_node *n);

/* Removes the nodes of one queue whose key names exactly `peer` (HWS_MATCH_ANY_PEER: receives from any source), or all
 * nodes if `all`, then calls fn for each of them in no particular order. fn may queue and free nodes. */
void hws_match_drain(struct hws_match *m, enum hws_match_queue queue, int32_t peer, bool all,
                     void (*fn)(struct hws_match_node *n, void *arg), void *arg);

/* Calls fn for each unexpected message of another generation of this context. fn may remove that node, and nothing
 * else. */
void hws_match_each_other(struct hws_match *m, uint32_t ctx, void (*fn)(struct hws_match_node *n, void *arg),
                          void *arg);

static inline size_t hws_match_n_posted(const struct hws_match *m)
{
    return m->n_posted;
}

static inline size_t hws_match_n_unexpected(const struct hws_match *m)
{
    return m->n_unexpected;
}

#endif
