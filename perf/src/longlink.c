/* SPDX-License-Identifier: BSD-3-Clause
 *
 * longlink: a WAN in user space, for kernels without netem: what comes out of one TAP interface goes into the other,
 * after a queue that is drained at a rate, and a delay; packets that find the queue full, or that chance picks, are
 * dropped. It sees every packet, so it counts what the ends do not tell: duplicate acknowledgments, segments sent
 * again, silences.
 *
 *     longlink NAME NAME [NOT-COUNTED-IPV4...]     makes both interfaces in its network namespace; says "ready"
 *
 * Commands on stdin, a line each, answered by one line: "set MBIT DELAY_MS QUEUE_PACKETS LOSS_PERCENT", "count" (a JSON
 * object, and all counts begin anew). Its end is that of stdin. What concerns the addresses that are not counted is
 * passed alike.
 */
#define _GNU_SOURCE /* ppoll */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { FRAME_MAX = 1600, SLOTS = 8192, FLOWS = 16384, SKIPPED_MAX = 16, HEADERS = 14 + 20 + 20 };

#define NS_PER_S  1000000000ull
#define SILENT_NS 220000000ull /* the least time-out of Linux, and a round trip */

struct frame {
    uint64_t leaves_ns;
    int len;
    uint8_t bytes[FRAME_MAX];
};

/* One TCP connection, as one of its ends sends. */
struct flow {
    uint8_t key[12]; /* addresses and ports */
    bool is_used, has_data;
    uint32_t highest, acked, window; /* behind the last byte sent; what it last acknowledged */
    uint64_t last_ns;
};

struct counts {
    uint64_t bytes, packets, queue_drops, chance_drops, duplicate_acks, again, silences;
};

struct way {
    int in, out;
    uint64_t free_ns; /* when the last one has left the queue */
    struct frame *slots;
    unsigned head, n;
    struct counts counts;
    struct flow *flows;
};

static double mbit = 100, loss_percent;
static uint64_t delay_ns = 9000000;
static unsigned queue_packets = 250;
static struct in_addr skipped[SKIPPED_MAX];
static int n_skipped;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
    fprintf(stderr, "longlink: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- what a packet says ---------------------------------------------------------------------------------------- */

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool is_skipped(const uint8_t *ip)
{
    for (int i = 0; i < n_skipped; i++)
        if (memcmp(ip + 12, &skipped[i], 4) == 0 || memcmp(ip + 16, &skipped[i], 4) == 0)
            return true;
    return false;
}

static struct flow *find_flow(struct way *w, const uint8_t *key)
{
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 12; i++)
        hash = (hash ^ key[i]) * 16777619u;
    for (unsigned i = 0; i < FLOWS; i++) {
        struct flow *f = &w->flows[(hash + i) % FLOWS];
        if (f->is_used && memcmp(f->key, key, 12) == 0)
            return f;
        if (!f->is_used) {
            memcpy(f->key, key, 12);
            f->is_used = true;
            return f;
        }
    }
    return NULL;
}

static void note_data(struct way *w, struct flow *f, uint32_t from, uint32_t len, uint64_t now)
{
    uint32_t to = from + len;
    if (f->has_data && (int32_t)(to - f->highest) <= 0) {
        w->counts.again++;
    } else {
        w->counts.silences += f->has_data && now - f->last_ns > SILENT_NS;
        f->highest = to;
        f->has_data = true;
    }
    f->last_ns = now;
}

/* A duplicate acknowledgment as RFC 5681 has it, but that selective ones may stand beside it. */
static void note_ack(struct way *w, struct flow *f, uint32_t ack, uint32_t window, uint32_t len, bool is_plain)
{
    w->counts.duplicate_acks += !len && is_plain && ack == f->acked && window == f->window;
    f->acked = ack;
    f->window = window;
}

static void look(struct way *w, const uint8_t *frame, int len, uint64_t now)
{
    const uint8_t *ip = frame + 14, *tcp = ip + 20;
    if (len < HEADERS || frame[12] != 8 || frame[13] != 0 || ip[0] != 0x45 || ip[9] != 6 || is_skipped(ip))
        return;
    uint8_t key[12];
    memcpy(key, ip + 12, 8);
    memcpy(key + 8, tcp, 4);
    struct flow *f = find_flow(w, key);
    uint32_t bytes = (uint32_t)(ip[2] << 8 | ip[3]) - 20 - 4u * (tcp[12] >> 4);
    bool is_syn = tcp[13] & 2, is_fin = tcp[13] & 1, has_ack = tcp[13] & 16;
    if (!f)
        return;
    if (is_syn)
        f->has_data = false;
    if (bytes)
        note_data(w, f, get32(tcp + 4), bytes, now);
    if (has_ack && !(tcp[13] & 4))
        note_ack(w, f, get32(tcp + 8), (uint32_t)(tcp[14] << 8 | tcp[15]), bytes, !is_syn && !is_fin);
}

/* ---- the link -------------------------------------------------------------------------------------------------- */

static bool is_unlucky(void)
{
    return loss_percent > 0 && drand48() * 100 < loss_percent;
}

/* How many are in the queue, not on the way: those whose last bit has not left. */
static bool is_full(const struct way *w, uint64_t now)
{
    double waiting_bytes = w->free_ns > now ? (double)(w->free_ns - now) * mbit / 8000 : 0;
    return w->n == SLOTS || waiting_bytes >= queue_packets * 1514.0;
}

static void take(struct way *w, uint64_t now)
{
    struct frame *f = &w->slots[(w->head + w->n) % SLOTS];
    uint8_t lost[FRAME_MAX];
    bool has_no_room = is_full(w, now);
    uint8_t *dst = has_no_room ? lost : f->bytes;
    int len = (int)read(w->in, dst, FRAME_MAX);
    if (len <= 0)
        return;
    look(w, dst, len, now);
    if (has_no_room) {
        w->counts.queue_drops++;
        return;
    }
    w->free_ns = (w->free_ns > now ? w->free_ns : now) + (uint64_t)(len * 8000 / mbit);
    if (is_unlucky()) {
        w->counts.chance_drops++;
        return;
    }
    f->len = len;
    f->leaves_ns = w->free_ns + delay_ns;
    w->n++;
}

static void deliver(struct way *w, uint64_t now)
{
    while (w->n && w->slots[w->head].leaves_ns <= now) {
        struct frame *f = &w->slots[w->head];
        if (write(w->out, f->bytes, (size_t)f->len) == f->len) {
            w->counts.bytes += (uint64_t)f->len;
            w->counts.packets++;
        }
        w->head = (w->head + 1) % SLOTS;
        w->n--;
    }
}

static int open_tap(const char *name)
{
    struct ifreq ifr = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    snprintf(ifr.ifr_name, sizeof ifr.ifr_name, "%s", name);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr) != 0)
        die("/dev/net/tun");
    return fd;
}

static void open_way(struct way *w, int in, int out)
{
    *w = (struct way){
        .in = in, .out = out, .slots = calloc(SLOTS, sizeof *w->slots), .flows = calloc(FLOWS, sizeof *w->flows)};
    if (!w->slots || !w->flows)
        die("memory");
}

/* ---- commands -------------------------------------------------------------------------------------------------- */

static void print_counts(struct way ways[2])
{
    static const char *const names[2] = {"there", "back"};
    for (int i = 0; i < 2; i++) {
        struct counts *c = &ways[i].counts;
        printf("%s\"%s\":{\"bytes\":%llu,\"packets\":%llu,\"queue_drops\":%llu,\"chance_drops\":%llu,\"duplicate_"
               "acks\":%llu,\"again\":%llu,\"silences\":%llu}",
               i ? "," : "{", names[i], (unsigned long long)c->bytes, (unsigned long long)c->packets,
               (unsigned long long)c->queue_drops, (unsigned long long)c->chance_drops,
               (unsigned long long)c->duplicate_acks, (unsigned long long)c->again, (unsigned long long)c->silences);
        *c = (struct counts){0};
        memset(ways[i].flows, 0, FLOWS * sizeof *ways[i].flows);
    }
    printf("}\n");
}

static bool obey(struct way ways[2])
{
    char line[256];
    double delay_ms;
    if (!fgets(line, sizeof line, stdin))
        return false;
    if (strncmp(line, "count", 5) == 0) {
        print_counts(ways);
    } else if (sscanf(line, "set %lf %lf %u %lf", &mbit, &delay_ms, &queue_packets, &loss_percent) == 4 && mbit > 0) {
        delay_ns = (uint64_t)(delay_ms * 1e6);
        printf("set\n");
    } else {
        printf("what?\n");
    }
    fflush(stdout);
    return true;
}

static void run(struct way ways[2])
{
    for (;;) {
        uint64_t now = now_ns(), next = now + NS_PER_S;
        for (int i = 0; i < 2; i++) {
            deliver(&ways[i], now);
            if (ways[i].n && ways[i].slots[ways[i].head].leaves_ns < next)
                next = ways[i].slots[ways[i].head].leaves_ns;
        }
        struct pollfd fds[3] = {
            {.fd = ways[0].in, .events = POLLIN}, {.fd = ways[1].in, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
        struct timespec wait = {(time_t)((next - now) / NS_PER_S), (long)((next - now) % NS_PER_S)};
        if (ppoll(fds, 3, &wait, NULL) <= 0)
            continue;
        for (int i = 0; i < 2; i++)
            if (fds[i].revents)
                take(&ways[i], now_ns());
        if (fds[2].revents && !obey(ways))
            return;
    }
}

int main(int argc, char **argv)
{
    static struct way ways[2];
    if (argc < 3)
        return fputs("usage: longlink NAME NAME [NOT-COUNTED-IPV4...]\n", stderr), 2;
    for (int i = 3; i < argc && n_skipped < SKIPPED_MAX; i++)
        if (inet_aton(argv[i], &skipped[n_skipped]))
            n_skipped++;
    int a = open_tap(argv[1]), b = open_tap(argv[2]);
    struct sched_param high = {.sched_priority = 10};
    sched_setscheduler(0, SCHED_FIFO, &high); /* where it may: the ranks must not delay the packets */
    prctl(PR_SET_TIMERSLACK, 1);
    setvbuf(stdin, NULL, _IONBF, 0);
    open_way(&ways[0], a, b);
    open_way(&ways[1], b, a);
    puts("ready");
    fflush(stdout);
    run(ways);
    return 0;
}
