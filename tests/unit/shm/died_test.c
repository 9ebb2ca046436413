/* SPDX-License-Identifier: BSD-3-Clause
 *
 * died_test: of all ranks of a host that ask whether another one lives, one now and then finds out, for all.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"

enum { LIVES, DIES, N };

static struct hws_segment_rank ranks[N];
static struct hws_engine engine = {.cpus.patience = 1};
static struct hws_shm one = {.engine = &engine}, other = {.engine = &engine}; /* two ranks that ask */

/* A process that waits to be killed; nobody collects it. */
static uint32_t begin_victim(void)
{
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0)
        for (;;)
            pause();
    return (uint32_t)pid;
}

static void set_up(void)
{
    ranks[LIVES].pid = (uint32_t)getpid();
    ranks[DIES].pid = begin_victim();
    one.seg = other.seg = (struct hws_segment){.ranks = ranks, .n = N};
}

static void tear_down(void)
{
    kill((pid_t)ranks[DIES].pid, SIGKILL);
    waitpid((pid_t)ranks[DIES].pid, NULL, 0);
}

static void kill_and_await(void)
{
    siginfo_t info;
    kill((pid_t)ranks[DIES].pid, SIGKILL);
    cr_assert_eq(waitid(P_PID, ranks[DIES].pid, &info, WEXITED | WNOWAIT), 0); /* a zombie */
}

/* As if the last look had been long ago. */
static void let_time_pass(int local)
{
    ranks[local].looked_ns -= 10000000000ull;
}

Test(died, one_looks_for_all, .init = set_up, .fini = tear_down)
{
    cr_assert_not(hws_shm_has_died(&one, DIES));
    cr_assert_neq(ranks[DIES].looked_ns, 0);
    kill_and_await();
    cr_assert_not(hws_shm_has_died(&other, DIES), "somebody has just looked");
    let_time_pass(DIES);
    cr_assert(hws_shm_has_died(&other, DIES));
    cr_assert(hws_shm_has_died(&one, DIES), "and all know");
    cr_assert_not(hws_shm_has_died(&one, LIVES));
}

Test(died, a_look_that_is_not_long_ago_is_not_repeated, .init = set_up, .fini = tear_down)
{
    cr_assert_not(hws_shm_has_died(&one, LIVES));
    uint64_t looked = ranks[LIVES].looked_ns;
    for (int i = 0; i < 100; i++)
        hws_shm_has_died(i % 2 ? &one : &other, LIVES);
    cr_assert(ranks[LIVES].looked_ns == looked || hws_clock_ns() - looked > 100000000ull);
    let_time_pass(LIVES);
    cr_assert_not(hws_shm_has_died(&other, LIVES));
    cr_assert_geq(ranks[LIVES].looked_ns, looked);
}

/* Long ago by another clock, or in the future of a restarted one: looked at, not trusted. */
Test(died, a_stamp_from_the_future_is_no_look, .init = set_up, .fini = tear_down)
{
    kill_and_await();
    ranks[DIES].looked_ns = UINT64_MAX - 5;
    let_time_pass(DIES);
    cr_assert(hws_shm_has_died(&one, DIES));
}
