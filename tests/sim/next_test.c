/* SPDX-License-Identifier: BSD-3-Clause
 *
 * next_test: ranks in MPI_Finalize under a launcher that does not judge deaths, and one that is not there yet
 * (src/peer/engine/next.c, decision 026). If it dies, however late, and whether it has ever been connected to or not,
 * another one sees it; if it lives, computes for long, or ends in order a while before the others, nobody does. Time is
 * virtual.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "../support/seed.h"
#include "peer/state/engine.h"
#include "sim.h"
#include "virtual.h"

enum { N = 3, SEEN_MS = 60000, IN_ORDER_MS = 15000, LONG_MS = 120000 };

struct test {
    struct sim sim;
    int victim;
    bool gone; /* its process has ended */
};

static void set_up(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->n_local = 1;
    cfg->params.tcp_con_retries = 3;
}

static void on_step(struct sim *sim, bool moved)
{
    (void)sim;
    virtual_pass(moved ? 20000 : 1000000);
}

/* Who is missed by one of the others, or -1. */
static int missed(struct test *t)
{
    for (int i = 0; i < N; i++) {
        int rank = -1;
        if (i != t->victim && hws_engine_is_missing(t->sim.engines[i], &rank))
            return rank;
    }
    return -1;
}

static void run_for(struct test *t, uint64_t ms)
{
    for (uint64_t end = virtual_now() + ms * 1000000; virtual_now() < end && missed(t) < 0;)
        sim_step(&t->sim);
}

static void send_to(struct test *t, int from, int to)
{
    struct hws_send_op send = {.peer = to, .tag = 1};
    struct hws_recv_op recv = {.peer = from, .tag = 1};
    hws_engine_recv(t->sim.engines[to], &recv);
    hws_engine_send(t->sim.engines[from], &send);
    run_for(t, 200);
    cr_assert(send.done && recv.done);
}

static void begin(struct test *t, int victim, bool met)
{
    static const struct hws_mem_faults none = {.cards = 1, .close_nth_link = -1};
    memset(t, 0, sizeof *t);
    t->victim = victim;
    sim_open(&t->sim, N, &none, set_up, NULL);
    t->sim.on_step = on_step;
    for (int i = 0; met && i < N; i++)
        if (i != victim)
            send_to(t, hws_test_random(2) ? i : victim, hws_test_random(2) ? i : victim);
    for (int i = 0; i < N; i++)
        if (i != victim)
            hws_engine_end(t->sim.engines[i], true);
}

/* Its connections end and nobody listens any more. */
static void end_process(struct test *t)
{
    sim_away(&t->sim, t->victim, true, 0);
    hws_mem_net_trouble(t->sim.net, -1, t->victim, 0, HWS_MEM_REFUSED);
    for (int i = 0; i < N; i++)
        if (i != t->victim)
            hws_mem_net_cut(t->sim.net, i, t->victim);
}

static void run_death(int victim, bool met, bool computes, uint64_t after_ms)
{
    struct test t;
    begin(&t, victim, met);
    if (computes)
        sim_away(&t.sim, victim, true, (int)hws_test_random(3));
    run_for(&t, after_ms);
    cr_assert_eq(missed(&t), -1, "rank %d lives, but was missed before %d ms: met %d", victim, (int)after_ms, met);
    end_process(&t);
    run_for(&t, SEEN_MS);
    cr_assert_eq(missed(&t), victim, "rank %d died after %d ms and %d is missed: met %d, computes %d", victim,
                 (int)after_ms, missed(&t), met, computes);
    sim_close(&t.sim);
}

Test(next, a_rank_that_dies_is_seen_however_late)
{
    static const uint64_t after_ms[] = {0, 500, 3000, 9900, 30000, LONG_MS};
    hws_test_seed("next");
    int all = N * 2 * 2 * 6, n = hws_test_rounds(all);
    for (int k = 0; k < n; k++) {
        int i = n < all ? (int)hws_test_random((uint64_t)all) : k;
        run_death(i % N, i / N % 2, i / (2 * N) % 2, after_ms[i / (4 * N)]);
    }
}

/* It has heard of the end, the others not yet. */
Test(next, a_rank_that_ends_in_order_before_the_others_is_not_missed)
{
    hws_test_seed("next");
    for (int i = 0; i < N * 2 * 2; i++) {
        struct test t;
        begin(&t, i % N, i / N % 2);
        run_for(&t, i / (2 * N) ? 30000 : 500);
        hws_engine_end(t.sim.engines[t.victim], true);
        run_for(&t, 500);
        end_process(&t);
        run_for(&t, IN_ORDER_MS);
        cr_assert_eq(missed(&t), -1, "rank %d ended in order", t.victim);
        sim_close(&t.sim);
    }
}

Test(next, who_answers_no_dial_but_is_not_refused_lives)
{
    hws_test_seed("next");
    for (int victim = 0; victim < N; victim++) {
        struct test t;
        begin(&t, victim, false);
        sim_away(&t.sim, victim, true, 0);
        run_for(&t, LONG_MS);
        cr_assert_eq(missed(&t), -1);
        hws_mem_net_trouble(t.sim.net, -1, victim, 0, HWS_MEM_NO_ROUTE);
        run_for(&t, LONG_MS);
        cr_assert_eq(missed(&t), -1);
        sim_close(&t.sim);
    }
}
