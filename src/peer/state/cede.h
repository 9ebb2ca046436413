/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cede: when a wait in vain leaves the processor to others, where a rank has several threads (docs/decisions/057).
 * Pure: the caller measures, and yields.
 *
 * The thread that is waited for may be ready to run, behind this one on this processor, while another one idles; or it
 * is a thread of the other rank's whose turn would come if the one that runs there gave way. Where two ranks both run
 * the thread that the other one does not need, only one of them is to change: so how long they wait before it is drawn
 * by lot each time.
 */
#ifndef HWS_PEER_STATE_CEDE_H
#define HWS_PEER_STATE_CEDE_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_CEDE_LEAST_NS ((uint64_t)3000)    /* of waiting in vain: an answer that is under way comes sooner, ... */
#define HWS_CEDE_RANGE_NS ((uint64_t)6000)    /* ... and by lot up to so much more */
#define HWS_CEDE_SLOW_NS  ((uint64_t)1000000) /* whoever has the processor for so long computes */
#define HWS_CEDE_SHUN     32                  /* times what a slow one took, there is none */

struct hws_cede {
    uint64_t lot;         /* of xorshift */
    uint64_t after_ns;    /* the wait in vain before the next time */
    uint64_t ceded_ns;    /* when the last one was over */
    uint64_t shun_ns;     /* how long the last one that was slow is to be followed by none */
    uint64_t shun_end_ns; /* until when (atomic) */
};

/* seed: another one for each rank. */
void hws_cede_init(struct hws_cede *c, uint64_t seed);

static inline bool hws_cede_is_shunned(const struct hws_cede *c, uint64_t now_ns)
{
    return now_ns < __atomic_load_n(&c->shun_end_ns, __ATOMIC_RELAXED);
}

/* idle_since_ns: since when nothing has come. */
static inline bool hws_cede_is_due(const struct hws_cede *c, uint64_t idle_since_ns, uint64_t now_ns)
{
    uint64_t since_ns = idle_since_ns > c->ceded_ns ? idle_since_ns : c->ceded_ns;
    return now_ns - since_ns >= c->after_ns && !hws_cede_is_shunned(c, now_ns);
}

/* The processor was others' from begin_ns to now_ns. was_ours: a thread of this rank had the lock meanwhile. Else, if
 * it was slow, somebody computes, and messages lay there for as long: none for 32 times as long then, twice that if the
 * next one is slow, too, and so on to 256 times. */
void hws_cede_done(struct hws_cede *c, uint64_t begin_ns, uint64_t now_ns, bool was_ours);

/* The same by a thread that does not have the lock; how often in a row is not counted. True: it was slow. */
static inline bool hws_cede_note_yield(struct hws_cede *c, uint64_t begin_ns, uint64_t now_ns)
{
    if (now_ns - begin_ns < HWS_CEDE_SLOW_NS)
        return false;
    __atomic_store_n(&c->shun_end_ns, now_ns + HWS_CEDE_SHUN * (now_ns - begin_ns), __ATOMIC_RELAXED);
    return true;
}

#endif
