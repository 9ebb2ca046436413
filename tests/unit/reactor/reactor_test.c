/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reactor_test: what is called, when, and when not. Timers are the only use of the real clock, and no verdict depends
 * on how long they take.
 */
#include "reactor/reactor.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/errors.h"
#include "base/list.h"

static struct hws_reactor *reactor;
static int fds[2];

struct listener {
    struct hws_io io;
    int n_readable, n_writable;
    void (*then)(struct listener *l);
};

struct alarm {
    struct hws_timer timer;
    int n;
    struct alarm *stops;
};

static void setup(void)
{
    cr_assert_eq(hws_reactor_open(&reactor), HWS_OK);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
}

static void teardown(void)
{
    hws_reactor_fini(reactor);
    close(fds[0]);
    close(fds[1]);
}

TestSuite(reactor, .init = setup, .fini = teardown);

static void on_ready(struct hws_io *io, unsigned ready)
{
    struct listener *l = hws_container_of(io, struct listener, io);
    l->n_readable += (ready & HWS_R) != 0;
    l->n_writable += (ready & HWS_W) != 0;
    if (l->then)
        l->then(l);
}

static void on_time(struct hws_timer *t)
{
    struct alarm *a = hws_container_of(t, struct alarm, timer);
    a->n++;
    if (a->stops)
        hws_timer_stop(&a->stops->timer);
}

static void poke(void)
{
    cr_assert_eq(write(fds[1], "x", 1), 1);
}

Test(reactor, a_look_at_nothing_returns)
{
    hws_reactor_run(reactor, false);
    cr_assert_not(hws_reactor_is_running(reactor));
    cr_assert_not(hws_reactor_is_sleeping(reactor));
}

/* Both kinds of listener: a socket's input is told by a way of its own. */
static void wants_and_gets(void (*init)(struct hws_reactor *, struct hws_io *, int,
                                        void (*)(struct hws_io *, unsigned)))
{
    struct listener l = {0};
    init(reactor, &l.io, fds[0], on_ready);
    poke();
    hws_reactor_run(reactor, false);
    cr_assert(l.n_readable == 0 && l.n_writable == 0, "nothing is wanted");
    hws_io_want(&l.io, HWS_R);
    hws_reactor_run(reactor, true);
    cr_assert(l.n_readable == 1 && l.n_writable == 0);
    hws_io_want(&l.io, HWS_W);
    hws_reactor_run(reactor, true);
    cr_assert(l.n_readable == 1 && l.n_writable == 1);
    hws_io_want(&l.io, HWS_R | HWS_W);
    hws_reactor_run(reactor, true);
    cr_assert(l.n_readable == 2 && l.n_writable == 2);
    hws_io_want(&l.io, 0);
    hws_reactor_run(reactor, false);
    cr_assert(l.n_readable == 2 && l.n_writable == 2);
}

Test(reactor, only_what_is_wanted_and_ready_is_called)
{
    wants_and_gets(hws_io_init);
}

Test(reactor, only_what_is_wanted_and_ready_is_called_of_a_socket)
{
    wants_and_gets(hws_io_init_socket);
}

Test(reactor, a_resting_socket_is_told_nothing_and_forgets_nothing)
{
    struct listener l = {0};
    hws_io_init_socket(reactor, &l.io, fds[0], on_ready);
    hws_io_want(&l.io, HWS_R);
    hws_io_rest(&l.io, true);
    poke();
    hws_reactor_run(reactor, false);
    cr_assert_eq(l.n_readable, 0);
    hws_io_want(&l.io, HWS_R | HWS_W); /* output is told as ever */
    hws_reactor_run(reactor, true);
    cr_assert(l.n_readable == 0 && l.n_writable == 1);
    hws_io_want(&l.io, 0);
    hws_io_want(&l.io, HWS_R);
    hws_reactor_run(reactor, false);
    cr_assert_eq(l.n_readable, 0, "wanting again does not end the rest");
    hws_io_rest(&l.io, false);
    hws_reactor_run(reactor, true);
    cr_assert_eq(l.n_readable, 1);
    hws_io_rest(&l.io, true);
    hws_io_want(&l.io, 0);
    hws_io_rest(&l.io, false);
    hws_reactor_run(reactor, false);
    cr_assert_eq(l.n_readable, 1, "the end of a rest is not a wish");
}

static struct listener both[2];

static void stop_both(struct listener *l)
{
    (void)l;
    hws_io_want(&both[0].io, 0);
    hws_io_want(&both[1].io, 0);
}

/* Both sockets are ready when the first is told: the second may be gone by then. */
Test(reactor, a_socket_that_another_listener_stops_is_not_told)
{
    for (int i = 0; i < 2; i++) {
        both[i].then = stop_both;
        hws_io_init_socket(reactor, &both[i].io, fds[i], on_ready);
        hws_io_want(&both[i].io, HWS_R);
    }
    poke();
    cr_assert_eq(write(fds[0], "x", 1), 1);
    hws_reactor_run(reactor, true);
    hws_reactor_run(reactor, false);
    cr_assert_eq(both[0].n_readable + both[1].n_readable, 1);
}

Test(reactor, ready_is_told_until_it_is_read)
{
    struct listener l = {0};
    char byte;
    hws_io_init(reactor, &l.io, fds[0], on_ready);
    hws_io_want(&l.io, HWS_R);
    poke();
    for (int i = 1; i < 4; i++) {
        hws_reactor_run(reactor, true);
        cr_assert_eq(l.n_readable, i);
    }
    cr_assert_eq(read(fds[0], &byte, 1), 1);
    hws_reactor_run(reactor, false);
    cr_assert_eq(l.n_readable, 3);
    hws_io_want(&l.io, 0);
}

static void stop_itself(struct listener *l)
{
    hws_io_want(&l->io, 0);
}

Test(reactor, a_callback_may_stop_its_own_descriptor)
{
    struct listener l = {.then = stop_itself};
    hws_io_init(reactor, &l.io, fds[0], on_ready);
    hws_io_want(&l.io, HWS_R | HWS_W);
    poke();
    for (int i = 0; i < 5; i++)
        hws_reactor_run(reactor, false);
    cr_assert(l.n_readable == 1 && l.n_writable == 1);
}

Test(reactor, a_timer_rings_once)
{
    struct alarm a = {0};
    hws_timer_init(reactor, &a.timer, on_time);
    cr_assert_not(hws_timer_is_set(&a.timer));
    hws_timer_set(&a.timer, 1);
    cr_assert(hws_timer_is_set(&a.timer));
    while (a.n == 0)
        hws_reactor_run(reactor, true);
    cr_assert_not(hws_timer_is_set(&a.timer));
    usleep(3000);
    hws_reactor_run(reactor, false);
    cr_assert_eq(a.n, 1);
}

Test(reactor, timers_ring_in_order_and_one_may_stop_another)
{
    struct alarm first = {0}, second = {0}, third = {0};
    first.stops = &second;
    hws_timer_init(reactor, &first.timer, on_time);
    hws_timer_init(reactor, &second.timer, on_time);
    hws_timer_init(reactor, &third.timer, on_time);
    uint64_t begin;
    do { /* each counts from when it is set: all three at about the same time, or their order is another one */
        begin = hws_clock_ns();
        hws_timer_set(&third.timer, 20);
        hws_timer_set(&second.timer, 10);
        hws_timer_set(&first.timer, 1);
    } while (hws_clock_ns() - begin > 5000000);
    while (third.n == 0)
        hws_reactor_run(reactor, true);
    cr_assert_eq(first.n, 1);
    cr_assert_eq(second.n, 0);
}

Test(reactor, a_timer_set_again_counts_from_then)
{
    struct alarm a = {0}, later = {0};
    hws_timer_init(reactor, &a.timer, on_time);
    hws_timer_init(reactor, &later.timer, on_time);
    hws_timer_set(&a.timer, 1);
    hws_timer_set(&a.timer, 3600 * 1000);
    hws_timer_set(&later.timer, 5);
    while (later.n == 0)
        hws_reactor_run(reactor, true);
    cr_assert_eq(a.n, 0);
    hws_timer_stop(&a.timer);
    hws_timer_stop(&a.timer);
    cr_assert_not(hws_timer_is_set(&a.timer));
}

/* ---- sleep ---- */

static int n_given, n_taken;

static void give(void *arg)
{
    cr_assert_eq(arg, &n_given);
    n_given++;
}

static void take(void *arg)
{
    cr_assert_eq(arg, &n_given);
    n_taken++;
}

static void *wake_soon(void *arg)
{
    usleep(5000);
    hws_reactor_wake(arg);
    return NULL;
}

Test(reactor, another_thread_ends_a_sleep)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, wake_soon, reactor), 0);
    hws_reactor_run(reactor, true);
    pthread_join(thread, NULL);
    cr_assert_not(hws_reactor_is_sleeping(reactor));
}

Test(reactor, a_wake_before_the_sleep_is_not_lost)
{
    hws_reactor_wake(reactor);
    hws_reactor_run(reactor, true);
}

Test(reactor, the_lock_is_given_up_for_a_sleep_and_for_that_only)
{
    hws_reactor_set_lock(reactor, give, take, &n_given);
    hws_reactor_run(reactor, false);
    cr_assert_eq(n_given, 0);
    hws_reactor_wake(reactor);
    hws_reactor_run(reactor, true);
    cr_assert_gt(n_given, 0);
    cr_assert_eq(n_given, n_taken);
}
