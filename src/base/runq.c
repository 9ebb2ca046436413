/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runq: see the header. The next processor by number, and not any: it is near on machines with several memories.
 */
#include "base/runq.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#define MOST_GAP 64 /* where one move after the other has not helped */
#define WORTH_NS                                                                                                       \
    50000 /* in the queue since the last look: a sleeper that is woken on an idle processor has 5000 at most */
#define TEXT_BYTES 96

bool hws_runq_judge(struct hws_runq *r, uint64_t queued_ns)
{
    bool is_late = queued_ns >= r->queued_ns + WORTH_NS;
    r->gap = !is_late ? HWS_RUNQ_GAP : r->gap < MOST_GAP / 2 ? 2 * r->gap : MOST_GAP;
    r->queued_ns = queued_ns;
    r->n_sleeps = 0;
    return is_late;
}

uint64_t hws_runq_queued_ns(void)
{
    char text[TEXT_BYTES];
    unsigned long long ran, queued;
    int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
    return sscanf(text, "%llu %llu", &ran, &queued) == 2 ? queued : 0;
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
