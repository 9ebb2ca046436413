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

Test(turns, short_messages_are_not_judged)
{
    for (int i = 0; i < 10 * HWS_TURNS_READS; i++) {
        hws_turns_wrote(&t, HWS_TURNS_LONG);
        cr_assert_not(hws_turns_read(&t, HWS_TURNS_LONG));
    }
}
