/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runq: see the header. The next processor by number, and not any: it is near on machines with several memories.
 */
#include "base/runq.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"

#define MOST_MORE 63 /* sleeps, or yields, where one move after the other has not helped */
#define WORTH_NS                                                                                                       \
    50000 /* in the queue since the last sleep: a sleeper that is woken on an idle processor has 5000 at most */
#define MOST_SPINS 4  /* in a yield: who takes longer computes */
#define TURNS      64 /* bits of a hash */
#define TEXT_BYTES 96

static void set_gap(struct hws_runq *r)
{
    r->gap = HWS_RUNQ_GAP + (r->turns >> r->n_moves % TURNS & 1) * HWS_RUNQ_LATER;
}

void hws_runq_init(struct hws_runq *r, int rank)
{
    *r = (struct hws_runq){.turns = hws_hash(HWS_HASH_START, &rank, sizeof rank)};
    set_gap(r);
}

/* Behind another move: how many more occasions lead to none now. */
static uint32_t rarer(uint32_t more)
{
    return more < MOST_MORE / 2 ? 2 * more + 1 : MOST_MORE;
}

bool hws_runq_yielded(struct hws_runq *r, uint64_t took_ns, uint64_t spin_ns)
{
    if (took_ns < spin_ns - spin_ns / 4 || took_ns > MOST_SPINS * spin_ns || r->n_spun++ < r->spun_more)
        return false;
    r->n_spun = 0;
    r->n_sleeps = 0;
    r->spun_more = rarer(r->spun_more);
    return true;
}

bool hws_runq_judge(struct hws_runq *r, uint64_t queued_ns)
{
    bool is_late = queued_ns >= r->queued_ns + WORTH_NS;
    hws_runq_note(r, queued_ns);
    if (r->n_sleeps < r->gap + r->more)
        return false;
    r->n_sleeps = 0;
    r->n_moves++;
    set_gap(r);
    r->more = is_late ? rarer(r->more) : 0;
    return is_late;
}

uint64_t hws_runq_queued_ns(void)
{
    char text[TEXT_BYTES];
    unsigned long long ran, queued;
    const char *stat = hws_file_text("/proc/thread-self/schedstat", text, sizeof text);
    return sscanf(stat, "%llu %llu", &ran, &queued) == 2 ? queued : 0;
}

bool hws_runq_is_full(void)
{
    char text[TEXT_BYTES];
    long n_ready;
    const char *load = hws_file_text("/proc/loadavg", text, sizeof text);
    return sscanf(load, "%*s %*s %*s %ld", &n_ready) == 1 && n_ready > sysconf(_SC_NPROCESSORS_ONLN);
}

static bool move(const cpu_set_t *all, int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 && sched_setaffinity(0, sizeof *all, all) == 0;
}

bool hws_runq_move(void)
{
    cpu_set_t all;
    int here = sched_getcpu(), next = here + 1;
    if (here < 0 || sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        return false;
    while (!CPU_ISSET(next % CPU_SETSIZE, &all))
        next++;
    return move(&all, next % CPU_SETSIZE);
}

bool hws_runq_move_to(int cpu)
{
    cpu_set_t all;
    return cpu < CPU_SETSIZE && sched_getaffinity(0, sizeof all, &all) == 0 && CPU_ISSET(cpu, &all) && move(&all, cpu);
}
