/* SPDX-License-Identifier: BSD-3-Clause
 *
 * standing: where all ranks of a job are, from the records of its nodes (node/boards.h): equal ones folded into one
 * line, and a word when all wait for each other. Pure.
 */
#ifndef HWS_MPIRUN_STANDING_H
#define HWS_MPIRUN_STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpirun/util/buf.h"
#include "mpirun/util/stand.h"

struct hws_standing_rank {
    int rank;
    enum hws_stand stand;
    uint32_t for_ms, still_ms;
    char *text;
};

struct hws_standing {
    struct hws_standing_rank *list;
    size_t n, cap;
};

/* Takes over the records of a node. is_rank tells which ranks it may speak of. HWS_OK, or HWS_EPROTO: no records. */
int hws_standing_add(struct hws_standing *s, const char *data, size_t len, bool (*is_rank)(void *arg, int rank),
                     void *arg);

/* Whether some rank is or was in MPI: for a job of other programs there is nothing to say. */
bool hws_standing_has_mpi(const struct hws_standing *s);

/* Appends the lines of a job of `size` ranks, each with its end. Sorts the list. */
void hws_standing_print(struct hws_standing *s, int size, struct hws_buf *out);

void hws_standing_free(struct hws_standing *s);

#endif
