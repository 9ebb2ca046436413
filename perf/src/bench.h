/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench.h: what the measuring programs share: options, clock, medians, resident set, adaptive repetition.
 *
 * The programs are plain MPI (nothing above MPI 3.0), so the same source is built with each MPI. Each result is one
 * line of JSON on standard output, written with one write so that a launcher keeps it whole. Repetition is bounded by
 * time, not by count: the same program meets an MPI that takes 0.1 ms for an operation and one that takes 40 ms.
 */
#ifndef PERF_BENCH_H
#define PERF_BENCH_H

#include <mpi.h>

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BENCH_MAX_SIZES = 64, BENCH_MAX_BATCHES = 400, BENCH_MIN_BATCHES = 3 };

/* The options of all programs; a program ignores those that don't concern it. */
struct bench_options {
    double seconds;  /* -t: time to spend on one figure */
    long count;      /* -n: iterations instead of a time (0: by time); for perf/profile, which divides by it */
    int window;      /* -w: messages under way at once */
    const char *ops; /* -o: comma-separated names; NULL: all */
    long sizes[BENCH_MAX_SIZES]; /* -s: bytes, comma-separated, K and M allowed */
    int n_sizes;
};

/* One thing that is repeated: runs it iters times. */
struct bench_task {
    void (*run)(void *context, long iters);
    void *context;
};

/* Seconds per iteration of each batch, sorted. */
struct bench_result {
    double seconds[BENCH_MAX_BATCHES];
    int n_batches;
    long iters; /* in a batch */
};

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noreturn, format(printf, 1, 2))) static inline void bench_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

__attribute__((format(printf, 1, 2))) static inline void bench_print(const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0 || length >= (int)sizeof line || write(STDOUT_FILENO, line, (size_t)length) != length)
        bench_die("can't write a result");
}

static inline long bench_parse_size(const char *text, char **end)
{
    long value = strtol(text, end, 10);
    long unit = **end == 'K' ? 1024 : **end == 'M' ? 1024 * 1024 : 1;
    *end += unit > 1;
    return value * unit;
}

static inline void bench_parse_sizes(struct bench_options *options, const char *text)
{
    options->n_sizes = 0;
    for (char *at = (char *)text; *at && options->n_sizes < BENCH_MAX_SIZES; at += *at == ',') {
        char *start = at;
        options->sizes[options->n_sizes++] = bench_parse_size(start, &at);
        if (at == start || (*at && *at != ','))
            bench_die("-s %s: not a list of sizes", text);
    }
}

/* A whole decimal number from 1 to max. */
static inline long bench_parse_count(const char *flag, const char *text, long max)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > max)
        bench_die("-%s %s: not a number from 1 to %ld", flag, text, max);
    return value;
}

static inline double bench_parse_seconds(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value < 1e6))
        bench_die("-t %s: not a number of seconds", text);
    return value;
}

/* Reads the options over the defaults that the program put into *options. */
static inline void bench_parse(struct bench_options *options, int argc, char **argv)
{
    for (int c; (c = getopt(argc, argv, "t:n:w:o:s:")) != -1;) {
        switch (c) {
        case 't':
            options->seconds = bench_parse_seconds(optarg);
            break;
        case 'n':
            options->count = bench_parse_count("n", optarg, LONG_MAX);
            break;
        case 'w':
            options->window = (int)bench_parse_count("w", optarg, INT_MAX);
            break;
        case 'o':
            options->ops = optarg;
            break;
        case 's':
            bench_parse_sizes(options, optarg);
            break;
        default:
            bench_die("usage: %s [-t SECONDS] [-n COUNT] [-w WINDOW] [-o OPS] [-s SIZES]", argv[0]);
        }
    }
}

static inline int bench_is_size(const struct bench_options *options, long bytes)
{
    for (int i = 0; i < options->n_sizes; i++) {
        if (options->sizes[i] == bytes)
            return 1;
    }
    return 0;
}

/* Whether the operation is in the list, or there is none. */
static inline int bench_is_op(const struct bench_options *options, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = options->ops; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0))
            return 1;
    }
    return !options->ops;
}

static inline int bench_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile q (0..1) of the sorted batches, in seconds per iteration. */
static inline double bench_quantile(const struct bench_result *result, double q)
{
    return result->seconds[(int)(q * (result->n_batches - 1) + 0.5)];
}

/* How many iterations fill a thirtieth of the time: doubled until they do. All ranks get the answer of rank 0. */
static inline long bench_calibrate(const struct bench_task *task, double seconds)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    task->run(task->context, 1); /* connects, allocates */
    for (long iters = 1;; iters *= 2) {
        double start = bench_now();
        task->run(task->context, iters);
        int enough = bench_now() - start > seconds / 30;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (enough)
            return iters;
    }
}

/* Repeats the task in batches until the time is used up, at least three times. The time of a batch is that of the
 * slowest rank when all_ranks is set, else that of rank 0. */
static inline void bench_measure(const struct bench_task *task, const struct bench_options *options, int all_ranks,
                                 struct bench_result *result)
{
    result->iters = options->count ? options->count : bench_calibrate(task, options->seconds);
    result->n_batches = 0;
    double end = bench_now() + options->seconds;
    for (int more = 1; more;) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = bench_now();
        task->run(task->context, result->iters);
        result->seconds[result->n_batches++] = (bench_now() - start) / (double)result->iters;
        more = !options->count && result->n_batches < BENCH_MAX_BATCHES &&
               (result->n_batches < BENCH_MIN_BATCHES || bench_now() < end);
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (all_ranks) {
        double mine[BENCH_MAX_BATCHES];
        memcpy(mine, result->seconds, sizeof mine);
        MPI_Allreduce(mine, result->seconds, result->n_batches, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(result->seconds, (size_t)result->n_batches, sizeof(double), bench_compare_doubles);
}

/* A value in KiB from /proc/self/status, such as "VmRSS"; -1 when there is none. */
static inline long bench_status_kib(const char *key)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long value = -1;
    size_t length = strlen(key);
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, length) == 0 && line[length] == ':')
            value = atol(line + length + 1);
    }
    if (file)
        fclose(file);
    return value;
}

/* The sockets that this process has open. */
static inline int bench_count_sockets(void)
{
    int n = 0;
    DIR *dir = opendir("/proc/self/fd");
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char target[64] = "";
        if (readlinkat(dirfd(dir), entry->d_name, target, sizeof target - 1) > 0)
            n += strncmp(target, "socket:", 7) == 0;
    }
    if (dir)
        closedir(dir);
    return n;
}

/* A rank of exactly n, or the end. */
static inline int bench_rank_of(int n)
{
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (size != n)
        bench_die("needs %d ranks, has %d", n, size);
    return rank;
}

/* A rank of n or more, or the end. */
static inline int bench_rank_of_at_least(int n)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return bench_rank_of(size < n ? n : size);
}

/* Content that differs for each seed and place, to see that the bytes really arrive. */
static inline void bench_fill(unsigned char *buffer, long bytes, unsigned seed)
{
    for (long i = 0; i < bytes; i++)
        buffer[i] = (unsigned char)((unsigned long)i * 31 + ((unsigned long)i >> 8) * 7 + seed * 101 + 1);
}

static inline void bench_verify(const unsigned char *buffer, long bytes, unsigned seed)
{
    for (long i = 0; i < bytes; i++) {
        if (buffer[i] != (unsigned char)((unsigned long)i * 31 + ((unsigned long)i >> 8) * 7 + seed * 101 + 1))
            bench_die("byte %ld of %ld of message %u arrived wrong", i, bytes, seed);
    }
}

#endif
