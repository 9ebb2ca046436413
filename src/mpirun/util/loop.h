/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop: the event loop of mpirun and of the node daemon. The only file of this folder that includes <ev.h> is loop.c.
 * Descriptors of regular files count as always ready.
 */
#ifndef HWS_MPIRUN_LOOP_H
#define HWS_MPIRUN_LOOP_H

enum { HWS_LOOP_READ = 1, HWS_LOOP_WRITE = 2 };

struct hws_loop;
struct hws_loop_io;
struct hws_loop_timer;

/* NULL: the kernel gives no event loop. */
struct hws_loop *hws_loop_open(void);
void hws_loop_run(struct hws_loop *l); /* until hws_loop_stop() */
void hws_loop_stop(struct hws_loop *l);
double hws_loop_now(struct hws_loop *l); /* seconds; of this round of the loop */

/* Calls on_ready(arg, events) while fd is ready for the wanted events (none: watches nothing yet). The watcher is the
 * caller's until hws_loop_unwatch(), which may be called inside on_ready, and before fd is closed. */
struct hws_loop_io *hws_loop_watch(struct hws_loop *l, int fd, int events, void (*on_ready)(void *arg, int events),
                                   void *arg);
void hws_loop_want(struct hws_loop_io *io, int events);
void hws_loop_unwatch(struct hws_loop_io *io); /* NULL is allowed */

/* A timer that is not running yet. start() replaces an earlier start; it fires once. */
struct hws_loop_timer *hws_loop_timer(struct hws_loop *l, void (*on_time)(void *arg), void *arg);
void hws_loop_timer_start(struct hws_loop_timer *t, double seconds);
void hws_loop_timer_stop(struct hws_loop_timer *t);
void hws_loop_timer_fini(struct hws_loop_timer *t); /* not within on_time; NULL is allowed */

/* Calls on_signal(arg, signum) from the loop; for the process's whole life. */
void hws_loop_signal(struct hws_loop *l, int signum, void (*on_signal)(void *arg, int signum), void *arg);

#endif
