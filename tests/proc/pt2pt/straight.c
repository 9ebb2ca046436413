/* SPDX-License-Identifier: BSD-3-Clause
 *
 * straight: what MPI_Send and MPI_Recv of a short message through shared memory are made of. The processor stops after
 * each instruction (the trap flag), and none of them may be a system call, an atomic read-modify-write or the first of
 * malloc and its kin, once the pages of the ring and of the unexpected queue are there. The receiver stays out of MPI
 * until all is sent, so neither call waits.
 */
#define _GNU_SOURCE
#include "../../support/sanitized.h"
#include "shared.h"

#if defined(__x86_64__) && !HWS_SANITIZED
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { LOCKED, SYSTEM, MEMORY, N_KINDS };
static const char *const kinds[N_KINDS] = {"an atomic read-modify-write", "a system call", "malloc or its kin"};

static volatile long n_steps, n_found[N_KINDS];
static uintptr_t where[N_KINDS]; /* the first of each kind */
static uintptr_t memory[8];      /* malloc and its kin, up to a 0 */

/* Whether the instruction locks its cache line: by its prefix, or an xchg with memory. */
static bool is_locked(const uint8_t *at)
{
    static const uint8_t prefixes[] = {0x66, 0x67, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0xf2, 0xf3};
    while (memchr(prefixes, *at, sizeof prefixes))
        at++;
    if (*at == 0xf0)
        return true;
    if ((*at & 0xf0) == 0x40) /* REX */
        at++;
    return (*at == 0x86 || *at == 0x87) && at[1] >> 6 != 3;
}

static void found(int kind, uintptr_t at)
{
    if (!n_found[kind]++)
        where[kind] = at;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    uintptr_t at = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const uint8_t *code = (const uint8_t *)at;
    n_steps++;
    if (is_locked(code))
        found(LOCKED, at);
    if (code[0] == 0x0f && code[1] == 0x05)
        found(SYSTEM, at);
    for (int i = 0; memory[i]; i++)
        if (at == memory[i])
            found(MEMORY, at);
}

/* Both leave the red zone alone. */
static inline void step_on(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

static inline void step_off(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

static void prepare(void)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign"};
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        memory[i] = (uintptr_t)dlsym(RTLD_DEFAULT, names[i]);
    sigaction(SIGTRAP, &action, NULL);
}

/* Whether nothing has been found since the last time; what it was, in the call of that name, if that is to be told. */
static bool is_clean(const char *call, int bytes, bool told)
{
    bool clean = true;
    for (int k = 0; k < N_KINDS; k++) {
        Dl_info in = {0};
        if (told && n_found[k] && dladdr((void *)where[k], &in)) /* NOLINT: an address of code */
            fprintf(stderr, "rank %d: %s of %d bytes: %ld times %s, first in %s\n", proc_rank, call, bytes, n_found[k],
                    kinds[k], in.dli_sname ? in.dli_sname : in.dli_fname);
        clean = clean && !n_found[k];
        n_found[k] = 0;
    }
    check(n_steps > 50); /* the trap flag works */
    n_steps = 0;
    return clean;
}

/* A word that both ranks see: by now it is known that they can share memory. */
static volatile int *shared_word(void)
{
    int fd = proc_rank == 0 ? memfd_create("straight", 0) : -1,
        made = fd >= 0 && ftruncate(fd, (off_t)sizeof(int)) == 0;
    char name[64];
    check(made || proc_rank != 0);
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), fd);
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (proc_rank != 0)
        fd = open(name, O_RDWR);
    volatile int *word = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (word == MAP_FAILED) {
        fprintf(stderr, "rank %d: cannot map %s\n", proc_rank, name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    close(fd);
    return word;
}

/* Without membarrier(2) a sender needs a fence, which compilers make of a locked instruction. */
static bool needs_fences(void)
{
    long can = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return can < 0 || !(can & MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

#define N 4 /* messages under way at once: they fit the ring */

static bool one_way(const char *call, char *buf, int bytes, bool is_sender, bool told)
{
    bool clean = true;
    for (int i = 0; i < N; i++) {
        if (is_sender) {
            memset(buf, 'a' + i, (size_t)bytes);
            step_on();
            MPI_Send(buf, bytes, MPI_BYTE, 1 - proc_rank, 7, MPI_COMM_WORLD);
            step_off();
        } else {
            memset(buf, 0, (size_t)bytes);
            step_on();
            MPI_Recv(buf, bytes, MPI_BYTE, 1 - proc_rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            step_off();
            check(buf[0] == 'a' + i && buf[bytes - 1] == 'a' + i);
        }
        clean = is_clean(call, bytes, told && clean) && clean;
    }
    return clean;
}

/* Both ways, as those that are judged: connects, binds names late, makes the ring. */
static void warm_up(char *buf, int bytes, int times)
{
    for (int i = 0; i < times; i++)
        for (int from = 0; from < 2; from++) {
            if (proc_rank == from)
                MPI_Send(buf, bytes, MPI_BYTE, 1 - proc_rank, 7, MPI_COMM_WORLD);
            else
                MPI_Recv(buf, bytes, MPI_BYTE, 1 - proc_rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
}

/* Messages that no receive waits for, both ways: a step for all connections finds those that are judged so. */
static void warm_up_unexpected(char *buf, int bytes)
{
    for (int from = 0; from < 2; from++)
        for (int i = 0; i <= N; i++) {
            int tag = proc_rank == from ? i : (i + N) % (N + 1); /* the last is received first */
            if (proc_rank == from)
                MPI_Send(buf, bytes, MPI_BYTE, 1 - proc_rank, tag, MPI_COMM_WORLD);
            else
                MPI_Recv(buf, bytes, MPI_BYTE, 1 - proc_rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
}

/* Now and then a call makes a step for all connections, too: one of the tries must go without. */
#define TRIES 3

static void judge(volatile int *turn, char *buf, int bytes, int from)
{
    const char *call = proc_rank == from ? "MPI_Send" : "MPI_Recv";
    bool clean = false;
    for (int i = 0; i < TRIES; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        int before = *turn, outside = before + 1, sent = before + 2;
        MPI_Barrier(MPI_COMM_WORLD);
        if (proc_rank != from)
            *turn = outside;
        while (*turn != (proc_rank == from ? outside : sent))
            sched_yield();
        clean |= one_way(call, buf, bytes, proc_rank == from, i == TRIES - 1 && !clean);
        if (proc_rank == from)
            *turn = sent;
    }
    check(clean);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 8, 64, 1024};
    static char buf[1024];
    proc_begin(&argc, &argv);
    if (!proc_shares_memory() || needs_fences()) {
        int failed = proc_end();
        return failed ? failed : 77;
    }
    volatile int *turn = shared_word();
    prepare();
    warm_up(buf, sizeof buf, 512); /* once round the ring: its pages come with the first round */
    for (int s = 0; s < 4; s++) {
        warm_up(buf, sizes[s], 50);
        warm_up_unexpected(buf, sizes[s]);
        for (int from = 0; from < 2; from++)
            judge(turn, buf, sizes[s], from);
    }
    return proc_end();
}
#else
int main(void)
{
    return 77; /* no trap flag here, or a sanitizer's own locks */
}
#endif
