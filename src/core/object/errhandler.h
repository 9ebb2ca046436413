/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errhandler: what happens when a call fails (MPI 5.0 section 9.3). The three predefined handlers are never freed.
 */
#ifndef HWS_CORE_ERRHANDLER_H
#define HWS_CORE_ERRHANDLER_H

#include <stdbool.h>

#include "core/object/object.h"

struct hws_errhandler {
    struct hws_object obj;
    enum hws_kind of; /* user handlers: kind of the objects it is for */
    union {
        MPI_Comm_errhandler_function *comm;
        MPI_Win_errhandler_function *win;
        MPI_File_errhandler_function *file;
        MPI_Session_errhandler_function *session;
    } fn;
};

extern struct hws_errhandler hws_errors_are_fatal, hws_errors_abort, hws_errors_return;

/* Handler of MPI_FILE_NULL, the default of new files (MPI 5.0 section 14.7). */
extern struct hws_errhandler *hws_file_errhandler;

/* The object of a handle; NULL if it is none. */
struct hws_errhandler *hws_errhandler_of(MPI_Errhandler h);

static inline MPI_Errhandler hws_errhandler_handle(struct hws_errhandler *e)
{
    return (MPI_Errhandler)hws_object_handle(&e->obj);
}

/* A user's handler without its function. NULL: no memory. */
struct hws_errhandler *hws_errhandler_new(enum hws_kind of);
void hws_errhandler_hold(struct hws_errhandler *e);
void hws_errhandler_drop(struct hws_errhandler *e); /* NULL allowed */

/* Puts e in place of *slot: holds e, drops the old one. */
void hws_errhandler_set(struct hws_errhandler **slot, struct hws_errhandler *e);

/* The handler that new communicators of MPI_Init get, and that serves errors outside of init and finalize: from
 * HAWSER_INITIAL_ERRHANDLER (mpi_errors_are_fatal, mpi_errors_abort, mpi_errors_return; MPI 5.0 section 11.2.1). */
struct hws_errhandler *hws_errhandler_initial(void);

/* One of those that end the job. */
static inline bool hws_errhandler_is_fatal(const struct hws_errhandler *e)
{
    return e == &hws_errors_are_fatal || e == &hws_errors_abort;
}

/* Calls e for the object `handle` of kind `of` with the code; text is the whole line about it. Returns only if e lets
 * it. */
void hws_errhandler_call(struct hws_errhandler *e, enum hws_kind of, void *handle, int code, const char *text);

#endif
