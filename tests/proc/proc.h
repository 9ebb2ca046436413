/* SPDX-License-Identifier: BSD-3-Clause
 *
 * proc: what every program of tests/proc needs: a check that counts and names the line, and an end that tells rank 0's
 * caller. A program is one rank; the runner shows the output of all ranks when the status is not 0.
 */
#ifndef HWS_TESTS_PROC_H
#define HWS_TESTS_PROC_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int proc_failures;
static int proc_rank = -1, proc_size;

/* Counts a failure and says where; goes on. */
#define check(cond)                                                                                                    \
    ((cond) ? (void)0                                                                                                  \
            : (void)(proc_failures++, fprintf(stderr, "rank %d: %s:%d: %s\n", proc_rank, __FILE__, __LINE__, #cond)))

/* The same for two integers, with their values. */
#define check_eq(got, want) proc_check_eq(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))

static inline void proc_check_eq(const char *file, int line, const char *what, long long got, long long want)
{
    if (got == want)
        return;
    proc_failures++;
    fprintf(stderr, "rank %d: %s:%d: %s is %lld, not %lld\n", proc_rank, file, line, what, got, want);
}

/* The class of what a call returned. */
static inline int proc_class(int rc)
{
    int cls = MPI_SUCCESS;
    MPI_Error_class(rc, &cls);
    return cls;
}

/* MPI_Init, rank and size. */
static inline void proc_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
}

/* MPI_Finalize; returns main's status. 77 tells the runner to skip: return that before proc_begin(). */
static inline int proc_end(void)
{
    MPI_Finalize();
    return proc_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
