/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_stdin: one copy of the input and a position in it for each reader. Bytes before file_end are in the file, the
 * others in memory; without -stdin all there is no file, since mpirun sends no more than the one reader can take.
 */
#include "mpirun/node/node_stdin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mpirun/util/buf.h"

#define PIECE_BYTES 65536
#define PUNCH_BYTES (1 << 20) /* that all have read are given back at a time */

struct reader {
    struct hws_node_stdin *of;
    int fd; /* -1: none, or closed */
    struct hws_loop_io *io;
    uint64_t at; /* bytes that it has taken */
};

struct hws_node_stdin {
    struct hws_loop *loop;
    const struct hws_node_stdin_events *ev;
    void *arg;
    struct reader *readers; /* n_ranks */
    int n_ranks, n_open;
    int file; /* -1: none */
    uint64_t file_start, file_end, most;
    struct hws_buf rest; /* bytes file_end and after */
    bool at_end, is_closed;
};

static int open_file(void)
{
    const char *dir = getenv("TMPDIR");
    int fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return fd >= 0 ? fd : open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static uint64_t size_of(const struct hws_node_stdin *s)
{
    return s->file_end + s->rest.len;
}

/* Moves what is in memory to the file, as far as there is room. */
static void spill(struct hws_node_stdin *s)
{
    while (s->file >= 0 && s->rest.len) {
        ssize_t n = pwrite(s->file, hws_buf_data(&s->rest), s->rest.len, (off_t)s->file_end);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        hws_buf_consume(&s->rest, (size_t)n);
        s->file_end += (uint64_t)n;
    }
}

/* Gives back what all have read. */
static void forget(struct hws_node_stdin *s)
{
    uint64_t least = size_of(s);
    for (int i = 0; i < s->n_ranks; i++)
        if (s->readers[i].fd >= 0 && s->readers[i].at < least)
            least = s->readers[i].at;
    if (least > s->file_end) {
        hws_buf_consume(&s->rest, (size_t)(least - s->file_end));
        s->file_end = least;
    }
    if (s->file >= 0 && least - s->file_start >= PUNCH_BYTES) {
        (void)fallocate(s->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)s->file_start,
                        (off_t)(least - s->file_start));
        s->file_start = least;
    }
}

static void close_reader(struct reader *r)
{
    struct hws_node_stdin *s = r->of;
    if (r->fd < 0)
        return;
    hws_loop_unwatch(r->io);
    r->io = NULL;
    close(r->fd);
    r->fd = -1;
    s->n_open--;
    forget(s);
}

/* What the reader has not taken: a piece of it, and where. 0: nothing. */
static size_t piece_at(struct hws_node_stdin *s, uint64_t at, char *room, const char **data)
{
    if (at >= s->file_end) {
        *data = hws_buf_data(&s->rest) + (at - s->file_end);
        return (size_t)(size_of(s) - at);
    }
    uint64_t left = s->file_end - at;
    ssize_t n = pread(s->file, room, left < PIECE_BYTES ? (size_t)left : PIECE_BYTES, (off_t)at);
    *data = room;
    return n > 0 ? (size_t)n : 0;
}

/* Writes as much as the pipe takes. */
static void push(struct reader *r)
{
    static char room[PIECE_BYTES];
    struct hws_node_stdin *s = r->of;
    const char *data;
    size_t len;
    ssize_t n = 0;
    while (r->fd >= 0 && (len = piece_at(s, r->at, room, &data)) > 0) {
        n = write(r->fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        r->at += (uint64_t)n;
    }
    bool gone = n < 0 && errno != EAGAIN;
    if (r->fd >= 0 && (gone || (s->at_end && r->at == size_of(s))))
        close_reader(r);
    else if (r->fd >= 0)
        hws_loop_want(r->io, r->at < size_of(s) ? HWS_LOOP_WRITE : 0);
}

static void tell(struct hws_node_stdin *s)
{
    uint64_t before = s->most;
    for (int i = 0; i < s->n_ranks; i++)
        if (s->readers[i].at > s->most)
            s->most = s->readers[i].at;
    forget(s);
    if (s->most > before)
        s->ev->on_taken(s->arg, (size_t)(s->most - before));
    if (s->n_open == 0 && !s->is_closed) {
        s->is_closed = true;
        s->ev->on_closed(s->arg);
    }
}

static void on_ready(void *arg, int events)
{
    struct reader *r = arg;
    (void)events;
    push(r);
    tell(r->of);
}

void hws_node_stdin_give(struct hws_node_stdin *s, const char *data, size_t len)
{
    if (s->n_open == 0)
        return;
    hws_buf_append(&s->rest, data, len);
    s->at_end = s->at_end || len == 0;
    spill(s);
    for (int i = 0; i < s->n_ranks; i++)
        if (s->readers[i].fd >= 0)
            push(&s->readers[i]);
    tell(s);
}

void hws_node_stdin_drop(struct hws_node_stdin *s, int i)
{
    if (s->readers[i].fd < 0)
        return;
    close_reader(&s->readers[i]);
    tell(s);
}

void hws_node_stdin_add(struct hws_node_stdin *s, int i, int fd)
{
    struct reader *r = &s->readers[i];
    r->fd = fd;
    r->io = hws_loop_watch(s->loop, fd, 0, on_ready, r);
    s->n_open++;
}

struct hws_node_stdin *hws_node_stdin_open(struct hws_loop *loop, int n_ranks, bool of_all,
                                           const struct hws_node_stdin_events *ev, void *arg)
{
    struct hws_node_stdin *s = hws_xcalloc(1, sizeof *s);
    *s = (struct hws_node_stdin){.loop = loop, .ev = ev, .arg = arg, .n_ranks = n_ranks};
    s->file = of_all ? open_file() : -1;
    s->readers = hws_xcalloc((size_t)n_ranks, sizeof *s->readers);
    for (int i = 0; i < n_ranks; i++)
        s->readers[i] = (struct reader){.of = s, .fd = -1};
    return s;
}

void hws_node_stdin_fini(struct hws_node_stdin *s)
{
    for (int i = 0; i < s->n_ranks; i++)
        close_reader(&s->readers[i]);
    if (s->file >= 0)
        close(s->file);
    hws_buf_free(&s->rest);
    free(s->readers);
    free(s);
}
