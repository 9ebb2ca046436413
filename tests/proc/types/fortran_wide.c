/* SPDX-License-Identifier: BSD-3-Clause */
#define MPI_ABI_Fint long long
#include "fortran.c"
