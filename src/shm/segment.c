/* SPDX-License-Identifier: BSD-3-Clause
 *
 * segment: see the header. A writer stores its record, then loads the flags `hot` and `asleep`, without a fence in
 * between; the owner of the flags stores them, has the kernel put a full barrier into every running process
 * (membarrier(2), global expedited), then looks at the rings. So one of the two sees the other's store.
 */
#include "shm/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/errors.h"

#define MAGIC   0x736d687265737761ull
#define VERSION 10u /* of what lies in it; whoever finds another one uses TCP */
#define PAGE    4096u
#define ROOM_MS 100 /* for wake-ups that were sent to be read, where there is no descriptor left */

#define WAKE_KEY 16 /* bytes */

/* Of an area, for each of up to 16 ranks: four pieces of 256 KiB and some more. Beyond, ranks get less each. */
#define AREA_SHARE ((size_t)1152 << 10)

struct hws_segment_head {
    uint64_t magic, job_id, nonce[2];
    uint8_t wake_key[WAKE_KEY]; /* what a wake-up says */
    uint64_t len_bytes, bits_at, rings_at, ring_size, ring_stride, areas_at, area_len;
    uint64_t net;  /* the network namespace, in which the wake-up sockets have their names */
    uint64_t pids; /* the namespace in which a rank's pid is its own: elsewhere it is nobody's or another's */
    uint32_t version, n;
    uint32_t area_users[HWS_SEGMENT_AREAS];
};

static size_t pages(size_t n)
{
    return (n + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* The more ranks, the smaller the rings: if every pair talks, those of 64 ranks take 128 MiB, of 256 ranks 512 MiB.
 * Few ranks: a ring that holds a good many messages of 8 KiB and leaves half of a second-level cache to others. */
static size_t stride_for(int n)
{
    if (n <= 16)
        return 256u << 10;
    if (n <= 64)
        return 32u << 10;
    return n <= 256 ? 8u << 10 : 4u << 10;
}

static uint64_t own_space(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

static void set_spaces(struct hws_segment_head *h)
{
    h->net = own_space("/proc/self/ns/net");
    h->pids = own_space("/proc/self/ns/pid");
}

static void plan(struct hws_segment_head *h, int n)
{
    size_t words = ((size_t)n + 63) / 64;
    size_t row = (words * sizeof(uint64_t) + HWS_LINE - 1) & ~(size_t)(HWS_LINE - 1);
    h->bits_at = PAGE + pages((size_t)n * sizeof(struct hws_segment_rank));
    h->rings_at = h->bits_at + pages((size_t)n * row);
    h->ring_stride = stride_for(n);
    h->ring_size = h->ring_stride - sizeof(struct hws_ring_shared);
    h->areas_at = h->rings_at + pages((size_t)n * (size_t)n * h->ring_stride);
    h->area_len = (size_t)(n < 16 ? n : 16) * AREA_SHARE;
    h->len_bytes = h->areas_at + HWS_SEGMENT_AREAS * h->area_len;
    h->n = (uint32_t)n;
}

static int fail(char *err, size_t err_len, const char *what)
{
    snprintf(err, err_len, "no shared memory: %s: %s", what, strerror(errno));
    return HWS_EINVAL;
}

static int map(struct hws_segment *s, int fd, size_t len, char *err, size_t err_len)
{
    void *base = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (base == MAP_FAILED)
        return fail(err, err_len, "mmap");
    s->head = base;
    s->len_bytes = len;
    return HWS_OK;
}

static void set_pointers(struct hws_segment *s)
{
    uint8_t *base = (uint8_t *)s->head;
    s->n = (int)s->head->n;
    s->words = (int)(((size_t)s->n + 63) / 64);
    s->ranks = (struct hws_segment_rank *)(void *)(base + PAGE);
    s->bits = (uint64_t *)(void *)(base + s->head->bits_at);
    s->rings = base + s->head->rings_at;
    s->areas = base + s->head->areas_at;
    s->area_len = s->head->area_len;
    s->area_users = s->head->area_users;
    s->ring_size = s->head->ring_size;
    s->ring_stride = s->head->ring_stride;
}

/* ftruncate(2) beyond the limit would end the process with SIGXFSZ. */
static int set_length(int fd, uint64_t len)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && most.rlim_cur < len) {
        errno = EFBIG;
        return -1;
    }
    return ftruncate(fd, (off_t)len);
}

int hws_segment_create(struct hws_segment *s, uint64_t job_id, int n, char offer[HWS_SEGMENT_OFFER_LEN], char *err,
                       size_t err_len)
{
    struct hws_segment_head h = {.magic = MAGIC, .job_id = job_id, .version = VERSION};
    memset(s, 0, sizeof *s);
    s->fd = s->wake_fd = -1;
    if (n < 2 || n > HWS_SEGMENT_MAX_RANKS)
        return HWS_EINVAL;
    plan(&h, n);
    set_spaces(&h);
    if (getrandom(h.nonce, sizeof h.nonce, 0) != (ssize_t)sizeof h.nonce ||
        getrandom(h.wake_key, sizeof h.wake_key, 0) != (ssize_t)sizeof h.wake_key)
        return fail(err, err_len, "getrandom");
    int fd = memfd_create("hawser", MFD_CLOEXEC);
    if (fd < 0)
        return fail(err, err_len, "memfd_create");
    if (set_length(fd, h.len_bytes) != 0) {
        fail(err, err_len, "ftruncate");
        close(fd);
        return HWS_EINVAL;
    }
    if (map(s, fd, h.len_bytes, err, err_len) != HWS_OK) {
        close(fd);
        return HWS_EINVAL;
    }
    *s->head = h;
    s->fd = fd;
    snprintf(offer, HWS_SEGMENT_OFFER_LEN, "%d.%d.%016" PRIx64 "%016" PRIx64, (int)getpid(), fd, h.nonce[0],
             h.nonce[1]);
    return HWS_OK;
}

/* This rank cannot take part: the others need not wait for it. The small part of the file that says so can be mapped
 * where the address space has no room for the whole. */
static void refuse_unmapped(int fd, const struct hws_segment_head *h, int me)
{
    void *base = mmap(NULL, h->bits_at, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED)
        return; /* they give it up when they have waited long enough */
    struct hws_segment s = {.ranks = (struct hws_segment_rank *)(void *)((uint8_t *)base + PAGE)};
    hws_segment_state(&s, me, true);
    munmap(base, h->bits_at);
}

struct offered {
    int pid, fd;
    uint64_t nonce[2];
};

/* Reads the head if it is the one that is looked for: the process number may be another's by now. */
static bool read_head(int fd, const struct offered *o, uint64_t job_id, int n, struct hws_segment_head *h)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && pread(fd, h, sizeof *h, 0) == (ssize_t)sizeof *h &&
           h->magic == MAGIC && h->version == VERSION && h->job_id == job_id && h->n == (uint32_t)n &&
           h->nonce[0] == o->nonce[0] && h->nonce[1] == o->nonce[1] && (uint64_t)st.st_size == h->len_bytes;
}

static int map_if_near(struct hws_segment *s, int fd, const struct hws_segment_head *h, char *err, size_t err_len)
{
    struct hws_segment_head own = {.magic = 0};
    set_spaces(&own);
    if (h->net == own.net && h->pids == own.pids)
        return map(s, fd, h->len_bytes, err, err_len);
    snprintf(err, err_len, "no shared memory: this rank has %s of its own",
             h->net != own.net ? "a network" : "a space of process numbers");
    return HWS_EINVAL;
}

static int find(struct hws_segment *s, const char *offer, uint64_t job_id, int me, int n, char *err, size_t err_len)
{
    struct offered o;
    char path[64];
    if (sscanf(offer, "%d.%d.%16" SCNx64 "%16" SCNx64, &o.pid, &o.fd, &o.nonce[0], &o.nonce[1]) != 4) {
        snprintf(err, err_len, "no shared memory: malformed offer");
        return HWS_EINVAL;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", o.pid, o.fd);
    int own = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (own < 0)
        return fail(err, err_len, path);
    int rc = HWS_EINVAL;
    struct hws_segment_head h;
    if (!read_head(own, &o, job_id, n, &h)) {
        snprintf(err, err_len, "no shared memory: %s is not this job's segment", path);
    } else {
        rc = map_if_near(s, own, &h, err, err_len);
        if (rc != HWS_OK)
            refuse_unmapped(own, &h, me);
    }
    close(own);
    return rc;
}

static socklen_t wake_address(const struct hws_segment *s, int rank, struct sockaddr_un *sa)
{
    memset(sa, 0, sizeof *sa);
    sa->sun_family = AF_UNIX; /* abstract: no file, and gone with its socket */
    int n = snprintf(sa->sun_path + 1, sizeof sa->sun_path - 1, "hawser-%016" PRIx64 "%016" PRIx64 "-%d",
                     s->ranks[rank].wake_name[0], s->ranks[rank].wake_name[1], rank);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* A datagram that does not begin with the key, or is shorter, is dropped before it is queued; its sender is not told.
 * Without the right to such a filter (seccomp) strangers can end sleeps, no more: wake-ups are not lost by a full
 * queue. */
static void let_pass_key_only(int fd, const uint8_t key[WAKE_KEY])
{
    enum { WORDS = WAKE_KEY / 4, LEN = 2 * WORDS + 2 };
    struct sock_filter code[LEN];
    struct sock_fprog program = {.len = LEN, .filter = code};
    for (unsigned i = 0; i < WORDS; i++) {
        const uint8_t *k = key + 4 * i;
        uint32_t word = (uint32_t)k[0] << 24 | (uint32_t)k[1] << 16 | (uint32_t)k[2] << 8 | k[3];
        code[2 * i] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4 * i);
        code[2 * i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0, (uint8_t)(LEN - 2 * i - 3));
    }
    code[LEN - 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, WAKE_KEY);
    code[LEN - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
    setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

static int open_wake(struct hws_segment *s, char *err, size_t err_len)
{
    struct sockaddr_un sa;
    struct hws_segment_rank *own = &s->ranks[s->me];
    if (getrandom(own->wake_name, sizeof own->wake_name, 0) != (ssize_t)sizeof own->wake_name)
        return fail(err, err_len, "getrandom");
    socklen_t len = wake_address(s, s->me, &sa);
    s->wake_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s->wake_fd >= 0)
        let_pass_key_only(s->wake_fd, s->head->wake_key);
    if (s->wake_fd < 0 || bind(s->wake_fd, (struct sockaddr *)&sa, len) != 0)
        return fail(err, err_len, "wake-up socket");
    return HWS_OK;
}

/* Nobody need wait for this rank any longer. */
static int refuse(struct hws_segment *s)
{
    hws_segment_state(s, s->me, true);
    hws_segment_close(s);
    return HWS_EINVAL;
}

int hws_segment_attach(struct hws_segment *s, const char *offer, uint64_t job_id, int me, int n, uint32_t credit,
                       char *err, size_t err_len)
{
    if (!s->head) {
        memset(s, 0, sizeof *s);
        s->fd = s->wake_fd = -1;
        if (find(s, offer, job_id, me, n, err, err_len) != HWS_OK)
            return HWS_EINVAL;
    }
    set_pointers(s);
    s->me = me;
    if (open_wake(s, err, err_len) != HWS_OK)
        return refuse(s);
    s->has_barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
    struct hws_segment_rank *own = &s->ranks[me];
    own->pid = (uint32_t)getpid();
    own->must_fence = !s->has_barrier;
    own->credit = credit;
    hws_cpus_own(&own->cpus);
    uint32_t undecided = HWS_SEGMENT_UNDECIDED;
    if (__atomic_compare_exchange_n(&own->state, &undecided, HWS_SEGMENT_ATTACHED, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return HWS_OK;
    snprintf(err, err_len, "no shared memory: attached too late");
    return refuse(s);
}

/* Later than it is, of one that has attached. */
static void set_state(struct hws_segment *s, enum hws_segment_state state)
{
    uint32_t now = s->ranks ? __atomic_load_n(&s->ranks[s->me].state, __ATOMIC_ACQUIRE) : HWS_SEGMENT_UNDECIDED;
    if (now == HWS_SEGMENT_ATTACHED || now == HWS_SEGMENT_LEAVING)
        __atomic_store_n(&s->ranks[s->me].state, state, __ATOMIC_RELEASE);
}

void hws_segment_leave(struct hws_segment *s)
{
    if (s->head)
        __atomic_store_n(&s->ranks[s->me].cpu, 0, __ATOMIC_RELAXED);
    set_state(s, HWS_SEGMENT_LEAVING);
}

void hws_segment_close(struct hws_segment *s)
{
    if (!s->head)
        return;
    set_state(s, HWS_SEGMENT_GONE);
    munmap(s->head, s->len_bytes);
    s->head = NULL;
    if (s->fd >= 0)
        close(s->fd);
    if (s->wake_fd >= 0)
        close(s->wake_fd);
    s->fd = s->wake_fd = -1;
}

enum hws_segment_state hws_segment_state(struct hws_segment *s, int rank, bool give_up)
{
    uint32_t state = __atomic_load_n(&s->ranks[rank].state, __ATOMIC_ACQUIRE);
    if (state == HWS_SEGMENT_UNDECIDED && give_up &&
        __atomic_compare_exchange_n(&s->ranks[rank].state, &state, HWS_SEGMENT_REFUSED, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return HWS_SEGMENT_REFUSED;
    return (enum hws_segment_state)state;
}

int hws_segment_add_cpus(const struct hws_segment *s, struct hws_cpus_sum *sum)
{
    int n_undecided = 0;
    for (int i = 0; i < s->n; i++) {
        uint32_t state = __atomic_load_n(&s->ranks[i].state, __ATOMIC_ACQUIRE);
        n_undecided += state == HWS_SEGMENT_UNDECIDED;
        if (state == HWS_SEGMENT_ATTACHED || state >= HWS_SEGMENT_LEAVING)
            hws_cpus_add(sum, &s->ranks[i].cpus);
    }
    return n_undecided;
}

static uint64_t *row(const struct hws_segment *s, int rank)
{
    size_t line = HWS_LINE / sizeof(uint64_t), n = ((size_t)s->words + line - 1) & ~(line - 1);
    return s->bits + (size_t)rank * n;
}

static void ring_bell(struct hws_segment *s, int to, int from)
{
    __atomic_fetch_or(&row(s, to)[from / 64], 1ull << (from % 64), __ATOMIC_ACQ_REL);
    __atomic_store_n(&s->ranks[to].bell, 1, __ATOMIC_SEQ_CST);
}

void hws_segment_ring_bell(struct hws_segment *s, int to)
{
    ring_bell(s, to, s->me);
}

void hws_segment_ring_own_bell(struct hws_segment *s, int from)
{
    ring_bell(s, s->me, from);
}

void hws_segment_answer_bell(struct hws_segment *s, void (*fn)(void *arg, int from), void *arg)
{
    uint64_t *bits = row(s, s->me);
    if (!__atomic_exchange_n(&s->ranks[s->me].bell, 0, __ATOMIC_ACQ_REL))
        return;
    for (int i = 0; i < s->words; i++) {
        uint64_t set = bits[i] ? __atomic_exchange_n(&bits[i], 0, __ATOMIC_ACQ_REL) : 0;
        for (; set; set &= set - 1)
            fn(arg, i * 64 + __builtin_ctzll(set));
    }
}

void hws_segment_barrier(const struct hws_segment *s)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (s->has_barrier)
        syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

static bool send_wake(const struct hws_segment *s, int fd, const struct sockaddr_un *sa, socklen_t len)
{
    return sendto(fd, s->head->wake_key, WAKE_KEY, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)sa, len) >=
               0 ||
           errno != EAGAIN;
}

/* The own socket pays for each wake-up until it is read, for some 270 at once: a fresh one has room for more. */
static void send_wake_anew(const struct hws_segment *s, const struct sockaddr_un *sa, socklen_t len)
{
    struct pollfd room = {.fd = s->wake_fd, .events = POLLOUT};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        poll(&room, 1, ROOM_MS);
    send_wake(s, fd < 0 ? s->wake_fd : fd, sa, len);
    if (fd >= 0)
        close(fd);
}

void hws_segment_wake(struct hws_segment *s, int rank)
{
    struct sockaddr_un sa;
    if (!__atomic_exchange_n(&s->ranks[rank].asleep, 0, __ATOMIC_ACQ_REL))
        return;
    s->n_woken++;
    socklen_t len = wake_address(s, rank, &sa);
    /* A full queue of the other will wake it too; a socket that is gone needs no waking. */
    if (!send_wake(s, s->wake_fd, &sa, len))
        send_wake_anew(s, &sa, len);
}

void hws_segment_drain_wake(const struct hws_segment *s)
{
    char bin[16];
    while (recv(s->wake_fd, bin, sizeof bin, MSG_DONTWAIT) >= 0)
        ;
}

/* ---- areas ------------------------------------------------------------------------------------------------------- */

#define CLOSING UINT32_MAX /* of area_users: being emptied */

int hws_segment_take_area(struct hws_segment *s, uint32_t users)
{
    for (int i = 0; i < HWS_SEGMENT_AREAS; i++) {
        uint32_t free_one = 0;
        if (__atomic_compare_exchange_n(&s->area_users[i], &free_one, users, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return i;
    }
    return -1;
}

/* The last one empties it, so that its pages cost nothing any more and the next ones find zeros. */
void hws_segment_give_area(struct hws_segment *s, int area)
{
    uint32_t *users = &s->area_users[area], n = __atomic_load_n(users, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(users, &n, n == 1 ? CLOSING : n - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
    if (n > 1)
        return;
    void *mem = hws_segment_area(s, area);
    if (madvise(mem, s->area_len, MADV_REMOVE) != 0)
        memset(mem, 0, s->area_len);
    __atomic_store_n(users, 0, __ATOMIC_RELEASE);
}
