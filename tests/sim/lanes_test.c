/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lanes_test: long messages use every lane there can be, whoever dialed the first one, whoever sends, and whether the
 * receive was posted before the message came or after.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "sim.h"

enum { MANY = 24, LONG = 256 << 10, SHORT = 100, LEAST = 16 << 10 };

static struct item {
    struct hws_send_op send;
    struct hws_recv_op recv;
    uint8_t in[LONG];
} items[MANY];

static struct sim sim;
static uint8_t out[LONG];
static int n_items;

static void start(int from, int to, size_t len)
{
    struct item *it = &items[n_items];
    it->send = (struct hws_send_op){.data = {out, len, NULL}, .peer = to, .ctx = 7, .tag = n_items++};
    hws_engine_send(sim.engines[from], &it->send);
}

static void post(int i, int to, int from)
{
    struct item *it = &items[i];
    it->recv = (struct hws_recv_op){.data = {it->in, LONG, NULL}, .peer = from, .ctx = 7, .tag = i};
    hws_engine_recv(sim.engines[to], &it->recv);
}

static bool all_done(void *arg)
{
    (void)arg;
    for (int i = 0; i < n_items; i++)
        if (!items[i].send.done || !items[i].recv.done)
            return false;
    return true;
}

static void settle(void)
{
    cr_assert(sim_run(&sim, all_done, NULL), "messages hang");
    for (int i = 0; i < n_items; i++) {
        size_t len = items[i].send.data.len_bytes;
        cr_assert_eq(items[i].recv.err, HWS_OK);
        cr_assert(memcmp(items[i].in, out, len) == 0, "message %d is another one", i);
    }
    n_items = 0;
}

/* A message too short for more than one lane. */
static void connect(int dialer, int other)
{
    start(dialer, other, SHORT);
    post(0, other, dialer);
    settle();
    cr_assert(sim.engines[dialer]->peers[other]->opens_lanes);
    cr_assert_eq(sim.engines[dialer]->peers[other]->n_up, 1);
}

static void some_steps(void)
{
    for (int i = 0; i < 100; i++)
        sim_step(&sim);
}

/* n messages at once; `late`: their receives come after them. */
static void stream(int from, int to, int n, bool late)
{
    int first = n_items;
    for (int i = 0; i < n; i++)
        if (late)
            start(from, to, LONG);
        else
            post(first + i, to, from);
    if (late)
        some_steps();
    for (int i = 0; i < n; i++)
        if (late)
            post(first + i, to, from);
        else
            start(from, to, LONG);
}

static void expect_bulk_on_all(int from, int to, unsigned lanes)
{
    const struct hws_peer *p = sim.engines[from]->peers[to];
    cr_assert_eq(p->n_up, lanes, "%u lanes of %u from %d to %d", p->n_up, lanes, from, to);
    for (unsigned i = 0; i < lanes; i++)
        cr_assert_geq(p->up[i]->out.sent, LEAST, "lane %u of %u from %d to %d: %d bytes", i, lanes, from, to,
                      (int)p->up[i]->out.sent);
}

enum { DIALER = 1, SENDER = 2, LATE = 4, ROLES = 8 };

static void open_pair(int n, int cards)
{
    const struct hws_mem_faults faults = {.cards = cards, .close_nth_link = -1};
    sim_fill(out, sizeof out, 5);
    n_items = 0;
    sim_open(&sim, n, &faults, NULL, NULL);
}

Test(lanes, one_way_streams_use_all)
{
    for (int cards = 2; cards <= 4; cards += 2)
        for (int roles = 0; roles < ROLES; roles++) {
            int dialer = !!(roles & DIALER), from = !!(roles & SENDER);
            open_pair(2, cards);
            connect(dialer, !dialer);
            stream(from, !from, MANY, roles & LATE);
            settle();
            expect_bulk_on_all(from, !from, (unsigned)cards);
            sim_close(&sim);
        }
}

/* All of it may be gone before the others are up, but they are there for the next one. */
Test(lanes, one_long_message_opens_all)
{
    for (int cards = 2; cards <= 4; cards += 2)
        for (int roles = 0; roles < ROLES; roles++) {
            int dialer = !!(roles & DIALER), from = !!(roles & SENDER);
            open_pair(2, cards);
            connect(dialer, !dialer);
            for (int again = 0; again < 2; again++) {
                stream(from, !from, 1, roles & LATE);
                settle();
                some_steps();
            }
            expect_bulk_on_all(from, !from, (unsigned)cards);
            sim_close(&sim);
        }
}

Test(lanes, streams_both_ways_use_all)
{
    for (int cards = 2; cards <= 4; cards += 2)
        for (int roles = 0; roles < ROLES; roles++) {
            int dialer = !!(roles & DIALER), from = !!(roles & SENDER);
            open_pair(2, cards);
            connect(dialer, !dialer);
            stream(from, !from, MANY / 2, roles & LATE);
            stream(!from, from, MANY / 2, !(roles & LATE));
            settle();
            expect_bulk_on_all(from, !from, (unsigned)cards);
            expect_bulk_on_all(!from, from, (unsigned)cards);
            sim_close(&sim);
        }
}

/* Some of the senders have dialed the receiver, it has dialed the others. */
Test(lanes, many_to_one_uses_all)
{
    enum { N = 4, EACH = MANY / (N - 1) };
    for (int cards = 2; cards <= 4; cards += 2)
        for (int late = 0; late < 2; late++) {
            open_pair(N, cards);
            for (int i = 1; i < N; i++)
                connect(i & 1 ? 0 : i, i & 1 ? i : 0);
            for (int i = 1; i < N; i++)
                stream(i, 0, EACH, late);
            settle();
            for (int i = 1; i < N; i++)
                expect_bulk_on_all(i, 0, (unsigned)cards);
            sim_close(&sim);
        }
}

/* ---- messages of a middle size ----------------------------------------------------------------------------------- */

enum { MIDDLE = 40 << 10 };

static uint64_t rendezvous(int engine)
{
    return sim_counter(&sim, engine, "rendezvous_sent");
}

/* One that is answered, so that the next sender knows that all has come. */
static void one(int from, size_t len, bool late)
{
    if (!late)
        post(0, !from, from);
    start(from, !from, len);
    if (late) {
        some_steps();
        post(0, !from, from);
    }
    settle();
}

/* The first may be an RTS, as it opens what lanes there are; from then on who finds nothing under way sends it whole,
 * and of several at once the first do, up to 128 KiB. */
Test(lanes, a_message_of_a_middle_size_goes_whole_where_it_is_alone)
{
    for (int roles = 0; roles < ROLES; roles++) {
        int dialer = !!(roles & DIALER), from = !!(roles & SENDER);
        open_pair(2, 1);
        connect(dialer, !dialer);
        for (int i = 0; i < 2; i++)
            one(i, MIDDLE, roles & LATE);
        uint64_t before[2] = {rendezvous(0), rendezvous(1)};
        cr_assert_leq(before[0] + before[1], 2);
        for (int i = 0; i < 6; i++)
            one(i & 1, MIDDLE, roles & LATE);
        cr_assert_eq(rendezvous(0), before[0]);
        cr_assert_eq(rendezvous(1), before[1]);
        one(!from, SHORT, false);
        for (int i = 0; i < 4; i++)
            post(i, !from, from);
        for (int i = 0; i < 4; i++)
            start(from, !from, MIDDLE);
        settle();
        cr_assert_eq(rendezvous(from), before[from] + 2, "of four at once the first two go whole: %d",
                     (int)(rendezvous(from) - before[from]));
        sim_close(&sim);
    }
}

/* Who sends nothing longer opens the lanes, too, whichever end dials them. */
Test(lanes, messages_of_a_middle_size_open_all)
{
    for (int roles = 0; roles < LATE; roles++) {
        int dialer = !!(roles & DIALER), from = !!(roles & SENDER);
        open_pair(2, 3);
        connect(dialer, !dialer);
        one(from, MIDDLE, false);
        some_steps();
        cr_assert_eq(sim.engines[from]->peers[!from]->n_up, 3);
        sim_close(&sim);
    }
}
