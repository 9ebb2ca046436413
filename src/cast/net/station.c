/* SPDX-License-Identifier: BSD-3-Clause
 *
 * station: see station.h. The thread sleeps in poll() on the sockets and on a timer, which whoever sends sets too, so
 * that a send need not wake the thread.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "cast/net/station_priv.h"
#include "cast/proto/bits.h"

#define BATCH  32 /* packets that one system call reads */
#define ROUNDS 4  /* such calls for a socket before the others have their turn, and reports are sent */

/* ---- what is done ------------------------------------------------------------------------------------------------ */

void hws_station_notice(struct hws_station *s)
{
    uint64_t one = 1;
    if (write(s->done_fd, &one, sizeof one) < 0)
        return; /* it is readable already */
}

void hws_station_done(struct hws_station *s, struct hws_cast_call *call)
{
    call->done = true;
    hws_list_push(&s->done, &call->node);
}

int hws_station_fd(const struct hws_station *s)
{
    return s->done_fd;
}

static struct hws_cast_call *next_done(struct hws_station *s)
{
    pthread_mutex_lock(&s->mutex);
    struct hws_list *l = hws_list_pop(&s->done);
    pthread_mutex_unlock(&s->mutex);
    return l ? hws_container_of(l, struct hws_cast_call, node) : NULL;
}

void hws_station_collect(struct hws_station *s)
{
    uint64_t n;
    if (read(s->done_fd, &n, sizeof n) < 0 && errno != EAGAIN)
        return;
    for (struct hws_cast_call *call; (call = next_done(s)) != NULL;)
        call->on_done(call);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static void set_timer(struct hws_station *s, uint64_t when_ns)
{
    struct itimerspec t = {
        .it_value = {.tv_sec = (time_t)(when_ns / HWS_NS_PER_S), .tv_nsec = (long)(when_ns % HWS_NS_PER_S)}};
    if (when_ns == UINT64_MAX || when_ns >= s->timer_ns)
        return; /* it wakes too early at worst, and is set anew then */
    s->timer_ns = when_ns;
    timerfd_settime(s->timer_fd, TFD_TIMER_ABSTIME, &t, NULL);
}

void hws_station_settle(struct hws_station *s)
{
    uint64_t now = hws_clock_ns(), next = UINT64_MAX;
    for (struct hws_list *l = s->circles.next; l != &s->circles; l = l->next) {
        uint64_t due = hws_circle_tick(hws_container_of(l, struct hws_circle, node), now);
        next = due < next ? due : next;
    }
    hws_post_flush(s);
    set_timer(s, next);
}

static void take_timer(struct hws_station *s)
{
    uint64_t n;
    if (read(s->timer_fd, &n, sizeof n) == sizeof n)
        s->timer_ns = UINT64_MAX;
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

static void take(struct hws_station *s, const uint8_t *bytes, size_t len, uint64_t now_ns)
{
    struct hws_cast_packet p;
    size_t n = hws_seal_check(&s->seal, bytes, len);
    if (n == 0 || hws_cast_decode(bytes, n, &p) != HWS_OK) {
        s->counts.foreign++;
        return;
    }
    for (struct hws_list *l = s->circles.next; l != &s->circles; l = l->next) {
        struct hws_circle *c = hws_container_of(l, struct hws_circle, node);
        if (c->group.id == p.group) {
            hws_circle_take(c, &p, now_ns);
            return;
        }
    } /* a group of others of the job, or one that this process is about to make */
}

static void read_socket(struct hws_station *s, int fd)
{
    uint8_t bytes[BATCH][HWS_CAST_BYTES]; /* 46 KB of the thread's stack */
    struct iovec iovs[BATCH];
    struct mmsghdr headers[BATCH];
    int n = BATCH;
    for (int i = 0; i < BATCH; i++) {
        iovs[i] = (struct iovec){bytes[i], sizeof bytes[i]};
        headers[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &iovs[i], .msg_iovlen = 1}};
    }
    for (int round = 0; round < ROUNDS && n == BATCH; round++) {
        n = recvmmsg(fd, headers, BATCH, MSG_DONTWAIT, NULL);
        uint64_t now = hws_clock_ns();
        for (int i = 0; i < n; i++)
            take(s, bytes[i], headers[i].msg_len, now);
    }
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

/* The sockets may grow in number while it sleeps, by hws_nic_join(): stop_fd wakes it then. */
static nfds_t list_fds(struct hws_station *s, struct pollfd *fds)
{
    nfds_t n = 0;
    fds[n++] = (struct pollfd){.fd = s->stop_fd, .events = POLLIN};
    fds[n++] = (struct pollfd){.fd = s->timer_fd, .events = POLLIN};
    for (int i = 0; i < s->n_nics; i++) {
        fds[n++] = (struct pollfd){.fd = s->nics[i].own, .events = POLLIN};
        if (s->nics[i].group >= 0)
            fds[n++] = (struct pollfd){.fd = s->nics[i].group, .events = POLLIN};
    }
    return n;
}

static void serve(struct hws_station *s, const struct pollfd *fds, nfds_t n)
{
    if (fds[1].revents)
        take_timer(s);
    for (nfds_t i = 2; i < n; i++)
        if (fds[i].revents)
            read_socket(s, fds[i].fd);
    hws_station_settle(s);
    if (!hws_list_is_empty(&s->done))
        hws_station_notice(s);
}

#define STOP 1000000u /* what is written to stop_fd to end it; less: the sockets are others */

static void *run(void *arg)
{
    struct hws_station *s = arg;
    struct pollfd fds[2 + 2 * HWS_STATION_NICS];
    uint64_t word = 0;
    pthread_mutex_lock(&s->mutex);
    while (word < STOP) {
        nfds_t n = list_fds(s, fds);
        pthread_mutex_unlock(&s->mutex);
        int ready = poll(fds, n, -1);
        pthread_mutex_lock(&s->mutex);
        if (ready <= 0)
            continue;
        if (fds[0].revents && read(s->stop_fd, &word, sizeof word) < 0)
            word = 0;
        serve(s, fds, n);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

static void poke(struct hws_station *s, uint64_t word)
{
    if (write(s->stop_fd, &word, sizeof word) < 0)
        return; /* cannot be: an eventfd takes that much */
}

void hws_station_look_again(struct hws_station *s)
{
    poke(s, 1);
}

/* Signals are the program's affair: its own threads take them. */
static int start_thread(struct hws_station *s)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int rc = pthread_create(&s->thread, NULL, run, s);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return rc ? HWS_ENOMEM : HWS_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void free_all(struct hws_station *s)
{
    int fds[] = {s->stop_fd, s->timer_fd, s->done_fd};
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    for (int i = 0; i < s->n_nics; i++)
        hws_nic_close(&s->nics[i]);
    pthread_mutex_destroy(&s->mutex);
    explicit_bzero(&s->seal, sizeof s->seal);
    free(s);
}

static int open_fds(struct hws_station *s)
{
    s->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return s->stop_fd < 0 || s->done_fd < 0 || s->timer_fd < 0 ? hws_err_from_errno(errno) : HWS_OK;
}

int hws_station_open(const struct hws_seal *seal, const struct hws_netif *netifs, size_t n_netifs,
                     struct hws_station **out, char *err, size_t err_len)
{
    struct hws_station *s = calloc(1, sizeof *s);
    int rc = s ? HWS_OK : HWS_ENOMEM;
    if (!s)
        return snprintf(err, err_len, "out of memory"), HWS_ENOMEM;
    s->seal = *seal;
    s->timer_ns = UINT64_MAX;
    s->stop_fd = s->timer_fd = s->done_fd = -1;
    hws_list_init(&s->circles);
    hws_list_init(&s->done);
    pthread_mutex_init(&s->mutex, NULL);
    for (size_t i = 0; i < n_netifs && s->n_nics < HWS_STATION_NICS; i++)
        if (hws_nic_open(&s->nics[s->n_nics], &netifs[i]) == HWS_OK)
            s->n_nics++;
    rc = open_fds(s);
    if (rc == HWS_OK)
        rc = start_thread(s);
    if (rc != HWS_OK) {
        snprintf(err, err_len, "%s", hws_err_text((enum hws_err)rc));
        free_all(s);
        return rc;
    }
    *out = s;
    return HWS_OK;
}

void hws_station_close(struct hws_station *s)
{
    poke(s, STOP);
    pthread_join(s->thread, NULL);
    for (struct hws_list *l; (l = hws_list_pop(&s->circles)) != NULL;)
        hws_circle_free(hws_container_of(l, struct hws_circle, node));
    free_all(s);
}

struct hws_station_card hws_station_card(const struct hws_station *s)
{
    struct hws_station_card card;
    memset(&card, 0, sizeof card); /* it travels whole */
    card.room = HWS_CAST_WINDOW;
    for (int i = 0; i < s->n_nics; i++) {
        card.at[i].addr = s->nics[i].addr;
        card.at[i].prefix_len = s->nics[i].prefix_len;
        card.at[i].port = s->nics[i].port;
        card.room = s->nics[i].room < card.room ? s->nics[i].room : card.room;
        card.n++;
    }
    return card;
}

static void add(struct hws_cast_counts *sum, const struct hws_cast_counts *c)
{
    sum->packets += c->packets;
    sum->resent += c->resent;
    sum->requests += c->requests;
    sum->reports += c->reports;
    sum->received += c->received;
    sum->duplicates += c->duplicates;
    sum->overruns += c->overruns;
    sum->strange += c->strange;
    sum->timeouts += c->timeouts;
}

void hws_station_count(struct hws_station *s, struct hws_cast_counts *groups, struct hws_station_counts *own)
{
    *groups = (struct hws_cast_counts){0};
    pthread_mutex_lock(&s->mutex);
    for (struct hws_list *l = s->circles.next; l != &s->circles; l = l->next)
        add(groups, &hws_container_of(l, struct hws_circle, node)->group.counts);
    *own = s->counts;
    pthread_mutex_unlock(&s->mutex);
}

/* A label may come again when its communicator is freed; the old group's counts stand still then. */
struct hws_cast_counts hws_station_count_of(struct hws_station *s, uint32_t label)
{
    struct hws_cast_counts counts = {0};
    pthread_mutex_lock(&s->mutex);
    for (struct hws_list *l = s->circles.next; l != &s->circles; l = l->next)
        if (hws_container_of(l, struct hws_circle, node)->label == label)
            counts = hws_container_of(l, struct hws_circle, node)->group.counts;
    pthread_mutex_unlock(&s->mutex);
    return counts;
}
