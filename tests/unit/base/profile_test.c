/* SPDX-License-Identifier: BSD-3-Clause
 *
 * profile_test: memory of constant size keeps every byte, however long the job lasts, and the longest calls.
 */
#include "base/profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hws_profile p;

static void begin(void)
{
    memset(&p, 0, sizeof p);
    p.slot_ns = 1000;
}

static uint64_t sum_of(const struct hws_profile_lane *l)
{
    uint64_t sum = 0;
    for (int i = 0; i < HWS_PROFILE_SLOTS; i++)
        sum += l->bytes[i];
    return sum;
}

Test(profile, what_is_new_is_spread_over_the_slots_since_the_last_look, .init = begin)
{
    hws_profile_lane(&p, "a", 10);
    hws_profile_look(&p, 1000);
    hws_profile_lane(&p, "a", 40);
    hws_profile_look(&p, 4000);
    cr_expect_eq(p.lanes[0].bytes[0], 10);
    for (int i = 1; i < 4; i++)
        cr_expect_eq(p.lanes[0].bytes[i], 10, "slot %d", i);
    cr_expect_eq(p.elapsed_ns, 4000);
}

Test(profile, slots_double_and_lose_no_byte, .init = begin)
{
    uint64_t ever = 0;
    for (uint64_t now = 700; now < 3000000; now += 700) {
        ever += now % 13;
        hws_profile_lane(&p, "a", ever);
        hws_profile_look(&p, now);
    }
    cr_expect_eq(sum_of(&p.lanes[0]), ever);
    cr_expect_eq(p.slot_ns, 1000u << 4, "256 slots of 16 us are more than 3 ms");
    cr_expect_eq(p.lanes[0].bytes[HWS_PROFILE_SLOTS - 1], 0);
}

Test(profile, lanes_beyond_the_last_are_one, .init = begin)
{
    char name[16];
    for (int i = 0; i < 2 * HWS_PROFILE_LANES; i++) {
        snprintf(name, sizeof name, "lane %d", i);
        hws_profile_lane(&p, name, 1);
    }
    hws_profile_look(&p, 10);
    cr_expect_eq(p.n_lanes, HWS_PROFILE_LANES);
    cr_expect_str_eq(p.lanes[HWS_PROFILE_LANES - 1].name, "others");
    cr_expect_eq(sum_of(&p.lanes[HWS_PROFILE_LANES - 1]), HWS_PROFILE_LANES + 1);
}

Test(profile, the_longest_calls_stay_and_one_that_goes_on_is_one, .init = begin)
{
    for (uint64_t i = 0; i < 100; i++) {
        struct hws_profile_slow s = {.name = "MPI_Recv", .begin_ns = i, .ns = (i * 37) % 100 + 1};
        hws_profile_add_slow(&p, &s);
        s.ns += 1000 * (i == 50); /* 50 goes on */
        hws_profile_add_slow(&p, &s);
    }
    cr_expect_eq(p.n_slow, HWS_PROFILE_SLOWEST);
    uint64_t shortest = UINT64_MAX, n_50 = 0;
    for (int i = 0; i < HWS_PROFILE_SLOWEST; i++) {
        shortest = p.slow[i].ns < shortest ? p.slow[i].ns : shortest;
        n_50 += p.slow[i].begin_ns == 50;
    }
    cr_expect_eq(n_50, 1);
    cr_expect_eq(shortest, 100 - (HWS_PROFILE_SLOWEST - 2), "15 of the hundred lengths, and the one that went on");
}

Test(profile, what_the_environment_names_is_looked_at_first)
{
    setenv(HWS_PROFILE_VAR, "0,0,2", 1); /* no file of that length */
    cr_expect_null(hws_profile_take());
    cr_expect_null(getenv(HWS_PROFILE_VAR));
    setenv(HWS_PROFILE_VAR, "99,7,2", 1);
    cr_expect_null(hws_profile_take());
    cr_expect_null(hws_profile_take(), "there is none");
}
