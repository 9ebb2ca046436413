/* SPDX-License-Identifier: BSD-3-Clause
 *
 * p2p: point-to-point on communicators and datatypes, as MPI's entry points and the collectives use it. Ranks are the
 * communicator's (of the remote group on an intercommunicator), MPI_PROC_NULL allowed. `kind` picks the context, so
 * collectives pass HWS_CTX_COLL. All return an MPI class; arguments were checked by the caller.
 */
#ifndef HWS_CORE_P2P_H
#define HWS_CORE_P2P_H

#include "core/request/request.h"

/* Blocking. A sendrecv's halves go at the same time. st may be MPI_STATUS_IGNORE. */
int hws_send(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode, const void *buf, MPI_Count n,
             struct hws_type *t, int dest, int tag);
int hws_recv(struct hws_comm *c, enum hws_ctx_kind kind, void *buf, MPI_Count n, struct hws_type *t, int source,
             int tag, MPI_Status *st);
/* *req is a new request, the caller's to wait for. */
int hws_isend(struct hws_comm *c, enum hws_ctx_kind kind, enum hws_send_mode mode, const void *buf, MPI_Count n,
              struct hws_type *t, int dest, int tag, struct hws_request **req);
int hws_irecv(struct hws_comm *c, enum hws_ctx_kind kind, void *buf, MPI_Count n, struct hws_type *t, int source,
              int tag, struct hws_request **req);
int hws_sendrecv(struct hws_comm *c, enum hws_ctx_kind kind, const void *sbuf, MPI_Count sn, struct hws_type *st,
                 int dest, int stag, void *rbuf, MPI_Count rn, struct hws_type *rt, int source, int rtag,
                 MPI_Status *status);

/* The received message takes the place of the sent one. */
int hws_sendrecv_replace(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int dest, int stag, int source,
                         int rtag, MPI_Status *status);
int hws_isendrecv(struct hws_comm *c, const void *sbuf, MPI_Count sn, struct hws_type *st, int dest, int stag,
                  void *rbuf, MPI_Count rn, struct hws_type *rt, int source, int rtag, struct hws_request **req);
int hws_isendrecv_replace(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int dest, int stag,
                          int source, int rtag, struct hws_request **req);

/* Persistent requests, begun by hws_request_start(). */
int hws_send_init(struct hws_comm *c, enum hws_send_mode mode, const void *buf, MPI_Count n, struct hws_type *t,
                  int dest, int tag, struct hws_request **req);
int hws_recv_init(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int source, int tag,
                  struct hws_request **req);

/* A request that is complete from the start, with the status of a receive from MPI_PROC_NULL if is_recv. */
int hws_request_new_noop(struct hws_comm *c, bool is_recv, struct hws_request **req);

/* A receive of what a matched probe found; takes a request ready to be given out. Used by core/p2p/message.c. */
struct hws_request *hws_request_new_recv(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int source);
/* Completes r if the engine had its descriptor done before it returned. */
void hws_request_settle_recv(struct hws_request *r);

/* A short message that ends inside a basic element of t: its signature is not that of the receive (MPI 5.0
 * section 3.3.1). */
bool hws_recv_cuts_element(const struct hws_recv_op *op, const struct hws_type *t);
static inline bool hws_recv_cuts(const struct hws_recv_op *op, const struct hws_type *t)
{
    return __builtin_expect(op->from_len != op->data.len_bytes, 0) && t && hws_recv_cuts_element(op, t);
}

/* hws_recv_result() of what failed, was cancelled or ends inside an element. */
int hws_recv_result_slow(struct hws_comm *c, const struct hws_recv_op *op, int source, MPI_Status *st)
    __attribute__((cold));

/* Status fields of a message in the terms of the communicator. */
int hws_comm_rank_of_peer(const struct hws_comm *c, int peer);

/* The end of a receive whose descriptor is done: fills st; MPI class with a sentence. source: as posted. t: its
 * datatype, or NULL when any length is whole. */
static inline int hws_recv_result(struct hws_comm *c, const struct hws_recv_op *op, const struct hws_type *t,
                                  int source, MPI_Status *st)
{
    if (__builtin_expect(op->err != HWS_OK || hws_recv_cuts(op, t), 0))
        return hws_recv_result_slow(c, op, source, st);
    if (st != MPI_STATUS_IGNORE)
        hws_status_set(st, source == MPI_ANY_SOURCE ? hws_comm_rank_of_peer(c, op->from_peer) : source, op->from_tag,
                       op->from_len, false);
    return MPI_SUCCESS;
}

/* MPI class of an operation with rank `rank` that failed in the engine, with the reason as its sentence. what: "send
 * to", "receive from", "probe of". */
int hws_p2p_failed(const struct hws_comm *c, enum hws_err err, const char *what, int rank) __attribute__((cold));

/* The same for an operation with any source, which waited for the peer that is lost, too. */
int hws_p2p_any_failed(enum hws_err err, const char *what, int peer) __attribute__((cold));

#endif
