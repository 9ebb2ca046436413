/* SPDX-License-Identifier: BSD-3-Clause
 *
 * relay_test: which way -wan auto chooses to a process of another site, by what a gateway says of the way there and by
 * whether the process takes connections. The gateway is a thread that answers each preface with a round trip.
 */
#include "link/net/relay.h"

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../../../support/loopback.h"

#define NEAR_RTT_US 300
#define FAR_RTT_US  18000

static atomic_int least_rtt_us, n_asked;

static void *answer(void *arg)
{
    int listener = (int)(intptr_t)arg;
    for (;;) {
        uint8_t preface[HWS_PREFACE_MAX], text[HWS_GATE_COUNTS_BYTES];
        int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            return NULL;
        struct hws_gate_counts c = {.least_rtt_us = (uint64_t)atomic_load(&least_rtt_us)};
        hws_gate_counts_encode(text, &c);
        if (recv(fd, preface, sizeof preface, 0) > 0) {
            atomic_fetch_add(&n_asked, 1); /* before the answer, behind which the test goes on */
            (void)!send(fd, text, sizeof text, MSG_NOSIGNAL);
        }
        close(fd);
    }
}

static struct hws_relay relay_of(const char *way)
{
    static struct hws_params params;
    static const uint8_t key[HWS_LINK_KEY_LEN] = {1};
    struct hws_relay r;
    char err[128];
    uint16_t port;
    pthread_t thread;
    intptr_t listener = hws_test_listen(&port);
    cr_assert_eq(pthread_create(&thread, NULL, answer, (void *)listener), 0);
    snprintf(params.wan, sizeof params.wan, "%s", way);
    snprintf(params.site, sizeof params.site, "here");
    snprintf(params.gateways, sizeof params.gateways, "here=127.0.0.1:%u,there=127.0.0.1:1", port);
    cr_assert_eq(hws_relay_init(&r, &params, err, sizeof err), HWS_OK, "%s", err);
    hws_relay_admit(&r, key);
    return r;
}

/* Of a process that takes connections; returns its socket. */
static int open_process(struct hws_card_addr *at)
{
    uint16_t port;
    int listener = hws_test_listen(&port);
    *at = (struct hws_card_addr){.port = port};
    cr_assert_eq(hws_addr_parse("127.0.0.1", &at->addr), HWS_OK);
    return listener;
}

static bool is_connected(int listener)
{
    struct pollfd p = {.fd = listener, .events = POLLIN};
    return poll(&p, 1, 0) == 1;
}

Test(relay, direct_connections_go_first_to_a_site_that_is_near_and_takes_them)
{
    struct hws_relay r = relay_of("auto");
    struct hws_card_addr at;
    int listener = open_process(&at);
    atomic_store(&least_rtt_us, NEAR_RTT_US);
    cr_assert(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert(is_connected(listener));
    cr_assert(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_eq(atomic_load(&n_asked), 1, "what was found out stays so");
}

Test(relay, any_address_of_the_process_will_do)
{
    struct hws_relay r = relay_of("auto");
    struct hws_card_addr at[2];
    close(open_process(&at[0]));
    open_process(&at[1]);
    atomic_store(&least_rtt_us, NEAR_RTT_US);
    cr_assert(hws_relay_is_direct_first(&r, "there", at, 2));
}

Test(relay, gateways_go_first_to_a_site_that_is_near_and_takes_no_connections)
{
    struct hws_relay r = relay_of("auto");
    struct hws_card_addr at;
    close(open_process(&at));
    atomic_store(&least_rtt_us, NEAR_RTT_US);
    cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_eq(atomic_load(&n_asked), 1, "what was found out stays so");
}

Test(relay, gateways_go_first_to_a_site_that_is_far_and_nothing_is_tried)
{
    struct hws_relay r = relay_of("auto");
    struct hws_card_addr at;
    int listener = open_process(&at);
    atomic_store(&least_rtt_us, FAR_RTT_US);
    cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_not(is_connected(listener));
}

Test(relay, gateways_go_first_until_a_trunk_has_told_how_far_it_is)
{
    struct hws_relay r = relay_of("auto");
    struct hws_card_addr at;
    open_process(&at);
    cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1));
    atomic_store(&least_rtt_us, NEAR_RTT_US);
    while (!hws_relay_is_direct_first(&r, "there", &at, 1)) /* Criterion's limit ends it */
        poll(NULL, 0, 10);
    cr_assert(atomic_load(&n_asked) >= 2);
}

Test(relay, who_wants_one_way_asks_nobody)
{
    static const char *const ways[] = {"direct", "gateway"};
    for (int i = 0; i < 2; i++) {
        struct hws_relay r = relay_of(ways[i]);
        struct hws_card_addr at;
        open_process(&at);
        atomic_store(&least_rtt_us, NEAR_RTT_US);
        cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1), "%s", ways[i]);
    }
    cr_assert_eq(atomic_load(&n_asked), 0);
}
