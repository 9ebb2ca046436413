/* SPDX-License-Identifier: BSD-3-Clause
 *
 * futex: sleeping on a word of this process, and waking who sleeps there.
 */
#ifndef HWS_BASE_FUTEX_H
#define HWS_BASE_FUTEX_H

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* Sleeps while *word is `value`, at most ns nanoseconds; 0: without limit. May return early. False: time is up. */
static inline bool hws_futex_wait(uint32_t *word, uint32_t value, uint64_t ns)
{
    struct timespec t = {.tv_sec = (time_t)(ns / HWS_NS_PER_S), .tv_nsec = (long)(ns % HWS_NS_PER_S)};
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, ns ? &t : NULL, NULL, 0) == 0 || errno != ETIMEDOUT;
}

/* Wakes one that sleeps on word, if anybody does. The word may be gone by then: it is an address, no more. */
static inline void hws_futex_wake(uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif
