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

/* gcc wants an alias to be as hot as its target. */
#if __has_attribute(copy)
#define HWS_MPI_LIKE(target) copy(target),
#else
#define HWS_MPI_LIKE(target)
#endif

/* An attribute, because clang forgets the visibility of a `#pragma weak` alias. */
#define HWS_MPI_AS(name, target)                                                                                       \
    extern __typeof__(PMPI_##name) MPI_##name                                                                          \
        __attribute__((HWS_MPI_LIKE(PMPI_##name) weak, alias(target), visibility("default")));
#define HWS_MPI(name) HWS_MPI_AS(name, "PMPI_" #name)

#endif
