/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What Fortran's INTEGER is in C; the test says -DINTEGER_BYTES=8 where a compiler's option made it so.
 */
#ifdef INTEGER_BYTES
#define INTEGER      long long
#define INTEGER_TYPE MPI_INTEGER8
#else
#define INTEGER_BYTES 4
#define INTEGER       MPI_Fint
#define INTEGER_TYPE  MPI_INTEGER
#endif
