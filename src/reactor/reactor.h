/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reactor: the one loop of a process: descriptors, timers, wake-ups from other threads. Listeners give a callback; it
 * runs only from hws_reactor_run(). The only folder that knows libev. Structs below are the listener's memory; libev's
 * watcher lives inside them, opaque.
 *
 * Two ways to be told of input: a listener of the common kind is libev's; a socket's can leave the kernel's wait queue
 * for as long as somebody reads it anyway (hws_io_rest), and sits in an epoll set of the reactor's own for that, which
 * libev watches: libev itself never takes a living descriptor out of its set. docs/decisions/014.
 *
 * Not thread safe by itself: the owner's lock covers every call but hws_reactor_wake(). While the loop sleeps it gives
 * that lock up through the two hooks of hws_reactor_set_lock().
 */
#ifndef HWS_REACTOR_REACTOR_H
#define HWS_REACTOR_REACTOR_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_R 1u
#define HWS_W 2u

struct hws_reactor;

struct hws_io {
    int fd;
    unsigned interest; /* HWS_R | HWS_W */
    bool may_rest, resting;
    void (*on_ready)(struct hws_io *io, unsigned ready);
    struct hws_reactor *reactor;
    uint64_t watcher[8]; /* libev's ev_io */
};

struct hws_timer {
    void (*on_time)(struct hws_timer *t);
    struct hws_reactor *reactor;
    uint64_t watcher[8]; /* libev's ev_timer */
};

/* HWS_OK, HWS_ENOMEM or HWS_ENOFILES. */
int hws_reactor_open(struct hws_reactor **out);
void hws_reactor_fini(struct hws_reactor *r);

/* Caller's memory, which must not move while anything is waited for. Waits for nothing yet. */
void hws_io_init(struct hws_reactor *r, struct hws_io *io, int fd, void (*on_ready)(struct hws_io *, unsigned));
/* The same for a socket whose wait for input may be laid to rest. */
void hws_io_init_socket(struct hws_reactor *r, struct hws_io *io, int fd, void (*on_ready)(struct hws_io *, unsigned));

/* A socket that is read directly all the time need not also wake the reactor, which costs every arrival some 150 ns in
 * the sender's way to the reader. While it rests no input is told; the interest stays as set. Ended before sleeping. */
void hws_io_rest(struct hws_io *io, bool rest);

/* Sets what is waited for; 0 stops. Cheap if nothing changes. Must be 0 before fd is closed. */
void hws_io_want(struct hws_io *io, unsigned interest);

/* Caller's memory, which must not move while the timer runs. It does not run yet. */
void hws_timer_init(struct hws_reactor *r, struct hws_timer *t, void (*on_time)(struct hws_timer *));
void hws_timer_set(struct hws_timer *t, uint64_t ms); /* one shot, from now */
void hws_timer_stop(struct hws_timer *t);
bool hws_timer_is_set(const struct hws_timer *t);

/* One pass: callbacks of what is ready. `block`: sleeps until something is. */
void hws_reactor_run(struct hws_reactor *r, bool block);

/* Ends a sleep of hws_reactor_run(), from any thread. */
void hws_reactor_wake(struct hws_reactor *r);

/* Called around each sleep: give(arg) before, take(arg) after. */
void hws_reactor_set_lock(struct hws_reactor *r, void (*give)(void *), void (*take)(void *), void *arg);

/* True while some thread is inside hws_reactor_run(); while it sleeps there. */
bool hws_reactor_is_running(const struct hws_reactor *r);
bool hws_reactor_is_sleeping(const struct hws_reactor *r);

#endif
