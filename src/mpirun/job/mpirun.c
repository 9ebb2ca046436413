/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpirun: what all jobs share: the loop, signals, input, children, and the end, which comes when no job is left. What a
 * job that is over leaves while others go on is put away by a timer, since its end is told from within calls of its
 * node.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mpirun/job/job_priv.h"
#include "mpirun/pmi/kvs.h"

#define AGENT_S 1.0 /* for dismissed daemons and their remote shells to exit */

/* ---- the end --------------------------------------------------------------------------------------------------- */

static bool has_failed(const struct job *j)
{
    return j->end.failure.cause != HWS_CAUSE_NONE;
}

static const struct job *first_failed(const struct mpirun *m)
{
    for (int i = 0; i < m->n_jobs; i++)
        if (has_failed(m->jobs[i]))
            return m->jobs[i];
    return NULL;
}

bool hws_mpirun_has_others(const struct mpirun *m, const struct job *j)
{
    for (int i = 0; i < m->n_jobs; i++)
        if (m->jobs[i] != j && !m->jobs[i]->end.is_over)
            return true;
    return false;
}

static void dismiss_daemons(struct mpirun *m)
{
    m->is_dismissed = true;
    for (int i = 0; i < m->n_hosts; i++)
        if (m->hosts[i]->remote)
            hws_remote_end(m->hosts[i]->remote, first_failed(m) != NULL);
    for (int i = 0; i < m->n_jobs; i++)
        hws_job_gateways_end(m->jobs[i], 0);
    hws_loop_timer_start(m->dismiss_timer, AGENT_S);
}

static bool has_agents(const struct mpirun *m)
{
    for (int i = 0; i < m->n_hosts; i++)
        if (m->hosts[i]->remote && hws_remote_is_running(m->hosts[i]->remote))
            return true;
    for (int i = 0; i < m->n_jobs; i++)
        if (hws_job_gateways_run(m->jobs[i]))
            return true;
    return false;
}

void hws_mpirun_drop_agents(struct mpirun *m)
{
    for (int i = 0; i < m->n_hosts; i++)
        if (m->hosts[i]->remote)
            hws_remote_kill_agent(m->hosts[i]->remote, SIGKILL);
    for (int i = 0; i < m->n_jobs; i++)
        hws_job_gateways_end(m->jobs[i], SIGKILL);
}

static void on_dismiss_time(void *arg)
{
    hws_mpirun_drop_agents(arg);
}

void hws_mpirun_check_end(struct mpirun *m)
{
    if (hws_mpirun_has_others(m, NULL)) {
        hws_loop_timer_start(m->tidy_timer, 0);
        return;
    }
    if (!m->is_dismissed)
        dismiss_daemons(m);
    if (has_agents(m))
        return;
    m->is_over = true;
    hws_loop_stop(m->loop);
}

/* The mark of a job's processes on mpirun's own host. */
static void make_mark(const struct job_node *n, char mark[HWS_JOB_NAME_MAX + 16])
{
    snprintf(mark, HWS_JOB_NAME_MAX + 16, "%s/%d/", n->spec.job, n->spec.node);
}

static void put_away(struct job *j)
{
    char mark[HWS_JOB_NAME_MAX + 16];
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        if (n->any.remote && n->state != HWS_NODE_PLANNED && hws_host_listens(n->host->state))
            hws_remote_close(n->any.remote, j->id);
        if (n->any.local) {
            hws_node_fini(n->any.local);
            n->any.local = NULL;
            make_mark(n, mark);
            hws_guard_sweep(mark);
        }
    }
    hws_job_gateways_end(j, 0);
    hws_kvs_fini(j->exchange.kvs);
    j->exchange.kvs = NULL;
    j->end.is_put_away = true;
}

static void on_tidy(void *arg)
{
    struct mpirun *m = arg;
    for (int i = 0; i < m->n_jobs && hws_mpirun_has_others(m, NULL); i++)
        if (m->jobs[i]->end.is_over && !m->jobs[i]->end.is_put_away)
            put_away(m->jobs[i]);
}

/* What ranks of this host left behind ends with mpirun. */
static void stop_guard(struct mpirun *m)
{
    char mark[HWS_JOB_NAME_MAX + 16] = "";
    for (int k = 0; k < m->n_jobs; k++)
        for (int i = 0; i < m->jobs[k]->place->n_nodes; i++) {
            if (!m->jobs[k]->nodes[i].any.local)
                continue;
            if (*mark && !m->guard.adopts)
                hws_guard_sweep(mark);
            make_mark(&m->jobs[k]->nodes[i], mark);
        }
    hws_guard_stop(&m->guard, *mark ? mark : NULL);
}

/* ---- children -------------------------------------------------------------------------------------------------- */

/* A rank on this host, or what carries a gateway. */
static bool is_of_job(const struct mpirun *m, pid_t pid, int status)
{
    for (int k = 0; k < m->n_jobs; k++) {
        if (hws_job_gateways_on_child(m->jobs[k], pid, status))
            return true;
        for (int i = 0; i < m->jobs[k]->place->n_nodes; i++) {
            struct hws_node *local = m->jobs[k]->nodes[i].any.local;
            if (local && hws_node_on_child(local, pid, status))
                return true;
        }
    }
    return false;
}

void hws_mpirun_reap(struct mpirun *m)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = is_of_job(m, pid, status) ? m->n_hosts : 0; i < m->n_hosts; i++)
            if (m->hosts[i]->remote && hws_remote_on_child(m->hosts[i]->remote, pid, status))
                break;
}

static void on_child(void *arg, int signum)
{
    (void)signum;
    hws_mpirun_reap(arg);
}

/* ---- signals and time ------------------------------------------------------------------------------------------ */

static void rest(const struct mpirun *m, bool rests)
{
    for (int i = 0; i < m->n_hosts; i++)
        if (m->hosts[i]->remote)
            hws_remote_rest(m->hosts[i]->remote, rests);
}

/* Until somebody sends SIGCONT. */
static void stop(const struct mpirun *m)
{
    rest(m, true);
    raise(SIGSTOP);
    rest(m, false);
}

static void on_forward(void *arg, int signum)
{
    struct mpirun *m = arg;
    m->forwarded = signum;
    if (signum == SIGUSR1)
        hws_reports_ask(m->reports, NULL);
    for (int i = 0; i < m->n_jobs; i++)
        if (!m->jobs[i]->end.is_over)
            hws_job_forward(m->jobs[i], signum);
    if (signum == SIGTSTP)
        stop(m);
}

static void catch_signals(struct mpirun *m)
{
    static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
        struct sigaction now;
        if (sigaction(forwarded[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            continue; /* nohup, or a background job of a shell: the ranks ignore it too */
        hws_loop_signal(m->loop, forwarded[i], on_forward, m);
    }
    hws_loop_signal(m->loop, SIGCHLD, on_child, m);
    signal(SIGPIPE, SIG_IGN);
}

static void fail_late(struct mpirun *m)
{
    for (int i = 0; i < m->n_jobs; i++)
        if (!m->jobs[i]->end.is_over)
            hws_job_fail_late(m->jobs[i]);
}

static void on_timeout(void *arg)
{
    struct mpirun *m = arg;
    hws_reports_ask(m->reports, fail_late);
}

/* ---- input ----------------------------------------------------------------------------------------------------- */

static void on_input(void *arg, const char *data, size_t len)
{
    struct mpirun *m = arg;
    struct job *j = m->jobs[0];
    for (int i = 0; i < j->place->n_nodes; i++)
        if (j->nodes[i].reads_input)
            hws_any_stdin(&j->nodes[i].any, data, len);
}

void hws_mpirun_open_input(struct mpirun *m)
{
    hws_input_open(&m->input, m->loop, STDIN_FILENO, on_input, m);
}

/* ---- begin ----------------------------------------------------------------------------------------------------- */

static void open_timers(struct mpirun *m)
{
    m->timeout_timer = hws_loop_timer(m->loop, on_timeout, m);
    m->dismiss_timer = hws_loop_timer(m->loop, on_dismiss_time, m);
    m->tidy_timer = hws_loop_timer(m->loop, on_tidy, m);
    if (m->args->timeout_s > 0)
        hws_loop_timer_start(m->timeout_timer, m->args->timeout_s);
}

/* With the first job, before any process of it. */
static int begin(struct mpirun *m, const struct hws_place *place)
{
    hws_guard_adopt(&m->guard, place->n_nodes > 1 || strcmp(place->nodes[0], m->self.host) != 0);
    hws_guard_start(&m->guard, m->self.name);
    m->loop = hws_loop_open();
    if (!m->loop) {
        fprintf(stderr, "mpirun: cannot make an event loop: %s\n", strerror(errno));
        return 1;
    }
    hws_output_open(m);
    open_timers(m);
    m->reports = hws_reports_open(m);
    catch_signals(m);
    return 0;
}

/* A host that comes with a later job is reached by a remote shell, whose children may be meant to stay. */
static void bring_agents(struct mpirun *m, const struct hws_place *place)
{
    for (int i = 0; i < place->n_nodes; i++)
        if (strcmp(place->nodes[i], m->self.host) != 0)
            hws_guard_disown(&m->guard);
}

int hws_mpirun_add_job(struct mpirun *m, const struct hws_args *args, const struct hws_place *place)
{
    struct job *j = hws_xcalloc(1, sizeof *j);
    *j = (struct job){.mpirun = m,
                      .number = m->n_jobs,
                      .args = args,
                      .place = place,
                      .end.policy = &hws_policy_end,
                      .begin_ns = hws_clock_ns()};
    int rc = hws_job_setup(j);
    if (!rc)
        rc = hws_job_page_open(j);
    if (!rc && !m->loop)
        rc = begin(m, place);
    else if (!rc)
        bring_agents(m, place);
    if (rc) { /* what was set up lives as long as mpirun, which ends now or goes on without */
        j->unbegun_next = m->unbegun;
        m->unbegun = j;
        return rc;
    }
    m->jobs = hws_xrealloc(m->jobs, (size_t)(m->n_jobs + 1) * sizeof *m->jobs);
    m->jobs[m->n_jobs++] = j;
    hws_job_open(j);
    hws_job_say_plan(j);
    hws_job_connect(j);
    return 0;
}

struct mpirun *hws_mpirun_open(const struct hws_args *args, const struct hws_origin *origin)
{
    struct mpirun *m = hws_xcalloc(1, sizeof *m);
    *m = (struct mpirun){.args = args, .origin = origin};
    if (hws_mpirun_setup(m) == 0)
        return m;
    free(m);
    return NULL;
}

int hws_mpirun_run(struct mpirun *m)
{
    if (!m->is_over) /* a program that cannot be started ends the job before it began */
        hws_loop_run(m->loop);
    const struct job *failed = first_failed(m);
    hws_output_flush(m, failed ? 50 : 1000);
    if (failed)
        hws_guard_sweep(m->self.name);
    stop_guard(m);
    hws_job_page_write(m->jobs[0]);
    return (failed ? failed : m->jobs[0])->end.failure.status;
}

int hws_job_run(const struct hws_args *args, const struct hws_place *place, const struct hws_origin *origin)
{
    static struct mpirun *m; /* static: what it holds lives as long as the process */
    m = hws_mpirun_open(args, origin);
    int rc = m ? hws_mpirun_add_job(m, args, place) : 1;
    return rc ? rc : hws_mpirun_run(m);
}
