/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_output: what the ranks write, on its way to mpirun's own streams and to files: in whole lines, with warnings that
 * are alike folded, and no faster than it is taken.
 */
#include "mpirun/job/job_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROMPT_S 0.2 /* a line begun on a terminal for so long is a question to the user */

/* ---- mpirun's own lines ---------------------------------------------------------------------------------------- */

static void emit(void *arg, const char *data, size_t len)
{
    hws_sink_write(arg, data, len);
}

void hws_job_output_unfold(struct job *j)
{
    hws_fold_flush(&j->fold, emit, &j->mpirun->out.sinks[1]);
    if (j->fold_timer)
        hws_loop_timer_stop(j->fold_timer);
}

static void on_fold_time(void *arg)
{
    hws_job_output_unfold(arg);
}

static void __attribute__((format(printf, 3, 0))) say(struct mpirun *m, const char *of, const char *fmt, va_list ap)
{
    char text[2048];
    int n = vsnprintf(text, sizeof text - 1, fmt, ap);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text - 2 ? (size_t)n : sizeof text - 2;
    text[len] = '\n';
    for (int i = 0; i < m->n_jobs; i++)
        hws_job_output_unfold(m->jobs[i]);
    hws_sink_write(&m->out.sinks[1], "mpirun: ", 8);
    hws_sink_write(&m->out.sinks[1], of, strlen(of));
    hws_sink_write(&m->out.sinks[1], text, len + 1);
}

void hws_mpirun_say(struct mpirun *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(m, "", fmt, ap);
    va_end(ap);
}

void hws_job_say(struct job *j, const char *fmt, ...)
{
    char of[32] = "";
    va_list ap;
    if (j->number > 0)
        snprintf(of, sizeof of, "job %d: ", j->number);
    va_start(ap, fmt);
    say(j->mpirun, of, fmt, ap);
    va_end(ap);
}

/* ---- who takes it ---------------------------------------------------------------------------------------------- */

static bool has_started(const struct mpirun *m)
{
    for (int i = 0; i < m->n_jobs; i++)
        if (m->jobs[i]->state != JOB_STARTING)
            return true;
    return false;
}

/* Only what changes: a sink tells of every line that it has written, and there may be a thousand nodes. */
void hws_output_pause(struct mpirun *m)
{
    bool is_paused = m->out.sinks[0].is_full || m->out.sinks[1].is_full || m->out.files.n_full;
    if (is_paused == m->out.is_paused || !has_started(m))
        return;
    m->out.is_paused = is_paused;
    for (int k = 0; k < m->n_jobs; k++)
        for (int i = 0; i < m->jobs[k]->place->n_nodes; i++)
            if (m->jobs[k]->nodes[i].state == HWS_NODE_RUNNING)
                hws_any_pause(&m->jobs[k]->nodes[i].any, is_paused);
}

/* What goes into files goes on. */
static void close_broken(struct job *j)
{
    for (int s = 0; s < 2; s++)
        for (int i = 0; j->mpirun->out.sinks[s].is_broken && !j->args->output.patterns[s] && i < j->place->n_nodes; i++)
            if (j->nodes[i].state == HWS_NODE_RUNNING)
                hws_any_close_stream(&j->nodes[i].any, s + 1);
}

/* Before the ranks' streams are closed: what they die of then is the consequence. */
static void fail_unwritten(struct job *j)
{
    static const char *const names[] = {"standard output", "standard error"};
    const struct mpirun_out *out = &j->mpirun->out;
    for (int s = 0; s < 2; s++)
        if (out->sinks[s].errnum)
            hws_job_fail(j, 1, "cannot write %s: %s", names[s], strerror(out->sinks[s].errnum));
    if (out->files.broken)
        hws_job_fail(j, 1, "cannot write '%s': %s", out->files.broken->name, strerror(out->files.broken->sink.errnum));
}

static void on_sink_change(void *arg)
{
    struct mpirun *m = arg;
    for (int i = 0; i < m->n_jobs; i++)
        fail_unwritten(m->jobs[i]);
    for (int i = 0; i < m->n_jobs; i++)
        close_broken(m->jobs[i]);
    hws_output_pause(m);
    for (int i = 0; i < m->n_jobs; i++)
        if (!m->jobs[i]->end.is_over)
            hws_job_check_end(m->jobs[i]);
}

/* ---- from the ranks -------------------------------------------------------------------------------------------- */

struct origin {
    struct job *job;
    int node, rank, stream;
};

static void show_error(const struct origin *o, const char *data, size_t len)
{
    struct job *j = o->job;
    if (hws_fold_feed(&j->fold, o->node, o->rank, data, len, emit, &j->mpirun->out.sinks[1]))
        hws_loop_timer_start(j->fold_timer, (double)j->args->params.warn_wait_ms / 1000);
}

/* To the rank's file, and to mpirun's own stream unless there is a file and no copy is wanted. */
static void emit_line(void *arg, const char *data, size_t len)
{
    const struct origin *o = arg;
    struct job *j = o->job;
    struct hws_file *file = j->ranks[o->rank].files[o->stream - 1];
    if (file)
        hws_sink_write(&file->sink, data, len);
    if (file && !j->args->output.is_copied)
        return;
    if (o->stream == 2)
        show_error(o, data, len);
    else
        hws_sink_write(&j->mpirun->out.sinks[0], data, len);
}

/* What stands before lines that come now: "Mon Nov 23 18:03:17 2026[0] <stdout>:", or parts of it; for rank 0 of a
 * later job than the first "[1:0] ". */
static void make_tag(char *tag, size_t tag_len, const struct job *j, int rank, int stream)
{
    struct tm now;
    time_t seconds = time(NULL);
    size_t len = 0;
    if (j->args->output.has_time && localtime_r(&seconds, &now))
        len = strftime(tag, tag_len, "%a %b %e %H:%M:%S %Y", &now);
    tag[len] = '\0';
    if (j->args->output.has_tags && j->number > 0)
        len += (size_t)snprintf(tag + len, tag_len - len, "[%d:%d] ", j->number, rank);
    else if (j->args->output.has_tags)
        len += (size_t)snprintf(tag + len, tag_len - len, "[%d] ", rank);
    if (j->args->output.has_time)
        snprintf(tag + len, tag_len - len, "<%s>:", stream == 1 ? "stdout" : "stderr");
}

/* The lines of one stream of a rank so far; data NULL: what is left of it. */
static void give_lines(struct job *j, int rank, int stream, const char *data, size_t len)
{
    struct job_rank *r = &j->ranks[rank];
    struct hws_lines *lines = &r->lines[stream - 1];
    struct origin o = {j, r->node, rank, stream};
    char tag[80];
    make_tag(tag, sizeof tag, j, rank, stream);
    struct hws_lines_to to = {tag, emit_line, &o};
    if (data)
        hws_lines_feed(lines, &to, data, len);
    else
        hws_lines_end(lines, &to);
}

void hws_job_on_output(void *arg, int rank, int stream, const char *data, size_t len)
{
    struct job_node *n = arg;
    if (!hws_job_is_rank_of(n, rank))
        return;
    struct job *j = n->job;
    struct mpirun *m = j->mpirun;
    give_lines(j, rank, stream, len ? data : NULL, len);
    bool may_ask = len && j->number == 0 && rank == j->args->stdin_rank && m->input.is_tty;
    if (may_ask && j->ranks[rank].lines[stream - 1].partial.len)
        hws_loop_timer_start(m->out.prompt_timer, PROMPT_S);
}

/* The rank that reads may be asking for input: shows what it has written so far. */
static void on_prompt_time(void *arg)
{
    struct mpirun *m = arg;
    struct job *j = m->jobs[0];
    for (int s = 0; s < 2; s++)
        give_lines(j, j->args->stdin_rank, s + 1, NULL, 0);
}

/* ---- begin and end --------------------------------------------------------------------------------------------- */

int hws_job_output_setup(struct job *j)
{
    char err[600];
    for (int i = 0; i < j->place->size; i++) {
        int node = j->ranks[i].node;
        struct hws_output_rank whose = {i, j->place->size, node, j->place->nodes[node]};
        for (int s = 0; s < 2; s++) {
            char *name = hws_output_name(&j->args->output, s + 1, &whose);
            if (!name)
                continue;
            j->ranks[i].files[s] =
                hws_files_open(&j->mpirun->out.files, name, j->mpirun->origin->first_own, err, sizeof err);
            free(name);
            if (j->ranks[i].files[s])
                continue;
            fprintf(stderr, "mpirun: %s\n", err);
            return 1;
        }
    }
    return 0;
}

void hws_output_open(struct mpirun *m)
{
    hws_sink_init(&m->out.sinks[0], m->loop, STDOUT_FILENO, on_sink_change, m);
    hws_sink_init(&m->out.sinks[1], m->loop, STDERR_FILENO, on_sink_change, m);
    m->out.prompt_timer = hws_loop_timer(m->loop, on_prompt_time, m);
}

void hws_job_output_open(struct job *j)
{
    struct mpirun *m = j->mpirun;
    hws_files_start(&m->out.files, m->loop, on_sink_change, m);
    j->fold_timer = hws_loop_timer(m->loop, on_fold_time, j);
}

bool hws_output_waits(const struct mpirun *m)
{
    return m->out.sinks[0].queue.len || m->out.sinks[1].queue.len || hws_files_wait(&m->out.files);
}

void hws_output_flush(struct mpirun *m, int patience_ms)
{
    for (int i = 0; i < m->n_jobs; i++)
        hws_job_output_unfold(m->jobs[i]);
    hws_sink_flush(&m->out.sinks[0], patience_ms);
    hws_sink_flush(&m->out.sinks[1], patience_ms);
    hws_files_flush(&m->out.files, patience_ms);
}
