/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines_test: output leaves in whole lines, however it arrives; and which of several failures is told.
 */
#include "mpirun/io/lines.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "mpirun/job/failure.h"
#include "mpirun/node/node.h"

static struct hws_buf got;
static int n_emits;

static void emit(void *arg, const char *data, size_t len)
{
    cr_assert_gt(len, 0u);
    (void)arg;
    n_emits++;
    hws_buf_append(&got, data, len);
}

static const char *text(void)
{
    hws_buf_append(&got, "", 1);
    got.len--;
    return hws_buf_data(&got);
}

static const struct hws_lines_to plain = {"", emit, NULL}, tagged = {"[7] ", emit, NULL};

static void feed(struct hws_lines *l, const struct hws_lines_to *to, const char *data)
{
    hws_lines_feed(l, to, data, strlen(data));
}

Test(lines, begun_lines_wait)
{
    struct hws_lines l = {0};
    feed(&l, &plain, "one\ntwo");
    cr_expect_str_eq(text(), "one\n");
    feed(&l, &plain, " more");
    cr_expect_str_eq(text(), "one\n");
    feed(&l, &plain, "\n\nthree\nfour");
    cr_expect_str_eq(text(), "one\ntwo more\n\nthree\n");
    cr_expect_eq(n_emits, 2);
    hws_lines_end(&l, &plain);
    cr_expect_str_eq(text(), "one\ntwo more\n\nthree\nfour", "the end is given out as it is");
    hws_lines_end(&l, &plain);
    cr_expect_eq(n_emits, 3);
}

Test(lines, tags_are_at_the_beginning_of_lines_only)
{
    struct hws_lines l = {0};
    feed(&l, &tagged, "a");
    feed(&l, &tagged, "b\nc\n\nd");
    cr_expect_str_eq(text(), "[7] ab\n[7] c\n[7] \n");
    hws_lines_end(&l, &tagged);
    cr_expect_str_eq(text(), "[7] ab\n[7] c\n[7] \n[7] d\n");
}

Test(lines, byte_by_byte_is_the_same)
{
    static const char all[] = "first\n\nsecond line\nlast";
    struct hws_lines l = {0};
    for (size_t i = 0; i < sizeof all - 1; i++)
        hws_lines_feed(&l, &plain, all + i, 1);
    hws_lines_end(&l, &plain);
    cr_expect_str_eq(text(), all);
}

Test(lines, an_endless_line_is_given_out_in_parts)
{
    struct hws_lines l = {0};
    size_t len = 3 * HWS_LINE_MAX;
    char *data = malloc(len);
    memset(data, 'x', len);
    for (size_t i = 0; i < len; i += 1000)
        hws_lines_feed(&l, &plain, data + i, len - i < 1000 ? len - i : 1000);
    cr_expect_gt(got.len, HWS_LINE_MAX);
    hws_lines_end(&l, &plain);
    cr_expect_eq(got.len, len);
    free(data);
}

static const struct hws_culprit who = {3, 77, "h1", ""};

Test(failure, texts)
{
    struct hws_failure f;
    hws_failure_of_exit(&f, &who, 3 << 8, HWS_RANK_STARTED);
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) exited with status 3");
    cr_expect_eq(f.status, 3);
    hws_failure_of_exit(&f, &who, 0, HWS_RANK_IN_MPI);
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) exited with status 0 without calling MPI_Finalize");
    cr_expect_eq(f.status, 1);
    hws_failure_of_exit(&f, &who, SIGKILL, HWS_RANK_IN_MPI);
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) was killed by signal 9 (SIGKILL)");
    cr_expect_eq(f.status, 137);
    hws_failure_of_exit(&f, &who, SIGSEGV | 0x80, HWS_RANK_IN_MPI);
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) was killed by signal 11 (SIGSEGV), core dumped");
    struct hws_culprit in_call = who;
    in_call.call = "MPI_Send";
    hws_failure_of_exit(&f, &in_call, SIGSEGV | 0x80, HWS_RANK_IN_MPI);
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) was killed by signal 11 (SIGSEGV) in MPI_Send, core dumped");
    hws_failure_of_abort(&f, &who, 7, "why");
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) ended the job with code 7: why");
    cr_expect_eq(f.status, 7);
    hws_failure_of_abort(&f, &who, 7, "rank 3 on host h1: MPI_Send: why");
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) ended the job with code 7: MPI_Send: why");
    hws_failure_of_abort(&f, &who, 7, "rank 4 on host h1: is lost");
    cr_expect_str_eq(f.text, "rank 3 on host h1 (pid 77) ended the job with code 7: rank 4 on host h1: is lost");
}

Test(failure, no_failure_looks_like_success)
{
    static const int codes[] = {0, 256, -256, 65536};
    struct hws_failure f;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        hws_failure_of_abort(&f, &who, codes[i], "");
        cr_expect_eq(f.status, 1, "code %d", codes[i]);
    }
    hws_failure_of_exit(&f, &who, 0, HWS_RANK_FINALIZED);
    cr_expect_eq(f.cause, HWS_CAUSE_NONE);
    hws_failure_of_exit(&f, &who, 0, HWS_RANK_STARTED);
    cr_expect_eq(f.cause, HWS_CAUSE_NONE, "not an MPI program");
    hws_failure_of_exit(&f, &who, 7 << 8, HWS_RANK_ABORTED);
    cr_expect_eq(f.cause, HWS_CAUSE_NONE, "its abort has been told");
    hws_failure_of_exit(&f, &who, 0, HWS_RANK_ABORTED);
    cr_expect_eq(f.cause, HWS_CAUSE_NONE);
    hws_failure_of_exit(&f, &who, SIGKILL, HWS_RANK_ABORTED);
    cr_expect_eq(f.cause, HWS_CAUSE_SIGNAL, "by whom, its abort does not tell");
}

Test(failure, a_death_explains_the_abort_of_a_neighbour)
{
    struct hws_failure death, early, abort_, status;
    hws_failure_of_exit(&death, &who, SIGKILL, HWS_RANK_IN_MPI);
    hws_failure_of_exit(&early, &who, 5 << 8, HWS_RANK_IN_MPI);
    hws_failure_of_exit(&status, &who, 5 << 8, HWS_RANK_FINALIZED);
    hws_failure_of_abort(&abort_, &who, 1, "peer is lost");
    cr_expect(hws_failure_is_truer(&death, &abort_));
    cr_expect(hws_failure_is_truer(&early, &abort_));
    cr_expect(hws_failure_is_truer(&abort_, &status));
    cr_expect_not(hws_failure_is_truer(&abort_, &death));
    cr_expect_not(hws_failure_is_truer(&death, &death), "the first one stays");
}
