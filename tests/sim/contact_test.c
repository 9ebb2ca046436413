/* SPDX-License-Identifier: BSD-3-Clause
 *
 * contact_test: the first message between two processes falls into an outage, of any kind, in any role
 * (src/peer/conn/connect.c, decision 021): it comes soon after the outage's end, or over a card that works; a process
 * that is not there, or a network that stays dead, ends it with an error that says so, within a known time. Time is
 * virtual.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"
#include "base/list.h"
#include "peer/state/engine.h"
#include "sim.h"
#include "virtual.h"
#include "wire/wire.h"

enum { IDLE_US = 500, BUSY_US = 20, DEADLINE_MS = 20000, SOON_MS = 2000, REFUSED_MS = 3000 };
enum { HELLO_BYTES = HWS_CHALLENGE_LEN + HWS_VERDICT_LEN }; /* of the half that is longer: docs/wire.md section 2 */

enum kind { NO_ROUTE, REFUSED, SILENT_THERE, SILENT_BACK, SILENT, RESET, N_KINDS };
static const char *const kind_names[] = {"no route", "refused", "silent there", "silent back", "silent", "reset"};

struct test {
    struct sim sim;
    struct hws_send_op sends[2];
    struct hws_recv_op recvs[2];
    uint8_t out[2][3000], in[2][3000];
    int senders;      /* bit 0: process 0 sends to 1, bit 1: 1 to 0 */
    uint64_t over_ms; /* when the outage ends */
    enum kind kind;
    int cards; /* that it hits: 0 up to this one */
    uint64_t reset_at;
    bool is_over;
};

static uint64_t now_ms(void)
{
    return virtual_now() / 1000000;
}

static void set_up(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.lanes = 1;
    cfg->params.connect_ms = 3000; /* the defaults */
    cfg->params.tcp_con_retries = 3;
    cfg->params.deadline_ms = DEADLINE_MS;
}

static void set_outage(struct test *t, bool on)
{
    struct hws_mem_net *net = t->sim.net;
    for (int card = 0; card < t->cards; card++) {
        if (t->kind == NO_ROUTE || t->kind == REFUSED)
            hws_mem_net_trouble(net, -1, -1, card,
                                !on                  ? HWS_MEM_FINE
                                : t->kind == REFUSED ? HWS_MEM_REFUSED
                                                     : HWS_MEM_NO_ROUTE);
        if (t->kind == SILENT_THERE || t->kind == SILENT)
            hws_mem_net_silence(net, 0, 1, card, on);
        if (t->kind == SILENT_BACK || t->kind == SILENT)
            hws_mem_net_silence(net, 1, 0, card, on);
    }
    if (t->kind == RESET)
        hws_mem_net_close_at(net, on ? t->reset_at : 0);
}

static void on_step(struct sim *sim, bool moved)
{
    struct test *t = hws_container_of(sim, struct test, sim);
    virtual_pass((moved ? BUSY_US : IDLE_US) * 1000);
    if (!t->is_over && now_ms() >= t->over_ms) {
        t->is_over = true;
        set_outage(t, false);
    }
}

static struct test *begin(enum kind kind, int cards, int bad_cards, int senders)
{
    struct hws_mem_faults f = {.seed = hws_test_next(), .cards = cards, .close_nth_link = -1, .tells_health = true};
    f.delay_pumps = (unsigned)hws_test_random(5);
    struct test *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    sim_open(&t->sim, 2, &f, set_up, NULL);
    t->sim.on_step = on_step;
    t->kind = kind;
    t->cards = bad_cards;
    t->senders = senders;
    t->over_ms = UINT64_MAX;
    t->reset_at = 1 + hws_test_random(HELLO_BYTES - 1);
    set_outage(t, true);
    return t;
}

static void start(struct test *t)
{
    for (int me = 0; me < 2; me++) {
        size_t len = hws_test_random(sizeof t->out[me]);
        if (!(t->senders >> me & 1))
            continue;
        sim_fill(t->out[me], len, (uint64_t)me);
        t->recvs[1 - me] =
            (struct hws_recv_op){.data = {t->in[1 - me], sizeof t->in[1 - me], NULL}, .peer = me, .tag = 7};
        t->sends[me] =
            (struct hws_send_op){.data = {t->out[me], len, NULL}, .peer = 1 - me, .tag = 7, .mode = HWS_SYNC};
        hws_engine_recv(t->sim.engines[1 - me], &t->recvs[1 - me]);
        hws_engine_send(t->sim.engines[me], &t->sends[me]);
    }
}

static bool is_done(void *arg)
{
    const struct test *t = arg;
    for (int me = 0; me < 2; me++)
        if ((t->senders >> me & 1) && (!t->sends[me].done || !t->recvs[1 - me].done))
            return false;
    return true;
}

static bool is_sent(void *arg)
{
    const struct test *t = arg;
    return t->sends[0].done;
}

static void end(struct test *t)
{
    sim_close(&t->sim);
    free(t);
}

static void check(struct test *t, uint64_t until_ms)
{
    const char *what = kind_names[t->kind];
    cr_assert(sim_run(&t->sim, is_done, t), "%s, senders %d: hangs after %d ms", what, t->senders, (int)now_ms());
    cr_assert_leq(now_ms(), until_ms, "%s, senders %d, over at %d ms: came after %d ms only", what, t->senders,
                  (int)t->over_ms, (int)now_ms());
    for (int me = 0; me < 2; me++) {
        if (!(t->senders >> me & 1))
            continue;
        cr_assert_eq(t->sends[me].err, HWS_OK, "%s, senders %d: %s", what, t->senders,
                     hws_engine_peer_reason(t->sim.engines[me], 1 - me));
        cr_assert_eq(t->recvs[1 - me].from_len, t->sends[me].data.len_bytes);
        cr_assert_eq(sim_differs(t->in[1 - me], t->recvs[1 - me].from_len, (uint64_t)me), t->recvs[1 - me].from_len);
    }
    cr_assert_eq(t->sim.n_lost[0][1] + t->sim.n_lost[1][0], 0);
}

/* ---- outages that end -------------------------------------------------------------------------------------------- */

static void run_outage(enum kind kind, int cards, int senders)
{
    struct test *t = begin(kind, cards, cards, senders);
    t->over_ms = kind == REFUSED ? REFUSED_MS - 500 : 1500 + hws_test_random(8000);
    start(t);
    check(t, t->over_ms + SOON_MS);
    end(t);
}

Test(contact, a_first_message_outlives_an_outage_of_any_kind)
{
    hws_test_seed("contact");
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int senders = 1; senders < 4; senders++)
            for (int cards = 1; cards < 3; cards++)
                run_outage((enum kind)kind, cards, senders);
}

Test(contact, a_first_message_outlives_resets_at_every_byte_of_the_hello)
{
    hws_test_seed("contact");
    for (int at = 1; at < HELLO_BYTES; at++) {
        struct test *t = begin(RESET, 1, 1, 1 + at % 3);
        hws_mem_net_close_at(t->sim.net, (uint64_t)at);
        t->over_ms = 1000;
        start(t);
        check(t, t->over_ms + SOON_MS);
        end(t);
    }
}

Test(contact, one_card_that_stays_bad_costs_a_first_message_little)
{
    hws_test_seed("contact");
    for (int kind = 0; kind < RESET; kind++)
        for (int senders = 1; senders < 4; senders++) {
            struct test *t = begin((enum kind)kind, 2, 1, senders);
            start(t);
            check(t, SOON_MS);
            end(t);
        }
}

/* It fails again in the moment in which a process comes back that dialed and then computed for long. */
Test(contact, time_outside_MPI_is_not_time_without_an_answer)
{
    for (int kind = 0; kind < 2; kind++) {
        struct test *t = begin((enum kind)kind, 1, 1, 1);
        start(t);
        int n_rounds = hws_test_rounds(20);
        for (int i = 0; i < n_rounds; i++)
            sim_step(&t->sim);
        virtual_pass(600000000000);
        t->over_ms = now_ms() + 1500;
        check(t, t->over_ms + SOON_MS);
        end(t);
    }
}

/* ---- those that do not ------------------------------------------------------------------------------------------- */

static void expect_error(struct test *t, uint64_t from_ms, uint64_t upto_ms, enum hws_err err, const char *word)
{
    const char *what = kind_names[t->kind];
    cr_assert(sim_run(&t->sim, is_sent, t), "%s: hangs after %d ms", what, (int)now_ms());
    const char *reason = hws_engine_peer_reason(t->sim.engines[0], 1);
    cr_assert_geq(now_ms(), from_ms, "%s: given up after %d ms: %s", what, (int)now_ms(), reason);
    cr_assert_leq(now_ms(), upto_ms, "%s: given up after %d ms only: %s", what, (int)now_ms(), reason);
    cr_assert_eq(t->sends[0].err, err);
    cr_assert_eq(t->sim.n_lost[0][1], 1);
    cr_assert(strstr(reason, "rank 1 cannot be reached from rank 0: no connection for "), "%s", reason);
    cr_assert(strstr(reason, word), "%s", reason);
    end(t);
}

Test(contact, a_network_that_stays_dead_ends_it_after_the_deadline)
{
    hws_test_seed("contact");
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int cards = 1; cards < 3; cards++) {
            struct test *t = begin((enum kind)kind, cards, cards, 1);
            start(t);
            if (kind == REFUSED)
                expect_error(t, REFUSED_MS, REFUSED_MS + 1500, HWS_EPEERDEAD, "nobody is there");
            else
                expect_error(t, DEADLINE_MS, DEADLINE_MS + 4000, HWS_EUNREACHABLE,
                             cards == 1 ? "1 address pair;" : "2 address pairs;");
        }
}

/* ---- a process that computes ------------------------------------------------------------------------------------- */

enum { MANY = 6, AWAY_MS = 60000, SHORT_DEADLINE_MS = 2000, PASS_US = 5000 };

struct many {
    struct sim sim;
    struct hws_send_op sends[MANY][2]; /* of each for the busy one, and of that one for each */
    struct hws_recv_op recvs[MANY][2];
    uint32_t out[MANY][2], in[MANY][2];
    int busy;
    int ways; /* bit 0: they send to the busy one; bit 1: it sends to them, before it computes */
};

static void set_up_many(struct hws_engine_config *cfg, void *arg)
{
    set_up(cfg, arg);
    cfg->params.deadline_ms = SHORT_DEADLINE_MS;
    cfg->params.hello_ms = 1000;
    cfg->params.lanes = 2;
}

static void pass(struct sim *sim, bool moved)
{
    (void)sim;
    virtual_pass((moved ? BUSY_US : PASS_US) * 1000);
}

static void start_one(struct many *t, int from, int to, int i, int way)
{
    t->out[i][way] = (uint32_t)(100 * i + way);
    t->recvs[i][way] = (struct hws_recv_op){.data = {&t->in[i][way], 4, NULL}, .peer = from, .tag = 1};
    t->sends[i][way] = (struct hws_send_op){.data = {&t->out[i][way], 4, NULL}, .peer = to, .tag = 1, .mode = HWS_SYNC};
    hws_engine_recv(t->sim.engines[to], &t->recvs[i][way]);
    hws_engine_send(t->sim.engines[from], &t->sends[i][way]);
}

static struct many *begin_many(int busy, int cards, int backlog, int ways)
{
    struct hws_mem_faults f = {.seed = hws_test_next(), .cards = cards, .close_nth_link = -1, .tells_health = true};
    struct many *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    t->busy = busy;
    t->ways = ways;
    sim_open(&t->sim, MANY, &f, set_up_many, NULL);
    t->sim.on_step = pass;
    for (int i = 0; i < MANY; i++)
        if (i != busy && (ways & 2))
            start_one(t, busy, i, i, 1);
    sim_away(&t->sim, busy, true, backlog);
    for (int i = 0; i < MANY; i++)
        if (i != busy && (ways & 1))
            start_one(t, i, busy, i, 0);
    return t;
}

static bool is_many_done(void *arg)
{
    const struct many *t = arg;
    for (int i = 0; i < MANY; i++)
        for (int way = 0; way < 2; way++)
            if (i != t->busy && (t->ways >> way & 1) && (!t->sends[i][way].done || !t->recvs[i][way].done))
                return false;
    return true;
}

static void run_busy(int busy, int cards, int backlog, int ways)
{
    struct many *t = begin_many(busy, cards, backlog, ways);
    while (now_ms() < AWAY_MS) {
        sim_step(&t->sim);
        int most = backlog < MANY - 1 ? backlog : MANY - 1, n = hws_mem_net_queued(t->sim.net, busy);
        cr_assert_leq(n, most, "%d connections wait for a process that computes, from %d others, %d ms", n, MANY - 1,
                      (int)now_ms());
    }
    for (int i = 0; i < MANY; i++)
        cr_assert_eq(t->sim.n_lost[i][busy], 0, "%d has lost %d, which computes, backlog %d: %s", i, busy, backlog,
                     hws_engine_peer_reason(t->sim.engines[i], busy));
    sim_away(&t->sim, busy, false, 0);
    cr_assert(sim_run(&t->sim, is_many_done, t), "hangs after %d ms", (int)now_ms());
    cr_assert_leq(now_ms(), AWAY_MS + 4000, "%d ms after the return", (int)now_ms() - AWAY_MS);
    for (int i = 0; i < MANY; i++)
        for (int way = 0; way < 2; way++)
            if (i != busy && (ways >> way & 1)) {
                cr_assert(t->sends[i][way].err == HWS_OK && t->recvs[i][way].err == HWS_OK);
                cr_assert_eq(t->in[i][way], t->out[i][way]);
            }
    sim_close(&t->sim);
    free(t);
}

Test(contact, who_computes_costs_others_the_wait_and_one_place_in_its_queue)
{
    hws_test_seed("contact");
    for (int cards = 1; cards < 3; cards++)
        for (int backlog = 0; backlog < 3; backlog++)
            for (int ways = 1; ways < 4; ways++)
                run_busy(backlog % 2 ? MANY - 1 : cards - 1, cards, backlog < 2 ? 2 * backlog : 1000, ways);
}

Test(contact, a_host_that_vanishes_with_a_process_that_computed_is_noticed)
{
    hws_test_seed("contact");
    for (int backlog = 0; backlog < 2; backlog++) {
        struct many *t = begin_many(0, 2, backlog, 1);
        while (now_ms() < AWAY_MS / 2)
            sim_step(&t->sim);
        for (int card = 0; card < 2; card++) {
            hws_mem_net_silence(t->sim.net, -1, 0, card, true);
            hws_mem_net_silence(t->sim.net, 0, -1, card, true);
        }
        uint64_t begin_ms = now_ms();
        bool all_lost = false;
        while (!all_lost && now_ms() < begin_ms + 60000) {
            sim_step(&t->sim);
            all_lost = true;
            for (int i = 1; i < MANY; i++)
                all_lost &= t->sim.n_lost[i][0] == 1;
        }
        cr_assert(all_lost, "not everybody has noticed");
        cr_assert_geq(now_ms(), begin_ms + SHORT_DEADLINE_MS);
        cr_assert_leq(now_ms(), begin_ms + 20000 + SHORT_DEADLINE_MS + 6000);
        sim_close(&t->sim);
        free(t);
    }
}
