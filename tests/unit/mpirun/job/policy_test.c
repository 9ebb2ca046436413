/* SPDX-License-Identifier: BSD-3-Clause
 *
 * policy_test: what becomes of a job when a rank or a host of it dies, for every cause, and which reason is told.
 */
#include "mpirun/job/policy.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>

static struct hws_failure news(enum hws_cause cause, const char *text)
{
    struct hws_failure f = {.cause = cause, .status = 1};
    strcpy(f.text, text);
    return f;
}

static enum hws_consequence hear(struct hws_failure *found, enum hws_cause cause, const char *text)
{
    struct hws_failure f = news(cause, text);
    return hws_policy_judge(&hws_policy_end, found, &f);
}

Test(policy, a_death_ends_the_job)
{
    static const enum hws_consequence expect[HWS_CAUSES] = {
        [HWS_CAUSE_NONE] = HWS_GO_ON,     [HWS_CAUSE_STATUS] = HWS_END_SOON, [HWS_CAUSE_ABORT] = HWS_END_SOON,
        [HWS_CAUSE_EARLY] = HWS_END_SOON, [HWS_CAUSE_SIGNAL] = HWS_END_NOW,  [HWS_CAUSE_HOST] = HWS_END_NOW,
        [HWS_CAUSE_SELF] = HWS_END_NOW};
    for (int i = 0; i < HWS_CAUSES; i++) {
        struct hws_failure found = {0};
        cr_expect_eq(hear(&found, (enum hws_cause)i, "x"), expect[i], "%d", i);
        cr_expect_eq(found.cause, (enum hws_cause)i, "%d", i);
        cr_expect_str_eq(found.text, i == HWS_CAUSE_NONE ? "" : "x", "%d", i);
    }
}

/* What was found first stays; what explains it takes its place, and ends the job at once only if it would by itself. */
Test(policy, every_pair_of_causes)
{
    for (int first = 1; first < HWS_CAUSES; first++)
        for (int second = 0; second < HWS_CAUSES; second++) {
            struct hws_failure found = {0};
            hear(&found, (enum hws_cause)first, "first");
            enum hws_consequence c = hear(&found, (enum hws_cause)second, "second");
            bool is_truer = second > first, ends_now = second >= HWS_CAUSE_SIGNAL;
            cr_expect_eq(c, is_truer && ends_now ? HWS_END_NOW : HWS_GO_ON, "%d, then %d", first, second);
            cr_expect_str_eq(found.text, is_truer ? "second" : "first", "%d, then %d", first, second);
        }
}

/* The seam: another policy is another row, and nothing else. */
Test(policy, a_job_may_go_on_without_a_rank)
{
    struct hws_policy p = hws_policy_end;
    struct hws_failure found = {0}, f = news(HWS_CAUSE_SIGNAL, "rank 1 was killed");
    p.on[HWS_CAUSE_SIGNAL] = HWS_GO_ON;
    cr_expect_eq(hws_policy_judge(&p, &found, &f), HWS_GO_ON);
    cr_expect_eq(found.cause, HWS_CAUSE_NONE);
    f = news(HWS_CAUSE_HOST, "host h2 was lost");
    cr_expect_eq(hws_policy_judge(&p, &found, &f), HWS_END_NOW);
    cr_expect_str_eq(found.text, "host h2 was lost");
    f = news(HWS_CAUSE_SIGNAL, "rank 2 was killed");
    cr_expect_eq(hws_policy_judge(&p, &found, &f), HWS_GO_ON);
    cr_expect_str_eq(found.text, "host h2 was lost");
}

/* From waitpid()'s status on: the whole way of a rank that ends. */
Test(policy, ends_of_ranks)
{
    static const struct {
        int wait_status;
        enum hws_rank_state last;
        enum hws_consequence expect;
    } rows[] = {
        {W_EXITCODE(0, 0), HWS_RANK_FINALIZED, HWS_GO_ON}, {W_EXITCODE(0, 0), HWS_RANK_STARTED, HWS_GO_ON},
        {W_EXITCODE(0, 0), HWS_RANK_IN_MPI, HWS_END_SOON}, {W_EXITCODE(3, 0), HWS_RANK_FINALIZED, HWS_END_SOON},
        {W_EXITCODE(3, 0), HWS_RANK_ABORTED, HWS_GO_ON},   {W_EXITCODE(0, 9), HWS_RANK_FINALIZED, HWS_END_NOW},
    };
    struct hws_culprit who = {.rank = 3, .pid = 44, .host = "h", .call = ""};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hws_failure found = {0}, f;
        hws_failure_of_exit(&f, &who, rows[i].wait_status, rows[i].last);
        cr_expect_eq(hws_policy_judge(&hws_policy_end, &found, &f), rows[i].expect, "%zu", i);
    }
}
