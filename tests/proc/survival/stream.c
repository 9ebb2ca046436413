/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stream: messages of seeded sizes and contents between the two halves of the ranks, for a time, a number or until a
 * file exists; every word of each message is checked, and that each came once and in its turn. survival.test.py lets
 * networks fail under it, perf/multinic measures it; so it is plain MPI and is built with other MPIs too.
 *
 *     stream [-m p2p|pingpong|bcast|allreduce|alltoall|mixed] [-d forward|backward|both] [-s BYTES[-BYTES]] [-w WINDOW]
 *            [-y] [-t SECONDS] [-n COUNT] [-u FILE] [-o FILE] [-q SEED]
 *
 * -d says who sends in p2p: the lower half of the ranks, the upper, both. -y: one message of eight is sent
 * synchronously. -u: ends when FILE exists. -o: FILE.RANK gets a line "seconds bytes" (of CLOCK_MONOTONIC, received so
 * far) every 50 ms; the first comes with the first message. Rank 0 ends with one line of JSON; stop_s is the longest
 * time between messages.
 */
#include "proc.h"
#include "words.h"

#include <getopt.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WINDOW = 256, TAG_MORE = 1, TAG_LAST = 2, LOOK_EVERY = 16 };
enum direction { FORWARD = 1, BACKWARD = 2, BOTH = 3 };

struct options {
    const char *mode, *samples, *stop_file;
    int direction, window, is_partly_sync;
    long min, max, count; /* bytes, bytes, messages (0: no limit) */
    double seconds;       /* 0: no limit */
    uint64_t seed;
};

/* What this rank has received. */
struct meter {
    FILE *file;
    double begin, last, longest, next; /* seconds; longest: between two messages */
    uint64_t messages, bytes;
};

/* One direction of p2p: a ring of buffers, each with its message under way. */
struct ring {
    unsigned char *buffers;
    MPI_Request requests[MAX_WINDOW];
    long number[MAX_WINDOW]; /* of the message in each buffer */
    long next, total;        /* next message to start; total: -1 until known */
    int n_under_way, from, to;
};

static struct options opt = {
    .mode = "p2p", .direction = FORWARD, .window = 8, .min = 1 << 20, .max = 1 << 20, .seed = 1};
static struct meter meter;
static double began;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noreturn)) static void give_up(const char *what, long number)
{
    fprintf(stderr, "stream: rank %d: %s (%ld)\n", proc_rank, what, number);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static uint64_t key_of(int from, int to, long number)
{
    return words_mix(opt.seed ^ words_mix((uint64_t)from << 40 ^ (uint64_t)to << 20) ^ (uint64_t)number);
}

/* Bytes of message `number`: a multiple of 8, all magnitudes between min and max alike. */
static long size_of(uint64_t key)
{
    if (opt.min == opt.max)
        return opt.max;
    int low = 63 - __builtin_clzl((unsigned long)opt.min), high = 63 - __builtin_clzl((unsigned long)opt.max);
    uint64_t r = words_mix(key ^ 0x5eed);
    long base = 1L << (low + (int)(r % (uint64_t)(high - low + 1)));
    long size = (base + (long)(words_mix(r) % (uint64_t)base)) & ~7L;
    return size < opt.min ? opt.min : size > opt.max ? opt.max : size;
}

static void verify(const void *buffer, long bytes, uint64_t key, uint64_t times, long number)
{
    uint64_t found, wanted;
    long first = words_wrong(buffer, bytes, key, times);
    if (first < 0)
        return;
    memcpy(&found, (const char *)buffer + 8 * first, sizeof(found));
    wanted = words_at(key, times, first);
    fprintf(stderr, "stream: rank %d: message %ld of %ld bytes: word %ld is %016llx, not %016llx\n", proc_rank, number,
            bytes, first, (unsigned long long)found, (unsigned long long)wanted);
    give_up("a wrong word", number);
}

static void open_meter(double t)
{
    char name[4096];
    meter.begin = meter.last = t;
    if (!opt.samples)
        return;
    snprintf(name, sizeof name, "%s.%d", opt.samples, proc_rank);
    meter.file = fopen(name, "w");
    if (!meter.file)
        give_up("can't write the samples", 0);
}

static void received(long bytes)
{
    double t = now();
    if (!meter.messages++)
        open_meter(t);
    meter.bytes += (uint64_t)bytes;
    if (t - meter.last > meter.longest)
        meter.longest = t - meter.last;
    meter.last = t;
    if (meter.file && t >= meter.next) {
        fprintf(meter.file, "%.6f %llu\n", t, (unsigned long long)meter.bytes);
        fflush(meter.file); /* a job that hangs leaves its samples */
        meter.next = t + 0.05;
    }
}

/* Whether the end has come, by the caller's own clock; the file is looked for only now and then. */
static int is_over(long number)
{
    static long calls;
    static int is_there;
    if (opt.stop_file && !is_there && calls++ % LOOK_EVERY == 0)
        is_there = access(opt.stop_file, F_OK) == 0;
    return is_there || (opt.count && number >= opt.count) || (opt.seconds > 0 && now() - began >= opt.seconds);
}

static void *allocate(long bytes)
{
    void *p = calloc(1, (size_t)bytes);
    if (!p)
        give_up("no memory for buffers of so many bytes", bytes);
    return p;
}

static unsigned char *slot(const struct ring *r, int i)
{
    return r->buffers + (long)i * opt.max;
}

/* Sends the ring's next message. The last `window` messages carry tags that say how many follow, so that the
 * receiver learns the number of messages before it has posted a receive too many. */
static void send_next(struct ring *r, int i)
{
    long k = r->number[i] = r->next++;
    uint64_t key = key_of(r->from, r->to, k);
    long bytes = size_of(key);
    if (r->total < 0 && is_over(k + opt.window))
        r->total = k + opt.window;
    int tag = r->total < 0 ? TAG_MORE : TAG_LAST + (int)(opt.window - (r->total - k));
    words_fill(slot(r, i), bytes, key, 1);
    r->n_under_way++;
    if (opt.is_partly_sync && words_mix(key) % 8 == 0)
        MPI_Issend(slot(r, i), (int)bytes, MPI_BYTE, r->to, tag, MPI_COMM_WORLD, &r->requests[i]);
    else
        MPI_Isend(slot(r, i), (int)bytes, MPI_BYTE, r->to, tag, MPI_COMM_WORLD, &r->requests[i]);
}

static void receive_next(struct ring *r, int i)
{
    r->number[i] = r->next++;
    r->n_under_way++;
    MPI_Irecv(slot(r, i), (int)opt.max, MPI_BYTE, r->from, MPI_ANY_TAG, MPI_COMM_WORLD, &r->requests[i]);
}

static void check_received(struct ring *r, int i, const MPI_Status *status)
{
    int count = -1;
    long k = r->number[i];
    uint64_t key = key_of(r->from, r->to, k);
    MPI_Get_count(status, MPI_BYTE, &count);
    if (count != size_of(key))
        give_up("a message has a length that isn't its own", k);
    verify(slot(r, i), count, key, 1, k);
    received(count);
    if (status->MPI_TAG >= TAG_LAST)
        r->total = k - (status->MPI_TAG - TAG_LAST) + opt.window;
}

static int is_complete(const struct ring *r)
{
    return r->total >= 0 && r->next >= r->total;
}

/* Streams in both rings until all is through; a ring that isn't used begins with total 0. */
static void stream_p2p(struct ring *out, struct ring *in)
{
    MPI_Request all[2 * MAX_WINDOW];
    int w = opt.window;
    for (int i = 0; i < w; i++) {
        out->requests[i] = in->requests[i] = MPI_REQUEST_NULL;
        if (in->total < 0)
            receive_next(in, i);
    }
    for (int i = 0; i < w; i++)
        if (out->total < 0 || !is_complete(out))
            send_next(out, i);
    memcpy(all, out->requests, sizeof(MPI_Request) * (size_t)w);
    memcpy(all + w, in->requests, sizeof(MPI_Request) * (size_t)w);
    while (out->n_under_way + in->n_under_way) {
        int i;
        MPI_Status status;
        MPI_Waitany(2 * w, all, &i, &status);
        struct ring *r = i < w ? out : in;
        r->n_under_way--;
        if (r == in)
            check_received(in, i - w, &status);
        if (!is_complete(r)) {
            if (r == out)
                send_next(out, i);
            else
                receive_next(in, i - w);
            all[i] = r->requests[i % w];
        }
    }
}

static void run_p2p(void)
{
    int is_lower = proc_rank < proc_size / 2, partner = (proc_rank + proc_size / 2) % proc_size;
    int sends = opt.direction & (is_lower ? FORWARD : BACKWARD);
    int receives = opt.direction & (is_lower ? BACKWARD : FORWARD);
    struct ring out = {.total = sends ? -1 : 0, .from = proc_rank, .to = partner};
    struct ring in = {.total = receives ? -1 : 0, .from = partner, .to = proc_rank};
    out.buffers = allocate(opt.max * opt.window);
    in.buffers = allocate(opt.max * opt.window);
    stream_p2p(&out, &in);
    free(out.buffers);
    free(in.buffers);
}

static void pong(unsigned char *buffer, int to, long k, int tag)
{
    uint64_t key = key_of(proc_rank, to, k);
    long bytes = size_of(key);
    words_fill(buffer, bytes, key, 1);
    MPI_Send(buffer, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static int take_ping(unsigned char *buffer, int from, long k)
{
    MPI_Status status;
    int count;
    uint64_t key = key_of(from, proc_rank, k);
    MPI_Recv(buffer, (int)opt.max, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (count != size_of(key))
        give_up("a message has a length that isn't its own", k);
    verify(buffer, count, key, 1, k);
    received(count);
    return status.MPI_TAG;
}

/* Blocking sends and receives by turns: the lower half begins and ends. */
static void run_pingpong(void)
{
    int is_lower = proc_rank < proc_size / 2, partner = (proc_rank + proc_size / 2) % proc_size, tag = TAG_MORE;
    unsigned char *buffer = allocate(opt.max);
    for (long k = 0; tag == TAG_MORE; k++) {
        if (is_lower) {
            tag = is_over(k + 1) ? TAG_LAST : TAG_MORE;
            pong(buffer, partner, k, tag);
            take_ping(buffer, partner, k);
        } else {
            tag = take_ping(buffer, partner, k);
            pong(buffer, partner, k, tag);
        }
    }
    free(buffer);
}

static void one_bcast(unsigned char *a, unsigned char *b, long k)
{
    int root = (int)(k % proc_size);
    uint64_t key = key_of(root, proc_size, k);
    long bytes = size_of(key);
    (void)b;
    if (proc_rank == root)
        words_fill(a, bytes, key, 1);
    else
        memset(a, 0, (size_t)bytes);
    MPI_Bcast(a, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    verify(a, bytes, key, 1, k);
    received(bytes);
}

static void one_allreduce(unsigned char *a, unsigned char *b, long k)
{
    uint64_t sum = 0;
    long bytes = size_of(key_of(proc_size, proc_size, k));
    for (int r = 0; r < proc_size; r++)
        sum += key_of(r, proc_size, k);
    words_fill(a, bytes, key_of(proc_rank, proc_size, k), 1);
    MPI_Allreduce(a, b, (int)(bytes / 8), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    verify(b, bytes, sum, (uint64_t)proc_size, k);
    received(bytes);
}

static void one_alltoall(unsigned char *a, unsigned char *b, long k)
{
    long bytes = size_of(key_of(proc_size, proc_size, k));
    for (int r = 0; r < proc_size; r++)
        words_fill(a + r * bytes, bytes, key_of(proc_rank, r, k), 1);
    memset(b, 0, (size_t)(bytes * proc_size));
    MPI_Alltoall(a, (int)bytes, MPI_BYTE, b, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (int r = 0; r < proc_size; r++)
        verify(b + r * bytes, bytes, key_of(r, proc_rank, k), 1, k);
    received(bytes * proc_size);
}

static void one_sendrecv(unsigned char *a, unsigned char *b, long k)
{
    int to = (proc_rank + 1 + (int)(k % (proc_size - 1))) % proc_size;
    int from = (2 * proc_size - 1 + proc_rank - (int)(k % (proc_size - 1))) % proc_size;
    uint64_t mine = key_of(proc_rank, to, k), theirs = key_of(from, proc_rank, k);
    words_fill(a, size_of(mine), mine, 1);
    MPI_Sendrecv(a, (int)size_of(mine), MPI_BYTE, to, 3, b, (int)opt.max, MPI_BYTE, from, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    verify(b, size_of(theirs), theirs, 1, k);
    received(size_of(theirs));
}

static const struct {
    const char *name;
    void (*once)(unsigned char *, unsigned char *, long);
} collectives[] = {
    {"bcast", one_bcast}, {"allreduce", one_allreduce}, {"alltoall", one_alltoall}, {"mixed", one_sendrecv}};

/* Rank 0 tells before every round whether there is one. */
static void run_collectives(int which)
{
    unsigned char *a = allocate(opt.max * proc_size), *b = allocate(opt.max * proc_size);
    for (long k = 0;; k++) {
        int more = !is_over(k), now_which = which == 3 ? (int)(words_mix(opt.seed + (uint64_t)k) % 4) : which;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!more)
            break;
        collectives[now_which].once(a, b, k);
    }
    free(a);
    free(b);
}

static void run(void)
{
    if (strcmp(opt.mode, "p2p") == 0)
        run_p2p();
    else if (strcmp(opt.mode, "pingpong") == 0)
        run_pingpong();
    else
        for (int i = 0; i < 4; i++)
            if (strcmp(opt.mode, collectives[i].name) == 0)
                run_collectives(i);
}

static void report(void)
{
    double longest = 0, seconds = meter.last - meter.begin, most = 0;
    uint64_t mine[2] = {meter.messages, meter.bytes}, all[2] = {0, 0};
    MPI_Reduce(mine, all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&meter.longest, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (proc_rank == 0)
        printf(
            "{\"bench\":\"stream\",\"messages\":%llu,\"bytes\":%llu,\"seconds\":%.3f,\"mb_s\":%.3f,\"stop_s\":%.3f}\n",
            (unsigned long long)all[0], (unsigned long long)all[1], most, (double)all[1] / (most + 1e-9) / 1e6,
            longest);
    if (meter.file)
        fclose(meter.file);
}

static void parse_sizes(const char *text)
{
    char *end;
    opt.min = opt.max = strtol(text, &end, 10);
    if (*end == '-')
        opt.max = strtol(end + 1, &end, 10);
    if (*end || opt.min < 8 || opt.max < opt.min || opt.min % 8 || opt.max % 8 || opt.max > 1L << 30)
        give_up("-s: need BYTES or BYTES-BYTES, multiples of 8", opt.min);
}

static void parse(int argc, char **argv)
{
    for (int c; (c = getopt(argc, argv, "m:d:s:w:t:n:u:o:q:y")) != -1;) {
        switch (c) {
        case 'm':
            opt.mode = optarg;
            break;
        case 'd':
            opt.direction = *optarg == 'f' ? FORWARD : strcmp(optarg, "both") ? BACKWARD : BOTH;
            break;
        case 's':
            parse_sizes(optarg);
            break;
        case 'w':
            opt.window = atoi(optarg);
            break;
        case 't':
            opt.seconds = atof(optarg);
            break;
        case 'n':
            opt.count = atol(optarg);
            break;
        case 'u':
            opt.stop_file = optarg;
            break;
        case 'o':
            opt.samples = optarg;
            break;
        case 'q':
            opt.seed = strtoull(optarg, NULL, 0);
            break;
        case 'y':
            opt.is_partly_sync = 1;
            break;
        default:
            give_up("unknown option", c);
        }
    }
    if (opt.window < 1 || opt.window > MAX_WINDOW)
        give_up("-w: a window of 1 to 256", opt.window);
    if (!opt.count && opt.seconds <= 0 && !opt.stop_file)
        opt.count = 50;
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    parse(argc, argv);
    if (proc_size < 2 || proc_size % 2)
        give_up("needs an even number of ranks", proc_size);
    began = now();
    run();
    report();
    return proc_end();
}
