/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kinds: frames of rooms above the engine, which carries them and knows nothing of what they mean: a room has a row of
 * the wire's table for each of its kinds (wire/kinds.h, docs/wire.md), says here what takes them, and sends them.
 *
 * A frame goes to a process, not to a receive: it is not matched, has no number, and meets no queue of messages. While
 * the peer lives each one comes once, as a whole, whatever becomes of connections; two of them may overtake each other
 * where there are several lanes, and messages. A room that needs an order numbers its frames.
 */
#ifndef HWS_PEER_KINDS_H
#define HWS_PEER_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "base/list.h"
#include "wire/kinds.h"

struct hws_engine;

struct hws_kinds {
    uint8_t first, last; /* the kinds, as in wire/kinds.h */
    /* A frame of `peer` has come. Called from inside progress with the lock held, outside all that reads: it may start
     * operations and must not wait. bytes: borrowed until return. Not HWS_OK: it can't be a frame of this kind, and the
     * peer is lost with that error. */
    int (*on_frame)(void *arg, int peer, uint8_t kind, const void *bytes, size_t len);
    void *arg;
};

/* From now on k takes its kinds, until the engine's end; k is borrowed as long. To be called before the own card is
 * known to others: a frame of a kind that nothing takes ends the connection, and its sender is lost. HWS_EINVAL: one of
 * them is no room's kind, or is taken already. */
int hws_engine_take_kinds(struct hws_engine *e, const struct hws_kinds *k);

/* The caller's memory until done, as every operation's (peer/ops.h). */
struct hws_frame_op {
    /* filled by the caller */
    int peer;
    uint8_t kind;
    const void *bytes;                        /* borrowed until done */
    uint32_t len;                             /* up to HWS_ROOM_PAYLOAD */
    void (*on_done)(struct hws_frame_op *op); /* or NULL; called once, perhaps before the call returns; may free op */
    /* set by the engine */
    volatile bool done;
    enum hws_err err; /* valid once done */
    /* the engine's own */
    uint32_t offset; /* of a ring that is too small for it as a whole */
    struct hws_list node;
};

/* Sends a frame. Never blocks. op is done with HWS_OK when it is copied into the output; with HWS_EPEERDEAD or the
 * reason of the loss when the peer is over, or this rank has told it that nothing more comes.
 *
 * A frame costs no credit, as the engine keeps none: on_frame() gets it in the step in which it came. What bounds the
 * sender is the lane or ring: while they have no room, or there is no connection yet, the operation waits and isn't
 * done. So who has several under way waits for the first, or counts them: that is the backpressure. Those that wait go
 * before messages that have not begun, so a flood of frames must be bounded by its room. */
void hws_engine_send_frame(struct hws_engine *e, struct hws_frame_op *op);

#endif
