/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request: what is behind MPI_Request. A request is complete when `complete` is true; nonpersistent ones are freed by
 * the call that reports it. What a kind does at its start, end and cancellation is in its hws_request_ops; send and
 * receive embed the engine's descriptor.
 */
#ifndef HWS_CORE_REQUEST_H
#define HWS_CORE_REQUEST_H

#include <string.h>

#include "core/comm/comm.h"
#include "core/type/datatype.h"
#include "peer/ops.h"

/* PAIR: the two halves of MPI_Isendrecv. NOOP: complete from the start (MPI_PROC_NULL). */
enum hws_request_kind {
    HWS_REQ_SEND,
    HWS_REQ_RECV,
    HWS_REQ_COLL,
    HWS_REQ_GENERALIZED,
    HWS_REQ_PARTITIONED,
    HWS_REQ_PAIR,
    HWS_REQ_FLUSH,
    HWS_REQ_NOOP
};

struct hws_request;
struct hws_board_what;

struct hws_request_ops {
    int (*start)(struct hws_request *r);                  /* persistent: begin; MPI class */
    int (*cancel)(struct hws_request *r);                 /* MPI class */
    int (*finish)(struct hws_request *r, MPI_Status *st); /* complete: fill status (may be MPI_STATUS_IGNORE), MPI
                                                             class; may be called often (MPI_Request_get_status) */
    void (*release)(struct hws_request *r); /* free what the kind owns (not the request itself); or NULL */
    int (*end)(struct hws_request *r);      /* or NULL: last words before a nonpersistent request is freed
                                               by the call that reports it; MPI class */
    bool plain;  /* the end of one that went well is its status and no more: nothing to do where nobody wants that */
    bool shared; /* one request for all calls of the kind, always complete, never freed */
    bool kept;   /* a freed one is kept for the next hws_request_new_sent() */
};

struct hws_send_cancel;

/* Names a buffered message for its cancellation. */
struct hws_sent {
    int peer;
    uint32_t ctx, seq;
    int32_t tag;
    bool numbered;   /* seq is set: it had left the engine's queue when the call returned */
    uint64_t number; /* among all buffered messages */
};

struct hws_request {
    _Alignas(64) struct hws_object obj; /* a cache line: one that is kept touches two */
    const struct hws_request_ops *ops;
    enum hws_request_kind kind;
    bool persistent;
    bool active;            /* persistent: between start and completion reported */
    volatile bool complete; /* the only thing that waits look at */
    bool cancelled;
    bool freed;            /* MPI_Request_free called while active: free at completion */
    int error;             /* MPI class of the operation once complete */
    struct hws_comm *comm; /* held; NULL for generalized */
    struct hws_type *type; /* held; or NULL */
    void *buf;             /* persistent: arguments to start again */
    MPI_Count count;
    int rank, tag; /* persistent: destination or source */
    enum hws_send_mode mode;
    void (*on_complete)(struct hws_request *r); /* schedules of collectives; or NULL. From inside progress. */
    void *owner;                                /* whatever on_complete or the kind needs */
    struct hws_send_cancel *cancel;             /* sends: MPI_Cancel was called; owned. Else NULL */
    union {
        struct hws_send_op send;
        struct hws_recv_op recv;
        struct hws_sent bsend; /* mode BUFFERED: the message is elsewhere */
    } op;
};

/* The object of a handle; NULL if it is none (MPI_REQUEST_NULL too). */
struct hws_request *hws_request_of(MPI_Request h);
static inline MPI_Request hws_request_handle(struct hws_request *r)
{
    return (MPI_Request)r;
}

/* A request from the pool, zeroed up to op, holding c and t (either may be NULL). NULL: no memory. */
struct hws_request *hws_request_new(enum hws_request_kind kind, const struct hws_request_ops *ops, struct hws_comm *c,
                                    struct hws_type *t);
/* Gives a request made without them a communicator and a type, which it holds; either may be NULL. */
void hws_request_hold(struct hws_request *r, struct hws_comm *c, struct hws_type *t);
/* A complete request for a message that is out and has its number, op's, which may be used again: it only remembers
 * what its cancellation needs (mode BUFFERED, op.bsend). ops: the same in all calls, `kept`. Not where other threads
 * are. NULL: no memory. */
struct hws_request *hws_request_new_sent(const struct hws_request_ops *ops, struct hws_comm *c,
                                         const struct hws_send_op *op);
/* Calls release, drops comm and type, gives the request back to the pool. Nothing for a shared one. */
void hws_request_free(struct hws_request *r);

/* Marks complete and calls on_complete; frees at once if the user freed the handle before. Under the engine's lock. */
void hws_request_complete(struct hws_request *r, int error);

/* True when r is complete; what the completing thread wrote before is visible then. */
static inline bool hws_request_is_complete(const struct hws_request *r)
{
    return __atomic_load_n(&r->complete, __ATOMIC_ACQUIRE);
}

/* False for a persistent request between completion and the next start: waits pass over it (MPI 5.0 section 3.9). */
static inline bool hws_request_is_active(const struct hws_request *r)
{
    return !r->persistent || r->active;
}

/* Has fn(r) called at completion with r->owner = owner: at once if r is complete already. */
void hws_request_then(struct hws_request *r, void (*fn)(struct hws_request *r), void *owner);

/* Starts a persistent request. MPI_ERR_REQUEST when it is not persistent or still active. */
int hws_request_start(struct hws_request *r);

/* Asks for cancellation: only receives, sends and generalized requests can be, all others go on (MPI 5.0
 * section 3.8.4). */
int hws_request_cancel(struct hws_request *r);

/* The user gives the handle back: freed now, or at completion if it is under way (MPI_Request_free). */
int hws_request_discard(struct hws_request *r);

/* Ends a complete request: fills st, makes a persistent one inactive, frees any other. MPI class of the operation. */
int hws_request_report(struct hws_request *r, MPI_Status *st);

/* Whether a complete request can be freed instead of reported by a call that gives no status back. */
static inline bool hws_request_ends_silently(const struct hws_request *r)
{
    return r->ops->plain && !r->persistent && r->error == MPI_SUCCESS;
}

/* What a wait for a request says of itself: for hws_engine_wait(&r->complete) in MPI_Wait, and for calls of their own.
 */
void hws_request_describe(const void *complete, struct hws_board_what *out);
void hws_request_tell(const struct hws_request *r, struct hws_board_what *out);

/* Blocks until r is complete, fills st (or MPI_STATUS_IGNORE), frees it unless persistent. MPI class. */
int hws_request_wait(struct hws_request *r, MPI_Status *st);
/* Blocks until all are complete, frees them; first error's class. Entries may be NULL. For collectives. */
int hws_request_wait_all(int n, struct hws_request **reqs);

/* Complete requests since the start, and those of them that failed because a peer is lost: sets of requests look at
 * them before they scan. */
struct hws_request_totals {
    volatile uint64_t completed, lost;
};
extern struct hws_request_totals hws_request_totals;

/* Whether an operation's class means more than a message that did not fit its receive. */
static inline bool hws_request_error_is_lost(int error)
{
    return error != MPI_SUCCESS && error != MPI_ERR_TRUNCATE && error != MPI_ERR_TYPE;
}

/* Status fields (MPI 5.0 section 3.2.5); MPI_ERROR is left alone. st may be MPI_STATUS_IGNORE.
 * MPI_internal[0..1] is the length in bytes, [2] the cancelled flag, the others 0. */
static inline void hws_status_set(MPI_Status *st, int source, int tag, uint64_t len_bytes, bool cancelled)
{
    if (st == MPI_STATUS_IGNORE)
        return;
    st->MPI_SOURCE = source;
    st->MPI_TAG = tag;
    memcpy(&st->MPI_internal[0], &len_bytes, sizeof(len_bytes));
    st->MPI_internal[2] = cancelled;
    st->MPI_internal[3] = st->MPI_internal[4] = 0;
}

/* The empty status. It has MPI_ERROR = MPI_SUCCESS too (MPI 5.0 section 3.7.3). */
static inline void hws_status_empty(MPI_Status *st)
{
    if (st == MPI_STATUS_IGNORE)
        return;
    hws_status_set(st, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    st->MPI_ERROR = MPI_SUCCESS;
}

static inline uint64_t hws_status_bytes(const MPI_Status *st)
{
    uint64_t n;
    memcpy(&n, &st->MPI_internal[0], sizeof(n));
    return n;
}

static inline bool hws_status_cancelled(const MPI_Status *st)
{
    return st->MPI_internal[2] != 0;
}

#endif
