/* SPDX-License-Identifier: BSD-3-Clause
 *
 * carrier: two sockets join the node and the carrier. Orders, with descriptors, go one way; output, in frames, goes the
 * other. The node may give orders without reading output, so the carrier takes orders also while it waits for room.
 */
#include "mpirun/node/carrier.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mpirun/util/buf.h"

#define DATA_BYTES 65536 /* of one read of a rank's output; a pipe holds as much */
#define OWN_FDS    16    /* of the carrier and of the C library */
#define EVENTS     64

enum { ORDERS = 0, OUTPUT = 1, FIRST_FREE = 2 }; /* the carrier's descriptors */

enum order_kind { GIVE, DROP, FINISH };

struct order {
    int kind, number; /* rank, or stream of DROP */
};

struct frame {
    int32_t rank;
    uint32_t stream; /* 0: the answer to FINISH */
    uint32_t len;
};

int hws_carrier_room(unsigned long limit)
{
    return limit > OWN_FDS + 2 ? (int)((limit - OWN_FDS) / 2) : 0;
}

/* ---- the process ------------------------------------------------------------------------------------------------- */

struct carried {
    int epoll_fd, first, n;
    int (*fds)[2];  /* of each rank; -1: closed */
    int to_finish;  /* a rank; -1: none */
    bool is_orders; /* the node is there */
};

static void watch(const struct carried *c, int fd, uint64_t what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = what};
    if (epoll_ctl(c->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
        _exit(1);
}

static void take_fds(struct carried *c, int rank, const struct msghdr *m)
{
    int fds[2] = {-1, -1};
    const struct cmsghdr *head = CMSG_FIRSTHDR(m);
    if (!head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof fds))
        _exit(1);
    memcpy(fds, CMSG_DATA(head), sizeof fds);
    for (int s = 0; s < 2; s++) {
        c->fds[rank - c->first][s] = fds[s];
        watch(c, fds[s], (uint64_t)(rank - c->first) * 2 + (uint64_t)s);
    }
}

static void drop(struct carried *c, int stream)
{
    for (int i = 0; i < c->n; i++) {
        if (c->fds[i][stream - 1] >= 0)
            close(c->fds[i][stream - 1]);
        c->fds[i][stream - 1] = -1;
    }
}

/* False: there is none. */
static bool take_order(struct carried *c)
{
    struct order order;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec iov = {&order, sizeof order};
    struct msghdr m = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    ssize_t len = recvmsg(ORDERS, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (len < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (len != (ssize_t)sizeof order)
        _exit(0); /* the node is no more */
    if (order.kind == GIVE)
        take_fds(c, order.number, &m);
    else if (order.kind == DROP)
        drop(c, order.number);
    else
        c->to_finish = order.number;
    return true;
}

/* Orders come meanwhile: the node may be giving them before it reads. */
static void wait_for_room(struct carried *c)
{
    struct pollfd p[2] = {{.fd = OUTPUT, .events = POLLOUT}, {.fd = ORDERS, .events = POLLIN}};
    if (poll(p, 2, -1) < 0 && errno != EINTR)
        _exit(1);
    if (p[1].revents)
        while (take_order(c))
            ;
}

static void put(struct carried *c, const void *bytes, size_t len)
{
    for (const char *at = bytes; len;) {
        ssize_t n = send(OUTPUT, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            _exit(0);
        if (n < 0) {
            wait_for_room(c);
            continue;
        }
        at += n;
        len -= (size_t)n;
    }
}

/* False: nothing more to read now. */
static bool pass_on(struct carried *c, int i, int s)
{
    static struct {
        struct frame head;
        char data[DATA_BYTES];
    } out;
    int *fd = &c->fds[i][s];
    if (*fd < 0)
        return false;
    ssize_t len = read(*fd, out.data, sizeof out.data);
    if (len < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (len <= 0) {
        close(*fd);
        *fd = -1;
    }
    out.head = (struct frame){c->first + i, (uint32_t)s + 1, len > 0 ? (uint32_t)len : 0};
    put(c, &out, sizeof out.head + out.head.len);
    return len > 0;
}

static void finish(struct carried *c)
{
    struct frame answer = {c->to_finish, 0, 0};
    c->to_finish = -1;
    for (int s = 0; s < 2; s++)
        while (pass_on(c, answer.rank - c->first, s))
            ;
    put(c, &answer, sizeof answer);
}

static void carry(struct carried *c)
{
    struct epoll_event events[EVENTS];
    for (;;) {
        int n = epoll_wait(c->epoll_fd, events, EVENTS, -1);
        if (n < 0 && errno != EINTR)
            _exit(1);
        for (int k = 0; k < n; k++) {
            uint64_t what = events[k].data.u64;
            if (what == UINT64_MAX)
                take_order(c);
            else
                pass_on(c, (int)(what / 2), (int)(what % 2));
        }
        if (c->to_finish >= 0)
            finish(c);
    }
}

/* Keys and signals are for the ranks and the launcher. The two sockets are all that it takes along. */
static _Noreturn void run_carrier(int orders, int output, int first, int n)
{
    struct carried c = {.first = first, .n = n, .to_finish = -1};
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    int high = fcntl(orders, F_DUPFD, FIRST_FREE);
    dup2(fcntl(output, F_DUPFD, FIRST_FREE), OUTPUT);
    dup2(high, ORDERS);
    close_range(FIRST_FREE, ~0u, 0);
    c.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    c.fds = malloc((size_t)n * sizeof *c.fds);
    if (c.epoll_fd < 0 || !c.fds)
        _exit(1);
    memset(c.fds, -1, (size_t)n * sizeof *c.fds);
    watch(&c, ORDERS, UINT64_MAX);
    carry(&c);
    _exit(0);
}

/* ---- the node's side --------------------------------------------------------------------------------------------- */

struct hws_carrier {
    hws_carrier_output on_output;
    void *arg;
    int orders, output; /* output -1: the process has died */
    struct hws_loop_io *io;
    struct hws_buf in;
    int first, n;
    bool (*ended)[2]; /* of each rank: its end was told */
    bool finishing, paused, is_reading;
};

static void end(struct hws_carrier *c, int rank, int stream)
{
    bool *ended = &c->ended[rank - c->first][stream - 1];
    if (*ended)
        return;
    *ended = true;
    c->on_output(c->arg, rank, stream, NULL, 0);
}

static void lost(struct hws_carrier *c)
{
    hws_loop_unwatch(c->io);
    c->io = NULL;
    close(c->output);
    c->output = -1;
    c->finishing = false;
    for (int i = 0; i < c->n; i++)
        for (int s = 1; s <= 2; s++)
            end(c, c->first + i, s);
}

static bool take_frame(struct hws_carrier *c)
{
    struct frame f;
    if (c->in.len < sizeof f)
        return false;
    memcpy(&f, hws_buf_data(&c->in), sizeof f);
    if (c->in.len < sizeof f + f.len)
        return false;
    if (f.stream == 0)
        c->finishing = false;
    else if (f.len == 0)
        end(c, f.rank, (int)f.stream);
    else if (!c->ended[f.rank - c->first][f.stream - 1])
        c->on_output(c->arg, f.rank, (int)f.stream, hws_buf_data(&c->in) + sizeof f, f.len);
    hws_buf_consume(&c->in, sizeof f + f.len);
    return true;
}

/* One read, and what came whole by it. Event loops tell of input that hws_carrier_finish() has taken meanwhile. */
static void read_output(struct hws_carrier *c, int flags)
{
    static char data[DATA_BYTES];
    ssize_t len = recv(c->output, data, sizeof data, flags);
    if (len < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (len <= 0) {
        lost(c);
        return;
    }
    hws_buf_append(&c->in, data, (size_t)len);
    while (take_frame(c))
        ;
}

static void on_readable(void *arg, int events)
{
    (void)events;
    read_output(arg, MSG_DONTWAIT);
}

struct hws_carrier *hws_carrier_open(struct hws_loop *loop, int first, int n, hws_carrier_output on_output, void *arg)
{
    int orders[2], output[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders) != 0)
        return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, output) != 0) {
        close(orders[0]);
        close(orders[1]);
        return NULL;
    }
    pid_t pid = fork();
    if (pid == 0)
        run_carrier(orders[1], output[1], first, n);
    int errnum = errno;
    close(orders[1]);
    close(output[1]);
    if (pid < 0) {
        close(orders[0]);
        close(output[0]);
        errno = errnum;
        return NULL;
    }
    struct hws_carrier *c = hws_xcalloc(1, sizeof *c);
    *c = (struct hws_carrier){
        .on_output = on_output, .arg = arg, .orders = orders[0], .output = output[0], .first = first, .n = n};
    c->ended = hws_xcalloc((size_t)n, sizeof *c->ended);
    c->io = hws_loop_watch(loop, c->output, HWS_LOOP_READ, on_readable, c);
    return c;
}

static int give_order(const struct hws_carrier *c, struct order order, const int *fds)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct iovec iov = {&order, sizeof order};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
    if (fds) {
        m.msg_control = control.room;
        m.msg_controllen = sizeof control.room;
        control.head =
            (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(2 * sizeof(int))};
        memcpy(CMSG_DATA(&control.head), fds, 2 * sizeof(int));
    }
    ssize_t len;
    do
        len = sendmsg(c->orders, &m, MSG_NOSIGNAL);
    while (len < 0 && errno == EINTR);
    return len < 0 ? -1 : 0;
}

int hws_carrier_give(struct hws_carrier *c, int rank, int out_fd, int err_fd)
{
    return give_order(c, (struct order){GIVE, rank}, (int[]){out_fd, err_fd});
}

void hws_carrier_pause(struct hws_carrier *c, bool is_paused)
{
    c->paused = is_paused;
    if (c->io)
        hws_loop_want(c->io, is_paused ? 0 : HWS_LOOP_READ);
}

void hws_carrier_drop(struct hws_carrier *c, int stream)
{
    give_order(c, (struct order){DROP, stream}, NULL);
    for (int i = 0; i < c->n; i++)
        end(c, c->first + i, stream);
}

void hws_carrier_finish(struct hws_carrier *c, int rank)
{
    const bool *ended = c->ended[rank - c->first];
    if (c->output < 0 || c->paused || c->finishing || (ended[0] && ended[1]))
        return;
    c->finishing = give_order(c, (struct order){FINISH, rank}, NULL) == 0;
    while (c->finishing)
        read_output(c, 0);
}

void hws_carrier_close(struct hws_carrier *c)
{
    if (c->io)
        hws_loop_unwatch(c->io);
    if (c->output >= 0)
        close(c->output);
    close(c->orders);
    hws_buf_free(&c->in);
    free(c->ended);
    free(c);
}
