/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t: what the files of the tool information interface share (MPI 5.0 chapter 15). Its calls return their error
 * class as it is and call no error handler (section 15.3.9).
 */
#ifndef HWS_MPI_MPI_T_H
#define HWS_MPI_MPI_T_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Between MPI_T_init_thread and the last MPI_T_finalize. */
bool hws_t_is_up(void);

#define HWS_T_MAX_PVARS 64

/* Counters known so far: none before the engine first runs, then the same for ever. */
int hws_t_n_pvars(void);
int hws_t_n_cvars(void);

/* A string result: *len is the room, then the length with NUL; room 0 or a null pointer asks for the length only. */
void hws_t_give_text(const char *text, char *dst, int *len);

/* Any result may be unwanted. */
static inline void hws_t_give_int(int value, int *out)
{
    if (out)
        *out = value;
}

/* The one enumeration: 0 off, 1 on. */
MPI_T_enum hws_t_on_off(void);

#endif
