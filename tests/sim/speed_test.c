/* SPDX-License-Identifier: BSD-3-Clause
 *
 * speed_test: how near messages come to what several cards carry together. Links have a rate and a latency, in virtual
 * time, and an engine does a step of progress each STEP_NS, so the figures are the scheduling's alone and the same on
 * any machine.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "peer/state/engine.h"
#include "sim.h"
#include "virtual.h"

enum { STEP_NS = 500, LATENCY_NS = 10000, LONGEST = 1 << 20, SOCKET = 192 << 10 };

struct way {
    struct hws_send_op send;
    struct hws_recv_op recv;
};

static struct sim sim;
static uint8_t out[LONGEST], in[2][LONGEST];

static void pass(struct sim *s, bool moved)
{
    (void)s;
    (void)moved;
    virtual_pass(STEP_NS);
}

/* What a processor needs to give a socket its bytes. */
static void take_time(size_t bytes)
{
    virtual_pass(bytes / 4);
}

/* Sockets that take much at once need time for it: so one lane's share is on its way while the next one's is given. */
static void open_cards(int n, const uint64_t *rates, uint64_t burst, size_t capacity)
{
    struct hws_mem_faults f = {.cards = n,
                               .close_nth_link = -1,
                               .tells_health = true,
                               .latency_ns = LATENCY_NS,
                               .burst = burst,
                               .capacity = capacity,
                               .on_sent = capacity > SOCKET ? take_time : NULL};
    memcpy(f.rates, rates, (size_t)n * sizeof f.rates[0]);
    sim_open(&sim, 2, &f, NULL, NULL);
    sim.on_step = pass;
}

static void start(struct way *w, int from, size_t len, int tag)
{
    w->recv = (struct hws_recv_op){.data = {in[!from], LONGEST, NULL}, .peer = from, .ctx = 7, .tag = tag};
    hws_engine_recv(sim.engines[!from], &w->recv);
    w->send = (struct hws_send_op){.data = {out, len, NULL}, .peer = !from, .ctx = 7, .tag = tag};
    hws_engine_send(sim.engines[from], &w->send);
}

static bool is_received(void *arg)
{
    return ((struct way *)arg)->recv.done;
}

static bool is_sent(void *arg)
{
    return ((struct way *)arg)->send.done;
}

/* As a ping-pong does: the other end's receive is posted, its answer leaves once the message is there. */
static uint64_t ping_pong(int first, size_t len, int n)
{
    static struct way w[2];
    uint64_t begin = virtual_now();
    for (int i = 0; i < 2 * n; i++) {
        int from = i & 1 ? !first : first;
        start(&w[i & 1], from, len, 1);
        cr_assert(sim_run(&sim, is_received, &w[i & 1]));
        if (i)
            cr_assert(sim_run(&sim, is_sent, &w[!(i & 1)]));
    }
    uint64_t ns = (virtual_now() - begin) / (2 * (uint64_t)n);
    cr_assert(sim_run(&sim, is_sent, &w[1]));
    return ns;
}

/* Cards, their speeds in Mb/s, the burst that they let pass, what their sockets take; and how much of the sum a message
 * of 32 KiB, 64 KiB, ... must reach. */
struct setting {
    int n;
    uint64_t mbits[4], burst;
    size_t capacity;
    double least[6];
};

static const struct setting settings[] = {
    {2, {1000, 1000}, 0, SOCKET, {76, 87, 93, 95, 97, 98}},
    {4, {1000, 1000, 1000, 1000}, 0, SOCKET, {55, 72, 85, 91, 94, 96}},
    {4,
     {1000, 1000, 1000, 1000},
     128 << 10,
     SOCKET,
     {150, 150, 150, 150, 150, 150}}, /* more than 100: what was saved up meanwhile */
    {4, {1000, 1000, 1000, 1000}, 128 << 10, 1 << 20, {150, 150, 150, 150, 150, 165}},
    {2, {1000, 250}, 0, SOCKET, {85, 90, 95, 95, 95, 95}},
};

static void expect_speed(const struct setting *c)
{
    uint64_t rates[4], sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += rates[i] = c->mbits[i] * 125000;
    open_cards(c->n, rates, c->burst, c->capacity);
    ping_pong(0, LONGEST, 2);
    for (int i = 0; i < 6; i++) {
        size_t len = (32 << 10) << i;
        ping_pong(0, len, 3);
        double percent = (double)len / (double)sum * 1e9 / (double)ping_pong(0, len, 6) * 100;
        fprintf(stderr, "%d cards, burst %3d KiB: %4d KiB one at a time: %.0f %% of the sum\n", c->n,
                (int)(c->burst >> 10), (int)(len >> 10), percent);
        cr_expect_geq(percent, c->least[i], "%d cards, burst %d: %.1f %% of the sum with messages of %d bytes", c->n,
                      (int)c->burst, percent, (int)len);
    }
    cr_assert_eq(sim.engines[0]->peers[1]->n_up, (unsigned)c->n);
    sim_close(&sim);
}

Test(speed, one_message_at_a_time_uses_all_cards, .timeout = 600)
{
    for (unsigned i = 0; i < HWS_ARRAY_LEN(settings); i++)
        expect_speed(&settings[i]);
}

/* ---- both ends send ---------------------------------------------------------------------------------------------- */

enum { ROUNDS = 8, MOST = 4, EAGER = 16 << 10, LONE = 8 * EAGER, LENT = 32 * EAGER };

/* n messages each way, all sent before any has come. */
struct turn {
    struct way ways[2][MOST];
    int n;
    size_t len;
    bool late;         /* the receives come once the messages wait for them */
    uint64_t apart_ns; /* the second end sends so much later */
};

static void turn_receives(struct turn *t, int to)
{
    for (int i = 0; i < t->n; i++) {
        struct way *w = &t->ways[!to][i];
        w->recv =
            (struct hws_recv_op){.data = {in[to] + (size_t)i * t->len, t->len, NULL}, .peer = !to, .ctx = 7, .tag = i};
        hws_engine_recv(sim.engines[to], &w->recv);
    }
}

static void turn_sends(struct turn *t, int from)
{
    for (int i = 0; i < t->n; i++) {
        struct way *w = &t->ways[from][i];
        w->send =
            (struct hws_send_op){.data = {out + (size_t)i * t->len, t->len, NULL}, .peer = !from, .ctx = 7, .tag = i};
        hws_engine_send(sim.engines[from], &w->send);
    }
}

static bool is_turn_over(void *arg)
{
    struct turn *t = arg;
    for (int i = 0; i < 2 * t->n; i++)
        if (!t->ways[i & 1][i / 2].send.done || !t->ways[i & 1][i / 2].recv.done)
            return false;
    return true;
}

/* Memory stays bounded however much goes whole. */
static void check_account(int me)
{
    const struct hws_peer *p = sim.engines[me]->peers[!me];
    cr_assert_leq(p->account.in_use, p->account.grant);
}

/* Returns its virtual time. */
static uint64_t take_turn(struct turn *t, int first)
{
    uint64_t begin = virtual_now();
    memset(in, 0, sizeof in);
    for (int i = 0; i < 2 && !t->late; i++)
        turn_receives(t, first ^ i);
    turn_sends(t, first);
    while (virtual_now() - begin < t->apart_ns)
        sim_step(&sim);
    turn_sends(t, !first);
    for (int i = 0; i < 200 && t->late; i++)
        sim_step(&sim);
    for (int i = 0; i < 2; i++) {
        check_account(i);
        if (t->late)
            turn_receives(t, first ^ i);
    }
    cr_assert(sim_run(&sim, is_turn_over, t));
    for (int i = 0; i < 2; i++)
        cr_assert_arr_eq(in[i], out, (size_t)t->n * t->len);
    return virtual_now() - begin;
}

static uint64_t announced(void)
{
    return sim_counter(&sim, 0, "rendezvous_sent") + sim_counter(&sim, 1, "rendezvous_sent");
}

/* Of the n messages that an end sends in a turn, so many are announced, from the second turn on; where none is, nothing
 * takes longer than the bytes and one way, and the acknowledgment's where the send waits for it. */
struct both {
    int n;
    size_t len;
    unsigned announced;
};

static const struct both both[] = {
    {1, EAGER, 0},     {1, EAGER + 1, 0}, {1, 2 * EAGER, 0}, {1, LONE, 0},     {1, LENT, 0},      {1, LENT + 1, 1},
    {2, EAGER + 1, 0}, {2, 2 * EAGER, 0}, {2, 3 * EAGER, 0}, {2, LONE, 0},     {3, 2 * EAGER, 0}, {4, 2 * EAGER, 0},
    {3, 3 * EAGER, 1}, {3, 6 * EAGER, 1}, {4, LONE, 2},      {2, LENT / 2, 1},
};

static void expect_both(const struct both *b, int first, bool late, uint64_t rate)
{
    struct turn t = {.n = b->n, .len = b->len, .late = late};
    uint64_t ways = b->len > LONE ? 2 : 1;
    uint64_t begin, most = (uint64_t)b->n * b->len * 1000000000 / rate + ways * LATENCY_NS + LATENCY_NS / 2;
    take_turn(&t, first);
    begin = announced();
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t ns = take_turn(&t, first);
        if (!late && b->announced == 0 && (b->n == 1 || b->len <= LONE))
            cr_expect_leq(ns, most, "%d of %zu bytes each way: %d ns of %d", b->n, b->len, (int)ns, (int)most);
    }
    if (late && (size_t)b->n * b->len >= LONE)
        return; /* there is no credit for all of it */
    cr_expect_eq(announced() - begin, 2 * ROUNDS * b->announced, "%d of %zu bytes each way, %s: %d announced", b->n,
                 b->len, late ? "unexpected" : "expected", (int)(announced() - begin));
}

static void fill_out(void)
{
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (uint8_t)(i * 7 + i / 251);
}

/* What crosses can't acknowledge what it meets; all of it is here when the next turn begins. */
Test(speed, messages_of_a_middle_size_go_whole_where_both_ends_send, .timeout = 600)
{
    const uint64_t rate = 1250000000;
    fill_out();
    for (int roles = 0; roles < 4; roles++) {
        open_cards(1, &rate, 0, SOCKET);
        ping_pong(roles & 1, LONGEST, 2);
        for (unsigned i = 0; i < HWS_ARRAY_LEN(both); i++)
            expect_both(&both[i], !(roles & 1), roles & 2, rate);
        sim_close(&sim);
    }
}

/* Over two cards. What is given to them until the late one's announcement comes is in front of its answer: that was all
 * that their sockets take. */
Test(speed, an_answer_waits_little_longer_than_its_message_was_late, .timeout = 600)
{
    static const uint64_t rates[] = {125000000, 125000000}, late_ns[] = {0, 20000, 50000, 100000, 200000, 500000};
    const uint64_t least = (uint64_t)LONGEST * 1000000000 / 250000000, most_begin = 1100000;
    fill_out();
    open_cards(2, rates, 0, 1 << 20);
    ping_pong(0, LONGEST, 4);
    for (unsigned i = 0; i < 2 * HWS_ARRAY_LEN(late_ns); i++) {
        struct turn t = {.n = 1, .len = LONGEST, .apart_ns = late_ns[i / 2]};
        take_turn(&t, i & 1);
        for (int k = 0; k < 4; k++) {
            uint64_t ns = take_turn(&t, i & 1), most = least + 2 * late_ns[i / 2] + most_begin;
            fprintf(stderr, "both ways, rank %u first, the other one %3d us later: %d us of %d\n", i & 1,
                    (int)(late_ns[i / 2] / 1000), (int)(ns / 1000), (int)(least / 1000));
            cr_expect_leq(ns, most, "rank %u first, %d ns later: %d ns of %d", i & 1, (int)late_ns[i / 2], (int)ns,
                          (int)most);
        }
    }
    sim_close(&sim);
}

/* ---- one way ----------------------------------------------------------------------------------------------------- */

enum { WINDOW = 8, MIDDLE = 40000 };

/* A window of messages from 0 to 1, whose receives are posted before, or each when the one before is over and the
 * message has come. */
static void send_window(bool late)
{
    static struct way ways[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        ways[i].recv = (struct hws_recv_op){.data = {in[1], MIDDLE, NULL}, .peer = 0, .ctx = 7, .tag = i};
        if (!late)
            hws_engine_recv(sim.engines[1], &ways[i].recv);
    }
    for (int i = 0; i < WINDOW; i++) {
        ways[i].send = (struct hws_send_op){.data = {out, MIDDLE, NULL}, .peer = 1, .ctx = 7, .tag = i};
        hws_engine_send(sim.engines[0], &ways[i].send);
    }
    for (int i = 0; i < WINDOW; i++) {
        for (int k = 0; late && k < 200; k++)
            sim_step(&sim);
        if (late)
            hws_engine_recv(sim.engines[1], &ways[i].recv);
        cr_assert(sim_run(&sim, is_received, &ways[i]));
        cr_assert_arr_eq(in[1], out, MIDDLE);
    }
    for (int i = 0; i < WINDOW; i++)
        cr_assert(sim_run(&sim, is_sent, &ways[i]));
    check_account(1);
}

static unsigned announced_of(int windows, bool late)
{
    uint64_t before = announced();
    for (int i = 0; i < windows; i++)
        send_window(late);
    return (unsigned)(announced() - before);
}

/* Who posts his receives late would wait for the rest of each message; who posts them in time is spared a copy. */
Test(speed, messages_go_whole_to_who_is_late, .timeout = 600)
{
    const uint64_t rate = 1250000000;
    fill_out();
    open_cards(1, &rate, 0, SOCKET);
    ping_pong(true, LONGEST, 2);
    announced_of(1, true);
    cr_expect_leq(announced_of(64, true), 64 * WINDOW / 8, "one in 16 to look, and what there is no credit for");
    announced_of(64, false); /* some are announced meanwhile */
    cr_expect_geq(announced_of(64, false), 64 * WINDOW / 2, "it is in time again");
    sim_close(&sim);
}
