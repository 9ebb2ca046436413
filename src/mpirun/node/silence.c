/* SPDX-License-Identifier: BSD-3-Clause
 *
 * silence: LOOKS looks in the time that the other end may be silent, something said with every BEAT_LOOKS of them.
 */
#include "mpirun/node/silence.h"

#include <poll.h>

#include "base/clock.h"

#define LOOKS      8
#define BEAT_LOOKS 2

static void start_timer(struct hws_silence *s)
{
    hws_loop_timer_start(s->timer, (double)s->limit_ms / HWS_MS_PER_S / LOOKS);
}

/* What has come while this process did not run counts, though the loop has not read it yet. */
static void on_look(void *arg)
{
    struct hws_silence *s = arg;
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    if (poll(&p, 1, 0) > 0)
        s->n_looks = 0;
    if (++s->n_looks > LOOKS) {
        s->on_silent(s->arg);
        return;
    }
    if (s->n_ticks++ % BEAT_LOOKS == 0)
        s->beat(s->arg);
    start_timer(s);
}

void hws_silence_init(struct hws_silence *s, struct hws_loop *loop, void (*beat)(void *arg),
                      void (*on_silent)(void *arg), void *arg)
{
    *s = (struct hws_silence){.fd = -1, .beat = beat, .on_silent = on_silent, .arg = arg};
    s->timer = hws_loop_timer(loop, on_look, s);
}

void hws_silence_watch(struct hws_silence *s, int fd, uint64_t limit_ms)
{
    s->fd = fd;
    s->limit_ms = limit_ms;
    s->n_looks = 0;
    if (limit_ms)
        start_timer(s);
    else
        hws_loop_timer_stop(s->timer);
}
