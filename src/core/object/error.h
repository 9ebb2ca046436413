/* SPDX-License-Identifier: BSD-3-Clause
 *
 * error: what a user gets of an error deep in core (fail.h). The code is not the bare class:
 * MPI_Error_class gives the class, MPI_Error_string the whole text, e.g. rank 2 on host h1: MPI_Send: MPI_ERR_TAG:
 * invalid tag: argument tag is -5, it must be 0 to 2147483647
 */
#ifndef HWS_CORE_ERROR_H
#define HWS_CORE_ERROR_H

#include <stddef.h>

#include "core/object/fail.h"

/* An error code with the current sentence, without calling a handler (MPI_ERROR fields of statuses). */
int hws_error_code(const char *fn, int rc);

/* The line and the code for the user. Codes of ours and those that a program made are passed on as they are. */
int hws_error_make(char *line, size_t len, const char *fn, int rc);

/* Prints "hawser: <text>" on stderr, tells the launcher, ends the process and the job. */
void hws_abort(int exit_code, const char *text) __attribute__((noreturn));

#endif
