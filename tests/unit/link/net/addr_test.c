/* SPDX-License-Identifier: BSD-3-Clause */
#include "link/net/addr.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"

static struct hws_addr addr(const char *text)
{
    struct hws_addr a;
    cr_assert_eq(hws_addr_parse(text, &a), HWS_OK, "%s", text);
    return a;
}

static bool in(const char *a, const char *net, unsigned bits)
{
    struct hws_addr x = addr(a), y = addr(net);
    return hws_addr_is_in(&x, &y, bits);
}

Test(addr, networks)
{
    cr_assert(in("10.0.0.1", "10.0.0.254", 24));
    cr_assert_not(in("10.0.0.1", "10.0.1.1", 24));
    cr_assert(in("10.0.0.1", "10.0.1.1", 23));
    cr_assert(in("10.0.0.1", "10.0.0.1", 32));
    cr_assert_not(in("10.0.0.1", "10.0.0.0", 32));
    cr_assert(in("10.0.0.1", "192.0.2.1", 0));
    cr_assert(in("fd00::1", "fd00::ffff", 64));
    cr_assert_not(in("fd00::1", "fd00:0:0:1::1", 64));
    cr_assert_not(in("10.0.0.1", "fd00::1", 0));
    cr_assert_not(in("10.0.0.1", "10.0.0.1", 33));
}

Test(addr, kinds)
{
    static const struct {
        const char *text;
        bool is_loopback, is_link_local, is_unicast;
    } rows[] = {
        {"127.0.0.1", true, false, true},         {"127.9.9.9", true, false, true}, {"::1", true, false, true},
        {"169.254.0.1", false, true, true},       {"fe80::1", false, true, true},   {"febf::1", false, true, true},
        {"fec0::1", false, false, true},          {"10.0.0.1", false, false, true}, {"0.0.0.0", false, false, false},
        {"224.0.0.1", false, false, false},       {"ff02::1", false, false, false}, {"::", false, false, false},
        {"255.255.255.255", false, false, false},
    };
    for (size_t i = 0; i < HWS_ARRAY_LEN(rows); i++) {
        struct hws_addr a = addr(rows[i].text);
        cr_assert_eq(hws_addr_is_loopback(&a), rows[i].is_loopback, "%s", rows[i].text);
        cr_assert_eq(hws_addr_is_link_local(&a), rows[i].is_link_local, "%s", rows[i].text);
        cr_assert_eq(hws_addr_is_unicast(&a), rows[i].is_unicast, "%s", rows[i].text);
    }
}

Test(addr, text_and_sockaddr_go_round)
{
    static const char *const texts[] = {"10.0.0.1", "fd00::1", "fe80::1:2"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(texts); i++) {
        struct hws_addr a = addr(texts[i]), b;
        struct sockaddr_storage sa;
        char text[HWS_ADDR_TEXT];
        uint16_t port;
        hws_addr_to_sockaddr(&a, 4711, 3, &sa);
        cr_assert_eq(hws_addr_from_sockaddr((struct sockaddr *)&sa, &b, &port), HWS_OK);
        cr_assert(hws_addr_is_equal(&a, &b));
        cr_assert_eq(port, 4711);
        cr_assert_str_eq(hws_addr_format(&b, text), texts[i]);
    }
}

Test(addr, only_link_local_addresses_get_a_scope)
{
    struct hws_addr a = addr("fe80::1"), b = addr("fd00::1");
    struct sockaddr_storage sa;
    hws_addr_to_sockaddr(&a, 1, 3, &sa);
    cr_assert_eq(((struct sockaddr_in6 *)&sa)->sin6_scope_id, 3);
    hws_addr_to_sockaddr(&b, 1, 3, &sa);
    cr_assert_eq(((struct sockaddr_in6 *)&sa)->sin6_scope_id, 0);
}

Test(addr, what_is_not_an_address_is_refused)
{
    static const char *const texts[] = {"", "10.0.0", "10.0.0.256", "eth0", "fe80::1%eth0", "10.0.0.1/8", ":::"};
    struct hws_addr a;
    for (size_t i = 0; i < HWS_ARRAY_LEN(texts); i++)
        cr_assert_eq(hws_addr_parse(texts[i], &a), HWS_EINVAL, "%s", texts[i]);
}
