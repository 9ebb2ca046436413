/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rate: how fast a lane drains, measured while it has something to do. Pure: time is an argument.
 *
 * Time counts from the first acknowledgment after the lane gets something to when it has nothing. Not counted, since it
 * says nothing of the link: idle time; the way there and back, with what the acknowledgments wait behind; the last
 * bytes of the message before; the end of a busy time that was not watched, and of a short one what came before it,
 * too, if the end may have been slower; the wait for a delayed acknowledgment; a few bytes, which wait for the receiver
 * rather than for the link, unless they do so again and again; time in which a lane that is doubted stands still.
 */
#ifndef HWS_STRIPING_RATE_H
#define HWS_STRIPING_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_RATE_SLOTS 8

/* Busy time before there is an answer: shorter looks see bursts and acknowledgments, not the link. */
#define HWS_RATE_MIN_NS ((uint64_t)1000000)

/* All slots together: an older speed is forgotten, by a steady link after 32 ms if it is fast. */
#define HWS_RATE_SLOT_NS   ((uint64_t)16000000)
#define HWS_RATE_WINDOW_NS (HWS_RATE_SLOTS * HWS_RATE_SLOT_NS)

/* So much idle time without anything counted makes a rate old. */
#define HWS_RATE_OLD_NS ((uint64_t)250000000)

/* So long without a slot that was filled, and it is to be looked at more closely. */
#define HWS_RATE_STALE_NS ((uint64_t)100000000)

/* So many full slots make a rate sure: one is off by a factor of two where a receiver is late, or a shaper quick. */
#define HWS_RATE_SURE 4

#define HWS_RATE_NO_PEAK UINT64_MAX

/* Of the slots that are full: how many, and bytes/s of the slowest and the fastest. */
struct hws_rate_full {
    unsigned n;
    uint64_t slowest, fastest;
};

/* The present busy time, or the last one. */
struct hws_rate_busy {
    uint64_t since_ns, rested_ns; /* how long the lane had had nothing before */
    uint64_t from, most;          /* drained when it began; the longest backlog since */
    uint64_t held_bytes, held_ns; /* that count if its end is seen */
    uint64_t few_bytes, few_ns;   /* if it has had few bytes so far: what drained since something had */
    bool has_moved;               /* something has drained in it */
};

/* All zero at first; the fields are private. */
struct hws_rate {
    enum { HWS_RATE_NEW, HWS_RATE_IDLE, HWS_RATE_BUSY } state;
    uint64_t at_ns, drained, backlog; /* of the update from which time counts */
    uint64_t looked_ns, over_ns;      /* when the last busy time was seen to be over */
    struct hws_rate_busy busy;
    unsigned n_slow; /* busy times of few bytes in a row that were slow */
    uint64_t rtt_ns;
    uint64_t idle_ns;   /* since it was last counted or aged */
    uint64_t unseen_ns; /* idle time since it was last counted or doubted */
    unsigned slot;      /* that is being filled; the next one is the oldest */
    unsigned n_full;    /* slots that were ever filled */
    uint64_t filled_ns; /* when the last of them was */
    int odd;            /* how the last full slot differed from those before: 1 faster, -1 slower */
    bool is_known, is_beside;
    uint64_t fastest_other; /* bytes/s, see hws_rate_set_others() */
    uint64_t bytes[HWS_RATE_SLOTS], ns[HWS_RATE_SLOTS];
    uint64_t sum_bytes, sum_ns;
    struct hws_rate_full full;
    uint64_t peak;         /* bytes/s, the best there has been; HWS_RATE_NO_PEAK: doubted */
    uint64_t fresh_bytes;  /* counted since it was doubted */
    uint64_t floor;        /* bytes/s, see hws_rate_floor() */
    uint64_t burst;        /* bytes/s, see hws_rate_burst() */
    uint64_t said, middle; /* bytes/s, see hws_rate_set_said(), hws_rate_middle() */
};

/* The least round trip that the lane has, for busy times of which nothing but begin and end is seen; 0 (at first): it
 * is not known. */
static inline void hws_rate_set_way(struct hws_rate *r, uint64_t rtt_ns)
{
    r->rtt_ns = rtt_ns;
}

/* What its card is said to do, bytes/s; 0 (at first): it is not known. */
static inline void hws_rate_set_said(struct hws_rate *r, uint64_t said)
{
    r->said = r->middle = said;
}

/* Of the other lanes to the same peer: whether one has something to do now that is not known to be slow beside this
 * one, and the rate of the fastest; 0 (at first): there is none, or none is known. */
static inline void hws_rate_set_others(struct hws_rate *r, bool is_beside, uint64_t fastest)
{
    r->is_beside = is_beside;
    r->fastest_other = fastest;
}

/* Tells what the lane has done so far. To be called for all lanes to a peer before one asks hws_stripe_take(), right
 * after bytes are handed over, and every 50 us or so while a lane has a backlog: messages that fit into the kernel's
 * buffers are measured only if somebody looks while they drain.
 *   now_ns              never less than before
 *   drained_total_bytes that left the lane since it was made: acknowledged, or gone from the kernel's queue; not merely
 *                       written to the socket, whose buffer swallows a burst at the speed of memory. If it is less than
 *                       before, the lane was made anew
 *   backlog_bytes       handed to it and not left yet */
void hws_rate_update(struct hws_rate *r, uint64_t now_ns, uint64_t drained_total_bytes, uint64_t backlog_bytes);

/* Bytes a second, at least 1; 0 if not known yet. A rate below the lane's best doubles with each second without use, so
 * that a lane that was slow once is tried again. */
uint64_t hws_rate_of(const struct hws_rate *r);

/* The lane has stood still for something that may be over by now (stall.h), so its rate and its peak are no measure of
 * the link: whatever is measured next counts more, and until then the rate doubles with each second without use,
 * up to that of the fastest of the others, if one is known: more says no more, and would make them slow beside it. */
void hws_rate_doubt(struct hws_rate *r);

/* It rests on whole slots, and what went by the lane for some time since was over before anybody looked, if there was
 * anything: it tells nothing of now. */
static inline bool hws_rate_is_old(const struct hws_rate *r)
{
    return r->full.n > 0 && r->unseen_ns >= HWS_RATE_OLD_NS;
}

static inline bool hws_rate_is_sure(const struct hws_rate *r)
{
    return r->full.n >= HWS_RATE_SURE;
}

/* Nobody has seen for a while what the lane does: messages that are over before anybody looks fill no slot, and what is
 * measured once would hold for as long as they come. */
static inline bool hws_rate_is_stale(const struct hws_rate *r, uint64_t now_ns)
{
    return now_ns - r->filled_ns >= HWS_RATE_STALE_NS;
}

/* How many slots have been filled since the lane was new. */
static inline unsigned hws_rate_slots(const struct hws_rate *r)
{
    return r->n_full;
}

/* Bytes a second: of the slot that was filled last, and of the fastest slots that hold half of the time or more, which
 * is what the lane can do where the rest of the time somebody else was in its way. 0: there is none. */
uint64_t hws_rate_last(const struct hws_rate *r);
uint64_t hws_rate_fast(const struct hws_rate *r);

/* Bytes a second of the slowest and the fastest full slot; 0: there is none. */
static inline uint64_t hws_rate_slowest(const struct hws_rate *r)
{
    return r->full.slowest;
}

static inline uint64_t hws_rate_fastest(const struct hws_rate *r)
{
    return r->full.fastest;
}

/* Bytes a second that it has been at least, of bursts that were over before somebody looked; 0: there was none. It is
 * kept once the rate is known, so that a lane of which only bursts are known is compared with its like. */
static inline uint64_t hws_rate_floor(const struct hws_rate *r)
{
    return r->floor;
}

/* Bytes a second that 32 KiB or more have had at the best of times, be it between two looks; 0: nobody has seen as many
 * at once. */
static inline uint64_t hws_rate_burst(const struct hws_rate *r)
{
    return r->burst;
}

/* Bytes a second that a message of a middle length, on its own, may be expected to have: at first what the card is said
 * to do; less from each one on that was seen to take several times as long, more from each that was over before anybody
 * looked. One that came without a rest while other lanes like this were busy does not count: where all carry as much as
 * their shapers let pass each takes long. The rate is no measure of that. Of a fast link it knows what was seen, which
 * is when a receiver was not scheduled; and a shaper's bucket lets such a message pass though what follows has to wait:
 * more than the card is said to do is not believed of one that had less in each full slot. 0: nothing is known. */
static inline uint64_t hws_rate_middle(const struct hws_rate *r)
{
    bool has_bucket = r->full.n > 0 && r->full.fastest < r->said && r->middle > r->said;
    return has_bucket ? r->said : r->middle;
}

#endif
