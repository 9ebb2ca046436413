/* SPDX-License-Identifier: BSD-3-Clause
 *
 * multicast: see multicast.h.
 */
#include "coll/flat/multicast.h"

#include "coll/schedule/cast.h"

/* What all ranks together send at a time (bytes). All of it meets at each receiver's link, where a switch has room for
 * some hundred KiB; the more there is, the less the network waits for the next rank. */
#define AT_A_TIME (128u << 10)

/* Where a message is contiguous. */
static struct hws_data flat_of(struct hws_sched *s, struct hws_data d)
{
    return d.layout ? hws_bytes(hws_sched_temp(s, d.len_bytes), d.len_bytes) : d;
}

void hws_multicast_one(struct hws_sched *s, struct hws_data d, int root)
{
    struct hws_data flat = flat_of(s, d);
    if (d.layout && s->rank == root)
        hws_sched_copy(s, d, flat);
    hws_sched_cast(s, flat, root);
    if (d.layout && s->rank != root) {
        hws_sched_fence(s);
        hws_sched_copy(s, flat, d);
    }
}

/* A rank's turn comes when it has all of the ranks before. */
static void take_turns(struct hws_sched *s, const struct hws_data *flat)
{
    uint64_t under_way = 0;
    for (int i = 0; i < s->size; i++) {
        uint64_t len = flat[i].len_bytes;
        if (len == 0)
            continue;
        if (under_way > 0 && under_way + len > AT_A_TIME) {
            hws_sched_fence(s);
            under_way = 0;
        }
        hws_sched_cast(s, flat[i], i);
        under_way += len;
    }
}

void hws_multicast_blocks(struct hws_sched *s, const struct hws_data *blocks)
{
    struct hws_data *flat = hws_sched_array(s, (uint64_t)s->size * sizeof *flat);
    if (s->fail.rc != MPI_SUCCESS)
        return;
    for (int i = 0; i < s->size; i++)
        flat[i] = flat_of(s, blocks[i]);
    if (blocks[s->rank].layout)
        hws_sched_copy(s, blocks[s->rank], flat[s->rank]);
    take_turns(s, flat);
    hws_sched_fence(s);
    for (int i = 0; i < s->size; i++)
        if (blocks[i].layout && i != s->rank)
            hws_sched_copy(s, flat[i], blocks[i]);
}
