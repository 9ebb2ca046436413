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
#include <stdint.h>

#include "base/params.h"

/* Between MPI_T_init_thread and the last MPI_T_finalize. */
bool hws_t_is_up(void);

/* A string result: *len is the room, then the length with NUL; room 0 or a null pointer asks for the length only. */
void hws_t_give_text(const char *text, char *dst, int *len);

/* Any result may be unwanted. */
static inline void hws_t_give_int(int value, int *out)
{
    if (out)
        *out = value;
}

/* A handle that can't be an object's address. */
static inline bool hws_t_is_small(const void *handle)
{
    return (uintptr_t)handle < 4096;
}

/* ---- enumerations: item i has value i ---- */

#define HWS_T_ENUM_MAGIC 0x48575400

struct MPI_ABI_T_enum {
    unsigned magic; /* HWS_T_ENUM_MAGIC */
    int n;
    const char *name;
    const char *const *items; /* items[n] */
};

extern struct MPI_ABI_T_enum hws_t_on_off;

/* ---- what there is, for the categories: number, name, description ---- */

/* index: 0 .. number - 1. The texts are static. */
int hws_t_n_cvars(void);
const struct hws_param_row *hws_t_cvar(int index);
int hws_t_n_pvars(void);
const char *hws_t_pvar_name(int index);
int hws_t_n_events(void);
const char *hws_t_event_name(int index);

/* ---- start and end of the parts: the first MPI_T_init_thread, the last MPI_T_finalize ---- */

int hws_t_begin_cvars(void); /* MPI_T_ERR_CANNOT_INIT: the environment holds nonsense */
void hws_t_end_events(void);

#endif
