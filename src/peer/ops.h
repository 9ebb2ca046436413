/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ops: what core hands to the engine: data, sends, receives, and the question whether a send can be taken back.
 *
 * Operations (struct hws_send_op, struct hws_recv_op) are the caller's memory, embedded in its request, and must stay
 * until `done` is set.
 */
#ifndef HWS_PEER_OPS_H
#define HWS_PEER_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/errors.h"
#include "base/list.h"
#include "match/match.h"

#define HWS_ANY_PEER (-1)
#define HWS_ANY_TAG  (-2) /* the value of MPI_ANY_TAG; user tags are >= 0 */
#define HWS_TAG_UB   0x7fffffff

/* How the bytes of a message lie in memory when they are not one run. pack and unpack copy n bytes from byte `offset`
 * of the packed message; offset + n never exceeds the message. Source: TEG's data-type engine that starts at any
 * offset.
 *
 * runs names the memory of the same bytes instead: it fills at most max entries of iov, in order, and returns how many;
 * *covered: the bytes in them, > 0. NULL: the runs are so short that copying is cheaper. */
struct hws_layout {
    void (*pack)(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t n);
    void (*unpack)(const struct hws_layout *l, void *base, uint64_t offset, const void *src, size_t n);
    int (*runs)(const struct hws_layout *l, const void *base, uint64_t offset, size_t n, struct iovec *iov, int max,
                size_t *covered);
};

struct hws_data {
    void *base;                      /* borrowed until done */
    uint64_t len_bytes;              /* of the packed message, or the room for it */
    const struct hws_layout *layout; /* NULL: contiguous at base */
};

/* HWS_ABREAST: standard, one of several that go at once, from one rank to several or from several to one. */
enum hws_send_mode { HWS_STANDARD, HWS_SYNC, HWS_READY, HWS_BUFFERED, HWS_ABREAST };

struct hws_engine;

struct hws_send_op {
    /* filled by the caller */
    struct hws_data data;
    int peer;     /* its number */
    uint32_t ctx; /* context id of communicator and kind of traffic */
    int32_t tag;
    enum hws_send_mode mode;                 /* BUFFERED is treated as STANDARD: core has copied */
    void (*on_done)(struct hws_send_op *op); /* or NULL; called once from inside progress, may start other operations */
    /* set by the engine */
    volatile bool done;
    enum hws_err err; /* valid once done */
    /* the engine's own */
    struct hws_list node; /* in the peer's pending, staged, answer or bulk list */
    uint64_t handle;      /* by which the peer names it while an answer is due, else 0 */
    uint64_t recv_handle; /* the receiver's, from the CTS */
    uint64_t offset;      /* bytes handed to the lane so far */
    uint64_t limit;       /* bytes that the receiver takes */
    struct hws_engine *engine;
    uint64_t staged_end; /* position in the lane's staging ring after which it is out */
    uint32_t seq;
    uint32_t n_queued; /* segments in the lane that still point at the user's buffer */
    bool answer_due;   /* a CTS or ACK must come */
    bool numbered;     /* seq is set: it has left the peer's pending list */
    bool is_asked;     /* it goes without credit, as its receiver waits for it or one behind it */
    bool taken_back;   /* done, with HWS_ECANCELLED, once no segment points at the user's buffer */
};

/* The question whether a send can be taken back. */
struct hws_cancel_op {
    /* filled by the caller: of the send, as they are once it is started */
    int peer;
    uint32_t ctx, seq;
    int32_t tag;
    struct hws_send_op *send;                 /* looked at only in the call; NULL: it is done and perhaps gone */
    void (*on_done)(struct hws_cancel_op *c); /* or NULL */
    /* set by the engine */
    volatile bool done;
    bool taken; /* no receive will ever see the message; the send ends with HWS_ECANCELLED, if it was not
                   done before */
    /* the engine's own */
    struct hws_list node; /* in the peer's list of questions */
    uint64_t handle;      /* while the answer is due, else 0 */
    uint64_t send_handle; /* of the send, if it waited for an answer itself */
};

struct hws_recv_op {
    /* filled by the caller */
    struct hws_data data; /* len_bytes: the room */
    int peer;             /* or HWS_ANY_PEER */
    uint32_t ctx;
    int32_t tag; /* or HWS_ANY_TAG */
    void (*on_done)(struct hws_recv_op *op);
    /* set by the engine */
    volatile bool done;
    enum hws_err err; /* HWS_ETRUNCATE: the buffer was filled, from_len tells the true length */
    int from_peer;    /* with HWS_EPEERDEAD and its like: who is lost, or HWS_ANY_PEER */
    int32_t from_tag;
    uint64_t from_len; /* bytes of the message */
    /* the engine's own */
    struct hws_match_node match; /* in the posted queue */
    struct hws_list node;        /* in the peer's list of receives under way */
    uint64_t received;           /* bytes in place so far */
    uint64_t expect;             /* bytes to come in all: the shorter of message and room */
    uint64_t handle;             /* by which the peer names it while bulk is due, else 0 */
};

/* A message that was taken out of the unexpected queue by a matched probe (MPI_Mprobe). */
struct hws_message;

struct hws_envelope {
    int peer;
    int32_t tag;
    uint64_t len_bytes;
};

#endif
