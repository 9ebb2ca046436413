/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice: the time slices of a thread. Since Linux 6.12 (sched_setattr(2), sched_runtime of SCHED_OTHER) a thread may
 * ask for short ones: it has as much of the processor as before, in more turns, and who computes beside it gives way
 * sooner.
 */
#ifndef HWS_BASE_SLICE_H
#define HWS_BASE_SLICE_H

#include <stdbool.h>

/* The calling thread's are as short as can be from now on, 0.1 ms, and those of what it starts; policy and nice value
 * stay. False: this kernel, or the thread's policy, has no such thing. */
bool hws_slice_shorten(void);

#endif
