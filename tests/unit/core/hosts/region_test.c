/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region_test: turns of a region that has lived long. Both members are driven from here, in an order in which nobody
 * has to wait, so a wait is a fault. Ages are set, not waited for: what 2^31 and more barriers leave behind is their
 * number.
 */
#include "core/hosts/region.h"

#include <criterion/criterion.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define N   2
#define LEN (64u << 10)

static struct hws_region r[N];
static void *memory;

static int wait_for(struct hws_region *of, const uint64_t *word, uint64_t value)
{
    (void)of, (void)word, (void)value;
    return MPI_ERR_OTHER;
}

static void wake(struct hws_region *of, int to)
{
    (void)of, (void)to;
}

static void pass(struct hws_region *of)
{
    (void)of;
}

static const struct hws_region_net net = {wait_for, wake, pass};

static void begin(void)
{
    memory = aligned_alloc(64, LEN);
    cr_assert_not_null(memory);
    memset(memory, 0, LEN);
    for (int i = 0; i < N; i++) {
        cr_assert(hws_region_init(&r[i], memory, LEN, N, i));
        r[i].net = &net;
    }
}

static void end(void)
{
    free(memory);
}

/* So many barriers: joint turns without data. */
static void age(uint64_t n)
{
    for (int i = 0; i < N; i++) {
        r[i].turn += n;
        r[i].last_joint = r[i].last_use[HWS_REGION_CELLS] = r[i].turn;
        r[i].left[1 + i].value = r[i].turn;
    }
}

/* A turn with data; joint: both wait for its end. Before the last member has come it must not look ready. */
static void turn(bool joint)
{
    struct hws_turn t[N];
    for (int i = 0; i < N; i++)
        cr_assert_eq(hws_region_begin(&r[i], joint, true, true, &t[i]), MPI_SUCCESS, "a free cell was waited for");
    cr_assert_eq(t[0].cell, t[1].cell);
    cr_assert_not(hws_region_meet(&r[0], &t[0], NULL, NULL), "a member met the other one before that came");
    cr_assert_neq(hws_region_await(&r[0], &t[0]), MPI_SUCCESS, "a turn was over before it began");
    cr_assert(hws_region_meet(&r[1], &t[1], NULL, NULL), "the last member did not meet the other one");
    hws_region_release(&r[1], &t[1], -1);
    cr_assert_eq(hws_region_await(&r[0], &t[0]), MPI_SUCCESS);
    for (int i = 0; i < N; i++)
        hws_region_end(&r[i], &t[i]);
}

/* The same where each says that its slot is filled; to: who waits for the other one (-1: both). */
static void turn_of_two(int to)
{
    struct hws_turn t[N];
    for (int i = 0; i < N; i++)
        cr_assert_eq(hws_region_begin(&r[i], to < 0, true, i != to, &t[i]), MPI_SUCCESS, "a free cell was waited for");
    int first = to == 0 ? 0 : 1;
    cr_assert_neq(hws_region_meet_other(&r[first], &t[first], to != first, true), MPI_SUCCESS,
                  "a slot was taken before it was filled");
    cr_assert_eq(hws_region_meet_other(&r[1 - first], &t[1 - first], true, to < 0), MPI_SUCCESS);
    cr_assert_eq(hws_region_meet_other(&r[first], &t[first], false, true), MPI_SUCCESS);
    for (int i = 0; i < N; i++)
        hws_region_end(&r[i], &t[i]);
}

static const uint64_t ages[] = {1,          0x7ffffff0,  0x80000000,  0x80000010,
                                0xfffffff0, 0x100000000, 0x180000000, 1ull << 40};

Test(region, a_cell_that_was_not_used_for_long_is_free, .init = begin, .fini = end)
{
    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++) {
        for (int k = 0; k < 3; k++)
            turn(true);
        age(ages[i]);
        turn(true);
    }
}

/* The cells take turns: the one that was used last is not used again while others are free or older. */
Test(region, cells_of_any_age_are_told_apart, .init = begin, .fini = end)
{
    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++) {
        turn(false);
        age(ages[i]);
        for (int k = 0; k < 2 * HWS_REGION_CELLS + 1; k++)
            turn(false);
    }
}

/* Turns of both kinds share the cells, in any order. */
Test(region, two_members_meet_by_their_slots, .init = begin, .fini = end)
{
    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++) {
        for (int k = 0; k < 3 * HWS_REGION_CELLS; k++) {
            turn_of_two(k % 3 - 1);
            if (k % 4 == 0)
                turn(k % 8 == 0);
        }
        age(ages[i]);
    }
}

/* Who gives and never waits may not fill a slot again that the other one may still read. */
Test(region, a_slot_of_two_is_not_filled_before_it_was_left, .init = begin, .fini = end)
{
    struct hws_turn t[HWS_REGION_CELLS + 1];
    for (int i = 0; i < HWS_REGION_CELLS; i++) {
        cr_assert_eq(hws_region_begin(&r[0], false, true, true, &t[i]), MPI_SUCCESS);
        cr_assert_eq(hws_region_meet_other(&r[0], &t[i], true, false), MPI_SUCCESS);
        hws_region_end(&r[0], &t[i]);
    }
    cr_assert_neq(hws_region_begin(&r[0], false, true, true, &t[HWS_REGION_CELLS]), MPI_SUCCESS,
                  "a slot was filled again that nobody had read");
}
