/* SPDX-License-Identifier: BSD-3-Clause
 *
 * input: mpirun's stdin on its way to one rank, or to all. Reads only what the pipe of the fastest of them can take
 * soon (a window of bytes), and from a terminal only in the foreground, so that a background job is not stopped by
 * SIGTTIN.
 */
#ifndef HWS_MPIRUN_INPUT_H
#define HWS_MPIRUN_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpirun/util/loop.h"

#define HWS_INPUT_WINDOW (256 * 1024)

struct hws_input {
    struct hws_loop *loop;
    int fd;
    bool is_tty, is_closed;
    uint64_t n_read, n_taken; /* bytes: from fd, and by the rank that has taken most */
    struct hws_loop_io *io;
    struct hws_loop_timer *retry;                             /* looks again whether we are in the foreground */
    void (*on_data)(void *arg, const char *data, size_t len); /* len 0: end of input */
    void *arg;
};

/* Starts reading fd. */
void hws_input_open(struct hws_input *in, struct hws_loop *loop, int fd,
                    void (*on_data)(void *arg, const char *data, size_t len), void *arg);

/* Some rank has taken n bytes, all in all. */
void hws_input_taken(struct hws_input *in, uint64_t n);

/* Nobody wants more. Idempotent; fd stays open. */
void hws_input_close(struct hws_input *in);

#endif
