/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copies: whether a long message within a host is copied once, by the receiver out of the sender's memory, or twice,
 * through the ring by both at once. Which is quicker depends on where the two run: through shared caches the ring
 * takes a quarter of a single copy's time for 64 KiB, between cores of their own up to twice as long for 256 KiB in
 * both directions (decision 044). So both ways are tried, for each class of lengths, and the quicker one is taken from
 * then on; the other one is tried again at times.
 *
 * What counts is the time from the end of one message to the end of another one some messages later: a lap. It has in
 * it what a way costs the sender, what both directions do to each other, and what the program does in between, so a way
 * is taken for what it gains the program. Two ways are compared by laps that came one after the other. Pure: times are
 * arguments.
 */
#ifndef HWS_SHM_COPIES_H
#define HWS_SHM_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_COPIES_MIN     (32u << 10) /* bytes: shorter messages are not weighed, they go through the ring */
#define HWS_COPIES_CLASSES 8           /* by powers of two; the last one is open */
#define HWS_COPIES_KEPT    4           /* laps of the way taken: the least counts, as what disturbs makes them longer */

struct hws_copies {
    uint64_t once, twice; /* bytes that have come either way */
    struct hws_copies_lap {
        uint64_t begin_ns, once, twice; /* the above at that time */
        int class;
    } lap; /* now */
    struct hws_copies_class {
        uint32_t laps[HWS_COPIES_KEPT]; /* ns for each 64 KiB, of the way taken since it was */
        uint32_t n_laps;                /* ever, since then */
        uint32_t level;                 /* the least of those kept when both were compared last */
        uint32_t trial, n_trials;       /* the least lap of the other way in the present or last trial; how many */
        uint32_t n_tried;               /* messages of that trial */
        uint32_t n_since, pause;        /* messages since the last trial, and how many the next one waits; 0: a few */
        bool is_known;                  /* there has been a trial */
        bool is_once;                   /* the way taken */
        bool is_trying;                 /* the other one is tried now */
    } of[HWS_COPIES_CLASSES];
};

/* A lap is over when as much has come as so many messages have: fewer of those that last for a tenth of a millisecond
 * and more, of which a program may not have many. */
static inline unsigned hws_copies_lap(int class)
{
    return class < 2 ? 8 : class < 5 ? 4 : 2;
}

/* The class of a length, which is at least HWS_COPIES_MIN. */
int hws_copies_class(uint64_t len_bytes);

/* Chooses the way for a message of a class. */
void hws_copies_choose(struct hws_copies *c, int class);
/* Another rank has chosen it, as all that follow each other go the same way: nothing is measured. */
void hws_copies_follow(struct hws_copies *c, int class, bool once);

/* What has been chosen for the last one. True: once. */
static inline bool hws_copies_is_once(const struct hws_copies *c, int class)
{
    return c->of[class].is_trying != c->of[class].is_once;
}

/* So many bytes have come, of a message that has its end later. */
static inline void hws_copies_came(struct hws_copies *c, bool once, uint64_t bytes)
{
    *(once ? &c->once : &c->twice) += bytes;
}

/* A message of len_bytes has come whole. */
void hws_copies_ended(struct hws_copies *c, uint64_t len_bytes, uint64_t now_ns);

#endif
