/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place: see place.h.
 */
#include "shm/place.h"

#define MOST_CPUS (64 * HWS_CPUS_WORDS)

void hws_place_say(struct hws_segment *s, int cpu)
{
    struct hws_segment_rank *own = &s->ranks[s->me];
    uint32_t told = (uint32_t)(cpu + 1);
    if (own->cpu != told) /* the line is read by whoever sends to this rank */
        __atomic_store_n(&own->cpu, told, __ATOMIC_RELAXED);
}

/* The lowest rank but this one that is awake on processor told - 1; n: there is none. */
static int awake_on(const struct hws_segment *s, uint32_t told)
{
    for (int i = 0; i < s->n; i++)
        if (i != s->me && __atomic_load_n(&s->ranks[i].cpu, __ATOMIC_RELAXED) == told &&
            !__atomic_load_n(&s->ranks[i].asleep, __ATOMIC_RELAXED))
            return i;
    return s->n;
}

int hws_place_find(const struct hws_segment *s, bool is_new)
{
    const struct hws_segment_rank *own = &s->ranks[s->me];
    int other = own->cpu ? awake_on(s, own->cpu) : s->n;
    if (other == s->n || (!is_new && other > s->me))
        return -1;
    for (int cpu = 0; cpu < MOST_CPUS; cpu++)
        if (own->cpus.word[cpu / 64] >> cpu % 64 & 1 && awake_on(s, (uint32_t)cpu + 1) == s->n)
            return cpu;
    return -1;
}

int hws_place_home(const struct hws_segment *s, int here)
{
    uint32_t own = __atomic_load_n(&s->ranks[s->me].cpu, __ATOMIC_RELAXED), told = (uint32_t)(here + 1);
    return own && own != told && awake_on(s, told) < s->n ? (int)own - 1 : -1;
}

int hws_place_even(const struct hws_segment *s)
{
    const struct hws_segment_rank *own = &s->ranks[s->me];
    uint16_t n_on[MOST_CPUS + 1] = {0}; /* by what is told: the processor's number and one */
    int before = 0, least = -1;
    for (int i = 0; i < s->n; i++) {
        uint32_t told = __atomic_load_n(&s->ranks[i].cpu, __ATOMIC_RELAXED);
        n_on[told <= MOST_CPUS ? told : 0]++;
        before += i < s->me && told == own->cpu; /* they go first */
    }
    for (int cpu = 0; cpu < MOST_CPUS; cpu++)
        if (own->cpus.word[cpu / 64] >> cpu % 64 & 1 && (least < 0 || n_on[cpu + 1] < n_on[least + 1]))
            least = cpu;
    return own->cpu && least >= 0 && before < (n_on[own->cpu] - n_on[least + 1]) / 2 ? least : -1;
}
