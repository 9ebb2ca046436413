/* SPDX-License-Identifier: BSD-3-Clause
 *
 * daemon: turns frames into calls on the local node of the job that they are about, and the nodes' events into frames.
 */
#include "mpirun/node/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/errors.h"
#include "mpirun/io/sink.h"
#include "mpirun/node/guard.h"
#include "mpirun/node/node.h"
#include "mpirun/node/silence.h"
#include "mpirun/util/env.h"
#include "mpirun/util/loop.h"
#include "mpirun/util/proto.h"

#define READ_BYTES 65536

/* A job with ranks here, from START to CLOSE. */
struct served {
    struct daemon *daemon;
    struct served *next;
    struct hws_spec spec;
    struct hws_node *node;
    struct hws_guard guard;
    char mark[HWS_JOB_NAME_MAX + 16];
    bool is_paused_by_mpirun;
};

struct daemon {
    struct hws_loop *loop;
    const struct hws_origin *origin;
    struct hws_output_sink out;
    struct hws_buf in;
    struct hws_loop_io *in_io;
    struct served *jobs;
    struct hws_guard guard; /* what it has adopted; each job has its own process */
    struct hws_silence silence;
    bool wants_sweep;
    int status;
};

static struct served *find_job(const struct daemon *d, uint64_t id)
{
    struct served *j = d->jobs;
    while (j && j->spec.id != id)
        j = j->next;
    return j;
}

/* ---- events of the node, as frames ----------------------------------------------------------------------------- */

static void send_frame(struct daemon *d, uint64_t job, enum hws_proto_type type, int n, const uint32_t *v,
                       const char *data, size_t len)
{
    struct hws_buf frame = {0};
    size_t begin = hws_frame_begin(&frame, type, job);
    for (int i = 0; i < n; i++)
        hws_add_u32(&frame, v[i]);
    hws_buf_append(&frame, data, len);
    hws_frame_end(&frame, begin);
    hws_sink_write(&d->out, hws_buf_data(&frame), frame.len);
    hws_buf_free(&frame);
}

static void send_numbers(const struct served *j, enum hws_proto_type type, int n, const uint32_t *v, const char *data,
                         size_t len)
{
    send_frame(j->daemon, j->spec.id, type, n, v, data, len);
}

static void on_started(void *arg, int rank, pid_t pid)
{
    send_numbers(arg, HWS_PROTO_STARTED, 2, (uint32_t[]){(uint32_t)rank, (uint32_t)pid}, NULL, 0);
}

static void on_output(void *arg, int rank, int stream, const char *data, size_t len)
{
    send_numbers(arg, HWS_PROTO_OUTPUT, 2, (uint32_t[]){(uint32_t)rank, (uint32_t)stream}, data, len);
}

static void on_abort(void *arg, int rank, int code, const char *text)
{
    uint32_t v[] = {(uint32_t)rank, (uint32_t)code, (uint32_t)strlen(text)};
    send_numbers(arg, HWS_PROTO_ABORT, 3, v, text, strlen(text));
}

static void on_exit_of_rank(void *arg, int rank, int wait_status, enum hws_rank_state last, const char *call)
{
    uint32_t v[] = {(uint32_t)rank, (uint32_t)wait_status, (uint32_t)last, (uint32_t)strlen(call)};
    send_numbers(arg, HWS_PROTO_EXIT, 4, v, call, strlen(call));
}

static void on_barrier(void *arg, struct hws_buf *batch)
{
    send_numbers(arg, HWS_PROTO_BARRIER, 0, NULL, hws_buf_data(batch), batch->len);
}

static void on_wanted(void *arg, const char *key)
{
    send_numbers(arg, HWS_PROTO_WANTED, 1, (uint32_t[]){(uint32_t)strlen(key)}, key, strlen(key));
}

static void on_stdin_taken(void *arg, size_t n)
{
    send_numbers(arg, HWS_PROTO_TAKEN, 1, (uint32_t[]){(uint32_t)n}, NULL, 0);
}

static void on_stdin_closed(void *arg)
{
    send_numbers(arg, HWS_PROTO_STDIN_CLOSED, 0, NULL, NULL, 0);
}

static void on_report(void *arg, const char *data, size_t len)
{
    send_numbers(arg, HWS_PROTO_REPORTED, 0, NULL, data, len);
}

static void on_profiles(void *arg, const char *data, size_t len)
{
    send_numbers(arg, HWS_PROTO_PROFILES, 0, NULL, data, len);
}

static void on_drained(void *arg)
{
    send_numbers(arg, HWS_PROTO_DRAINED, 0, NULL, NULL, 0);
}

static const struct hws_node_events node_events = {on_started, on_output,   on_abort,       on_exit_of_rank,
                                                   on_barrier, on_wanted,   on_stdin_taken, on_stdin_closed,
                                                   on_report,  on_profiles, on_drained};

/* ---- the end --------------------------------------------------------------------------------------------------- */

/* mpirun is gone or talks nonsense: nothing of the job may stay. */
static void give_up(struct daemon *d)
{
    for (struct served *j = d->jobs; j; j = j->next)
        hws_node_signal(j->node, SIGKILL);
    d->wants_sweep = true;
    d->status = 1;
    hws_loop_stop(d->loop);
}

static void beat(void *arg)
{
    struct daemon *d = arg;
    if (!d->out.queue.len)
        send_frame(d, 0, HWS_PROTO_ALIVE, 0, NULL, NULL, 0);
}

static void on_silent(void *arg)
{
    struct daemon *d = arg;
    fprintf(stderr, "mpirun: node daemon: nothing was heard from mpirun for %g seconds; its ranks here are ended\n",
            (double)d->silence.limit_ms / HWS_MS_PER_S);
    give_up(d);
}

/* The first one tells how long a silence may be; each counts as a word. */
static void on_beat(struct daemon *d, uint32_t limit_ms)
{
    if (limit_ms == d->silence.limit_ms)
        return;
    hws_silence_watch(&d->silence, STDIN_FILENO, limit_ms);
    if (limit_ms)
        beat(d);
}

static void on_signal(void *arg, int signum)
{
    (void)signum;
    give_up(arg);
}

static void on_child(void *arg, int signum)
{
    struct daemon *d = arg;
    int status;
    pid_t pid;
    (void)signum;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (struct served *j = d->jobs; j && !hws_node_on_child(j->node, pid, status);)
            j = j->next;
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

static void on_out_change(void *arg)
{
    struct daemon *d = arg;
    if (d->out.is_broken) {
        give_up(d);
        return;
    }
    for (struct served *j = d->jobs; j; j = j->next)
        hws_node_pause(j->node, j->is_paused_by_mpirun || d->out.is_full);
}

/* The environment of the ranks: this host's, overridden by what mpirun sent. */
static void merge_env(struct hws_spec *spec)
{
    extern char **environ;
    struct hws_env env = {0};
    hws_env_add_all(&env, environ);
    for (char **v = spec->env; *v; v++) {
        hws_env_set(&env, *v);
        free(*v);
    }
    free(spec->env);
    spec->env = env.vars;
}

static void run(struct served *j)
{
    struct daemon *d = j->daemon;
    char err[1024];
    hws_guard_start(&j->guard, j->mark);
    j->node = hws_node_open(d->loop, &j->spec, d->origin, &node_events, j);
    j->next = d->jobs;
    d->jobs = j;
    int rc = hws_node_start(j->node, err, sizeof err);
    if (rc) {
        send_numbers(j, HWS_PROTO_FAILED, 2, (uint32_t[]){(uint32_t)rc, (uint32_t)strlen(err)}, err, strlen(err));
        hws_node_check_drained(j->node);
    }
    hws_node_pause(j->node, d->out.is_full);
}

static bool start(struct daemon *d, const struct hws_proto_frame *f)
{
    struct served *j = hws_xcalloc(1, sizeof *j);
    if (hws_spec_decode(&j->spec, f->data, f->len) != HWS_OK) {
        free(j);
        return false;
    }
    if (j->spec.id != f->job || find_job(d, f->job)) {
        hws_spec_fini(&j->spec);
        free(j);
        return false;
    }
    merge_env(&j->spec);
    snprintf(j->mark, sizeof j->mark, "%s/%d/", j->spec.job, j->spec.node);
    j->daemon = d;
    run(j);
    return true;
}

static void forget(struct daemon *d, struct served *j)
{
    struct served **at = &d->jobs;
    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    hws_node_fini(j->node);
    hws_guard_end(&j->guard, j->mark);
    hws_spec_fini(&j->spec);
    free(j);
}

static bool take_value(const struct served *j, struct hws_reader *r)
{
    size_t key_len, len;
    const char *key = hws_read_text(r, &key_len);
    bool is_known = !r->bad && r->len > 0;
    const char *value = is_known ? hws_read_text(r, &len) : NULL;
    if (r->bad)
        return false;
    char *key_text = hws_xstrndup(key, key_len), *value_text = is_known ? hws_xstrndup(value, len) : NULL;
    hws_node_value(j->node, key_text, value_text);
    free(key_text);
    free(value_text);
    return true;
}

static bool take_signal(const struct served *j, uint32_t signum)
{
    if (signum >= NSIG)
        return false;
    hws_node_signal(j->node, (int)signum);
    return true;
}

static bool take_pause(struct served *j, uint32_t is_paused)
{
    j->is_paused_by_mpirun = is_paused;
    on_out_change(j->daemon);
    return true;
}

static bool take_close_stream(const struct served *j, uint32_t stream)
{
    if (stream != 1 && stream != 2)
        return false;
    hws_node_close_stream(j->node, (int)stream);
    return true;
}

static bool has_number(enum hws_proto_type type)
{
    return type == HWS_PROTO_SIGNAL || type == HWS_PROTO_PAUSE || type == HWS_PROTO_CLOSE_STREAM ||
           type == HWS_PROTO_END || type == HWS_PROTO_BEAT;
}

static bool handle_job_frame(struct served *j, enum hws_proto_type type, uint32_t v, struct hws_reader *r)
{
    switch (type) {
    case HWS_PROTO_STDIN:
        hws_node_stdin(j->node, r->data, r->len);
        return true;
    case HWS_PROTO_SIGNAL:
        return take_signal(j, v);
    case HWS_PROTO_RELEASE:
        return hws_node_release(j->node, r->data, r->len) == HWS_OK;
    case HWS_PROTO_ASK:
        hws_node_ask(j->node);
        return true;
    case HWS_PROTO_REPORT:
        hws_node_report(j->node);
        return true;
    case HWS_PROTO_VALUE:
        return take_value(j, r);
    case HWS_PROTO_PAUSE:
        return take_pause(j, v);
    case HWS_PROTO_CLOSE_STREAM:
        return take_close_stream(j, v);
    case HWS_PROTO_CLOSE:
        forget(j->daemon, j);
        return true;
    default:
        return false;
    }
}

static bool handle_host_frame(struct daemon *d, enum hws_proto_type type, uint32_t v)
{
    if (type == HWS_PROTO_BEAT) {
        on_beat(d, v);
        return true;
    }
    if (type != HWS_PROTO_END)
        return false;
    d->wants_sweep = v;
    hws_loop_stop(d->loop);
    return true;
}

static bool handle_frame(struct daemon *d, const struct hws_proto_frame *f)
{
    struct hws_reader r = {.data = f->data, .len = f->len};
    uint32_t v = has_number(f->type) ? hws_read_u32(&r) : 0;
    if (f->type == HWS_PROTO_START)
        return start(d, f);
    if (r.bad)
        return false;
    if (!f->job)
        return handle_host_frame(d, f->type, v);
    struct served *j = find_job(d, f->job);
    return j && handle_job_frame(j, f->type, v, &r);
}

static void on_in(void *arg, int events)
{
    struct daemon *d = arg;
    struct hws_proto_frame f;
    int rc = 0;
    (void)events;
    ssize_t n = read(STDIN_FILENO, hws_buf_reserve(&d->in, READ_BYTES), READ_BYTES);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        give_up(d);
        return;
    }
    hws_buf_added(&d->in, (size_t)n);
    hws_silence_heard(&d->silence);
    while ((rc = hws_frame_peek(&d->in, &f)) == 1) {
        if (!handle_frame(d, &f)) {
            rc = HWS_EPROTO;
            break;
        }
        hws_buf_consume(&d->in, HWS_PROTO_HEADER + f.len);
    }
    if (rc < 0)
        give_up(d);
}

/* The remote shell's agent may run with these ignored; the ranks must not inherit that. */
static void reset_signals(void)
{
    static const int all[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGCHLD};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        signal(all[i], SIG_DFL);
}

static void ignore_keys(void *arg, int signum)
{
    (void)arg;
    (void)signum; /* mpirun gets the same key and forwards it as a frame */
}

/* What ranks left behind ends with the daemon; where it was not adopted, the environment tells. */
static void end_jobs(struct daemon *d)
{
    for (struct served *j = d->jobs; j; j = j->next)
        if (d->wants_sweep || !d->guard.adopts)
            hws_guard_end(&j->guard, j->mark);
        else
            hws_guard_stop(&j->guard, NULL);
    hws_guard_stop(&d->guard, NULL);
}

int hws_daemon_run(const struct hws_origin *origin)
{
    static struct daemon daemon; /* static: what it holds lives as long as the daemon */
    struct daemon *d = &daemon;
    d->origin = origin;
    hws_guard_adopt(&d->guard, false);
    d->loop = hws_loop_open();
    if (!d->loop) {
        fprintf(stderr, "mpirun: node daemon: cannot make an event loop: %s\n", strerror(errno));
        return 1;
    }
    reset_signals();
    signal(SIGPIPE, SIG_IGN);
    hws_loop_signal(d->loop, SIGCHLD, on_child, d);
    hws_loop_signal(d->loop, SIGTERM, on_signal, d);
    hws_loop_signal(d->loop, SIGHUP, on_signal, d);
    hws_loop_signal(d->loop, SIGINT, ignore_keys, d);
    hws_loop_signal(d->loop, SIGQUIT, ignore_keys, d);
    hws_loop_signal(d->loop, SIGTSTP, ignore_keys, d);
    hws_sink_init(&d->out, d->loop, STDOUT_FILENO, on_out_change, d);
    hws_sink_write(&d->out, HWS_PROTO_BANNER, strlen(HWS_PROTO_BANNER));
    hws_silence_init(&d->silence, d->loop, beat, on_silent, d);
    d->in_io = hws_loop_watch(d->loop, STDIN_FILENO, HWS_LOOP_READ, on_in, d);
    hws_loop_run(d->loop);
    end_jobs(d);
    return d->status;
}
