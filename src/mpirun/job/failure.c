/* SPDX-License-Identifier: BSD-3-Clause
 *
 * failure: the texts are part of the interface; tests compare them word for word.
 */
#include "mpirun/job/failure.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static int shell_status(int code)
{
    return code & 0xff ? code & 0xff : 1; /* a failed job never looks like success */
}

static void of_signal(struct hws_failure *f, const struct hws_culprit *who, int wait_status)
{
    int signum = WTERMSIG(wait_status);
    const char *name = sigabbrev_np(signum);
    f->cause = HWS_CAUSE_SIGNAL;
    f->signum = signum;
    f->status = HWS_STATUS_SIGNAL + signum;
    snprintf(f->text, sizeof f->text, "rank %d on host %s (pid %d) was killed by signal %d (SIG%s)%s%s%s", who->rank,
             who->host, who->pid, signum, name ? name : "?", *who->call ? " in " : "", who->call,
             WCOREDUMP(wait_status) ? ", core dumped" : "");
}

void hws_failure_of_exit(struct hws_failure *f, const struct hws_culprit *who, int wait_status,
                         enum hws_rank_state last)
{
    memset(f, 0, sizeof *f);
    if (WIFSIGNALED(wait_status)) {
        of_signal(f, who, wait_status);
        return;
    }
    int status = WEXITSTATUS(wait_status);
    bool is_early = last == HWS_RANK_IN_MPI;
    if (last == HWS_RANK_ABORTED || (!is_early && status == 0))
        return; /* the abort itself has been reported */
    f->cause = is_early ? HWS_CAUSE_EARLY : HWS_CAUSE_STATUS;
    f->status = shell_status(status);
    snprintf(f->text, sizeof f->text, "rank %d on host %s (pid %d) exited with status %d%s", who->rank, who->host,
             who->pid, status, is_early ? " without calling MPI_Finalize" : "");
}

void hws_failure_of_absence(struct hws_failure *f, const struct hws_culprit *who)
{
    memset(f, 0, sizeof *f);
    f->cause = HWS_CAUSE_EARLY;
    f->status = shell_status(0);
    snprintf(f->text, sizeof f->text,
             "rank %d on host %s (pid %d) ended without calling MPI_Init, in which other ranks wait for it", who->rank,
             who->host, who->pid);
}

/* The library begins its texts with "rank R on host H: ", for launchers that do not say it. */
static const char *skip_own_name(const char *text, int rank)
{
    char own[48];
    snprintf(own, sizeof own, "rank %d on host ", rank);
    const char *colon = strncmp(text, own, strlen(own)) == 0 ? strstr(text, ": ") : NULL;
    return colon ? colon + 2 : text;
}

void hws_failure_of_abort(struct hws_failure *f, const struct hws_culprit *who, int code, const char *text)
{
    memset(f, 0, sizeof *f);
    f->cause = HWS_CAUSE_ABORT;
    f->status = shell_status(code);
    text = skip_own_name(text, who->rank);
    snprintf(f->text, sizeof f->text, "rank %d on host %s (pid %d) ended the job with code %d%s%s", who->rank,
             who->host, who->pid, code, *text ? ": " : "", text);
}

bool hws_failure_is_truer(const struct hws_failure *next, const struct hws_failure *now)
{
    return next->cause > now->cause;
}
