/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice: see slice.h.
 */
#include "base/slice.h"

#include <linux/sched/types.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHORT_NS      100000 /* the kernel's least */
#define POLICY_NORMAL 0      /* SCHED_OTHER; <sched.h> and the kernel's header both define struct sched_param */

static bool get(struct sched_attr *a)
{
    memset(a, 0, sizeof *a);
    return syscall(SYS_sched_getattr, 0, a, sizeof *a, 0) == 0 && a->sched_policy == POLICY_NORMAL;
}

bool hws_slice_shorten(void)
{
    struct sched_attr a;
    if (!get(&a))
        return false;
    a.size = sizeof a;
    a.sched_flags = 0;
    a.sched_runtime = SHORT_NS;
    return syscall(SYS_sched_setattr, 0, &a, 0) == 0 && get(&a) && a.sched_runtime == SHORT_NS;
}
