/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flow_test: memory stays bounded under a flood of unexpected messages (docs/design.md, Memory is bounded), bulk that
 * goes both ways within what a kernel has room for, cancelled receives take nothing, and the loss of one peer leaves
 * the others alone.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"
#include "base/clock.h"
#include "peer/state/engine.h"
#include "sim.h"
#include "virtual.h"

enum { LEN = 8192, N_EACH = 600, BOUND = 1 << 20, GRANT_MIN = 20 << 10 };

struct flood {
    struct sim sim;
    int n_steps;
    struct hws_send_op sends[SIM_MAX][N_EACH];
    struct hws_recv_op recvs[SIM_MAX][N_EACH];
    uint8_t *out[SIM_MAX][N_EACH], *in;
};

static void set_bound(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.unexpected = BOUND;
}

static bool after_many_steps(void *arg)
{
    struct flood *f = arg;
    return ++f->n_steps > 3000;
}

static void start_flood(struct flood *f)
{
    for (int i = 0; i < N_EACH; i++)
        for (int from = 1; from < f->sim.n; from++) {
            struct hws_send_op *op = &f->sends[from][i];
            f->out[from][i] = malloc(LEN);
            cr_assert_not_null(f->out[from][i]);
            sim_fill(f->out[from][i], LEN, (uint64_t)(from * N_EACH + i));
            op->data = (struct hws_data){f->out[from][i], LEN, NULL};
            op->tag = i % 3;
            hws_engine_send(f->sim.engines[from], op);
        }
}

static bool is_received(void *arg)
{
    return ((struct hws_recv_op *)arg)->done;
}

static bool all_sent(void *arg)
{
    struct flood *f = arg;
    for (int from = 1; from < f->sim.n; from++)
        for (int i = 0; i < N_EACH; i++)
            if (!f->sends[from][i].done)
                return false;
    return true;
}

Test(flow, a_flood_of_unexpected_messages_stays_within_its_bound_and_arrives_whole_and_in_order)
{
    struct hws_mem_faults none = {.close_nth_link = -1};
    struct flood *f = calloc(1, sizeof *f);
    cr_assert_not_null(f);
    f->in = malloc(LEN);
    hws_test_seed("flow");
    sim_open(&f->sim, 5, &none, set_bound, NULL);
    start_flood(f);
    sim_run(&f->sim, after_many_steps, f);
    /* A grant is never less than one full message, hence the second term. */
    cr_assert_leq(sim_counter(&f->sim, 0, "unexpected_peak"), BOUND + 4 * GRANT_MIN);
    cr_assert_geq(sim_counter(&f->sim, 0, "unexpected_queue"), BOUND / LEN / 2, "the flood did not come");
    for (int i = 0; i < N_EACH; i++)
        for (int from = 1; from < 5; from++) {
            struct hws_recv_op *op = &f->recvs[from][i];
            op->data = (struct hws_data){f->in, LEN, NULL};
            op->peer = from;
            op->tag = HWS_ANY_TAG;
            hws_engine_recv(f->sim.engines[0], op);
            cr_assert(sim_run(&f->sim, is_received, op), "hangs at message %d of %d", i, from);
            cr_assert_eq(op->err, HWS_OK);
            cr_assert_eq(op->from_tag, i % 3);
            cr_assert_eq(sim_differs(f->in, LEN, (uint64_t)(from * N_EACH + i)), LEN, "message %d of %d", i, from);
        }
    cr_assert(sim_run(&f->sim, all_sent, f));
    cr_assert_leq(sim_counter(&f->sim, 0, "unexpected_peak"), BOUND + 4 * GRANT_MIN);
    cr_assert_eq(sim_counter(&f->sim, 0, "unexpected_bytes"), 0);
    sim_close(&f->sim);
    for (int from = 1; from < 5; from++)
        for (int i = 0; i < N_EACH; i++)
            free(f->out[from][i]);
    free(f->in);
    free(f);
}

/* ---- bulk both ways ---- */

enum { ROOM = 256 << 10, N_BULK = 10, BULK_LEN = 520 << 10, LONGEST_PIECE = 64 << 10, SMALL_FRAMES = 4 << 10 };
enum { WHOLE_LEN = 512 << 10 };

struct bulk {
    struct sim sim;
    struct hws_send_op sends[2][N_BULK];
    struct hws_recv_op recvs[2][N_BULK];
    uint8_t out[2][N_BULK][BULK_LEN], in[2][N_BULK][BULK_LEN];
    int n_ways, n;      /* that are moved at once, each way ... */
    size_t len;         /* ... and how long each is */
    uint64_t most[2];   /* sent and not acknowledged */
    uint64_t queued[2]; /* most bytes that a lane had, and its kernel had no room for */
};

static struct bulk *bulk;

static void pass_time(struct sim *s, bool moved)
{
    (void)s;
    (void)moved;
    virtual_pass(1000);
}

static void note_most(struct sim *s, bool moved)
{
    for (int me = 0; me < 2; me++) {
        const struct hws_lane *l = s->engines[me]->peers[!me]->up[0];
        uint64_t n = l->out.sent - l->out.confirmed;
        bulk->most[me] = n > bulk->most[me] ? n : bulk->most[me];
        bulk->queued[me] = l->out.queued_bytes > bulk->queued[me] ? l->out.queued_bytes : bulk->queued[me];
    }
    pass_time(s, moved);
}

static bool is_moved(void *unused)
{
    (void)unused;
    for (int from = 0; from < bulk->n_ways; from++)
        for (int i = 0; i < bulk->n; i++)
            if (!bulk->sends[from][i].done || !bulk->recvs[!from][i].done)
                return false;
    return true;
}

static void start_some(int n_ways, int n, size_t len)
{
    bulk->n_ways = n_ways;
    bulk->n = n;
    bulk->len = len;
    memset(bulk->most, 0, sizeof bulk->most);
    memset(bulk->queued, 0, sizeof bulk->queued);
    memset(bulk->in, 0, sizeof bulk->in);
    for (int i = 0; i < n; i++)
        for (int from = 0; from < n_ways; from++) {
            bulk->recvs[!from][i] = (struct hws_recv_op){.data = {bulk->in[!from][i], len, NULL}, .peer = from};
            hws_engine_recv(bulk->sim.engines[!from], &bulk->recvs[!from][i]);
        }
    for (int i = 0; i < n; i++)
        for (int from = 0; from < n_ways; from++) {
            sim_fill(bulk->out[from][i], len, (uint64_t)(2 * i + from));
            bulk->sends[from][i] = (struct hws_send_op){.data = {bulk->out[from][i], len, NULL}, .peer = !from};
            hws_engine_send(bulk->sim.engines[from], &bulk->sends[from][i]);
        }
}

static void finish_some(void)
{
    cr_assert(sim_run(&bulk->sim, is_moved, NULL));
    for (int i = 0; i < bulk->n; i++)
        for (int from = 0; from < bulk->n_ways; from++)
            cr_assert_eq(sim_differs(bulk->in[!from][i], bulk->len, (uint64_t)(2 * i + from)), bulk->len);
}

static void move_some(int n_ways, int n, size_t len)
{
    start_some(n_ways, n, len);
    finish_some();
}

static void move(int n_ways)
{
    move_some(n_ways, N_BULK, BULK_LEN);
}

static void set_room(size_t bytes)
{
    for (int me = 0; me < 2; me++)
        bulk->sim.engines[me]->peers[!me]->up[0]->link->unread_most = bytes;
}

Test(flow, bulk_both_ways_stays_within_what_the_other_kernel_has_room_for)
{
    struct hws_mem_faults roomy = {.cards = 1, .close_nth_link = -1, .capacity = 8 << 20};
    bulk = calloc(1, sizeof *bulk);
    cr_assert_not_null(bulk);
    hws_test_seed("flow");
    sim_open(&bulk->sim, 2, &roomy, NULL, NULL);
    move(2);
    bulk->sim.on_step = note_most;
    move(2);
    for (int me = 0; me < 2; me++)
        cr_assert_gt(bulk->most[me], 2 * ROOM, "nothing to see: %d", (int)bulk->most[me]);
    set_room(ROOM);
    move(2);
    for (int me = 0; me < 2; me++)
        cr_assert_leq(bulk->most[me], ROOM + LONGEST_PIECE + SMALL_FRAMES, "%d", (int)bulk->most[me]);
    move(1); /* who reads all the time needs no bound */
    cr_assert_gt(bulk->most[0], 2 * ROOM, "%d", (int)bulk->most[0]);
    set_room(0);
    sim_close(&bulk->sim);
    free(bulk);
}

static uint64_t n_announced(void)
{
    return sim_counter(&bulk->sim, 0, "rendezvous_sent") + sim_counter(&bulk->sim, 1, "rendezvous_sent");
}

/* What a lane does shows in bulk, or in messages that go whole. */
static void show_card(bool whole)
{
    if (!whole)
        move(2);
    move_some(2, 1, 100); /* the first one asks for other lanes */
    move_some(2, 1, BULK_LEN);
    uint64_t before = n_announced();
    for (int i = 0; i < 12 && whole; i++)
        move_some(2, 1, WHOLE_LEN);
    cr_assert_eq(n_announced(), before);
}

static void move_over_card_of(uint64_t bytes_s, bool whole)
{
    struct hws_mem_faults card = {
        .cards = 1, .close_nth_link = -1, .tells_health = true, .rates = {bytes_s}, .capacity = 128 << 10};
    bulk = calloc(1, sizeof *bulk);
    cr_assert_not_null(bulk);
    sim_open(&bulk->sim, 2, &card, NULL, NULL);
    bulk->sim.on_step = pass_time;
    show_card(whole);
    bulk->sim.on_step = note_most;
    move(2);
}

/* An answer goes behind what its lane has queued, and the other end may have nothing to send until it comes. */
Test(flow, a_slow_card_has_little_queued)
{
    enum { LITTLE = 2 * LONGEST_PIECE + SMALL_FRAMES };
    hws_test_seed("flow");
    for (int whole = 0; whole < 2; whole++) {
        move_over_card_of(125000000, whole);
        cr_expect_leq(bulk->queued[0], LITTLE, "%d", (int)bulk->queued[0]);
        cr_expect_leq(bulk->queued[1], LITTLE, "%d", (int)bulk->queued[1]);
        sim_close(&bulk->sim);
        free(bulk);
        move_over_card_of(1250000000, whole);
        cr_expect_gt(bulk->queued[0], LITTLE, "nothing to see: %d", (int)bulk->queued[0]);
        sim_close(&bulk->sim);
        free(bulk);
    }
}

static bool is_part_moved(void *unused)
{
    (void)unused;
    return bulk->recvs[1][N_BULK / 4].done;
}

static void stay_away(int me, uint64_t ns)
{
    uint64_t begin = hws_clock_ns();
    sim_away(&bulk->sim, me, true, 8);
    while (hws_clock_ns() - begin < ns)
        sim_step(&bulk->sim);
    sim_away(&bulk->sim, me, false, 0);
}

/* Who receives computes in between, and the sockets are full for as long. */
Test(flow, a_receiver_that_does_not_read_makes_no_card_slow)
{
    struct hws_mem_faults card = {
        .cards = 1, .close_nth_link = -1, .tells_health = true, .rates = {1250000000}, .capacity = 1 << 20};
    hws_test_seed("flow");
    bulk = calloc(1, sizeof *bulk);
    cr_assert_not_null(bulk);
    sim_open(&bulk->sim, 2, &card, NULL, NULL);
    bulk->sim.on_step = pass_time;
    for (int i = 0; i < 20; i++) {
        start_some(1, N_BULK, BULK_LEN);
        cr_assert(sim_run(&bulk->sim, is_part_moved, NULL));
        stay_away(1, 30000000);
        finish_some();
    }
    cr_expect_lt(bulk->sim.engines[0]->peers[1]->up[0]->share.speed.n_slow, 4);
    sim_close(&bulk->sim);
    free(bulk);
}

/* ---- cancel ---- */

enum { N_CANCEL = 300 };

struct cancelling {
    struct sim sim;
    struct hws_send_op sends[N_CANCEL];
    struct hws_recv_op recvs[N_CANCEL];
    int payload[N_CANCEL], got[N_CANCEL];
    int n;
};

static bool all_done(void *arg)
{
    const struct cancelling *c = arg;
    for (int i = 0; i < c->n; i++)
        if (!c->recvs[i].done)
            return false;
    return true;
}

static bool sends_done(void *arg)
{
    const struct cancelling *c = arg;
    for (int i = 0; i < c->n; i++)
        if (!c->sends[i].done)
            return false;
    return true;
}

Test(flow, a_cancelled_receive_takes_nothing_and_the_others_go_on_in_order)
{
    struct hws_mem_faults none = {.close_nth_link = -1, .delay_pumps = 5, .seed = 5};
    struct cancelling *c = calloc(1, sizeof *c);
    int n_cancelled = 0, next = 0;
    cr_assert_not_null(c);
    hws_test_seed("flow");
    sim_open(&c->sim, 2, &none, NULL, NULL);
    for (c->n = 0; c->n < N_CANCEL; c->n++) {
        struct hws_recv_op *r = &c->recvs[c->n];
        r->data = (struct hws_data){&c->got[c->n], sizeof(int), NULL};
        r->peer = hws_test_random(2) ? 0 : HWS_ANY_PEER;
        r->tag = hws_test_random(2) ? 9 : HWS_ANY_TAG;
        hws_engine_recv(c->sim.engines[1], r);
        if (hws_test_random(3) == 0 && hws_engine_cancel_recv(c->sim.engines[1], r)) {
            cr_assert(r->done && r->err == HWS_ECANCELLED);
            cr_assert_not(hws_engine_cancel_recv(c->sim.engines[1], r), "twice");
            n_cancelled++;
        }
    }
    for (int i = 0; i < N_CANCEL - n_cancelled; i++) {
        c->payload[i] = i;
        c->sends[i].data = (struct hws_data){&c->payload[i], sizeof(int), NULL};
        c->sends[i].peer = 1;
        c->sends[i].tag = 9;
        hws_engine_send(c->sim.engines[0], &c->sends[i]);
    }
    cr_assert(sim_run(&c->sim, all_done, c));
    for (int i = 0; i < N_CANCEL; i++)
        if (c->recvs[i].err == HWS_OK)
            cr_assert_eq(c->got[i], next++);
    cr_assert_eq(next, N_CANCEL - n_cancelled);
    cr_assert_gt(n_cancelled, 0);
    cr_assert_not(hws_engine_cancel_recv(c->sim.engines[1], &c->recvs[0]), "done already");
    c->n = next;
    cr_assert(sim_run(&c->sim, sends_done, c));
    sim_close(&c->sim);
    free(c);
}

/* ---- one peer lost ---- */

struct triangle {
    struct sim sim;
    struct hws_send_op sends[3][3];
    struct hws_recv_op recvs[3][3];
    int out[3], in[3][3];
};

static void exchange(struct triangle *t, int a, int b)
{
    t->sends[a][b] = (struct hws_send_op){.data = {&t->out[a], sizeof(int), NULL}, .peer = b};
    t->recvs[b][a] = (struct hws_recv_op){.data = {&t->in[b][a], sizeof(int), NULL}, .peer = a};
    hws_engine_recv(t->sim.engines[b], &t->recvs[b][a]);
    hws_engine_send(t->sim.engines[a], &t->sends[a][b]);
}

static bool is_exchanged(void *arg)
{
    const struct triangle *t = arg;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (a != b && (!t->sends[a][b].done || !t->recvs[a][b].done))
                return false;
    return true;
}

static void exchange_all(struct triangle *t)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (a != b)
                exchange(t, a, b);
    cr_assert(sim_run(&t->sim, is_exchanged, t));
}

static void give_up_soon(struct hws_engine_config *cfg, void *arg)
{
    cfg->params.deadline_ms = 100;
    (void)arg;
}

static bool is_lane_lost(void *arg)
{
    const struct sim *s = arg;
    return sim_counter(s, 0, "lanes_lost") + sim_counter(s, 1, "lanes_lost") >= 2;
}

/* Both processes compute for longer than the deadline right after the loss is noticed: no attempt has failed in that
 * time, so nobody is lost. */
Test(flow, time_outside_mpi_is_not_counted_as_an_outage)
{
    struct hws_mem_faults none = {.close_nth_link = -1};
    int out[2] = {1, 2}, in[2] = {0, 0};
    struct sim s;
    hws_test_seed("flow");
    sim_open(&s, 2, &none, give_up_soon, NULL);
    for (int round = 0; round < 3; round++) {
        struct hws_send_op sends[2];
        struct hws_recv_op recvs[2];
        for (int i = 0; i < 2; i++) {
            sends[i] = (struct hws_send_op){.data = {&out[i], sizeof(int), NULL}, .peer = 1 - i, .tag = round};
            recvs[i] = (struct hws_recv_op){.data = {&in[i], sizeof(int), NULL}, .peer = 1 - i, .tag = round};
            hws_engine_recv(s.engines[i], &recvs[i]);
            hws_engine_send(s.engines[i], &sends[i]);
        }
        while (!(sends[0].done && sends[1].done && recvs[0].done && recvs[1].done))
            sim_step(&s);
        cr_assert(recvs[0].err == HWS_OK && recvs[1].err == HWS_OK);
        if (round > 0)
            continue;
        hws_mem_net_cut(s.net, 0, 1);
        cr_assert(sim_run(&s, is_lane_lost, &s));
        virtual_pass(4000000000); /* beyond the bound for refused attempts too */
    }
    cr_assert_eq(s.n_lost[0][1] + s.n_lost[1][0], 0);
    sim_close(&s);
}

static void keep_nothing(struct hws_engine_config *cfg, void *arg)
{
    cfg->params.survive = 0;
    (void)arg;
}

Test(flow, a_cut_between_two_leaves_the_third_alone)
{
    struct hws_mem_faults none = {.close_nth_link = -1};
    struct triangle *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    hws_test_seed("flow");
    sim_open(&t->sim, 3, &none, keep_nothing, NULL);
    for (int i = 0; i < 3; i++)
        t->out[i] = 100 + i;
    exchange_all(t);
    hws_mem_net_cut(t->sim.net, 0, 1);
    for (int i = 0; i < 100; i++)
        sim_step(&t->sim);
    exchange_all(t);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            bool is_cut = a + b == 1;
            if (a == b)
                continue;
            cr_assert_eq(t->recvs[a][b].err == HWS_OK, !is_cut, "%d from %d", a, b);
            cr_assert_eq(t->sends[a][b].err == HWS_OK, !is_cut, "%d to %d", a, b);
            cr_assert_eq(t->sim.n_lost[a][b], is_cut);
            cr_assert(is_cut || t->in[a][b] == 100 + b);
        }
    sim_close(&t->sim);
    free(t);
}
