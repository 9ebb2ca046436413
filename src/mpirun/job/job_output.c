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
    hws_fold_flush(&j->out.fold, emit, &j->out.sinks[1]);
    if (j->out.fold_timer)
        hws_loop_timer_stop(j->out.fold_timer);
}

static void on_fold_time(void *arg)
{
    hws_job_output_unfold(arg);
}

void hws_job_say(struct job *j, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text - 1, fmt, ap);
    va_end(ap);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text - 2 ? (size_t)n : sizeof text - 2;
    text[len] = '\n';
    hws_job_output_unfold(j);
    hws_sink_write(&j->out.sinks[1], "mpirun: ", 8);
    hws_sink_write(&j->out.sinks[1], text, len + 1);
}

/* ---- who takes it ---------------------------------------------------------------------------------------------- */

/* Only what changes: a sink tells of every line that it has written, and there may be a thousand nodes. */
void hws_job_output_pause(struct job *j)
{
    bool is_paused = j->out.sinks[0].is_full || j->out.sinks[1].is_full || j->out.files.n_full;
    if (j->state == JOB_STARTING || is_paused == j->out.is_paused)
        return;
    j->out.is_paused = is_paused;
    for (int i = 0; i < j->place->n_nodes; i++)
        if (j->nodes[i].state == HWS_HOST_RUNNING)
            hws_any_pause(&j->nodes[i].any, is_paused);
}

/* What goes into files goes on. */
static void close_broken(struct job *j)
{
    for (int s = 0; s < 2; s++)
        for (int i = 0; j->out.sinks[s].is_broken && !j->args->output.patterns[s] && i < j->place->n_nodes; i++)
            if (j->nodes[i].state == HWS_HOST_RUNNING)
                hws_any_close_stream(&j->nodes[i].any, s + 1);
}

/* Before the ranks' streams are closed: what they die of then is the consequence. */
static void fail_unwritten(struct job *j)
{
    static const char *const names[] = {"standard output", "standard error"};
    for (int s = 0; s < 2; s++)
        if (j->out.sinks[s].errnum)
            hws_job_fail(j, 1, "cannot write %s: %s", names[s], strerror(j->out.sinks[s].errnum));
    if (j->out.files.broken)
        hws_job_fail(j, 1, "cannot write '%s': %s", j->out.files.broken->name,
                     strerror(j->out.files.broken->sink.errnum));
}

static void on_sink_change(void *arg)
{
    struct job *j = arg;
    fail_unwritten(j);
    close_broken(j);
    hws_job_output_pause(j);
    hws_job_check_end(j);
}

/* ---- from the ranks -------------------------------------------------------------------------------------------- */

struct origin {
    struct job *job;
    int node, rank, stream;
};

static void show_error(const struct origin *o, const char *data, size_t len)
{
    struct job *j = o->job;
    if (hws_fold_feed(&j->out.fold, o->node, o->rank, data, len, emit, &j->out.sinks[1]))
        hws_loop_timer_start(j->out.fold_timer, (double)j->args->params.warn_wait_ms / 1000);
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
        hws_sink_write(&j->out.sinks[0], data, len);
}

/* What stands before lines that come now: "Mon Nov 23 18:03:17 2026[0] <stdout>:", or parts of it. */
static void make_tag(char *tag, size_t tag_len, const struct job *j, int rank, int stream)
{
    struct tm now;
    time_t seconds = time(NULL);
    size_t len = 0;
    if (j->args->output.has_time && localtime_r(&seconds, &now))
        len = strftime(tag, tag_len, "%a %b %e %H:%M:%S %Y", &now);
    tag[len] = '\0';
    if (j->args->output.has_tags)
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
    give_lines(j, rank, stream, len ? data : NULL, len);
    if (len && rank == j->args->stdin_rank && j->input.is_tty && j->ranks[rank].lines[stream - 1].partial.len)
        hws_loop_timer_start(j->out.prompt_timer, PROMPT_S);
}

/* The rank that reads may be asking for input: shows what it has written so far. */
static void on_prompt_time(void *arg)
{
    struct job *j = arg;
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
            j->ranks[i].files[s] = hws_files_open(&j->out.files, name, j->origin->first_own, err, sizeof err);
            free(name);
            if (j->ranks[i].files[s])
                continue;
            fprintf(stderr, "mpirun: %s\n", err);
            return 1;
        }
    }
    return 0;
}

void hws_job_output_open(struct job *j)
{
    hws_sink_init(&j->out.sinks[0], j->loop, STDOUT_FILENO, on_sink_change, j);
    hws_sink_init(&j->out.sinks[1], j->loop, STDERR_FILENO, on_sink_change, j);
    hws_files_start(&j->out.files, j->loop, on_sink_change, j);
    j->out.fold_timer = hws_loop_timer(j->loop, on_fold_time, j);
    j->out.prompt_timer = hws_loop_timer(j->loop, on_prompt_time, j);
}

bool hws_job_output_waits(const struct job *j)
{
    return j->out.sinks[0].queue.len || j->out.sinks[1].queue.len || hws_files_wait(&j->out.files);
}

void hws_job_output_flush(struct job *j, int patience_ms)
{
    hws_job_output_unfold(j);
    hws_sink_flush(&j->out.sinks[0], patience_ms);
    hws_sink_flush(&j->out.sinks[1], patience_ms);
    hws_files_flush(&j->out.files, patience_ms);
}
