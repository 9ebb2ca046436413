/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs: alltoallv and alltoallw through memory that ranks share, where each pair of ranks has a length of its own,
 * known only to the two. Each rank fills a packet: what it gives to and expects from each rank, then the blocks that
 * are short enough. Both of a pair see both numbers, so they agree on what is left for a message: longer blocks whose
 * lengths agree. Other lengths than are due are MPI_ERR_TRUNCATE where they are due.
 *
 *   packet:  pair 0 | pair 1 | .. | pair p-1 | blocks         of ranks, but for the own one
 */
#ifndef HWS_COLL_PAIRS_H
#define HWS_COLL_PAIRS_H

#include "coll/shm/shm.h"

struct hws_shm_pair {
    uint64_t gives, expects; /* bytes, by whose packet it is */
    uint64_t at;             /* of the block, seen from the packet's begin */
};

/* Bytes of a block in a packet. */
static inline uint64_t hws_pair_room(uint64_t block)
{
    return (block + 7) & ~(uint64_t)7;
}

struct hws_hosts;

/* One call at one rank. */
struct hws_pairs {
    const struct hws_coll_call *a;
    uint64_t fits, fits_far;       /* bytes: longer blocks are messages; far: to another host */
    const struct hws_hosts *hosts; /* NULL: all ranks share memory */
    MPI_Count *far; /* far[2 * size]: elements that go to each rank in messages, then those that come; `few` or owned */
    int n_far, rc;
    MPI_Count few[16]; /* few ranks need no memory of their own */
};

/* The longest block that goes through packets of `room` bytes: on one host, between hosts. Less than 64: such calls
 * can't. */
uint64_t hws_pairs_fit(size_t room, int size);
uint64_t hws_pairs_fit_far(size_t room, int size);

/* hosts, room: of the call's communicator, NULL: one host with slots of so many bytes. A failure is kept in rc. */
void hws_pairs_init(struct hws_pairs *x, const struct hws_coll_call *a, const struct hws_hosts *hosts, size_t room);
/* Bytes that any packet may take. */
uint64_t hws_pairs_room(const struct hws_pairs *x);
/* Fills the own packet, which is a slot of r (NULL: is not). */
void hws_pairs_put(const struct hws_pairs *x, struct hws_region *r, struct hws_region_slot *own);
/* Takes what comes from a rank: its pair with this one, with the block's place seen from `packet`. */
void hws_pairs_take(struct hws_pairs *x, int from, const struct hws_shm_pair *pair, const uint8_t *packet);
/* The same from its slot, which may say that it failed. */
void hws_pairs_take_slot(struct hws_pairs *x, int from, const struct hws_region_slot *slot);
/* Frees what x owns: where hws_pairs_finish is not called. */
void hws_pairs_fini(struct hws_pairs *x);
/* The own block, and messages. Of all ranks, once each, whatever happened before. Frees what x owns. MPI class. */
int hws_pairs_finish(struct hws_pairs *x);

/* Whether a block of so many bytes between this rank and another one is a message. */
bool hws_pairs_is_long(const struct hws_pairs *x, int rank, uint64_t len);

/* Bytes of the pairs of a packet. */
static inline uint64_t hws_pairs_bytes(int size)
{
    return (uint64_t)(size - 1) * sizeof(struct hws_shm_pair);
}

/* In the packet of rank `of`: its pair with another rank. */
static inline struct hws_shm_pair *hws_pair_in(uint8_t *packet, int of, int with)
{
    return (struct hws_shm_pair *)(void *)packet + (with < of ? with : with - 1);
}

static inline const struct hws_shm_pair *hws_pair_of(const struct hws_region_slot *slot, int of, int with)
{
    return (const struct hws_shm_pair *)(const void *)slot->data + (with < of ? with : with - 1);
}

#endif
