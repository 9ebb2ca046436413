/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks: a packed buffer that holds one block per rank, from a first rank on around the circle: what algorithms that
 * forward several ranks' blocks as one message work in (allgather, alltoall).
 */
#ifndef HWS_COLL_BLOCKS_H
#define HWS_COLL_BLOCKS_H

#include "coll/schedule/call.h"

struct hws_blocks {
    char *base;
    uint64_t block;  /* bytes of each; when sizes differ: */
    uint64_t *start; /* start[n + 1], bytes: block i is base + start[i] .. base + start[i + 1]; NULL: equal sizes */
};

/* Blocks first .. first + count - 1 as one run. */
static inline struct hws_data hws_blocks_run(const struct hws_blocks *b, int first, int count)
{
    if (!b->start)
        return hws_bytes_at(b->base, (uint64_t)first * b->block, (uint64_t)count * b->block);
    return hws_bytes_at(b->base, b->start[first], b->start[first + count] - b->start[first]);
}

/* Room for the receive blocks of ranks first, first + 1, ... (mod n) as packed blocks 0 .. n - 1. False: no memory. */
bool hws_blocks_of_result(struct hws_sched *s, const struct hws_coll_call *a, int first, struct hws_blocks *b);

#endif
