/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stripe: which lane to a peer carries which bytes. Lanes pull: whoever has room asks how much to take, and the answer
 * follows from when each lane would be done. Pure integer arithmetic without memory: the caller measures and passes
 * what it measured (rate.h), since shares by nominal speed lose most of the gain (docs/decisions, pull scheduler).
 */
#ifndef HWS_STRIPING_STRIPE_H
#define HWS_STRIPING_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"

#define HWS_STRIPE_AHEAD  (96u << 10) /* bytes by which a lane may be ahead and counts as even */
#define HWS_STRIPE_SLOWER 2           /* so many times as slow as the fastest, a lane is not its like */

struct hws_stripe_lane {
    bool open;                 /* others get nothing and count for nothing */
    uint64_t rate;             /* measured drain, bytes/s; 0: not known yet, counts as the best known one */
    uint64_t slowest, fastest; /* that it has been at times, while that was measured; 0: not known */
    uint64_t backlog;          /* bytes handed to the lane that have not left it: in its own queue and in the kernel */
    uint64_t latency_ns;       /* one way; 0: not known, counts as the least known one */
    uint64_t floor; /* bytes/s that its bursts have shown, of a rate that is not known the least; 0: none were seen */
    uint64_t stall_ns; /* how long it has to be expected to stand still, beside its latency (stall.h) */
    uint64_t nominal;  /* speed by what the drivers tell, in any unit, for rates that are not known; or 0 */
    uint64_t ahead;    /* bytes that it has carried of late beyond those of the lane that has carried least */
    uint64_t burst;    /* bytes/s, the best that was ever seen of 32 KiB or more; 0: none were */
    bool is_guess;     /* the rate was not measured for long (rate.h): it may be off by a factor */
};

/* ahead[n]: bytes that each lane has carried beyond a mark of its own. Moves the marks, so that none is ahead by more
 * than `most`, which was carried of late: a lane further behind, as one is that counts as slow, is left behind, and the
 * others go on to take turns. */
void hws_stripe_even(uint64_t *ahead, size_t n, uint64_t most);

/* The lane for a first fragment of `bytes`: the one of least expected arrival, backlog / rate + latency + stall + bytes
 * / rate, or one that has it across nearly as soon:
 *   back     the lane by which the other end's last message came (n: none), since its acknowledgment travels along
 *   rotates  true: not where a message takes a link longer than the way there. A link that took the last one at once
 * may need its time before it takes the next (a shaper's bucket), so such messages take turns: the lane that is least
 * ahead is next. One end of two says so, and the other one sends back by the same lanes, unless that one is ahead by
 * HWS_STRIPE_AHEAD. Unknown rates count as the best known one, in proportion to what is nominal, so that new lanes are
 * tried. n (at most HWS_MAX_LANES) if none is open. */
size_t hws_stripe_first(const struct hws_stripe_lane *lanes, size_t n, uint64_t bytes, size_t back, bool rotates);

/* How many bytes lane `me`, which is open and has room, should take now.
 *   left       bytes of bulk that are not handed to any lane yet
 *   min_frag   no piece is shorter, except the last one; at most max_frag
 *   max_frag   longest piece, taken by the fastest lane; the others' are shorter in proportion to their rate, so that a
 *              piece takes about the same time on each
 * returns 1 to min(left, max_frag), or 0 to leave them to the others: they would be done sooner. Near the end pieces
 * shrink so that all lanes finish together. Of messages of a middle length a lane gets less that is further ahead than
 * HWS_STRIPE_AHEAD: so lanes carry the same in the long run, whatever chance made of their rates. For the same
 * arguments at least one open lane takes something; a single one always takes min(left, max_frag). But a lane of
 * unknown rate beside others has no more than about 2 * max_frag in it until something of its rate is known. Who got 0
 * asks again when a lane's backlog, rate or state has changed. */
uint64_t hws_stripe_take(const struct hws_stripe_lane *lanes, size_t n, size_t me, uint64_t left, uint64_t min_frag,
                         uint64_t max_frag);

#endif
