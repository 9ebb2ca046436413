/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hold_test: messages that nobody receives stay with their sender once the credit is used up, envelopes included, and a
 * receive or probe that waits for one of them gets it (docs/decisions/020-what-an-envelope-costs.md).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"
#include "sim.h"
#include "virtual.h"

enum {
    N = 3000,
    SENDERS = 4,
    BOUND = 64 << 10,
    GRANT_MIN = 20 << 10,
    LEAST = 200 /* bytes that keeping a message takes */
};

static struct hws_mem_faults none = {.close_nth_link = -1};

struct flood {
    struct sim sim;
    int to;
    struct hws_send_op sends[SIM_MAX][N];
    uint64_t out[SIM_MAX][N];
};

static struct flood *f;

static void set_bound(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.unexpected = BOUND;
}

static bool is_true(void *flag)
{
    return *(volatile bool *)flag;
}

static void start_send(int from, int i, uint32_t ctx, int32_t tag)
{
    f->out[from][i] = (uint64_t)from << 32 | (unsigned)i;
    f->sends[from][i] =
        (struct hws_send_op){.data = {&f->out[from][i], 8, NULL}, .peer = f->to, .ctx = ctx, .tag = tag};
    hws_engine_send(f->sim.engines[from], &f->sends[from][i]);
}

static void receive(int from, uint32_t ctx, int32_t tag, uint64_t expect)
{
    uint64_t got = 0;
    struct hws_recv_op op = {.data = {&got, 8, NULL}, .peer = from, .ctx = ctx, .tag = tag};
    hws_engine_recv(f->sim.engines[f->to], &op);
    cr_assert(sim_run(&f->sim, is_true, (void *)(uintptr_t)&op.done), "hangs before %lx", (long)expect);
    cr_assert_eq(op.err, HWS_OK);
    cr_assert_eq(got, expect, "%lx instead of %lx", (long)got, (long)expect);
}

/* The connection is dialed by whoever sends first. */
static void greet(int from, int to)
{
    int out = 1, in = 0;
    struct hws_send_op send = {.data = {&out, sizeof out, NULL}, .peer = to, .ctx = 99};
    struct hws_recv_op recv = {.data = {&in, sizeof in, NULL}, .peer = from, .ctx = 99};
    hws_engine_recv(f->sim.engines[to], &recv);
    hws_engine_send(f->sim.engines[from], &send);
    cr_assert(sim_run(&f->sim, is_true, (void *)(uintptr_t)&recv.done));
}

static void open_flood(int n, int to, bool receiver_dials, const struct hws_mem_faults *faults)
{
    f = calloc(1, sizeof *f);
    cr_assert_not_null(f);
    hws_test_seed("hold");
    f->to = to;
    sim_open(&f->sim, n, faults, set_bound, NULL);
    for (int i = 0; i < n; i++)
        if (i != to)
            greet(receiver_dials ? to : i, receiver_dials ? i : to);
}

static void close_flood(void)
{
    sim_close(&f->sim);
    free(f);
}

static void pass_steps(int n)
{
    while (n--)
        sim_step(&f->sim);
}

static void assert_bounded(void)
{
    uint64_t bound = BOUND + (uint64_t)f->sim.n * GRANT_MIN, n = sim_counter(&f->sim, f->to, "unexpected_queue");
    cr_assert_leq(n * LEAST, bound, "%d messages are kept", (int)n);
    cr_assert_gt(n, 0, "nothing came");
}

Test(hold, of_a_flood_of_tiny_messages_little_is_kept_and_all_arrive_in_order)
{
    for (int role = 0; role < 4; role++) {
        open_flood(SENDERS + 1, role % 2 ? SENDERS : 0, role / 2, &none);
        for (int i = 0; i < N; i++)
            for (int from = 0; from < f->sim.n; from++)
                if (from != f->to)
                    start_send(from, i, 0, i % 3);
        pass_steps(2000);
        assert_bounded();
        for (int i = 0; i < N; i++)
            for (int from = 0; from < f->sim.n; from++)
                if (from != f->to)
                    receive(from, 0, HWS_ANY_TAG, f->out[from][i]);
        cr_assert_eq(sim_counter(&f->sim, f->to, "unexpected_queue"), 0);
        cr_assert_eq(sim_counter(&f->sim, f->to, "unexpected_bytes"), 0);
        close_flood();
    }
}

/* A barrier, say, while the flood waits: another context passes it and nothing more is kept. */
Test(hold, what_is_wanted_of_another_context_passes_the_flood)
{
    for (int role = 0; role < 8; role++) {
        bool posted_first = role / 4;
        uint64_t got = 0;
        struct hws_recv_op early = {
            .data = {&got, 8, NULL}, .peer = role % 4 ? HWS_ANY_PEER : SENDERS - 1, .ctx = 7, .tag = 5};
        open_flood(SENDERS + 1, role % 2 ? SENDERS : 0, role / 2 % 2, &none);
        if (posted_first)
            hws_engine_recv(f->sim.engines[f->to], &early);
        for (int i = 0; i < N - 1; i++)
            for (int from = 0; from < f->sim.n; from++)
                if (from != f->to)
                    start_send(from, i, 0, i % 3);
        pass_steps(2000);
        start_send(SENDERS - 1, N - 1, 7, 5);
        if (!posted_first)
            hws_engine_recv(f->sim.engines[f->to], &early);
        cr_assert(sim_run(&f->sim, is_true, (void *)(uintptr_t)&early.done));
        cr_assert_eq(got, f->out[SENDERS - 1][N - 1]);
        assert_bounded();
        for (int from = 0; from < f->sim.n; from++)
            for (int i = 0; from != f->to && i < N - 1; i++)
                receive(from, 0, i % 3, f->out[from][i]);
        close_flood();
    }
}

/* A receive that nothing waits for lets nothing more in. */
Test(hold, a_receive_for_a_message_that_was_not_sent_does_not_open_the_gates)
{
    uint64_t got = 0;
    struct hws_recv_op stop = {.data = {&got, 8, NULL}, .peer = HWS_ANY_PEER, .tag = 99};
    open_flood(SENDERS + 1, 0, false, &none);
    hws_engine_recv(f->sim.engines[0], &stop);
    for (int i = 0; i < N - 1; i++)
        for (int from = 1; from <= SENDERS; from++)
            start_send(from, i, 0, 1);
    pass_steps(2000);
    assert_bounded();
    for (int i = 0; i < N - 1; i++)
        for (int from = 1; from <= SENDERS; from++)
            receive(from, 0, 1, f->out[from][i]);
    start_send(SENDERS, N - 1, 0, 99);
    cr_assert(sim_run(&f->sim, is_true, (void *)(uintptr_t)&stop.done));
    close_flood();
}

static bool is_probed(void *env)
{
    return hws_engine_probe(f->sim.engines[f->to], 1 - f->to, 0, 2, env);
}

/* The last message of another tag is wanted first: a receive gets it alone, a probe with all that is in front of it. */
Test(hold, what_is_wanted_behind_the_flood_comes)
{
    for (int role = 0; role < 6; role++) {
        uint64_t got = 0;
        struct hws_recv_op early = {.data = {&got, 8, NULL}, .peer = role % 2 ? HWS_ANY_PEER : 1 - role / 3, .tag = 2};
        struct hws_envelope env = {0};
        open_flood(2, role / 3, role % 2, &none);
        int from = 1 - f->to, how = role % 3;
        if (how == 0)
            hws_engine_recv(f->sim.engines[f->to], &early);
        for (int i = 0; i < N; i++)
            start_send(from, i, 0, i == N - 1 ? 2 : 1);
        pass_steps(2000);
        if (how == 1)
            hws_engine_recv(f->sim.engines[f->to], &early);
        if (how == 2) {
            cr_assert(sim_run(&f->sim, is_probed, &env));
            cr_assert(env.peer == from && env.tag == 2 && env.len_bytes == 8);
            hws_engine_recv(f->sim.engines[f->to], &early);
        }
        cr_assert(sim_run(&f->sim, is_true, (void *)(uintptr_t)&early.done), "role %d", role);
        cr_assert_eq(got, f->out[from][N - 1]);
        if (how < 2)
            assert_bounded();
        for (int i = 0; i < N - 1; i++)
            receive(from, 0, HWS_ANY_TAG, f->out[from][i]);
        close_flood();
    }
}

/* ---- everything at random ---------------------------------------------------------------------------------------- */

enum { MIX = 400, TAGS = 3, CTXS = 2, ROOM = 30000 };

static const size_t lens[] = {0, 8, 200, 4000, 20000};

struct item {
    struct hws_send_op send;
    struct hws_recv_op recv;
    struct hws_cancel_op cancel;
    bool asked;
    size_t len;
    uint8_t out[ROOM], in[ROOM];
};

static struct item *items; /* [MIX], from engine i % 2 to the other */

static void start_item(int i)
{
    struct item *it = &items[i];
    it->len = lens[hws_test_random(HWS_ARRAY_LEN(lens))];
    sim_fill(it->out, it->len, (uint64_t)i);
    it->send = (struct hws_send_op){.data = {it->out, it->len, NULL},
                                    .peer = 1 - i % 2,
                                    .ctx = (uint32_t)hws_test_random(CTXS),
                                    .tag = (int32_t)hws_test_random(TAGS),
                                    .mode = hws_test_random(4) ? HWS_STANDARD : HWS_SYNC};
    hws_engine_send(f->sim.engines[i % 2], &it->send);
}

/* The number of the message is not known beforehand where some were taken back: only the order of its like is. */
static void check_order(int receiver)
{
    int last[CTXS][TAGS];
    memset(last, -1, sizeof last);
    for (int k = 0; k < MIX; k++) {
        const struct item *r = &items[k];
        if (k % 2 == receiver || r->recv.err != HWS_OK || !r->recv.done)
            continue;
        int who = -1;
        for (int i = last[r->recv.ctx][r->recv.tag] + 1; i < MIX && who < 0; i++)
            if (i % 2 != receiver && items[i].send.ctx == r->recv.ctx && items[i].send.tag == r->recv.tag &&
                !(items[i].asked && items[i].cancel.taken))
                who = i;
        cr_assert_geq(who, 0);
        cr_assert_eq(r->recv.from_len, items[who].len);
        cr_assert_eq(sim_differs(r->in, items[who].len, (uint64_t)who), items[who].len, "message %d", who);
        last[r->recv.ctx][r->recv.tag] = who;
    }
}

static bool all_over(void *arg)
{
    (void)arg;
    for (int i = 0; i < MIX; i++)
        if (!items[i].send.done || !items[i].recv.done || (items[i].asked && !items[i].cancel.done))
            return false;
    return true;
}

static void ask_back(int i)
{
    struct item *it = &items[i];
    it->cancel = (struct hws_cancel_op){.peer = it->send.peer,
                                        .ctx = it->send.ctx,
                                        .seq = it->send.seq,
                                        .tag = it->send.tag,
                                        .send = it->send.done ? NULL : &it->send};
    it->asked = true;
    hws_engine_cancel_send(f->sim.engines[i % 2], &it->cancel);
}

static bool cancels_over(void *arg)
{
    (void)arg;
    for (int i = 0; i < MIX; i++)
        if (items[i].asked && !items[i].cancel.done)
            return false;
    return true;
}

static void post_for(int i)
{
    struct item *it = &items[i];
    it->recv = (struct hws_recv_op){.data = {it->in, ROOM, NULL},
                                    .peer = hws_test_random(2) ? i % 2 : HWS_ANY_PEER,
                                    .ctx = it->send.ctx,
                                    .tag = it->send.tag};
    hws_engine_recv(f->sim.engines[1 - i % 2], &it->recv);
}

/* Receives are posted tag by tag, some before anything is sent. Each names its tag, so that the order of its like is
 * known. */
static void run_mix(const struct hws_mem_faults *faults, bool cancels)
{
    open_flood(2, 0, false, faults);
    items = calloc(MIX, sizeof *items);
    cr_assert_not_null(items);
    for (int i = 0; i < MIX; i++) {
        start_item(i);
        if (cancels && hws_test_random(4) == 0)
            ask_back(i);
        if (hws_test_random(8) == 0)
            sim_step(&f->sim);
    }
    cr_assert(sim_run(&f->sim, cancels_over, NULL));
    for (int first = 0; first < CTXS * TAGS; first++)
        for (int i = 0; i < MIX; i++) {
            struct item *it = &items[i];
            if (it->send.ctx * TAGS + (uint32_t)it->send.tag != (uint32_t)(CTXS * TAGS - 1 - first))
                continue;
            if (it->asked && it->cancel.taken)
                it->recv = (struct hws_recv_op){.done = true, .err = HWS_ECANCELLED};
            else
                post_for(i);
            if (hws_test_random(4) == 0)
                sim_step(&f->sim);
        }
    cr_assert(sim_run(&f->sim, all_over, NULL));
    check_order(0);
    check_order(1);
    for (int me = 0; me < 2; me++) {
        cr_assert_eq(sim_counter(&f->sim, me, "unexpected_queue"), 0);
        cr_assert_eq(sim_counter(&f->sim, me, "unexpected_bytes"), 0);
    }
    free(items);
    close_flood();
}

Test(hold, receives_in_another_order_than_the_sends)
{
    for (int round = 0; round < 6; round++)
        run_mix(&none, round % 2);
}

Test(hold, the_same_over_lanes_that_die)
{
    for (int round = 0; round < 6; round++) {
        struct hws_mem_faults faults = {.seed = (uint64_t)round + 1,
                                        .delay_pumps = 4,
                                        .close_nth_link = -1,
                                        .cards = 1 + round % 3,
                                        .close_read_at = 300000,
                                        .lose_in_flight = round % 2};
        run_mix(&faults, round / 2 % 2);
    }
}

Test(hold, the_same_over_flows)
{
    for (int round = 0; round < 4; round++) {
        struct hws_mem_faults faults = {
            .seed = (uint64_t)round + 1, .delay_pumps = 4, .close_nth_link = -1, .flows = 5};
        run_mix(&faults, round % 2);
    }
}
