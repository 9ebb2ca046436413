/* SPDX-License-Identifier: BSD-3-Clause
 *
 * direct: long blocks of collectives that are not put into slots but read out of their owner's memory, by whoever takes
 * them. Which is quicker depends on where the ranks run (shm/copies.h, decision 044); so both ways are weighed, for
 * each kind of call and class of lengths, by member 0, which says in the region what the others shall do. A slot says
 * itself which way its block goes, so nothing goes wrong where they learn of it late.
 *
 * A call in which some block was offered so ends with a meeting (settle): the owners go on when all have read. A member
 * whose kernel lets it read nothing says so there; then all run the call again through slots, now and for ever.
 */
#ifndef HWS_COLL_DIRECT_H
#define HWS_COLL_DIRECT_H

#include "coll/shm/shm.h"
#include "peer/areas.h"

#define HWS_DIRECT_MIN HWS_COPIES_MIN /* bytes of a block, from which on calls come here */

enum hws_direct_kind { HWS_DIRECT_BCAST, HWS_DIRECT_ALLGATHER, HWS_DIRECT_ALLTOALL, HWS_DIRECT_KINDS };

/* One call at one member. */
struct hws_direct_call {
    enum hws_direct_kind kind;
    uint64_t len;     /* bytes of the longest block, the same at all members */
    bool offers;      /* this member's block is to be offered, if it is in one piece */
    bool was_offered; /* some block was, whether or not it is read here */
    bool failed;      /* one could not be read */
};

/* Whether a slot that has come has an offer. */
static inline bool hws_direct_is_offer(const struct hws_region_slot *s)
{
    return s->words == UINT32_MAX && s->bytes != HWS_SLOT_BAD;
}

/* Begins a call. */
void hws_direct_begin(struct hws_direct_call *c, struct hws_region *r, enum hws_direct_kind kind, uint64_t len);

/* Fills a slot with an offer of d instead of its data; blocks behind the first one follow `distance` bytes apart. */
void hws_direct_offer(struct hws_direct_call *c, struct hws_region_slot *s, struct hws_data d, uint64_t distance);

/* Reads block `index` of what member `from` has offered in slot s into d, which is as long. */
void hws_direct_read(struct hws_direct_call *c, const struct hws_region *r, int from, const struct hws_region_slot *s,
                     uint64_t index, struct hws_data d);

/* The end of a call, at all members. *again: it is to be run once more, through slots. rc: what it came to so far. MPI
 * class. */
int hws_direct_end(struct hws_direct_call *c, struct hws_region *r, int rc, bool *again);

#endif
