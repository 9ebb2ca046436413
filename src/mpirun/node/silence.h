/* SPDX-License-Identifier: BSD-3-Clause
 *
 * silence: the two ends of the pipes between mpirun and a node daemon tell each other that they live, since a remote
 * shell whose network is gone says nothing for a quarter of an hour or for ever. What counts is not the clock but looks
 * that found nothing: a process that was stopped, or that the machine kept from running, has not looked meanwhile.
 */
#ifndef HWS_MPIRUN_SILENCE_H
#define HWS_MPIRUN_SILENCE_H

#include <stdint.h>

#include "mpirun/util/loop.h"

struct hws_silence {
    struct hws_loop_timer *timer;
    int fd;                       /* where the other end would be heard */
    uint64_t limit_ms;            /* 0: not watched */
    unsigned n_looks;             /* since the last byte */
    unsigned n_ticks;             /* of the timer, for the beats */
    void (*beat)(void *arg);      /* it is time to say something */
    void (*on_silent)(void *arg); /* nothing was heard for limit_ms; once */
    void *arg;
};

/* Caller's memory; nothing is watched yet. */
void hws_silence_init(struct hws_silence *s, struct hws_loop *loop, void (*beat)(void *arg),
                      void (*on_silent)(void *arg), void *arg);

/* From now on; limit_ms 0 ends it. */
void hws_silence_watch(struct hws_silence *s, int fd, uint64_t limit_ms);

/* Bytes have come. */
static inline void hws_silence_heard(struct hws_silence *s)
{
    s->n_looks = 0;
}

#endif
