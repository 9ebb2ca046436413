/* SPDX-License-Identifier: BSD-3-Clause
 *
 * public: mpi.h with its functions exported; every file of src/mpi includes it first. All else of the library is
 * hidden (-fvisibility=hidden). HWS_MPI(Send) makes MPI_Send a weak alias of PMPI_Send (MPI 5.0 section 15.2).
 */
#ifndef HWS_MPI_PUBLIC_H
#define HWS_MPI_PUBLIC_H

#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#define HWS_STRING(x) #x
#define HWS_MPI(name) _Pragma(HWS_STRING(weak MPI_##name = PMPI_##name))

#endif
