/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs_test: the order of the pairs to dial, on invented hosts.
 */
#include "link/net/pairs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"

#define MAX 16

struct host {
    struct hws_netif all[MAX];
    size_t n;
};

static struct host me, them;
static const char *routes; /* "ADDRESS=IFINDEX ..." */

static void reset(void)
{
    memset(&me, 0, sizeof me);
    memset(&them, 0, sizeof them);
    routes = "";
}

TestSuite(pairs, .init = reset);

static void add(struct host *h, unsigned ifindex, const char *addr, uint8_t bits, uint32_t mbps)
{
    struct hws_netif *e = &h->all[h->n++];
    e->ifindex = ifindex;
    e->prefix_len = bits;
    e->speed_mbps = mbps;
    e->is_up = e->has_carrier = true;
    snprintf(e->name, sizeof e->name, "eth%u", ifindex);
    cr_assert_eq(hws_addr_parse(addr, &e->addr), HWS_OK);
    e->is_loopback = hws_addr_is_loopback(&e->addr);
}

static int ask_routes(void *arg, const struct hws_addr *to)
{
    char text[HWS_ADDR_TEXT + 1];
    cr_assert_eq(arg, &me);
    strcat(hws_addr_format(to, text), "=");
    const char *at = strstr(routes, text);
    return at ? atoi(at + strlen(text)) : -1;
}

/* "10.0.0.1-10.0.0.2:5001 ..." in the order planned; all of my interfaces but loopback are chosen. */
static const char *plan_max(uint64_t my_id, uint64_t their_id, size_t max, struct hws_pair *out)
{
    static char text[4096];
    char a[HWS_ADDR_TEXT], b[HWS_ADDR_TEXT];
    struct hws_card card = {.host_id = their_id, .hostname = "them", .loopback_port = 4000};
    for (size_t i = 0; i < them.n; i++)
        hws_card_add(&card, &them.all[i], (uint16_t)(5001 + i));
    struct hws_netif mine[MAX];
    size_t n_mine = 0;
    for (size_t i = 0; i < me.n; i++)
        if (!me.all[i].is_loopback)
            mine[n_mine++] = me.all[i];
    struct hws_pairs_input in = {me.all, me.n, mine, n_mine, my_id, &card, ask_routes, &me};
    size_t n = hws_pairs_plan(&in, out, max);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++)
        sprintf(text + strlen(text), "%s%s-%s:%u", i ? " " : "", hws_addr_format(&out[i].local, a),
                hws_addr_format(&out[i].remote, b), out[i].port);
    return text;
}

static const char *plan(void)
{
    struct hws_pair out[HWS_MAX_LANES];
    return plan_max(1, 2, HWS_MAX_LANES, out);
}

Test(pairs, same_host_is_loopback_only)
{
    struct hws_pair out[4];
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&them, 2, "10.0.0.1", 24, 1000);
    cr_assert_str_eq(plan_max(7, 7, 4, out), "127.0.0.1-127.0.0.1:4000");
    cr_assert_eq(out[0].kind, HWS_PAIR_LOOPBACK);
}

Test(pairs, one_network)
{
    struct hws_pair out[4];
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&them, 5, "10.0.0.2", 24, 100);
    cr_assert_str_eq(plan_max(1, 2, 4, out), "10.0.0.1-10.0.0.2:5001");
    cr_assert_eq(out[0].kind, HWS_PAIR_SUBNET);
    cr_assert_eq(out[0].ifindex, 2);
    cr_assert_str_eq(out[0].ifname, "eth2");
    cr_assert_eq(out[0].speed_mbps, 100);
}

Test(pairs, the_faster_network_first)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 3, "10.1.0.1", 24, 10000);
    add(&them, 2, "10.0.0.2", 24, 1000);
    add(&them, 3, "10.1.0.2", 24, 10000);
    cr_assert_str_eq(plan(), "10.1.0.1-10.1.0.2:5002 10.0.0.1-10.0.0.2:5001");
}

Test(pairs, two_nics_in_one_network_are_paired_apart_first)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 3, "10.0.0.3", 24, 1000);
    add(&them, 2, "10.0.0.2", 24, 1000);
    add(&them, 3, "10.0.0.4", 24, 1000);
    cr_assert_str_eq(plan(), "10.0.0.1-10.0.0.2:5001 10.0.0.3-10.0.0.4:5002 "
                             "10.0.0.3-10.0.0.2:5001 10.0.0.1-10.0.0.4:5002");
}

Test(pairs, ipv6_of_the_same_nics_comes_after_other_nics_and_is_known_as_the_same_hardware)
{
    struct hws_pair out[8];
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 2, "fd00::1", 64, 1000);
    add(&me, 3, "10.1.0.1", 24, 1000);
    add(&them, 2, "10.0.0.2", 24, 1000);
    add(&them, 2, "fd00::2", 64, 1000);
    add(&them, 3, "10.1.0.2", 24, 1000);
    cr_assert_str_eq(plan_max(1, 2, 8, out), "10.0.0.1-10.0.0.2:5001 10.1.0.1-10.1.0.2:5003 fd00::1-fd00::2:5002");
    cr_assert_eq(out[0].hardware, out[2].hardware);
    cr_assert_neq(out[0].hardware, out[1].hardware);
}

Test(pairs, docker_like_duplicates_are_never_dialled)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 9, "172.17.0.1", 16, 10000);
    add(&them, 2, "10.0.0.2", 24, 1000);
    add(&them, 9, "172.17.0.1", 16, 10000);
    routes = "172.17.0.1=9";
    cr_assert_str_eq(plan(), "10.0.0.1-10.0.0.2:5001");
}

Test(pairs, a_peer_that_has_only_my_addresses_is_this_host_by_another_name)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 9, "172.17.0.1", 16, 10000);
    add(&them, 2, "10.0.0.1", 24, 1000);
    cr_assert_str_eq(plan(), "127.0.0.1-127.0.0.1:4000");
}

Test(pairs, other_networks_by_the_routing_table_and_after_the_subnet)
{
    struct hws_pair out[4];
    add(&me, 2, "10.0.0.1", 24, 100000);
    add(&me, 3, "10.1.0.1", 24, 100);
    add(&them, 2, "192.0.2.2", 24, 100000);
    add(&them, 3, "10.1.0.2", 24, 100);
    routes = "192.0.2.2=2";
    cr_assert_str_eq(plan_max(1, 2, 4, out), "10.1.0.1-10.1.0.2:5002 10.0.0.1-192.0.2.2:5001");
    cr_assert_eq(out[1].kind, HWS_PAIR_ROUTED);
}

Test(pairs, a_route_through_an_interface_that_is_not_chosen_is_not_taken)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&them, 2, "192.0.2.2", 24, 1000);
    routes = "192.0.2.2=5";
    cr_assert_str_eq(plan(), "");
    routes = "";
    cr_assert_str_eq(plan(), "");
}

Test(pairs, different_prefix_lengths_need_a_route)
{
    add(&me, 2, "10.0.0.1", 8, 1000);
    add(&them, 2, "10.9.0.2", 24, 1000);
    cr_assert_str_eq(plan(), "");
    routes = "10.9.0.2=2";
    cr_assert_str_eq(plan(), "10.0.0.1-10.9.0.2:5001");
}

Test(pairs, link_local_comes_last)
{
    add(&me, 2, "fe80::1", 64, 10000);
    add(&me, 3, "10.0.0.1", 24, 10);
    add(&them, 2, "fe80::2", 64, 10000);
    add(&them, 3, "10.0.0.2", 24, 10);
    cr_assert_str_eq(plan(), "10.0.0.1-10.0.0.2:5002 fe80::1-fe80::2:5001");
}

Test(pairs, families_do_not_mix)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&them, 2, "fd00::2", 64, 1000);
    routes = "fd00::2=2";
    cr_assert_str_eq(plan(), "");
}

Test(pairs, a_peer_without_addresses_on_another_host_cannot_be_dialled)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    cr_assert_str_eq(plan(), "");
}

Test(pairs, no_more_than_asked_for)
{
    struct hws_pair out[3];
    for (unsigned i = 0; i < MAX; i++) {
        char text[32];
        sprintf(text, "10.0.0.%u", 1 + i);
        add(&me, 2 + i, text, 24, 1000);
        sprintf(text, "10.0.0.%u", 101 + i);
        add(&them, 2 + i, text, 24, 1000);
    }
    cr_assert_str_eq(plan_max(1, 2, 3, out),
                     "10.0.0.1-10.0.0.101:5001 10.0.0.2-10.0.0.102:5002 10.0.0.3-10.0.0.103:5003");
}

/* The pairs that get a lane, "2-3" for eth2 to their eth3. */
static const char *lanes(void)
{
    static char text[1024];
    struct hws_pair out[HWS_MAX_LANES];
    plan_max(1, 2, HWS_MAX_LANES, out);
    size_t n = 0;
    for (const char *at = plan(); *at; at++)
        n += *at == ':' && at[1] == '5'; /* one port a pair */
    text[0] = '\0';
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; out[i].is_lane && k < them.n; k++)
            if (hws_addr_is_equal(&them.all[k].addr, &out[i].remote))
                sprintf(text + strlen(text), "%s%u-%u", text[0] ? " " : "", out[i].ifindex, them.all[k].ifindex);
    return text;
}

Test(pairs, a_lane_for_each_pair_of_nics)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 3, "10.1.0.1", 24, 250);
    add(&them, 4, "10.0.0.2", 24, 1000);
    add(&them, 5, "10.1.0.2", 24, 250);
    cr_assert_str_eq(lanes(), "2-4 3-5");
}

Test(pairs, one_lane_for_both_families)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 2, "fd00::1", 64, 1000);
    add(&them, 4, "10.0.0.2", 24, 1000);
    add(&them, 4, "fd00::2", 64, 1000);
    cr_assert_str_eq(lanes(), "2-4");
}

Test(pairs, two_nics_in_one_network_get_two_lanes_not_four)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 3, "10.0.0.3", 24, 1000);
    add(&them, 2, "10.0.0.2", 24, 1000);
    add(&them, 3, "10.0.0.4", 24, 1000);
    cr_assert_str_eq(lanes(), "2-2 3-3");
}

Test(pairs, a_host_with_one_nic_is_one_lane_for_equal_nics)
{
    add(&me, 2, "10.0.0.1", 24, 1000);
    add(&me, 3, "10.0.0.3", 24, 1000);
    add(&them, 2, "10.0.0.2", 24, 1000);
    cr_assert_str_eq(lanes(), "2-2");
}

Test(pairs, a_fast_nic_is_the_other_end_of_several_slow_ones)
{
    add(&me, 2, "10.0.0.1", 16, 1000);
    add(&me, 3, "10.0.0.3", 16, 1000);
    add(&me, 4, "10.0.0.5", 16, 1000);
    add(&them, 2, "10.0.0.2", 16, 2500);
    cr_assert_str_eq(lanes(), "2-2 3-2 4-2", "half of the third is left");
    them.all[0].speed_mbps = 2400;
    cr_assert_str_eq(lanes(), "2-2 3-2", "less than half");
    them.all[0].speed_mbps = 10000;
    cr_assert_str_eq(lanes(), "2-2 3-2 4-2");
}

Test(pairs, unknown_speeds_count_as_equal)
{
    add(&me, 2, "10.0.0.1", 24, 0);
    add(&me, 2, "fd00::1", 64, 0);
    add(&me, 3, "10.1.0.1", 24, 0);
    add(&them, 2, "10.0.0.2", 24, 0);
    add(&them, 2, "fd00::2", 64, 0);
    add(&them, 3, "10.1.0.2", 24, 0);
    cr_assert_str_eq(lanes(), "2-2 3-3");
}
