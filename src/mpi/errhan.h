/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errhan: setting, getting and calling the error handler of any object; shared by communicators, files, windows and
 * sessions.
 */
#ifndef HWS_MPI_ERRHAN_H
#define HWS_MPI_ERRHAN_H

#include "core/object/errhandler.h"
#include "mpi/check.h"

/* All return an MPI class. `of`: the kind of the object; handle: its MPI handle. */
int hws_slot_set(struct hws_errhandler **slot, enum hws_kind of, MPI_Errhandler h);
int hws_slot_get(struct hws_errhandler *e, MPI_Errhandler *out);
int hws_slot_call(struct hws_errhandler *e, enum hws_kind of, void *handle, const char *fn, int code);

#endif
