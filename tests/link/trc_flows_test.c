/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_flows_test: what only links with a connection for each flow have: messages that wait in the kernel, connections
 * closed by agreement when there are too many, and who may open one. Each message is 12 bytes of flow and number, then
 * filling.
 */
#include <criterion/criterion.h>
#include <linux/filter.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../support/seed.h"
#include "link/tcp/tcp.h"
#include "link/tcp/tcp_priv.h"
#include "link/trc/trc_priv.h"
#include "wire/bytes.h"

enum { ENOUGH = 40000, N_FLOWS = 24, LONGEST = 9000 };

struct end {
    struct hws_link *link;
    int n_writable, n_readable;
    uint64_t unwanted; /* flow that is not taken; 0: none */
    unsigned n_asked;
    uint32_t n_sent[N_FLOWS + 1], n_came[N_FLOWS + 1], total;
    uint8_t msg[LONGEST];
    size_t have;
    int rc;
};

static struct hws_reactor *reactor;
static struct hws_transport *transports[2];
static struct end ends[2]; /* 0 dialed, 1 accepted */

static void on_readable(void *owner)
{
    ((struct end *)owner)->n_readable++;
}

static void on_writable(void *owner)
{
    ((struct end *)owner)->n_writable++;
}

static const struct hws_link_events events = {on_readable, on_writable};

static bool would_take(void *owner, const uint8_t *head, size_t n)
{
    struct end *e = owner;
    cr_assert_geq(n, 12);
    e->n_asked++;
    return hws_get64(head) != e->unwanted;
}

static void adopt(struct end *e, struct hws_link *l)
{
    e->link = l;
    l->owner = e;
    l->events = &events;
    l->would_take = would_take;
}

static void on_accept(void *owner, struct hws_link *l)
{
    (void)owner;
    adopt(&ends[1], l);
}

static struct hws_trc *trc(int i)
{
    return hws_container_of(transports[i], struct hws_trc, base);
}

static void connect_both(unsigned limit)
{
    struct hws_params params;
    struct hws_route route;
    char err[512];
    memset(ends, 0, sizeof ends);
    cr_assert_eq(hws_params_load(&params, err, sizeof err), HWS_OK, "%s", err);
    params.trc_streams = limit;
    cr_assert_eq(hws_reactor_open(&reactor), HWS_OK);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(hws_trc_open(&params, reactor, true, &transports[i], err, sizeof err), HWS_OK, "%s", err);
        transports[i]->on_accept = on_accept;
    }
    cr_assert_gt(transports[0]->ops->routes(transports[0], transports[1]->ops->card(transports[1]), &route, 1), 0);
    struct hws_link *l;
    cr_assert_eq(transports[0]->ops->dial(transports[0], &route, &l, err, sizeof err), HWS_OK, "%s", err);
    adopt(&ends[0], l);
    for (int i = 0; i < ENOUGH && !(ends[1].link && hws_link_dial_result(l, err, sizeof err) == HWS_OK); i++)
        hws_reactor_run(reactor, false);
    for (int i = 0; i < 2; i++) {
        cr_assert_not_null(ends[i].link);
        hws_link_connected(ends[i].link);
        hws_link_want(ends[i].link, HWS_LINK_R);
    }
}

static void close_all(void)
{
    for (int i = 0; i < 2; i++) {
        if (ends[i].link)
            hws_link_close(ends[i].link);
        if (transports[i])
            transports[i]->ops->fini(transports[i]);
    }
    hws_reactor_fini(reactor);
}

static size_t length_of(uint64_t flow, uint32_t number)
{
    return 12 + (flow * 7919 + number * 104729) % (LONGEST - 12);
}

static int send_one(int i, unsigned flow, bool may_wait)
{
    static uint8_t bytes[LONGEST];
    struct end *e = &ends[i];
    size_t len = length_of(flow, e->n_sent[flow]);
    hws_put64(bytes, flow);
    hws_put32(bytes + 8, e->n_sent[flow]);
    memset(bytes + 12, (int)(flow + e->n_sent[flow]), len - 12);
    struct iovec iov[2] = {{bytes, 5}, {bytes + 5, len - 5}};
    ssize_t rc = hws_link_send_message(e->link, iov, 2, flow | (may_wait ? HWS_FLOW_MAY_WAIT : 0));
    cr_assert(rc == (ssize_t)len || (may_wait && rc == HWS_EAGAIN), "%zd", rc);
    e->n_sent[flow] += rc > 0;
    return rc > 0;
}

static void check_message(struct end *e)
{
    uint64_t flow = hws_get64(e->msg);
    cr_assert_leq(flow, N_FLOWS);
    cr_assert_eq(hws_get32(e->msg + 8), e->n_came[flow], "flow %lu: %u, not %u", (unsigned long)flow,
                 hws_get32(e->msg + 8), e->n_came[flow]);
    for (size_t at = 12; at < e->have; at++)
        cr_assert_eq(e->msg[at], (uint8_t)(flow + e->n_came[flow]));
    e->n_came[flow]++;
    e->total++;
    e->have = 0;
}

/* Reads what is there; each recv asks for no more than one message. */
static void recv_all(int i)
{
    struct end *e = &ends[i];
    for (;;) {
        size_t need = e->have < 12 ? 12 : length_of(hws_get64(e->msg), hws_get32(e->msg + 8));
        struct iovec iov = {e->msg + e->have, need - e->have};
        ssize_t rc = need == e->have ? 0 : hws_link_recv(e->link, &iov, 1);
        if (rc < 0) {
            e->rc = (int)rc;
            return;
        }
        e->have += (size_t)rc;
        if (e->have > 12 || (e->have == 12 && length_of(hws_get64(e->msg), hws_get32(e->msg + 8)) == 12))
            if (e->have == length_of(hws_get64(e->msg), hws_get32(e->msg + 8)))
                check_message(e);
    }
}

static void steps(int n)
{
    while (n-- > 0) {
        hws_reactor_run(reactor, false);
        for (int i = 0; i < 2; i++)
            if (ends[i].link)
                recv_all(i);
        usleep(10);
    }
}

static void until_came(int i, uint32_t total)
{
    for (int k = 0; k < ENOUGH && ends[i].total < total; k++)
        steps(1);
    cr_assert_eq(ends[i].total, total);
}

Test(trc_flows, a_message_that_is_not_wanted_waits_and_holds_up_no_other_flow)
{
    connect_both(0);
    ends[1].unwanted = 1;
    for (int k = 0; k < 10; k++) {
        send_one(0, 1, false);
        send_one(0, 2, false);
        send_one(0, 0, false);
    }
    until_came(1, 20);
    steps(200);
    cr_assert_eq(ends[1].n_came[1], 0);
    unsigned asked = ends[1].n_asked;
    steps(200);
    cr_assert_eq(ends[1].n_asked, asked, "nobody asks on and on");
    ends[1].unwanted = 0;
    ends[1].link->offer_again(ends[1].link, false);
    until_came(1, 30);
    close_all();
}

Test(trc_flows, what_the_kernel_does_not_take_is_queued_here_and_what_may_wait_is_refused)
{
    connect_both(0);
    ends[1].unwanted = 1;
    int n = 0;
    for (int n_full = 0; n_full < 200;) { /* until the kernel takes no more */
        bool is_full = ends[0].link->queued >= 100000;
        cr_assert_lt(n, 20000);
        if (!is_full)
            n += send_one(0, 1, false);
        n_full = is_full ? n_full + 1 : 0;
        steps(is_full || n % 8 == 0);
        if (is_full)
            usleep(500); /* the kernel may take more later, when it has much to do */
    }
    cr_assert_not(send_one(0, 1, true));
    hws_link_want(ends[0].link, HWS_LINK_R | HWS_LINK_W);
    steps(200);
    cr_assert(ends[0].n_writable == 0 || ends[0].link->queued == 0, "told writable while full");
    cr_assert(send_one(0, 2, true), "another flow has room");
    until_came(1, 1);
    cr_assert_eq(ends[1].n_came[2], 1);
    ends[1].unwanted = 0;
    ends[1].link->offer_again(ends[1].link, false);
    until_came(1, (uint32_t)n + 1);
    for (int k = 0; k < ENOUGH && !(ends[0].n_writable && !ends[0].link->queued); k++)
        steps(1);
    cr_assert_gt(ends[0].n_writable, 0);
    cr_assert_eq(ends[0].link->queued, 0);
    close_all();
}

static uint64_t sum_of_lengths(unsigned flow, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += length_of(flow, i);
    return sum;
}

/* Asks as a scheduler does after each message; what has left can't come back. */
static uint64_t next_backlog(int i, uint64_t taken, uint64_t *left_before)
{
    uint64_t backlog = hws_link_backlog(ends[i].link);
    cr_assert_leq(backlog, taken, "%lu of %lu taken", (unsigned long)backlog, (unsigned long)taken);
    cr_assert_geq(taken - backlog, *left_before);
    *left_before = taken - backlog;
    return backlog;
}

/* from: 0 the dialer of the connections sends, 1 the acceptor. */
static void backlog_counts_what_was_taken(int from)
{
    connect_both(0);
    uint64_t left = 0, taken = 0;
    for (unsigned k = 0; k < 300; k++) {
        unsigned flow = k % 4;
        taken = sum_of_lengths(0, ends[from].n_sent[0]) + sum_of_lengths(1, ends[from].n_sent[1]) +
                sum_of_lengths(2, ends[from].n_sent[2]) + sum_of_lengths(3, ends[from].n_sent[3]);
        next_backlog(from, taken, &left);
        send_one(from, flow, false);
        if (k % 16 == 0)
            steps(3);
    }
    taken += length_of(3, ends[from].n_sent[3] - 1);
    until_came(1 - from, 300);
    for (int k = 0; k < ENOUGH && next_backlog(from, taken, &left); k++)
        steps(1);
    cr_assert_eq(left, taken);
    close_all();
}

Test(trc_flows, backlog_counts_what_was_taken_by_the_dialer)
{
    backlog_counts_what_was_taken(0);
}

Test(trc_flows, backlog_counts_what_was_taken_by_the_acceptor)
{
    backlog_counts_what_was_taken(1);
}

/* Before its connection is there, a message waits here: all of it is backlog. */
Test(trc_flows, backlog_counts_what_waits_for_a_connection)
{
    connect_both(0);
    steps(50);
    uint64_t left = 0;
    send_one(1, 5, false);
    cr_assert_eq(next_backlog(1, length_of(5, 0), &left), length_of(5, 0));
    until_came(0, 1);
    for (int k = 0; k < ENOUGH && next_backlog(1, length_of(5, 0), &left); k++)
        steps(1);
    close_all();
}

/* A flow that is not wanted fills its connection: that is no backlog of the network's. */
Test(trc_flows, backlog_leaves_out_what_the_receiver_does_not_want)
{
    connect_both(0);
    ends[1].unwanted = 1;
    for (int k = 0; k < 20000 && ends[0].link->queued < 20000; k++) {
        send_one(0, 1, false);
        if (k % 8 == 0)
            steps(1);
    }
    uint64_t unsent = 0;
    struct hws_link_health h;
    for (int k = 0; k < ENOUGH; k++) {
        steps(1);
        unsent = hws_link_backlog(ends[0].link);
        if (unsent <= ends[0].link->queued)
            break;
    }
    cr_assert_leq(unsent, ends[0].link->queued);
    cr_assert(hws_link_health(ends[0].link, &h));
    cr_assert_gt(h.unsent, unsent, "though the kernel has more");
    close_all();
}

Test(trc_flows, one_that_is_surely_wanted_is_read_though_would_take_says_no_later)
{
    connect_both(0);
    ends[1].unwanted = 3;
    send_one(0, 3, false);
    send_one(0, 3, false);
    steps(300);
    cr_assert_eq(ends[1].total, 0);
    ends[1].unwanted = 0;
    ends[1].link->offer_again(ends[1].link, true);
    ends[1].unwanted = 3;
    until_came(1, 1);
    steps(200);
    cr_assert_eq(ends[1].total, 1, "only the one that was offered");
    close_all();
}

/* Either end closes what is too much for it: the acceptor asks the dialer to. */
static void serve_many_flows(uint32_t total, const unsigned limits[2])
{
    uint32_t n = 0;
    hws_test_seed("trc_flows");
    connect_both(0);
    for (int i = 0; i < 2; i++)
        trc(i)->limit = limits[i];
    for (; n < total; n++) {
        for (int i = 0; i < 2; i++)
            send_one(i, (unsigned)hws_test_random(N_FLOWS + 1), false);
        steps(hws_test_random(4) == 0);
        cr_assert_leq(trc(0)->n_open, limits[0]);
        if (limits[0] == limits[1])
            cr_assert_leq(trc(1)->n_open, limits[1] + 1, "one comes while another goes");
    }
    until_came(0, total);
    until_came(1, total);
    for (unsigned f = 0; f <= N_FLOWS; f++)
        cr_assert(ends[0].n_came[f] == ends[1].n_sent[f] && ends[1].n_came[f] == ends[0].n_sent[f]);
    cr_assert_gt(((struct hws_trc_link *)ends[0].link)->next_id, N_FLOWS, "some were opened again");
    for (int k = 0; k < ENOUGH && (trc(1)->n_open > limits[1] || trc(1)->n_shedding || trc(0)->n_shedding); k++)
        steps(1);
    for (int i = 0; i < 2; i++)
        cr_assert(trc(i)->n_open <= limits[i] && trc(i)->n_shedding == 0, "what was begun is closed");
    close_all();
}

Test(trc_flows, few_connections_serve_many_flows_both_ways_and_lose_nothing)
{
    serve_many_flows(3000, (const unsigned[2]){3, 3});
}

Test(trc_flows, the_acceptor_alone_has_too_many)
{
    serve_many_flows(400, (const unsigned[2]){N_FLOWS + 1, 3});
}

Test(trc_flows, a_stream_whose_messages_nobody_wants_can_be_closed_too)
{
    connect_both(1);
    ends[1].unwanted = 1;
    for (int k = 0; k < 5; k++)
        send_one(0, 1, false);
    steps(300);
    cr_assert_eq(ends[1].total, 0);
    send_one(0, 2, false);
    until_came(1, 6);
    close_all();
}

/* ---- silence ----------------------------------------------------------------------------------------------------- */

static int fd_of(struct hws_link *inner)
{
    return hws_container_of(inner, struct hws_tcp_link, base)->io.fd;
}

/* Every packet that comes for these connections vanishes, as if the card had failed: nothing acknowledges it. */
static void deafen(struct hws_link *inner)
{
    struct sock_filter drop = BPF_STMT(BPF_RET | BPF_K, 0);
    struct sock_fprog program = {1, &drop};
    cr_assert_eq(setsockopt(fd_of(inner), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program), 0);
}

static void deafen_stream(struct hws_trc_stream *s, bool unused)
{
    (void)unused;
    deafen(s->inner);
}

static struct hws_trc_link *link_of(int i)
{
    return hws_trc_link_of(ends[i].link);
}

static unsigned n_up;

static void count_up(struct hws_trc_stream *s, bool unused)
{
    (void)unused;
    n_up += s->state == HWS_STREAM_UP;
}

/* CLOSING is on the main connection, FIN on the stream, and the network may bring that one earlier. */
Test(trc_flows, a_fin_that_comes_before_its_closing_is_enough)
{
    int on = 1;
    connect_both(1);
    send_one(0, 1, false);
    until_came(1, 1);
    for (int k = 0; k < ENOUGH && !n_up; k++) {
        steps(1);
        hws_trc_each(link_of(0), count_up, false);
    }
    cr_assert_eq(n_up, 1);
    deafen(link_of(1)->main.inner);
    send_one(0, 2, false);
    until_came(1, 2); /* so the first stream is closed */
    cr_assert_eq(trc(0)->n_open, 1);
    cr_assert_eq(setsockopt(fd_of(link_of(1)->main.inner), SOL_SOCKET, SO_DETACH_FILTER, &on, sizeof on), 0);
    send_one(0, 0, false);
    until_came(1, 3); /* behind CLOSING */
    send_one(1, 1, false);
    until_came(0, 1);
    close_all();
}

/* How long end i finds something silent, after steps in which it could have been acknowledged. */
static uint64_t silent_ms(int i)
{
    struct hws_link_health h;
    for (int k = 0; k < 60; k++) {
        cr_assert(hws_link_health(ends[i].link, &h));
        steps(5);
        usleep(5000);
    }
    return h.silent_ns / 1000000;
}

Test(trc_flows, a_stream_that_falls_silent_is_seen_though_the_others_work)
{
    for (int sender = 0; sender < 2; sender++) {
        connect_both(0);
        for (unsigned flow = 1; flow <= 3; flow++)
            send_one(sender, flow, false);
        until_came(1 - sender, 3);
        cr_assert_eq(silent_ms(sender), 0);
        hws_trc_each(link_of(1 - sender), deafen_stream, false);
        cr_assert_eq(silent_ms(sender), 0, "nothing is due");
        send_one(sender, 2, false);
        send_one(sender, 0, false);
        until_came(1 - sender, 4);
        cr_assert_geq(silent_ms(sender), 100);
        close_all();
    }
}

/* The process there may compute, so only its kernel's silence counts. Here the acceptor's message waits for a
 * connection that the dialer is asked for and does not make. */
Test(trc_flows, a_flow_that_has_no_connection_yet_asks_the_other_kernel)
{
    connect_both(0);
    trc(0)->limit = 0;
    send_one(1, 5, false);
    cr_assert_eq(silent_ms(1), 0, "its kernel answers");
    cr_assert_gt(ends[1].link->queued, 0);
    deafen(link_of(0)->main.inner);
    link_of(1)->asked.probed_ns = 0;
    cr_assert_geq(silent_ms(1), 100);
    close_all();
}

Test(trc_flows, a_close_is_seen_behind_the_last_message_of_every_flow)
{
    connect_both(0);
    ends[1].unwanted = 1;
    for (unsigned f = 0; f <= N_FLOWS; f++)
        for (int k = 0; k < 3; k++)
            send_one(0, f, false);
    for (int k = 0; k < ENOUGH && ends[0].link->queued; k++)
        steps(1);
    hws_link_close(ends[0].link);
    ends[0].link = NULL;
    for (int k = 0; k < ENOUGH && ends[1].rc != HWS_ECLOSED; k++)
        steps(1);
    cr_assert_eq(ends[1].rc, HWS_ECLOSED);
    cr_assert_eq(ends[1].total, 3 * (N_FLOWS + 1));
    int before = ends[1].n_readable;
    for (int k = 0; k < ENOUGH && ends[1].n_readable == before; k++)
        steps(1);
    cr_assert_gt(ends[1].n_readable, before, "the end is readable");
    close_all();
}

/* The accepting process ends, orderly or not, and the other one wants a connection for a new flow before it has seen
 * that. */
static void end_while_a_flow_is_opened(bool orderly)
{
    connect_both(0);
    send_one(0, 1, false);
    until_came(1, 1); /* the dialer has the token */
    for (int k = 0; k < 3; k++)
        send_one(1, 1, false);
    cr_assert_eq(ends[1].link->queued, 0);
    ((struct hws_trc_link *)ends[1].link)->connected = orderly; /* else nothing is told */
    hws_link_close(ends[1].link);
    ends[1].link = NULL;
    transports[1]->ops->fini(transports[1]);
    transports[1] = NULL;
    send_one(0, 9, false);
    for (int k = 0; k < ENOUGH && ends[0].rc != HWS_ECLOSED; k++) {
        steps(1);
        cr_assert(ends[0].rc == HWS_EAGAIN || ends[0].rc == HWS_ECLOSED, "%s", hws_err_text((enum hws_err)ends[0].rc));
    }
    cr_assert_eq(ends[0].rc, HWS_ECLOSED);
    close_all();
}

Test(trc_flows, a_flow_refused_by_a_process_that_has_closed_costs_nothing_that_came_before)
{
    end_while_a_flow_is_opened(true);
    cr_assert_eq(ends[0].total, 3);
}

Test(trc_flows, a_flow_refused_by_a_process_that_has_died_is_the_end_of_the_link)
{
    end_while_a_flow_is_opened(false);
}

/* ---- the network is away for a while ----------------------------------------------------------------------------- */

static const struct hws_transport_ops *real_transport;
static struct hws_link_ops away_link;
static int n_away;
static bool at_once;

static int away_result(struct hws_link *l, char *why, size_t why_len)
{
    (void)l;
    snprintf(why, why_len, "the network is away");
    return HWS_EUNREACHABLE;
}

static int away_dial(struct hws_transport *t, const struct hws_route *route, struct hws_link **out, char *why,
                     size_t why_len)
{
    if (n_away == 0)
        return real_transport->dial(t, route, out, why, why_len);
    n_away--;
    if (at_once) {
        snprintf(why, why_len, "the network is away");
        return HWS_EUNREACHABLE;
    }
    int rc = real_transport->dial(t, route, out, why, why_len);
    away_link = *(*out)->ops;
    away_link.dial_result = away_result;
    (*out)->ops = &away_link;
    return rc;
}

/* The first connection is up; the network is away when a flow's is dialed, for so many tries. */
static void begin_away(int tries, bool is_told_at_once)
{
    static struct hws_transport_ops away;
    connect_both(0);
    send_one(0, 1, false);
    until_came(1, 1);
    struct hws_transport *inner = trc(0)->inner;
    real_transport = inner->ops;
    away = *real_transport;
    away.dial = away_dial;
    inner->ops = &away;
    n_away = tries;
    at_once = is_told_at_once;
}

static void end_away(void)
{
    trc(0)->inner->ops = real_transport;
    close_all();
}

Test(trc_flows, a_flow_is_dialed_again_when_the_network_was_away)
{
    for (int i = 0; i < 4; i++) {
        begin_away(2, i & 1);
        if (i & 2) { /* the acceptor asks for it */
            send_one(1, 2, false);
            until_came(0, 1);
        } else {
            send_one(0, 2, false);
            until_came(1, 2);
        }
        cr_assert_eq(n_away, 0);
        end_away();
    }
}

/* However rarely this process runs, the second try is before the deadline or behind it. */
Test(trc_flows, a_network_that_stays_away_ends_the_link_at_the_deadline)
{
    for (int i = 0; i < 2; i++) {
        begin_away(1000000, i);
        trc(0)->deadline_ms = 250;
        send_one(0, 2, false);
        steps(1);
        cr_assert_eq(ends[0].rc, HWS_EAGAIN);
        for (int k = 0; k < ENOUGH && ends[0].rc != HWS_EUNREACHABLE; k++)
            steps(1);
        cr_assert_eq(ends[0].rc, HWS_EUNREACHABLE);
        cr_assert_leq(n_away, 999998, "it was tried again before");
        end_away();
    }
}

/* A connection of its own to the acceptor, with that preamble. */
static struct hws_link *intrude(enum hws_trc_first kind, const uint8_t *token)
{
    struct hws_link *l;
    char why[128];
    static struct end stranger;
    struct hws_trc *t = trc(0);
    const struct hws_trc_link *good = (struct hws_trc_link *)ends[0].link;
    cr_assert_eq(t->inner->ops->dial(t->inner, &good->route, &l, why, sizeof why), HWS_OK, "%s", why);
    l->owner = &stranger;
    l->events = &events;
    for (int k = 0; k < ENOUGH && hws_link_dial_result(l, why, sizeof why) != HWS_OK; k++)
        steps(1);
    steps(10);
    cr_assert_eq(hws_trc_send_preamble(l, kind, 99, 5, token), HWS_OK);
    return l;
}

Test(trc_flows, who_does_not_know_the_token_is_shown_out)
{
    uint8_t token[HWS_TRC_TOKEN], byte;
    struct iovec iov = {&byte, 1};
    connect_both(0);
    send_one(0, 1, false);
    until_came(1, 1);
    memcpy(token, ((struct hws_trc_link *)ends[1].link)->token, sizeof token);
    cr_assert_eq(memcmp(token, ((struct hws_trc_link *)ends[0].link)->token, sizeof token), 0);
    token[7] ^= 1;
    unsigned open = trc(1)->n_open;
    for (int i = 0; i < 2; i++) {
        struct hws_link *l = i ? intrude((enum hws_trc_first)7, token) : intrude(HWS_TRC_STREAM, token);
        ssize_t rc = HWS_EAGAIN;
        for (int k = 0; k < ENOUGH && rc == HWS_EAGAIN; k++) {
            steps(1);
            rc = hws_link_recv(l, &iov, 1);
        }
        cr_assert_eq(rc, HWS_ECLOSED);
        hws_link_close(l);
    }
    cr_assert_eq(trc(1)->n_open, open);
    cr_assert_eq(trc(1)->n_accepts, 0);
    send_one(0, 5, false);
    until_came(1, 2);
    close_all();
}
