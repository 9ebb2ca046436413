/* SPDX-License-Identifier: BSD-3-Clause
 *
 * board_test: what a rank writes is what a reader gets, whole or not at all.
 */
#include "base/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct hws_board_what recv_7 = {
    .call = "MPI_Recv", .comm = "MPI_COMM_WORLD", .verb = HWS_BOARD_RECV, .peer = 3, .tag = 7};

/* A descriptor as a rank inherits it. */
static int give(int n_boards, long offset)
{
    char text[64];
    int fd = memfd_create("board", 0);
    cr_assert(fd >= 0 && ftruncate(fd, (off_t)n_boards * HWS_BOARD_STRIDE) == 0);
    snprintf(text, sizeof text, "%d,%ld", fd, offset);
    setenv(HWS_BOARD_VAR, text, 1);
    return fd;
}

Test(board, a_wait_is_read_as_it_was_written)
{
    struct hws_board_wait w;
    int reader = dup(give(2, HWS_BOARD_STRIDE));
    struct hws_board *mine = hws_board_take();
    cr_assert_not_null(mine);
    cr_expect_null(getenv(HWS_BOARD_VAR), "a child would write there");
    const struct hws_board *theirs = mmap(NULL, sizeof *theirs, PROT_READ, MAP_SHARED, reader, HWS_BOARD_STRIDE);
    cr_expect_eq(theirs->version, HWS_BOARD_VERSION);
    cr_expect_not(hws_board_read(theirs, 0, &w));
    struct hws_board_wait *place = hws_board_begin(mine, &recv_7, 1000);
    cr_assert(hws_board_read(theirs, 0, &w));
    cr_expect_str_eq(w.what.call, "MPI_Recv");
    cr_expect_eq(w.what.peer, 3);
    cr_expect_eq(w.since_ns, 1000u);
    hws_board_open(place);
    cr_expect_not(hws_board_read(theirs, 0, &w), "half a change");
    place->n_unexpected = 5;
    hws_board_close(place);
    cr_assert(hws_board_read(theirs, 0, &w));
    cr_expect_eq(w.n_unexpected, 5u);
    hws_board_end(place);
    cr_expect_not(hws_board_read(theirs, 0, &w));
    hws_board_drop(mine);
    cr_expect_eq(theirs->is_over, 1u);
}

Test(board, threads_have_places_of_their_own_while_there_are_some)
{
    struct hws_board *b = calloc(1, sizeof *b);
    struct hws_board_wait *last = NULL;
    for (int i = 0; i < HWS_BOARD_WAITS; i++) {
        last = hws_board_begin(b, &recv_7, 1);
        cr_assert_not_null(last);
    }
    cr_expect_null(hws_board_begin(b, &recv_7, 1));
    hws_board_end(last);
    cr_expect_eq(hws_board_begin(b, &recv_7, 1), last);
    free(b);
}

Test(board, texts_end_also_where_the_rank_wrote_over_them)
{
    struct hws_board_wait w;
    struct hws_board *b = calloc(1, sizeof *b);
    struct hws_board_wait *place = hws_board_begin(b, &recv_7, 1);
    memset(place->what.call, 'x', sizeof place->what.call);
    memset(place->what.comm, 'x', sizeof place->what.comm);
    cr_assert(hws_board_read(b, 0, &w));
    cr_expect_eq(strlen(w.what.call), sizeof w.what.call - 1);
    cr_expect_eq(strlen(w.what.comm), sizeof w.what.comm - 1);
    free(b);
}

Test(board, what_is_no_board_is_none)
{
    unsetenv(HWS_BOARD_VAR);
    cr_expect_null(hws_board_take());
    static const char *const bad[] = {"", "x", "5", "-1,0", "999,0", "0,1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv(HWS_BOARD_VAR, bad[i], 1);
        cr_expect_null(hws_board_take(), "'%s'", bad[i]);
    }
    give(1, HWS_BOARD_STRIDE); /* behind its end */
    cr_expect_null(hws_board_take());
}
