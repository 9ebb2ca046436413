/* SPDX-License-Identifier: BSD-3-Clause
 *
 * counts: an array of counts or displacements as the user passed it: int, or wide (MPI_Count / MPI_Aint, both 64 bit).
 * Lets the int and the _c form of a call share everything without a temporary array.
 */
#ifndef HWS_CORE_COUNTS_H
#define HWS_CORE_COUNTS_H

#include <stdbool.h>

#include <mpi.h>

struct hws_counts {
    const void *p; /* NULL: not given */
    bool wide;
};

static inline MPI_Count hws_counts_at(struct hws_counts v, MPI_Count i)
{
    return v.wide ? ((const MPI_Count *)v.p)[i] : ((const int *)v.p)[i];
}

#endif
