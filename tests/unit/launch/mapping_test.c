/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mapping_test: what launchers say of who is where, as it is and as it is not understood; and the way back.
 */
#include "launch/mapping.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

static const struct {
    const char *text;
    int size;
    const char *hosts; /* a digit for each rank; NULL: not understood */
} cases[] = {
    {"(vector,(0,1,4))", 4, "0000"},
    {"(vector,(0,2,4))", 8, "00001111"},
    {"(vector,(0,2,4))", 6, "000011"}, /* the last host is not full */
    {"(vector,(0,2,1))", 4, "0101"},   /* it repeats */
    {"(vector,(0,1,3),(1,1,1))", 4, "0001"},
    {"(vector,(0,1,3),(1,1,1),(0,1,2))", 6, "000100"},
    {"(vector,(2,1,1),(0,2,1))", 6, "201010"}, /* from the first item that begins on host 0 */
    {"(vector,(0,99999999,99999999))", 4, "0000"},
    {"(vector,0,1,2)", 3, "012"}, /* single hosts and rounds: Hydra of MPICH 4.3 */
    {"(vector,[0,1]x2)", 4, "0101"},
    {"(vector,[(0,1,2),3]x2,(1,2,1),3)", 9, "003003123"},
    {"(vector,1,[0,2]x3,[4]x2)", 9, "102020244"},
    {"(vector,[0,1]x1)", 5, "01010"},
    {"(vector,(1,2,1))", 3, NULL}, /* more ranks than places, and nowhere to go on */
    {"(vector,(0,1,0))", 4, NULL},
    {"(vector,(0,0,1))", 4, NULL},
    {"(vector,(0,1,4", 4, NULL},
    {"(vector,(0,1,1),(1,1,1)", 4, NULL}, /* cut: it is not (0,2,1) that repeats */
    {"(vector,(0,1,1),(1,1,1),", 4, NULL},
    {"(vector,[0,1]x", 4, NULL},
    {"(vector,[0,1]x1", 4, NULL}, /* was x12 */
    {"(vector,[0,1)", 4, NULL},
    {"(vector,0,1]x2)", 4, NULL},
    {"(vector,[0,1]x0)", 4, NULL},
    {"(vector,(0,1,2)) ", 2, NULL},
    {"(vector,(0,1,2)))", 2, NULL},
    {"(vector,(-1,1,2))", 2, NULL},
    {"(vector,(0,1,9999999999))", 2, NULL},
    {"(vector)", 2, NULL},
    {"(matrix,(0,1,2))", 2, NULL},
    {"", 4, NULL},
};

static int count(const char *hosts, char host)
{
    int n = 0;
    for (; *hosts; hosts++)
        n += *hosts == host;
    return n;
}

Test(mapping, what_launchers_say)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(cases); i++) {
        const char *text = cases[i].text, *want = cases[i].hosts;
        int size = cases[i].size, hosts[16], locals[16];
        cr_assert_eq(hws_mapping_hosts(text, size, hosts), want != NULL, "%s", text);
        cr_expect_eq(hws_mapping_host(text, -1, size), -1);
        cr_expect_eq(hws_mapping_host(text, size, size), -1);
        cr_expect_eq(hws_mapping_locals(text, size, size, NULL), 0);
        for (int r = 0; want && r < size; r++) {
            cr_expect_eq(hosts[r], want[r] - '0', "%s: %d", text, r);
            cr_expect_eq(hws_mapping_host(text, r, size), hosts[r], "%s: %d", text, r);
            int n = hws_mapping_locals(text, r, size, locals);
            cr_expect_eq(n, count(want, want[r]), "%s: %d", text, r);
            for (int k = 0; k < n; k++)
                cr_expect(want[locals[k]] == want[r] && (k == 0 || locals[k - 1] < locals[k]), "%s: %d", text, r);
        }
        if (!want)
            cr_expect_eq(hws_mapping_locals(text, size - 1, size, NULL), 0, "%s", text);
    }
}

static void and_back(const int *hosts, int size)
{
    int *got = malloc((size_t)size * sizeof *got);
    char *text = hws_mapping_text(hosts, size);
    cr_assert(text && hws_mapping_hosts(text, size, got), "%s", text);
    cr_expect_arr_eq(got, hosts, (size_t)size * sizeof *got, "%s", text);
    free(text);
    free(got);
}

Test(mapping, a_text_is_as_short_as_blocks_allow)
{
    char *text = hws_mapping_text((int[]){0, 0, 1, 1, 2, 2, 3, 0, 1}, 9);
    cr_expect_str_eq(text, "(vector,(0,3,2),(3,1,1),(0,2,1))");
    free(text);
}

/* No part of the text that is not all of it is understood. */
Test(mapping, a_text_and_back_and_cut_anywhere)
{
    unsigned seed = 1;
    int hosts[200], got[200];
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 200; i++) {
            seed = seed * 1103515245u + 12345u;
            hosts[i] = i && seed >> 28 < 8 ? hosts[i - 1] : (int)(seed >> 16 & 15);
        }
        and_back(hosts, 1 + round * 2);
    }
    char *text = hws_mapping_text(hosts, 200);
    for (size_t len = strlen(text); len-- > 0;) {
        text[len] = '\0';
        cr_assert_not(hws_mapping_hosts(text, 200, got), "%s", text);
    }
    free(text);
}
