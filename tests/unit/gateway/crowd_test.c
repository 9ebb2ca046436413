/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crowd_test: a round trip that stays long is others' doing; one that is long while an own message passes is not.
 */
#include "gateway/crowd.h"

#include <criterion/criterion.h>

#include "base/clock.h"

static uint64_t now_ns = 1, moved;

/* That round trip for so long, looked at whenever it is due. */
static void pass(struct crowd *c, unsigned ms, uint64_t rtt_us)
{
    for (unsigned i = 0; i < ms; i++) {
        now_ns += HWS_NS_PER_MS;
        if (crowd_is_due(c, now_ns))
            crowd_look(c, now_ns, rtt_us, 0, moved);
    }
}

Test(crowd, comes_and_goes)
{
    struct crowd c = {0};
    pass(&c, 1000, 18000);
    cr_assert_not(crowd_is_there(&c));
    pass(&c, 250, 40000);
    cr_assert_not(crowd_is_there(&c));
    pass(&c, 100, 40000);
    cr_assert(crowd_is_there(&c));
    pass(&c, 1900, 18000);
    cr_assert(crowd_is_there(&c), "it may come again");
    pass(&c, 200, 18000);
    cr_assert_not(crowd_is_there(&c));
}

/* The same, while 12 MB/s of own bulk pass. */
static void pass_bulk(struct crowd *c, unsigned ms, uint64_t rtt_us)
{
    for (unsigned i = 0; i < ms; i += 10) {
        pass(c, 10, rtt_us);
        moved += 120000;
    }
}

/* Bursts of the own bulk, and the waits for their answers. */
Test(crowd, own_bursts_are_none)
{
    struct crowd c = {0};
    for (int i = 0; i < 100; i++) {
        pass_bulk(&c, 200 + 7 * (unsigned)i, 45000);
        pass(&c, 30, 19000);
    }
    cr_assert_not(crowd_is_there(&c));
}

/* Own bulk that leaves no gap hides nobody for long. */
Test(crowd, is_seen_beside_own_bulk)
{
    struct crowd c = {0};
    pass(&c, 100, 18000);
    pass_bulk(&c, 900, 45000);
    cr_assert_not(crowd_is_there(&c));
    pass_bulk(&c, 200, 45000);
    cr_assert(crowd_is_there(&c));
}

/* The job begins when they are there already. */
Test(crowd, was_there_before)
{
    struct crowd c = {0};
    for (int i = 0; i < 40; i++)
        crowd_look(&c, now_ns += 10 * HWS_NS_PER_MS, 40000, i < 5 ? 38000 : 20000, 0);
    cr_assert(crowd_is_there(&c));
}

/* Within a building hosts are late by more than the way is long. */
Test(crowd, slow_hosts_are_none)
{
    struct crowd c = {0};
    pass(&c, 100, 200);
    pass(&c, 5000, 2000);
    cr_assert_not(crowd_is_there(&c));
}

Test(crowd, round_trips_that_are_not_known)
{
    struct crowd c = {0};
    pass(&c, 1000, 0);
    pass(&c, 100, 18000);
    pass(&c, 1000, 0);
    cr_assert_not(crowd_is_there(&c));
}
