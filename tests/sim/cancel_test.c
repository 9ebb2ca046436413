/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cancel_test: sends that are taken back: before they leave, when they wait unmatched, too late, at random times, and
 * when the peer is lost meanwhile. Every send is received or taken back, never both; numbers and credit stay right.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "../support/seed.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "sim.h"

enum { N = 60, ROOM = 40000 };

static struct item {
    struct hws_send_op send;
    struct hws_recv_op recv;
    struct hws_cancel_op cancel;
    bool asked, posted;
    uint8_t out[ROOM], in[ROOM];
} items[N];

static struct sim sim;
static int from; /* the engine that sends */
static const struct hws_mem_faults no_faults;

static void start(int i, size_t len, enum hws_send_mode mode)
{
    struct item *it = &items[i];
    memset(it, 0, sizeof *it);
    sim_fill(it->out, len, (uint64_t)i);
    it->send = (struct hws_send_op){.data = {it->out, len, NULL}, .peer = !from, .ctx = 7, .tag = i, .mode = mode};
    hws_engine_send(sim.engines[from], &it->send);
}

static void take_back(int i)
{
    struct item *it = &items[i];
    it->asked = true;
    it->cancel = (struct hws_cancel_op){.peer = !from, .ctx = 7, .seq = it->send.seq, .tag = i, .send = &it->send};
    hws_engine_cancel_send(sim.engines[from], &it->cancel);
}

static void post(int i)
{
    struct item *it = &items[i];
    it->posted = true;
    it->recv = (struct hws_recv_op){.data = {it->in, ROOM, NULL}, .peer = from, .ctx = 7, .tag = i};
    hws_engine_recv(sim.engines[!from], &it->recv);
}

static bool is_settled(void *arg)
{
    int i = *(int *)arg;
    struct item *it = &items[i];
    return it->send.done && (!it->asked || it->cancel.done) && (!it->posted || it->recv.done || it->cancel.taken);
}

static void settle(int i)
{
    cr_assert(sim_run(&sim, is_settled, &i), "send %d hangs", i);
}

static bool is_connected(void *arg)
{
    (void)arg;
    return sim_counter(&sim, 1, "unexpected") > 0;
}

Test(cancel, before_the_connection_nothing_leaves_and_no_number_is_missing)
{
    sim_open(&sim, 2, &no_faults, NULL, NULL);
    for (int i = 0; i < 3; i++)
        start(i, 100, HWS_STANDARD);
    take_back(1);
    cr_assert(items[1].cancel.done && items[1].cancel.taken);
    cr_assert_eq(items[1].send.err, HWS_ECANCELLED);
    post(0);
    post(2);
    settle(0);
    settle(2);
    cr_assert_eq(sim_differs(items[2].in, 100, 2), 100);
    sim_close(&sim);
}

Test(cancel, what_waits_unmatched_is_forgotten_what_is_matched_is_not)
{
    static const size_t lens[] = {0, 100, 30000};
    sim_open(&sim, 2, &no_faults, NULL, NULL);
    for (int i = 0; i < 6; i++) {
        start(i, lens[i % 3], i < 3 ? HWS_STANDARD : HWS_SYNC);
        cr_assert(sim_run(&sim, is_connected, NULL));
        for (int k = 0; k < 50; k++)
            sim_step(&sim);
        take_back(i);
        settle(i);
        cr_assert(items[i].cancel.taken, "send %d", i);
        start(i, lens[i % 3], HWS_STANDARD); /* the next of that tag is seen */
        post(i);
        settle(i);
        take_back(i);
        settle(i);
        cr_assert(!items[i].cancel.taken);
        cr_assert_eq(items[i].recv.err, HWS_OK);
        cr_assert_eq(sim_differs(items[i].in, lens[i % 3], (uint64_t)i), lens[i % 3]);
    }
    sim_close(&sim);
}

/* From now on this engine's first fragments and answers take that lane. */
static void prefer(int engine, unsigned lane)
{
    struct hws_peer *p = sim.engines[engine]->peers[!engine];
    for (unsigned i = 0; i < p->n_up; i++)
        p->up[i]->share.latency_ns = i == lane ? 1000 : 10000000;
}

static void open_lanes(int dialer, unsigned n)
{
    from = dialer;
    start(0, ROOM, HWS_STANDARD);
    post(0);
    settle(0);
    for (int i = 0; i < 200; i++)
        sim_step(&sim);
    cr_assert_eq(sim.engines[0]->peers[1]->n_up, n);
}

/* The message goes over one lane, the question and the answer over another: whoever dialed, whoever sends. */
Test(cancel, a_long_send_ends_whatever_lane_the_answer_takes)
{
    enum { LANES = 3 };
    const struct hws_mem_faults cards = {.cards = LANES, .close_nth_link = -1};
    for (int roles = 0; roles < 4; roles++) {
        sim_open(&sim, 2, &cards, NULL, NULL);
        open_lanes(roles & 1, LANES);
        from = roles >> 1;
        for (unsigned i = 0; i < LANES * LANES * LANES; i++) {
            int number = 1 + (int)i;
            prefer(from, i % LANES);
            start(number, 30000, i & 1 ? HWS_STANDARD : HWS_SYNC);
            for (int k = 0; k < 50; k++)
                sim_step(&sim);
            prefer(from, i / LANES % LANES);
            prefer(!from, i / LANES / LANES);
            take_back(number);
            settle(number);
            cr_assert(items[number].cancel.taken);
        }
        sim_close(&sim);
    }
    from = 0;
}

static void no_credit(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.credit = 4096;
}

/* Each item gets a send and, in random order among the steps, perhaps a question and a receive. */
static void mix(const struct hws_mem_faults *faults)
{
    sim_open(&sim, 2, faults, hws_test_random(2) ? no_credit : NULL, NULL);
    int n_started = 0;
    int n_rounds = hws_test_rounds(400);
    for (int turn = 0; turn < n_rounds; turn++) {
        int i = (int)(hws_test_random(N));
        if (n_started < N && hws_test_random(2))
            start(n_started++, hws_test_random(3) ? hws_test_random(300) : hws_test_random(ROOM),
                  hws_test_random(4) ? HWS_STANDARD : HWS_SYNC);
        else if (i < n_started && !items[i].asked && hws_test_random(2))
            take_back(i);
        else if (i < n_started && !items[i].posted)
            post(i);
        if (hws_test_random(3) == 0)
            sim_step(&sim);
    }
    for (int i = 0; i < n_started; i++)
        if (!items[i].posted)
            post(i);
    for (int i = 0; i < n_started; i++) {
        struct item *it = &items[i];
        settle(i);
        if (it->cancel.taken)
            cr_assert(!it->recv.done && hws_engine_cancel_recv(sim.engines[1], &it->recv), "send %d is also received",
                      i);
        else
            cr_assert_eq(sim_differs(it->in, it->send.data.len_bytes, (uint64_t)i), it->send.data.len_bytes);
    }
    sim_close(&sim);
}

Test(cancel, at_random_every_send_is_received_or_taken_back, .timeout = 600)
{
    struct hws_mem_faults kinds[] = {
        {.max_write = 0}, {.max_write = 700, .max_read = 300}, {.delay_pumps = 20, .cards = 3}};
    uint64_t seed = hws_test_seed("cancel");
    for (unsigned i = 0; i < 45; i++) {
        kinds[i % 3].seed = seed + i;
        mix(&kinds[i % 3]);
    }
}
