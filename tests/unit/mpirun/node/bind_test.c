/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bind_test: plans on a made-up host of two sockets with four cores of two threads each.
 */
#include "mpirun/node/bind.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct hws_bind *open_plan(const char *policy, int n_ranks, const char *want_why)
{
    const char *why = "?";
    setenv("HWLOC_SYNTHETIC", "package:2 core:4 pu:2", 1);
    setenv("HWLOC_THISSYSTEM", "0", 1);
    struct hws_bind *b = hws_bind_open(policy, n_ranks, &why);
    if (want_why)
        cr_assert_str_eq(why, want_why);
    return b;
}

Test(bind, cores)
{
    char text[32];
    struct hws_bind *b = open_plan("core", 8, NULL);
    if (!b)
        cr_skip_test("built without hwloc");
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int i = 0; i < 8; i++) {
        const cpu_set_t *set = hws_bind_set(b, i, text, sizeof text);
        cr_assert_eq(CPU_COUNT(set), 2); /* both threads of the core */
        cpu_set_t both;
        CPU_AND(&both, set, &all);
        cr_assert_eq(CPU_COUNT(&both), 0);
        CPU_OR(&all, &all, set);
    }
    cr_assert_str_eq(text, "core 7");
    cr_assert_eq(CPU_COUNT(&all), 16);
    cr_assert_eq(hws_bind_n_cpus(b), 16);
    hws_bind_close(b);
}

Test(bind, sockets)
{
    char text[32];
    struct hws_bind *b = open_plan("socket", 5, NULL);
    if (!b)
        cr_skip_test("built without hwloc");
    int per_socket[2] = {0};
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(CPU_COUNT(hws_bind_set(b, i, text, sizeof text)), 8);
        per_socket[text[7] - '0']++;
    }
    cr_assert(per_socket[0] == 3 && per_socket[1] == 2);
    hws_bind_close(b);
}

Test(bind, none)
{
    cr_assert_null(open_plan("none", 1, ""));
    cr_assert_null(open_plan(NULL, 1, ""));
    const char *why = "";
    cr_assert_null(hws_bind_open("core", 9, &why)); /* oversubscribed, or no hwloc */
    cr_assert_neq(why[0], '\0');
}
