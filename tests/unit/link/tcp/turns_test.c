/* SPDX-License-Identifier: BSD-3-Clause
 *
 * turns_test: which traffic is taken for turns.
 */
#include "link/tcp/turns.h"

#include <criterion/criterion.h>

static struct hws_turns t;

static void init(void)
{
    t = (struct hws_turns){.reads = 0};
}

TestSuite(turns, .init = init);

/* Rounds of so many writes of write_bytes, then so many reads of read_bytes, until a judgment is due. */
static bool judged(int writes, size_t write_bytes, int reads, size_t read_bytes)
{
    for (int round = 0; round < 1000; round++) {
        bool is_due = false;
        for (int i = 0; i < writes; i++)
            hws_turns_wrote(&t, write_bytes);
        for (int i = 0; i < reads; i++)
            is_due |= hws_turns_read(&t, read_bytes);
        if (is_due)
            return hws_turns_judge(&t);
    }
    cr_assert(false, "never judged");
    return false;
}

/* The same as often as it takes to be believed. */
static bool believed(int writes, size_t write_bytes, int reads, size_t read_bytes)
{
    bool is = false;
    for (int i = 0; i < HWS_TURNS_SURE; i++)
        is = judged(writes, write_bytes, reads, read_bytes);
    return is;
}

Test(turns, a_ping_pong_takes_turns)
{
    cr_expect(believed(1, 4096, 1, 4096));
    cr_expect(judged(1, 4096, 1, 4096), "and from then on each time");
}

Test(turns, one_judgment_ends_it_and_does_not_begin_it)
{
    cr_expect_not(judged(1, 4096, 1, 4096));
    cr_expect(believed(1, 4096, 1, 4096));
    cr_expect_not(judged(2, 4096, 2, 4096));
    cr_expect_not(judged(1, 4096, 1, 4096));
}

Test(turns, so_do_requests_with_short_answers)
{
    cr_expect(believed(1, 8, 1, 4096));
}

Test(turns, a_few_frames_between_change_nothing)
{
    bool is = false;
    for (int i = 0; i < HWS_TURNS_SURE * HWS_TURNS_READS; i++) {
        hws_turns_wrote(&t, 4096);
        if (i % 8 == 0)
            hws_turns_wrote(&t, 16);
        if (hws_turns_read(&t, 4096))
            is = hws_turns_judge(&t);
    }
    cr_expect(is);
}

Test(turns, streams_do_not)
{
    cr_expect_not(believed(0, 0, 1, 65536), "one way");
    cr_expect_not(believed(1, 8, 16, 65536), "with an answer now and then");
    cr_expect_not(believed(16, 65536, 1, 65536), "seen by the sender");
}

Test(turns, two_messages_each_way_are_none)
{
    cr_expect_not(believed(2, 4096, 2, 4096));
    cr_expect_not(believed(2, 4096, 1, 8192), "read at once");
}

/* Turns until they are believed; each long read is behind an attempt in vain, but for some of eight. */
static void wait_in_turns(int at_once_of_8, size_t read_bytes)
{
    for (int i = 0; i < HWS_TURNS_SURE * HWS_TURNS_READS; i++) {
        hws_turns_wrote(&t, read_bytes);
        if (i % 8 >= at_once_of_8)
            hws_turns_missed(&t);
        if (hws_turns_read(&t, read_bytes))
            hws_turns_judge(&t);
    }
}

Test(turns, who_waits_for_long_messages_asks_for_them)
{
    wait_in_turns(0, 4096);
    cr_expect_not(hws_turns_asks(&t), "not at the first attempt");
    hws_turns_missed(&t);
    cr_expect(hws_turns_asks(&t));
    hws_turns_read(&t, 4096);
    cr_expect_not(hws_turns_asks(&t));
    init();
    wait_in_turns(1, 4096);
    hws_turns_missed(&t);
    cr_expect(hws_turns_asks(&t), "one of eight may have been there");
}

Test(turns, where_both_send_at_a_time_nobody_asks)
{
    wait_in_turns(2, 4096);
    hws_turns_missed(&t);
    cr_expect_not(hws_turns_asks(&t));
}

/* So many short reads behind a long one. */
static bool asks_behind(int n_short, size_t long_bytes)
{
    init();
    wait_in_turns(0, long_bytes);
    for (int i = 0; i < n_short; i++)
        hws_turns_read(&t, 8);
    hws_turns_missed(&t);
    return hws_turns_asks(&t);
}

Test(turns, behind_short_messages_only_long_ones_are_asked_for)
{
    cr_expect_not(asks_behind(1, HWS_TURNS_MUCH));
    cr_expect(asks_behind(1, HWS_TURNS_MUCH + 1));
    cr_expect(asks_behind(HWS_TURNS_SHORT - 1, HWS_TURNS_MUCH + 1));
    cr_expect_not(asks_behind(HWS_TURNS_SHORT, HWS_TURNS_MUCH + 1));
}

Test(turns, who_takes_no_turns_any_more_does_not_ask)
{
    wait_in_turns(0, 4096);
    cr_expect_not(judged(0, 0, 1, 4096));
    hws_turns_missed(&t);
    cr_expect_not(hws_turns_asks(&t));
}

Test(turns, short_messages_are_not_judged)
{
    for (int i = 0; i < 10 * HWS_TURNS_READS; i++) {
        hws_turns_wrote(&t, HWS_TURNS_LONG);
        cr_assert_not(hws_turns_read(&t, HWS_TURNS_LONG));
    }
}
