/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tell: the counters of every lane on standard error when a signal asks for them. The handler only wakes the reactor;
 * the lines are written by the next call that makes progress. One engine of a process at a time can listen so.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "peer/engine/parts.h"
#include "peer/info.h"
#include "peer/state/engine.h"

static volatile sig_atomic_t wake_fd = -1;

static void on_signal(int number)
{
    int saved = errno;
    uint64_t one = 1;
    (void)number;
    if (wake_fd >= 0 && write(wake_fd, &one, sizeof one) < 0) /* full: it will be told anyway */
        errno = saved;
    errno = saved;
}

static void tell_lane(const struct hws_engine *e, const struct hws_peer *p, const struct hws_lane_info *l)
{
    char name[96];
    const struct hws_traffic *t = &l->traffic;
    fprintf(stderr,
            "hawser: rank %d: lane %s to %s: %s, %llu bytes and %llu frames out, %llu and %llu in, %llu queued, %llu "
            "resent, "
            "%llu connects, %llu failures, %.1f MB/s\n",
            e->cfg.me, l->name, hws_peer_name(p, name, sizeof name), l->is_up ? "up" : "down",
            (unsigned long long)t->bytes_out, (unsigned long long)t->frames_out, (unsigned long long)t->bytes_in,
            (unsigned long long)t->frames_in, (unsigned long long)l->queued_bytes, (unsigned long long)l->resends,
            (unsigned long long)l->connects, (unsigned long long)l->failures, (double)l->rate / 1e6);
}

void hws_engine_tell(const struct hws_engine *e)
{
    for (int i = 0; i < e->jobs.n_peers; i++) {
        struct hws_lane_info lanes[HWS_MAX_LANES];
        size_t n = hws_engine_lanes(e, i, lanes, HWS_MAX_LANES);
        for (size_t k = 0; k < n && k < HWS_MAX_LANES; k++)
            tell_lane(e, e->peers[i], &lanes[k]);
    }
    fprintf(stderr, "hawser: rank %d: %llu lanes lost, %llu back, %llu frames resent, %llu damaged on the way\n",
            e->cfg.me, (unsigned long long)e->count.n_lanes_lost, (unsigned long long)e->count.n_lanes_back,
            (unsigned long long)e->count.n_resends, (unsigned long long)e->count.n_corrupt);
}

static void on_asked(struct hws_io *io, unsigned ready)
{
    uint64_t times;
    (void)ready;
    if (read(io->fd, &times, sizeof times) == (ssize_t)sizeof times)
        hws_engine_tell(hws_container_of(io, struct hws_engine, tell.io));
}

void hws_engine_tell_on(struct hws_engine *e, int number)
{
    struct sigaction now, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (e->tell.signal || sigaction(number, NULL, &now) < 0 || now.sa_handler != SIG_DFL)
        return; /* the program has its own use for it */
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (fd < 0)
        return;
    wake_fd = fd;
    hws_engine_lock(e);
    hws_io_init(e->reactor, &e->tell.io, fd, on_asked);
    hws_io_want(&e->tell.io, HWS_R);
    e->tell.signal = number;
    hws_engine_unlock(e);
    sigaction(number, &action, NULL);
}

void hws_engine_tell_end(struct hws_engine *e)
{
    struct sigaction now;
    if (!e->tell.signal)
        return;
    /* Ignored from here on: one that is on its way must not end the process. */
    if (sigaction(e->tell.signal, NULL, &now) == 0 && now.sa_handler == on_signal)
        signal(e->tell.signal, SIG_IGN);
    wake_fd = -1;
    hws_io_want(&e->tell.io, 0);
    close(e->tell.io.fd);
    e->tell.signal = 0;
}
