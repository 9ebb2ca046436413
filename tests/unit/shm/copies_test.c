/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copies_test: which way long messages take. Roles: machines on which the one or the other way is quicker, for all
 * lengths or from some length on; a machine that changes; single messages that were held up; many at once.
 */
#include "shm/copies.h"

#include <criterion/criterion.h>

enum { KIB = 1024, MIB = 1024 * KIB };

/* ns for 64 KiB each way. */
struct machine {
    uint64_t once, twice;
};

/* Messages that went once, of n. */
static unsigned send(struct hws_copies *c, const struct machine *m, uint64_t len, unsigned n)
{
    unsigned n_once = 0;
    for (unsigned i = 0; i < n; i++) {
        bool once = hws_copies_choose(c, len);
        n_once += once;
        hws_copies_took(c, once, len, len, (once ? m->once : m->twice) * len / (64 * KIB));
    }
    return n_once;
}

static const struct machine shared_core = {.once = 6000, .twice = 1500}, own_cores = {.once = 2800, .twice = 5800};

Test(copies, both_ways_are_tried_first)
{
    struct hws_copies c = {0};
    cr_assert_not(hws_copies_choose(&c, MIB), "nothing is known yet");
    cr_assert_eq(send(&c, &shared_core, MIB, 8), 4);
}

Test(copies, the_quicker_way_is_taken)
{
    for (uint64_t len = HWS_COPIES_MIN; len <= 64 * MIB; len = len * 3 / 2) {
        struct hws_copies one = {0}, other = {0};
        send(&one, &shared_core, len, 1000);
        send(&other, &own_cores, len, 1000);
        cr_assert_leq(send(&one, &shared_core, len, 1000), 8, "%llu bytes", (unsigned long long)len);
        cr_assert_geq(send(&other, &own_cores, len, 1000), 992, "%llu bytes", (unsigned long long)len);
    }
}

Test(copies, lengths_are_judged_apart)
{
    struct hws_copies c = {0};
    send(&c, &shared_core, 128 * KIB, 8);
    send(&c, &own_cores, MIB, 8);
    cr_assert_eq(send(&c, &shared_core, 200 * KIB, 10), 0);
    cr_assert_eq(send(&c, &own_cores, MIB + MIB / 2, 10), 10);
}

Test(copies, a_machine_that_changes_is_noticed)
{
    for (int back = 0; back < 2; back++) {
        struct hws_copies c = {0};
        const struct machine *first = back ? &own_cores : &shared_core, *then = back ? &shared_core : &own_cores;
        send(&c, first, MIB, 2000);
        send(&c, then, MIB, 2000);
        unsigned n_once = send(&c, then, MIB, 1000);
        cr_assert(back ? n_once <= 8 : n_once >= 992, "%u of 1000 go once", n_once);
    }
}

Test(copies, a_message_that_was_held_up_changes_nothing)
{
    struct hws_copies c = {0};
    send(&c, &own_cores, MIB, 100);
    for (unsigned i = 0; i < HWS_COPIES_KEPT - 1; i++)
        hws_copies_took(&c, true, MIB, MIB, 1000000000);
    cr_assert(hws_copies_choose(&c, MIB));
}

/* Traffic in one direction, then in both: the ring's time doubles, that of a single copy does not. */
Test(copies, other_traffic_is_noticed_soon)
{
    const struct machine one_way = {.once = 4500, .twice = 3200}, both_ways = {.once = 2400, .twice = 6200};
    struct hws_copies c = {0};
    send(&c, &one_way, MIB, 3000);
    cr_assert_geq(send(&c, &both_ways, MIB, 100), 60);
}

/* The first times of both ways are those of memory that has never been touched. */
Test(copies, slow_beginnings_are_soon_forgotten)
{
    const struct machine cold = {.once = 130000, .twice = 6000};
    struct hws_copies c = {0};
    send(&c, &cold, MIB, 8);
    cr_assert_geq(send(&c, &own_cores, MIB, 60), 40);
}

/* A window of messages is begun before the first of them has come. */
Test(copies, messages_at_once_go_twice_until_one_has_come)
{
    struct hws_copies c = {0};
    for (int i = 0; i < 64; i++)
        cr_assert_not(hws_copies_choose(&c, MIB));
    for (int i = 0; i < 64; i++)
        hws_copies_took(&c, false, MIB, 64 * (uint64_t)MIB, 64 * own_cores.twice * 16);
    cr_assert(hws_copies_choose(&c, MIB));
}

Test(copies, no_time_and_endless_times_are_times)
{
    struct hws_copies c = {0};
    const struct machine none = {0, 0}, endless = {UINT64_MAX / (64 * KIB) / 2, UINT64_MAX / (64 * KIB) / 2};
    send(&c, &none, HWS_COPIES_MIN, 1000);
    send(&c, &endless, HWS_COPIES_MIN, 1000);
}
