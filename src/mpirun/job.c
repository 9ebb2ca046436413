/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job: states are RUNNING -> ENDING -> done. The first failure starts ENDING: SIGTERM to all ranks, SIGKILL after a grace, and
 * at last a sweep for processes that ranks left behind. A report that may be a mere consequence of another rank's death is
 * held back for a moment (HOLD_S), so that the one message names the true reason.
 */
#include "mpirun/job.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mpirun/failure.h"
#include "mpirun/guard.h"
#include "mpirun/input.h"
#include "mpirun/lines.h"
#include "mpirun/node.h"
#include "mpirun/sink.h"

#define HOLD_S  0.05 /* a truer reason may still arrive: exits are reported after the kernel has closed the sockets */
#define GRACE_S 1.0  /* between SIGTERM and SIGKILL; the job must be gone 2 s after the failure */
#define LIMIT_S 2.0  /* after SIGKILL: then what is left cannot be killed (disk sleep) */

#define STATUS_TIMEOUT 124 /* as of timeout(1) */

struct job_rank {
    int node;
    pid_t pid;
    char tag[16];
    struct hws_lines lines[2];
};

struct job_node {
    struct job *job;
    char *name;
    struct hws_spec spec;
    struct hws_node *local;
    bool in_barrier, is_drained;
};

enum job_state { JOB_RUNNING, JOB_ENDING };

struct job {
    const struct hws_args *args;
    const struct hws_place *place;
    struct hws_loop *loop;
    enum job_state state;
    struct job_node *nodes; /* place->n_nodes */
    struct job_rank *ranks; /* place->size */
    int n_in_barrier, n_drained;
    struct hws_buf batches; /* of the barrier under way */
    struct hws_sink sinks[2];
    struct hws_input input;
    struct hws_failure failure;
    struct hws_loop_timer *hold_timer, *kill_timer, *limit_timer, *timeout_timer;
    int n_interrupts, forwarded; /* the last signal that was passed on */
    bool is_killed;
    struct hws_app *apps;
    char *mapping, *cwd;
    struct hws_env env;
    struct hws_guard guard;
};

static void say(struct job *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct job *j, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text - 1, fmt, ap);
    va_end(ap);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text - 2 ? (size_t)n : sizeof text - 2;
    text[len] = '\n';
    hws_sink_write(&j->sinks[1], "mpirun: ", 8);
    hws_sink_write(&j->sinks[1], text, len + 1);
}

/* ---- to the nodes ---------------------------------------------------------------------------------------------- */

static void signal_ranks(struct job *j, int signum)
{
    for (int i = 0; i < j->place->n_nodes; i++)
        hws_node_signal(j->nodes[i].local, signum);
}

static void update_pause(struct job *j)
{
    for (int i = 0; i < j->place->n_nodes; i++)
        hws_node_pause(j->nodes[i].local, j->sinks[0].is_full || j->sinks[1].is_full);
}

static void close_broken(struct job *j)
{
    for (int s = 0; s < 2; s++)
        for (int i = 0; j->sinks[s].is_broken && i < j->place->n_nodes; i++)
            hws_node_close_stream(j->nodes[i].local, s + 1);
}

/* ---- the end --------------------------------------------------------------------------------------------------- */

static void check_end(struct job *j)
{
    if (j->n_drained == j->place->n_nodes && !j->sinks[0].queue.len && !j->sinks[1].queue.len)
        hws_loop_stop(j->loop);
}

static void end_ranks(struct job *j)
{
    j->state = JOB_ENDING;
    hws_loop_timer_stop(j->hold_timer);
    signal_ranks(j, SIGTERM);
    signal_ranks(j, SIGCONT); /* a stopped rank could not take it */
    hws_loop_timer_start(j->kill_timer, GRACE_S);
}

/* Shows the failure that was found, unless it is the signal that the user sent. */
static void decide(struct job *j)
{
    bool is_wanted = j->failure.cause == HWS_CAUSE_SIGNAL && j->failure.signum == j->forwarded;
    if (!is_wanted)
        say(j, "%s", j->failure.text);
    end_ranks(j);
}

static void report(struct job *j, const struct hws_failure *f)
{
    if (j->state != JOB_RUNNING || !hws_failure_is_truer(f, &j->failure))
        return;
    bool is_first = j->failure.cause == HWS_CAUSE_NONE;
    j->failure = *f;
    if (f->cause >= HWS_CAUSE_SIGNAL)
        decide(j);
    else if (is_first)
        hws_loop_timer_start(j->hold_timer, HOLD_S);
}

static void fail_self(struct job *j, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void fail_self(struct job *j, int status, const char *fmt, ...)
{
    struct hws_failure f = {.cause = HWS_CAUSE_SELF, .status = status};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f.text, sizeof f.text, fmt, ap);
    va_end(ap);
    report(j, &f);
}

static void on_hold_over(void *arg)
{
    struct job *j = arg;
    if (j->state == JOB_RUNNING)
        decide(j);
}

static void on_kill_time(void *arg)
{
    struct job *j = arg;
    j->is_killed = true;
    signal_ranks(j, SIGKILL);
    hws_loop_timer_start(j->limit_timer, LIMIT_S);
}

static void on_limit(void *arg)
{
    struct job *j = arg;
    hws_loop_stop(j->loop);
}

static void on_timeout(void *arg)
{
    struct job *j = arg;
    fail_self(j, STATUS_TIMEOUT, "the job did not end within %g seconds", j->args->timeout_s);
}

/* ---- news from the nodes --------------------------------------------------------------------------------------- */

static struct hws_culprit culprit(struct job_node *n, int rank)
{
    return (struct hws_culprit){rank, (int)n->job->ranks[rank].pid, n->name};
}

static void on_started(void *arg, int rank, pid_t pid)
{
    struct job_node *n = arg;
    n->job->ranks[rank].pid = pid;
}

static void emit(void *arg, const char *data, size_t len)
{
    hws_sink_write(arg, data, len);
}

static void on_output(void *arg, int rank, int stream, const char *data, size_t len)
{
    struct job_node *n = arg;
    struct job_rank *r = &n->job->ranks[rank];
    struct hws_sink *sink = &n->job->sinks[stream - 1];
    if (len)
        hws_lines_feed(&r->lines[stream - 1], r->tag, data, len, emit, sink);
    else
        hws_lines_end(&r->lines[stream - 1], r->tag, emit, sink);
}

static void on_abort(void *arg, int rank, int code, const char *text)
{
    struct job_node *n = arg;
    struct hws_culprit who = culprit(n, rank);
    struct hws_failure f;
    hws_failure_of_abort(&f, &who, code, text);
    report(n->job, &f);
}

static void on_exit_of_rank(void *arg, int rank, int wait_status, int flags)
{
    struct job_node *n = arg;
    struct hws_culprit who = culprit(n, rank);
    struct hws_failure f;
    hws_failure_of_exit(&f, &who, wait_status, flags);
    report(n->job, &f);
}

static void on_barrier(void *arg, struct hws_buf *batch)
{
    struct job_node *n = arg;
    struct job *j = n->job;
    n->in_barrier = true;
    if (j->place->n_nodes > 1)
        hws_buf_append(&j->batches, hws_buf_data(batch), batch->len);
    if (++j->n_in_barrier < j->place->n_nodes)
        return;
    struct hws_buf all = j->batches; /* a release may begin the next barrier */
    j->batches = (struct hws_buf){0};
    j->n_in_barrier = 0;
    for (int i = 0; i < j->place->n_nodes; i++)
        j->nodes[i].in_barrier = false;
    for (int i = 0; i < j->place->n_nodes; i++)
        hws_node_release(j->nodes[i].local, hws_buf_data(&all), all.len);
    hws_buf_free(&all);
}

static void on_stdin_taken(void *arg, size_t n_bytes)
{
    struct job_node *n = arg;
    hws_input_taken(&n->job->input, n_bytes);
}

static void on_stdin_closed(void *arg)
{
    struct job_node *n = arg;
    hws_input_close(&n->job->input);
}

static void on_drained(void *arg)
{
    struct job_node *n = arg;
    struct job *j = n->job;
    n->is_drained = true;
    if (++j->n_drained < j->place->n_nodes)
        return;
    if (j->state == JOB_RUNNING && j->failure.cause != HWS_CAUSE_NONE)
        decide(j); /* nothing truer can come */
    check_end(j);
}

static const struct hws_node_events node_events = {on_started, on_output,      on_abort,        on_exit_of_rank,
                                                   on_barrier, on_stdin_taken, on_stdin_closed, on_drained};

/* ---- news from outside ----------------------------------------------------------------------------------------- */

static void on_sink_change(void *arg)
{
    struct job *j = arg;
    close_broken(j);
    update_pause(j);
    check_end(j);
}

static void on_input(void *arg, const char *data, size_t len)
{
    struct job *j = arg;
    hws_node_stdin(j->nodes[j->place->ranks[0].node].local, data, len);
}

static void on_child(void *arg, int signum)
{
    struct job *j = arg;
    int status;
    pid_t pid;
    (void)signum;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < j->place->n_nodes; i++)
            if (hws_node_on_child(j->nodes[i].local, pid, status))
                break;
}

static void kill_now(struct job *j, int signum)
{
    struct hws_failure f = {.cause = HWS_CAUSE_SELF, .status = 128 + signum, .text = "interrupted twice: all ranks are killed"};
    report(j, &f);
    on_kill_time(j);
}

static void on_forward(void *arg, int signum)
{
    struct job *j = arg;
    j->forwarded = signum;
    if ((signum == SIGINT || signum == SIGTERM) && j->n_interrupts++ > 0) {
        kill_now(j, signum);
        return;
    }
    signal_ranks(j, signum);
    if (signum == SIGTSTP)
        raise(SIGSTOP);
}

static void catch_signals(struct job *j)
{
    static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
        struct sigaction now;
        if (sigaction(forwarded[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            continue; /* nohup, or a background job of a shell: the ranks ignore it too */
        hws_loop_signal(j->loop, forwarded[i], on_forward, j);
    }
    hws_loop_signal(j->loop, SIGCHLD, on_child, j);
    signal(SIGPIPE, SIG_IGN);
}

/* ---- set-up ---------------------------------------------------------------------------------------------------- */

/* "(vector,(0,1,4),(1,1,4))": which ranks share a host, for MPIs that ask for PMI_process_mapping. NULL: too long. */
static char *make_mapping(const struct hws_place *p)
{
    struct hws_buf b = {0};
    hws_buf_printf(&b, "(vector");
    for (int i = 0, n; i < p->size; i += n) {
        for (n = 1; i + n < p->size && p->ranks[i + n].node == p->ranks[i].node; n++)
            ;
        hws_buf_printf(&b, ",(%d,1,%d)", p->ranks[i].node, n);
    }
    hws_buf_append(&b, ")", 2);
    char *text = b.len < 1000 ? hws_xstrdup(hws_buf_data(&b)) : NULL;
    hws_buf_free(&b);
    return text;
}

static void make_apps(struct job *j)
{
    const struct hws_args *a = j->args;
    j->apps = hws_xcalloc((size_t)a->n_apps, sizeof *j->apps);
    for (int i = 0; i < a->n_apps; i++) {
        struct hws_app *app = &j->apps[i];
        app->argv = a->apps[i].argv;
        app->env = a->apps[i].env.vars;
        app->path = a->apps[i].path ? hws_xstrdup(a->apps[i].path) : NULL;
        if (a->apps[i].wdir)
            app->wdir = a->apps[i].wdir[0] == '/' ? hws_xstrdup(a->apps[i].wdir)
                                                  : hws_xprintf("%s/%s", j->cwd, a->apps[i].wdir);
    }
}

static void make_env(struct job *j)
{
    extern char **environ;
    hws_env_add_all(&j->env, environ);
    for (size_t i = 0; i < j->args->env.n; i++)
        hws_env_set(&j->env, j->args->env.vars[i]);
}

static void make_nodes(struct job *j, const struct hws_spec *common)
{
    j->nodes = hws_xcalloc((size_t)j->place->n_nodes, sizeof *j->nodes);
    j->ranks = hws_xcalloc((size_t)j->place->size, sizeof *j->ranks);
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        n->job = j;
        n->name = j->place->nodes[i];
        n->spec = *common;
        n->spec.node = i;
        n->spec.ranks = hws_xcalloc((size_t)j->place->size, sizeof *n->spec.ranks);
    }
    for (int i = 0; i < j->place->size; i++) {
        struct hws_spec *spec = &j->nodes[j->place->ranks[i].node].spec;
        spec->ranks[spec->n_ranks++] = (struct hws_spec_rank){i, j->place->ranks[i].app};
        j->ranks[i].node = j->place->ranks[i].node;
        if (j->args->has_tags)
            snprintf(j->ranks[i].tag, sizeof j->ranks[i].tag, "[%d] ", i);
    }
}

static int make_spec(struct job *j, struct hws_spec *s)
{
    uint64_t id;
    if (getrandom(s->secret, sizeof s->secret, 0) != (ssize_t)sizeof s->secret ||
        getrandom(&id, sizeof id, 0) != (ssize_t)sizeof id) {
        fprintf(stderr, "mpirun: the kernel gave no random bytes for the job's secret\n");
        return 1;
    }
    j->cwd = getcwd(NULL, 0);
    if (!j->cwd) {
        fprintf(stderr, "mpirun: the current directory does not exist: %s\n", strerror(errno));
        return 1;
    }
    snprintf(s->job, sizeof s->job, "hawser-%d-%016llx", (int)getpid(), (unsigned long long)id);
    make_apps(j);
    make_env(j);
    s->size = j->place->size;
    s->universe_size = j->place->n_slots > j->place->size ? j->place->n_slots : j->place->size;
    s->stdin_rank = j->args->no_stdin ? -1 : 0;
    s->mapping = j->mapping = make_mapping(j->place);
    s->cwd = j->cwd;
    s->env = j->env.vars;
    s->apps = j->apps;
    s->n_apps = j->args->n_apps;
    return 0;
}

static void say_plan(struct job *j)
{
    size_t n;
    char value[600];
    const struct hws_param_row *rows = hws_param_table(&n);
    for (size_t i = 0; i < n; i++)
        say(j, "-%s (%s) = %s", rows[i].flag, rows[i].env, hws_param_format(&j->args->params, &rows[i], value, sizeof value));
    if (j->args->ignores_binding)
        say(j, "binding and mapping flags are ignored: the kernel places the ranks");
    for (int i = 0; i < j->place->n_nodes; i++)
        say(j, "host %s: %d ranks", j->place->nodes[i], j->nodes[i].spec.n_ranks);
}

static void open_job(struct job *j, const struct hws_origin *origin)
{
    hws_sink_init(&j->sinks[0], j->loop, STDOUT_FILENO, on_sink_change, j);
    hws_sink_init(&j->sinks[1], j->loop, STDERR_FILENO, on_sink_change, j);
    j->hold_timer = hws_loop_timer(j->loop, on_hold_over, j);
    j->kill_timer = hws_loop_timer(j->loop, on_kill_time, j);
    j->limit_timer = hws_loop_timer(j->loop, on_limit, j);
    j->timeout_timer = hws_loop_timer(j->loop, on_timeout, j);
    catch_signals(j);
    for (int i = 0; i < j->place->n_nodes; i++)
        j->nodes[i].local = hws_node_open(j->loop, &j->nodes[i].spec, origin, &node_events, &j->nodes[i]);
    if (j->args->ignores_mca)
        say(j, "warning: --mca parameters of Open MPI mean nothing here and are ignored");
    if (j->args->is_verbose)
        say_plan(j);
}

static int start_ranks(struct job *j)
{
    char err[1024];
    for (int i = 0; i < j->place->n_nodes; i++) {
        int rc = hws_node_start(j->nodes[i].local, err, sizeof err);
        if (rc) {
            say(j, "%s", err);
            return rc;
        }
    }
    if (j->args->timeout_s > 0)
        hws_loop_timer_start(j->timeout_timer, j->args->timeout_s);
    if (!j->args->no_stdin)
        hws_input_open(&j->input, j->loop, STDIN_FILENO, on_input, j);
    return 0;
}

int hws_job_run(const struct hws_args *args, const struct hws_place *place, const struct hws_origin *origin)
{
    struct job job = {.args = args, .place = place}, *j = &job;
    struct hws_spec spec = {.size = 0};
    char mark[HWS_JOB_NAME_MAX + 2];
    int rc = make_spec(j, &spec);
    if (rc)
        return rc;
    snprintf(mark, sizeof mark, "%s/", spec.job);
    hws_guard_start(&j->guard, mark);
    j->loop = hws_loop_open();
    if (!j->loop) {
        fprintf(stderr, "mpirun: cannot make an event loop: %s\n", strerror(errno));
        return 1;
    }
    make_nodes(j, &spec);
    open_job(j, origin);
    rc = start_ranks(j);
    if (!rc) {
        hws_loop_run(j->loop);
        rc = j->failure.status;
    }
    hws_sink_flush(&j->sinks[0], 1000);
    hws_sink_flush(&j->sinks[1], 1000);
    if (rc)
        hws_guard_sweep(mark);
    hws_guard_stop(&j->guard);
    return rc;
}
