/* SPDX-License-Identifier: BSD-3-Clause
 *
 * segment_test: two ranks in one process share a segment: attach and refuse, bells, wake-ups, the end.
 */
#include "shm/segment.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errors.h"

#define JOB 77u

static struct hws_segment a, b;
static char offer[HWS_SEGMENT_OFFER_LEN], err[160];

static int make(int n)
{
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    return hws_segment_create(&a, JOB, n, offer, err, sizeof err);
}

static void make_both(void)
{
    cr_assert_eq(make(70), HWS_OK, "%s", err);
    cr_assert_eq(hws_segment_attach(&a, offer, JOB, 0, 70, 111, err, sizeof err), HWS_OK, "%s", err);
    cr_assert_eq(hws_segment_attach(&b, offer, JOB, 69, 70, 222, err, sizeof err), HWS_OK, "%s", err);
}

static void close_both(void)
{
    hws_segment_close(&b);
    hws_segment_close(&a);
    hws_segment_close(&a);
}

Test(segment, both_see_the_same)
{
    make_both();
    cr_assert_eq(hws_segment_state(&a, 69, false), HWS_SEGMENT_ATTACHED);
    cr_assert_eq(hws_segment_state(&b, 0, false), HWS_SEGMENT_ATTACHED);
    cr_assert_eq(hws_segment_state(&b, 1, false), HWS_SEGMENT_UNDECIDED);
    cr_assert_eq(a.ranks[69].credit, 222);
    cr_assert_eq(b.ranks[0].pid, (uint32_t)getpid());
    hws_segment_ring(&a, 0, 69)->data[5] = 42;
    hws_segment_ring(&a, 69, 0)->data[a.ring_size - 1] = 43;
    cr_assert_eq(hws_segment_ring(&b, 0, 69)->data[5], 42);
    cr_assert_eq(hws_segment_ring(&b, 69, 0)->data[b.ring_size - 1], 43);
    hws_segment_close(&b);
    cr_assert_eq(hws_segment_state(&a, 69, false), HWS_SEGMENT_GONE);
    close_both();
}

Test(segment, who_comes_too_late_is_refused)
{
    cr_assert_eq(make(2), HWS_OK);
    cr_assert_eq(hws_segment_attach(&a, offer, JOB, 0, 2, 1, err, sizeof err), HWS_OK);
    cr_assert_eq(hws_segment_state(&a, 1, true), HWS_SEGMENT_REFUSED);
    cr_assert_eq(hws_segment_attach(&b, offer, JOB, 1, 2, 1, err, sizeof err), HWS_EINVAL);
    cr_assert_eq(hws_segment_state(&a, 1, false), HWS_SEGMENT_REFUSED);
    close_both();
}

Test(segment, only_this_jobs_segment)
{
    char other[HWS_SEGMENT_OFFER_LEN];
    cr_assert_eq(make(2), HWS_OK);
    cr_assert_eq(hws_segment_attach(&b, offer, JOB + 1, 1, 2, 1, err, sizeof err), HWS_EINVAL);
    cr_assert_eq(hws_segment_attach(&b, offer, JOB, 1, 3, 1, err, sizeof err), HWS_EINVAL);
    snprintf(other, sizeof other, "%s", offer);
    char *last = other + strlen(other) - 1;
    *last = *last == '0' ? '1' : '0';
    cr_assert_eq(hws_segment_attach(&b, other, JOB, 1, 2, 1, err, sizeof err), HWS_EINVAL);
    cr_assert_eq(hws_segment_attach(&b, "", JOB, 1, 2, 1, err, sizeof err), HWS_EINVAL);
    int zero = open("/dev/zero", O_RDWR);
    snprintf(other, sizeof other, "%d.%d%s", (int)getpid(), zero, strrchr(offer, '.'));
    cr_assert_eq(hws_segment_attach(&b, other, JOB, 1, 2, 1, err, sizeof err), HWS_EINVAL);
    close(zero);
    cr_assert_eq(hws_segment_attach(&b, offer, JOB, 1, 2, 1, err, sizeof err), HWS_OK);
    hws_segment_close(&b);
    hws_segment_close(&a);
}

Test(segment, a_limit_of_file_sizes_is_an_error)
{
    struct rlimit most;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &most), 0);
    most.rlim_cur = 8192;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &most), 0);
    int rc = make(2); /* without a SIGXFSZ */
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_FSIZE, &most);
    cr_assert_eq(rc, HWS_EINVAL);
    cr_assert_str_eq(err, "no shared memory: ftruncate: File too large");
}

static size_t mapped_bytes(void)
{
    unsigned long n = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    cr_assert(f && fscanf(f, "%lu", &n) == 1);
    fclose(f);
    return n * (size_t)sysconf(_SC_PAGESIZE);
}

Test(segment, who_has_no_room_says_so)
{
    cr_assert_eq(make(70), HWS_OK);
    cr_assert_eq(hws_segment_attach(&a, offer, JOB, 0, 70, 1, err, sizeof err), HWS_OK);
    struct rlimit room, all;
    cr_assert_eq(getrlimit(RLIMIT_AS, &all), 0);
    room = all;
    room.rlim_cur = mapped_bytes() + (16u << 20);
    cr_assert_eq(setrlimit(RLIMIT_AS, &room), 0);
    int rc = hws_segment_attach(&b, offer, JOB, 5, 70, 1, err, sizeof err);
    setrlimit(RLIMIT_AS, &all);
    cr_assert_eq(rc, HWS_EINVAL);
    cr_assert_eq(hws_segment_state(&a, 5, false), HWS_SEGMENT_REFUSED);
    cr_assert_eq(hws_segment_state(&a, 6, false), HWS_SEGMENT_UNDECIDED);
    close_both();
}

static int status_of(pid_t child)
{
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The child of a process that has left its namespace is in the new one. Neither ends with exit(3), whose handlers would
 * fork again, where there is no process 1 any more. */
static int attach_elsewhere(void)
{
    pid_t child = fork();
    if (child != 0)
        return status_of(child);
    if (unshare(CLONE_NEWPID) != 0)
        _exit(77);
    pid_t inner = fork();
    if (inner == 0)
        _exit(hws_segment_attach(&b, offer, JOB, 1, 2, 1, err, sizeof err) == HWS_EINVAL ? 0 : 1);
    _exit(status_of(inner));
}

/* A process number means nothing there: a living rank would pass for dead, another process's memory for a message. */
Test(segment, not_across_namespaces_of_processes)
{
    cr_assert_eq(make(2), HWS_OK);
    cr_assert_eq(hws_segment_attach(&a, offer, JOB, 0, 2, 1, err, sizeof err), HWS_OK);
    int status = attach_elsewhere();
    if (status == 77)
        cr_skip_test("only root may make namespaces");
    cr_assert_eq(status, 0);
    cr_assert_eq(hws_segment_state(&a, 1, false), HWS_SEGMENT_REFUSED);
    close_both();
}

static void note(void *arg, int from)
{
    uint64_t *seen = arg;
    seen[from / 64] |= 1ull << (from % 64);
}

Test(segment, bells)
{
    uint64_t seen[2] = {0, 0};
    make_both();
    hws_segment_answer_bell(&a, note, seen);
    cr_assert_eq(seen[0] | seen[1], 0);
    hws_segment_ring_bell(&b, 0);
    hws_segment_ring_own_bell(&a, 3);
    cr_assert_eq(a.ranks[0].bell, 1);
    hws_segment_answer_bell(&a, note, seen);
    cr_assert_eq(seen[0], 1u << 3);
    cr_assert_eq(seen[1], 1u << 5);
    cr_assert_eq(a.ranks[0].bell, 0);
    close_both();
}

static bool is_readable(const struct hws_segment *s)
{
    struct pollfd p = {.fd = s->wake_fd, .events = POLLIN};
    return poll(&p, 1, 0) == 1;
}

Test(segment, only_sleepers_are_woken)
{
    make_both();
    hws_segment_wake(&b, 0);
    cr_assert_not(is_readable(&a));
    a.ranks[0].asleep = 1;
    hws_segment_barrier(&a);
    hws_segment_wake(&b, 0);
    hws_segment_wake(&b, 0);
    cr_assert(is_readable(&a));
    cr_assert_eq(a.ranks[0].asleep, 0);
    hws_segment_drain_wake(&a);
    cr_assert_not(is_readable(&a));
    hws_segment_close(&a);
    b.ranks[0].asleep = 1;
    hws_segment_wake(&b, 0); /* it is gone: nothing happens */
    close_both();
}

static int n_named_files(void)
{
    FILE *f = popen("ls /dev/shm | grep -c hawser", "r");
    int n = -1;
    cr_assert(f && fscanf(f, "%d", &n) == 1);
    pclose(f);
    return n;
}

/* Each wake-up that is not read yet takes room of the sender's buffer. */
Test(segment, all_of_many_are_woken)
{
    enum { SLEEPERS = 60 };
    static struct hws_segment sleepers[SLEEPERS];
    int least = 1;
    make_both();
    cr_assert_eq(setsockopt(a.wake_fd, SOL_SOCKET, SO_SNDBUF, &least, sizeof least), 0);
    for (int i = 0; i < SLEEPERS; i++) {
        cr_assert_eq(hws_segment_attach(&sleepers[i], offer, JOB, i + 1, 70, 1, err, sizeof err), HWS_OK, "%s", err);
        a.ranks[i + 1].asleep = 1;
    }
    for (int i = 0; i < SLEEPERS; i++)
        hws_segment_wake(&a, i + 1);
    for (int i = 0; i < SLEEPERS; i++) {
        struct pollfd p = {.fd = sleepers[i].wake_fd, .events = POLLIN};
        cr_assert_eq(poll(&p, 1, 0), 1, "rank %d is not woken", i + 1);
        hws_segment_close(&sleepers[i]);
    }
    close_both();
}

Test(segment, nothing_lies_in_dev_shm)
{
    make_both();
    cr_assert_eq(n_named_files(), 0);
    close_both();
}

Test(segment, layouts_of_all_sizes)
{
    for (int n = 2; n <= HWS_SEGMENT_MAX_RANKS; n = 2 * n + 1) {
        cr_assert_eq(make(n), HWS_OK, "%d ranks: %s", n, err);
        cr_assert_eq(hws_segment_attach(&a, offer, JOB, n - 1, n, 1, err, sizeof err), HWS_OK);
        struct hws_ring_shared *last = hws_segment_ring(&a, n - 1, n - 1);
        cr_assert_leq((size_t)((uint8_t *)last + a.ring_stride - (uint8_t *)a.head), a.len_bytes);
        last->data[a.ring_size - 1] = 1;
        hws_segment_ring_own_bell(&a, n - 1);
        cr_assert_eq(a.ranks[n - 1].bell, 1);
        cr_assert_eq(hws_segment_ring(&a, 0, 0)->data[0], 0);
        hws_segment_close(&a);
    }
    cr_assert_eq(make(1), HWS_EINVAL);
    cr_assert_eq(make(HWS_SEGMENT_MAX_RANKS + 1), HWS_EINVAL);
}

/* An area belongs to its users until each of them has given it back; then it is zero again. */
Test(segment, areas_are_taken_and_given_back)
{
    make_both();
    for (int i = 0; i < HWS_SEGMENT_AREAS; i++)
        cr_assert_eq(hws_segment_take_area(&a, 2), i);
    cr_assert_eq(hws_segment_take_area(&b, 2), -1);
    memset(hws_segment_area(&a, 7), 1, a.area_len);
    cr_assert_eq(*((unsigned char *)hws_segment_area(&b, 7) + a.area_len - 1), 1);
    hws_segment_give_area(&a, 7);
    cr_assert_eq(hws_segment_take_area(&b, 2), -1);
    hws_segment_give_area(&b, 7);
    cr_assert_eq(*((unsigned char *)hws_segment_area(&b, 7) + a.area_len - 1), 0);
    cr_assert_eq(hws_segment_take_area(&b, 1), 7);
    cr_assert_eq(*(unsigned char *)hws_segment_area(&a, 8), 0);
    close_both();
}

/* As another user can, who knows the name from /proc/net/unix: without what lies in the segment. */
Test(segment, strangers_wake_nobody)
{
    make_both();
    struct sockaddr_un name;
    socklen_t len = sizeof name;
    char junk[64] = "wake up";
    cr_assert_eq(getsockname(a.wake_fd, (struct sockaddr *)&name, &len), 0);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    for (size_t i = 0; i < 2000; i++)
        cr_assert_eq(sendto(fd, junk, i % sizeof junk, MSG_DONTWAIT, (struct sockaddr *)&name, len),
                     (ssize_t)(i % sizeof junk), "a queue is full of what strangers sent");
    struct pollfd p = {.fd = a.wake_fd, .events = POLLIN};
    cr_assert_eq(poll(&p, 1, 0), 0);
    __atomic_store_n(&a.ranks[0].asleep, 1, __ATOMIC_RELEASE);
    hws_segment_wake(&b, 0);
    cr_assert_eq(poll(&p, 1, 0), 1);
    close(fd);
    close_both();
}
