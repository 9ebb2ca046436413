/* SPDX-License-Identifier: BSD-3-Clause
 *
 * early_test: links that carry messages in flows, which overtake each other: a message must not wait for those of other
 * tags, and MPI's order must hold all the same (MPI 5.0 section 3.5, docs/decisions/017).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "sim.h"

enum { FLOWS = 7, LATE = 3, SOON = 4, N_MSGS = 120, A_WHILE = 300, ROOM = 80000 };

struct pair {
    struct sim sim;
    int out[4], in[4];
    struct hws_send_op sends[4];
    struct hws_recv_op recvs[4];
};

static void send_tag(struct pair *p, int i, int tag)
{
    p->out[i] = 100 + tag;
    p->sends[i] = (struct hws_send_op){.data = {&p->out[i], sizeof(int), NULL}, .peer = 1, .tag = tag};
    hws_engine_send(p->sim.engines[0], &p->sends[i]);
}

static struct hws_recv_op *recv_tag(struct pair *p, int i, int tag)
{
    p->recvs[i] =
        (struct hws_recv_op){.data = {&p->in[i], sizeof(int), NULL}, .peer = i % 2 ? HWS_ANY_PEER : 0, .tag = tag};
    hws_engine_recv(p->sim.engines[1], &p->recvs[i]);
    return &p->recvs[i];
}

static void steps(struct pair *p)
{
    for (int i = 0; i < A_WHILE; i++)
        sim_step(&p->sim);
}

static bool first_is_done(void *arg)
{
    const struct pair *p = arg;
    return p->recvs[0].done;
}

/* Connected; a message of tag LATE was sent and stays away, one of tag SOON followed it. */
static struct pair *begin(void)
{
    struct hws_mem_faults faults = {.close_nth_link = -1, .flows = FLOWS};
    struct pair *p = calloc(1, sizeof *p);
    cr_assert_not_null(p);
    hws_test_seed("early");
    sim_open(&p->sim, 2, &faults, NULL, NULL);
    recv_tag(p, 0, SOON);
    send_tag(p, 0, SOON);
    cr_assert(sim_run(&p->sim, first_is_done, p));
    hws_mem_net_hold(p->sim.net, (int)(hws_flow(0, LATE) % FLOWS));
    send_tag(p, 1, LATE);
    send_tag(p, 2, SOON);
    return p;
}

static void end(struct pair *p)
{
    sim_close(&p->sim);
    free(p);
}

static bool has_got(const struct hws_recv_op *r, const struct pair *p, int tag)
{
    long i = r - p->recvs;
    return r->done && r->err == HWS_OK && r->from_tag == tag && p->in[i] == 100 + tag;
}

Test(early, a_message_does_not_wait_for_those_of_other_tags)
{
    struct pair *p = begin();
    const struct hws_recv_op *late = recv_tag(p, 1, LATE), *soon = recv_tag(p, 2, SOON);
    steps(p);
    cr_assert(has_got(soon, p, SOON));
    cr_assert_not(late->done);
    hws_mem_net_hold(p->sim.net, -1);
    steps(p);
    cr_assert(has_got(late, p, LATE));
    end(p);
}

Test(early, it_waits_if_an_older_receive_takes_any_tag)
{
    struct pair *p = begin();
    const struct hws_recv_op *any = recv_tag(p, 1, HWS_ANY_TAG), *soon = recv_tag(p, 2, SOON);
    steps(p);
    cr_assert(!any->done && !soon->done);
    hws_mem_net_hold(p->sim.net, -1);
    steps(p);
    cr_assert(has_got(any, p, LATE));
    cr_assert(has_got(soon, p, SOON));
    end(p);
}

Test(early, it_need_not_wait_for_a_younger_one)
{
    struct pair *p = begin();
    const struct hws_recv_op *soon = recv_tag(p, 2, SOON), *any = recv_tag(p, 1, HWS_ANY_TAG);
    steps(p);
    cr_assert(has_got(soon, p, SOON));
    cr_assert_not(any->done);
    hws_mem_net_hold(p->sim.net, -1);
    steps(p);
    cr_assert(has_got(any, p, LATE));
    end(p);
}

Test(early, a_later_receive_or_probe_of_its_tag_finds_it)
{
    struct pair *p = begin();
    struct hws_envelope env;
    steps(p);
    for (int peer = HWS_ANY_PEER; peer <= 0; peer++) {
        cr_assert_not(hws_engine_probe(p->sim.engines[1], peer, 0, HWS_ANY_TAG, &env));
        cr_assert_not(hws_engine_probe(p->sim.engines[1], peer, 0, LATE, &env));
        cr_assert(hws_engine_probe(p->sim.engines[1], peer, 0, SOON, &env) && env.tag == SOON && env.peer == 0);
    }
    send_tag(p, 3, SOON);
    steps(p);
    const struct hws_recv_op *soon = recv_tag(p, 1, SOON);
    cr_assert(has_got(soon, p, SOON));
    struct hws_message *m = hws_engine_mprobe(p->sim.engines[1], 0, 0, SOON, &env);
    cr_assert_not_null(m);
    cr_assert_not(hws_engine_probe(p->sim.engines[1], 0, 0, SOON, &env));
    p->recvs[2] = (struct hws_recv_op){.data = {&p->in[2], sizeof(int), NULL}};
    hws_engine_mrecv(p->sim.engines[1], m, &p->recvs[2]);
    cr_assert(has_got(&p->recvs[2], p, SOON));
    const struct hws_recv_op *late = recv_tag(p, 0, HWS_ANY_TAG);
    hws_mem_net_hold(p->sim.net, -1);
    steps(p);
    cr_assert(has_got(late, p, LATE));
    end(p);
}

/* ---- random traffic against a model ---- */

struct item {
    int tag, wanted_tag; /* of the message; of the receive of the same number */
    size_t len;
    int got; /* by the model: the message that this receive takes; -1: none */
    bool is_taken;
    uint8_t *bytes, *room;
    struct hws_send_op send;
    struct hws_recv_op recv;
};

struct run {
    struct sim sim;
    int n;
    struct item items[N_MSGS];
};

/* One sender, so there is one result that MPI allows: in the order in which they were sent, each message takes the
 * oldest receive left that admits it. What remains without a partner is not started. */
static void model(struct run *r)
{
    for (int i = 0; i < r->n; i++)
        r->items[i].got = -1;
    for (int m = 0; m < r->n; m++)
        for (int k = 0; k < r->n && !r->items[m].is_taken; k++) {
            struct item *i = &r->items[k];
            if (i->got >= 0 || (i->wanted_tag != HWS_ANY_TAG && i->wanted_tag != r->items[m].tag))
                continue;
            i->got = m;
            r->items[m].is_taken = true;
        }
}

static bool is_over(void *arg)
{
    const struct run *r = arg;
    for (int i = 0; i < r->n; i++)
        if ((r->items[i].is_taken && !r->items[i].send.done) || (r->items[i].got >= 0 && !r->items[i].recv.done))
            return false;
    return true;
}

static void make_items(struct run *r)
{
    static const size_t lens[] = {0, 4, 200, 5000, 17000, 70000};
    r->n = N_MSGS;
    for (int i = 0; i < r->n; i++) {
        struct item *it = &r->items[i];
        it->tag = (int)hws_test_random(6);
        it->wanted_tag = hws_test_random(4) == 0 ? HWS_ANY_TAG : (int)hws_test_random(6);
        it->len = lens[hws_test_random(6)];
        it->bytes = malloc(it->len + 1);
        it->room = malloc(ROOM);
        cr_assert(it->bytes && it->room);
        sim_fill(it->bytes, it->len, (uint64_t)i);
    }
    model(r);
}

static void start(struct run *r)
{
    for (int s = 0, v = 0; s < r->n || v < r->n;) {
        if (v == r->n || (s < r->n && hws_test_random(2))) {
            struct item *it = &r->items[s++];
            it->send = (struct hws_send_op){.data = {it->bytes, it->len, NULL}, .peer = 1, .tag = it->tag};
            it->send.mode = hws_test_random(4) ? HWS_STANDARD : HWS_SYNC;
            if (it->is_taken)
                hws_engine_send(r->sim.engines[0], &it->send);
        } else {
            struct item *it = &r->items[v++];
            it->recv = (struct hws_recv_op){.data = {it->room, ROOM, NULL}, .tag = it->wanted_tag};
            if (it->got >= 0)
                hws_engine_recv(r->sim.engines[1], &it->recv);
        }
        if (hws_test_random(3) == 0)
            sim_step(&r->sim);
    }
}

static void check(const struct run *r)
{
    for (int i = 0; i < r->n; i++) {
        const struct item *it = &r->items[i];
        if (it->got < 0)
            continue;
        const struct item *from = &r->items[it->got];
        cr_assert_eq(it->recv.err, HWS_OK);
        cr_assert_eq(it->recv.from_len, from->len, "receive %d should have got message %d", i, it->got);
        cr_assert_eq(it->recv.from_tag, from->tag, "receive %d should have got message %d", i, it->got);
        cr_assert_eq(sim_differs(it->room, from->len, (uint64_t)it->got), from->len, "receive %d, message %d", i,
                     it->got);
    }
}

static void random_credit(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.credit = 20000;
}

Test(early, whatever_overtakes_the_result_is_that_of_the_order_sent, .timeout = 600)
{
    hws_test_seed("early");
    int n_rounds = hws_test_rounds(30);
    for (int round = 0; round < n_rounds; round++) {
        struct hws_mem_faults f = {.seed = hws_test_next(),
                                   .close_nth_link = -1,
                                   .flows = 2 + (int)hws_test_random(9),
                                   .delay_pumps = (unsigned)hws_test_random(60),
                                   .max_read = hws_test_random(2) ? 900 : 0};
        struct run *r = calloc(1, sizeof *r);
        cr_assert_not_null(r);
        sim_open(&r->sim, 2, &f, round % 2 ? random_credit : NULL, NULL);
        make_items(r);
        start(r);
        cr_assert(sim_run(&r->sim, is_over, r), "hangs");
        check(r);
        sim_close(&r->sim);
        for (int i = 0; i < r->n; i++) {
            free(r->items[i].bytes);
            free(r->items[i].room);
        }
        free(r);
    }
}
