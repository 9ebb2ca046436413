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

static uint64_t now_ns = 1;

static bool choose(struct hws_copies *c, uint64_t len)
{
    hws_copies_choose(c, hws_copies_class(len));
    return hws_copies_is_once(c, hws_copies_class(len));
}

/* One message, whose way is known. */
static void pass(struct hws_copies *c, const struct machine *m, uint64_t len, bool once)
{
    now_ns += (once ? m->once : m->twice) * len / (64 * KIB);
    hws_copies_came(c, once, len);
    hws_copies_ended(c, len, now_ns);
}

/* Messages that went once, of n. */
static unsigned send(struct hws_copies *c, const struct machine *m, uint64_t len, unsigned n)
{
    unsigned n_once = 0;
    for (unsigned i = 0; i < n; i++) {
        bool once = choose(c, len);
        n_once += once;
        pass(c, m, len, once);
    }
    return n_once;
}

static const struct machine shared_core = {.once = 6000, .twice = 1500}, own_cores = {.once = 2800, .twice = 5800};

Test(copies, both_ways_are_tried_soon)
{
    struct hws_copies c = {0};
    cr_assert_not(choose(&c, MIB), "nothing is known yet");
    unsigned n_once = send(&c, &shared_core, MIB, 32);
    cr_assert(n_once > 0 && n_once < 12, "%u", n_once);
}

/* Trials of both ways where they are close, and where they are far from each other. */
Test(copies, the_quicker_way_is_taken)
{
    const struct machine nearly = {.once = 2400, .twice = 2800};
    for (uint64_t len = HWS_COPIES_MIN; len <= 64 * MIB; len = len * 3 / 2) {
        struct hws_copies one = {0}, other = {0}, close = {0};
        send(&one, &shared_core, len, 1000);
        send(&other, &own_cores, len, 1000);
        send(&close, &nearly, len, 1000);
        cr_assert_leq(send(&one, &shared_core, len, 1000), 20, "%llu bytes", (unsigned long long)len);
        cr_assert_geq(send(&other, &own_cores, len, 1000), 960, "%llu bytes", (unsigned long long)len);
        cr_assert_geq(send(&close, &nearly, len, 1000), 870, "%llu bytes", (unsigned long long)len);
    }
}

/* A way that gains little is not worth a change, whichever was there first. */
Test(copies, a_small_gain_changes_nothing)
{
    const struct machine once = {.once = 2900, .twice = 3000}, twice = {.once = 3000, .twice = 2900};
    struct hws_copies c = {0};
    send(&c, &once, MIB, 1000);
    cr_assert_leq(send(&c, &once, MIB, 1000), 130);
    send(&c, &own_cores, MIB, 3000);
    cr_assert_geq(send(&c, &twice, MIB, 1000), 870);
}

/* What the program does in between is as long either way. */
Test(copies, what_a_program_does_besides_counts)
{
    const struct machine busy = {.once = 2800 + 90000, .twice = 5800 + 90000};
    struct hws_copies c = {0};
    send(&c, &busy, MIB, 1000);
    cr_assert_leq(send(&c, &busy, MIB, 1000), 130, "three percent are no gain");
}

Test(copies, lengths_are_judged_apart)
{
    struct hws_copies c = {0};
    send(&c, &shared_core, 128 * KIB, 200);
    send(&c, &own_cores, MIB, 200);
    cr_assert_leq(send(&c, &shared_core, 200 * KIB, 10), 9);
    cr_assert_geq(send(&c, &own_cores, MIB + MIB / 2, 100), 80);
}

/* Few programs have many of the longest ones. */
Test(copies, longer_ones_begin_as_shorter_ones_go)
{
    struct hws_copies c = {0};
    send(&c, &own_cores, MIB, 100);
    cr_assert_eq(send(&c, &own_cores, 2 * MIB, 60), 60);
    cr_assert_eq(send(&c, &own_cores, 512 * KIB, 10), 0);
}

Test(copies, lengths_in_turns_are_not_compared)
{
    struct hws_copies c = {0};
    unsigned n_once = 0;
    for (int i = 0; i < 1000; i++)
        n_once += send(&c, &own_cores, i % 2 ? MIB : 128 * KIB, 1);
    cr_assert_eq(n_once, 0);
}

Test(copies, a_machine_that_changes_is_noticed)
{
    for (int back = 0; back < 2; back++) {
        struct hws_copies c = {0};
        const struct machine *first = back ? &own_cores : &shared_core, *then = back ? &shared_core : &own_cores;
        send(&c, first, MIB, 2000);
        send(&c, then, MIB, 2000);
        unsigned n_once = send(&c, then, MIB, 1000);
        cr_assert(back ? n_once <= 20 : n_once >= 960, "%u of 1000 go once", n_once);
    }
}

/* Benchmarks and programs have fewer of the longer ones. */
Test(copies, longer_ones_are_not_tried_sooner)
{
    for (int own = 0; own < 2; own++) {
        struct hws_copies c = {0};
        const struct machine *m = own ? &own_cores : &shared_core;
        send(&c, m, HWS_COPIES_MIN, 400);
        for (uint64_t len = 2 * HWS_COPIES_MIN; len <= 4 * MIB; len *= 2) {
            unsigned n_once = send(&c, m, len, 100);
            cr_assert_eq(n_once, own ? 100 : 0, "%u of 100 go once", n_once);
        }
    }
}

/* Each length is tried by itself, but once, where the next shorter one has been. */
Test(copies, longer_ones_have_one_trial)
{
    const struct machine nearly = {.once = 2400, .twice = 2800};
    struct hws_copies c = {0};
    send(&c, &nearly, 256 * KIB, 600);
    unsigned n_twice = 150 - send(&c, &nearly, 512 * KIB, 150);
    cr_assert(n_twice > 0 && n_twice <= 2 * hws_copies_lap(hws_copies_class(512 * KIB)) + 1, "%u", n_twice);
}

/* Times that go up and down by a third, for both ways, are no reason for more trials than there would be. */
Test(copies, times_that_vary_bring_no_trials)
{
    const struct machine slower = {.once = own_cores.once * 4 / 3, .twice = own_cores.twice * 4 / 3};
    struct hws_copies even = {0}, varied = {0};
    unsigned n_even, n_varied = 0;
    send(&even, &own_cores, MIB, 1000);
    send(&varied, &own_cores, MIB, 1000);
    n_even = 2000 - send(&even, &own_cores, MIB, 2000);
    for (int i = 0; i < 50; i++)
        n_varied += 40 - send(&varied, i % 2 ? &slower : &own_cores, MIB, 40);
    cr_assert_leq(n_varied, 2 * n_even + 10, "%u twice, where times vary, %u where they don't", n_varied, n_even);
}

/* Only the longest ones go otherwise. */
Test(copies, longer_ones_are_tried_by_themselves)
{
    struct hws_copies c = {0};
    send(&c, &shared_core, 2 * MIB, 400);
    cr_assert_geq(send(&c, &own_cores, 4 * MIB, 3000), 1500);
}

Test(copies, messages_that_were_held_up_change_nothing)
{
    struct hws_copies c = {0};
    send(&c, &own_cores, MIB, 100);
    for (int i = 0; i < (int)hws_copies_lap(hws_copies_class(MIB)) * (HWS_COPIES_KEPT - 1); i++) {
        now_ns += 1000000000;
        pass(&c, &own_cores, MIB, true);
    }
    cr_assert(choose(&c, MIB));
}

/* Traffic in one direction, then in both: the ring's time doubles, that of a single copy does not. */
Test(copies, other_traffic_is_noticed_soon)
{
    const struct machine one_way = {.once = 4500, .twice = 3200}, both_ways = {.once = 2400, .twice = 6200};
    struct hws_copies c = {0};
    send(&c, &one_way, MIB, 3000);
    cr_assert_geq(send(&c, &both_ways, MIB, 100), 40);
    send(&c, &both_ways, MIB, 3000);
    cr_assert_leq(send(&c, &one_way, MIB, 100), 60);
}

/* The first times of both ways are those of memory that has never been touched. */
Test(copies, slow_beginnings_are_soon_forgotten)
{
    const struct machine cold = {.once = 130000, .twice = 6000};
    struct hws_copies c = {0};
    send(&c, &cold, MIB, 30);
    cr_assert_geq(send(&c, &own_cores, MIB, 100), 50);
}

/* A window of messages is begun before the first of them has come; then each is nearly whole when the first one is. */
Test(copies, windows_are_judged_by_all_that_came)
{
    struct hws_copies c = {0};
    unsigned n_once = 0;
    for (int round = 0; round < 100; round++) {
        unsigned n_ring = 0;
        for (int i = 0; i < 64; i++)
            if (choose(&c, MIB)) {
                pass(&c, &own_cores, MIB, true);
                n_once++;
            } else {
                n_ring++;
            }
        hws_copies_came(&c, false, n_ring * (uint64_t)MIB);
        now_ns += n_ring * own_cores.twice * 16;
        for (unsigned i = 0; i < n_ring; i++)
            hws_copies_ended(&c, MIB, now_ns);
    }
    cr_assert_geq(n_once, 5000, "%u", n_once);
}

Test(copies, no_time_and_endless_times_are_times)
{
    struct hws_copies c = {0};
    const struct machine none = {0, 0}, long_ones = {1ull << 40, 1ull << 40};
    send(&c, &none, HWS_COPIES_MIN, 1000);
    send(&c, &long_ones, HWS_COPIES_MIN, 1000);
}

Test(copies, who_follows_measures_nothing_and_goes_on_so)
{
    struct hws_copies c = {0};
    for (int i = 0; i < 100; i++) {
        hws_copies_follow(&c, hws_copies_class(MIB), i % 2);
        cr_assert_eq(hws_copies_is_once(&c, hws_copies_class(MIB)), i % 2);
        pass(&c, &shared_core, MIB, i % 2);
    }
    cr_assert_eq(send(&c, &shared_core, MIB, 7), 7, "as the last one");
    cr_assert_leq(send(&c, &shared_core, MIB, 100), 40, "then by itself");
}
