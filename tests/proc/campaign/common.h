/* SPDX-License-Identifier: BSD-3-Clause
 *
 * common: what all patterns of the campaign share: the phase that is on, the sizes and contents of its messages, and
 * the meter of what this rank has completed.
 */
#ifndef HWS_CAMPAIGN_COMMON_H
#define HWS_CAMPAIGN_COMMON_H

#include "proc.h"
#include "words.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    TAG_FLOW = 1,
    TAG_PING,
    TAG_MANY,
    TAG_MODE,
    TAG_TYPE,
    TAG_CANCEL,
    TAG_NEVER,
    TAG_RESULT,
    TAG_START,
    TAG_PART,
    TAG_THREAD = 100
};

#define TELL_STOP_S 0.3 /* a shorter time without a message is not written down */

static struct options {
    uint64_t seed;
    long eager, max;    /* bytes: -tcpeagersend of this job, its longest message */
    int n_per_host;     /* ranks r / n_per_host are on one host */
    const char *folder; /* NULL: nothing is written down */
} opt = {.eager = 16384, .max = 65536, .n_per_host = 1};

/* One pattern for some messages; the same at all ranks. */
struct phase {
    const char *name;
    uint64_t key;
    long max;    /* bytes of its longest message */
    int count;   /* messages of one rank to another */
    int window;  /* of those under way at once */
    int pace_us; /* before each */
};

/* This rank's row, which campaign.test.py reads while the job runs and after its death. */
struct row {
    uint64_t pid, phases, messages, bytes;
    char pattern[16];
};

static struct {
    pthread_mutex_t lock;
    struct row *row;
    FILE *stops;
} meter = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local double meter_last; /* when this thread's last message was complete */
static _Thread_local const char *meter_pattern = "";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noreturn)) static void give_up(const char *what, long number)
{
    fprintf(stderr, "campaign: rank %d: %s: %s (%ld)\n", proc_rank, meter_pattern, what, number);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static void *allocate(size_t bytes)
{
    void *p = calloc(1, bytes + 8);
    if (!p)
        give_up("no memory for so many bytes", (long)bytes);
    return p;
}

static void meter_open(void)
{
    static struct row unseen;
    char name[4096];
    meter.row = &unseen;
    if (!opt.folder)
        return;
    snprintf(name, sizeof(name), "%s/stops.%d", opt.folder, proc_rank);
    meter.stops = fopen(name, "w");
    snprintf(name, sizeof(name), "%s/row.%d", opt.folder, proc_rank);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (!meter.stops || fd < 0 || ftruncate(fd, sizeof(*meter.row)) < 0)
        give_up("cannot write into the folder of -f", 0);
    meter.row = mmap(NULL, sizeof(*meter.row), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (meter.row == MAP_FAILED)
        give_up("no memory for the row", 0);
    close(fd);
    meter.row->pid = (uint64_t)getpid();
}

/* From here on this thread expects messages; since: when the last of those it waits for was ready. */
static void meter_expect(const char *pattern, double since)
{
    meter_pattern = pattern;
    meter_last = since;
}

static void meter_stop(double begin, double end)
{
    if (!meter.stops || end - begin < TELL_STOP_S)
        return;
    pthread_mutex_lock(&meter.lock);
    fprintf(meter.stops, "%.6f %.6f %s\n", begin, end, meter_pattern);
    fflush(meter.stops); /* a job that hangs leaves what it has seen */
    pthread_mutex_unlock(&meter.lock);
}

/* A message is complete, sent or received. */
static void meter_done(long bytes)
{
    double t = now();
    meter_stop(meter_last, t);
    meter_last = t;
    __atomic_fetch_add(&meter.row->messages, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&meter.row->bytes, (uint64_t)bytes, __ATOMIC_RELAXED);
}

/* ---- what a message is ---- */

static uint64_t key_of(const struct phase *ph, int from, int to, long number)
{
    return words_mix(ph->key ^ words_mix((uint64_t)from << 40 ^ (uint64_t)to << 20) ^ (uint64_t)number);
}

/* Half of the messages have a length at which the library changes its way, or nearly; the others any. */
static long size_of(const struct phase *ph, uint64_t key)
{
    const long edges[] = {0,     1,         8,         opt.eager - 1, opt.eager, opt.eager + 1, 2 * opt.eager,
                          32768, 65536 - 1, 65536 + 1, 65536,         1 << 20,   ph->max};
    uint64_t r = words_mix(key ^ 0x5eed);
    long size = edges[(r >> 8) % (sizeof(edges) / sizeof(*edges))];
    if (r & 1)
        size = (long)(words_mix(r) % (2ull << ((r >> 16) % (uint64_t)(64 - __builtin_clzl((unsigned long)ph->max)))));
    return size < 0 ? 0 : size > ph->max ? ph->max : size;
}

static void fill(const struct phase *ph, void *buffer, int from, int to, long number)
{
    uint64_t key = key_of(ph, from, to, number);
    words_fill(buffer, size_of(ph, key), key, 1);
}

static void verify_words(const void *buffer, long bytes, uint64_t key, uint64_t times, long number)
{
    long first = words_wrong(buffer, bytes, key, times);
    if (first < 0)
        return;
    fprintf(stderr, "campaign: rank %d: %s: message %ld of %ld bytes: word %ld is wrong\n", proc_rank, meter_pattern,
            number, bytes, first);
    give_up("a wrong word", number);
}

/* `count`: the bytes that came; the message must be the one with this number. */
static void verify(const struct phase *ph, const void *buffer, long count, int from, int to, long number)
{
    uint64_t key = key_of(ph, from, to, number);
    if (count != size_of(ph, key)) {
        fprintf(stderr, "campaign: rank %d: %s: message %ld from %d has %ld bytes, not %ld\n", proc_rank, ph->name,
                number, from, count, size_of(ph, key));
        give_up("a message has a length that is not its own", number);
    }
    verify_words(buffer, count, key, 1, number);
}

static long bytes_of(const MPI_Status *status)
{
    int count = -1;
    MPI_Get_count(status, MPI_BYTE, &count);
    return count;
}

/* ---- who sends when, and to whom ---- */

/* What a program does between its messages: the phase's pace and, once in a while, a computation of up to 0.1 s. */
static void think(const struct phase *ph, long number)
{
    uint64_t r = words_mix(ph->key ^ (uint64_t)proc_rank << 32 ^ (uint64_t)number ^ 0x7417);
    if (ph->pace_us)
        usleep((unsigned)ph->pace_us);
    if (r % (uint64_t)(8 * ph->count) == 0)
        usleep((unsigned)(words_mix(r) % 100000));
}

/* The rank this one is paired with across the halves; -1: it has none. */
static int across(void)
{
    int half = proc_size / 2;
    return proc_rank < half ? proc_rank + half : proc_rank < 2 * half ? proc_rank - half : -1;
}

#endif
