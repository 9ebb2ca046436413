/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lost_test: a peer is given up because its host has vanished without a word (docs/decisions/022, 028). Messages to it
 * whose sends were complete and that are not known to have arrived are told, once, with the reason, before the loss
 * itself; without any nothing is told. Who only waits for the peer has the kernels ask, and so finds out as well. Each
 * in both roles: who dialed, who sends. Time is virtual.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "../support/seed.h"
#include "peer/engine/parts.h"
#include "peer/state/engine.h"
#include "sim.h"
#include "virtual.h"

enum { SILENT_MS = 1000, DEADLINE_MS = 3000, TIMEOUT_MS = 8000, LIMIT_MS = 120000, TAG = 1 };

struct test {
    struct sim sim;
    int me; /* the end that stays */
    bool sleeps;
    unsigned n_messages; /* calls of on_messages_lost, at it */
    uint64_t lost_ms;
};

static struct test t;

static uint64_t now_ms(void)
{
    return virtual_now() / 1000000;
}

static void on_messages_lost(void *arg, int peer, enum hws_err why, const char *text)
{
    (void)arg;
    cr_assert_eq(peer, 1 - t.me);
    cr_assert_neq(why, HWS_OK);
    cr_assert_neq(text[0], '\0');
    cr_assert_eq(t.sim.n_lost[t.me][peer], 0, "the loss of the peer must be told later");
    t.n_messages++;
}

static void set_up(struct hws_engine_config *cfg, void *arg)
{
    cfg->params.tcp_con_retries = 3;
    cfg->params.connect_ms = 1000;
    cfg->params.silent_ms = SILENT_MS;
    cfg->params.deadline_ms = DEADLINE_MS;
    cfg->params.host_timeout_ms = TIMEOUT_MS;
    cfg->params.survive = *(const bool *)arg;
    if (cfg->me == t.me)
        cfg->on_messages_lost = on_messages_lost;
}

static void on_step(struct sim *sim, bool moved)
{
    virtual_pass(moved ? 20000 : 1000000);
    for (int i = 0; t.sleeps && i < sim->n; i++)
        hws_engine_may_strand(sim->engines[i]); /* as a wait does before each sleep */
    if (sim->n_lost[t.me][1 - t.me] && !t.lost_ms)
        t.lost_ms = now_ms();
}

static void run_for(uint64_t ms)
{
    for (uint64_t end = now_ms() + ms; now_ms() < end;)
        sim_step(&t.sim);
}

/* A message that arrives. */
static void send_from(int from, size_t len)
{
    static char in[70000], out[70000];
    struct hws_recv_op recv = {.data = {in, len, NULL}, .peer = from, .tag = TAG};
    struct hws_send_op send = {.data = {out, len, NULL}, .peer = 1 - from, .tag = TAG, .mode = HWS_SYNC};
    hws_engine_recv(t.sim.engines[1 - from], &recv);
    hws_engine_send(t.sim.engines[from], &send);
    while (!send.done || !recv.done)
        sim_step(&t.sim);
    cr_assert(send.err == HWS_OK && recv.err == HWS_OK);
}

/* All that was sent is known to have arrived: both have had an answer. */
static void begin(int me, int dialer, bool keeps)
{
    struct hws_mem_faults f = {.seed = hws_test_next(), .cards = 1, .close_nth_link = -1, .tells_health = true};
    memset(&t, 0, sizeof t);
    t.me = me;
    sim_open(&t.sim, 2, &f, set_up, &keeps);
    t.sim.on_step = on_step;
    send_from(dialer, 8);
    send_from(1 - me, 8);
    send_from(me, 8);
    send_from(1 - me, 8);
    run_for(200);
}

static void vanish(bool vanishes)
{
    hws_mem_net_silence(t.sim.net, t.me, 1 - t.me, 0, vanishes);
    hws_mem_net_silence(t.sim.net, 1 - t.me, t.me, 0, vanishes);
}

static void run_until_lost(void)
{
    while (!t.lost_ms && now_ms() < LIMIT_MS)
        sim_step(&t.sim);
    cr_assert(t.lost_ms, "rank %d never gives its peer up", t.me);
    cr_assert_eq(t.sim.n_lost[t.me][1 - t.me], 1);
}

static void run_with_message(int me, int dialer, bool keeps)
{
    struct hws_send_op send = {.data = {"word", 4, NULL}, .peer = 1 - me, .tag = TAG};
    begin(me, dialer, keeps);
    vanish(true);
    hws_engine_send(t.sim.engines[me], &send);
    run_for(5);
    cr_assert(send.done && send.err == HWS_OK, "a short message's send is complete when it is under way");
    run_until_lost();
    cr_assert_eq(t.n_messages, 1);
    sim_close(&t.sim);
}

Test(lost, messages_whose_sends_were_complete_are_told)
{
    hws_test_seed("lost");
    for (int i = 0; i < 8; i++)
        run_with_message(i % 2, i / 2 % 2, i / 4);
}

/* A send that is not complete fails by itself. */
static void run_with_operation(int me, int dialer)
{
    struct hws_send_op send = {.data = {"word", 4, NULL}, .peer = 1 - me, .tag = TAG, .mode = HWS_SYNC};
    begin(me, dialer, false);
    vanish(true);
    hws_engine_send(t.sim.engines[me], &send);
    run_until_lost();
    cr_assert(send.done && send.err != HWS_OK);
    sim_close(&t.sim);
}

Test(lost, a_send_that_is_not_complete_fails)
{
    hws_test_seed("lost");
    for (int i = 0; i < 4; i++)
        run_with_operation(i % 2, i / 2);
}

/* ---- who only waits ---------------------------------------------------------------------------------------------- */

/* Nothing is on its way when the host vanishes. */
static void run_waiter(int me, int dialer, bool keeps)
{
    struct hws_recv_op recv = {.peer = 1 - me, .tag = TAG};
    begin(me, dialer, keeps);
    hws_engine_recv(t.sim.engines[me], &recv);
    run_for(200);
    vanish(true);
    t.sleeps = true;
    uint64_t begun_ms = now_ms();
    run_until_lost();
    cr_assert(recv.done && recv.err != HWS_OK);
    cr_assert_leq(t.lost_ms, begun_ms + 3000 + TIMEOUT_MS + 2 * DEADLINE_MS, "found after %d ms only",
                  (int)(t.lost_ms - begun_ms));
    sim_close(&t.sim);
}

Test(lost, who_only_waits_finds_out)
{
    hws_test_seed("lost");
    for (int i = 0; i < 8; i++)
        run_waiter(i % 2, i / 2 % 2, i / 4);
}

/* A peer that computes, and a network that is away for less than the time, are no loss; nobody is asked who is not
 * waited for. */
static void run_patient(int me, int dialer, bool computes)
{
    struct hws_recv_op recv = {.peer = 1 - me, .tag = TAG};
    struct hws_send_op send = {.peer = me, .tag = TAG};
    begin(me, dialer, true);
    t.sleeps = true;
    run_for(3 * TIMEOUT_MS);
    cr_assert_eq(t.sim.engines[me]->peers[1 - me]->up[0]->watch.ask_s, 0);
    hws_engine_recv(t.sim.engines[me], &recv);
    for (int i = 0; i < 4; i++) {
        if (computes)
            sim_away(&t.sim, 1 - me, true, 8);
        else
            vanish(true);
        run_for(computes ? 3 * TIMEOUT_MS : TIMEOUT_MS / 2);
        sim_away(&t.sim, 1 - me, false, 8);
        vanish(false);
        run_for(TIMEOUT_MS);
    }
    cr_assert_gt(t.sim.engines[me]->peers[1 - me]->up[0]->watch.ask_s, 0);
    cr_assert(!recv.done && !t.lost_ms && sim_counter(&t.sim, me, "lanes_lost") == 0);
    hws_engine_send(t.sim.engines[1 - me], &send);
    while (!recv.done)
        sim_step(&t.sim);
    cr_assert_eq(recv.err, HWS_OK);
    run_for(5000);
    cr_assert_eq(t.sim.engines[me]->peers[1 - me]->up[0]->watch.ask_s, 0, "it is no longer waited for");
    sim_close(&t.sim);
}

Test(lost, who_computes_or_is_away_for_a_while_is_not_given_up)
{
    hws_test_seed("lost");
    for (int i = 0; i < 8; i++)
        run_patient(i % 2, i / 2 % 2, i / 4);
}
