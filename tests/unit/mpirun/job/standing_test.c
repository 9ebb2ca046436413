/* SPDX-License-Identifier: BSD-3-Clause
 *
 * standing_test: the records of nodes become lines: folded, with times, and a word of a deadlock when there may be one.
 */
#include "mpirun/job/standing.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/errors.h"
#include "mpirun/util/proto.h"

static struct hws_standing s;
static struct hws_buf out;

static bool is_rank(void *arg, int rank)
{
    return rank < *(const int *)arg;
}

static void put(struct hws_buf *b, int rank, enum hws_stand stand, uint32_t for_ms, uint32_t still_ms, const char *text)
{
    hws_add_u32(b, (uint32_t)rank);
    hws_add_u32(b, stand);
    hws_add_u32(b, for_ms);
    hws_add_u32(b, still_ms);
    hws_add_text(b, text, strlen(text));
}

static void add(int rank, enum hws_stand stand, uint32_t for_ms, uint32_t still_ms, const char *text)
{
    int size = 1000;
    struct hws_buf b = {0};
    put(&b, rank, stand, for_ms, still_ms, text);
    cr_assert_eq(hws_standing_add(&s, hws_buf_data(&b), b.len, is_rank, &size), HWS_OK);
    hws_buf_free(&b);
}

static const char *lines(int size)
{
    hws_buf_free(&out);
    hws_standing_print(&s, size, &out);
    hws_buf_append(&out, "", 1);
    return hws_buf_data(&out);
}

Test(standing, equal_ranks_are_one_line_and_the_first_rank_leads)
{
    add(5, HWS_STAND_BUSY, 0, 0, "computing");
    for (int i = 63; i >= 0; i--)
        if (i != 5 && i != 9)
            add(i, HWS_STAND_WAITS, 12000, 12000, "MPI_Barrier");
    add(9, HWS_STAND_WAITS, 500, 12000, "MPI_Recv\n1 message");
    cr_expect_str_eq(lines(64),
                     "ranks 0-4, 6-8, 10-63: MPI_Barrier, for 12 s\nrank 5: computing\nrank 9: MPI_Recv, for 0.5 s; 1 "
                     "message\n");
}

Test(standing, times_that_differ_are_a_range)
{
    add(0, HWS_STAND_WAITS, 3000, 0, "MPI_Barrier");
    add(1, HWS_STAND_WAITS, 15000, 0, "MPI_Barrier");
    cr_expect_str_eq(lines(2), "ranks 0-1: MPI_Barrier, for 3.0 to 15 s\n");
}

Test(standing, many_ranges_are_cut)
{
    for (int i = 0; i < 100; i += 2)
        add(i, HWS_STAND_BUSY, 0, 0, "computing");
    cr_expect_str_eq(lines(100), "ranks 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, ... (50 in all): "
                                 "computing\n");
}

Test(standing, all_wait_and_nothing_moves)
{
    add(0, HWS_STAND_WAITS, 9000, 4000, "a");
    add(1, HWS_STAND_WAITS, 9000, 2500, "b");
    cr_expect_not_null(
        strstr(lines(2), "all 2 ranks wait in MPI and nothing has moved for 2.5 s: a deadlock is suspected\n"));
    add(2, HWS_STAND_OVER, 0, 0, "ended");
    cr_expect_not_null(strstr(lines(3), "all 2 ranks that have not ended wait in MPI"));
}

Test(standing, no_deadlock_is_suspected_while_one_may_go_on)
{
    add(0, HWS_STAND_WAITS, 9000, 4000, "a");
    cr_expect_null(strstr(lines(2), "deadlock"), "a host has not answered");
    add(1, HWS_STAND_WAITS, 9000, 10, "b");
    cr_expect_null(strstr(lines(2), "deadlock"), "rank 1 has just had something");
    add(2, HWS_STAND_BUSY, 0, 0, "c");
    cr_expect_null(strstr(lines(3), "deadlock"), "rank 2 computes");
}

Test(standing, a_job_without_mpi_has_nothing_to_say)
{
    add(0, HWS_STAND_OUTSIDE, 0, 0, "before MPI_Init");
    cr_expect_not(hws_standing_has_mpi(&s));
    add(1, HWS_STAND_BUSY, 0, 0, "computing");
    cr_expect(hws_standing_has_mpi(&s));
}

Test(standing, records_that_are_none_are_refused)
{
    int size = 4;
    struct hws_buf b = {0};
    put(&b, 4, HWS_STAND_BUSY, 0, 0, "of another host");
    cr_expect_eq(hws_standing_add(&s, hws_buf_data(&b), b.len, is_rank, &size), HWS_EPROTO);
    hws_buf_consume(&b, b.len);
    put(&b, 1, HWS_STAND_N, 0, 0, "no such state");
    cr_expect_eq(hws_standing_add(&s, hws_buf_data(&b), b.len, is_rank, &size), HWS_EPROTO);
    hws_buf_consume(&b, b.len);
    put(&b, 1, HWS_STAND_BUSY, 0, 0, "cut");
    for (size_t i = 1; i < b.len; i++)
        cr_expect_eq(hws_standing_add(&s, hws_buf_data(&b), i, is_rank, &size), HWS_EPROTO, "%zu bytes", i);
    hws_buf_free(&b);
}
