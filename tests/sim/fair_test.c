/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fair_test: whatever always has something, shared memory or a hot lane, and however short the waits are, the reactor
 * gets its turn within a bounded number of calls: with it cold lanes, new connections and timers. Many peers in turn
 * find their lanes cold or hot, but never many of them read for nothing in each step, and none for ever.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "../support/seed.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "sim.h"
#include "virtual.h"

enum { CTX = 7, TAG = 3, CALLS = 100000, SHM_CALLS = 1000000 };

static struct sim sim;
static const struct hws_mem_faults none = {.close_nth_link = -1};
static const int both[] = {0, 1};
static int pipes[2], n_told, n_times;
static uint8_t byte;

static void on_readable(void *arg)
{
    (void)arg;
    n_told++;
}

static void on_time(struct hws_timer *t)
{
    (void)t;
    n_times++;
}

static void send_to_0(int from)
{
    struct hws_send_op op = {.data = {&byte, 1, NULL}, .peer = 0, .ctx = CTX, .tag = TAG};
    hws_engine_send_now(sim.engines[from], &op);
    cr_assert(op.done);
}

static void local_ranks(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->n_local = 1; /* spin */
    cfg->params.spin_us = 100;
    if (cfg->me <= 1) {
        cfg->local_ranks = both;
        cfg->n_local_ranks = 2;
    }
}

/* 0 and 1 share memory, 0 and 2 a lane. */
static void begin(void)
{
    hws_test_seed("fair");
    n_told = n_times = 0;
    sim_open(&sim, 3, &none, local_ranks, NULL);
    const char *offer = hws_engine_shm_offer(sim.engines[0]);
    cr_assert_neq(offer[0], '\0');
    hws_engine_shm_attach(sim.engines[1], offer);
    hws_engine_shm_attach(sim.engines[0], offer);
    cr_assert_eq(pipe(pipes), 0);
    cr_assert_eq(write(pipes[1], "x", 1), 1);
}

static void end(void)
{
    hws_engine_watch(sim.engines[0], -1, NULL, NULL);
    close(pipes[0]);
    close(pipes[1]);
    sim_close(&sim);
}

static bool is_done(void *arg)
{
    return ((struct hws_recv_op *)arg)->done;
}

enum way { RECV, RECV_ANY, IRECV_WAIT, PROBE_RECV, TEST, N_WAYS };

static void one_receive(enum way way, int from)
{
    struct hws_engine *e = sim.engines[0];
    struct hws_envelope env;
    struct hws_recv_op op = {
        .data = {&byte, 1, NULL}, .peer = way == RECV ? from : HWS_ANY_PEER, .ctx = CTX, .tag = TAG};
    if (way == PROBE_RECV)
        while (!hws_engine_probe(e, HWS_ANY_PEER, CTX, TAG, &env))
            ;
    if (way == RECV || way == RECV_ANY || way == PROBE_RECV) {
        hws_engine_recv_wait(e, &op, NULL);
        return;
    }
    hws_engine_recv(e, &op);
    while (way == TEST && !op.done)
        hws_engine_progress(e);
    if (!op.done)
        hws_engine_wait(e, &op.done, NULL);
}

/* How many receives from a source that always has something come before the reactor's turn. */
static void flood(int from, enum way way, int most)
{
    struct hws_timer timer;
    struct hws_send_op first = {.data = {&byte, 1, NULL}, .peer = 0, .ctx = CTX, .tag = TAG};
    struct hws_recv_op op = {.data = {&byte, 1, NULL}, .peer = from, .ctx = CTX, .tag = TAG};
    begin();
    hws_engine_send(sim.engines[from], &first);
    hws_engine_recv(sim.engines[0], &op);
    cr_assert(sim_run(&sim, is_done, &op));
    hws_timer_init(sim.engines[0]->reactor, &timer, on_time);
    hws_timer_set(&timer, 1);
    hws_engine_watch(sim.engines[0], pipes[0], on_readable, NULL);
    int n = 0;
    for (; n < most && (n_told == 0 || n_times == 0); n++) {
        virtual_pass(10000);
        send_to_0(from);
        send_to_0(from);
        one_receive(way, from);
        one_receive(way, from);
    }
    cr_assert(n_told && n_times, "from %d, way %d: nothing but messages in %d receives, in %d steps", from, way, 2 * n,
              (int)sim.engines[0]->work.step);
    hws_timer_stop(&timer);
    end();
}

Test(fair, a_hot_lane_that_always_has_something_leaves_the_reactor_its_turn)
{
    for (int way = 0; way < N_WAYS; way++)
        flood(2, (enum way)way, 1000);
}

Test(fair, shared_memory_that_always_has_something_leaves_the_reactor_its_turn)
{
    for (int way = 0; way < N_WAYS; way++)
        flood(1, (enum way)way, way == RECV || way == IRECV_WAIT ? SHM_CALLS / 5 : 2000);
}

/* ---- hot lanes cool ---------------------------------------------------------------------------------------------- */

static void many(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->n_local = 1;
    cfg->params.spin_us = 100;
}

static struct hws_lane *lane_to(int peer)
{
    return sim.engines[0]->peers[peer]->up[0];
}

static void get_one_from(int peer)
{
    struct hws_recv_op op = {.data = {&byte, 1, NULL}, .peer = peer, .ctx = CTX, .tag = TAG};
    struct hws_send_op send = {.data = {&byte, 1, NULL}, .peer = 0, .ctx = CTX, .tag = TAG};
    hws_engine_send(sim.engines[peer], &send);
    hws_engine_recv(sim.engines[0], &op);
    cr_assert(sim_run(&sim, is_done, &op));
    cr_assert(send.done);
}

Test(fair, idle_lanes_leave_the_hot_list)
{
    sim_open(&sim, SIM_MAX, &none, many, NULL);
    for (int round = 0; round < 3; round++)
        for (int peer = 1; peer < SIM_MAX; peer++)
            get_one_from(peer);
    cr_assert_leq(sim.engines[0]->poll.n_hot, HWS_MAX_HOT);
    for (int i = 0; i < 3 * HWS_COOL_AFTER_ALONE; i++)
        hws_engine_progress(sim.engines[0]);
    cr_assert_eq(sim.engines[0]->poll.n_hot, 0);
    get_one_from(3);
    get_one_from(3);
    cr_assert(sim.engines[0]->poll.n_hot == 1 && lane_to(3)->hot.is_hot, "who has something again is hot again");
    sim_close(&sim);
}

/* The lanes' order of turns is the worst for a list of fewer. */
Test(fair, the_awaited_lane_is_read_first)
{
    sim_open(&sim, SIM_MAX, &none, many, NULL);
    for (int round = 0; round < 3; round++)
        for (int peer = 1; peer < SIM_MAX; peer++)
            get_one_from(peer);
    for (int peer = 1; peer < SIM_MAX; peer++) {
        struct hws_recv_op op = {.data = {&byte, 1, NULL}, .peer = peer, .ctx = CTX, .tag = TAG};
        send_to_0(peer);
        uint64_t before = sim.engines[0]->work.step;
        hws_engine_recv_wait(sim.engines[0], &op, NULL);
        cr_assert_eq(sim.engines[0]->work.step - before, 1, "peer %d", peer);
    }
    sim_close(&sim);
}
