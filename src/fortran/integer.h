/* SPDX-License-Identifier: BSD-3-Clause
 *
 * integer: what Fortran's INTEGER is in C. Of 4 bytes it is C's int, and arrays and statuses go to C as they are. Where
 * a compiler's option gives it 8 (configure asks), what C takes as int is converted by what follows; a count that C
 * also takes as MPI_Count is none of that (table.py, takes_large).
 */
#ifndef HWS_FORTRAN_INTEGER_H
#define HWS_FORTRAN_INTEGER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "mpi.h"

#if HWS_INTEGER_BYTES == 4
typedef int hws_integer;

static inline int hws_int(hws_integer x)
{
    return x;
}

#else
typedef int64_t hws_integer;

/* What no int can be becomes one that no argument can be, so that the function of C says which argument is wrong. */
static inline int hws_int(hws_integer x)
{
    return x >= INT_MIN && x <= INT_MAX ? (int)x : INT_MIN;
}

/* n integers of Fortran as C's, for free(). And back. */
int *hws_ints(const hws_integer *from, MPI_Count n);
void hws_ints_back(hws_integer *to, const int *from, MPI_Count n);
/* The sum, and the last one, of n; 0 of a null pointer. */
MPI_Count hws_sum(const int *list, MPI_Count n);
MPI_Count hws_last(const int *list, MPI_Count n);

/* Weights and error codes: as hws_ints(), but a sentinel of Fortran gives that of C, and gets nothing back.
 * hws_is_list: there was memory. hws_list_end frees. */
int *hws_list(const hws_integer *from, MPI_Count n);
void hws_list_back(hws_integer *to, const int *from, MPI_Count n);
bool hws_is_list(const hws_integer *from, const int *list);
void hws_list_end(const hws_integer *from, int *list);
/* The error codes at another rank than the root, which alone knows their number: as many as processes were started. */
void hws_all_started(hws_integer *codes, MPI_Comm started);

/* A status as C's, in *room; n, for free(). A sentinel gives that of C, and gets nothing back. */
MPI_Status *hws_status_of(const hws_integer *from, MPI_Status *room);
MPI_Status *hws_statuses_of(const hws_integer *from, MPI_Count n);
void hws_statuses_back(hws_integer *to, const MPI_Status *from, MPI_Count n);
bool hws_are_statuses(const hws_integer *from, const MPI_Status *statuses);
#endif

#endif
