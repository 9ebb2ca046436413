/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slices: where the kernel has them (Linux 6.12), a rank has short time slices from MPI_Init on, and keeps its own with
 * MPI_THREAD_MULTIPLE (docs/decisions/060-beside-ranks-that-compute.md). Argument: the level of thread support.
 */
#include "proc.h"

#include <linux/sched/types.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHORT_NS = 100000, OTHER_NS = 300000 };

/* Of this process, nanoseconds; -1: of no use, as the policy is another. */
static long long slice(void)
{
    struct sched_attr a = {.size = sizeof a};
    bool ok = syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) == 0 && a.sched_policy == 0;
    return ok ? (long long)a.sched_runtime : -1;
}

static bool can_change(void)
{
    struct sched_attr a = {.size = sizeof a, .sched_runtime = OTHER_NS};
    return syscall(SYS_sched_setattr, 0, &a, 0) == 0 && slice() == OTHER_NS;
}

/* A child asks, so that this process keeps what it has. */
static bool kernel_has_slices(void)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(can_change() ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    int want = argc > 1 && strcmp(argv[1], "multiple") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, level;
    long long before = slice();
    if (before < 0 || !kernel_has_slices())
        return 77;
    MPI_Init_thread(&argc, &argv, want, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    check_eq(level, want);
    check_eq(slice(), level == MPI_THREAD_MULTIPLE ? before : SHORT_NS);
    MPI_Barrier(MPI_COMM_WORLD);
    return proc_end();
}
