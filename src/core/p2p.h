/* SPDX-License-Identifier: BSD-3-Clause
 *
 * p2p: point-to-point on communicators and datatypes, as MPI's entry points and the collectives use it. Ranks are the
 * communicator's (of the remote group on an intercommunicator), MPI_PROC_NULL allowed. `kind` picks the context, so
 * collectives pass HWS_CTX_COLL. All return an MPI class; arguments were checked by the caller.
 */
#ifndef HWS_CORE_P2P_H
#define HWS_CORE_P2P_H

#include "core/request.h"

int hws_send(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode, const void *buf, MPI_Count n,
             struct hws_type *t, int dest, int tag);
int hws_recv(struct hws_comm *c, enum hws_ctx_kind kind, void *buf, MPI_Count n, struct hws_type *t, int source, int tag,
             MPI_Status *st);
int hws_isend(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode, const void *buf, MPI_Count n,
              struct hws_type *t, int dest, int tag, struct hws_request **req);
int hws_irecv(struct hws_comm *c, enum hws_ctx_kind kind, void *buf, MPI_Count n, struct hws_type *t, int source, int tag,
              struct hws_request **req);
int hws_sendrecv(struct hws_comm *c, enum hws_ctx_kind kind, const void *sbuf, MPI_Count sn, struct hws_type *st, int dest,
                 int stag, void *rbuf, MPI_Count rn, struct hws_type *rt, int source, int rtag, MPI_Status *status);

#endif
