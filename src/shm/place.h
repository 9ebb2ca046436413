/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place: which processor a rank should go to, so that no two ranks of a host that are awake are on one (docs/decisions/
 * 043). Each tells where it waits; what is told of one that computes may be old.
 */
#ifndef HWS_SHM_PLACE_H
#define HWS_SHM_PLACE_H

#include "shm/segment.h"

/* This rank is on that processor (-1: not known). */
void hws_place_say(struct hws_segment *s, int cpu);

/* The processor to go to; -1: this rank should stay, as it has the one that it told last for itself, or there is none
 * of its own on which nobody is awake. is_new: it has just come there; else the one of the lower number stays. */
int hws_place_find(const struct hws_segment *s, bool is_new);

/* Where a thread of this rank should go that has slept and finds itself on processor `here`: to the rank's own, if
 * another rank is awake here; -1: it should stay. Any thread may ask. */
int hws_place_home(const struct hws_segment *s, int here);

/* Where ranks outnumber processors: the one to go to, so that all have as many ranks that are awake, give or take one;
 * -1: this rank stays. Of those that are too many somewhere, and may go, the lowest ones do. */
int hws_place_even(const struct hws_segment *s);

/* This rank waits, and yields. */
static inline void hws_place_idle(struct hws_segment *s)
{
    uint32_t *n = &s->ranks[s->me].n_idle;
    __atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
}

/* Whether another rank computes: it has been awake without yielding since the last call, and is running or ready to
 * (/proc/PID/stat). seen[n]: what each had counted then; zeros before the first call. */
bool hws_place_has_busy(const struct hws_segment *s, uint32_t *seen);

#endif
