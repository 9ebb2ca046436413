/* SPDX-License-Identifier: BSD-3-Clause
 *
 * remote: writes the host's states CONNECTING, READY, LOST and ENDED (host_state.c). The agent's exit and the end of
 * its pipes come in any order; the loss is reported once both the exit and the last words are known.
 */
#include "mpirun/remote/remote.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/errors.h"
#include "mpirun/io/sink.h"
#include "mpirun/node/silence.h"
#include "mpirun/remote/agent.h"
#include "mpirun/util/proto.h"

#define READ_BYTES    65536
#define WRITE_MS      100   /* for a daemon to take a last word */
#define ERR_LINE      8192  /* bytes of a remote shell's message; a longer one is told in parts */
#define LAST_ERRS     64    /* reads of what an agent that has exited left in its pipes: of messages, ... */
#define LAST_READS    1024  /* ... and of what the daemon said */
#define BANNER_SEARCH 65536 /* bytes that a login shell may print before the daemon's first line */
#define AFTER_EOF_S   2.0   /* an agent whose pipe has ended but that does not exit */

struct hws_remote {
    struct hws_loop *loop;
    struct hws_remote_config cfg;
    struct hws_remote_events ev;
    void *arg;
    enum hws_host_state *host; /* the owner's */
    const char *agent;         /* of the last hws_remote_connect() */
    pid_t pid;                 /* of the agent; 0: not running */
    int fds[3];                /* agent's stdin (write), stdout and stderr (read); -1: closed */
    struct hws_output_sink to;
    struct hws_loop_io *from_io, *err_io;
    struct hws_buf in, err;
    char last_words[256]; /* last line of its stderr */
    char why[600];        /* the loss, if something other than the agent's exit explains it */
    struct hws_loop_timer *timer;
    struct hws_silence silence;
    void (*show)(void *arg, const char *line);
};

bool hws_remote_is_running(const struct hws_remote *r)
{
    return r->pid > 0;
}

/* ---- frames out ------------------------------------------------------------------------------------------------ */

static void send_frame(struct hws_remote *r, struct hws_buf *frame)
{
    if (r->fds[0] >= 0)
        hws_sink_write(&r->to, hws_buf_data(frame), frame->len);
    hws_buf_free(frame);
}

static void send_bytes(struct hws_remote *r, enum hws_proto_type type, uint64_t job, const char *data, size_t len)
{
    struct hws_buf frame = {0};
    size_t begin = hws_frame_begin(&frame, type, job);
    hws_buf_append(&frame, data, len);
    hws_frame_end(&frame, begin);
    send_frame(r, &frame);
}

static void send_u32(struct hws_remote *r, enum hws_proto_type type, uint64_t job, uint32_t v)
{
    struct hws_buf frame = {0};
    size_t begin = hws_frame_begin(&frame, type, job);
    hws_add_u32(&frame, v);
    hws_frame_end(&frame, begin);
    send_frame(r, &frame);
}

void hws_remote_start(struct hws_remote *r, const struct hws_spec *spec)
{
    struct hws_buf frame = {0};
    size_t begin = hws_frame_begin(&frame, HWS_PROTO_START, spec->id);
    hws_spec_encode(spec, &frame);
    hws_frame_end(&frame, begin);
    send_frame(r, &frame);
}

void hws_remote_close(struct hws_remote *r, uint64_t job)
{
    send_bytes(r, HWS_PROTO_CLOSE, job, NULL, 0);
}

void hws_remote_signal(struct hws_remote *r, uint64_t job, int signum)
{
    send_u32(r, HWS_PROTO_SIGNAL, job, (uint32_t)signum);
}

void hws_remote_release(struct hws_remote *r, uint64_t job, const char *batch, size_t len)
{
    send_bytes(r, HWS_PROTO_RELEASE, job, batch, len);
}

void hws_remote_ask(struct hws_remote *r, uint64_t job)
{
    send_bytes(r, HWS_PROTO_ASK, job, NULL, 0);
}

void hws_remote_report(struct hws_remote *r, uint64_t job)
{
    send_bytes(r, HWS_PROTO_REPORT, job, NULL, 0);
}

void hws_remote_value(struct hws_remote *r, uint64_t job, const char *key, const char *value)
{
    struct hws_buf frame = {0};
    size_t begin = hws_frame_begin(&frame, HWS_PROTO_VALUE, job);
    hws_add_text(&frame, key, strlen(key));
    if (value)
        hws_add_text(&frame, value, strlen(value));
    hws_frame_end(&frame, begin);
    send_frame(r, &frame);
}

void hws_remote_stdin(struct hws_remote *r, uint64_t job, const char *data, size_t len)
{
    send_bytes(r, HWS_PROTO_STDIN, job, data, len);
}

void hws_remote_pause(struct hws_remote *r, uint64_t job, bool is_paused)
{
    send_u32(r, HWS_PROTO_PAUSE, job, is_paused);
}

void hws_remote_close_stream(struct hws_remote *r, uint64_t job, int stream)
{
    send_u32(r, HWS_PROTO_CLOSE_STREAM, job, (uint32_t)stream);
}

/* What is queued already tells more, and where nothing gets through any more nothing shall gather. */
static void beat(void *arg)
{
    struct hws_remote *r = arg;
    if (r->fds[0] >= 0 && !r->to.queue.len)
        send_u32(r, HWS_PROTO_BEAT, 0, (uint32_t)r->cfg.silent_ms);
}

void hws_remote_rest(struct hws_remote *r, bool rests)
{
    if (!hws_host_listens(*r->host))
        return;
    send_u32(r, HWS_PROTO_BEAT, 0, rests ? 0 : (uint32_t)r->cfg.silent_ms);
    if (rests)
        hws_sink_flush(&r->to, WRITE_MS);
}

static void close_to(struct hws_remote *r)
{
    if (r->fds[0] < 0)
        return;
    hws_sink_close(&r->to);
    close(r->fds[0]);
    r->fds[0] = -1;
}

void hws_remote_end(struct hws_remote *r, bool sweep)
{
    if (hws_host_listens(*r->host))
        send_u32(r, HWS_PROTO_END, 0, sweep);
    hws_sink_flush(&r->to, WRITE_MS);
    if (*r->host != HWS_HOST_LOST && *r->host != HWS_HOST_BACKOFF)
        hws_host_become(r->host, HWS_HOST_ENDED);
    hws_silence_watch(&r->silence, -1, 0);
    close_to(r);
}

void hws_remote_kill_agent(struct hws_remote *r, int signum)
{
    if (r->pid > 0)
        kill(r->pid, signum);
}

/* ---- loss ------------------------------------------------------------------------------------------------------ */

static void lose(struct hws_remote *r, const char *fmt, const char *detail)
{
    enum hws_host_state from = *r->host;
    if (!hws_lifecycle_allows(&hws_host_lifecycle, from, HWS_HOST_LOST))
        return;
    hws_host_become(r->host, HWS_HOST_LOST);
    hws_loop_timer_stop(r->timer);
    hws_silence_watch(&r->silence, -1, 0);
    if (!r->why[0])
        snprintf(r->why, sizeof r->why, fmt, detail);
    char text[1024];
    int n = from == HWS_HOST_CONNECTING
                ? snprintf(text, sizeof text, "cannot reach host %s with '%s': ", r->cfg.host, r->agent)
                : snprintf(text, sizeof text, "lost the connection to host %s: ", r->cfg.host);
    size_t used = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    bool is_missing = from == HWS_HOST_CONNECTING && strstr(r->last_words, r->cfg.exe) &&
                      (strstr(r->last_words, "No such file") || strstr(r->last_words, "not found"));
    if (is_missing)
        snprintf(text + used, sizeof text - used, "Hawser has to be there at %s, or say where by -prefix DIR (%s)",
                 r->cfg.exe, r->last_words);
    else if (r->last_words[0])
        snprintf(text + used, sizeof text - used, "%s (%s)", r->last_words, r->why);
    else
        snprintf(text + used, sizeof text - used, "%s", r->why);
    close_to(r);
    hws_remote_kill_agent(r, SIGTERM);
    r->ev.on_lost(r->arg, from, text);
}

static void on_time(void *arg)
{
    struct hws_remote *r = arg;
    char text[64];
    snprintf(text, sizeof text, "%g seconds", r->cfg.deadline_s);
    if (*r->host == HWS_HOST_CONNECTING && r->fds[1] >= 0)
        lose(r, "no answer within %s", text);
    else
        lose(r, "the connection ended%s", "");
}

static void on_silent(void *arg)
{
    struct hws_remote *r = arg;
    char text[64];
    snprintf(text, sizeof text, "%g seconds", (double)r->cfg.silent_ms / HWS_MS_PER_S);
    r->last_words[0] = '\0';
    lose(r, "nothing was heard from it for %s", text);
}

/* ---- frames in ------------------------------------------------------------------------------------------------- */

/* of: who hears the news of the job that the frame is about; NULL in a frame about the host. */
static void on_started(struct hws_remote *r, void *of, struct hws_reader *d)
{
    uint32_t rank = hws_read_u32(d), pid = hws_read_u32(d);
    if (!d->bad)
        r->ev.node.on_started(of, (int)rank, (pid_t)pid);
}

static void on_failed(struct hws_remote *r, void *of, struct hws_reader *d)
{
    size_t len;
    uint32_t status = hws_read_u32(d);
    const char *text = hws_read_text(d, &len);
    char *copy = hws_xstrndup(text, len);
    if (!d->bad)
        r->ev.on_failed(of, (int)status, copy);
    free(copy);
}

static void on_output(struct hws_remote *r, void *of, struct hws_reader *d)
{
    uint32_t rank = hws_read_u32(d), stream = hws_read_u32(d);
    d->bad = d->bad || stream < 1 || stream > 2;
    if (!d->bad)
        r->ev.node.on_output(of, (int)rank, (int)stream, d->data, d->len);
}

static void on_abort(struct hws_remote *r, void *of, struct hws_reader *d)
{
    size_t len;
    uint32_t rank = hws_read_u32(d), code = hws_read_u32(d);
    const char *text = hws_read_text(d, &len);
    char *copy = hws_xstrndup(text, len);
    if (!d->bad)
        r->ev.node.on_abort(of, (int)rank, (int)code, copy);
    free(copy);
}

static void on_exit_frame(struct hws_remote *r, void *of, struct hws_reader *d)
{
    size_t len;
    uint32_t rank = hws_read_u32(d), status = hws_read_u32(d), last = hws_read_u32(d);
    const char *text = hws_read_text(d, &len);
    char *call = hws_xstrndup(text, len);
    d->bad = d->bad || last >= HWS_RANK_N;
    if (!d->bad)
        r->ev.node.on_exit(of, (int)rank, (int)status, (enum hws_rank_state)last, call);
    free(call);
}

static void on_barrier(struct hws_remote *r, void *of, struct hws_reader *d)
{
    struct hws_buf batch = {0};
    hws_buf_append(&batch, d->data, d->len);
    r->ev.node.on_barrier(of, &batch);
    hws_buf_free(&batch);
}

static void on_wanted(struct hws_remote *r, void *of, struct hws_reader *d)
{
    size_t len;
    const char *text = hws_read_text(d, &len);
    char *key = hws_xstrndup(text, len);
    if (!d->bad)
        r->ev.node.on_wanted(of, key);
    free(key);
}

static void on_taken(struct hws_remote *r, void *of, struct hws_reader *d)
{
    r->ev.node.on_stdin_taken(of, hws_read_u32(d));
}

static void on_stdin_closed(struct hws_remote *r, void *of, struct hws_reader *d)
{
    (void)d;
    r->ev.node.on_stdin_closed(of);
}

static void on_reported(struct hws_remote *r, void *of, struct hws_reader *d)
{
    r->ev.node.on_report(of, d->data, d->len);
}

static void on_profiles(struct hws_remote *r, void *of, struct hws_reader *d)
{
    r->ev.node.on_profiles(of, d->data, d->len);
}

static void on_drained(struct hws_remote *r, void *of, struct hws_reader *d)
{
    (void)d;
    r->ev.node.on_drained(of);
}

static void on_alive(struct hws_remote *r, void *of, struct hws_reader *d)
{
    (void)r; /* its bytes have been heard */
    (void)of;
    (void)d;
}

static void (*const handlers[])(struct hws_remote *r, void *of, struct hws_reader *d) = {
    [HWS_PROTO_STARTED] = on_started,   [HWS_PROTO_FAILED] = on_failed,
    [HWS_PROTO_OUTPUT] = on_output,     [HWS_PROTO_ABORT] = on_abort,
    [HWS_PROTO_EXIT] = on_exit_frame,   [HWS_PROTO_BARRIER] = on_barrier,
    [HWS_PROTO_TAKEN] = on_taken,       [HWS_PROTO_STDIN_CLOSED] = on_stdin_closed,
    [HWS_PROTO_DRAINED] = on_drained,   [HWS_PROTO_WANTED] = on_wanted,
    [HWS_PROTO_ALIVE] = on_alive,       [HWS_PROTO_REPORTED] = on_reported,
    [HWS_PROTO_PROFILES] = on_profiles,
};

static bool handle_frame(struct hws_remote *r, const struct hws_proto_frame *f)
{
    struct hws_reader d = {.data = f->data, .len = f->len};
    bool is_of_host = f->type == HWS_PROTO_ALIVE;
    if ((size_t)f->type >= sizeof handlers / sizeof *handlers || !handlers[f->type])
        return false;
    void *of = is_of_host ? NULL : r->ev.of_job(r->arg, f->job);
    if (!of && !is_of_host)
        return false;
    handlers[f->type](r, of, &d);
    return !d.bad;
}

static void handle_frames(struct hws_remote *r)
{
    struct hws_proto_frame f;
    int rc;
    while (*r->host != HWS_HOST_LOST && (rc = hws_frame_peek(&r->in, &f)) != 0) {
        if (rc < 0 || !handle_frame(r, &f)) {
            r->last_words[0] = '\0';
            lose(r, "it sent something that is no frame of Hawser's node daemon%s", "");
            return;
        }
        hws_buf_consume(&r->in, HWS_PROTO_HEADER + f.len);
    }
}

/* Skips what comes before the daemon's first line. */
static void find_banner(struct hws_remote *r)
{
    const char *data = hws_buf_data(&r->in);
    char *at = memmem(data, r->in.len, HWS_PROTO_BANNER, strlen(HWS_PROTO_BANNER));
    if (!at && r->in.len > BANNER_SEARCH)
        lose(r, "it did not run Hawser's node daemon%s", "");
    if (!at)
        return;
    hws_buf_consume(&r->in, (size_t)(at - data) + strlen(HWS_PROTO_BANNER));
    hws_loop_timer_stop(r->timer);
    hws_host_become(r->host, HWS_HOST_READY);
    hws_silence_watch(&r->silence, r->fds[1], r->cfg.silent_ms);
    beat(r);
    r->ev.on_ready(r->arg);
}

static void close_from(struct hws_remote *r)
{
    if (r->fds[1] < 0)
        return;
    hws_loop_unwatch(r->from_io);
    close(r->fds[1]);
    r->from_io = NULL;
    r->fds[1] = -1;
}

static void take(struct hws_remote *r)
{
    if (*r->host == HWS_HOST_CONNECTING)
        find_banner(r);
    if (hws_host_reports(*r->host))
        handle_frames(r);
}

static void on_from(void *arg, int events)
{
    struct hws_remote *r = arg;
    (void)events;
    ssize_t n = read(r->fds[1], hws_buf_reserve(&r->in, READ_BYTES), READ_BYTES);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0) {
        hws_buf_added(&r->in, (size_t)n);
        hws_silence_heard(&r->silence);
        take(r);
        return;
    }
    close_from(r);
    hws_silence_watch(&r->silence, -1, 0);
    if (r->pid > 0 && *r->host != HWS_HOST_ENDED)
        hws_loop_timer_start(r->timer, AFTER_EOF_S); /* its exit tells more */
}

static void take_words(struct hws_remote *r, char *line)
{
    size_t len = strlen(line);
    while (len && isspace((unsigned char)line[len - 1]))
        line[--len] = '\0';
    if (!len)
        return;
    snprintf(r->last_words, sizeof r->last_words, "%s", line);
    for (char *s = r->last_words; *s; s++)
        *s = iscntrl((unsigned char)*s) ? ' ' : *s;
    if (r->show)
        r->show(r->arg, r->last_words);
}

static void close_err(struct hws_remote *r)
{
    if (r->fds[2] < 0)
        return;
    hws_loop_unwatch(r->err_io);
    close(r->fds[2]);
    r->err_io = NULL;
    r->fds[2] = -1;
}

static void on_err(void *arg, int events)
{
    struct hws_remote *r = arg;
    (void)events;
    ssize_t n = read(r->fds[2], hws_buf_reserve(&r->err, 4096), 4096);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        hws_buf_added(&r->err, (size_t)n);
    const char *end;
    while (r->err.len && ((end = memchr(hws_buf_data(&r->err), '\n', r->err.len)) || n <= 0 || r->err.len > ERR_LINE)) {
        size_t len = end ? (size_t)(end - hws_buf_data(&r->err)) : r->err.len;
        char *line = hws_xstrndup(hws_buf_data(&r->err), len);
        hws_buf_consume(&r->err, end ? len + 1 : len);
        take_words(r, line);
        free(line);
    }
    if (n <= 0)
        close_err(r);
}

bool hws_remote_on_child(struct hws_remote *r, pid_t pid, int wait_status)
{
    if (r->pid != pid)
        return false;
    r->pid = 0;
    for (int i = 0; i < LAST_ERRS && r->fds[2] >= 0; i++)
        on_err(r, HWS_LOOP_READ); /* non-blocking */
    for (int i = 0; i < LAST_READS && r->fds[1] >= 0; i++)
        on_from(r, HWS_LOOP_READ);
    char text[64];
    if (WIFSIGNALED(wait_status))
        snprintf(text, sizeof text, "was killed by signal %d", WTERMSIG(wait_status));
    else
        snprintf(text, sizeof text, "exited with status %d", WEXITSTATUS(wait_status));
    lose(r, "it %s", text);
    close_err(r);
    close_from(r);
    close_to(r);
    r->ev.on_gone(r->arg);
    return true;
}

/* ---- connect --------------------------------------------------------------------------------------------------- */

static void watch(struct hws_remote *r)
{
    hws_sink_init(&r->to, r->loop, r->fds[0], NULL, NULL);
    r->from_io = hws_loop_watch(r->loop, r->fds[1], HWS_LOOP_READ, on_from, r);
    r->err_io = hws_loop_watch(r->loop, r->fds[2], HWS_LOOP_READ, on_err, r);
    hws_loop_timer_start(r->timer, r->cfg.deadline_s);
    hws_host_become(r->host, HWS_HOST_CONNECTING);
}

int hws_remote_connect(struct hws_remote *r, const char *agent)
{
    r->agent = agent;
    r->last_words[0] = r->why[0] = '\0';
    hws_buf_consume(&r->in, r->in.len);
    hws_buf_consume(&r->err, r->err.len);
    int rc = hws_agent_run(&r->cfg, agent, &r->pid, r->fds);
    if (!rc)
        watch(r);
    return rc;
}

void hws_remote_show_stderr(struct hws_remote *r, void (*show)(void *arg, const char *line))
{
    r->show = show;
}

struct hws_remote *hws_remote_open(struct hws_loop *loop, const struct hws_remote_config *cfg,
                                   const struct hws_remote_events *ev, enum hws_host_state *host, void *arg)
{
    struct hws_remote *r = hws_xcalloc(1, sizeof *r);
    *r = (struct hws_remote){.loop = loop, .cfg = *cfg, .ev = *ev, .arg = arg, .host = host, .fds = {-1, -1, -1}};
    r->timer = hws_loop_timer(loop, on_time, r);
    hws_silence_init(&r->silence, loop, beat, on_silent, r);
    return r;
}
