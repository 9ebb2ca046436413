/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fail: how an error deep in core begins its way to the user: functions of core, coll and mpi return MPI_SUCCESS or an
 * MPI error class (or a user's code) and leave one sentence about it here, one a thread. error.h takes it from there.
 */
#ifndef HWS_CORE_FAIL_H
#define HWS_CORE_FAIL_H

#include <mpi.h>

#include "base/errors.h"

/* Notes the sentence about an error and returns cls. `return hws_fail(MPI_ERR_TAG, "argument tag is %d...")` */
int hws_fail(int cls, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));

/* The MPI error class for an internal code; the sentence is hws_err_text() unless text is given. */
int hws_fail_err(enum hws_err err, const char *text) __attribute__((cold));

/* The thread's sentence if it is about cls and has not been dropped; else NULL. Valid until the next failure. */
const char *hws_fail_sentence(int cls);
void hws_fail_drop(void); /* it has been told */

#endif
