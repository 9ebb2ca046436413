/* SPDX-License-Identifier: BSD-3-Clause
 *
 * raw_tcp: what the kernel's TCP can do by itself: the measure for the MPIs. Spinning non-blocking sockets,
 * TCP_NODELAY, no framing, no matching. One process on each host: raw_tcp server ADDRESS PORT [-b BUFFER] raw_tcp
 * client ADDRESS PORT [-b BUFFER] [-t SECONDS] [-o latency,bandwidth,rate] [-s SIZES] The client tells the server
 * before each piece of work what comes. -b sets SO_SNDBUF and SO_RCVBUF on both sockets (default: the kernel's
 * automatic sizes). The patterns are those of latency.c and bandwidth.c: ping-pong; windows of 16 messages into 16
 * buffers and an acknowledgment; the rate is that of windows of 64 8-byte messages, one write for each.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SIZES = 64, MAX_BATCHES = 400, MIN_BATCHES = 3, CONNECT_TRIES = 500 };

/* What the client asks the server to take part in; sent as it is, both ends are this program. */
struct work {
    int64_t iters; /* 0: the end */
    int64_t bytes;
    int64_t window; /* 0: ping-pong */
};

struct end {
    int fd;
    unsigned char *buffers;
};

struct options {
    const char *address, *ops;
    int port, buffer;
    double seconds;
    long sizes[MAX_SIZES];
    int n_sizes;
};

__attribute__((noreturn)) static void fail(const char *what)
{
    fprintf(stderr, "raw_tcp: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void send_all(int fd, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    while (bytes) {
        ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            fail("send");
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        }
    }
}

static void receive_all(int fd, void *data, size_t bytes)
{
    unsigned char *at = data;
    while (bytes) {
        ssize_t n = recv(fd, at, bytes, 0);
        if (n == 0)
            errno = ECONNRESET;
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            fail("recv");
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        }
    }
}

static void ping(const struct end *e, const struct work *w)
{
    for (int64_t i = 0; i < w->iters; i++) {
        send_all(e->fd, e->buffers, (size_t)w->bytes);
        receive_all(e->fd, e->buffers, (size_t)w->bytes);
    }
}

static void pong(const struct end *e, const struct work *w)
{
    for (int64_t i = 0; i < w->iters; i++) {
        receive_all(e->fd, e->buffers, (size_t)w->bytes);
        send_all(e->fd, e->buffers, (size_t)w->bytes);
    }
}

static void send_windows(const struct end *e, const struct work *w)
{
    char ack;
    for (int64_t i = 0; i < w->iters; i++) {
        for (int64_t k = 0; k < w->window; k++)
            send_all(e->fd, e->buffers + k * w->bytes, (size_t)w->bytes);
        receive_all(e->fd, &ack, 1);
    }
}

static void receive_windows(const struct end *e, const struct work *w)
{
    for (int64_t i = 0; i < w->iters; i++) {
        for (int64_t k = 0; k < w->window; k++)
            receive_all(e->fd, e->buffers + k * w->bytes, (size_t)w->bytes);
        send_all(e->fd, "a", 1);
    }
}

static void allocate(struct end *e, const struct work *w)
{
    size_t bytes = (size_t)w->bytes * (size_t)(w->window ? w->window : 1);
    e->buffers = realloc(e->buffers, bytes);
    if (!e->buffers)
        fail("no memory for the buffers");
    memset(e->buffers, 1, bytes);
}

static double run_client(struct end *e, const struct work *w)
{
    send_all(e->fd, w, sizeof *w);
    char ready;
    receive_all(e->fd, &ready, 1);
    double start = now();
    if (w->window)
        send_windows(e, w);
    else
        ping(e, w);
    return (now() - start) / (double)w->iters;
}

static void run_server(struct end *e)
{
    struct work w, last = {0};
    for (;;) {
        receive_all(e->fd, &w, sizeof w);
        if (!w.iters)
            return;
        if (w.bytes != last.bytes || w.window != last.window)
            allocate(e, &w);
        last = w;
        send_all(e->fd, "r", 1);
        if (w.window)
            receive_windows(e, &w);
        else
            pong(e, &w);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct result {
    double median, best; /* seconds of one iteration */
};

static struct result measure(struct end *e, struct work w, double seconds)
{
    double batches[MAX_BATCHES];
    int n = 0;
    allocate(e, &w);
    w.iters = 1;
    run_client(e, &w);
    while (run_client(e, &w) * (double)w.iters < seconds / 30)
        w.iters *= 2;
    for (double end = now() + seconds; n < MAX_BATCHES && (n < MIN_BATCHES || now() < end); n++)
        batches[n] = run_client(e, &w);
    qsort(batches, (size_t)n, sizeof *batches, compare_doubles);
    return (struct result){batches[n / 2], batches[0]};
}

static void measure_latency(struct end *e, const struct options *o)
{
    for (int i = 0; i < o->n_sizes; i++) {
        struct result r = measure(e, (struct work){.bytes = o->sizes[i]}, o->seconds);
        printf("{\"bench\":\"latency\",\"bytes\":%ld,\"half_us\":%.4f,\"min_us\":%.4f}\n", o->sizes[i], r.median * 5e5,
               r.best * 5e5);
    }
}

static void measure_stream(struct end *e, const struct options *o, const char *name, long bytes, int window)
{
    struct result r = measure(e, (struct work){.bytes = bytes, .window = window}, o->seconds);
    double volume = (double)bytes * window / 1e6;
    printf("{\"bench\":\"%s\",\"bytes\":%ld,\"window\":%d,\"mb_s\":%.3f,\"msg_s\":%.1f,\"best_mb_s\":%.3f}\n", name,
           bytes, window, volume / r.median, window / r.median, volume / r.best);
}

static void run_ops(struct end *e, const struct options *o)
{
    if (strstr(o->ops, "latency"))
        measure_latency(e, o);
    for (int i = 0; i < o->n_sizes && strstr(o->ops, "bandwidth"); i++)
        measure_stream(e, o, "bandwidth", o->sizes[i], 16);
    if (strstr(o->ops, "rate"))
        measure_stream(e, o, "rate", 8, 64);
    send_all(e->fd, &(struct work){0}, sizeof(struct work));
}

/* Buffer sizes must be set before the connection is made, since they decide the window scale (tcp(7)). */
static int make_socket(const struct options *o)
{
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) ||
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one))
        fail("socket");
    if (o->buffer && (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &o->buffer, sizeof o->buffer) ||
                      setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &o->buffer, sizeof o->buffer)))
        fail("buffer size");
    return fd;
}

static struct sockaddr_in parse_address(const struct options *o)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)o->port)};
    if (inet_pton(AF_INET, o->address, &address.sin_addr) != 1) {
        errno = EINVAL;
        fail(o->address);
    }
    return address;
}

static int accept_one(const struct options *o)
{
    struct sockaddr_in address = parse_address(o);
    int listener = make_socket(o);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1))
        fail("listen");
    int fd = accept(listener, NULL, NULL);
    if (fd < 0)
        fail("accept");
    close(listener);
    return fd;
}

/* The server may not listen yet. */
static int dial(const struct options *o)
{
    struct sockaddr_in address = parse_address(o);
    for (int tries = 0; tries < CONNECT_TRIES; tries++) {
        int fd = make_socket(o);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    fail("connect");
}

/* Accepting may lose the option, connecting needs a blocking socket: both are set on the finished connection. */
static void make_spinning(int fd)
{
    int one = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) ||
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK))
        fail("non-blocking");
}

static long parse_size(const char *text, char **end)
{
    long value = strtol(text, end, 10);
    long unit = **end == 'K' ? 1024 : **end == 'M' ? 1024 * 1024 : 1;
    *end += unit > 1;
    return value * unit;
}

static int parse_sizes(struct options *o, char *text)
{
    o->n_sizes = 0;
    for (char *at = text; *at && o->n_sizes < MAX_SIZES; at += *at == ',') {
        o->sizes[o->n_sizes++] = parse_size(at, &at);
        if (o->sizes[o->n_sizes - 1] < 1 || (*at && *at != ','))
            return -1;
    }
    return 0;
}

/* 0: not a number from 1 to max. */
static long parse_count(const char *text, long max)
{
    char *end;
    long value = strtol(text, &end, 10);
    return end == text || *end || value < 1 || value > max ? 0 : value;
}

static int parse_options(struct options *o, int argc, char **argv)
{
    for (int c; (c = getopt(argc, argv, "b:t:o:s:")) != -1;) {
        if (c == 'b')
            o->buffer = (int)parse_count(optarg, INT_MAX);
        else if (c == 't')
            o->seconds = strtod(optarg, NULL);
        else if (c == 'o')
            o->ops = optarg;
        else if (c != 's' || parse_sizes(o, optarg))
            return -1;
        if ((c == 'b' && !o->buffer) || o->seconds <= 0)
            return -1;
    }
    if (optind + 3 != argc)
        return -1;
    o->address = argv[optind + 1];
    o->port = (int)parse_count(argv[optind + 2], 65535);
    return o->port ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct options o = {.ops = "latency,bandwidth,rate", .seconds = 0.2};
    for (long bytes = 1; bytes <= 4 << 20; bytes *= 2)
        o.sizes[o.n_sizes++] = bytes;
    int is_server = argc > 1 && strcmp(argv[1], "server") == 0;
    if (parse_options(&o, argc, argv)) {
        fputs("usage: raw_tcp server|client ADDRESS PORT [-b BUFFER] [-t SECONDS] [-o OPS] [-s SIZES]\n", stderr);
        return 2;
    }
    struct end e = {.fd = is_server ? accept_one(&o) : dial(&o)};
    make_spinning(e.fd);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (is_server)
        run_server(&e);
    else
        run_ops(&e, &o);
    free(e.buffers);
    return 0;
}
