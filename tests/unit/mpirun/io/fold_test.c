/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fold_test: warnings of lanes become one line for a host and a pair of addresses; nothing else is touched.
 */
#include "mpirun/io/fold.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "mpirun/util/buf.h"

static struct hws_buf got;
static struct hws_warning_fold fold;

static void emit(void *arg, const char *data, size_t len)
{
    (void)arg;
    cr_assert_gt(len, 0u);
    hws_buf_append(&got, data, len);
}

static const char *text(void)
{
    hws_buf_append(&got, "", 1);
    got.len--;
    return hws_buf_data(&got);
}

static bool feed(int node, int rank, const char *lines)
{
    return hws_fold_feed(&fold, node, rank, lines, strlen(lines), emit, NULL);
}

#define LOST(rank, peer)                                                                                               \
    "hawser: rank " #rank ": lane n0 10.77.0.1 to 10.77.0.2 port 5" #peer " on host h1 to rank " #peer                 \
    " on host h1 is lost (timed out); going on with 1 other"

Test(fold, equal_warnings_become_one)
{
    cr_expect(feed(0, 0, LOST(0, 2) "\n"));
    cr_expect_not(feed(0, 0, LOST(0, 3) "\n"));
    cr_expect_not(feed(0, 1, LOST(1, 2) "\n" LOST(1, 3) "\n"));
    cr_expect_not(
        feed(0, 0, "hawser: rank 0: lane n0 10.77.0.1 port 9 from 10.77.0.2 to rank 4 on host h1 is lost (x)\n"));
    cr_expect_str_eq(text(), "");
    hws_fold_flush(&fold, emit, NULL);
    cr_expect_str_eq(text(), LOST(0, 2) " (and 4 more lanes, of 2 ranks)\n");
    hws_fold_flush(&fold, emit, NULL);
    cr_expect_str_eq(text(), LOST(0, 2) " (and 4 more lanes, of 2 ranks)\n");
}

Test(fold, a_lone_warning_stays_as_it_is)
{
    cr_expect(feed(0, 7, LOST(7, 2) "\n"));
    hws_fold_flush(&fold, emit, NULL);
    cr_expect_str_eq(text(), LOST(7, 2) "\n");
}

#define WAITS(rank, peer, here)                                                                                        \
    "hawser: rank " #rank ": still waiting for rank " #peer " on host h1 to answer on n0 " here                        \
    " to 10.77.0.2 port 5; it may be busy outside MPI"

Test(fold, one_line_for_all_who_wait_for_a_rank)
{
    cr_expect(feed(0, 0, WAITS(0, 2, "10.77.0.1") "\n"));
    cr_expect_not(feed(0, 1, WAITS(1, 2, "10.77.0.1") "\n"));
    cr_expect_not(feed(3, 3, "[3] " WAITS(3, 2, "10.77.0.3") "\n"));
    cr_expect_not(feed(3, 3, "[3] " WAITS(3, 2, "10.77.0.3") "\n"));
    cr_expect(feed(0, 1, WAITS(1, 4, "10.77.0.1") "\n"));
    cr_expect_str_eq(text(), "");
    hws_fold_flush(&fold, emit, NULL);
    cr_expect_str_eq(text(),
                     WAITS(0, 2, "10.77.0.1") " (and 2 more ranks wait for it)\n" WAITS(1, 4, "10.77.0.1") "\n");
}

static void emit_and_flush(void *arg, const char *data, size_t len)
{
    emit(arg, data, len);
    hws_fold_flush(&fold, emit_and_flush, arg);
}

Test(fold, emit_may_flush)
{
    feed(0, 7, LOST(7, 2) "\n");
    feed(1, 7, LOST(7, 2) "\n");
    hws_fold_flush(&fold, emit_and_flush, NULL);
    cr_expect_str_eq(text(), LOST(7, 2) "\n" LOST(7, 2) "\n");
}

Test(fold, other_hosts_cards_and_news_are_apart)
{
    cr_expect(feed(0, 0, LOST(0, 2) "\n"));
    cr_expect(feed(1, 0, LOST(0, 2) "\n"));
    cr_expect(feed(0, 0, "hawser: rank 0: lane n1 10.77.1.1 to 10.77.1.2 port 1 on host h1 to rank 2 is lost (x)\n"));
    cr_expect(feed(0, 0, "hawser: rank 0: lane n0 10.77.0.1 to 10.77.0.2 port 1 on host h1 to rank 2 is back\n"));
    hws_fold_flush(&fold, emit, NULL);
    const char *all = text();
    int n = 0;
    for (; (all = strchr(all, '\n')); all++)
        n++;
    cr_expect_eq(n, 4);
    cr_expect_null(strstr(text(), "more lane"));
}

Test(fold, all_else_passes_in_its_order)
{
    const char *others =
        "hawser: rank 0: lane n0 10.1.0.1 to 10.1.0.2 port 1: up, 3 bytes\nhawser: rank 1: still waiting\n"
        "hawser: rank \nhawser: rank 0: lane is lost\n is lost\nthe end";
    char mixed[1024];
    snprintf(mixed, sizeof mixed, "one\n%s\n[3] %s\n%s", LOST(0, 2), LOST(0, 3), others);
    cr_expect(feed(0, 0, mixed));
    snprintf(mixed, sizeof mixed, "one\n%s", others);
    cr_expect_str_eq(text(), mixed);
}

Test(fold, what_does_not_fit_is_not_lost)
{
    char line[256];
    for (int i = 0; i < HWS_FOLDS + 5; i++) {
        snprintf(line, sizeof line, "hawser: rank 0: lane n%d 10.0.0.1 to 10.0.0.2 port 1 is lost\n", i);
        feed(0, 0, line);
    }
    hws_fold_flush(&fold, emit, NULL);
    int n = 0;
    for (const char *at = text(); (at = strchr(at, '\n')); at++)
        n++;
    cr_expect_eq(n, HWS_FOLDS + 5);
}
