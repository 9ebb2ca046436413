/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_hints.h: the names that MPI-3.0 removed (MPI 5.0 chapter 17) as errors of the compiler that say what to do, included by
 * mpi.h. The library has no such symbols, so without this a program would fail at its last step, linking. mpi_removed.h takes the
 * place of these.
 */
#ifndef MPI_HINTS_H_ABI
#define MPI_HINTS_H_ABI

#if defined(__GNUC__) && defined(__cplusplus) && __cplusplus >= 201103L
#define MPI_ABI_REMOVED(NAME, INSTEAD) (__extension__({ static_assert(sizeof(char) == 2, #NAME " was removed by MPI-3.0: use " INSTEAD); 0; }))
#elif defined(__GNUC__) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define MPI_ABI_REMOVED(NAME, INSTEAD) (__extension__({ _Static_assert(sizeof(char) == 2, #NAME " was removed by MPI-3.0: use " INSTEAD); 0; }))
#endif

#if defined(MPI_ABI_REMOVED)
#define MPI_ABI_OR_HEADER ", or build with: mpicc -include mpi_removed.h"
#define MPI_Address(...)           MPI_ABI_REMOVED(MPI_Address, "MPI_Get_address" MPI_ABI_OR_HEADER)
#define MPI_Errhandler_create(...) MPI_ABI_REMOVED(MPI_Errhandler_create, "MPI_Comm_create_errhandler" MPI_ABI_OR_HEADER)
#define MPI_Errhandler_get(...)    MPI_ABI_REMOVED(MPI_Errhandler_get, "MPI_Comm_get_errhandler" MPI_ABI_OR_HEADER)
#define MPI_Errhandler_set(...)    MPI_ABI_REMOVED(MPI_Errhandler_set, "MPI_Comm_set_errhandler" MPI_ABI_OR_HEADER)
#define MPI_Type_extent(...)       MPI_ABI_REMOVED(MPI_Type_extent, "MPI_Type_get_extent" MPI_ABI_OR_HEADER)
#define MPI_Type_lb(...)           MPI_ABI_REMOVED(MPI_Type_lb, "MPI_Type_get_extent" MPI_ABI_OR_HEADER)
#define MPI_Type_ub(...)           MPI_ABI_REMOVED(MPI_Type_ub, "MPI_Type_get_extent" MPI_ABI_OR_HEADER)
#define MPI_Type_hvector(...)      MPI_ABI_REMOVED(MPI_Type_hvector, "MPI_Type_create_hvector" MPI_ABI_OR_HEADER)
#define MPI_Type_hindexed(...)     MPI_ABI_REMOVED(MPI_Type_hindexed, "MPI_Type_create_hindexed" MPI_ABI_OR_HEADER)
#define MPI_Type_struct(...)       MPI_ABI_REMOVED(MPI_Type_struct, "MPI_Type_create_struct" MPI_ABI_OR_HEADER)
#define MPI_LB                     MPI_ABI_REMOVED(MPI_LB, "MPI_Type_create_resized")
#define MPI_UB                     MPI_ABI_REMOVED(MPI_UB, "MPI_Type_create_resized")
#endif

#endif
