/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spin: how long a wait polls before it sleeps (docs/design.md, Waiting). Pure: the caller measures. Polling answers
 * some microseconds sooner than a sleep that must be ended by the kernel, but takes the processor from ranks that have
 * work, and burns it for nothing when the wait is long. So the budget follows the length of recent waits.
 */
#ifndef HWS_PEER_STATE_SPIN_H
#define HWS_PEER_STATE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_SPIN_LOOK_FIRST_NS ((uint64_t)100000)
#define HWS_SPIN_LOOK_NS       ((uint64_t)10000000)
#define HWS_SPIN_PATIENCE_NS   20000
#define HWS_SPIN_ALONE_NS      1500 /* a yield that nobody else takes; with a change of thread and back it is longer */

struct hws_spin {
    uint64_t max_ns;               /* -spin; 0: never spin */
    uint64_t budget_ns;            /* in force */
    uint64_t wait8_ns;             /* 8 times the moving average (weight 1/8) of waits, each cut at 32 max_ns */
    uint64_t looked_ns, queued_ns; /* when the run queue was looked at last, and what it said */
    uint64_t look_ns;              /* the least time until the next look, which costs 9 us */
    uint8_t full;      /* a bit for each of the last looks, in this rest: whether all processors were in use */
    uint8_t n_parting; /* looks one after another at which others wanted this one and one was free */
    uint64_t rest_ns, rest_end_ns; /* how long the last rest is, and until when; 0: there is none */
    bool yields;                   /* between two looks, in this rest */
    uint64_t rest_queued_ns;       /* what the run queue said when it began */
    int n_shared;                  /* yields before a sleep that let others run, less those that did not */
    uint64_t slow_ns;              /* that yields of this rest took which were slow */
    uint64_t yielded_ns;           /* that all yields took, the older ones less, ... */
    uint64_t dear_ns;              /* ... and those of them that were slow */
    uint64_t patience_ns;          /* see hws_spin_patience() */
    uint8_t shun, to_shun;         /* so many rests without yields behind a slow one; of those, still to come */
};

/* max_ns: the longest spin. Where ranks are more than their processors (base/cpus.h) it is taken as 0: whoever spins
 * then keeps the one from running that he waits for. */
void hws_spin_init(struct hws_spin *s, uint64_t max_ns, bool is_crowded);

/* How long the next wait may spin (ns): max_ns while waits average up to eight times that, a hint of it (1/64) from
 * sixteen times on, in between evenly less. */
static inline uint64_t hws_spin_budget(const struct hws_spin *s)
{
    return s->budget_ns;
}

/* Whether waits spin without a yield, and for as long as they ever may. */
static inline bool hws_spin_is_full(const struct hws_spin *s)
{
    return s->max_ns > 0 && s->budget_ns == s->max_ns && !s->yields;
}

/* Whether a wait may spin for longer than its budget, for another reason: nobody else wants the processor, or it is
 * left to them between two looks. */
static inline bool hws_spin_may_watch(const struct hws_spin *s)
{
    return s->max_ns > 0 && (s->rest_end_ns == 0 || s->yields);
}

/* Whether a spin lets others run between two looks: those that want the processor may be the ones that it waits for. */
static inline bool hws_spin_yields(const struct hws_spin *s)
{
    return s->yields;
}

/* How long a wait looks before it yields, or sleeps where waits do not yield in this rest: 0, or, where most of the
 * time that was left to others lately went to such as compute, so much that what is under way is there before. A yield
 * is dear then, and a sleeper is woken late (docs/decisions/060). */
static inline uint64_t hws_spin_patience(const struct hws_spin *s)
{
    return s->patience_ns;
}

/* How long the processor was left to others, until now. Whole time slices for an eighth of the rest: they compute, and
 * have nothing that is waited for; so the rest of it and some more rests are spent asleep, as a sleeper is woken at
 * once.
 */
void hws_spin_yielded(struct hws_spin *s, uint64_t took_ns, uint64_t now_ns);

/* The same of one yield between a spin in vain and the sleep: ranks that yield leave the processor to whoever spins,
 * who then hardly ever stands in the run queue. */
void hws_spin_tried(struct hws_spin *s, uint64_t took_ns);

/* After a sleep or a yield: whether it is time to look at the run queue (base/runq.h), for hws_spin_judge(). */
static inline bool hws_spin_is_judged(const struct hws_spin *s, uint64_t now_ns)
{
    return s->max_ns > 0 && now_ns - s->looked_ns >= s->look_ns;
}

/* The first looks of a job follow each other sooner, so that its first calls do not find ranks which spin for those
 * that want their processors. */
static inline bool hws_spin_is_early(const struct hws_spin *s)
{
    return s->look_ns < HWS_SPIN_LOOK_NS;
}

/* queued_ns: how long this thread has been ready to run and did not; is_full: whether all processors are in use
 * (hws_runq_is_full). Where it was a quarter of the time, the processors have more to do than to wait, be it for ranks
 * of other hosts on the same machine, be it for other programs: for a while, longer each time that this is found again,
 * waits yield between two looks, or, where that leads to nothing, look no longer than the floor.
 *
 * Two ranks may share a processor while another idles, for which they need not yield but part (base/runq.h): so all
 * processors must have been in use at the look before, too, and at some look of each rest; or some later looks found
 * this processor wanted all the same, as where a job may use few of the machine's processors. */
void hws_spin_judge(struct hws_spin *s, uint64_t now_ns, uint64_t queued_ns, bool is_full);

/* Takes in a wait that has ended: its whole length, also when the budget was too short for it or nought, so that the
 * budget grows again when waits become short. found_while_spinning: it ended before it slept. */
void hws_spin_learn(struct hws_spin *s, uint64_t waited_ns, bool found_while_spinning);

#endif
