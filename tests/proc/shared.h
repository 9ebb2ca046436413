/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shared: whether the ranks of this host really share memory. One that is kept from running in MPI_Init for so long
 * that another gives it up is talked to by TCP, which is right, but is not what a test of shared memory is about.
 */
#ifndef HWS_TESTS_PROC_SHARED_H
#define HWS_TESTS_PROC_SHARED_H

#include "proc.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct timespec proc_began;

__attribute__((constructor)) static void proc_note_time(void)
{
    clock_gettime(CLOCK_MONOTONIC, &proc_began);
}

/* Whether this rank makes a connection to another one of its host when all talk to all. */
static inline int proc_connects_here(void)
{
    int n, out[64] = {0}, in[64], provided, index = -1, count = 0, made = 0;
    unsigned long long connects[64] = {0};
    MPI_Comm here, world = MPI_COMM_WORLD;
    MPI_Group group, all;
    MPI_T_pvar_session s;
    MPI_T_pvar_handle h;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_eq(MPI_T_pvar_get_index("peer_connects", MPI_T_PVAR_CLASS_COUNTER, &index), MPI_SUCCESS);
    MPI_T_pvar_session_create(&s);
    check_eq(MPI_T_pvar_handle_alloc(s, index, &world, &h, &count), MPI_SUCCESS);
    check_eq(MPI_T_pvar_start(s, h), MPI_SUCCESS);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &n);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, here);
    check_eq(MPI_T_pvar_read(s, h, connects), MPI_SUCCESS);
    MPI_Comm_group(here, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int i = 0, rank; i < n; i++) {
        MPI_Group_translate_ranks(group, 1, &i, all, &rank);
        made |= connects[rank] > 0;
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_T_pvar_session_free(&s);
    MPI_T_finalize();
    MPI_Comm_free(&here);
    return made;
}

/* Where no memory file can be made ranks use TCP at once. */
static inline int proc_has_memfd(void)
{
    int fd = memfd_create("proc", 0);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Collective, the first thing after MPI_Init. Nobody gives up another before 3 s (src/peer/shm/wait.c): sooner it is a
 * failure. */
static inline int proc_shares_memory(void)
{
    const char *shm = getenv("HAWSER_SHM");
    struct timespec now;
    double mine[2], all[2];
    if ((shm && strcmp(shm, "0") == 0) || proc_size > 64)
        return 0;
    mine[1] = proc_connects_here();
    clock_gettime(CLOCK_MONOTONIC, &now);
    mine[0] = (double)(now.tv_sec - proc_began.tv_sec) + 1e-9 * (double)(now.tv_nsec - proc_began.tv_nsec);
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    check(all[1] == 0 || all[0] >= 3 || !proc_has_memfd());
    if (all[1] != 0 && proc_rank == 0)
        printf("a rank was kept out of the shared memory\n");
    return all[1] == 0;
}

#endif
