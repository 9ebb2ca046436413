/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_connect: reaches the other hosts before any rank starts: at most AT_ONCE remote shells at a time (an sshd takes
 * few logins at once), a deadline for each, and with -wait-hosts further attempts. What a host means for the job that
 * cannot be reached, or is lost later, is the policy's (policy.h).
 */
#include "mpirun/job/job_priv.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT_ONCE    32   /* hosts whose remote shells are under way together */
#define DEADLINE_S 60.0 /* for one host: a slow login with a loaded directory service */
#define RETRY_S    1.0
#define NOTICE_S   5.0 /* silence after which the user is told what is waited for */
#define NAMED      4   /* hosts named in that notice */

#define STATUS_UNREACHABLE 1

static const char srun[] = "srun";

static void connect_more(struct job *j);

static void on_ready(void *arg)
{
    struct job_node *n = arg;
    struct job *j = n->job;
    j->reach.n_connecting--;
    j->reach.n_ready++;
    if (j->reach.n_ready == j->reach.n_remote)
        hws_job_go(j);
    else
        connect_more(j);
}

void hws_job_go(struct job *j)
{
    if (j->state != JOB_STARTING || j->reach.n_ready < j->reach.n_remote || !hws_job_gateways_are_ready(j))
        return;
    hws_loop_timer_stop(j->reach.notice_timer);
    hws_job_start_ranks(j);
}

static void on_failed(void *arg, int status, const char *text)
{
    struct job_node *n = arg;
    hws_job_fail(n->job, status > 0 && status < 256 ? status : 1, "%s", text);
}

static bool may_retry(const struct job *j)
{
    return j->state == JOB_STARTING && hws_loop_now(j->loop) - j->reach.start_s < j->args->wait_hosts_s;
}

/* Clusters of Slurm often let nobody in by ssh. */
static const char *advice(const struct job *j)
{
    bool has_srun = strncmp(j->reach.agent, srun, strlen(srun)) == 0;
    return getenv("SLURM_JOB_ID") && !has_srun ? "; in a Slurm allocation -rsh srun reaches the hosts" : "";
}

/* True: the host is tried again by srun, as all that are still to be reached: the user asked for no way, this is a
 * Slurm allocation, and ssh does not reach the host, for the reason `why`. */
static bool falls_back(struct job_node *n, const char *why)
{
    struct job *j = n->job;
    if (n->agent == srun || j->state != JOB_STARTING || j->args->names_agent || !getenv("SLURM_JOB_ID"))
        return false;
    char *path = hws_find_program(srun, "/", NULL, getenv("PATH"));
    if (path && j->reach.agent != srun)
        hws_job_say(j, "%s; this is a Slurm allocation, so it goes on by srun (-rsh srun does so at once)", why);
    if (path)
        j->reach.agent = srun;
    free(path);
    return j->reach.agent == srun;
}

static void on_lost(void *arg, enum hws_host_state from, const char *text)
{
    struct job_node *n = arg;
    struct job *j = n->job;
    if (from == HWS_HOST_CONNECTING)
        j->reach.n_connecting--;
    if (from == HWS_HOST_RUNNING)
        j->n_running--;
    if (from == HWS_HOST_CONNECTING && (falls_back(n, text) || may_retry(j))) {
        hws_host_become(&n->state, HWS_HOST_BACKOFF);
        return;
    }
    hws_job_lose_host(j, STATUS_UNREACHABLE, "%s%s", text, from == HWS_HOST_CONNECTING ? advice(j) : "");
    hws_job_check_end(j);
}

static void on_gone(void *arg)
{
    struct job_node *n = arg;
    if (n->state == HWS_HOST_BACKOFF && n->job->state == JOB_STARTING)
        hws_loop_timer_start(n->retry_timer, n->agent == n->job->reach.agent ? RETRY_S : 0);
    hws_job_check_end(n->job);
}

static void on_retry(void *arg)
{
    struct job_node *n = arg;
    hws_host_become(&n->state, HWS_HOST_IDLE);
    connect_more(n->job);
}

static void connect_node(struct job_node *n)
{
    struct job *j = n->job;
    n->agent = j->reach.agent;
    int errnum = hws_remote_connect(n->any.remote, n->agent);
    if (!errnum) {
        j->reach.n_connecting++;
        return;
    }
    char why[512];
    snprintf(why, sizeof why, "cannot reach host %s: cannot run '%s': %s", n->name, n->agent, strerror(errnum));
    if (falls_back(n, why))
        connect_node(n);
    else
        hws_job_lose_host(j, STATUS_UNREACHABLE, "%s%s", why, advice(j));
}

static void connect_more(struct job *j)
{
    for (int i = 0; i < j->place->n_nodes && j->reach.n_connecting < AT_ONCE && j->state == JOB_STARTING; i++) {
        struct job_node *n = &j->nodes[i];
        if (n->any.remote && n->state == HWS_HOST_IDLE)
            connect_node(n);
    }
}

/* Names at most a few of the hosts that have not answered. */
static void on_notice(void *arg)
{
    struct job *j = arg;
    char names[256] = "";
    int n_waiting = 0;
    for (int i = 0; i < j->place->n_nodes; i++) {
        const struct job_node *n = &j->nodes[i];
        if (!n->any.remote || n->state == HWS_HOST_READY || n_waiting++ >= NAMED)
            continue;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", n->name);
    }
    hws_job_say(j, "still waiting for %d of %d hosts: %s%s", n_waiting, j->reach.n_remote, names,
                n_waiting > NAMED ? ", ..." : "");
}

static void show_line(void *arg, const char *line)
{
    struct job_node *n = arg;
    hws_job_say(n->job, "%s: %s", n->name, line);
}

static void open_remote(struct job_node *n)
{
    static const struct hws_remote_events handlers = {
        .on_ready = on_ready, .on_failed = on_failed, .on_lost = on_lost, .on_gone = on_gone};
    struct job *j = n->job;
    struct hws_remote_events ev = handlers;
    ev.node = hws_job_node_events;
    struct hws_remote_config cfg = {.extra = j->args->agent_extra,
                                    .cwd = j->plan.cwd,
                                    .host = n->name,
                                    .exe = j->plan.exe,
                                    .mark = j->plan.agent_mark,
                                    .deadline_s = DEADLINE_S,
                                    .silent_ms = j->args->params.host_timeout_ms,
                                    .origin = j->origin};
    n->any.remote = hws_remote_open(j->loop, &cfg, &ev, &n->state, n);
    n->retry_timer = hws_loop_timer(j->loop, on_retry, n);
    if (j->args->is_verbose)
        hws_remote_show_stderr(n->any.remote, show_line);
    j->reach.n_remote++;
}

void hws_job_connect(struct job *j)
{
    j->reach.notice_timer = hws_loop_timer(j->loop, on_notice, j);
    j->reach.start_s = hws_loop_now(j->loop);
    j->reach.agent = j->args->params.launcher_agent;
    for (int i = 0; i < j->place->n_nodes; i++)
        if (!j->nodes[i].any.local)
            open_remote(&j->nodes[i]);
    hws_job_gateways_open(j);
    if (!j->reach.n_remote) {
        hws_job_go(j);
        return;
    }
    hws_loop_timer_start(j->reach.notice_timer, NOTICE_S);
    connect_more(j);
}

void hws_job_connect_cancel(struct job *j)
{
    hws_loop_timer_stop(j->reach.notice_timer);
    if (j->state != JOB_RUNNING && !j->n_launched)
        hws_job_gateways_end(j, 0);
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        if (n->retry_timer)
            hws_loop_timer_stop(n->retry_timer);
        if (n->state == HWS_HOST_CONNECTING)
            hws_remote_kill_agent(n->any.remote, SIGTERM);
    }
}
