/* SPDX-License-Identifier: BSD-3-Clause
 *
 * raise: from an error deep in core (fail.h) to the user. The entry point hands the result to hws_raise(), which calls
 * the error handler of the right object.
 */
#ifndef HWS_CORE_RAISE_H
#define HWS_CORE_RAISE_H

#include <mpi.h>

#include "base/errors.h"
#include "core/object/error.h"
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

/* Messages to a process are lost though their sends were complete, so that no operation is left to tell of it: ends the
 * job, unless `why` is no failure or MPI_COMM_WORLD has an error handler of the program's own or MPI_ERRORS_RETURN. */
void hws_raise_lost(int peer, enum hws_err why, const char *text);

#endif
