/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cpus: how many processors the ranks of this host share. A rank that mpirun has bound sees only its own, so mpirun
 * tells the number in HAWSER_NODE_CPUS.
 */
#ifndef HWS_BASE_CPUS_H
#define HWS_BASE_CPUS_H

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

#include "base/errors.h"
#include "base/params.h"

#define HWS_NODE_CPUS_VAR "HAWSER_NODE_CPUS"

static inline int hws_n_cpus(void)
{
    cpu_set_t set;
    const char *told = getenv(HWS_NODE_CPUS_VAR);
    uint64_t n;
    if (told && hws_parse_size(told, &n) == HWS_OK && n > 0 && n <= INT_MAX)
        return (int)n;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

#endif
