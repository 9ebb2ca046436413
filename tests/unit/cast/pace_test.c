/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace_test: the window and the rate of a multicast stream.
 */
#include <criterion/criterion.h>

#include "base/clock.h"
#include "cast/proto/pace.h"

#define MS HWS_NS_PER_MS

Test(pace, the_window_doubles_until_a_loss_and_then_grows_by_no_more_than_one_a_round_trip)
{
    struct hws_cast_pace p;
    hws_cast_pace_init(&p, 1000);
    hws_cast_pace_rtt(&p, MS);
    for (int i = 0; i < 3; i++)
        hws_cast_pace_arrived(&p, hws_cast_pace_window(&p), true);
    cr_assert_eq(hws_cast_pace_window(&p), 8 * HWS_CAST_FIRST_WINDOW);
    cr_assert(hws_cast_pace_lost(&p, 10 * MS));
    cr_assert(!hws_cast_pace_lost(&p, 10 * MS + MS / 2)); /* of the same round trip */
    cr_assert_eq(hws_cast_pace_window(&p), 8 * HWS_CAST_FIRST_WINDOW * 7 / 10);
    uint64_t was = hws_cast_pace_window(&p);
    hws_cast_pace_arrived(&p, was, true);
    cr_assert_eq(hws_cast_pace_window(&p), was + 1);
    hws_cast_pace_arrived(&p, was, false); /* a stream that has less to send than it may learns nothing */
    cr_assert_eq(hws_cast_pace_window(&p), was + 1);
    for (int i = 2; i < 100; i++)
        hws_cast_pace_lost(&p, (uint64_t)i * 10 * MS);
    cr_assert_eq(hws_cast_pace_window(&p), HWS_CAST_LEAST_WINDOW);
}

Test(pace, the_window_has_a_bound)
{
    struct hws_cast_pace p;
    hws_cast_pace_init(&p, 50);
    for (int i = 0; i < 100; i++)
        hws_cast_pace_arrived(&p, 50, true);
    cr_assert_eq(hws_cast_pace_window(&p), 50);
}

Test(pace, a_window_leaves_within_a_round_trip_and_not_at_once)
{
    struct hws_cast_pace p;
    hws_cast_pace_init(&p, 1000);
    hws_cast_pace_rtt(&p, 16 * MS);
    uint64_t now = 1000 * MS;
    unsigned at_once = 0, sent;
    while (hws_cast_pace_take(&p, now, 0))
        at_once++;
    cr_assert_lt(at_once, HWS_CAST_FIRST_WINDOW);
    for (sent = at_once; now < 1016 * MS; now += MS / 10)
        while (hws_cast_pace_take(&p, now, 0))
            sent++;
    cr_assert_geq(sent, HWS_CAST_FIRST_WINDOW);
    cr_assert_leq(sent, 2 * HWS_CAST_FIRST_WINDOW);
}

Test(pace, a_stream_leaves_room_in_the_own_interfaces_queue)
{
    struct hws_cast_pace p;
    hws_cast_pace_init(&p, 1000);
    hws_cast_pace_rtt(&p, 10 * MS); /* 16 packets in 10 ms are 4 in 2.5 */
    cr_assert(!hws_cast_pace_take(&p, 1000 * MS, 34));
    cr_assert(!hws_cast_pace_take(&p, 1000 * MS, 0)); /* looked at again half a millisecond later */
    cr_assert(hws_cast_pace_take(&p, 1000 * MS + MS / 2, 33));
    hws_cast_pace_arrived(&p, 144, true); /* 160 packets: 40 in 2.5 ms */
    cr_assert(hws_cast_pace_take(&p, 2000 * MS, 39));
    cr_assert(!hws_cast_pace_take(&p, 3000 * MS, 40));
}

Test(pace, the_time_out_is_measured_and_doubles_while_nothing_is_heard)
{
    struct hws_cast_pace p;
    hws_cast_pace_init(&p, 100);
    for (int i = 0; i < 100; i++)
        hws_cast_pace_rtt(&p, 20 * MS);
    uint64_t t = hws_cast_pace_timeout(&p);
    cr_assert(t >= 20 * MS && t < 25 * MS, "%llu", (unsigned long long)t);
    hws_cast_pace_silent(&p, 1);
    cr_assert_eq(hws_cast_pace_timeout(&p), 2 * t);
    for (int i = 0; i < 30; i++)
        hws_cast_pace_silent(&p, 1);
    cr_assert_eq(hws_cast_pace_timeout(&p), 250 * MS);
    hws_cast_pace_arrived(&p, 1, true);
    cr_assert_eq(hws_cast_pace_timeout(&p), t);
}
