/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runq: a rank whose processor also runs the one that it waits for goes to another processor (docs/decisions/035).
 *
 * Two ranks that spin before they sleep can share a processor for long while another idles: at most one of them is ever
 * in the run queue when the kernel looks for what to balance. Each of their messages then takes a whole spin. The
 * kernel counts how long a thread was ready to run and did not: that tells this from a partner that is slow.
 */
#ifndef HWS_BASE_RUNQ_H
#define HWS_BASE_RUNQ_H

#include <stdbool.h>
#include <stdint.h>

struct hws_runq {
    uint64_t queued_ns; /* ready to run without running, as of the last look */
    uint64_t turns;     /* a bit for each move: whether this rank waits longer before it */
    uint32_t n_sleeps;  /* since the last move, one after another, each behind a spin in vain */
    uint32_t n_moves;   /* and looks that found no reason for one */
    uint32_t gap;       /* so many sleeps lead to a move, if time was lost in the queue before the last of them ... */
    uint32_t more;      /* ... and so many more where moves were in vain */
    uint32_t n_spun;    /* yields since the last move during which another one spun, */
    uint32_t spun_more; /* of which so many lead to none, as moves were in vain */
};

#define HWS_RUNQ_GAP   2 /* sleeps at least: a look costs 3 us, and a spin in vain 100 */
#define HWS_RUNQ_LATER 2 /* so many more for who is to go last: the other one may count from another sleep on */

/* Two ranks that share a processor must not go to the same other one at the same time, again and again: who moves first
 * is another question each time, which each rank's number answers. */
void hws_runq_init(struct hws_runq *r, int rank);

/* A wait found what it waited for while it spun. */
static inline void hws_runq_found(struct hws_runq *r)
{
    r->n_sleeps = 0;
    r->more = 0;
    r->n_spun = 0;
    r->spun_more = 0;
}

/* Behind a spin of spin_ns in vain a yield took took_ns, on the same processor, and something had come then. True:
 * somebody else spun here meanwhile for as long, so likely he had answered and waits, and another processor is better
 * for this one. He finds nothing at the end of his own yield before this one has gone, and so stays. */
bool hws_runq_yielded(struct hws_runq *r, uint64_t took_ns, uint64_t spin_ns);

/* A wait has spun in vain and is to sleep. True: it is time to look, with hws_runq_judge(). */
static inline bool hws_runq_slept(struct hws_runq *r)
{
    return ++r->n_sleeps + 1 >= r->gap + r->more;
}

/* What was lost in the run queue up to now is no reason to move. queued_ns: hws_runq_queued_ns(). */
static inline void hws_runq_note(struct hws_runq *r, uint64_t queued_ns)
{
    r->queued_ns = queued_ns;
}

/* queued_ns: hws_runq_queued_ns() now. True: time was lost in the run queue since the last sleep, so another processor
 * may be better. What was lost before does not count: the other rank may have gone meanwhile. Where moves do not help,
 * the next looks come later and later. */
bool hws_runq_judge(struct hws_runq *r, uint64_t queued_ns);

/* How long the calling thread was ready to run and did not (ns); 0: this kernel doesn't tell. */
uint64_t hws_runq_queued_ns(void);

/* Whether more threads of the machine are ready to run than it has processors; false: this kernel doesn't tell. */
bool hws_runq_is_full(void);

/* Moves the calling thread to the processor that follows among those it may use. False: it has no other, or must not.
 */
bool hws_runq_move(void);

/* The same to the processor of that number. */
bool hws_runq_move_to(int cpu);

#endif
