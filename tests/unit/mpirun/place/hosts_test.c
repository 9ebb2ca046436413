/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hosts_test: host lists, hostfiles of both syntaxes, node lists of Slurm, and who runs where.
 */
#include "mpirun/place/hosts.h"
#include "mpirun/place/sites.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/list.h"
#include "mpirun/place/alloc.h"
#include "mpirun/place/place.h"

static struct hws_host_list h;
static char err[512];

static void expect_host(int i, const char *name, int slots, int max_slots)
{
    cr_assert_lt(i, h.n);
    cr_expect_str_eq(h.list[i].name, name);
    cr_expect_eq(h.list[i].slots, slots, "%s: %d slots", name, h.list[i].slots);
    cr_expect_eq(h.list[i].max_slots, max_slots, "%s: %d at most", name, h.list[i].max_slots);
}

Test(hosts, list)
{
    cr_assert_eq(hws_hosts_parse_list(&h, "a:2,b,10.0.0.1:3,[fe80::1]:4,fe80::2,user@c", err, sizeof err), HWS_OK, "%s",
                 err);
    cr_assert_eq(h.n, 6);
    expect_host(0, "a", 2, 0);
    expect_host(1, "b", 0, 0);
    expect_host(2, "10.0.0.1", 3, 0);
    expect_host(3, "fe80::1", 4, 0);
    expect_host(4, "fe80::2", 0, 0);
    expect_host(5, "user@c", 0, 0);
    hws_hosts_fini(&h);
}

Test(hosts, file_in_both_syntaxes)
{
    static const char text[] = "# a comment\n"
                               "a slots=2\n"
                               "\n"
                               "b:3 # three\n"
                               "  c\tslots=4 max_slots=8  \r\n"
                               "[::1]:2\n"
                               "fe80::1 slots=1\n"
                               "a\n"
                               "d max_slots=1"; /* no newline at the end */
    cr_assert_eq(hws_hosts_parse_text(&h, "f", text, err, sizeof err), HWS_OK, "%s", err);
    cr_assert_eq(h.n, 7);
    expect_host(0, "a", 2, 0);
    expect_host(1, "b", 3, 0);
    expect_host(2, "c", 4, 8);
    expect_host(3, "::1", 2, 0);
    expect_host(4, "fe80::1", 1, 0);
    expect_host(5, "a", 0, 0);
    expect_host(6, "d", 0, 1);
    hws_hosts_fini(&h);
}

struct mistake {
    char text[60], err[120];
};

ParameterizedTestParameters(hosts, mistakes_in_files)
{
    static struct mistake list[] = {
        {"a\nb slots=x\n", "f:2: 'slots=x': slots are not a number from 1 to 1000000"},
        {"a:0\n", "f:1: 'a:0': slots are not a number from 1 to 1000000"},
        {"a:\n", "f:1: 'a:': slots are not a number from 1 to 1000000"},
        {"a:1000001\n", "f:1: 'a:1000001': slots are not a number from 1 to 1000000"},
        {"\n\na seats=4\n", "f:3: 'seats=4': neither slots=N nor max_slots=N"},
        {"a ifhn=b\n", "f:1: 'ifhn=b': interfaces are chosen by -i, for all hosts"},
        {"-oProxyCommand=x\n", "f:1: '-oProxyCommand=x': not a host name"},
        {"a$(id)\n", "f:1: 'a$(id)': not a host name"},
        {"[::1 slots=2\n", "f:1: '[::1': no ']' behind the address"},
        {"a slots=4 max_slots=2\n", "f:1: more slots than max_slots"},
    };
    return cr_make_param_array(struct mistake, list, HWS_ARRAY_LEN(list));
}

ParameterizedTest(struct mistake *m, hosts, mistakes_in_files)
{
    cr_assert_eq(hws_hosts_parse_text(&h, "f", m->text, err, sizeof err), HWS_EINVAL);
    cr_expect_str_eq(err, m->err);
    hws_hosts_fini(&h);
}

Test(hosts, sites)
{
    static const char text[] = "a slots=2 site=paris\n"
                               "b site=paris gateway slots=0 lan=10.0.0.1 wan=none\n"
                               "c site=lyon gateway wan=fd00::1 trunks=16 congestion=reno\n";
    static const char *const bad[] = {"a slots=0",
                                      "a slots=0 site=x",
                                      "a gateway",
                                      "a site=",
                                      "a site=x lan=b",
                                      "a site=x/y",
                                      "a site=x gateway wan=",
                                      "a site=x gateway trunks=17",
                                      "a site=x gateway trunks=0",
                                      "a site=x trunks=2",
                                      "a site=x gateway congestion=x;y"};
    struct hws_sites sites = {0};
    cr_assert_eq(hws_hosts_parse_text(&h, "f", text, err, sizeof err), HWS_OK, "%s", err);
    cr_assert_eq(hws_sites_take(&sites, &h, err, sizeof err), HWS_OK, "%s", err);
    cr_assert_eq(h.n, 2);
    expect_host(0, "a", 2, 0);
    expect_host(1, "c", 0, 0);
    cr_assert_eq(sites.n, 3);
    cr_expect_str_eq(hws_sites_of(&sites, "b"), "paris");
    cr_expect(sites.list[1].at.is_gateway && !sites.list[0].at.is_gateway);
    cr_expect_str_eq(sites.list[1].at.lan, "10.0.0.1");
    cr_expect_str_eq(sites.list[1].at.wan, "none");
    cr_expect_str_eq(sites.list[2].at.wan, "fd00::1");
    cr_expect_str_eq(sites.list[2].at.trunks, "16");
    cr_expect_str_eq(sites.list[2].at.congestion, "reno");
    cr_expect_null(sites.list[1].at.trunks);
    char *nodes[] = {"a", "d"};
    cr_expect_eq(hws_sites_check(&sites, nodes, 1, err, sizeof err), HWS_OK);
    cr_expect_eq(hws_sites_check(&sites, nodes, 2, err, sizeof err), HWS_EINVAL);
    hws_sites_fini(&sites);
    hws_hosts_fini(&h);
    for (size_t i = 0; i < HWS_ARRAY_LEN(bad); i++) {
        cr_expect_eq(hws_hosts_parse_text(&h, "f", bad[i], err, sizeof err), HWS_EINVAL, "'%s' was accepted", bad[i]);
        hws_hosts_fini(&h);
    }
    cr_expect_eq(hws_hosts_parse_text(&h, "f", "a site=x gateway slots=0", err, sizeof err), HWS_OK);
    cr_expect_eq(hws_sites_take(&sites, &h, err, sizeof err), HWS_EINVAL); /* none is left */
    hws_sites_fini(&sites);
    hws_hosts_fini(&h);
}

Test(hosts, mistakes_in_lists)
{
    static const char *const bad[] = {"",   ",",   "a,",   "a,,b", "a:",   "a:x",
                                      "-a", "a b", "[::1", "[]:2", "a:-1", "a:1:2x"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(bad); i++) {
        /* two colons make an address, which then must look like one */
        if (strcmp(bad[i], "a:1:2x") == 0)
            continue;
        cr_expect_eq(hws_hosts_parse_list(&h, bad[i], err, sizeof err), HWS_EINVAL, "'%s' was accepted", bad[i]);
        cr_expect_eq(strncmp(err, "-host '", 7), 0, "%s", err);
        hws_hosts_fini(&h);
    }
}

Test(hosts, this_machine)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    cr_expect(hws_host_is_local(own));
    cr_expect(hws_host_is_local("localhost"));
    cr_expect(hws_host_is_local("127.0.0.1"));
    cr_expect(hws_host_is_local("127.1.2.3"));
    cr_expect_not(hws_host_is_local("192.0.2.1"));
    cr_expect_not(hws_host_is_local("no-such-host.invalid"));
    cr_expect_not(hws_host_is_local(""));
}

Test(hosts, nodelist_of_slurm)
{
    static const char *const want[] = {"n1",     "n2",     "n3",   "n07",  "n08",  "n09", "login",
                                       "r2-c1x", "r2-c5x", "a0b0", "a0b1", "a1b0", "a1b1"};
    cr_assert_eq(hws_nodelist_expand(&h, "n[1-3,07-09],login,r2-c[1,5]x,a[0-1]b[0-1]", err, sizeof err), HWS_OK, "%s",
                 err);
    cr_assert_eq((size_t)h.n, HWS_ARRAY_LEN(want));
    for (int i = 0; i < h.n; i++)
        cr_expect_str_eq(h.list[i].name, want[i]);
    cr_expect_eq(hws_nodelist_set_slots(&h, "2(x6),1,3(x6)", err, sizeof err), HWS_OK, "%s", err);
    cr_expect_eq(h.list[5].slots, 2);
    cr_expect_eq(h.list[6].slots, 1);
    cr_expect_eq(h.list[12].slots, 3);
    hws_hosts_fini(&h);
}

Test(hosts, nodelist_mistakes)
{
    static const char *const bad[] = {
        "",      "n[1-", "n[]", "n[3-1]", "n[1-99999999]", "n[a]", "n[1-2",
        "n[1,]", ",n",   "n,",  "n;x",    "n[1-2-3]",      "-n",   "n[1-65535]m[1-65535]"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(bad); i++) {
        cr_expect_eq(hws_nodelist_expand(&h, bad[i], err, sizeof err), HWS_EINVAL, "'%s' was accepted", bad[i]);
        hws_hosts_fini(&h);
    }
    static const char *const slots[] = {"",     "1", "3",     "1,1,1", "2(x3)", "2(x1)",
                                        "2(x2", "x", "0(x2)", "1,,1",  "2(x2)3"};
    for (size_t i = 0; i < HWS_ARRAY_LEN(slots); i++) {
        cr_assert_eq(hws_nodelist_expand(&h, "a,b", err, sizeof err), HWS_OK);
        cr_expect_eq(hws_nodelist_set_slots(&h, slots[i], err, sizeof err), HWS_EINVAL, "'%s' was accepted", slots[i]);
        hws_hosts_fini(&h);
    }
}

/* "0 0 1 1 0": the node of each rank. */
static const char *placed(const struct hws_place_app *apps, int n_apps)
{
    static char text[256];
    struct hws_place p;
    text[0] = '\0';
    if (hws_place_ranks(&p, apps, n_apps, err, sizeof err) != HWS_OK)
        snprintf(text, sizeof text, "error");
    for (int i = 0; i < p.size && strcmp(text, "error") != 0; i++)
        sprintf(text + strlen(text), "%s%s%d", i ? " " : "", p.ranks[i].app ? "+" : "", p.ranks[i].node);
    hws_place_fini(&p);
    return text;
}

static const char *place(const char *list, int n, int ppn)
{
    cr_assert_eq(hws_hosts_parse_text(&h, "f", list, err, sizeof err), HWS_OK, "%s", err);
    struct hws_place_app app = {.n = n, .ppn = ppn, .hosts = &h};
    const char *text = placed(&app, 1);
    hws_hosts_fini(&h);
    return text;
}

Test(place, fills_slots_and_starts_again)
{
    cr_expect_str_eq(place("a:2\nb:2\n", 4, 0), "0 0 1 1");
    cr_expect_str_eq(place("a:2\nb\n", 7, 0), "0 0 1 0 0 1 0");
    cr_expect_str_eq(place("a\nb\nc\n", 2, 0), "0 1");
    cr_expect_str_eq(place("a:2\nb:1\n", 0, 0), "0 0 1"); /* without -n: one for each slot */
    cr_expect_str_eq(place("a:4\nb:4\n", 4, 1), "0 1 0 1");
    cr_expect_str_eq(place("a\nb\n", 0, 3), "0 0 0 1 1 1");
    cr_expect_str_eq(place("a\nb\na\n", 3, 0), "0 1 0"); /* mentions count, not names */
}

static const char *mapped(const char *list, int n, bool by_node, int per_node)
{
    cr_assert_eq(hws_hosts_parse_text(&h, "f", list, err, sizeof err), HWS_OK, "%s", err);
    struct hws_place_app app = {.n = n, .by_node = by_node, .per_node = per_node, .hosts = &h};
    const char *text = placed(&app, 1);
    hws_hosts_fini(&h);
    return text;
}

Test(place, by_node_goes_in_turn)
{
    cr_expect_str_eq(mapped("a:2\nb:2\n", 4, true, 0), "0 1 0 1");
    cr_expect_str_eq(mapped("a:2\nb:2\n", 0, true, 0), "0 1 0 1");
    cr_expect_str_eq(mapped("a:4\nb:1\nc:2\n", 0, true, 0), "0 1 2 0 2 0 0"); /* who has no slot left is passed over */
    cr_expect_str_eq(mapped("a:2\nb:1\n", 5, true, 0), "0 1 0 1 0");
    cr_expect_str_eq(mapped("a\n", 3, true, 0), "0 0 0");
    cr_expect_str_eq(mapped("a slots=1 max_slots=1\nb\n", 4, true, 0), "0 1 1 1");
    cr_expect_str_eq(mapped("a slots=1 max_slots=1\n", 2, true, 0), "error");
}

Test(place, so_many_a_host_and_no_more)
{
    cr_expect_str_eq(mapped("a:4\nb:4\n", 0, false, 1), "0 1");
    cr_expect_str_eq(mapped("a:4\nb:4\n", 2, false, 1), "0 1");
    cr_expect_str_eq(mapped("a\nb\n", 0, false, 2), "0 0 1 1");
    cr_expect_str_eq(mapped("a:4\nb:4\n", 3, false, 1), "error");
    cr_expect_str_eq(mapped("a\nb\n", 3, false, 2), "0 0 1");
}

Test(place, max_slots_is_a_bound)
{
    cr_expect_str_eq(place("a slots=1 max_slots=2\nb\n", 5, 0), "0 1 0 1 1");
    cr_expect_str_eq(place("a slots=1 max_slots=2\n", 3, 0), "error");
    cr_expect_str_eq(err, "max_slots of the hosts allow 2 ranks, but 3 are asked for");
}

Test(place, programs_share_a_list)
{
    cr_assert_eq(hws_hosts_parse_list(&h, "a:2,b:2", err, sizeof err), HWS_OK);
    struct hws_place_app apps[] = {{.n = 1, .hosts = &h}, {.n = 3, .hosts = &h}};
    cr_expect_str_eq(placed(apps, 2), "0 +0 +1 +1");
    hws_hosts_fini(&h);
}
