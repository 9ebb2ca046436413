/* SPDX-License-Identifier: BSD-3-Clause
 *
 * win: what every window has in common with other objects: its error handler, attributes and name. What makes a window
 * comes with one-sided communication.
 */
#ifndef HWS_CORE_WIN_H
#define HWS_CORE_WIN_H

#include "core/object/object.h"

struct hws_attrs;
struct hws_errhandler;

struct hws_win {
    struct hws_object obj;
    struct hws_errhandler *errhandler; /* MPI_ERRORS_ARE_FATAL at first (MPI 5.0 section 9.3) */
    struct hws_attrs *attrs;           /* NULL: none */
    char name[MPI_MAX_OBJECT_NAME];
};

/* The object of a handle; NULL if it is none. */
static inline struct hws_win *hws_win_of(MPI_Win h)
{
    return (struct hws_win *)hws_object_of(h, HWS_KIND_WIN);
}

static inline MPI_Win hws_win_handle(struct hws_win *w)
{
    return (MPI_Win)hws_object_handle(&w->obj);
}

#endif
