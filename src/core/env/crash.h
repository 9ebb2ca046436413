/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crash: what a rank says when a signal ends it: where it was, on standard error, and in which MPI call, on its board.
 * Signals that the program handles are the program's; the signal still ends the process as it would have, core dump
 * included.
 */
#ifndef HWS_CORE_CRASH_H
#define HWS_CORE_CRASH_H

struct hws_board;

/* From MPI_Init on, in the thread that calls it and, but for an overflow of their stack, in all others. board may be
 * NULL. */
void hws_crash_begin(struct hws_board *board, int rank, const char *host);

/* The board is no more. */
void hws_crash_end(void);

#endif
