/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copies: a library to preload (LD_PRELOAD) that counts what a process copies and asks of the kernel: calls and bytes
 * of memcpy and memmove, and of the socket calls, with how many of these found nothing to do. For perf/profile; works
 * with any MPI. It counts between the calls of MPI_Init and MPI_Finalize only, and prints one line of JSON on standard
 * error.
 *
 * The compiler expands small copies of known size in place, which nothing can count; copies that go with a message's
 * length do go through memcpy. Copies within the kernel are the bytes of the socket calls.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <poll.h>
#include <unistd.h>

enum { SEND, RECV, WAIT, N_KINDS };

struct counter {
    const char *name;
    atomic_ulong calls, bytes, empty; /* empty: EAGAIN, or a wait that found nothing */
};

static struct counter kernel[N_KINDS] = {{.name = "send"}, {.name = "receive"}, {.name = "wait"}};
static struct counter copies = {.name = "copy"};
static atomic_int is_counting;

/* A copy must work before the dynamic linker has found anything: no call in here. */
static void copy_forward(unsigned char *to, const unsigned char *from, size_t n)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static void copy_backward(unsigned char *to, const unsigned char *from, size_t n)
{
    while (n--)
        ((volatile unsigned char *)to)[n] = from[n];
}

static void count_copy(size_t n)
{
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&copies.calls, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&copies.bytes, n, memory_order_relaxed);
    }
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    count_copy(n);
    copy_forward(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    count_copy(n);
    if ((uintptr_t)to - (uintptr_t)from >= n)
        copy_forward(to, from, n);
    else
        copy_backward(to, from, n);
    return to;
}

static ssize_t count_call(int kind, ssize_t result)
{
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        struct counter *c = &kernel[kind];
        atomic_fetch_add_explicit(&c->calls, 1, memory_order_relaxed);
        if (result > 0)
            atomic_fetch_add_explicit(&c->bytes, (unsigned long)result, memory_order_relaxed);
        else
            atomic_fetch_add_explicit(&c->empty, 1, memory_order_relaxed);
    }
    return result;
}

/* Defines a function that counts and calls the next one of its name. */
#define COUNTED(kind, type, name, params, args)                                                                        \
    type name params                                                                                                   \
    {                                                                                                                  \
        static type(*next) params;                                                                                     \
        if (!next)                                                                                                     \
            next = (type(*) params)dlsym(RTLD_NEXT, #name);                                                            \
        return (type)count_call(kind, next args);                                                                      \
    }

COUNTED(SEND, ssize_t, send, (int fd, const void *data, size_t n, int flags), (fd, data, n, flags))
COUNTED(SEND, ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags))
COUNTED(SEND, ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n))
COUNTED(RECV, ssize_t, recv, (int fd, void *data, size_t n, int flags), (fd, data, n, flags))
COUNTED(RECV, ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags))
COUNTED(RECV, ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n))
COUNTED(RECV, ssize_t, read, (int fd, void *data, size_t n), (fd, data, n))
COUNTED(WAIT, int, epoll_wait, (int fd, struct epoll_event *e, int n, int ms), (fd, e, n, ms))
COUNTED(WAIT, int, poll, (struct pollfd * p, nfds_t n, int ms), (p, n, ms))

#undef COUNTED

static void print_counts(void)
{
    char line[512];
    int n = snprintf(line, sizeof line, "{\"profile\":\"copies\"");
    struct counter *all[] = {&kernel[SEND], &kernel[RECV], &kernel[WAIT], &copies};
    for (int i = 0; i < 4; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, ",\"%s\":{\"calls\":%lu,\"bytes\":%lu,\"empty\":%lu}",
                      all[i]->name, all[i]->calls, all[i]->bytes, all[i]->empty);
    n += snprintf(line + n, sizeof line - (size_t)n, "}\n");
    if (write(STDERR_FILENO, line, (size_t)n) != n)
        _exit(1);
}

int MPI_Init(int *argc, char ***argv)
{
    int (*next)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_NEXT, "MPI_Init");
    int rc = next(argc, argv);
    is_counting = 1;
    return rc;
}

int MPI_Finalize(void)
{
    int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
    is_counting = 0;
    print_counts();
    return next();
}
