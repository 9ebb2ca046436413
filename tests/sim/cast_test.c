/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast_test: whole groups over a network that loses, delays and doubles packets: everything comes to everybody, once
 * and unchanged; nobody is swamped by reports; nobody waits for the dead.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/sanitized.h"
#include "../support/seed.h"
#include "base/clock.h"
#include "base/list.h"
#include "cast/proto/out.h"
#include "cast_net.h"

#if !HWS_SANITIZED && defined(__GLIBC__)
#define CAN_STARVE 1
#define MOST       (256u << 10) /* bytes that there are at once while memory is short */
extern void *__libc_malloc(size_t n);
static bool starving;

__attribute__((visibility("default"))) void *malloc(size_t n)
{
    return starving && n > MOST ? NULL : __libc_malloc(n);
}
#else
#define CAN_STARVE 0
static bool starving;
#endif

#define LIMIT (600 * HWS_NS_PER_S) /* of virtual time: more is a hang */

struct sent {
    struct hws_cast_send op;
    int *left;
};

struct wanted {
    struct hws_cast_recv op;
    int *left;
    const uint8_t *expected;
    uint64_t len;
};

static void on_sent(struct hws_cast_send *op)
{
    --*hws_container_of(op, struct sent, op)->left;
}

static void on_came(struct hws_cast_recv *op)
{
    struct wanted *w = hws_container_of(op, struct wanted, op);
    --*w->left;
    cr_assert_eq(op->err, HWS_OK);
    cr_assert_eq(op->len, w->len);
    cr_assert(w->len == 0 || memcmp(op->data, w->expected, w->len) == 0, "content of message %llu from %d",
              (unsigned long long)op->tag, op->from);
}

static uint8_t *noise(uint64_t len)
{
    uint8_t *bytes = malloc(len + 1);
    cr_assert_not_null(bytes);
    for (uint64_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)hws_test_next();
    return bytes;
}

static void send(struct cast_net *net, int from, uint64_t tag, const uint8_t *data, uint64_t len, int *left)
{
    struct sent *s = calloc(1, sizeof *s);
    cr_assert_not_null(s);
    s->op = (struct hws_cast_send){.tag = tag, .data = data, .len = len, .on_done = on_sent};
    s->left = left;
    cr_assert_eq(hws_cast_group_send(&net->members[from], &s->op, net->now_ns), HWS_OK);
    cast_net_tick(net, from);
}

static struct wanted *post(struct cast_net *net, int at, int from, uint64_t tag, const uint8_t *data, uint64_t len,
                           int *left)
{
    struct wanted *w = calloc(1, sizeof *w);
    cr_assert_not_null(w);
    w->op = (struct hws_cast_recv){.tag = tag, .from = from, .data = malloc(len + 1), .room = len, .on_done = on_came};
    w->left = left;
    w->expected = data;
    w->len = len;
    cr_assert_eq(hws_cast_group_recv(&net->members[at], &w->op, net->now_ns), HWS_OK);
    cast_net_tick(net, at);
    return w;
}

/* `n_messages` from random members, posted early or late, in any order. */
static void traffic(struct cast_net *net, int n_messages, uint64_t longest)
{
    uint8_t *data[64];
    uint64_t len[64];
    int from[64], left = n_messages * net->n; /* each is sent once and received n - 1 times */
    cr_assert_leq(n_messages, 64);
    net->random = hws_test_next();
    cast_net_open(net);
    for (int m = 0; m < n_messages; m++) {
        len[m] = hws_test_random(8) ? hws_test_random(longest) : hws_test_random(2) * 17;
        data[m] = noise(len[m]);
        from[m] = (int)hws_test_random((uint64_t)net->n);
    }
    for (int early = 1; early >= 0; early--) {
        for (int m = 0; early == 0 && m < n_messages; m++)
            send(net, from[m], (uint64_t)m, data[m], len[m], &left);
        if (early == 0) /* much of it comes before it is posted, as much as there is room for */
            cast_net_run(net, &left, -1, hws_test_random(50 * HWS_NS_PER_MS));
        for (int m = 0; m < n_messages; m++)
            for (int i = 0; i < net->n; i++)
                if (i != from[m] && ((i + m) % 2 == early))
                    post(net, i, from[m], (uint64_t)m, data[m], len[m], &left);
    }
    cr_assert(cast_net_run(net, &left, 0, LIMIT), "%d of %d are not done", left, n_messages * net->n);
    for (int i = 0; i < net->n; i++)
        cr_assert(hws_cast_group_is_idle(&net->members[i]));
    for (int m = 0; m < n_messages; m++)
        free(data[m]);
    cast_net_close(net);
}

static void seeds(double loss)
{
    hws_test_seed("cast");
    for (int round = 0; round < hws_test_rounds(100); round++) {
        int n = round % 20 == 19 ? 101 : 2 + (int)hws_test_random(round % 2 ? 6 : 15);
        struct cast_net net = {.n = n,
                               .room = n > 30 ? 64 : 16 + (unsigned)hws_test_random(200),
                               .loss = loss,
                               .doubled = round % 3 ? 0.02 : 0,
                               .delay_ns = 20000,
                               .jitter_ns = round % 4 ? hws_test_random(200000) : 0,
                               .each_ns = round % 2 ? 12000 : 0,
                               .queue = round % 5 ? 0 : 64};
        traffic(&net, n > 30 ? 3 : 12, n > 30 ? 60000 : 120000);
    }
}

Test(cast, everything_comes_without_loss)
{
    seeds(0);
}

Test(cast, everything_comes_with_1_percent_lost)
{
    seeds(0.01);
}

Test(cast, everything_comes_with_5_percent_lost)
{
    seeds(0.05);
}

Test(cast, everything_comes_with_20_percent_lost)
{
    seeds(0.2);
}

/* One message from member 0 to all. Virtual time that it took. */
static uint64_t one(struct cast_net *net, uint64_t len)
{
    int left = net->n;
    uint8_t *data = noise(len);
    net->random = hws_test_next();
    cast_net_open(net);
    for (int i = 1; i < net->n; i++)
        post(net, i, 0, 5, data, len, &left);
    uint64_t from = net->now_ns;
    send(net, 0, 5, data, len, &left);
    cr_assert(cast_net_run(net, &left, 0, LIMIT), "%d of %d members are not done", left, net->n);
    free(data);
    return net->now_ns - from;
}

/* 32 members report to the sender. Without loss each does so once for 16 packets, a quarter of the window. Where each
 * thousandth packet of a receiver is lost, every packet is missing somewhere: then there is one request a packet from
 * half of the 32 subtrees, where without a tree 999 members would report about each. */
Test(cast, a_thousand_members_do_not_swamp_the_sender)
{
    uint64_t sent = HWS_SANITIZED ? 100 : 400;
    hws_test_seed("cast");
    for (int lossy = 0; lossy < 2; lossy++) {
        struct cast_net net = {.n = 1000,
                               .room = 64,
                               .loss = lossy ? 0.001 : 0,
                               .delay_ns = 50000,
                               .jitter_ns = lossy ? 20000 : 5000,
                               .each_ns = 12000};
        one(&net, sent * HWS_CAST_PAYLOAD);
        uint64_t packets = sent + net.members[0].counts.resent;
        cr_assert_lt(net.reports_to_sender, packets * (lossy ? 20 : 5), "%llu reports for %llu packets",
                     (unsigned long long)net.reports_to_sender, (unsigned long long)packets);
        cast_net_close(&net);
    }
}

Test(cast, few_reports_come_where_nothing_is_lost)
{
    hws_test_seed("cast");
    struct cast_net net = {.n = 9, .room = 128, .delay_ns = 50000, .each_ns = 120000};
    one(&net, 2000 * HWS_CAST_PAYLOAD);
    cr_assert_eq(net.members[0].counts.packets, 2000);
    cr_assert_eq(net.members[0].counts.resent, 0);
    cr_assert_lt(net.reports_to_sender, 2000 * 8 / 15);
    cast_net_close(&net);
}

/* A lost packet goes to the one that lacks it alone, and what all lack goes once to all: 8 % of the packets go again.
 * Meanwhile the others go on. */
Test(cast, the_link_is_filled_without_loss_and_nearly_so_with_1_percent)
{
    hws_test_seed("cast");
    for (int lossy = 0; lossy < 2; lossy++) {
        struct cast_net net = {
            .n = 9, .room = 128, .loss = lossy ? 0.01 : 0, .delay_ns = 100000, .jitter_ns = 1000, .each_ns = 120000};
        uint64_t took = one(&net, 4000 * HWS_CAST_PAYLOAD), least = 4000 * net.each_ns;
        cr_assert_lt(took, lossy ? least * 12 / 10 : least * 105 / 100, "%llu ns of %llu", (unsigned long long)took,
                     (unsigned long long)least);
        cast_net_close(&net);
    }
}

/* What is sent and nobody has posted is kept as far as there is room; the sender then stands still. */
Test(cast, a_receiver_that_does_not_post_keeps_its_memory)
{
    hws_test_seed("cast");
    struct cast_net net = {.n = 4, .room = 32, .delay_ns = 50000};
    int left = 4;
    uint64_t len = 1000 * HWS_CAST_PAYLOAD;
    uint8_t *data = noise(len);
    net.random = hws_test_next();
    cast_net_open(&net);
    send(&net, 0, 1, data, len, &left);
    cr_assert_not(cast_net_run(&net, &left, 0, 3 * HWS_NS_PER_S));
    cr_assert_eq(net.members[1].counts.received, 32);
    for (int i = 1; i < 4; i++)
        post(&net, i, 0, 1, data, len, &left);
    cr_assert(cast_net_run(&net, &left, 0, LIMIT));
    free(data);
    cast_net_close(&net);
}

Test(cast, nobody_waits_for_a_member_that_was_dropped)
{
    hws_test_seed("cast");
    for (int n = 3; n <= 103; n += 50) {
        struct cast_net net = {.n = n, .room = 64, .delay_ns = 50000, .loss = 0.01};
        int left = n - 1; /* all but one */
        uint64_t len = 300 * HWS_CAST_PAYLOAD;
        uint8_t *data = noise(len);
        net.random = hws_test_next();
        cast_net_open(&net);
        net.stopped[1] = true; /* of 53 and 103 members it reports for others */
        for (int i = 2; i < n; i++)
            post(&net, i, 0, 1, data, len, &left);
        struct sent s = {.op = {.tag = 1, .data = data, .len = len, .on_done = on_sent}, .left = &left};
        cr_assert_eq(hws_cast_group_send(&net.members[0], &s.op, net.now_ns), HWS_OK);
        cast_net_tick(&net, 0);
        cr_assert_not(cast_net_run(&net, &left, 0, 2 * HWS_NS_PER_S));
        cr_assert_eq(hws_cast_group_owes(&net.members[0], -1), 1);
        hws_cast_group_drop(&net.members[0], 1);
        cast_net_tick(&net, 0);
        cr_assert(cast_net_run(&net, &left, 0, LIMIT), "%d of %d members", left, n);
        cr_assert_eq(s.op.err, HWS_EPEERDEAD);
        free(data);
        cast_net_close(&net);
    }
}

Test(cast, a_member_that_stood_still_goes_on)
{
    hws_test_seed("cast");
    struct cast_net net = {.n = 5, .room = 64, .delay_ns = 50000};
    int left = 5;
    uint64_t len = 500 * HWS_CAST_PAYLOAD;
    uint8_t *data = noise(len);
    net.random = hws_test_next();
    cast_net_open(&net);
    for (int i = 1; i < 5; i++)
        post(&net, i, 0, 1, data, len, &left);
    net.stopped[3] = true;
    send(&net, 0, 1, data, len, &left);
    cr_assert_not(cast_net_run(&net, &left, 0, 30 * HWS_NS_PER_S));
    net.stopped[3] = false;
    cr_assert(cast_net_run(&net, &left, 0, LIMIT));
    free(data);
    cast_net_close(&net);
}

/* A message of member 0 to all, of whom those from `first` on have posted it. Its content. */
static uint8_t *begin(struct cast_net *net, int first, uint64_t len, int *left)
{
    uint8_t *data = noise(len);
    net->random = hws_test_next();
    cast_net_open(net);
    for (int i = first; i < net->n; i++)
        post(net, i, 0, 1, data, len, left);
    send(net, 0, 1, data, len, left);
    return data;
}

/* The last packets that have left: nothing that comes later shows the gap, and many lack the same. */
Test(cast, a_tail_that_is_lost_is_asked_for_as_a_whole)
{
    hws_test_seed("cast");
    for (int n = 2; n <= 53; n += 17) { /* among them one who reports for others */
        struct cast_net net = {.n = n, .room = 512, .delay_ns = 3 * HWS_NS_PER_MS, .each_ns = 12000};
        int left = n;
        uint8_t *data = begin(&net, 1, 2000 * HWS_CAST_PAYLOAD, &left);
        cr_assert_not(cast_net_run(&net, &left, 0, 40 * HWS_NS_PER_MS));
        net.loss = 1;
        cr_assert_not(cast_net_run(&net, &left, 0, 30 * HWS_NS_PER_MS));
        net.loss = 0;
        uint64_t before = net.members[0].counts.timeouts;
        cr_assert(cast_net_run(&net, &left, 0, LIMIT), "%d of %d members", left, n);
        cr_assert_leq(net.members[0].counts.timeouts - before, 5, "%d members", n);
        free(data);
        cast_net_close(&net);
    }
}

/* A message that nobody has posted and for which there is no memory: its packets are as good as lost while it lasts,
 * and the sender goes on to the end of its window. */
Test(cast, a_member_without_memory_has_all_soon_after_it_posts)
{
    hws_test_seed("cast");
    if (!CAN_STARVE)
        cr_skip_test("malloc is the sanitizer's");
    for (int n = 2; n <= 53; n += 17) {
        struct cast_net net = {.n = n, .room = 512, .delay_ns = 50000, .each_ns = 12000};
        int left = n;
        uint64_t len = 500 * HWS_CAST_PAYLOAD;
        uint8_t *data = begin(&net, 2, len, &left);
        starving = true;
        cr_assert_not(cast_net_run(&net, &left, 0, 2 * HWS_NS_PER_S));
        starving = false;
        uint64_t sent = net.packets, before = net.members[0].counts.timeouts;
        cr_assert_lt(sent, (uint64_t)(500 * 20 + 500 * n), "packets are not sent again and again meanwhile");
        post(&net, 1, 0, 1, data, len, &left);
        cr_assert(cast_net_run(&net, &left, 0, LIMIT), "%d of %d members", left, n);
        cr_assert_leq(net.members[0].counts.timeouts - before, 3, "%d members", n);
        free(data);
        cast_net_close(&net);
    }
}

static void on_truncated(struct hws_cast_recv *op)
{
    cr_assert_eq(op->err, HWS_ETRUNCATE);
}

Test(cast, a_message_longer_than_its_receive_is_an_error_there_alone)
{
    hws_test_seed("cast");
    struct cast_net net = {.n = 2, .room = 64, .delay_ns = 50000};
    int left = 1;
    uint8_t *data = noise(5000), got[3001] = {[3000] = 0xee};
    struct hws_cast_recv op = {.tag = 1, .from = 0, .data = got, .room = 3000, .on_done = on_truncated};
    net.random = hws_test_next();
    cast_net_open(&net);
    send(&net, 0, 1, data, 5000, &left);
    cr_assert(cast_net_run(&net, &left, 0, LIMIT)); /* it is kept */
    cr_assert_eq(hws_cast_group_recv(&net.members[1], &op, net.now_ns), HWS_OK);
    cr_assert(op.state == HWS_CAST_CAME && op.err == HWS_ETRUNCATE && op.len == 5000);
    cr_assert(memcmp(got, data, 3000) == 0 && got[3000] == 0xee);
    free(data);
    cast_net_close(&net);
}
