/* SPDX-License-Identifier: BSD-3-Clause
 *
 * error: from an error deep in core (fail.h) to the user. The entry point hands the result to hws_raise(), which calls
 * the error handler of the right object. The code that a user gets back is not the bare class:
 * MPI_Error_class gives the class, MPI_Error_string the whole text, e.g. rank 2 on host h1: MPI_Send: MPI_ERR_TAG:
 * invalid tag: argument tag is -5, it must be 0 to 2147483647
 */
#ifndef HWS_CORE_ERROR_H
#define HWS_CORE_ERROR_H

#include <mpi.h>

#include "core/object/fail.h"
#include "core/object/object.h"

struct hws_comm;
struct hws_errhandler;

/* Slow part of hws_raise. */
int hws_raise_error(struct hws_comm *c, const char *fn, int rc) __attribute__((cold));

/* Ends a call: MPI_SUCCESS is passed on at no cost; anything else goes to the error handler of c (NULL: the one of
 * MPI_COMM_SELF, MPI 5.0 section 9.3). Returns the code for the user. */
static inline int hws_raise(struct hws_comm *c, const char *fn, int rc)
{
    return __builtin_expect(rc == MPI_SUCCESS, 1) ? MPI_SUCCESS : hws_raise_error(c, fn, rc);
}

/* The same for an object of another kind (window, file, session) with its own handler. */
int hws_raise_on(struct hws_errhandler *e, enum hws_kind of, void *handle, const char *fn, int rc);

/* An error code with the current sentence, without calling a handler (MPI_ERROR fields of statuses). */
int hws_error_code(const char *fn, int rc);

/* Class of any code; text of any code into s (at most MPI_MAX_ERROR_STRING with the NUL). MPI_SUCCESS or MPI_ERR_ARG.
 */
int hws_error_class(int code, int *cls);
int hws_error_string(int code, char *s, int *len);

/* Prints "hawser: <text>" on stderr, tells the launcher, ends the process and the job. */
void hws_abort(int exit_code, const char *text) __attribute__((noreturn));

#endif
