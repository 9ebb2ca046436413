/* SPDX-License-Identifier: BSD-3-Clause
 *
 * relay_test: which way -wan auto chooses to a process of another site, by what a gateway says of the way there and by
 * whether the process takes connections. The gateway is a thread that answers each preface with a round trip.
 */
#include "link/net/relay.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define NEAR_RTT_US 300
#define FAR_RTT_US  18000

static atomic_int least_rtt_us, n_asked;

static int listen_on_loopback(uint16_t *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(fd, (struct sockaddr *)&at, len), 0);
    cr_assert_eq(listen(fd, 8), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

static void *answer(void *arg)
{
    int listener = *(int *)arg;
    for (;;) {
        uint8_t preface[HWS_PREFACE_MAX], text[HWS_GATE_COUNTS_BYTES];
        int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            return NULL;
        struct hws_gate_counts c = {.least_rtt_us = (uint64_t)atomic_load(&least_rtt_us)};
        hws_gate_counts_encode(text, &c);
        if (recv(fd, preface, sizeof preface, 0) > 0 && send(fd, text, sizeof text, MSG_NOSIGNAL) == sizeof text)
            atomic_fetch_add(&n_asked, 1);
        close(fd);
    }
}

static struct hws_relay relay_of(const char *way)
{
    static struct hws_params params;
    static int listener;
    static const uint8_t key[HWS_LINK_KEY_LEN] = {1};
    struct hws_relay r;
    char err[128];
    uint16_t port;
    pthread_t thread;
    listener = listen_on_loopback(&port);
    cr_assert_eq(pthread_create(&thread, NULL, answer, &listener), 0);
    snprintf(params.wan, sizeof params.wan, "%s", way);
    snprintf(params.site, sizeof params.site, "here");
    snprintf(params.gateways, sizeof params.gateways, "here=127.0.0.1:%u,there=127.0.0.1:1", port);
    cr_assert_eq(hws_relay_init(&r, &params, err, sizeof err), HWS_OK, "%s", err);
    hws_relay_admit(&r, key);
    return r;
}

static struct hws_card_addr place(uint16_t port)
{
    struct hws_card_addr at = {.port = port};
    cr_assert_eq(hws_addr_parse("127.0.0.1", &at.addr), HWS_OK);
    return at;
}

static bool is_connected(int listener)
{
    struct pollfd p = {.fd = listener, .events = POLLIN};
    return poll(&p, 1, 0) == 1;
}

Test(relay, direct_connections_go_first_to_a_site_that_is_near_and_takes_them)
{
    struct hws_relay r = relay_of("auto");
    uint16_t port;
    int listener = listen_on_loopback(&port);
    struct hws_card_addr at = place(port);
    atomic_store(&least_rtt_us, NEAR_RTT_US);
    cr_assert(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert(is_connected(listener));
    cr_assert(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_eq(atomic_load(&n_asked), 1, "what was found out stays so");
}

Test(relay, any_address_of_the_process_will_do)
{
    struct hws_relay r = relay_of("auto");
    uint16_t port, closed;
    close(listen_on_loopback(&closed));
    listen_on_loopback(&port);
    struct hws_card_addr at[] = {place(closed), place(port)};
    atomic_store(&least_rtt_us, NEAR_RTT_US);
    cr_assert(hws_relay_is_direct_first(&r, "there", at, 2));
}

Test(relay, gateways_go_first_to_a_site_that_is_near_and_takes_no_connections)
{
    struct hws_relay r = relay_of("auto");
    uint16_t port;
    close(listen_on_loopback(&port));
    struct hws_card_addr at = place(port);
    atomic_store(&least_rtt_us, NEAR_RTT_US);
    cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_eq(atomic_load(&n_asked), 1, "what was found out stays so");
}

Test(relay, gateways_go_first_to_a_site_that_is_far_and_nothing_is_tried)
{
    struct hws_relay r = relay_of("auto");
    uint16_t port;
    int listener = listen_on_loopback(&port);
    struct hws_card_addr at = place(port);
    atomic_store(&least_rtt_us, FAR_RTT_US);
    cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1));
    cr_assert_not(is_connected(listener));
}

Test(relay, gateways_go_first_until_a_trunk_has_told_how_far_it_is)
{
    struct hws_relay r = relay_of("auto");
    uint16_t port;
    listen_on_loopback(&port);
    struct hws_card_addr at = place(port);
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
        uint16_t port;
        listen_on_loopback(&port);
        struct hws_card_addr at = place(port);
        atomic_store(&least_rtt_us, NEAR_RTT_US);
        cr_assert_not(hws_relay_is_direct_first(&r, "there", &at, 1), "%s", ways[i]);
    }
    cr_assert_eq(atomic_load(&n_asked), 0);
}

Test(relay, the_counts_of_two_gateways_are_added_up)
{
    struct hws_gate_counts sum = {.bytes_out = 1, .rtt_us = 5, .least_rtt_us = 0}, back;
    struct hws_gate_counts more = {
        .bytes_out = 2, .bytes_in = 3, .again = 4, .restarts = 5, .rtt_us = 4, .least_rtt_us = 2};
    uint8_t text[HWS_GATE_COUNTS_BYTES];
    hws_gate_counts_encode(text, &more);
    hws_gate_counts_decode(&back, text);
    hws_gate_counts_add(&sum, &back);
    cr_assert_eq(sum.bytes_out, 3);
    cr_assert_eq(sum.bytes_in, 3);
    cr_assert_eq(sum.again, 4);
    cr_assert_eq(sum.restarts, 5);
    cr_assert_eq(sum.rtt_us, 5);
    cr_assert_eq(sum.least_rtt_us, 2);
    hws_gate_counts_add(&sum, &(struct hws_gate_counts){.least_rtt_us = 1});
    cr_assert_eq(sum.least_rtt_us, 1);
    hws_gate_counts_add(&sum, &(struct hws_gate_counts){.least_rtt_us = 7});
    cr_assert_eq(sum.least_rtt_us, 1);
}
