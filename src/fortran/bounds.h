/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bounds: MPI_LB and MPI_UB, which C has not.
 */
#ifndef HWS_FORTRAN_BOUNDS_H
#define HWS_FORTRAN_BOUNDS_H

#include "fortran/integer.h"
#include "mpi.h"

/* Their numbers in constants.tsv: no handle that C gives is negative. */
enum { HWS_LB = -1001, HWS_UB = -1002 };

/* The datatype of a number that is no predefined handle's (fortran.h calls it). */
MPI_Datatype hws_datatype_made(hws_integer number);

/* What a struct is made of. */
struct hws_members {
    MPI_Count n;
    const int *lengths;
    const MPI_Aint *places;
    const hws_integer *types;
};

/* Gives the struct the bounds that its members of the types MPI_LB and MPI_UB set, and the other bound stays what the
 * data make it. On an error *type is MPI_DATATYPE_NULL. Gives MPI's code. */
int hws_bounded(const struct hws_members *members, MPI_Datatype *type);

#endif
