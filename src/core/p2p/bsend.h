/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bsend: the buffered mode: messages copied into memory that the user attached to the process, a session or a
 * communicator
 * (MPI 5.0 section 3.6). Each message takes its packed size and a few bytes for alignment, never MPI_BSEND_OVERHEAD.
 */
#ifndef HWS_CORE_BSEND_H
#define HWS_CORE_BSEND_H

#include "core/request/request.h"

struct hws_bsend_pool;

/* Buffers hang on communicators and sessions (their `bsend`) and here, on the process. NULL: none is attached. */
extern struct hws_bsend_pool *hws_bsend_process;

/* Copies the message and starts sending it: into the buffer of c, else that of the session that c comes from, else that
 * of the process. MPI_ERR_BUFFER when there is no room. dest is no MPI_PROC_NULL. sent: NULL, or gets the message's
 * name. */
int hws_bsend(struct hws_comm *c, enum hws_ctx_kind kind, const void *buf, MPI_Count n, struct hws_type *t, int dest,
              int tag, struct hws_sent *sent);

/* The descriptor of a message that is still in c's buffer, or NULL. Under the engine's lock. */
struct hws_send_op *hws_bsend_in_flight(const struct hws_comm *c, const struct hws_sent *sent);

/* buffer may be MPI_BUFFER_AUTOMATIC: then each message is allocated on its own. MPI_ERR_BUFFER if *slot is taken. */
int hws_bsend_attach(struct hws_bsend_pool **slot, void *buffer, MPI_Count size);

/* Blocks until all messages have left; *buffer and *size as they were attached. MPI_ERR_BUFFER when none is attached.
 */
int hws_bsend_detach(struct hws_bsend_pool **slot, void **buffer, MPI_Count *size);

/* Blocks until the messages that are in the buffer now have left. */
void hws_bsend_flush(struct hws_bsend_pool **slot);

/* The same as a request. */
int hws_bsend_iflush(struct hws_bsend_pool **slot, struct hws_comm *c, struct hws_request **req);

/* Detaches the buffer, if there is one, of what is about to go. */
void hws_bsend_end(struct hws_bsend_pool **slot);

#endif
