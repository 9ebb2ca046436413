/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_pvar: performance variables as the handles see them. Those of the process are single numbers that run always;
 * those of a communicator are arrays, one element per rank, or per rank and lane, or of one element, that run from
 * start to stop. Counters belong to their handle, so that tools don't disturb each other: a reset or write moves the
 * handle's own zero.
 */
#ifndef HWS_MPI_MPI_T_PVAR_H
#define HWS_MPI_MPI_T_PVAR_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

struct hws_t_pvar {
    const char *name, *desc;
    int cls;           /* MPI_T_PVAR_CLASS_... */
    bool of_comm;      /* bound to a communicator */
    int per_rank;      /* elements per rank: 1 or HWS_MAX_LANES; 0: a single one for the communicator */
    bool is_counter;   /* counts up: may be reset and written; else it is read only */
    MPI_T_enum states; /* MPI_T_PVAR_CLASS_STATE only; its values are ints */
};

/* False: there is none with that index. */
bool hws_t_pvar(int index, struct hws_t_pvar *out);

/* What a variable is of. */
struct hws_t_bound {
    int n;        /* elements */
    int *peers;   /* peers[n / per_rank], world numbers of the ranks; NULL: of the process */
    uint32_t ctx; /* the communicator's */
};

/* Reads all elements now: out[b->n]. Zeros where the engine doesn't run. */
void hws_t_pvar_sample(int index, const struct hws_t_bound *b, uint64_t *out);

#endif
