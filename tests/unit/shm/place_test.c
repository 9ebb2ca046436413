/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place_test: who leaves a processor that two ranks are on, and where to. Roles: the one that came and the one that was
 * there, of the lower and the higher number, awake and asleep, with processors left and without.
 */
#include "shm/place.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

enum { RANKS = 4 };

static struct hws_segment_rank ranks[RANKS];
static struct hws_segment seg;

/* Rank i is on processor cpus[i] (-1: not known), all of them may run on 0 to n_cpus - 1. */
static void set_up(const int cpus[RANKS], int n_cpus)
{
    memset(ranks, 0, sizeof ranks);
    seg = (struct hws_segment){.ranks = ranks, .n = RANKS};
    for (seg.me = RANKS - 1; seg.me >= 0; seg.me--) {
        ranks[seg.me].cpus.word[0] = (1u << n_cpus) - 1;
        hws_place_say(&seg, cpus[seg.me]);
    }
}

static int find(int me, bool is_new)
{
    seg.me = me;
    return hws_place_find(&seg, is_new);
}

Test(place, each_has_its_own)
{
    set_up((const int[]){3, 2, 1, 0}, 5);
    for (int me = 0; me < RANKS; me++)
        for (int is_new = 0; is_new < 2; is_new++)
            cr_assert_eq(find(me, is_new), -1);
}

Test(place, the_newcomer_leaves_or_the_higher_number)
{
    set_up((const int[]){1, 0, 1, 2}, 4);
    cr_assert_eq(find(0, true), 3);
    cr_assert_eq(find(0, false), -1);
    cr_assert_eq(find(2, true), 3);
    cr_assert_eq(find(2, false), 3);
    hws_place_say(&seg, 3); /* rank 2 is about to go: nobody else need */
    cr_assert_eq(find(0, true), -1);
}

Test(place, who_sleeps_or_tells_nothing_has_no_processor)
{
    set_up((const int[]){1, 1, -1, -1}, 2);
    ranks[0].asleep = 1;
    cr_assert_eq(find(1, true), -1);
    cr_assert_eq(find(2, true), -1);
    ranks[0].asleep = 0;
    cr_assert_eq(find(1, true), 0);
    ranks[3].cpu = 1; /* on 0, awake */
    cr_assert_eq(find(1, true), -1);
    ranks[3].asleep = 1;
    cr_assert_eq(find(1, true), 0);
}

static int home(int me, int here)
{
    seg.me = me;
    return hws_place_home(&seg, here);
}

Test(place, a_thread_goes_home_if_it_woke_where_another_rank_is)
{
    set_up((const int[]){0, 1, 2, -1}, 4);
    cr_assert_eq(home(0, 0), -1);
    cr_assert_eq(home(0, 1), 0);
    cr_assert_eq(home(0, 3), -1); /* nobody else is there */
    cr_assert_eq(home(3, 1), -1); /* its rank has none yet */
    ranks[1].asleep = 1;
    cr_assert_eq(home(0, 1), -1);
    cr_assert_eq(home(1, 2), 1);
}

Test(place, only_where_it_may_run)
{
    set_up((const int[]){70, 70, 3, 2}, 4);
    cr_assert_eq(find(1, true), 0);
    ranks[1].cpus.word[0] = 0;
    cr_assert_eq(find(1, true), -1);
    ranks[1].cpus.word[15] = (uint64_t)1 << 63;
    cr_assert_eq(find(1, true), 1023);
}

static int even(int me)
{
    seg.me = me;
    return hws_place_even(&seg);
}

Test(place, the_lowest_of_too_many_go_where_fewer_are)
{
    set_up((const int[]){1, 1, 1, 1}, 2);
    cr_assert_eq(even(0), 0);
    cr_assert_eq(even(1), 0, "two may go at the same time");
    cr_assert_eq(even(2), -1);
    seg.me = 0;
    hws_place_say(&seg, 0);
    cr_assert_eq(even(0), -1);
    cr_assert_eq(even(1), 0, "1 and 3");
    hws_place_say(&seg, 0);
    for (int me = 0; me < RANKS; me++)
        cr_assert_eq(even(me), -1);
}

Test(place, one_more_or_less_is_even)
{
    set_up((const int[]){0, 1, 1, -1}, 2);
    for (int me = 0; me < RANKS; me++)
        cr_assert_eq(even(me), -1);
    set_up((const int[]){0, 1, 1, 1}, 2);
    cr_assert_eq(even(1), 0);
    ranks[1].cpus.word[0] = 2; /* it may run on 1 only: the next goes for it */
    cr_assert_eq(even(1), -1);
    cr_assert_eq(even(2), 0);
    cr_assert_eq(even(3), -1);
}

Test(place, who_sleeps_does_not_count_where_ranks_are_many)
{
    set_up((const int[]){1, 1, 0, 0}, 2);
    cr_assert_eq(even(0), -1);
    ranks[2].asleep = ranks[3].asleep = 1;
    cr_assert_eq(even(0), 0);
    cr_assert_eq(even(1), -1);
    ranks[0].asleep = 1; /* now 1 is alone */
    cr_assert_eq(even(1), -1);
    ranks[3].asleep = 0;
    ranks[3].cpu = 2; /* awake on 1 */
    cr_assert_eq(even(1), 0, "no one that goes first is awake");
}

Test(place, processors_of_high_numbers_are_found)
{
    set_up((const int[]){64, 64, 64, 64}, 0);
    for (int i = 0; i < RANKS; i++) {
        ranks[i].cpus.word[1] = 1u | 1u << 31;
        ranks[i].cpus.word[3] = 2;
    }
    cr_assert_eq(find(3, false), 95);
    cr_assert_eq(even(0), 95);
    hws_place_say(&seg, 95);
    ranks[1].cpu = 96;
    cr_assert_eq(find(2, true), 193);
}

Test(place, a_processor_beyond_those_that_can_be_told_is_not_counted)
{
    set_up((const int[]){1024, 1024, 4095, 1}, 2);
    for (int me = 0; me < RANKS; me++)
        cr_assert_eq(even(me), -1);
}

/* ---- who computes ------------------------------------------------------------------------------------------------ */

static uint32_t seen[RANKS];

/* A process that computes, or one that waits for a signal. */
static pid_t begin(bool computes)
{
    pid_t pid = fork();
    volatile unsigned n = 0;
    if (pid == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* also where the test fails */
    while (pid == 0) {
        if (computes)
            n++;
        else
            pause();
    }
    while (hws_process_state(pid) != (computes ? 'R' : 'S'))
        usleep(1000);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* All ranks take part, and are the process. */
static void set_up_processes(pid_t pid)
{
    set_up((const int[]){0, 0, 1, 1}, 2);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < RANKS; i++) {
        ranks[i].state = HWS_SEGMENT_ATTACHED;
        ranks[i].pid = (uint32_t)pid;
    }
}

static void idle(int rank)
{
    int me = seg.me;
    seg.me = rank;
    hws_place_idle(&seg);
    seg.me = me;
}

static bool has_busy(int me)
{
    seg.me = me;
    return hws_place_has_busy(&seg, seen);
}

Test(place, who_does_not_yield_computes)
{
    pid_t pid = begin(true);
    for (int busy = 0; busy < RANKS; busy++) {
        int me = (busy + 1) % RANKS;
        set_up_processes(pid);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < RANKS; i++)
                if (i != busy)
                    idle(i);
            cr_assert(has_busy(me));
        }
        for (int i = 0; i < RANKS; i++)
            idle(i);
        cr_assert_not(has_busy(me));
        cr_assert(has_busy(me)); /* nobody has yielded since */
    }
    end(pid);
}

Test(place, the_own_rank_does_not_count)
{
    pid_t pid = begin(true);
    set_up_processes(pid);
    for (int i = 1; i < RANKS; i++)
        idle(i);
    cr_assert_not(has_busy(0));
    end(pid);
}

Test(place, who_sleeps_has_left_or_died_does_not_compute)
{
    pid_t pid = begin(true);
    set_up_processes(pid);
    ranks[1].asleep = 1;
    ranks[2].state = HWS_SEGMENT_LEAVING;
    ranks[3].dead = 1;
    cr_assert_not(has_busy(0));
    ranks[2].state = HWS_SEGMENT_UNDECIDED; /* it has not come yet */
    cr_assert_not(has_busy(0));
    end(pid);
}

Test(place, who_waits_for_something_else_does_not_compute)
{
    pid_t pid = begin(false);
    set_up_processes(pid);
    cr_assert_not(has_busy(0));
    end(pid);
}
