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

enum { STEP_NS = 500, LATENCY_NS = 10000, LONGEST = 1 << 20 };

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

static void open_cards(int n, const uint64_t *rates, uint64_t burst)
{
    struct hws_mem_faults f = {.cards = n,
                               .close_nth_link = -1,
                               .tells_health = true,
                               .latency_ns = LATENCY_NS,
                               .burst = burst,
                               .capacity = 192 << 10};
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

/* Cards, their speeds in Mb/s, the burst that they let pass; and how much of the sum a message of 32 KiB, 64 KiB, ...
 * must reach. */
struct setting {
    int n;
    uint64_t mbits[4], burst;
    double least[6];
};

static const struct setting settings[] = {
    {2, {1000, 1000}, 0, {70, 80, 90, 93, 95, 95}},
    {4, {1000, 1000, 1000, 1000}, 0, {50, 65, 80, 85, 90, 93}},
    {4, {1000, 1000, 1000, 1000}, 128 << 10, {90, 90, 90, 90, 90, 90}}, /* more than 100: what was saved up meanwhile */
    {2, {1000, 250}, 0, {85, 90, 95, 95, 95, 95}},
};

static void expect_speed(const struct setting *c)
{
    uint64_t rates[4], sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += rates[i] = c->mbits[i] * 125000;
    open_cards(c->n, rates, c->burst);
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
