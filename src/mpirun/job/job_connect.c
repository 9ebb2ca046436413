/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_connect: reaches the other hosts of a job before any rank of it starts: at most AT_ONCE remote shells at a time
 * (an sshd takes few logins at once), a deadline for each, and with -wait-hosts further attempts. A host that was
 * reached for one job is there for the next. What a host means for a job that cannot be reached, or is lost later, is
 * the policy's (policy.h).
 */
#include "mpirun/job/job_priv.h"

#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define AT_ONCE    32   /* hosts whose remote shells are under way together */
#define DEADLINE_S 60.0 /* for one host: a slow login with a loaded directory service */
#define RETRY_S    1.0
#define NOTICE_S   5.0 /* silence after which the user is told what is waited for */
#define NAMED      4   /* hosts named in that notice */

#define STATUS_UNREACHABLE 1

static const char srun[] = "srun";

static void connect_more(struct mpirun *m);

/* ---- who waits for whom ---------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct job_host *)a)->name, ((const struct job_host *)b)->name);
}

struct job_host *hws_mpirun_host(struct mpirun *m, const char *name)
{
    struct job_host key = {.name = name}, **known = tfind(&key, &m->reach.tree, by_name);
    if (known)
        return *known;
    struct job_host *h = hws_xcalloc(1, sizeof *h);
    *h = (struct job_host){.mpirun = m, .name = name};
    m->hosts = hws_xrealloc(m->hosts, (size_t)(m->n_hosts + 1) * sizeof *m->hosts);
    m->hosts[m->n_hosts++] = h;
    tsearch(h, &m->reach.tree, by_name);
    return h;
}

static void join_host(struct job_node *n)
{
    struct job_node **last = &n->host->nodes;
    while (*last)
        last = &(*last)->next;
    *last = n;
}

static void want(struct job_node *n)
{
    struct mpirun *m = n->job->mpirun;
    n->waits = true;
    n->job->n_waiting++;
    if (n->host->n_wanted++ == 0)
        n->host->wanted_s = hws_loop_now(m->loop);
    if (m->reach.n_wanted++ == 0)
        hws_loop_timer_start(m->reach.notice_timer, NOTICE_S);
}

static void unwant(struct job_node *n)
{
    struct mpirun *m = n->job->mpirun;
    n->waits = false;
    n->job->n_waiting--;
    n->host->n_wanted--;
    if (--m->reach.n_wanted == 0)
        hws_loop_timer_stop(m->reach.notice_timer);
}

/* ---- news of hosts --------------------------------------------------------------------------------------------- */

static void on_ready(void *arg)
{
    struct job_host *h = arg;
    struct mpirun *m = h->mpirun;
    m->reach.n_connecting--;
    for (struct job_node *n = h->nodes; n; n = n->next) {
        if (!n->waits)
            continue;
        unwant(n);
        hws_job_go(n->job);
    }
    connect_more(m);
}

void hws_job_go(struct job *j)
{
    if (j->state == JOB_STARTING && !j->n_waiting && hws_job_gateways_are_ready(j))
        hws_job_start_ranks(j);
}

static void on_failed(void *arg, int status, const char *text)
{
    struct job_node *n = arg;
    hws_job_fail(n->job, status > 0 && status < 256 ? status : 1, "%s", text);
}

/* Whose ranks the daemon may speak of. */
static void *of_job(void *arg, uint64_t id)
{
    const struct job_host *h = arg;
    struct job_node *n = h->nodes;
    while (n && n->job->id != id)
        n = n->next;
    return n && n->state != HWS_NODE_PLANNED ? n : NULL;
}

static bool may_retry(const struct job_host *h)
{
    return h->n_wanted && hws_loop_now(h->mpirun->loop) - h->wanted_s < h->mpirun->args->wait_hosts_s;
}

/* Clusters with a batch system often let nobody in by ssh, and have a command of their own for the hosts of a job; that
 * of PBS does not pass on input and output, so there only the user can know one. */
static const char *advice(const struct mpirun *m)
{
    static const struct {
        const char *variable, *agent, *text;
    } known[] = {
        {"SLURM_JOB_ID", "srun", "; in a Slurm allocation -rsh srun reaches the hosts"},
        {"PE_HOSTFILE", "qrsh", "; in an allocation of Grid Engine try -rsh 'qrsh -inherit'"},
        {"LSB_JOBID", "blaunch", "; in an allocation of LSF try -rsh blaunch"},
        {"OAR_JOB_ID", "oarsh", "; in an allocation of OAR try -rsh oarsh"},
        {"PBS_NODEFILE", NULL,
         "; in a PBS allocation -rsh AGENT names a way to the hosts other than ssh, called as AGENT HOST COMMAND"}};
    for (size_t i = 0; i < HWS_ARRAY_LEN(known); i++) {
        const char *agent = known[i].agent;
        bool has_it = agent ? strncmp(m->reach.agent, agent, strlen(agent)) == 0 : m->args->names_agent;
        if (getenv(known[i].variable))
            return has_it ? "" : known[i].text;
    }
    return "";
}

/* True: the host is tried again by srun, as all that are still to be reached: the user asked for no way, this is a
 * Slurm allocation, and ssh does not reach the host, for the reason `why`. */
static bool falls_back(const struct job_host *h, const char *why)
{
    struct mpirun *m = h->mpirun;
    if (h->agent == srun || !h->n_wanted || m->args->names_agent || !getenv("SLURM_JOB_ID"))
        return false;
    char *path = hws_find_program(srun, "/", NULL, getenv("PATH"));
    if (path && m->reach.agent != srun)
        hws_mpirun_say(m, "%s; this is a Slurm allocation, so it goes on by srun (-rsh srun does so at once)", why);
    if (path)
        m->reach.agent = srun;
    free(path);
    return m->reach.agent == srun;
}

static void lose_node(struct job_node *n, const char *text, const char *more)
{
    if (n->state == HWS_NODE_RUNNING)
        n->job->n_running--;
    if (n->state != HWS_NODE_DRAINED && n->state != HWS_NODE_LOST)
        hws_node_become(&n->state, HWS_NODE_LOST);
    hws_job_lose_host(n->job, STATUS_UNREACHABLE, "%s%s", text, more);
    hws_job_check_end(n->job);
}

/* All jobs with ranks there, or that would have had some, hear of it. */
static void lose_host(const struct job_host *h, const char *text, const char *more)
{
    for (struct job_node *n = h->nodes; n; n = n->next)
        if (!n->job->end.is_over)
            lose_node(n, text, more);
}

static void on_lost(void *arg, enum hws_host_state from, const char *text)
{
    struct job_host *h = arg;
    bool was_connecting = from == HWS_HOST_CONNECTING;
    if (was_connecting)
        h->mpirun->reach.n_connecting--;
    if (was_connecting && (falls_back(h, text) || may_retry(h))) {
        hws_host_become(&h->state, HWS_HOST_BACKOFF);
        return;
    }
    lose_host(h, text, was_connecting ? advice(h->mpirun) : "");
}

static void on_gone(void *arg)
{
    struct job_host *h = arg;
    struct mpirun *m = h->mpirun;
    if (h->state == HWS_HOST_BACKOFF && h->n_wanted)
        hws_loop_timer_start(h->retry_timer, h->agent == m->reach.agent ? RETRY_S : 0);
    for (int i = 0; i < m->n_jobs; i++)
        if (!m->jobs[i]->end.is_over)
            hws_job_check_end(m->jobs[i]);
    if (!hws_mpirun_has_others(m, NULL))
        hws_mpirun_check_end(m);
}

/* ---- connecting ------------------------------------------------------------------------------------------------ */

static void on_retry(void *arg)
{
    struct job_host *h = arg;
    hws_host_become(&h->state, HWS_HOST_IDLE);
    connect_more(h->mpirun);
}

static void connect_host(struct job_host *h)
{
    struct mpirun *m = h->mpirun;
    h->agent = m->reach.agent;
    int errnum = hws_remote_connect(h->remote, h->agent);
    if (!errnum) {
        m->reach.n_connecting++;
        return;
    }
    char why[512];
    snprintf(why, sizeof why, "cannot reach host %s: cannot run '%s': %s", h->name, h->agent, strerror(errnum));
    if (falls_back(h, why))
        connect_host(h);
    else
        lose_host(h, why, advice(m));
}

static void connect_more(struct mpirun *m)
{
    for (int i = 0; i < m->n_hosts && m->reach.n_connecting < AT_ONCE && m->reach.n_wanted; i++) {
        struct job_host *h = m->hosts[i];
        if (h->n_wanted && h->state == HWS_HOST_IDLE)
            connect_host(h);
    }
}

/* Names at most a few of the hosts that have not answered. */
static void on_notice(void *arg)
{
    struct mpirun *m = arg;
    char names[256] = "";
    int n_waiting = 0;
    for (int i = 0; i < m->n_hosts; i++) {
        const struct job_host *h = m->hosts[i];
        if (!h->n_wanted || n_waiting++ >= NAMED)
            continue;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", h->name);
    }
    hws_mpirun_say(m, "still waiting for %d of %d hosts: %s%s", n_waiting, m->reach.n_remote, names,
                   n_waiting > NAMED ? ", ..." : "");
}

static void show_line(void *arg, const char *line)
{
    struct job_host *h = arg;
    hws_mpirun_say(h->mpirun, "%s: %s", h->name, line);
}

static void open_remote(struct job_host *h)
{
    static const struct hws_remote_events handlers = {
        .of_job = of_job, .on_ready = on_ready, .on_failed = on_failed, .on_lost = on_lost, .on_gone = on_gone};
    struct mpirun *m = h->mpirun;
    struct hws_remote_events ev = handlers;
    ev.node = hws_job_node_events;
    struct hws_remote_config cfg = {.extra = m->args->agent_extra,
                                    .cwd = m->self.cwd,
                                    .host = h->name,
                                    .exe = m->self.exe,
                                    .mark = m->self.agent_mark,
                                    .deadline_s = DEADLINE_S,
                                    .silent_ms = m->args->params.host_timeout_ms,
                                    .origin = m->origin};
    h->remote = hws_remote_open(m->loop, &cfg, &ev, &h->state, h);
    h->retry_timer = hws_loop_timer(m->loop, on_retry, h);
    if (m->args->is_verbose)
        hws_remote_show_stderr(h->remote, show_line);
    m->reach.n_remote++;
}

static void open_reach(struct mpirun *m)
{
    m->reach.notice_timer = hws_loop_timer(m->loop, on_notice, m);
    m->reach.agent = m->args->params.launcher_agent;
}

static void reach(struct job_node *n)
{
    if (!n->host->remote)
        open_remote(n->host);
    n->any.remote = n->host->remote;
    if (n->host->state != HWS_HOST_READY)
        want(n);
    if (n->host->state == HWS_HOST_BACKOFF && !hws_remote_is_running(n->any.remote))
        hws_loop_timer_start(n->host->retry_timer, 0); /* who waited for it before has given up */
}

/* A host that was lost stays so: what of it is still there is not known. */
static bool loses_at_once(struct job *j)
{
    for (int i = 0; i < j->place->n_nodes; i++)
        if (j->nodes[i].host->state == HWS_HOST_LOST) {
            hws_job_lose_host(j, STATUS_UNREACHABLE, "host %s was lost before", j->nodes[i].name);
            return true;
        }
    return false;
}

void hws_job_connect(struct job *j)
{
    struct mpirun *m = j->mpirun;
    if (!m->reach.notice_timer)
        open_reach(m);
    for (int i = 0; i < j->place->n_nodes; i++) {
        join_host(&j->nodes[i]);
        if (!j->nodes[i].any.local)
            reach(&j->nodes[i]);
    }
    if (loses_at_once(j))
        return;
    hws_job_gateways_open(j);
    hws_job_go(j);
    connect_more(m);
}

void hws_job_connect_cancel(struct job *j)
{
    if (j->state != JOB_RUNNING && !j->n_launched)
        hws_job_gateways_end(j, 0);
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        struct job_host *h = n->host;
        if (!n->waits)
            continue;
        unwant(n);
        if (h->n_wanted)
            continue;
        hws_loop_timer_stop(h->retry_timer);
        if (h->state == HWS_HOST_CONNECTING)
            hws_remote_kill_agent(h->remote, SIGTERM);
    }
}
