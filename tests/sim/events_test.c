/* SPDX-License-Identifier: BSD-3-Clause
 *
 * events_test: what the engine tells those who watch it: a connection that opens and breaks, the lost peer, a message
 * that nobody expects; only what the mask asks for; times that never go back. And its figures per lane and peer.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim.h"
#include "virtual.h"

static struct hws_event seen[64];
static unsigned n_seen;
static bool delivered;
static const struct hws_mem_faults no_faults;

static void on_event(const struct hws_event *ev)
{
    if (n_seen < 64)
        seen[n_seen++] = *ev;
}

static void deliver(void)
{
    delivered = true;
}

static struct hws_event_sink sink = {.on_event = on_event, .deliver = deliver};

static void watch_first(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.tcp_con_retries = 2;
    cfg->params.deadline_ms = 100;
    if (cfg->me == 0)
        cfg->events = &sink;
}

static unsigned count(enum hws_event_kind kind)
{
    unsigned n = 0;
    for (unsigned i = 0; i < n_seen; i++) {
        cr_assert(i == 0 || seen[i].when_ns >= seen[i - 1].when_ns);
        n += seen[i].kind == kind;
    }
    return n;
}

struct wait {
    const struct sim *sim;
    const volatile bool *done;
    const char *counter;
};

static bool is_done(void *arg)
{
    const struct wait *w = arg;
    return (!w->done || *w->done) && (!w->counter || sim_counter(w->sim, 0, w->counter) > 0);
}

/* Engine 1 sends one message to engine 0, which receives it only after it was queued. */
static void exchange(struct sim *s)
{
    char out[100] = "text", in[100] = "";
    struct hws_send_op send = {.data = {out, sizeof out, NULL}, .peer = 0, .tag = 9};
    struct hws_recv_op recv = {.data = {in, sizeof in, NULL}, .peer = 1, .tag = 9};
    hws_engine_send(s->engines[1], &send);
    struct wait w = {s, NULL, "unexpected_queue"};
    cr_assert(sim_run(s, is_done, &w));
    hws_engine_recv(s->engines[0], &recv);
    w = (struct wait){s, &recv.done, NULL};
    cr_assert(sim_run(s, is_done, &w));
    w = (struct wait){s, &send.done, NULL};
    cr_assert(sim_run(s, is_done, &w));
    cr_assert_str_eq(in, "text");
}

/* The other engine is no more. */
static void step_first(struct sim *s)
{
    hws_engine_progress(s->engines[0]);
    hws_mem_net_pump(s->net);
    virtual_pass(100000);
}

Test(events, connection_message_loss)
{
    struct sim s;
    n_seen = 0;
    sink.mask = (1u << HWS_N_EVENTS) - 1;
    sim_open(&s, 2, &no_faults, watch_first, NULL);
    exchange(&s);
    cr_assert_eq(count(HWS_EVENT_LANE_OPENED), 1);
    cr_assert_eq(count(HWS_EVENT_UNEXPECTED), 1);
    cr_assert_eq(n_seen, 2);
    cr_assert_eq(seen[1].peer, 1);
    cr_assert_eq(seen[1].tag, 9);
    cr_assert_eq(seen[1].bytes, 100);
    cr_assert_eq(seen[1].queued, 1);

    hws_engine_fini(s.engines[1]); /* without a goodbye: the connection breaks */
    struct hws_recv_op recv = {.peer = 1, .tag = 10};
    hws_engine_recv(s.engines[0], &recv);
    while (!recv.done)
        step_first(&s);
    cr_assert_neq(recv.err, HWS_OK);
    cr_assert_eq(count(HWS_EVENT_LANE_LOST), 1);
    cr_assert_eq(count(HWS_EVENT_PEER_LOST), 1);
    cr_assert_eq(n_seen, 4);
    for (unsigned i = 2; i < 4; i++) {
        cr_assert_eq(seen[i].peer, 1);
        cr_assert_neq(seen[i].why, HWS_OK);
    }
    s.n = 1;
    sim_close(&s);
}

Test(events, only_what_is_asked_for)
{
    struct sim s;
    n_seen = 0;
    sink.mask = 1u << HWS_EVENT_LANE_LOST;
    sim_open(&s, 2, &no_faults, watch_first, NULL);
    exchange(&s);
    cr_assert_eq(n_seen, 0);
    delivered = false;
    sink.due = true;
    static const volatile bool over = true;
    hws_engine_wait(s.engines[0], &over, NULL);
    cr_assert(delivered);
    sink.due = false;
    sim_close(&s);
}

Test(figures, stay_when_the_lane_is_gone)
{
    struct sim s;
    struct hws_lane_info lane;
    struct hws_peer_info peer;
    sink.mask = 0;
    sim_open(&s, 2, &no_faults, watch_first, NULL);
    hws_engine_peer_info(s.engines[0], 1, &peer);
    cr_assert_eq(peer.state, HWS_REACH_UNUSED);
    cr_assert_eq(hws_engine_lanes(s.engines[0], 1, &lane, 1), 0);
    exchange(&s);
    hws_engine_peer_info(s.engines[0], 1, &peer);
    cr_assert_eq(peer.state, HWS_REACH_CONNECTED);
    cr_assert_eq(peer.messages_in, 1);
    cr_assert_eq(peer.messages_out, 0);
    cr_assert_eq(peer.connects, 1);
    cr_assert_eq(peer.unexpected, 0);
    cr_assert(hws_engine_lanes(s.engines[0], 1, &lane, 1) >= 1);
    cr_assert(lane.is_up && lane.name[0]);
    cr_assert_eq(lane.traffic.bytes_in, peer.traffic.bytes_in);
    cr_assert(peer.traffic.bytes_in >= 100);

    hws_engine_fini(s.engines[1]);
    struct hws_recv_op recv = {.peer = 1, .tag = 10};
    hws_engine_recv(s.engines[0], &recv);
    while (!recv.done)
        step_first(&s);
    struct hws_peer_info after;
    hws_engine_peer_info(s.engines[0], 1, &after);
    cr_assert_eq(after.state, HWS_REACH_LOST);
    cr_assert_eq(after.traffic.bytes_in, peer.traffic.bytes_in);
    cr_assert_eq(sim_counter(&s, 0, "bytes_in"), peer.traffic.bytes_in);
    s.n = 1;
    sim_close(&s);
}

Test(figures, parameters_that_change)
{
    struct sim s;
    struct hws_params next;
    char err[128];
    sink.mask = 0;
    sim_open(&s, 2, &no_faults, watch_first, NULL);
    cr_assert_eq(hws_params_load(&next, err, sizeof err), HWS_OK);
    next.tcp_eager = 50;
    cr_assert(hws_engine_tune(s.engines[1], hws_param_find("tcpeagersend"), &next));
    cr_assert(hws_engine_tune(s.engines[1], hws_param_find("spin"), &next));
    cr_assert(hws_engine_is_tunable(hws_param_find("trace")));
    cr_assert_not(hws_engine_is_tunable(hws_param_find("credit")));
    cr_assert_not(hws_engine_tune(s.engines[1], hws_param_find("credit"), &next));
    exchange(&s);
    cr_assert_eq(sim_counter(&s, 1, "rendezvous_sent"), 1);
    cr_assert_eq(sim_counter(&s, 1, "eager_sent"), 0);
    sim_close(&s);
}
