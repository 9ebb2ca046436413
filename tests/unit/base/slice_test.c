/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice_test: time slices are short afterwards, of the calling thread alone, and its policy and nice value are as
 * before. Kernels before Linux 6.12 have no such thing: then nothing has changed.
 */
#include "base/slice.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Nanoseconds, of a thread of this process by /proc/PID/task/TID/sched; -1: the kernel does not tell. */
static long slice_ns(int tid)
{
    char path[64], line[256];
    long ns = -1;
    snprintf(path, sizeof path, "/proc/self/task/%d/sched", tid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "se.slice", 8) == 0)
            sscanf(strchr(line, ':') + 1, "%ld", &ns);
    if (f)
        fclose(f);
    return ns;
}

static void *keeps_its_own(void *was)
{
    long own = slice_ns(gettid());
    cr_expect_eq(own, *(long *)was);
    return NULL;
}

Test(slice, is_short_afterwards)
{
    long before = slice_ns(gettid());
    int nice_before = getpriority(PRIO_PROCESS, 0);
    bool ok = hws_slice_shorten();
    long after = slice_ns(gettid());
    if (!ok)
        cr_expect_eq(after, before);
    else if (after >= 0)
        cr_expect_eq(after, 100000);
    cr_expect_eq(hws_slice_shorten(), ok);
    cr_expect_eq(sched_getscheduler(0), SCHED_OTHER);
    cr_expect_eq(getpriority(PRIO_PROCESS, 0), nice_before);
}

/* A thread that was there before keeps its own. */
Test(slice, of_the_calling_thread_alone)
{
    long before = slice_ns(gettid());
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, keeps_its_own, &before), 0);
    hws_slice_shorten();
    pthread_join(thread, NULL);
}
