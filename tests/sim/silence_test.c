/* SPDX-License-Identifier: BSD-3-Clause
 *
 * silence_test: lanes that fall silent, in one direction or both, and tell no error (src/peer/conn/watch.c, decision
 * 013): they are found, their frames take another lane, once and in order; a dead card makes its other lanes suspect; a
 * lane that comes back is used again; and when all lanes stay silent, or nobody listens there any more, the peer is
 * lost and the reason says so. Time is virtual.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/seed.h"
#include "peer/state/engine.h"
#include "sim.h"
#include "stranger.h"
#include "virtual.h"

enum { N_MSGS = 300, MAX_STREAMS = 12, MAX_EVENTS = 64, MAX_LEN = 80000 };
enum { SILENT_MS = 1000, DEADLINE_MS = 5000, IDLE_US = 500, BUSY_US = 20 };

/* Messages of one process for another, one now and then. */
struct stream {
    int from, to, n;
    bool may_fail;
    uint64_t next_ms;
    struct hws_send_op sends[N_MSGS];
    struct hws_recv_op recvs[N_MSGS];
    uint8_t *out[N_MSGS], *in[N_MSGS];
    size_t len[N_MSGS];
};

struct event {
    uint64_t at_ms;
    int from, to, card;
    bool silent;
};

struct test {
    struct sim sim;
    struct stream *streams[MAX_STREAMS];
    int n_streams;
    uint64_t until_ms; /* no stream starts a message later */
    uint64_t pace_ms;  /* between two messages of a stream, on average */
    bool bulk;         /* long messages only: they use every lane */
    struct event events[MAX_EVENTS];
    int n_events;
    uint64_t lost_ms[SIM_MAX][16]; /* when an engine lost its first lane, its second, ... */
    uint64_t peer_lost_ms[SIM_MAX][SIM_MAX];
};

static uint64_t now_ms(void)
{
    return virtual_now() / 1000000;
}

/* ---- what happens with time -------------------------------------------------------------------------------------- */

static void start_next(struct test *t, struct stream *s)
{
    int i = s->n++;
    s->len[i] = !t->bulk && hws_test_random(6) ? hws_test_random(3000) : hws_test_random(MAX_LEN);
    s->out[i] = malloc(s->len[i] + 1);
    s->in[i] = malloc(s->len[i] + 1);
    cr_assert(s->out[i] && s->in[i]);
    sim_fill(s->out[i], s->len[i], (uint64_t)(1000 * s->from + i));
    s->recvs[i] = (struct hws_recv_op){.data = {s->in[i], s->len[i], NULL}, .peer = s->from, .tag = HWS_ANY_TAG};
    s->sends[i] = (struct hws_send_op){.data = {s->out[i], s->len[i], NULL},
                                       .peer = s->to,
                                       .tag = i,
                                       .mode = hws_test_random(4) ? HWS_STANDARD : HWS_SYNC};
    if (hws_test_random(2)) {
        hws_engine_recv(t->sim.engines[s->to], &s->recvs[i]);
        hws_engine_send(t->sim.engines[s->from], &s->sends[i]);
    } else {
        hws_engine_send(t->sim.engines[s->from], &s->sends[i]);
        hws_engine_recv(t->sim.engines[s->to], &s->recvs[i]);
    }
    s->next_ms = now_ms() + hws_test_random(2 * t->pace_ms + 1);
}

static void note_losses(struct test *t)
{
    for (int i = 0; i < t->sim.n; i++) {
        uint64_t n = sim_counter(&t->sim, i, "lanes_lost");
        for (uint64_t k = 0; k < n && k < 16; k++)
            if (!t->lost_ms[i][k])
                t->lost_ms[i][k] = now_ms();
        for (int p = 0; p < t->sim.n; p++)
            if (t->sim.n_lost[i][p] && !t->peer_lost_ms[i][p])
                t->peer_lost_ms[i][p] = now_ms();
    }
}

static void on_step(struct sim *sim, bool moved)
{
    struct test *t = hws_container_of(sim, struct test, sim);
    virtual_pass((moved ? BUSY_US : IDLE_US) * 1000);
    for (int i = 0; i < t->n_events; i++)
        if (t->events[i].at_ms <= now_ms()) {
            const struct event *e = &t->events[i];
            hws_mem_net_silence(sim->net, e->from, e->to, e->card, e->silent);
            t->events[i--] = t->events[--t->n_events];
        }
    for (int i = 0; i < t->n_streams; i++) {
        struct stream *s = t->streams[i];
        if (s->n < N_MSGS && now_ms() < t->until_ms && now_ms() >= s->next_ms)
            start_next(t, s);
    }
    note_losses(t);
}

static bool is_over(void *arg)
{
    const struct test *t = arg;
    if (now_ms() < t->until_ms || t->n_events)
        return false;
    for (int i = 0; i < t->n_streams; i++)
        for (int k = 0; k < t->streams[i]->n; k++)
            if (!t->streams[i]->sends[k].done || !t->streams[i]->recvs[k].done)
                return false;
    return true;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

static void set_up(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.tcp_eager = 4096;
    cfg->params.tcp_max_frag = 8192;
    cfg->params.lanes = 1;
    cfg->params.tcp_con_retries = 3;
    cfg->params.connect_ms = 3000;
    cfg->params.silent_ms = SILENT_MS;
    cfg->params.deadline_ms = DEADLINE_MS;
}

static void set_up_without_survival(struct hws_engine_config *cfg, void *arg)
{
    set_up(cfg, arg);
    cfg->params.survive = 0;
}

static struct test *begin_as(int n, int cards, void (*set)(struct hws_engine_config *cfg, void *arg))
{
    struct hws_mem_faults f = {.seed = hws_test_next(), .cards = cards, .close_nth_link = -1, .tells_health = true};
    f.delay_pumps = (unsigned)hws_test_random(5);
    struct test *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    sim_open(&t->sim, n, &f, set, NULL);
    t->sim.on_step = on_step;
    t->pace_ms = 30;
    return t;
}

static struct test *begin(int n, int cards)
{
    return begin_as(n, cards, set_up);
}

static struct stream *stream(struct test *t, int from, int to)
{
    struct stream *s = calloc(1, sizeof *s);
    cr_assert(s && t->n_streams < MAX_STREAMS);
    s->from = from;
    s->to = to;
    return t->streams[t->n_streams++] = s;
}

static void streams_among_all(struct test *t)
{
    for (int a = 0; a < t->sim.n; a++)
        for (int b = 0; b < t->sim.n; b++)
            if (a != b)
                stream(t, a, b);
}

static void plan(struct test *t, uint64_t at_ms, int from, int to, int card, bool silent)
{
    cr_assert_lt(t->n_events, MAX_EVENTS);
    t->events[t->n_events++] = (struct event){at_ms, from, to, card, silent};
}

/* directions: 1: what a sends to b, 2: what b sends to a, 3: both. */
static void plan_silence(struct test *t, int a, int b, int card, int directions, uint64_t from_ms, uint64_t to_ms)
{
    for (int d = 0; d < 2; d++)
        if (directions >> d & 1) {
            plan(t, from_ms, d ? b : a, d ? a : b, card, true);
            if (to_ms)
                plan(t, to_ms, d ? b : a, d ? a : b, card, false);
        }
}

static void run_until(struct test *t, uint64_t ms)
{
    t->until_ms = ms;
    cr_assert(sim_run(&t->sim, is_over, t), "hangs after %d ms", (int)now_ms());
}

/* Every message came once, whole and in order. */
static void check_stream(struct test *t, struct stream *s)
{
    struct hws_envelope env;
    for (int i = 0; i < s->n; i++) {
        const struct hws_recv_op *r = &s->recvs[i];
        if (s->may_fail && r->err != HWS_OK)
            continue;
        cr_assert_eq(r->err, HWS_OK, "%d from %d, message %d of %d", s->to, s->from, i, s->n);
        cr_assert(s->may_fail || s->sends[i].err == HWS_OK);
        cr_assert_eq(r->from_tag, i, "%d from %d: receive %d got message %d", s->to, s->from, i, r->from_tag);
        cr_assert_eq(r->from_len, s->len[i]);
        cr_assert_eq(sim_differs(s->in[i], s->len[i], (uint64_t)(1000 * s->from + i)), s->len[i]);
    }
    cr_assert_not(hws_engine_probe(t->sim.engines[s->to], s->from, 0, HWS_ANY_TAG, &env), "a message came twice");
}

static void end(struct test *t)
{
    for (int i = 0; i < t->n_streams; i++)
        check_stream(t, t->streams[i]);
    sim_close(&t->sim);
    for (int i = 0; i < t->n_streams; i++) {
        for (int k = 0; k < t->streams[i]->n; k++) {
            free(t->streams[i]->out[k]);
            free(t->streams[i]->in[k]);
        }
        free(t->streams[i]);
    }
    free(t);
}

/* The lane of engine a to b over that card, or NULL. */
static const struct hws_lane *lane(const struct test *t, int a, int b, int card)
{
    const struct hws_peer *p = t->sim.engines[a]->peers[b];
    for (unsigned i = 0; p && i < p->n_up; i++)
        if (p->up[i]->path->number == card)
            return p->up[i];
    return NULL;
}

static void expect_all_lanes(const struct test *t, int cards)
{
    for (int a = 0; a < t->sim.n; a++)
        for (int b = 0; b < t->sim.n; b++)
            for (int c = 0; a != b && c < cards; c++)
                cr_assert(lane(t, a, b, c), "no lane from %d to %d over card %d after %d ms", a, b, c, (int)now_ms());
}

/* ---- one lane ---------------------------------------------------------------------------------------------------- */

static void run_silent_lane(int card, int directions)
{
    struct test *t = begin(2, 2);
    streams_among_all(t);
    t->bulk = true;
    t->pace_ms = 100;
    plan_silence(t, 0, 1, card, directions, 1000, 4000);
    run_until(t, 3800);
    for (int i = 0; i < 2; i++) {
        cr_assert(t->lost_ms[i][0] > 1000, "engine %d has not found the silent lane", i);
        cr_assert_leq(t->lost_ms[i][0], 1000 + 2 * SILENT_MS, "engine %d has found it after %d ms only", i,
                      (int)t->lost_ms[i][0]);
        cr_assert_eq(sim_counter(&t->sim, i, "lanes_lost"), 1);
        cr_assert_null(lane(t, i, 1 - i, card));
    }
    run_until(t, 8000);
    for (int i = 0; i < 2; i++) {
        const struct hws_lane *back = lane(t, i, 1 - i, card);
        cr_assert_eq(sim_counter(&t->sim, i, "lanes_returned"), 1);
        cr_assert(back && back->count.frames_out > 5 && back->count.frames_in > 5,
                  "the lane that is back must carry something");
        cr_assert_eq(t->sim.n_lost[i][1 - i], 0);
    }
    end(t);
}

Test(silence, a_silent_lane_is_found_and_used_again_when_it_is_back)
{
    hws_test_seed("silence");
    for (int i = 0; i < 12; i++)
        run_silent_lane(i % 2, 1 + i % 3);
}

static void step_until(struct test *t, uint64_t ms)
{
    while (now_ms() < ms)
        sim_step(&t->sim);
}

static int count_of(const char *text, const char *words)
{
    int n = 0;
    while ((text = strstr(text, words)) != NULL)
        n++, text++;
    return n;
}

/* Nothing is kept, so the lane waits; the job is over before the next look at it. first: who leaves first, -1: both are
 * closed without a goodbye. */
static void run_job_that_ends_at_once(int first, int directions)
{
    char said[4096];
    int ends[2], saved = dup(2);
    struct test *t = begin_as(2, 1, set_up_without_survival);
    streams_among_all(t);
    plan_silence(t, 0, 1, 0, directions, 300, 300 + SILENT_MS + SILENT_MS / 2);
    cr_assert_eq(pipe(ends), 0);
    dup2(ends[1], 2);
    run_until(t, 301 + SILENT_MS + SILENT_MS / 2);
    cr_assert(!t->n_events);
    if (first >= 0) {
        hws_engine_end(t->sim.engines[first], false);
        step_until(t, now_ms() + 20);
        hws_engine_end(t->sim.engines[1 - first], false);
        step_until(t, now_ms() + 20);
    }
    end(t);
    dup2(saved, 2);
    close(ends[1]);
    ssize_t n = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    close(saved);
    said[n > 0 ? n : 0] = '\0';
    cr_assert_gt(count_of(said, "is silent"), 0);
    cr_assert_eq(count_of(said, "answers again"), count_of(said, "is silent"), "%s", said);
}

Test(silence, a_lane_that_was_told_silent_is_told_to_answer_also_by_who_ends)
{
    hws_test_seed("silence");
    for (int i = 0; i < 18; i++)
        run_job_that_ends_at_once(i / 3 % 3 - 1, 1 + i % 3);
}

/* Over a network that loses much, a lane stops again and again, each time for less than -tcpsilent; what it has by then
 * waits. Good again, it is tried when its rest is over (at most 4 s here), and the rate it seems to have doubles with
 * each second. */
static void run_stopping_lane(int card, int directions, uint64_t *bad_bytes, uint64_t *good_bytes)
{
    enum { BAD_MS = 1000, LATER_MS = 2500, GOOD_MS = 5000, USED_MS = 18000, END_MS = 22000 };
    struct test *t = begin(2, 2);
    streams_among_all(t);
    t->bulk = true;
    t->pace_ms = 45;
    for (uint64_t ms = BAD_MS; ms < GOOD_MS; ms += 400)
        plan_silence(t, 0, 1, card, directions, ms, ms + 300);
    t->until_ms = END_MS;
    step_until(t, LATER_MS);
    uint64_t bad = lane(t, 0, 1, card)->out.sent, good = lane(t, 0, 1, 1 - card)->out.sent;
    step_until(t, GOOD_MS);
    *bad_bytes += lane(t, 0, 1, card)->out.sent - bad;
    *good_bytes += lane(t, 0, 1, 1 - card)->out.sent - good;
    t->pace_ms = 120;
    step_until(t, USED_MS);
    bad = lane(t, 0, 1, card)->out.sent;
    run_until(t, END_MS);
    cr_assert_gt(lane(t, 0, 1, card)->out.sent, bad + 100000, "a lane that is good again must be used");
    cr_assert_eq(sim_counter(&t->sim, 0, "lanes_lost") + sim_counter(&t->sim, 1, "lanes_lost"), 0);
    end(t);
}

Test(silence, a_lane_that_stops_again_and_again_rests_and_is_used_when_it_is_good)
{
    hws_test_seed("silence");
    uint64_t bad = 0, good = 0;
    for (int i = 0; i < 6; i++)
        run_stopping_lane(i % 2, 1 + i % 3, &bad, &good);
    cr_assert_lt(4 * bad, good, "what stops again and again got %d bytes, the other %d", (int)bad, (int)good);
}

/* ---- one card ---------------------------------------------------------------------------------------------------- */

/* Lanes everywhere, then only engine 0 talks, and only to 1. */
static struct test *begin_with_lanes(int n)
{
    struct test *t = begin(n, 2);
    streams_among_all(t);
    t->bulk = true;
    t->pace_ms = 100;
    run_until(t, 1000);
    expect_all_lanes(t, 2);
    t->pace_ms = 30;
    for (int i = 1; i < t->n_streams; i++)
        t->streams[i]->next_ms = UINT64_MAX;
    cr_assert(t->streams[0]->from == 0 && t->streams[0]->to == 1);
    return t;
}

Test(silence, the_other_lanes_of_a_dead_card_are_found_soon_though_nothing_is_sent_on_them)
{
    hws_test_seed("silence");
    int n_rounds = hws_test_rounds(8);
    for (int round = 0; round < n_rounds; round++) {
        struct test *t = begin_with_lanes(4);
        plan_silence(t, 0, -1, 1, 1 + round % 3, 1000, 0);
        run_until(t, 4500);
        cr_assert_eq(sim_counter(&t->sim, 0, "lanes_lost"), 3);
        cr_assert_leq(t->lost_ms[0][0], 1000 + 2 * SILENT_MS, "found after %d ms only", (int)t->lost_ms[0][0]);
        uint64_t all_ms = t->lost_ms[0][2] - t->lost_ms[0][0];
        cr_assert_leq(all_ms, SILENT_MS / 4 + 3 * SILENT_MS / 16, "the others were found %d ms after the first",
                      (int)all_ms);
        for (int i = 1; i < 4; i++)
            cr_assert_eq(sim_counter(&t->sim, i, "lanes_lost"), 1, "engine %d: %d", i,
                         (int)sim_counter(&t->sim, i, "lanes_lost"));
        for (int i = 0; i < t->n_streams; i++)
            t->streams[i]->next_ms = 0;
        run_until(t, 5500);
        end(t);
    }
}

Test(silence, a_suspect_lane_that_works_is_not_harmed)
{
    hws_test_seed("silence");
    int n_rounds = hws_test_rounds(8);
    for (int round = 0; round < n_rounds; round++) {
        struct test *t = begin_with_lanes(3);
        plan_silence(t, 0, 1, 1, 3, 1000, 0);
        t->until_ms = 4500;
        while (!t->lost_ms[0][0] && now_ms() < 4000)
            sim_step(&t->sim);
        cr_assert(t->lost_ms[0][0]);
        cr_assert(lane(t, 0, 2, 1) && lane(t, 0, 2, 1)->watch.suspect_ns, "it shares a card with a dead one");
        cr_assert(lane(t, 0, 2, 0) && !lane(t, 0, 2, 0)->watch.suspect_ns, "it does not");
        run_until(t, 4500);
        cr_assert_eq(sim_counter(&t->sim, 0, "lanes_lost"), 1);
        cr_assert_eq(sim_counter(&t->sim, 1, "lanes_lost"), 1);
        cr_assert_eq(sim_counter(&t->sim, 2, "lanes_lost"), 0);
        end(t);
    }
}

/* ---- all lanes --------------------------------------------------------------------------------------------------- */

Test(silence, all_lanes_silent_for_less_than_the_deadline_cost_nothing_but_time)
{
    hws_test_seed("silence");
    int n_rounds = hws_test_rounds(9);
    for (int round = 0; round < n_rounds; round++) {
        struct test *t = begin(2, 2);
        streams_among_all(t);
        for (int card = 0; card < 2; card++)
            plan_silence(t, 0, 1, card, 1 + round % 3, 1000, 1500 + hws_test_random(3000));
        run_until(t, 8000);
        cr_assert_eq(t->sim.n_lost[0][1] + t->sim.n_lost[1][0], 0);
        expect_all_lanes(t, 2);
        end(t);
    }
}

Test(silence, all_lanes_silent_lose_the_peer_after_the_deadline_and_say_so)
{
    hws_test_seed("silence");
    for (int round = 0; round < 6; round++) {
        struct test *t = begin(3, 2);
        streams_among_all(t);
        for (int i = 0; i < t->n_streams; i++)
            t->streams[i]->may_fail = t->streams[i]->from + t->streams[i]->to == 1;
        for (int card = 0; card < 2; card++)
            plan_silence(t, 0, 1, card, 1 + round % 3, 1000, 0);
        run_until(t, 15000);
        for (int i = 0; i < 2; i++) {
            const char *reason = hws_engine_peer_reason(t->sim.engines[i], 1 - i);
            cr_assert_eq(t->sim.n_lost[i][1 - i], 1);
            cr_assert_geq(t->peer_lost_ms[i][1 - i], 1000 + DEADLINE_MS);
            cr_assert_leq(t->peer_lost_ms[i][1 - i], 1000 + 2 * SILENT_MS + DEADLINE_MS + 4000);
            cr_assert(strstr(reason, "lost and not to be had again for") && strstr(reason, "2 address pairs"), "%s",
                      reason);
            cr_assert_eq(t->sim.n_lost[i][2] + t->sim.n_lost[2][i], 0);
        }
        end(t);
    }
}

/* ---- nothing is kept --------------------------------------------------------------------------------------------- */

static void keep_nothing(struct hws_engine_config *cfg, void *arg)
{
    set_up(cfg, arg);
    cfg->params.survive = false;
}

/* What one connection has is lost with it. Only one end talks at a time: `silent` bit 0 stops what it says, bit 1 what
 * it would hear. */
static struct test *begin_keeping_nothing(int talker, int silent, uint64_t upto_ms)
{
    struct hws_mem_faults f = {.seed = hws_test_next(), .cards = 1, .close_nth_link = -1, .tells_health = true};
    struct test *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    sim_open(&t->sim, 3, &f, keep_nothing, NULL);
    t->sim.on_step = on_step;
    t->pace_ms = 30;
    stream(t, talker, 1 - talker)->may_fail = upto_ms > 10000;
    stream(t, 2, 0);
    plan_silence(t, talker, 1 - talker, 0, silent, 1000, upto_ms);
    return t;
}

Test(silence, a_lane_that_keeps_nothing_and_stays_silent_loses_the_peer_after_the_deadline)
{
    hws_test_seed("silence");
    for (int round = 0; round < 6; round++) {
        int talker = round % 2;
        struct test *t = begin_keeping_nothing(talker, 1 + round / 2, 15000);
        t->until_ms = 15000;
        while (now_ms() < 14000)
            sim_step(&t->sim);
        cr_assert_eq(t->sim.n_lost[talker][1 - talker], 1, "who sends must notice");
        cr_assert_geq(t->peer_lost_ms[talker][1 - talker], 1000 + DEADLINE_MS);
        cr_assert_leq(t->peer_lost_ms[talker][1 - talker], 1000 + DEADLINE_MS + SILENT_MS);
        const char *reason = hws_engine_peer_reason(t->sim.engines[talker], 1 - talker);
        cr_assert(strstr(reason, "lost") && strstr(reason, "timed out"), "%s", reason);
        cr_assert_eq(t->sim.n_lost[0][2] + t->sim.n_lost[2][0], 0);
        run_until(t, 15500); /* the other end, which only waits, sees the end of the connection now */
        end(t);
    }
}

Test(silence, a_lane_that_keeps_nothing_and_is_silent_for_a_while_loses_nothing)
{
    hws_test_seed("silence");
    for (int round = 0; round < 6; round++) {
        struct test *t = begin_keeping_nothing(round % 2, 1 + round / 2, 1500 + hws_test_random(3500));
        run_until(t, 8000);
        cr_assert_eq(t->sim.n_lost[0][1] + t->sim.n_lost[1][0], 0);
        end(t);
    }
}

/* ---- nobody there ------------------------------------------------------------------------------------------------ */

static void take_and_close(void *owner, struct hws_link *l)
{
    struct stranger *s = owner;
    hws_link_close(l);
    s->transport->on_accept = NULL; /* from now on it refuses */
}

/* The kernel takes a connection for a process that is about to die. */
Test(silence, a_process_that_takes_one_more_connection_while_it_dies_is_lost_as_soon_as_one_that_does_not)
{
    for (int takes = 0; takes < 2; takes++) {
        struct stranger s;
        virtual_begin();
        cr_assert(stranger_open(&s));
        s.keeps = true;
        cr_assert(stranger_connect(&s));
        s.transport->owner = &s;
        s.transport->on_accept = takes ? take_and_close : NULL;
        hws_link_close(s.link);
        s.link = NULL;
        while (!s.n_lost && now_ms() < s.cfg.params.deadline_ms) {
            stranger_settle(&s);
            virtual_pass(1000000);
        }
        cr_assert_null(s.transport->on_accept, "nobody dialed");
        cr_assert_eq(s.n_lost, 1);
        cr_assert_geq(now_ms(), 3000);
        cr_assert_leq(now_ms(), 8000, "lost after %d ms only", (int)now_ms());
        stranger_close(&s);
        virtual_end();
    }
}

/* ---- anything ---------------------------------------------------------------------------------------------------- */

Test(silence, whatever_is_silent_for_a_while_everything_comes_once_and_in_order)
{
    hws_test_seed("silence");
    int n_rounds = hws_test_rounds(25);
    for (int round = 0; round < n_rounds; round++) {
        int n = 2 + (int)hws_test_random(2), cards = 1 + (int)hws_test_random(3);
        struct test *t = begin(n, cards);
        streams_among_all(t);
        for (int i = 0; i < 12; i++) {
            int card = (int)hws_test_random((uint64_t)cards), directions = 1 + (int)hws_test_random(3);
            int a = (int)hws_test_random((uint64_t)n), b = hws_test_random(2) ? -1 : (int)hws_test_random((uint64_t)n);
            /* Card 0 is well again in time, so that no two are out of reach of each other for DEADLINE_MS. */
            uint64_t at = hws_test_random(card ? 6000 : 1500), upto = at + 50 + hws_test_random(2500);
            plan_silence(t, a, b, card, directions, at, upto);
        }
        run_until(t, 9000);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                cr_assert_eq(t->sim.n_lost[a][b], 0);
        end(t);
    }
}
