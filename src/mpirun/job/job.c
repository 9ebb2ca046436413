/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job: states are STARTING -> RUNNING -> ENDING. A failure that ends the job (policy.h) starts ENDING: SIGTERM to all
 * ranks, SIGKILL after a grace, and at last a sweep for processes that ranks left behind. A report that may be a mere
 * consequence of another rank's death is held back for a moment (HOLD_S), so that the one message names the true
 * reason.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/errors.h"
#include "mpirun/job/job_priv.h"
#include "mpirun/pmi/kvs.h"

#define HOLD_S  0.05 /* a truer reason may still arrive: exits are reported after the kernel has closed the sockets */
#define GRACE_S 1.0  /* between SIGTERM and SIGKILL; the job must be gone 2 s after the failure */
#define LIMIT_S 0.7  /* after SIGKILL: then what is left cannot be killed or written */

#define STATUS_TIMEOUT 124 /* as of timeout(1) */

/* With -v: when a phase of the job was over. */
static void __attribute__((format(printf, 2, 3))) say_phase(struct job *j, const char *fmt, ...)
{
    char text[160];
    va_list ap;
    if (!j->args->is_verbose)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    hws_job_say(j, "after %.3f s: %s", (double)(hws_clock_ns() - j->begin_ns) * 1e-9, text);
}

/* ---- to the nodes ---------------------------------------------------------------------------------------------- */

static void signal_ranks(struct job *j, int signum)
{
    for (int i = 0; i < j->place->n_nodes; i++)
        if (j->nodes[i].state == HWS_NODE_RUNNING)
            hws_any_signal(&j->nodes[i].any, signum);
}

/* ---- the end --------------------------------------------------------------------------------------------------- */

/* Hosts that have not started ranks are waited for until the job ends. */
static bool all_drained(const struct job *j)
{
    return j->state != JOB_STARTING && !j->n_running;
}

void hws_job_check_end(struct job *j)
{
    if (all_drained(j))
        hws_job_output_unfold(j);
    if (!all_drained(j) || hws_output_waits(j->mpirun))
        return;
    j->end.is_over = true;
    hws_mpirun_check_end(j->mpirun);
}

static void end_ranks(struct job *j)
{
    j->state = JOB_ENDING;
    hws_loop_timer_stop(j->end.hold_timer);
    signal_ranks(j, SIGTERM);
    signal_ranks(j, SIGCONT); /* a stopped rank could not take it */
    hws_job_connect_cancel(j);
    hws_loop_timer_start(j->end.kill_timer, GRACE_S);
    hws_job_check_end(j);
}

/* Shows the failure that was found, unless it is the signal that the user sent, and ends the job. */
static void decide(struct job *j)
{
    bool is_wanted = j->end.failure.cause == HWS_CAUSE_SIGNAL && j->end.failure.signum == j->mpirun->forwarded;
    if (!is_wanted)
        hws_job_say(j, "%s", j->end.failure.text);
    end_ranks(j);
}

/* Something has failed: what that means is the policy's. */
static void report(struct job *j, const struct hws_failure *f)
{
    if (j->state == JOB_ENDING)
        return;
    enum hws_consequence c = hws_policy_judge(j->end.policy, &j->end.failure, f);
    if (c == HWS_END_NOW)
        decide(j);
    else if (c == HWS_END_SOON)
        hws_loop_timer_start(j->end.hold_timer, HOLD_S);
}

static void report_text(struct job *j, enum hws_cause cause, int status, const char *fmt, va_list ap)
{
    struct hws_failure f = {.cause = cause, .status = status};
    vsnprintf(f.text, sizeof f.text, fmt, ap);
    report(j, &f);
}

void hws_job_fail(struct job *j, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report_text(j, HWS_CAUSE_SELF, status, fmt, ap);
    va_end(ap);
}

void hws_job_lose_host(struct job *j, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report_text(j, HWS_CAUSE_HOST, status, fmt, ap);
    va_end(ap);
}

static void on_hold_over(void *arg)
{
    struct job *j = arg;
    hws_mpirun_reap(j->mpirun); /* mpirun itself may have been kept from running all the while */
    if (j->state != JOB_ENDING)
        decide(j);
}

static void on_kill_time(void *arg)
{
    struct job *j = arg;
    signal_ranks(j, SIGKILL);
    hws_loop_timer_start(j->end.limit_timer, LIMIT_S);
}

/* What is left of its ranks is given up. */
static void give_up(struct job *j)
{
    for (int i = 0; i < j->place->n_nodes; i++)
        if (j->nodes[i].state == HWS_NODE_RUNNING)
            hws_node_become(&j->nodes[i].state, HWS_NODE_LOST);
    j->n_running = 0;
    j->end.is_over = true;
    hws_mpirun_check_end(j->mpirun);
}

static void on_limit(void *arg)
{
    struct job *j = arg;
    if (hws_mpirun_has_others(j->mpirun, j)) {
        give_up(j);
        return;
    }
    hws_mpirun_drop_agents(j->mpirun);
    hws_loop_stop(j->mpirun->loop);
}

void hws_job_fail_late(struct job *j)
{
    hws_job_fail(j, STATUS_TIMEOUT, "the job did not end within %g seconds", j->mpirun->args->timeout_s);
}

/* ---- news from the nodes --------------------------------------------------------------------------------------- */

bool hws_job_is_rank_of(const struct job_node *n, int rank)
{
    return rank >= 0 && rank < n->job->place->size && &n->job->nodes[n->job->ranks[rank].node] == n;
}

static struct hws_culprit culprit(const struct job_node *n, int rank)
{
    return (struct hws_culprit){rank, (int)n->job->ranks[rank].pid, n->name, ""};
}

static void on_started(void *arg, int rank, pid_t pid)
{
    struct job_node *n = arg;
    if (!hws_job_is_rank_of(n, rank))
        return;
    n->job->ranks[rank].pid = pid;
    if (++n->job->n_launched == n->job->place->size)
        say_phase(n->job, "%d ranks started", n->job->n_launched);
}

static void on_abort(void *arg, int rank, int code, const char *text)
{
    struct job_node *n = arg;
    struct hws_failure f;
    if (!hws_job_is_rank_of(n, rank))
        return;
    struct hws_culprit who = culprit(n, rank);
    hws_failure_of_abort(&f, &who, code, text);
    report(n->job, &f);
}

/* A barrier waits for who will never come. A job of programs without MPI has none. */
static bool misses_one(struct job *j)
{
    struct hws_failure f;
    if (!j->exchange.absent.host || !j->exchange.n_in)
        return false;
    hws_failure_of_absence(&f, &j->exchange.absent);
    if (j->end.failure.cause == HWS_CAUSE_NONE) /* its status or signal tells more */
        report(j, &f);
    return true;
}

static void on_exit_of_rank(void *arg, int rank, int wait_status, enum hws_rank_state last, const char *call)
{
    struct job_node *n = arg;
    struct hws_failure f;
    if (!hws_job_is_rank_of(n, rank))
        return;
    struct hws_culprit who = culprit(n, rank);
    who.call = call;
    hws_failure_of_exit(&f, &who, wait_status, last);
    report(n->job, &f);
    if (last == HWS_RANK_STARTED && !n->job->exchange.absent.host)
        n->job->exchange.absent = culprit(n, rank);
    misses_one(n->job);
}

/* All cards to all hosts grows with the square of the hosts: beyond a bound mpirun keeps them, and the hosts ask for
 * those that their ranks need. What was told before stays told, so this is decided with the first batch. */
static void keep_batch(struct job *j, struct hws_buf *all)
{
    bool is_first = !j->exchange.is_told && !j->exchange.kvs;
    if (!all->len)
        return;
    if (is_first && all->len * (size_t)j->place->n_nodes > j->args->params.cards_push) {
        j->exchange.kvs = hws_kvs_open();
        say_phase(j, "the hosts will ask for addresses");
        for (int i = 0; i < j->place->n_nodes; i++)
            hws_any_ask(&j->nodes[i].any);
    }
    j->exchange.is_told = !j->exchange.kvs;
    if (!j->exchange.kvs)
        return;
    if (hws_kvs_put_batch(j->exchange.kvs, hws_buf_data(all), all->len) != HWS_OK)
        hws_job_fail(j, 1, "a host sent something that are no addresses");
    hws_buf_consume(all, all->len);
}

static void on_wanted(void *arg, const char *key)
{
    struct job_node *n = arg;
    struct hws_kvs *kvs = n->job->exchange.kvs;
    if (n->state != HWS_NODE_RUNNING)
        return;
    hws_any_value(&n->any, key, kvs ? hws_kvs_get(kvs, key, strlen(key)) : NULL);
}

static void on_barrier(void *arg, struct hws_buf *batch)
{
    struct job_node *n = arg;
    struct job *j = n->job;
    if (n->state != HWS_NODE_RUNNING)
        return;
    if (j->place->n_nodes > 1)
        hws_buf_append(&j->exchange.batches, hws_buf_data(batch), batch->len);
    j->exchange.n_in++;
    if (misses_one(j) || j->exchange.n_in < j->place->n_nodes)
        return;
    if (j->exchange.n_done++ == 0)
        say_phase(j, "all ranks have published their addresses, %zu bytes",
                  j->place->n_nodes > 1 ? j->exchange.batches.len : batch->len);
    struct hws_buf all = j->exchange.batches; /* a release may begin the next barrier */
    j->exchange.batches = (struct hws_buf){0};
    j->exchange.n_in = 0;
    keep_batch(j, &all);
    for (int i = 0; i < j->place->n_nodes; i++)
        hws_any_release(&j->nodes[i].any, hws_buf_data(&all), all.len);
    hws_buf_free(&all);
}

static void on_stdin_taken(void *arg, size_t n_bytes)
{
    struct job_node *n = arg;
    n->input_taken += n_bytes;
    if (n->job->number == 0)
        hws_input_taken(&n->job->mpirun->input, n->input_taken);
}

static void on_stdin_closed(void *arg)
{
    struct job_node *n = arg;
    n->reads_input = false;
    for (int i = 0; i < n->job->place->n_nodes; i++)
        if (n->job->nodes[i].reads_input)
            return;
    if (n->job->number == 0)
        hws_input_close(&n->job->mpirun->input);
}

static void on_report(void *arg, const char *data, size_t len)
{
    struct job_node *n = arg;
    hws_reports_answer(n->job->mpirun->reports, n, data, len);
}

static void on_profiles(void *arg, const char *data, size_t len)
{
    struct job_node *n = arg;
    hws_job_page_add(n, data, len);
}

static void on_drained(void *arg)
{
    struct job_node *n = arg;
    struct job *j = n->job;
    if (n->state == HWS_NODE_RUNNING) {
        hws_node_become(&n->state, HWS_NODE_DRAINED);
        j->n_running--;
    }
    if (all_drained(j) && j->state == JOB_RUNNING && j->end.failure.cause != HWS_CAUSE_NONE)
        decide(j); /* nothing truer can come */
    if (all_drained(j))
        say_phase(j, "all ranks have ended");
    hws_job_check_end(j);
}

const struct hws_node_events hws_job_node_events = {on_started, hws_job_on_output, on_abort,       on_exit_of_rank,
                                                    on_barrier, on_wanted,         on_stdin_taken, on_stdin_closed,
                                                    on_report,  on_profiles,       on_drained};

/* ---- news from outside ----------------------------------------------------------------------------------------- */

void hws_job_forward(struct job *j, int signum)
{
    bool is_end = signum == SIGINT || signum == SIGTERM;
    if (is_end && j->state == JOB_STARTING) {
        hws_job_fail(j, HWS_STATUS_SIGNAL + signum, "interrupted before all hosts had answered");
    } else if (is_end && j->end.n_interrupts++ > 0) {
        hws_job_fail(j, HWS_STATUS_SIGNAL + signum, "interrupted twice: all ranks are killed");
        on_kill_time(j);
    } else {
        if (signum == SIGUSR1)
            hws_job_gateways_report(j);
        signal_ranks(j, signum);
    }
}

/* ---- start ----------------------------------------------------------------------------------------------------- */

static void start_node(struct job_node *n)
{
    char err[1024];
    hws_node_become(&n->state, HWS_NODE_RUNNING);
    n->job->n_running++;
    if (n->any.remote) {
        hws_remote_start(n->any.remote, &n->spec);
        return;
    }
    int rc = hws_node_start(n->any.local, err, sizeof err);
    if (rc) {
        hws_job_fail(n->job, rc, "%s", err);
        hws_node_check_drained(n->any.local);
    }
}

/* For ranks that start while mpirun's output cannot be written. */
static void join_pause(struct job *j)
{
    for (int i = 0; i < j->place->n_nodes && j->mpirun->out.is_paused; i++)
        if (j->nodes[i].state == HWS_NODE_RUNNING)
            hws_any_pause(&j->nodes[i].any, true);
}

static void take_input(struct job *j)
{
    for (int i = 0; i < j->place->n_nodes; i++)
        j->nodes[i].reads_input = j->args->stdin_all || j->place->ranks[j->args->stdin_rank].node == i;
    if (j->state == JOB_RUNNING)
        hws_mpirun_open_input(j->mpirun);
}

void hws_job_start_ranks(struct job *j)
{
    j->state = JOB_RUNNING;
    for (int i = 0; i < j->place->n_nodes && j->state == JOB_RUNNING; i++)
        start_node(&j->nodes[i]);
    join_pause(j);
    hws_output_pause(j->mpirun);
    if (j->number == 0 && !j->args->no_stdin)
        take_input(j);
}

void hws_job_open(struct job *j)
{
    struct mpirun *m = j->mpirun;
    hws_job_output_open(j);
    j->end.hold_timer = hws_loop_timer(m->loop, on_hold_over, j);
    j->end.kill_timer = hws_loop_timer(m->loop, on_kill_time, j);
    j->end.limit_timer = hws_loop_timer(m->loop, on_limit, j);
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        if (strcmp(n->name, m->self.host) == 0)
            n->any.local = hws_node_open(m->loop, &n->spec, m->origin, &hws_job_node_events, n);
    }
}
