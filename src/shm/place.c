/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place: see place.h.
 */
#include "shm/place.h"

#include "base/file.h"

#define MOST_CPUS  (64 * HWS_CPUS_WORDS)
#define MOST_ASKED 4 /* ranks in a look, whether they run: 5 us each */

void hws_place_say(struct hws_segment *s, int cpu)
{
    struct hws_segment_rank *own = &s->ranks[s->me];
    uint32_t told = (uint32_t)(cpu + 1);
    if (own->cpu != told) /* the line is read by whoever sends to this rank */
        __atomic_store_n(&own->cpu, told, __ATOMIC_RELAXED);
}

static bool is_awake_on(const struct hws_segment_rank *r, uint32_t told)
{
    return __atomic_load_n(&r->cpu, __ATOMIC_RELAXED) == told && !__atomic_load_n(&r->asleep, __ATOMIC_RELAXED);
}

/* The lowest rank but this one that is awake on processor told - 1; n: there is none. */
static int awake_on(const struct hws_segment *s, uint32_t told)
{
    for (int i = 0; i < s->n; i++)
        if (i != s->me && is_awake_on(&s->ranks[i], told))
            return i;
    return s->n;
}

/* The lowest from cpu on that it may run on; MOST_CPUS: none. */
static int next_cpu(const struct hws_segment_rank *r, int cpu)
{
    for (; cpu < MOST_CPUS; cpu = (cpu | 63) + 1) {
        uint64_t left = r->cpus.word[cpu / 64] >> cpu % 64;
        if (left)
            return cpu + __builtin_ctzll(left);
    }
    return MOST_CPUS;
}

int hws_place_find(const struct hws_segment *s, bool is_new)
{
    const struct hws_segment_rank *own = &s->ranks[s->me];
    int other = own->cpu ? awake_on(s, own->cpu) : s->n;
    if (other == s->n || (!is_new && other > s->me))
        return -1;
    for (int cpu = next_cpu(own, 0); cpu < MOST_CPUS; cpu = next_cpu(own, cpu + 1))
        if (awake_on(s, (uint32_t)cpu + 1) == s->n)
            return cpu;
    return -1;
}

int hws_place_home(const struct hws_segment *s, int here)
{
    uint32_t own = __atomic_load_n(&s->ranks[s->me].cpu, __ATOMIC_RELAXED), told = (uint32_t)(here + 1);
    return own && own != told && awake_on(s, told) < s->n ? (int)own - 1 : -1;
}

/* Ranks below this one that are awake beside it, and may go to cpu as well: they go first. */
static int may_go_before(const struct hws_segment *s, int cpu)
{
    uint32_t own = s->ranks[s->me].cpu;
    int n = 0;
    for (int i = 0; i < s->me; i++)
        n += is_awake_on(&s->ranks[i], own) && next_cpu(&s->ranks[i], cpu) == cpu;
    return n;
}

int hws_place_even(const struct hws_segment *s)
{
    const struct hws_segment_rank *own = &s->ranks[s->me];
    uint16_t n_on[MOST_CPUS + 1] = {0}; /* awake, by what is told: the processor's number and one */
    int least = -1;
    if (own->cpu == 0 || own->cpu > MOST_CPUS) /* not known, or one that none can be told to run on */
        return -1;
    for (int i = 0; i < s->n; i++) {
        uint32_t told = __atomic_load_n(&s->ranks[i].cpu, __ATOMIC_RELAXED);
        n_on[told <= MOST_CPUS ? told : 0] += i == s->me || is_awake_on(&s->ranks[i], told);
    }
    for (int cpu = next_cpu(own, 0); cpu < MOST_CPUS; cpu = next_cpu(own, cpu + 1))
        if (least < 0 || n_on[cpu + 1] < n_on[least + 1])
            least = cpu;
    if (least < 0)
        return -1;
    int too_many = (n_on[own->cpu] - n_on[least + 1]) / 2;
    return too_many > 0 && may_go_before(s, least) < too_many ? least : -1;
}

static bool may_be_busy(const struct hws_segment_rank *r)
{
    return __atomic_load_n(&r->state, __ATOMIC_RELAXED) == HWS_SEGMENT_ATTACHED &&
           !__atomic_load_n(&r->dead, __ATOMIC_RELAXED) && !__atomic_load_n(&r->asleep, __ATOMIC_RELAXED);
}

bool hws_place_has_busy(const struct hws_segment *s, uint32_t *seen)
{
    int n_asked = 0;
    bool has_busy = false;
    for (int k = 1; k < s->n; k++) { /* each begins with another one's */
        int i = s->me + k < s->n ? s->me + k : s->me + k - s->n;
        const struct hws_segment_rank *r = &s->ranks[i];
        uint32_t n_idle = __atomic_load_n(&r->n_idle, __ATOMIC_RELAXED);
        if (!has_busy && n_idle == seen[i] && may_be_busy(r) && n_asked++ < MOST_ASKED)
            has_busy = hws_process_state((int)r->pid) == 'R';
        seen[i] = n_idle;
    }
    return has_busy;
}
