/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HWS_BASE_CLOCK_H
#define HWS_BASE_CLOCK_H
#include <stdint.h>
#include <time.h>
static inline uint64_t hws_clock_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}
#endif
