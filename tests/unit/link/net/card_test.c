/* SPDX-License-Identifier: BSD-3-Clause
 *
 * card_test: cards go round; text that is not exactly a card is refused; no text makes the parser read or write amiss
 * (the suite runs with sanitizers too, and tests/fuzz has the open-ended version).
 */
#include "link/net/card.h"

#include <criterion/criterion.h>
#include <string.h>

#include "../../../support/seed.h"
#include "base/errors.h"
#include "base/list.h"

#define GOLDEN                                                                                                         \
    "HWS1/00000000deadbeef/4711/node-1.example/40001/2/10.0.0.1,24,40002,eth0,1000/fd00::1,64,40003,a%25%20b,0/"

static struct hws_card golden(void)
{
    struct hws_card c = {.host_id = 0xdeadbeef, .pid = 4711, .hostname = "node-1.example", .loopback_port = 40001};
    struct hws_netif e = {.name = "eth0", .prefix_len = 24, .speed_mbps = 1000};
    cr_assert_eq(hws_addr_parse("10.0.0.1", &e.addr), HWS_OK);
    cr_assert(hws_card_add(&c, &e, 40002));
    struct hws_netif f = {.name = "a% b", .prefix_len = 64};
    cr_assert_eq(hws_addr_parse("fd00::1", &f.addr), HWS_OK);
    cr_assert(hws_card_add(&c, &f, 40003));
    return c;
}

Test(card, the_golden_text)
{
    struct hws_card c = golden();
    char text[HWS_CARD_TEXT];
    cr_assert_eq(hws_card_format(&c, text, sizeof text), HWS_OK);
    cr_assert_str_eq(text, GOLDEN);
}

Test(card, the_golden_text_is_read)
{
    struct hws_card c, want = golden();
    cr_assert_eq(hws_card_parse(GOLDEN, sizeof GOLDEN, &c), HWS_OK);
    cr_assert_eq(c.host_id, want.host_id);
    cr_assert_eq(c.pid, want.pid);
    cr_assert_str_eq(c.hostname, want.hostname);
    cr_assert_eq(c.loopback_port, want.loopback_port);
    cr_assert_eq(c.n_addrs, 2);
    cr_assert_eq(memcmp(c.addrs, want.addrs, sizeof c.addrs), 0);
}

Test(card, a_site_stands_behind_the_addresses)
{
    struct hws_card c = golden(), back;
    char text[HWS_CARD_TEXT];
    snprintf(c.site, sizeof c.site, "lyon 2");
    cr_assert_eq(hws_card_format(&c, text, sizeof text), HWS_OK);
    cr_assert_str_eq(text, GOLDEN "@lyon%202/");
    cr_assert_eq(hws_card_parse(text, sizeof text, &back), HWS_OK);
    cr_assert_str_eq(back.site, "lyon 2");
    cr_assert_eq(hws_card_parse(GOLDEN "@/", HWS_CARD_TEXT, &back), HWS_EPROTO);
    cr_assert_eq(hws_card_parse(GOLDEN "@a", HWS_CARD_TEXT, &back), HWS_EPROTO);
    cr_assert_eq(hws_card_parse(GOLDEN "@a/b", HWS_CARD_TEXT, &back), HWS_EPROTO);
}

Test(card, what_means_something_at_home_only_stays_there)
{
    struct hws_card c = {.hostname = "h"};
    struct hws_netif e = {.name = "lo", .addr = hws_addr_loopback(), .prefix_len = 8};
    cr_assert_not(hws_card_add(&c, &e, 1));
    cr_assert_eq(hws_addr_parse("10.0.0.1", &e.addr), HWS_OK);
    cr_assert_not(hws_card_add(&c, &e, 0));
    cr_assert_eq(c.n_addrs, 0);
    for (int i = 0; i < HWS_CARD_ADDRS; i++)
        cr_assert(hws_card_add(&c, &e, 1));
    cr_assert_not(hws_card_add(&c, &e, 1));
}

Test(card, a_full_card_leaves_off_what_does_not_fit)
{
    struct hws_card c = {.hostname = "h"}, back;
    struct hws_netif e = {.name = "enp129s0f0np0", .prefix_len = 64, .speed_mbps = 400000};
    cr_assert_eq(hws_addr_parse("2001:db8:1111:2222:3333:4444:5555:6666", &e.addr), HWS_OK);
    while (hws_card_add(&c, &e, 65535))
        e.addr.bytes[15]++;
    char text[HWS_CARD_TEXT];
    cr_assert_eq(hws_card_format(&c, text, sizeof text), HWS_OK);
    cr_assert_eq(hws_card_parse(text, sizeof text, &back), HWS_OK);
    cr_assert(back.n_addrs > 8 && back.n_addrs < HWS_CARD_ADDRS);
    cr_assert_eq(memcmp(back.addrs, c.addrs, back.n_addrs * sizeof back.addrs[0]), 0);
    cr_assert_eq(hws_card_format(&c, text, 20), HWS_EINVAL);
    c.hostname[0] = '\0';
    cr_assert_eq(hws_card_format(&c, text, sizeof text), HWS_EINVAL);
}

Test(card, malformed_texts_are_refused)
{
    static const char *const texts[] = {
        "",
        "HWS1",
        "HWS2/00000000deadbeef/1/h/1/0/",
        "HWS1/00000000deadbeef/1/h/1/0",
        "HWS1/00000000deadbeef/1/h/1/0/x",
        "HWS1/00000000deadbeef/1/h/1/0/ ",
        "HWS1/0000000deadbeef/1/h/1/0/",
        "HWS1/00000000DEADBEEF/1/h/1/0/",
        "HWS1/00000000deadbeef/-1/h/1/0/",
        "HWS1/00000000deadbeef/01/h/1/0/",
        "HWS1/00000000deadbeef//h/1/0/",
        "HWS1/00000000deadbeef/4294967296/h/1/0/",
        "HWS1/00000000deadbeef/1//1/0/",
        "HWS1/00000000deadbeef/1/h%/1/0/",
        "HWS1/00000000deadbeef/1/h%0/1/0/",
        "HWS1/00000000deadbeef/1/h%00/1/0/",
        "HWS1/00000000deadbeef/1/h%61/1/0/",
        "HWS1/00000000deadbeef/1/h h/1/0/",
        "HWS1/00000000deadbeef/1/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/1/0/",
        "HWS1/00000000deadbeef/1/h/65536/0/",
        "HWS1/00000000deadbeef/1/h/1/17/",
        "HWS1/00000000deadbeef/1/h/1/1/",
        "HWS1/00000000deadbeef/1/h/1/0/10.0.0.1,24,1,eth0,0/",
        "HWS1/00000000deadbeef/1/h/1/1/10.0.0.1,33,1,eth0,0/",
        "HWS1/00000000deadbeef/1/h/1/1/10.0.0.1,24,0,eth0,0/",
        "HWS1/00000000deadbeef/1/h/1/1/10.0.0.1,24,1,eth0123456789abc,0/",
        "HWS1/00000000deadbeef/1/h/1/1/10.0.0.1,24,1,eth0,4294967296/",
        "HWS1/00000000deadbeef/1/h/1/1/10.0.0.1,24,1,eth0/",
        "HWS1/00000000deadbeef/1/h/1/1/127.0.0.1,8,1,lo,0/",
        "HWS1/00000000deadbeef/1/h/1/1/224.0.0.1,8,1,e,0/",
        "HWS1/00000000deadbeef/1/h/1/1/0.0.0.0,8,1,e,0/",
        "HWS1/00000000deadbeef/1/h/1/1/FD00::1,8,1,e,0/",
        "HWS1/00000000deadbeef/1/h/1/1/fd00:0:0::1,8,1,e,0/",
        "HWS1/00000000deadbeef/1/h/1/1/fd00::1,129,1,e,0/",
    };
    for (size_t i = 0; i < HWS_ARRAY_LEN(texts); i++) {
        struct hws_card c = {.pid = 77};
        cr_assert_eq(hws_card_parse(texts[i], strlen(texts[i]), &c), HWS_EPROTO, "%s", texts[i]);
        cr_assert_eq(c.pid, 77, "unchanged");
    }
}

Test(card, every_cut_of_a_card_is_refused)
{
    struct hws_card c;
    for (size_t len = 0; len < strlen(GOLDEN); len++)
        cr_assert_eq(hws_card_parse(GOLDEN, len, &c), HWS_EPROTO, "%zu", len);
}

Test(card, what_is_accepted_prints_the_same)
{
    hws_test_seed("card");
    static const char alphabet[] = "0123456789abcdef/,.:%xH-";
    int n_accepted = 0;
    for (int i = 0; i < 200000; i++) {
        char text[] = GOLDEN, again[HWS_CARD_TEXT];
        for (uint64_t k = hws_test_random(3); k > 0; k--)
            text[hws_test_random(sizeof text - 1)] = alphabet[hws_test_random(sizeof alphabet - 1)];
        struct hws_card c;
        if (hws_card_parse(text, sizeof text, &c) != HWS_OK)
            continue;
        n_accepted++;
        cr_assert_eq(hws_card_format(&c, again, sizeof again), HWS_OK);
        cr_assert_str_eq(again, text);
    }
    cr_assert_gt(n_accepted, 1000);
}
