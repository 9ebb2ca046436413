/* SPDX-License-Identifier: BSD-3-Clause
 *
 * netif_test: the choice of interfaces on invented hosts, and the answers of the kernel where every host must agree.
 */
#include "link/net/netif.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"

enum { DOWN = 1, NO_CARRIER = 2, LOOP = 4, PRIVATE = 8, UNUSABLE = 16 };

static struct hws_netif netif(unsigned ifindex, const char *name, const char *addr, uint8_t bits, uint32_t mbps,
                              int flags)
{
    struct hws_netif e = {.ifindex = ifindex, .prefix_len = bits, .speed_mbps = mbps};
    strcpy(e.name, name);
    cr_assert_eq(hws_addr_parse(addr, &e.addr), HWS_OK);
    e.is_up = !(flags & DOWN);
    e.has_carrier = !(flags & (DOWN | NO_CARRIER));
    e.is_loopback = flags & LOOP;
    e.is_host_private = flags & PRIVATE;
    e.is_unusable = flags & UNUSABLE;
    return e;
}

/* The names and addresses chosen, "eth1 10.0.0.1, ..."; or the error. */
static const char *choose(const struct hws_netif *all, size_t n, const char *spec, size_t max_n)
{
    static char text[2048];
    struct hws_netif out[HWS_NETIF_MAX];
    char addr[HWS_ADDR_TEXT];
    text[0] = '\0';
    int k = hws_netif_select(all, n, spec, max_n, out, text, sizeof text);
    if (k < 0) {
        cr_assert_eq(k, HWS_EINVAL);
        return text;
    }
    for (int i = 0; i < k; i++)
        sprintf(text + strlen(text), "%s%s %s", i ? ", " : "", out[i].name, hws_addr_format(&out[i].addr, addr));
    return text;
}

#define ASSERT_CHOICE(all, spec, max_n, want) cr_assert_str_eq(choose(all, HWS_ARRAY_LEN(all), spec, max_n), want)

static struct hws_netif host[9];

static void make_host(void)
{
    struct hws_netif all[] = {
        netif(1, "lo", "127.0.0.1", 8, 0, LOOP),
        netif(2, "eth0", "10.0.0.1", 24, 1000, 0),
        netif(3, "eth1", "10.1.0.1", 24, 25000, 0),
        netif(4, "docker0", "172.17.0.1", 16, 10000, NO_CARRIER),
        netif(5, "virbr0", "192.168.122.1", 24, 10000, PRIVATE),
        netif(6, "eth2", "10.2.0.1", 24, 100000, DOWN),
        netif(1, "lo", "::1", 128, 0, LOOP),
        netif(2, "eth0", "fd00::1", 64, 1000, 0),
        netif(3, "eth1", "fe80::1", 64, 25000, 0),
    };
    memcpy(host, all, sizeof host);
}

TestSuite(netif, .init = make_host);

Test(netif, default_takes_what_works_fastest_first)
{
    ASSERT_CHOICE(host, "", 0, "eth1 10.1.0.1, eth0 10.0.0.1, eth0 fd00::1");
    ASSERT_CHOICE(host, NULL, 0, "eth1 10.1.0.1, eth0 10.0.0.1, eth0 fd00::1");
}

Test(netif, ni_counts_interfaces_not_addresses)
{
    ASSERT_CHOICE(host, "", 1, "eth1 10.1.0.1");
    ASSERT_CHOICE(host, "eth0,eth1", 1, "eth0 10.0.0.1, eth0 fd00::1");
    ASSERT_CHOICE(host, "", 7, "eth1 10.1.0.1, eth0 10.0.0.1, eth0 fd00::1");
}

Test(netif, an_unknown_speed_counts_as_a_gigabit)
{
    struct hws_netif all[] = {
        netif(2, "slow", "10.0.0.1", 24, 100, 0),
        netif(3, "virtio", "10.1.0.1", 24, 0, 0),
        netif(4, "fast", "10.2.0.1", 24, 2500, 0),
    };
    ASSERT_CHOICE(all, "", 0, "fast 10.2.0.1, virtio 10.1.0.1, slow 10.0.0.1");
}

Test(netif, a_private_bridge_is_better_than_nothing_and_link_local_is_last)
{
    struct hws_netif all[] = {
        netif(1, "lo", "127.0.0.1", 8, 0, LOOP),
        netif(2, "eth0", "169.254.3.4", 16, 1000, 0),
        netif(3, "docker0", "172.17.0.1", 16, 10000, PRIVATE),
    };
    ASSERT_CHOICE(all, "", 0, "docker0 172.17.0.1");
    all[2].has_carrier = false;
    ASSERT_CHOICE(all, "", 0, "eth0 169.254.3.4");
    all[1].is_up = false;
    ASSERT_CHOICE(all, "", 0, "");
}

Test(netif, tentative_ipv6_addresses_are_left_alone)
{
    struct hws_netif all[] = {
        netif(2, "eth0", "fd00::1", 64, 1000, UNUSABLE),
        netif(2, "eth0", "fd00::2", 64, 1000, 0),
    };
    ASSERT_CHOICE(all, "", 0, "eth0 fd00::2");
    ASSERT_CHOICE(all, "eth0", 0, "eth0 fd00::2");
}

Test(netif, i_takes_names_networks_and_addresses_in_the_order_given)
{
    ASSERT_CHOICE(host, "eth0,eth1", 0, "eth0 10.0.0.1, eth0 fd00::1, eth1 10.1.0.1");
    ASSERT_CHOICE(host, "10.1.0.0/16,fd00::/8", 0, "eth1 10.1.0.1, eth0 fd00::1");
    ASSERT_CHOICE(host, "10.0.0.1", 0, "eth0 10.0.0.1");
    ASSERT_CHOICE(host, "fe80::1", 0, "eth1 fe80::1");
    ASSERT_CHOICE(host, "virbr0", 0, "virbr0 192.168.122.1");
    ASSERT_CHOICE(host, "lo", 0, "lo 127.0.0.1, lo ::1");
    ASSERT_CHOICE(host, "10.0.0.0/8", 0, "eth0 10.0.0.1, eth1 10.1.0.1");
}

Test(netif, i_takes_nothing_twice_and_keeps_an_interface_together)
{
    ASSERT_CHOICE(host, "10.0.0.1,eth1,eth0", 0, "eth0 10.0.0.1, eth0 fd00::1, eth1 10.1.0.1");
}

#define HAS                                                                                                            \
    "this host has lo 127.0.0.1/8, eth0 10.0.0.1/24, eth1 10.1.0.1/24, docker0 172.17.0.1/16 (no carrier), "           \
    "virbr0 192.168.122.1/24, eth2 10.2.0.1/24 (down), lo ::1/128, eth0 fd00::1/64, eth1 fe80::1/64"

Test(netif, an_entry_that_matches_nothing_is_named)
{
    ASSERT_CHOICE(host, "eth0,ib0", 0, "-i: 'ib0' matches no interface, network or address; " HAS);
    ASSERT_CHOICE(host, "192.0.2.0/24", 0, "-i: '192.0.2.0/24' matches no interface, network or address; " HAS);
    ASSERT_CHOICE(host, "10.0.0.9", 0, "-i: '10.0.0.9' matches no interface, network or address; " HAS);
}

Test(netif, an_entry_that_cannot_work_says_why)
{
    ASSERT_CHOICE(host, "eth2", 0, "-i: 'eth2' cannot be used: interface eth2 is down; " HAS);
    ASSERT_CHOICE(host, "172.17.0.0/16", 0,
                  "-i: '172.17.0.0/16' cannot be used: interface docker0 has no carrier; " HAS);
}

Test(netif, malformed_lists_are_refused)
{
    ASSERT_CHOICE(host, "eth0,,eth1", 0, "-i: the list has an empty entry");
    ASSERT_CHOICE(host, "eth0,", 0, "-i: the list has an empty entry");
    ASSERT_CHOICE(host, "10.0.0.0/33", 0, "-i: '10.0.0.0/33' is not a network (ADDRESS/BITS)");
    ASSERT_CHOICE(host, "10.0.0.0/", 0, "-i: '10.0.0.0/' is not a network (ADDRESS/BITS)");
    ASSERT_CHOICE(host, "10.0.0.0/2x", 0, "-i: '10.0.0.0/2x' is not a network (ADDRESS/BITS)");
    ASSERT_CHOICE(host, "eth0/24", 0, "-i: 'eth0/24' is not a network (ADDRESS/BITS)");
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    ASSERT_CHOICE(host, longer, 0, "-i: an entry is too long");
}

/* ---- the kernel ---- */

Test(kernel, the_list_has_loopback)
{
    struct hws_netif all[HWS_NETIF_MAX];
    int n = hws_netif_list(all, HWS_NETIF_MAX);
    cr_assert_geq(n, 0);
    struct hws_addr lo = hws_addr_loopback();
    for (int i = 0; i < n; i++)
        if (hws_addr_is_equal(&all[i].addr, &lo)) {
            cr_assert(all[i].is_loopback && all[i].is_up && all[i].prefix_len == 8);
            cr_assert_eq(hws_netif_list(all, 1), 1, "a small array is filled and not overrun");
            return;
        }
    cr_skip_test("no 127.0.0.1 on this host");
}

Test(kernel, own_addresses_have_no_route_out)
{
    struct hws_addr lo = hws_addr_loopback(), multicast;
    cr_assert_eq(hws_netif_route(NULL, &lo), -1);
    cr_assert_eq(hws_addr_parse("224.0.0.1", &multicast), HWS_OK);
    cr_assert_eq(hws_netif_route(NULL, &multicast), -1);
}

Test(kernel, a_neighbour_is_routed_through_its_network)
{
    struct hws_netif all[HWS_NETIF_MAX], mine[HWS_NETIF_MAX];
    char err[256];
    int n = hws_netif_list(all, HWS_NETIF_MAX);
    int k = hws_netif_select(all, n > 0 ? (size_t)n : 0, "", 0, mine, err, sizeof err);
    for (int i = 0; i < k; i++) {
        if (mine[i].addr.family != 4 || mine[i].prefix_len > 24 || mine[i].prefix_len == 0)
            continue;
        struct hws_addr neighbour = mine[i].addr;
        neighbour.bytes[3] = neighbour.bytes[3] == 77 ? 78 : 77;
        cr_assert_gt(hws_netif_route(NULL, &neighbour), 0);
        return;
    }
    cr_skip_test("no IPv4 network on this host");
}

Test(kernel, the_host_id_is_stable)
{
    cr_assert_eq(hws_netif_host_id(), hws_netif_host_id());
    cr_assert_neq(hws_netif_host_id(), 0);
}
