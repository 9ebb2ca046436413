/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copies: whether a long message within a host is copied once, by the receiver out of the sender's memory, or twice,
 * through the ring by both at once. Which is quicker depends on where the two run: through shared caches the ring
 * takes a quarter of a single copy's time for 64 KiB, between cores of their own up to twice as long for 256 KiB in
 * both directions (decision 044). So both ways are tried, for each class of lengths, and the quicker one is taken from
 * then on; the other one is tried again at times. Pure: times are arguments.
 */
#ifndef HWS_SHM_COPIES_H
#define HWS_SHM_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_COPIES_MIN     (128u << 10) /* bytes: shorter messages are not weighed, they go through the ring */
#define HWS_COPIES_CLASSES 6            /* by powers of two; the last one is open */
#define HWS_COPIES_KEPT    4            /* times of each way: the least counts, as what disturbs makes them longer */

struct hws_copies {
    struct hws_copies_class {
        struct hws_copies_way {
            uint32_t cost[HWS_COPIES_KEPT]; /* ns for each 64 KiB */
            uint32_t n;                     /* times taken ever */
        } once, twice;
        bool is_once;            /* the quicker way, as far as is known */
        uint32_t n_since, pause; /* messages since the slower one was tried, and how many it waits */
        uint32_t n_left;         /* of those that try it now */
        uint32_t level;          /* the quicker one's time when the slower one was tried last */
    } of[HWS_COPIES_CLASSES];
};

/* The way for a message of so many bytes, at least HWS_COPIES_MIN. True: once. */
bool hws_copies_choose(struct hws_copies *c, uint64_t len_bytes);

/* A message of len_bytes went so; meanwhile `bytes` in all (> 0) came that way in ns. */
void hws_copies_took(struct hws_copies *c, bool once, uint64_t len_bytes, uint64_t bytes, uint64_t ns);

#endif
