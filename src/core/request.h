/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request: what is behind MPI_Request. A request is complete when `complete` is true; nonpersistent ones are freed by the
 * call that reports it. Each kind gives start, cancel and free; send and receive embed the engine's descriptor.
 */
#ifndef HWS_CORE_REQUEST_H
#define HWS_CORE_REQUEST_H

#include "core/comm.h"
#include "core/datatype.h"
#include "peer/engine.h"

enum hws_request_kind { HWS_REQ_SEND, HWS_REQ_RECV, HWS_REQ_COLL, HWS_REQ_GENERALIZED, HWS_REQ_PARTITIONED, HWS_REQ_NOOP };

struct hws_request;

struct hws_request_ops {
    int (*start)(struct hws_request *r);                    /* persistent: begin; MPI class */
    int (*cancel)(struct hws_request *r);                   /* MPI class */
    int (*finish)(struct hws_request *r, MPI_Status *st);   /* complete: fill status (may be MPI_STATUS_IGNORE), MPI class */
    void (*release)(struct hws_request *r);                 /* free what the kind owns (not the request itself) */
};

struct hws_request {
    struct hws_object obj;
    const struct hws_request_ops *ops;
    enum hws_request_kind kind;
    bool persistent;
    bool active;                     /* persistent: between start and completion reported */
    volatile bool complete;          /* the only thing that waits look at */
    bool cancelled;
    bool freed;                      /* MPI_Request_free called while active: free at completion */
    int error;                       /* MPI class of the operation once complete */
    struct hws_comm *comm;           /* held; NULL for generalized */
    struct hws_type *type;           /* held; or NULL */
    void *buf;                       /* persistent: arguments to start again */
    MPI_Count count;
    int rank, tag;                   /* persistent: destination or source */
    enum hws_send_mode mode;
    void (*on_complete)(struct hws_request *r); /* schedules of collectives; or NULL. From inside progress. */
    void *owner;                     /* whatever on_complete or the kind needs */
    union {
        struct hws_send_op send;
        struct hws_recv_op recv;
    } op;
};

/* The object of a handle; NULL if it is none (MPI_REQUEST_NULL too). */
struct hws_request *hws_request_of(MPI_Request h);
static inline MPI_Request hws_request_handle(struct hws_request *r)
{
    return (MPI_Request)r;
}

/* A zeroed request from the pool, holding c and t (either may be NULL). NULL: no memory. */
struct hws_request *hws_request_new(enum hws_request_kind kind, const struct hws_request_ops *ops, struct hws_comm *c,
                                    struct hws_type *t);
/* Calls release, drops comm and type, gives the request back to the pool. */
void hws_request_free(struct hws_request *r);

/* Marks complete and calls on_complete; frees at once if the user freed the handle before. */
void hws_request_complete(struct hws_request *r, int error);

/* Blocks until r is complete, fills st (or MPI_STATUS_IGNORE), frees it unless persistent. MPI class. */
int hws_request_wait(struct hws_request *r, MPI_Status *st);
/* Blocks until all are complete, frees them; first error's class. Entries may be NULL. For collectives. */
int hws_request_wait_all(int n, struct hws_request **reqs);

/* Status fields (MPI 5.0 section 3.2.5); MPI_ERROR is left alone. st may be MPI_STATUS_IGNORE. */
void hws_status_set(MPI_Status *st, int source, int tag, uint64_t len_bytes, bool cancelled);
void hws_status_empty(MPI_Status *st);
uint64_t hws_status_bytes(const MPI_Status *st);
bool hws_status_cancelled(const MPI_Status *st);

#endif
