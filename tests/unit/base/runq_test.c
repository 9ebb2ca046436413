/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runq_test: when a rank looks whether its processor runs another one, and where it goes then.
 */
#include "base/runq.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define US 1000ull

static struct hws_runq r;

static void init(void)
{
    hws_runq_init(&r, 0);
}

TestSuite(runq, .init = init);

/* Sleeps until a move could follow; before each of them so much time was lost in the queue, of which *queued_ns is the
 * sum so far. True: the rank moves. *n: how many sleeps they were. */
static bool sleep_until_judged(struct hws_runq *q, uint64_t lost_ns, uint64_t *queued_ns, unsigned *n)
{
    unsigned n_moves = q->n_moves;
    bool moves = false;
    for (*n = 0; q->n_moves == n_moves; ++*n) {
        cr_assert_not(moves);
        *queued_ns += lost_ns;
        if (hws_runq_slept(q))
            moves = hws_runq_judge(q, *queued_ns);
    }
    return moves;
}

Test(runq, looks_after_a_few_sleeps)
{
    uint64_t queued = 0;
    unsigned n;
    cr_expect_not(sleep_until_judged(&r, 0, &queued, &n));
    cr_expect(n == HWS_RUNQ_GAP || n == HWS_RUNQ_GAP + HWS_RUNQ_LATER, "%u", n);
}

Test(runq, what_is_found_begins_anew)
{
    for (uint64_t i = 1; i <= 100; i++) {
        for (unsigned n = 1; n < HWS_RUNQ_GAP; n++) {
            if (hws_runq_slept(&r))
                cr_assert_not(hws_runq_judge(&r, i * 1000 * US));
        }
        hws_runq_found(&r);
    }
}

Test(runq, only_time_in_the_queue_counts)
{
    uint64_t queued = 0;
    unsigned n;
    cr_expect(sleep_until_judged(&r, 100 * US, &queued, &n));
    hws_runq_found(&r);
    cr_expect_not(sleep_until_judged(&r, 10 * US, &queued, &n), "slow is the one that is waited for");
    cr_expect(sleep_until_judged(&r, 100 * US, &queued, &n));
}

/* The other rank has left the processor meanwhile. */
Test(runq, only_the_last_sleep_counts)
{
    uint64_t queued = 0;
    while (r.n_sleeps + 1 < r.gap) {
        queued += 300 * US;
        if (hws_runq_slept(&r))
            cr_assert_not(hws_runq_judge(&r, queued));
    }
    cr_assert(hws_runq_slept(&r));
    cr_expect_not(hws_runq_judge(&r, queued + 10 * US));
}

Test(runq, what_is_noted_does_not_count)
{
    uint64_t queued = 0;
    unsigned n;
    sleep_until_judged(&r, 100 * US, &queued, &n);
    while (!hws_runq_slept(&r))
        ;
    cr_assert_not(hws_runq_judge(&r, queued));
    hws_runq_note(&r, queued + 300 * US);
    cr_assert(hws_runq_slept(&r));
    cr_expect_not(hws_runq_judge(&r, queued + 310 * US));
}

Test(runq, moves_in_vain_become_seldom)
{
    uint64_t queued = 0;
    unsigned n = 0, before = 0;
    for (int i = 0; i < 20; i++) {
        before = n;
        cr_assert(sleep_until_judged(&r, 100 * US, &queued, &n));
        cr_assert_geq(n + HWS_RUNQ_LATER, before);
    }
    cr_expect_gt(n, 20 * HWS_RUNQ_GAP);
    cr_expect_leq(n, before + HWS_RUNQ_LATER, "no end: %u, then %u", before, n);
    hws_runq_found(&r); /* the last move has helped */
    sleep_until_judged(&r, 0, &queued, &n);
    cr_expect_leq(n, HWS_RUNQ_GAP + HWS_RUNQ_LATER);
}

/* A daemon that has a turn is shorter, a program that computes longer. */
Test(runq, who_spins_as_long_during_a_yield_waits_too)
{
    cr_expect_not(hws_runq_yielded(&r, 1 * US, 100 * US));
    cr_expect_not(hws_runq_yielded(&r, 60 * US, 100 * US));
    cr_expect(hws_runq_yielded(&r, 115 * US, 100 * US));
    hws_runq_found(&r);
    cr_expect_not(hws_runq_yielded(&r, 900 * US, 100 * US));
    cr_expect(hws_runq_yielded(&r, 80 * US, 100 * US), "the others did not count");
}

Test(runq, moves_behind_yields_become_seldom_in_vain)
{
    int n_moves = 0, n_late = 0;
    for (int i = 0; i < 1000; i++) {
        bool moves = hws_runq_yielded(&r, 110 * US, 100 * US);
        n_moves += moves;
        n_late += moves && i >= 500;
    }
    cr_expect_leq(n_moves, 25, "%d", n_moves);
    cr_expect_geq(n_late, 5, "no end: %d", n_late);
    hws_runq_found(&r);
    cr_expect(hws_runq_yielded(&r, 110 * US, 100 * US), "the last one has helped");
}

/* Each on the same processor, sleep by sleep, until one goes and the other does not. */
static int rounds_until_parted(int one, int other)
{
    struct hws_runq a, b;
    uint64_t queued_a = 0, queued_b = 0;
    unsigned n_a, n_b;
    hws_runq_init(&a, one);
    hws_runq_init(&b, other);
    for (int i = 1; i < 64; i++) {
        cr_assert(sleep_until_judged(&a, 100 * US, &queued_a, &n_a));
        cr_assert(sleep_until_judged(&b, 100 * US, &queued_b, &n_b));
        if (n_a != n_b)
            return i;
        hws_runq_found(&a); /* between two looks something may have come in time */
        hws_runq_found(&b);
    }
    return 64;
}

Test(runq, any_two_ranks_part)
{
    int n = 0, sum = 0, most = 0;
    for (int one = 0; one < 64; one++) {
        for (int other = one + 1; other < 64; other++, n++) {
            int rounds = rounds_until_parted(one, other);
            sum += rounds;
            most = rounds > most ? rounds : most;
        }
    }
    cr_expect_lt(most, 12, "ranks that went together %d times", most);
    cr_expect_lt(sum, 3 * n, "%d rounds in %d pairs", sum, n);
}

Test(runq, a_thread_that_tells_less_than_before_is_not_late)
{
    uint64_t queued = 900 * US, less = 0;
    unsigned n;
    cr_expect(sleep_until_judged(&r, 100 * US, &queued, &n));
    cr_expect_not(sleep_until_judged(&r, 0, &less, &n)); /* another thread of the process */
}

Test(runq, moves_to_the_next_and_may_use_all_as_before)
{
    cpu_set_t before, after;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    if (CPU_COUNT(&before) < 2)
        cr_skip("one processor only");
    for (int i = 0; i < 2 * CPU_COUNT(&before); i++) { /* also past the last one */
        cr_assert(hws_runq_move());
        cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
        cr_assert(CPU_EQUAL(&before, &after));
    }
}

Test(runq, stays_where_it_is_bound)
{
    cpu_set_t one, after;
    int here = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    cr_expect_not(hws_runq_move());
    cr_assert_eq(sched_getaffinity(0, sizeof after, &after), 0);
    cr_expect(CPU_EQUAL(&one, &after));
}

static void spin_for_ever(void)
{
    alarm(20); /* should nobody end it */
    for (volatile bool spins = true; spins;)
        continue;
}

/* As many as there are processors, and this process, want to run all the time; a group, so that one call ends it. */
Test(runq, processors_are_full_where_more_threads_want_them)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    pid_t group = 0;
    for (long i = 0; i < n; i++) {
        pid_t pid = fork();
        cr_assert_geq(pid, 0);
        setpgid(pid, group); /* also 0, the child itself */
        if (pid == 0)
            spin_for_ever();
        group = group ? group : pid;
    }
    bool is_full = hws_runq_is_full();
    kill(-group, SIGKILL);
    while (waitpid(-group, NULL, 0) > 0)
        continue;
    cr_expect(is_full);
}
