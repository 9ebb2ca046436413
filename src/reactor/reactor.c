/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reactor: a thin layer over libev (epoll). Owns the loop; listeners own their watchers' memory.
 */
#include "reactor/reactor.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-aliasing"
#include <ev.h>

#include "base/errors.h"
#include "base/list.h"

#define INPUTS 32 /* events taken from the own set at once */

struct hws_reactor {
    struct ev_loop *loop;
    int inputs_fd; /* the own epoll set: sockets with interest in input that do not rest */
    ev_io inputs;
    struct epoll_event ready[INPUTS]; /* what is being told; an io that is no longer interested is taken out */
    int n_ready;
    ev_async wake;
    bool running, may_sleep, sleeping;
    void (*give)(void *);
    void (*take)(void *);
    void *lock_arg;
};

static_assert(sizeof(ev_io) <= sizeof(((struct hws_io *)0)->watcher), "room for libev's watcher");
static_assert(sizeof(ev_timer) <= sizeof(((struct hws_timer *)0)->watcher), "room for libev's watcher");

static ev_io *io_watcher(struct hws_io *io)
{
    return (ev_io *)(void *)io->watcher;
}

static ev_timer *timer_watcher(const struct hws_timer *t)
{
    return (ev_timer *)(uintptr_t)(const void *)t->watcher;
}

static void on_io(struct ev_loop *loop, ev_io *w, int revents)
{
    (void)loop;
    struct hws_io *io = w->data;
    unsigned ready = (revents & EV_READ ? HWS_R : 0) | (revents & EV_WRITE ? HWS_W : 0);
    io->on_ready(io, ready);
}

static void on_inputs(struct ev_loop *loop, ev_io *w, int revents)
{
    struct hws_reactor *r = ev_userdata(loop);
    (void)w;
    (void)revents;
    int n = epoll_wait(r->inputs_fd, r->ready, INPUTS, 0);
    r->n_ready = n > 0 ? n : 0;
    for (int i = 0; i < r->n_ready; i++) {
        struct hws_io *io = r->ready[i].data.ptr;
        if (io)
            io->on_ready(io, HWS_R);
    }
    r->n_ready = 0;
}

static void on_timer(struct ev_loop *loop, ev_timer *w, int revents)
{
    (void)loop;
    (void)revents;
    struct hws_timer *t = w->data;
    t->on_time(t);
}

static void on_wake(struct ev_loop *loop, ev_async *w, int revents)
{
    (void)loop;
    (void)w;
    (void)revents;
}

static void before_sleep(struct ev_loop *loop)
{
    struct hws_reactor *r = ev_userdata(loop);
    if (!r->may_sleep)
        return; /* a look that does not block keeps the lock, or another thread could enter the loop meanwhile */
    r->sleeping = true;
    if (r->give)
        r->give(r->lock_arg);
}

static void after_sleep(struct ev_loop *loop)
{
    struct hws_reactor *r = ev_userdata(loop);
    if (!r->may_sleep)
        return;
    if (r->take)
        r->take(r->lock_arg);
    r->sleeping = false;
}

int hws_reactor_open(struct hws_reactor **out)
{
    struct hws_reactor *r = calloc(1, sizeof *r);
    if (!r)
        return HWS_ENOMEM;
    r->loop = ev_loop_new(EVBACKEND_EPOLL | EVFLAG_NOENV | EVFLAG_NOSIGMASK);
    if (!r->loop) {
        free(r);
        return HWS_ENOFILES;
    }
    r->inputs_fd = epoll_create1(EPOLL_CLOEXEC);
    if (r->inputs_fd < 0) {
        ev_loop_destroy(r->loop);
        free(r);
        return HWS_ENOFILES;
    }
    ev_set_userdata(r->loop, r);
    ev_io_init(&r->inputs, on_inputs, r->inputs_fd, EV_READ);
    ev_io_start(r->loop, &r->inputs);
    ev_async_init(&r->wake, on_wake);
    ev_async_start(r->loop, &r->wake); /* also keeps a loop without listeners asleep instead of returning at once */
    *out = r;
    return HWS_OK;
}

void hws_reactor_set_lock(struct hws_reactor *r, void (*give)(void *), void (*take)(void *), void *arg)
{
    r->give = give;
    r->take = take;
    r->lock_arg = arg;
    ev_set_loop_release_cb(r->loop, before_sleep, after_sleep);
}

void hws_reactor_fini(struct hws_reactor *r)
{
    ev_async_stop(r->loop, &r->wake);
    ev_io_stop(r->loop, &r->inputs);
    close(r->inputs_fd);
    ev_loop_destroy(r->loop);
    free(r);
}

/* A change made while another thread sleeps in the loop is seen only after a wake-up. */
static void changed(struct hws_reactor *r)
{
    if (r->sleeping && r->give)
        ev_async_send(r->loop, &r->wake);
}

void hws_io_init(struct hws_reactor *r, struct hws_io *io, int fd, void (*on_ready)(struct hws_io *, unsigned))
{
    io->fd = fd;
    io->interest = 0;
    io->may_rest = io->resting = false;
    io->on_ready = on_ready;
    io->reactor = r;
    ev_io_init(io_watcher(io), on_io, fd, EV_READ);
    io_watcher(io)->data = io;
}

void hws_io_init_socket(struct hws_reactor *r, struct hws_io *io, int fd, void (*on_ready)(struct hws_io *, unsigned))
{
    hws_io_init(r, io, fd, on_ready);
    io->may_rest = true;
}

/* What is under way to be told must not reach a listener that does not want it any more: it may be gone. */
static void forget_ready(struct hws_io *io)
{
    struct hws_reactor *r = io->reactor;
    for (int i = 0; i < r->n_ready; i++)
        if (r->ready[i].data.ptr == io)
            r->ready[i].data.ptr = NULL;
}

static void set_watcher(struct hws_io *io, unsigned interest)
{
    struct ev_loop *loop = io->reactor->loop;
    ev_io *w = io_watcher(io);
    ev_io_stop(loop, w);
    if (interest) {
        ev_io_set(w, io->fd, (interest & HWS_R ? EV_READ : 0) | (interest & HWS_W ? EV_WRITE : 0));
        ev_io_start(loop, w);
    }
}

/* Where the kernel has no room for one more (fs.epoll.max_user_watches) libev has a way of its own. */
static void set_input(struct hws_io *io, bool on)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = io};
    if (!on)
        forget_ready(io);
    if (epoll_ctl(io->reactor->inputs_fd, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, io->fd, &event) == 0 || !on)
        return;
    io->may_rest = false;
    set_watcher(io, io->interest);
}

void hws_io_want(struct hws_io *io, unsigned interest)
{
    unsigned before = io->interest, of_libev = io->may_rest ? HWS_W : HWS_R | HWS_W;
    if (before == interest)
        return;
    io->interest = interest;
    if (io->may_rest && !io->resting && (before ^ interest) & HWS_R)
        set_input(io, interest & HWS_R);
    if ((before ^ interest) & of_libev)
        set_watcher(io, interest & of_libev);
    changed(io->reactor);
}

void hws_io_rest(struct hws_io *io, bool rest)
{
    if (io->resting == rest || !io->may_rest)
        return;
    io->resting = rest;
    if (io->interest & HWS_R)
        set_input(io, !rest);
}

void hws_timer_init(struct hws_reactor *r, struct hws_timer *t, void (*on_time)(struct hws_timer *))
{
    t->reactor = r;
    t->on_time = on_time;
    ev_timer_init(timer_watcher(t), on_timer, 0., 0.);
    timer_watcher(t)->data = t;
}

void hws_timer_set(struct hws_timer *t, uint64_t ms)
{
    struct ev_loop *loop = t->reactor->loop;
    ev_timer_stop(loop, timer_watcher(t));
    ev_now_update(loop);
    ev_timer_set(timer_watcher(t), (double)ms / 1000., 0.);
    ev_timer_start(loop, timer_watcher(t));
    changed(t->reactor);
}

void hws_timer_stop(struct hws_timer *t)
{
    ev_timer_stop(t->reactor->loop, timer_watcher(t));
}

bool hws_timer_is_set(const struct hws_timer *t)
{
    return ev_is_active(timer_watcher(t));
}

void hws_reactor_run(struct hws_reactor *r, bool block)
{
    r->running = true;
    r->may_sleep = block;
    ev_run(r->loop, block ? EVRUN_ONCE : EVRUN_NOWAIT);
    r->running = false;
}

void hws_reactor_wake(struct hws_reactor *r)
{
    ev_async_send(r->loop, &r->wake);
}

bool hws_reactor_is_running(const struct hws_reactor *r)
{
    return r->running;
}

bool hws_reactor_is_sleeping(const struct hws_reactor *r)
{
    return r->sleeping;
}
