/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_removed.h: the functions of MPI-1 that MPI-3.0 removed, in terms of those that replaced them (MPI 5.0 chapter
 * 17), for programs that cannot be changed: `mpicc -include mpi_removed.h old.c`. The ABI has no such symbols, so these
 * are inline; mpi.h does not include this file, and may be included before it. MPI_LB and MPI_UB are gone for good: use MPI_Type_create_resized.
 */
#ifndef MPI_REMOVED_H
#define MPI_REMOVED_H

#include <mpi.h>

/* mpi_hints.h's errors */
#undef MPI_Address
#undef MPI_Errhandler_create
#undef MPI_Errhandler_get
#undef MPI_Errhandler_set
#undef MPI_Type_extent
#undef MPI_Type_lb
#undef MPI_Type_ub
#undef MPI_Type_hvector
#undef MPI_Type_hindexed
#undef MPI_Type_struct

typedef MPI_Comm_errhandler_function MPI_Handler_function;

static inline int MPI_Address(const void *location, MPI_Aint *address)
{
    return MPI_Get_address(location, address);
}

static inline int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler)
{
    return MPI_Comm_create_errhandler(function, errhandler);
}

static inline int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    return MPI_Comm_get_errhandler(comm, errhandler);
}

static inline int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return MPI_Comm_set_errhandler(comm, errhandler);
}

static inline int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    MPI_Aint lb;
    return MPI_Type_get_extent(datatype, &lb, extent);
}

static inline int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint extent;
    return MPI_Type_get_extent(datatype, displacement, &extent);
}

static inline int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint lb, extent;
    int rc = MPI_Type_get_extent(datatype, &lb, displacement ? &extent : (MPI_Aint *)0); /* which names a null argument */
    if (rc == MPI_SUCCESS)
        *displacement = lb + extent;
    return rc;
}

static inline int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                                   MPI_Datatype *newtype)
{
    return MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

static inline int MPI_Type_hindexed(int count, const int blocklengths[], const MPI_Aint displacements[],
                                    MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hindexed(count, blocklengths, displacements, oldtype, newtype);
}

static inline int MPI_Type_struct(int count, const int blocklengths[], const MPI_Aint displacements[],
                                  const MPI_Datatype types[], MPI_Datatype *newtype)
{
    return MPI_Type_create_struct(count, blocklengths, displacements, types, newtype);
}

#endif
