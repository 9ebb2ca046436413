/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink: mpirun's own stdout or stderr. Bytes are queued and written when the reader takes them; the descriptor is never
 * made non-blocking, because the shell shares it.
 */
#ifndef HWS_MPIRUN_SINK_H
#define HWS_MPIRUN_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/util/buf.h"
#include "mpirun/util/loop.h"

#define HWS_SINK_HIGH (1 << 20) /* queued bytes from which is_full is true */
#define HWS_SINK_LOW  (1 << 18) /* ... until so few are left */

struct hws_output_sink {
    int fd;
    bool is_full, is_broken; /* broken: nothing can be written any more, everything is dropped */
    int errnum;              /* why it broke; 0: it did not, or the reader is gone, which is the reader's own affair */
    bool needs_poll;         /* a pipe, socket or terminal: may block */
    struct hws_buf queue;
    struct hws_loop_io *io;
    void (*on_change)(void *arg); /* is_full or is_broken has changed, or the queue is empty; or NULL */
    void *arg;
};

/* Caller's memory; fd is borrowed until hws_sink_close(). */
void hws_sink_init(struct hws_output_sink *s, struct hws_loop *loop, int fd, void (*on_change)(void *arg), void *arg);
/* Queues a copy, and writes what the reader takes now. */
void hws_sink_write(struct hws_output_sink *s, const void *data, size_t len);

/* Stops; what is queued is dropped, and so is all that is written later. Does not close fd. */
void hws_sink_close(struct hws_output_sink *s);

/* Writes out everything, waiting for the reader at most so many milliseconds after each piece. */
void hws_sink_flush(struct hws_output_sink *s, int patience_ms);

#endif
