/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ids: context ids: which are free, and who has told that it is through with one. Pure: no engine, no clock.
 *
 *   generation | place | leader | kind            32 bits
 *
 * One process, the leader, takes the id of a new communicator from its own places and tells the other members. A place
 * is used again, with the next generation, when all members have freed the communicator. They say so along a tree whose
 * root is the leader, many ids in a letter: nobody waits for it, and it costs next to nothing
 * (docs/decisions/024-context-ids.md).
 */
#ifndef HWS_CORE_IDS_H
#define HWS_CORE_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

#define HWS_CTX_KIND_BITS 3
#define HWS_CTX_RESERVED  3 /* first ids that are never taken: the predefined communicators', and others' below */
#define HWS_CTX_NONE      UINT32_MAX /* no id */

/* Reserved context ids. */
#define HWS_CTX_WORLD   (0u << HWS_CTX_KIND_BITS)
#define HWS_CTX_SELF    (1u << HWS_CTX_KIND_BITS)
#define HWS_CTX_STARTUP (2u << HWS_CTX_KIND_BITS) /* MPI_Comm_create_from_group: there is no parent */

#define HWS_IDS_BUCKETS 64
#define HWS_IDS_LETTER  16 /* ids in a letter at most */

struct hws_ids_place {
    uint32_t next_free;
    uint8_t generation;
    bool taken;
};

struct hws_ids {
    int me;
    unsigned peer_bits, place_bits, generation_bits;
    struct hws_ids_place *places; /* places[cap], the first n_places of which have been used */
    uint32_t n_places, cap;
    uint32_t first_free, last_free; /* list; the one that has been free longest is used first */
    unsigned per_letter;
    void (*tell)(void *arg, int peer, const uint32_t *ids, unsigned n); /* a letter: has the peer call hws_ids_told() */
    void *arg;
    struct hws_list leaving[HWS_IDS_BUCKETS], letters[HWS_IDS_BUCKETS];
};

/* For the process `me` of n_peers. */
void hws_ids_init(struct hws_ids *s, int n_peers, int me,
                  void (*tell)(void *arg, int peer, const uint32_t *ids, unsigned n), void *arg);
void hws_ids_fini(struct hws_ids *s);

/* A free id of this process, or HWS_CTX_NONE. */
uint32_t hws_ids_take(struct hws_ids *s);
/* Gives back one of this process that no member has any more. */
void hws_ids_give(struct hws_ids *s, uint32_t id);

static inline int hws_ids_leader(const struct hws_ids *s, uint32_t id)
{
    return (int)(id >> HWS_CTX_KIND_BITS & ((1u << s->peer_bits) - 1));
}

/* This process is through with an id, as are those below it in the tree once n_children letters' entries have said so.
 * parent: the peer above, -1: this is the leader. */
void hws_ids_leave(struct hws_ids *s, uint32_t id, int parent, int n_children);
/* A letter has come. */
void hws_ids_told(struct hws_ids *s, const uint32_t *ids, unsigned n);

#endif
