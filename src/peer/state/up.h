/* SPDX-License-Identifier: BSD-3-Clause
 *
 * up: what a room calls in a room above it. Rooms include only headers of rooms below them; what goes the other way is
 * declared here and defined above, so that this list is all there is of it.
 */
#ifndef HWS_PEER_STATE_UP_H
#define HWS_PEER_STATE_UP_H

#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/socket.h"

struct hws_frame_op;
struct hws_shm_peer;

/* Frames: what becomes of each kind (msg/frames.c). It checks the frame against the state and names the sink of its
 * payload. */
typedef int (*hws_frame_handler)(struct hws_lane *l, const struct hws_frame *f);
extern const hws_frame_handler hws_frame_handlers[HWS_FRAME_TYPES]; /* NULL: of a room above the engine */

/* From lanes to messages. */
int hws_kinds_on_frame(struct hws_lane *l, const struct hws_frame *f); /* of a room above the engine; sets the sink */
void hws_kinds_refuse(struct hws_peer *p, uint8_t kind) __attribute__((cold)); /* nothing takes it: the peer is lost */
bool hws_recv_eager_fast(struct hws_lane *l, const struct hws_frame *f, const uint8_t *payload);
void hws_recv_body_done(struct hws_lane *l);
void hws_hold_shortens(struct hws_peer *p)
    __attribute__((cold));                 /* a message came: perhaps no other can without credit given back */
void hws_grant_adjust(struct hws_peer *p); /* to its share, before credit is told */
bool hws_send_pump(struct hws_peer *p, struct hws_lane *l); /* true: queued something */
void hws_send_out(struct hws_send_op *op);                  /* its queued bytes are in the kernel */
void hws_send_finish(struct hws_engine *e, struct hws_send_op *op, enum hws_err err);

/* From lanes to connections. */
void hws_socket_end(struct hws_socket *s, enum hws_err why)
    __attribute__((cold));                                            /* out of use at once; the engine frees it soon */
void hws_peer_dial_refused(struct hws_peer *p, struct hws_socket *s); /* the other end's own connection is on its way */
void hws_engine_watch_lanes(struct hws_engine *e);
void hws_peer_widen(struct hws_peer *p); /* there is bulk, or much else: open the other lanes */

/* From connections to messages. */
void hws_grant_greet(struct hws_peer *p);                              /* it is connected for the first time */
int hws_recv_tear(struct hws_lane *l);                                 /* the connection died within a frame */
bool hws_recv_would_take(void *socket, const uint8_t *head, size_t n); /* for struct hws_link */

/* From messages to shared memory. */
void hws_shm_send_frame(struct hws_shm_peer *s, struct hws_frame_op *op);
void hws_shm_want(struct hws_shm_peer *s, uint32_t ctx, int32_t tag, uint32_t list, bool is_posted);
bool hws_shm_offer_has_room(struct hws_shm_peer *s);
void hws_shm_offer(struct hws_shm_peer *s, const struct hws_send_op *op); /* an RTS out of turn */
/* Sends the question; the answer comes as a record of its own. */
void hws_shm_ask_cancel(struct hws_shm_peer *s, const struct hws_cancel_op *c);
void hws_shm_take(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op);
void hws_shm_tell(struct hws_shm_peer *s);
void hws_shm_give_credit(struct hws_shm_peer *s, uint32_t charge); /* a message has left the engine's memory */
void hws_shm_make_busy(struct hws_shm_peer *s);

/* From all to the engine: it makes peers and ends them. */
struct hws_peer *hws_engine_peer(struct hws_engine *e, int number); /* NULL: no memory */
void hws_peer_lose(struct hws_peer *p, enum hws_err why, const char *fmt, ...)
    __attribute__((cold, format(printf, 3, 4))); /* GONE if it was LEAVING */
void hws_peer_gone(struct hws_peer *p, const char *fmt, ...)
    __attribute__((cold, format(printf, 2, 3))); /* MPI_Finalize parts it from this rank */
void hws_waiters_settle(struct hws_engine *e);   /* operations have ended: wakes the threads whose wait is over */

#endif
