/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink: a poll for writability before each write, and pieces no larger than a pipe takes without blocking once poll
 * says so (PIPE_BUF, POSIX.1-2017 write()).
 */
#include "mpirun/io/sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

static void change(struct hws_output_sink *s)
{
    if (s->on_change)
        s->on_change(s->arg);
}

static void break_off(struct hws_output_sink *s, int errnum)
{
    hws_buf_free(&s->queue);
    if (s->io)
        hws_loop_want(s->io, 0);
    s->is_broken = true;
    s->errnum = errnum == EPIPE ? 0 : errnum;
    s->is_full = false;
    change(s);
}

/* Writes one piece if that does not block longer than patience_ms. False: it would, or the sink is broken. */
static bool write_piece(struct hws_output_sink *s, int patience_ms)
{
    size_t len = s->queue.len;
    if (s->needs_poll) {
        struct pollfd pfd = {.fd = s->fd, .events = POLLOUT};
        if (poll(&pfd, 1, patience_ms) <= 0)
            return false;
        len = len < PIPE_BUF ? len : PIPE_BUF;
    }
    ssize_t n = write(s->fd, hws_buf_data(&s->queue), len);
    if (n < 0 && errno == EINTR)
        return true;
    if (n < 0 && errno == EAGAIN)
        return false;
    if (n <= 0) {
        break_off(s, n < 0 ? errno : EIO);
        return false;
    }
    hws_buf_consume(&s->queue, (size_t)n);
    return true;
}

static void push(struct hws_output_sink *s)
{
    bool had_some = s->queue.len > 0;
    while (s->queue.len && write_piece(s, 0))
        ;
    hws_loop_want(s->io, s->queue.len ? HWS_LOOP_WRITE : 0);
    bool is_full = s->is_full ? s->queue.len > HWS_SINK_LOW : s->queue.len >= HWS_SINK_HIGH;
    bool is_news = is_full != s->is_full || (had_some && !s->queue.len);
    s->is_full = is_full;
    if (is_news && !s->is_broken)
        change(s);
}

static void on_ready(void *arg, int events)
{
    (void)events;
    push(arg);
}

void hws_sink_init(struct hws_output_sink *s, struct hws_loop *loop, int fd, void (*on_change)(void *arg), void *arg)
{
    struct stat st;
    *s = (struct hws_output_sink){.fd = fd, .on_change = on_change, .arg = arg};
    s->needs_poll = fstat(fd, &st) != 0 || !S_ISREG(st.st_mode);
    s->io = hws_loop_watch(loop, fd, 0, on_ready, s);
}

void hws_sink_write(struct hws_output_sink *s, const void *data, size_t len)
{
    if (s->is_broken || !len)
        return;
    bool was_empty = s->queue.len == 0;
    hws_buf_append(&s->queue, data, len);
    if (was_empty || s->queue.len >= HWS_SINK_HIGH)
        push(s);
}

void hws_sink_flush(struct hws_output_sink *s, int patience_ms)
{
    while (s->queue.len && write_piece(s, patience_ms))
        ;
}

void hws_sink_close(struct hws_output_sink *s)
{
    hws_buf_free(&s->queue);
    hws_loop_unwatch(s->io);
    s->io = NULL;
    s->is_broken = true;
}
