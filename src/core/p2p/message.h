/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message: probes, and what is behind MPI_Message: a message that a matched probe has taken out of the queues and that
 * is to be received exactly once (MPI 5.0 section 3.8).
 */
#ifndef HWS_CORE_MESSAGE_H
#define HWS_CORE_MESSAGE_H

#include "core/request/request.h"

struct hws_matched {
    struct hws_object obj;
    struct hws_comm *comm; /* held; NULL: MPI_MESSAGE_NO_PROC */
    struct hws_message *m; /* the engine's */
    int source;            /* rank in comm */
};

/* The object of a handle, also of MPI_MESSAGE_NO_PROC; NULL if it is none (MPI_MESSAGE_NULL too). */
struct hws_matched *hws_matched_of(MPI_Message h);

/* Block until a message is there; fill st. MPI class. MPI_PROC_NULL is always there. */
int hws_probe(struct hws_comm *c, int source, int tag, MPI_Status *st);
int hws_mprobe(struct hws_comm *c, int source, int tag, MPI_Message *msg, MPI_Status *st);

/* *flag tells whether there was one; st and msg are set only then. */
int hws_iprobe(struct hws_comm *c, int source, int tag, int *flag, MPI_Status *st);
int hws_improbe(struct hws_comm *c, int source, int tag, int *flag, MPI_Message *msg, MPI_Status *st);

/* Receive it; the object is freed. The caller holds m->comm if it needs it for an error afterwards. */
int hws_mrecv(struct hws_matched *m, void *buf, MPI_Count n, struct hws_type *t, MPI_Status *st);
int hws_imrecv(struct hws_matched *m, void *buf, MPI_Count n, struct hws_type *t, struct hws_request **req);

#endif
