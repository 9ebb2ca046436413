/* SPDX-License-Identifier: BSD-3-Clause
 *
 * owed_test: what a call owes to others leaves before it returns, although its caller then computes for long: the
 * answer to a message that was here already, the question of a cancel, credit, and bursts of sends that nobody
 * continues. The one who computes makes a single call and no step; only the other one and the network go on. With both
 * roles of who dialed.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "../support/seed.h"
#include "peer/info.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "sim.h"
#include "virtual.h"

enum { CTX = 7, LONG = 200000, N_BURST = 64 };

static struct sim sim;
static const struct hws_mem_faults none = {.close_nth_link = -1};
static uint8_t out[LONG], in[LONG], small[N_BURST][8];
static struct hws_send_op send_op, more[N_BURST];
static struct hws_recv_op recv_op, taken[N_BURST];
static struct hws_envelope env;
static int waiter, computes; /* engines */

static void send_from(int engine, struct hws_send_op *op, void *bytes, size_t len, int to, int tag,
                      enum hws_send_mode mode)
{
    *op = (struct hws_send_op){.data = {bytes, len, NULL}, .peer = to, .ctx = CTX, .tag = tag, .mode = mode};
    hws_engine_send(sim.engines[engine], op);
}

static void recv_at(int engine, struct hws_recv_op *op, void *bytes, size_t len, int from, int tag)
{
    *op = (struct hws_recv_op){.data = {bytes, len, NULL}, .peer = from, .ctx = CTX, .tag = tag};
    hws_engine_recv(sim.engines[engine], op);
}

static bool is_received(void *arg)
{
    return ((struct hws_recv_op *)arg)->done;
}

static void settle(void)
{
    for (int i = 0; i < 200; i++)
        sim_step(&sim);
}

/* Connected, by a first message of `dialer`, and quiet. */
static void begin(int n, int dialer)
{
    struct hws_send_op hello;
    struct hws_recv_op op;
    uint8_t byte = 0;
    hws_test_seed("owed");
    sim_open(&sim, n, &none, NULL, NULL);
    for (int other = 0; other < n; other++) {
        if (other == dialer)
            continue;
        send_from(dialer, &hello, &byte, 1, other, 0, HWS_STANDARD);
        recv_at(other, &op, &byte, 1, dialer, 0);
        cr_assert(sim_run(&sim, is_received, &op));
    }
    settle();
}

/* `computes` makes no step. */
static void others_go_on(void)
{
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < sim.n; k++)
            if (k != computes)
                hws_engine_progress(sim.engines[k]);
        hws_mem_net_pump(sim.net);
        virtual_pass(50000);
    }
}

enum way { RECV, RECV_WAIT, PROBE_RECV, MPROBE_MRECV, N_WAYS };

/* The message is here. */
static void take(enum way way, size_t room)
{
    struct hws_engine *e = sim.engines[computes];
    struct hws_message *m;
    recv_op = (struct hws_recv_op){.data = {in, room, NULL}, .peer = waiter, .ctx = CTX, .tag = 5};
    if (way == PROBE_RECV)
        cr_assert(hws_engine_probe(e, HWS_ANY_PEER, CTX, 5, &env));
    if (way == MPROBE_MRECV) {
        cr_assert_not_null(m = hws_engine_mprobe(e, waiter, CTX, HWS_ANY_TAG, &env));
        hws_engine_mrecv(e, m, &recv_op);
    } else if (way == RECV_WAIT) {
        hws_engine_recv_wait(e, &recv_op, NULL);
    } else {
        hws_engine_recv(e, &recv_op);
    }
}

static void one_answer(int dialer, int w, enum way way, size_t len, size_t room, enum hws_send_mode mode)
{
    waiter = w;
    computes = !w;
    begin(2, dialer);
    send_from(waiter, &send_op, out, len, computes, 5, mode);
    settle();
    cr_assert(!send_op.done);
    take(way, room);
    others_go_on();
    if (room < len || len <= 1000)
        cr_assert(send_op.done, "dialer %d, way %d, %zu bytes: the sender waits", dialer, way, len);
    else
        cr_assert(!send_op.answer_due, "dialer %d, way %d, %zu bytes: the sender waits for the CTS", dialer, way, len);
    cr_assert(sim_run(&sim, is_received, &recv_op));
    sim_close(&sim);
}

Test(owed, an_answer_to_a_message_that_is_here_leaves_with_the_receive)
{
    for (int i = 0; i < 4 * N_WAYS; i++) {
        int dialer = i & 1, w = i >> 1 & 1;
        enum way way = (enum way)(i >> 2);
        one_answer(dialer, w, way, 4, 4, HWS_SYNC);
        one_answer(dialer, w, way, LONG, 1000, HWS_STANDARD); /* what came with the RTS is enough: acknowledged */
        if (way != RECV_WAIT)
            one_answer(dialer, w, way, LONG, LONG, HWS_SYNC);
    }
}

Test(owed, the_question_of_a_cancel_leaves_at_once)
{
    for (int dialer = 0; dialer < 2; dialer++) {
        struct hws_cancel_op c = {.peer = 1, .ctx = CTX, .tag = 5, .send = &send_op};
        computes = 0;
        begin(2, dialer);
        send_from(0, &send_op, out, 4, 1, 5, HWS_SYNC);
        settle();
        hws_engine_cancel_send(sim.engines[0], &c);
        others_go_on();
        cr_assert(!hws_engine_probe(sim.engines[1], 0, CTX, 5, &env), "the question has not come");
        settle();
        cr_assert(c.done && c.taken);
        sim_close(&sim);
    }
}

Test(owed, credit_is_told_with_the_receive_that_gives_it_back)
{
    computes = 1;
    begin(2, 0);
    for (int i = 0; i < N_BURST; i++) {
        send_from(0, &more[i], out, 4000, 1, 9, HWS_STANDARD);
        settle();
    }
    for (int i = 0; i < N_BURST; i++)
        recv_at(1, &taken[i], in, 4000, 0, 9);
    struct hws_peer_info info;
    others_go_on();
    hws_engine_peer_info(sim.engines[0], 1, &info);
    cr_assert_geq(info.credit, sim.engines[1]->peers[0]->account.grant / 2);
    sim_close(&sim);
}

/* Two sends that follow each other; the second is held back. */
static void two_sends(void)
{
    send_from(0, &more[0], small[0], 8, 1, 6, HWS_STANDARD);
    send_from(0, &more[1], small[1], 8, 1, 7, HWS_STANDARD);
    cr_assert(more[0].done && !more[1].done);
}

static void push(void)
{
    hws_engine_push(sim.engines[0]);
}

static void send_now(void)
{
    send_op = (struct hws_send_op){.data = {out, 8, NULL}, .peer = 2, .ctx = CTX, .tag = 9};
    hws_engine_send_now(sim.engines[0], &send_op);
}

static void probe(void)
{
    cr_assert(hws_engine_probe(sim.engines[0], 1, CTX, 5, &env));
}

static void mprobe(void)
{
    hws_engine_mrecv(sim.engines[0], hws_engine_mprobe(sim.engines[0], 1, CTX, 5, &env), &recv_op);
}

static void receive(void)
{
    recv_op = (struct hws_recv_op){.data = {in, 8, NULL}, .peer = 1, .ctx = CTX, .tag = 5};
    hws_engine_recv_wait(sim.engines[0], &recv_op, NULL);
}

static void wait_for_what_is_done(void)
{
    hws_engine_wait(sim.engines[0], &more[0].done, NULL);
}

static void answer(void)
{
    recv_at(0, &recv_op, in, 8, 2, 5); /* to another rank: its acknowledgment takes the burst along */
}

static void (*const calls[])(void) = {push, send_now, probe, mprobe, receive, wait_for_what_is_done, answer};

Test(owed, a_burst_ends_with_any_call_that_starts_nothing)
{
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        recv_op = (struct hws_recv_op){.data = {in, 8, NULL}};
        computes = 0;
        begin(3, 0);
        send_from(1, &more[10], small[10], 8, 0, 5, HWS_STANDARD);
        send_from(2, &more[11], small[11], 8, 0, 5, HWS_SYNC);
        settle();
        two_sends();
        calls[i]();
        cr_assert(more[1].done, "call %u", i);
        recv_at(1, &taken[0], in, 8, 0, 7);
        others_go_on();
        cr_assert(taken[0].done, "call %u", i);
        sim_close(&sim);
    }
}

Test(owed, a_burst_takes_few_system_calls)
{
    struct hws_peer_info before, after;
    begin(2, 0);
    hws_engine_peer_info(sim.engines[0], 1, &before);
    for (int i = 0; i < N_BURST; i++) {
        recv_at(0, &taken[i], in, 8, 1, i);
        send_from(0, &more[i], small[i], 8, 1, i, HWS_STANDARD);
    }
    settle();
    hws_engine_peer_info(sim.engines[0], 1, &after);
    cr_assert_leq(after.traffic.send_calls - before.traffic.send_calls, 3);
    sim_close(&sim);
}
