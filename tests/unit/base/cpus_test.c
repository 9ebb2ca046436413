/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cpus_test: who is crowded, by the processors of each rank.
 */
#include "base/cpus.h"

#include <criterion/criterion.h>
#include <string.h>

/* The ranks' processors as bits of one word, the own rank's first. */
static bool is_crowded(int n, const uint64_t *masks)
{
    struct hws_cpus_sum s;
    hws_cpus_begin(&s, &(struct hws_cpus){{masks[0]}});
    for (int i = 0; i < n; i++)
        hws_cpus_add(&s, &(struct hws_cpus){{masks[i]}});
    return hws_cpus_are_crowded(&s, n);
}

#define CROWDED(...)                                                                                                   \
    is_crowded((int)(sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)), (const uint64_t[]){__VA_ARGS__})

Test(cpus, ranks_that_share_all)
{
    cr_expect_not(CROWDED(3, 3));
    cr_expect(CROWDED(3, 3, 3));
}

Test(cpus, one_processor_each)
{
    cr_expect_not(CROWDED(1, 2));
    cr_expect_not(CROWDED(2, 1));
    cr_expect_not(CROWDED(4, 8, 1, 2));
}

Test(cpus, more_ranks_than_processors_of_all)
{
    cr_expect(CROWDED(1, 1));
    cr_expect(CROWDED(1, 1, 2));
    cr_expect(CROWDED(2, 1, 1));
}

Test(cpus, a_crowd_on_the_own_processors_though_others_are_free)
{
    cr_expect(CROWDED(1, 1, 14));
    cr_expect_not(CROWDED(14, 1, 1), "only the two on one processor wait for each other to be scheduled");
    cr_expect(CROWDED(3, 1, 2, 12));
    cr_expect_not(CROWDED(3, 1, 12, 12));
}

Test(cpus, beyond_the_first_word)
{
    struct hws_cpus a = {{0, 1}}, b = {{0, 2}}, back;
    struct hws_cpus_sum s;
    char text[HWS_CPUS_TEXT];
    hws_cpus_begin(&s, &a);
    hws_cpus_add(&s, &a);
    hws_cpus_add(&s, &b);
    cr_expect_not(hws_cpus_are_crowded(&s, 2));
    cr_expect_eq(hws_cpus_count(&s.all), 2);
    cr_expect_str_eq(hws_cpus_text(&b, text), "00000000000000020000000000000000");
    cr_expect(hws_cpus_parse(&back, text));
    cr_expect_eq(memcmp(&back, &b, sizeof b), 0);
}

Test(cpus, text)
{
    struct hws_cpus c, full;
    char text[HWS_CPUS_TEXT];
    memset(&full, 0xff, sizeof full);
    cr_expect(hws_cpus_parse(&c, hws_cpus_text(&full, text)));
    cr_expect_eq(memcmp(&c, &full, sizeof c), 0);
    cr_expect(hws_cpus_own(&c));
    cr_expect_gt(hws_cpus_count(&c), 0);
    cr_expect_not(hws_cpus_parse(&c, ""));
    cr_expect_not(hws_cpus_parse(&c, "12"));
    cr_expect_not(hws_cpus_parse(&c, "000000000000000g"));
}
