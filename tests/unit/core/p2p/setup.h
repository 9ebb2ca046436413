/* SPDX-License-Identifier: BSD-3-Clause
 *
 * setup: a process that believes to be rank 1 of 4 on host "h", on the fake engine, with MPI_ERRORS_RETURN.
 */
#ifndef HWS_TESTS_P2P_SETUP_H
#define HWS_TESTS_P2P_SETUP_H

#include <criterion/criterion.h>
#include <mpi.h>
#include <string.h>

#include "core/comm/comm.h"
#include "fake_engine.h"

enum { ME = 1, SIZE = 4 };

void p2p_setup(void);

/* Context of point-to-point traffic on MPI_COMM_WORLD. */
uint32_t p2p_ctx(void);

/* The code must have that class and, word for word, the text "rank 1 on host h: <line>". */
void p2p_check_error(int code, int cls, const char *line);

#define check_error(code, cls, line) p2p_check_error(code, cls, line)

#endif
