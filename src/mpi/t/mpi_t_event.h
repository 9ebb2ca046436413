/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_event: the kinds of events as the tool sees them: names, elements, the bytes of an instance.
 */
#ifndef HWS_MPI_MPI_T_EVENT_H
#define HWS_MPI_MPI_T_EVENT_H

#include <mpi.h>

#include "peer/config.h"

struct hws_t_element {
    MPI_Datatype type; /* MPI_INT or MPI_UNSIGNED_LONG_LONG */
    size_t offset;     /* in struct hws_event */
};

struct hws_t_event_kind {
    const char *name, *desc;
    int n_elements;
    const struct hws_t_element *elements;
    MPI_T_enum names; /* of the elements */
};

/* NULL: there is none with that index. */
const struct hws_t_event_kind *hws_t_event_kind(int index);

/* Where element i lies in the buffer of MPI_T_event_copy. */
MPI_Aint hws_t_event_displacement(const struct hws_t_event_kind *k, int i);

/* Copies one element. */
void hws_t_event_element(const struct hws_t_event_kind *k, int i, const struct hws_event *ev, void *dst);

#endif
