/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clock: the one clock of the library. Pure folders never read it: time is an argument there.
 */
#ifndef HWS_BASE_CLOCK_H
#define HWS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define HWS_NS_PER_US 1000ull
#define HWS_NS_PER_MS 1000000ull
#define HWS_NS_PER_S  1000000000ull
#define HWS_MS_PER_S  1000u
#define HWS_US_PER_MS 1000u

/* Nanoseconds since some fixed point; never goes back. About 20 ns through the vDSO. */
static inline uint64_t hws_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * HWS_NS_PER_S + (uint64_t)t.tv_nsec;
}

#endif
