/* SPDX-License-Identifier: BSD-3-Clause
 *
 * log_test: what a trace writes and when.
 */
#include "base/log.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"

static char err[256], text[8192];
static int ends[2], saved;

static void capture(void)
{
    cr_assert_eq(pipe(ends), 0);
    saved = dup(2);
    dup2(ends[1], 2);
}

/* Ends the capture; what was written since. */
static const char *captured(void)
{
    dup2(saved, 2);
    close(ends[1]);
    ssize_t n = read(ends[0], text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    return text;
}

static int count_call(int *n)
{
    return ++*n;
}

Test(log, off_writes_nothing_and_evaluates_nothing)
{
    int n = 0;
    cr_assert_eq(hws_log_init("", 3, err, sizeof err), HWS_OK);
    capture();
    hws_trace(peer, "call %d", count_call(&n));
    cr_assert_str_eq(captured(), "");
    cr_assert_eq(n, 0);
}

Test(log, only_the_folders_named)
{
    cr_assert_eq(hws_log_init("link,peer", 3, err, sizeof err), HWS_OK);
    capture();
    hws_trace(peer, "one %d", 1);
    hws_trace(coll, "two");
    hws_trace(link, "three");
    cr_assert_str_eq(captured(), "hawser[3] peer: one 1\nhawser[3] link: three\n");
}

Test(log, all_and_no_rank_yet)
{
    cr_assert_eq(hws_log_init("all", -1, err, sizeof err), HWS_OK);
    capture();
    hws_trace(base, "a");
    hws_trace(mpirun, "b");
    cr_assert_str_eq(captured(), "hawser base: a\nhawser mpirun: b\n");
}

Test(log, an_unknown_folder_is_named_and_changes_nothing)
{
    cr_assert_eq(hws_log_init("peer", 0, err, sizeof err), HWS_OK);
    unsigned before = hws_trace_mask;
    cr_assert_eq(hws_log_init("link,peers", 0, err, sizeof err), HWS_EINVAL);
    cr_assert_str_eq(err, "-trace (HAWSER_TRACE): 'peers' is neither a folder nor all");
    cr_assert_eq(hws_log_init(",", 0, err, sizeof err), HWS_EINVAL);
    cr_assert_eq(hws_trace_mask, before);
}

Test(log, a_change_takes_what_there_is)
{
    cr_assert_eq(hws_log_init("peer", 3, err, sizeof err), HWS_OK);
    hws_log_set(",peers,base,,");
    cr_assert_eq(hws_trace_mask, 1u << HWS_FOLDER_base);
    capture();
    hws_trace(base, "a");
    cr_assert_str_eq(captured(), "hawser[3] base: a\n");
    hws_log_set("");
    cr_assert_eq(hws_trace_mask, 0);
}

Test(log, a_warning_is_never_off)
{
    cr_assert_eq(hws_log_init("", 7, err, sizeof err), HWS_OK);
    capture();
    hws_warn("x");
    cr_assert_str_eq(captured(), "hawser[7]: x\n");
}

Test(log, one_line_whatever_is_in_it)
{
    cr_assert_eq(hws_log_init("", 7, err, sizeof err), HWS_OK);
    capture();
    hws_warn("a\nb\x1b[2J%s", "\x7f");
    cr_assert_str_eq(captured(), "hawser[7]: a?b?[2J?\n");
}

Test(log, a_long_line_is_cut_and_ends)
{
    char longer[5000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    capture();
    hws_warn("%s", longer);
    const char *line = captured();
    cr_assert_eq(strlen(line), 1024);
    cr_assert_eq(line[1023], '\n');
    cr_assert_eq(line[1022], 'x');
}

Test(log, errno_stays)
{
    capture();
    errno = ENOENT;
    hws_warn("x");
    cr_assert_eq(errno, ENOENT);
    captured();
}
