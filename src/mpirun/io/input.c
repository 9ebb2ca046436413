/* SPDX-License-Identifier: BSD-3-Clause
 *
 * input: see the header.
 */
#include "mpirun/io/input.h"

#include <errno.h>
#include <unistd.h>

#define READ_BYTES   65536
#define FOREGROUND_S 0.3 /* how often a background job looks whether it was brought to the foreground */

void hws_input_close(struct hws_input *in)
{
    if (in->is_closed)
        return;
    in->is_closed = true;
    hws_loop_unwatch(in->io);
    in->io = NULL;
    if (in->retry)
        hws_loop_timer_stop(in->retry);
}

static void update(struct hws_input *in)
{
    if (in->is_closed)
        return;
    bool in_background = in->is_tty && tcgetpgrp(in->fd) != getpgrp();
    if (in_background)
        hws_loop_timer_start(in->retry, FOREGROUND_S);
    hws_loop_want(in->io, !in_background && in->n_read - in->n_taken < HWS_INPUT_WINDOW ? HWS_LOOP_READ : 0);
}

static void on_retry(void *arg)
{
    update(arg);
}

static void on_readable(void *arg, int events)
{
    static char data[READ_BYTES];
    struct hws_input *in = arg;
    (void)events;
    update(in); /* the shell may have put us into the background since */
    if (in->is_tty && tcgetpgrp(in->fd) != getpgrp())
        return;
    ssize_t n = read(in->fd, data, sizeof data);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        hws_input_close(in);
        in->on_data(in->arg, NULL, 0);
        return;
    }
    in->n_read += (uint64_t)n;
    update(in);
    in->on_data(in->arg, data, (size_t)n);
}

void hws_input_taken(struct hws_input *in, uint64_t n)
{
    if (n > in->n_taken && n <= in->n_read)
        in->n_taken = n;
    update(in);
}

void hws_input_open(struct hws_input *in, struct hws_loop *loop, int fd,
                    void (*on_data)(void *arg, const char *data, size_t len), void *arg)
{
    *in = (struct hws_input){.loop = loop, .fd = fd, .is_tty = isatty(fd), .on_data = on_data, .arg = arg};
    in->retry = hws_loop_timer(loop, on_retry, in);
    in->io = hws_loop_watch(loop, fd, 0, on_readable, in);
    update(in);
}
