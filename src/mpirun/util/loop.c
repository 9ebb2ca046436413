/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop: a thin face on libev. Watchers are allocated one by one; a job has a handful per rank.
 */
#include "mpirun/util/loop.h"

#include <stdbool.h>
#include <stdlib.h>

#include <ev.h>

#include "mpirun/util/buf.h"

struct hws_loop {
    struct ev_loop *ev;
};

struct hws_loop_io {
    ev_io io; /* first: libev hands it back */
    struct hws_loop *loop;
    void (*on_ready)(void *arg, int events);
    void *arg;
};

struct hws_loop_timer {
    ev_timer timer;
    struct hws_loop *loop;
    void (*on_time)(void *arg);
    void *arg;
};

struct signal_watcher {
    ev_signal sig;
    void (*on_signal)(void *arg, int signum);
    void *arg;
};

struct hws_loop *hws_loop_open(void)
{
    struct ev_loop *ev = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV);
    if (!ev)
        return NULL;
    struct hws_loop *l = hws_xcalloc(1, sizeof *l);
    l->ev = ev;
    return l;
}

void hws_loop_run(struct hws_loop *l)
{
    ev_run(l->ev, 0);
}

void hws_loop_stop(struct hws_loop *l)
{
    ev_break(l->ev, EVBREAK_ALL);
}

double hws_loop_now(struct hws_loop *l)
{
    return ev_now(l->ev);
}

static void on_io(struct ev_loop *ev, ev_io *w, int revents)
{
    (void)ev;
    struct hws_loop_io *io = (struct hws_loop_io *)w;
    io->on_ready(io->arg, (revents & EV_READ ? HWS_LOOP_READ : 0) | (revents & EV_WRITE ? HWS_LOOP_WRITE : 0));
}

static int ev_events(int events)
{
    return (events & HWS_LOOP_READ ? EV_READ : 0) | (events & HWS_LOOP_WRITE ? EV_WRITE : 0);
}

struct hws_loop_io *hws_loop_watch(struct hws_loop *l, int fd, int events, void (*on_ready)(void *arg, int events),
                                   void *arg)
{
    struct hws_loop_io *io = hws_xcalloc(1, sizeof *io);
    io->loop = l;
    io->on_ready = on_ready;
    io->arg = arg;
    ev_io_init(&io->io, on_io, fd, ev_events(events));
    if (events)
        ev_io_start(l->ev, &io->io);
    return io;
}

void hws_loop_want(struct hws_loop_io *io, int events)
{
    bool is_same = ev_is_active(&io->io) ? (io->io.events & (EV_READ | EV_WRITE)) == ev_events(events) : !events;
    if (is_same)
        return;
    ev_io_stop(io->loop->ev, &io->io);
    ev_io_set(&io->io, io->io.fd, ev_events(events));
    if (events)
        ev_io_start(io->loop->ev, &io->io);
}

void hws_loop_unwatch(struct hws_loop_io *io)
{
    if (!io)
        return;
    ev_io_stop(io->loop->ev, &io->io); /* also drops a pending event of this round */
    free(io);
}

static void on_timer(struct ev_loop *ev, ev_timer *w, int revents)
{
    (void)ev;
    (void)revents;
    struct hws_loop_timer *t = (struct hws_loop_timer *)w;
    t->on_time(t->arg);
}

struct hws_loop_timer *hws_loop_timer(struct hws_loop *l, void (*on_time)(void *arg), void *arg)
{
    struct hws_loop_timer *t = hws_xcalloc(1, sizeof *t);
    t->loop = l;
    t->on_time = on_time;
    t->arg = arg;
    ev_timer_init(&t->timer, on_timer, 0., 0.);
    return t;
}

void hws_loop_timer_start(struct hws_loop_timer *t, double seconds)
{
    ev_timer_stop(t->loop->ev, &t->timer);
    ev_now_update(t->loop->ev);
    ev_timer_set(&t->timer, seconds, 0.);
    ev_timer_start(t->loop->ev, &t->timer);
}

void hws_loop_timer_stop(struct hws_loop_timer *t)
{
    ev_timer_stop(t->loop->ev, &t->timer);
}

void hws_loop_timer_fini(struct hws_loop_timer *t)
{
    if (t)
        hws_loop_timer_stop(t);
    free(t);
}

static void on_signal_event(struct ev_loop *ev, ev_signal *w, int revents)
{
    (void)ev;
    (void)revents;
    struct signal_watcher *s = (struct signal_watcher *)w;
    s->on_signal(s->arg, s->sig.signum);
}

void hws_loop_signal(struct hws_loop *l, int signum, void (*on_signal)(void *arg, int signum), void *arg)
{
    struct signal_watcher *s = hws_xcalloc(1, sizeof *s);
    s->on_signal = on_signal;
    s->arg = arg;
    ev_signal_init(&s->sig, on_signal_event, signum);
    ev_signal_start(l->ev, &s->sig);
}
