/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sites_test: the file of sites: what it says, and what is said of one that is wrong.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gateway/sites.h"

static char folder[] = "/tmp/hawser-sites.XXXXXX";
static const char hex[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";

static void write_file(const char *name, const char *text, mode_t mode)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    cr_assert_not_null(f);
    fputs(text, f);
    fclose(f);
    chmod(path, mode);
}

static void setup(void)
{
    cr_assert(sodium_init() >= 0);
    cr_assert_not_null(mkdtemp(folder));
    write_file("key", hex, 0600);
}

static void teardown(void)
{
    char path[256];
    for (const char *const *name = (const char *const[]){"key", "sites", NULL}; *name; name++) {
        snprintf(path, sizeof path, "%s/%s", folder, *name);
        unlink(path);
    }
    rmdir(folder);
}

TestSuite(sites, .init = setup, .fini = teardown);

static char err[512];

static int read_text(struct sites *s, const char *text)
{
    char path[256];
    write_file("sites", text, 0644);
    snprintf(path, sizeof path, "%s/sites", folder);
    err[0] = 0;
    return sites_read(s, path, err, sizeof err);
}

static const char good[] =
    "# two sites\nkey-file key\ntrunks 2 # to each\ncongestion bbr\ntls off\n"
    "site paris\n  network 10.1.0.0/16\n  network fd01::/32\n  gateway p1 lan 10.1.0.1:7500 wan 192.0.2.1:7501\n"
    "site lyon\n  network 10.2.4.0/22\n  gateway l1 lan [fd02::1]:7500 wan none\n";

static const char *site_of(const struct sites *s, const char *ip)
{
    struct hws_gate_addr a = {.family = strchr(ip, ':') ? AF_INET6 : AF_INET};
    cr_assert_eq(inet_pton(a.family, ip, a.ip), 1);
    const struct site *site = sites_find(s, &a);
    return site ? site->name : "none";
}

Test(sites, what_a_file_says)
{
    struct sites s;
    const struct site *site = NULL;
    char text[GATE_ADDR_TEXT];
    cr_assert_eq(read_text(&s, good), HWS_OK, "%s", err);
    cr_assert(s.n == 2 && s.trunks == 2 && !s.has_tls && strcmp(s.congestion, "bbr") == 0);
    cr_assert(s.key[0] == 0 && s.key[31] == 0x1f);
    const struct gateway_at *g = sites_gateway(&s, "l1", &site);
    cr_assert(g && site == &s.sites[1] && g->wan.family == 0);
    cr_assert_str_eq(gate_addr_text(&g->lan, text), "[fd02::1]:7500");
    g = sites_gateway(&s, "p1", NULL);
    cr_assert_str_eq(gate_addr_text(&g->wan, text), "192.0.2.1:7501");
    cr_assert_null(sites_gateway(&s, "l2", NULL));
}

Test(sites, whose_an_address_is)
{
    struct sites s;
    cr_assert_eq(read_text(&s, good), HWS_OK, "%s", err);
    cr_expect_str_eq(site_of(&s, "10.1.0.0"), "paris");
    cr_expect_str_eq(site_of(&s, "10.1.255.255"), "paris");
    cr_expect_str_eq(site_of(&s, "10.0.255.255"), "none");
    cr_expect_str_eq(site_of(&s, "10.2.3.255"), "none");
    cr_expect_str_eq(site_of(&s, "10.2.4.0"), "lyon");
    cr_expect_str_eq(site_of(&s, "10.2.7.255"), "lyon");
    cr_expect_str_eq(site_of(&s, "10.2.8.0"), "none");
    cr_expect_str_eq(site_of(&s, "fd01:0:5::1"), "paris");
    cr_expect_str_eq(site_of(&s, "fd02::1"), "none");
}

Test(sites, a_mapped_address_is_ipv4)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(5)};
    struct hws_gate_addr a;
    inet_pton(AF_INET6, "::ffff:10.1.2.3", &in6.sin6_addr);
    cr_assert_eq(gate_addr_from(&a, (struct sockaddr *)&in6), HWS_OK);
    cr_assert(a.family == AF_INET && a.ip[0] == 10 && a.ip[3] == 3 && a.port == htons(5));
    struct sockaddr unix_addr = {.sa_family = AF_UNIX};
    cr_assert_eq(gate_addr_from(&a, &unix_addr), HWS_EINVAL);
}

/* A file, and what the message about it must have. */
static const struct wrong {
    const char *text, *words;
} wrongs[] = {
    {"key-file key\n", "names no site"},
    {"site a\n", "names no key-file"},
    {"key-file key\nsite\n", "line 2: site has too few words"},
    {"key-file key\nsite a b\n", "line 2: site a has too few words, or too many"},
    {"kee-file key\n", "line 1: kee-file key is no statement; there are: key-file"},
    {"network 10.0.0.0/8\n", "stands before any site"},
    {"gateway g lan 1.2.3.4:5 wan none\n", "stands before any site"},
    {"site a\nnetwork 10.0.0/8\n", "line 2: network 10.0.0 is not a network"},
    {"site a\nnetwork 10.0.0.0/33\n", "is not a network"},
    {"site a\nnetwork 10.0.0.0/x\n", "is not a network"},
    {"site a\ngateway g lan 10.0.0.1 wan none\n", "wants: gateway NAME lan"},
    {"site a\ngateway g lan 10.0.0.1:0 wan none\n", "wants: gateway NAME lan"},
    {"site a\ngateway g lan 10.0.0.1:70000 wan none\n", "wants: gateway NAME lan"},
    {"site a\ngateway g wan 10.0.0.1:7 lan none\n", "wants: gateway NAME lan"},
    {"site a\ngateway g lan 10.0.0.1:7 wan none\ngateway g lan 10.0.0.2:7 wan none\n",
     "is the name of another gateway"},
    {"trunks 0\n", "is not a number from 1 to 16"},
    {"trunks 4x\n", "is not a number from 1 to 16"},
    {"tls maybe\n", "is neither on nor off"},
    {"site aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", "is too long"},
    {"key-file nokey\nsite a\n", "cannot read the key"},
};

Test(sites, what_is_said_of_a_wrong_file)
{
    struct sites s;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        cr_expect_neq(read_text(&s, wrongs[i].text), HWS_OK, "%s", wrongs[i].text);
        cr_expect(strstr(err, wrongs[i].words), "%s: %s", wrongs[i].text, err);
    }
    cr_expect_neq(sites_read(&s, "/nowhere/sites", err, sizeof err), HWS_OK);
    cr_expect(strstr(err, "cannot read /nowhere/sites"), "%s", err);
}

Test(sites, a_key_that_others_may_read_or_that_is_short_is_none)
{
    struct sites s;
    write_file("key", hex, 0604);
    cr_expect_neq(read_text(&s, good), HWS_OK);
    cr_expect(strstr(err, "others may read the key"), "%s", err);
    write_file("key", "0011\n", 0600);
    cr_expect_neq(read_text(&s, good), HWS_OK);
    cr_expect(strstr(err, "64 hexadecimal digits"), "%s", err);
}

Test(sites, a_key_for_each_purpose)
{
    struct sites s;
    uint8_t one[HWS_PREFACE_KEY], two[HWS_PREFACE_KEY], again[HWS_PREFACE_KEY];
    cr_assert_eq(read_text(&s, good), HWS_OK, "%s", err);
    sites_key(&s, "trunk", one);
    sites_key(&s, "preface", two);
    sites_key(&s, "trunk", again);
    cr_assert(memcmp(one, two, sizeof one) != 0 && memcmp(one, again, sizeof one) == 0 &&
              memcmp(one, s.key, sizeof one) != 0);
}
