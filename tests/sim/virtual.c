/* SPDX-License-Identifier: BSD-3-Clause
 *
 * virtual: see virtual.h.
 */
#include "virtual.h"

#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool is_on;
static uint64_t passed_ns;
static struct timespec begin[2]; /* of CLOCK_REALTIME and CLOCK_MONOTONIC */

static int kernel_time(clockid_t clock, struct timespec *t)
{
    return (int)syscall(SYS_clock_gettime, clock, t);
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!is_on || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
        return kernel_time(clock, t);
    uint64_t ns = (uint64_t)begin[clock].tv_nsec + passed_ns;
    t->tv_sec = begin[clock].tv_sec + (time_t)(ns / 1000000000);
    t->tv_nsec = (long)(ns % 1000000000);
    return 0;
}

void virtual_begin(void)
{
    kernel_time(CLOCK_REALTIME, &begin[CLOCK_REALTIME]);
    kernel_time(CLOCK_MONOTONIC, &begin[CLOCK_MONOTONIC]);
    passed_ns = 0;
    is_on = true;
}

void virtual_end(void)
{
    is_on = false;
}

void virtual_pass(uint64_t ns)
{
    passed_ns += ns;
}

uint64_t virtual_now(void)
{
    return passed_ns;
}
