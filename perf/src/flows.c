/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flows: many TCP connections at once that always have something to send, and what each gets.
 *
 *     flows take PORT N SECONDS             accepts N, reads them all for so long, prints a line of JSON
 *     flows give ADDRESS PORT N             connects N and sends until they are closed
 *
 * SECONDS begin when the last of the N has sent something; what came before does not count.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { FLOWS_MAX = 4096, BUFFER = 65536, PATIENCE_S = 120 };

static long long got[FLOWS_MAX], before[FLOWS_MAX];
static char buffer[BUFFER];

static void die(const char *what)
{
    fprintf(stderr, "flows: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void watch(int poll, int fd, int i, unsigned events)
{
    struct epoll_event e = {.events = events, .data.u64 = (uint64_t)i << 32 | (unsigned)fd};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &e) != 0)
        die("epoll");
}

static int accept_all(int port, int n)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&any, sizeof any) != 0 || listen(listener, n) != 0)
        die("listen");
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < n; i++) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            die("accept");
        watch(poll, fd, i, EPOLLIN);
    }
    return poll;
}

/* Reads what is there within 0.1 s. How many have had their first bytes. */
static int read_some(int poll)
{
    struct epoll_event e[64];
    int n = epoll_wait(poll, e, 64, 100), begun = 0;
    for (int i = 0; i < n; i++) {
        ssize_t len = read((int)(e[i].data.u64 & 0xffffffff), buffer, sizeof buffer);
        long long *sum = &got[e[i].data.u64 >> 32];
        if (len <= 0)
            die("a connection ended");
        begun += *sum == 0;
        *sum += len;
    }
    return begun;
}

static int compare(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

static int take(int port, int n, double seconds)
{
    int poll = accept_all(port, n);
    double begin = now_s(), limit = begin + PATIENCE_S;
    for (int begun = 0; begun < n && now_s() < limit;)
        begun += read_some(poll);
    begin = now_s();
    memcpy(before, got, sizeof got);
    while (now_s() < begin + seconds)
        read_some(poll);
    double took = now_s() - begin, sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)(got[i] -= before[i]);
    qsort(got, (size_t)n, sizeof got[0], compare);
    printf("{\"flows\":%d,\"least_share\":%.4f,\"tenth_share\":%.4f,\"most_share\":%.4f,\"mbit\":%.2f}\n", n,
           (double)got[0] * n / sum, (double)got[n / 10] * n / sum, (double)got[n - 1] * n / sum, sum * 8e-6 / took);
    return 0;
}

static int give(const char *address, int port, int n)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int poll = epoll_create1(0);
    struct epoll_event e[64];
    if (!inet_aton(address, &to.sin_addr))
        die(address);
    for (int i = 0; i < n; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
            die("connect");
        watch(poll, fd, i, EPOLLOUT);
    }
    for (;;) {
        int k = epoll_wait(poll, e, 64, -1);
        for (int i = 0; i < k; i++)
            if (send((int)(e[i].data.u64 & 0xffffffff), buffer, sizeof buffer, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
                errno != EAGAIN)
                return 0;
    }
}

static int usage(void)
{
    fputs("usage: flows take PORT N SECONDS | give ADDRESS PORT N\n", stderr);
    return 2;
}

/* From `least` to `most`, and nothing behind it. */
static double number(const char *text, double least, double most)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most))
        exit(usage());
    return value;
}

int main(int argc, char **argv)
{
    struct rlimit l;
    getrlimit(RLIMIT_NOFILE, &l);
    l.rlim_cur = l.rlim_max;
    setrlimit(RLIMIT_NOFILE, &l);
    if (argc == 5 && strcmp(argv[1], "take") == 0)
        return take((int)number(argv[2], 1, 65535), (int)number(argv[3], 1, FLOWS_MAX), number(argv[4], 0, PATIENCE_S));
    if (argc == 5 && strcmp(argv[1], "give") == 0)
        return give(argv[2], (int)number(argv[3], 1, 65535), (int)number(argv[4], 1, FLOWS_MAX));
    return usage();
}
