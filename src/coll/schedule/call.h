/* SPDX-License-Identifier: BSD-3-Clause
 *
 * call: the arguments of one collective operation, whatever its form, as entry points and builders pass them. Checked
 * by the entry point; nothing of it is needed once the schedule is built. Counts and displacements travel as they came,
 * int or wide; arrays of datatypes are the user's handles.
 */
#ifndef HWS_COLL_CALL_H
#define HWS_COLL_CALL_H

#include "coll/schedule/sched.h"
#include "core/request/request.h"
#include "core/type/counts.h"

enum hws_coll_kind {
    HWS_COLL_BARRIER,
    HWS_COLL_BCAST,
    HWS_COLL_GATHER,
    HWS_COLL_GATHERV,
    HWS_COLL_SCATTER,
    HWS_COLL_SCATTERV,
    HWS_COLL_ALLGATHER,
    HWS_COLL_ALLGATHERV,
    HWS_COLL_ALLTOALL,
    HWS_COLL_ALLTOALLV,
    HWS_COLL_ALLTOALLW,
    HWS_COLL_REDUCE,
    HWS_COLL_ALLREDUCE,
    HWS_COLL_REDUCE_SCATTER,
    HWS_COLL_REDUCE_SCATTER_BLOCK,
    HWS_COLL_SCAN,
    HWS_COLL_EXSCAN,
    HWS_COLL_SELECTED, /* of the kinds above there are several algorithms, see select.h */
    HWS_COLL_NEIGHBOR_ALLGATHER = HWS_COLL_SELECTED,
    HWS_COLL_NEIGHBOR_ALLGATHERV,
    HWS_COLL_NEIGHBOR_ALLTOALL,
    HWS_COLL_NEIGHBOR_ALLTOALLV,
    HWS_COLL_NEIGHBOR_ALLTOALLW
};

struct hws_coll_call {
    enum hws_coll_kind kind;
    struct hws_comm *comm;
    const void *sbuf;         /* or MPI_IN_PLACE */
    void *rbuf;               /* or MPI_IN_PLACE (scatter's root); bcast: the buffer */
    MPI_Count sn, rn;         /* elements; a block's in the forms of many blocks; reductions: rn */
    struct hws_type *st, *rt; /* reductions and bcast: rt */
    struct hws_counts scounts, sdispls, rcounts, rdispls; /* v and w forms; p NULL otherwise */
    const MPI_Datatype *stypes, *rtypes;                  /* w forms: displacements are bytes */
    struct hws_op *rop;
    int root;
};

/* Runs it (blocking). MPI class. */
int hws_coll_run(const struct hws_coll_call *a);
/* The request of all nonblocking calls that move no data: complete. */
extern struct hws_request hws_coll_nothing;
/* Starts it; *req is the request (nonblocking). MPI class. */
int hws_coll_start(const struct hws_coll_call *a, struct hws_request **req);
/* Makes an inactive persistent request for it. MPI class. */
int hws_coll_prepare(const struct hws_coll_call *a, struct hws_request **req);

/* Blocks of the receive and of the send buffer: neighbours of a neighbourhood collective, else the ranks that the
 * communicator's ranks count in. */
void hws_coll_degrees(const struct hws_coll_call *a, int *n_in, int *n_out);

/* Whether this rank has no part in a call whose blocks' lengths each pair of ranks knows alone, on an
 * intracommunicator. Then, where it goes by a schedule, there are no steps for it: all such schedules have messages
 * between those that have something for each other, and no others; it takes its tag, as they do. Where it goes by
 * shared memory, this rank says that it has come, and waits for nobody (coll/shm/sit_out.h). */
bool hws_coll_sits_out(const struct hws_coll_call *a);

static inline bool hws_coll_is_neighbor(const struct hws_coll_call *a)
{
    return a->kind >= HWS_COLL_SELECTED;
}

static inline bool hws_coll_in_place(const void *buf)
{
    return buf == MPI_IN_PLACE;
}

/* Where element i of a buffer of type t is. */
static inline char *hws_elem(const void *buf, MPI_Count i, const struct hws_type *t)
{
    return (char *)((uintptr_t)buf + (uintptr_t)(i * t->extent));
}

/* Block i of a buffer: block i of n elements of t, or (counts.p) as the vectors say, or (types) with its own type and a
 * displacement in bytes. */
static inline struct hws_data hws_block(const void *buf, int i, MPI_Count n, const struct hws_type *t,
                                        struct hws_counts counts, struct hws_counts displs, const MPI_Datatype *types)
{
    if (counts.p)
        n = hws_counts_at(counts, i);
    if (types) {
        t = hws_type_of(types[i]);
        return t ? hws_type_data(t, (char *)((uintptr_t)buf + (uintptr_t)hws_counts_at(displs, i)), n)
                 : hws_bytes(NULL, 0);
    }
    MPI_Count at = displs.p ? hws_counts_at(displs, i) : i * n;
    return hws_type_data(t, hws_elem(buf, at, t), n);
}

/* Block i of the receive buffer: what comes from rank i (scatter and bcast have only one: take hws_type_data). */
static inline struct hws_data hws_rblock(const struct hws_coll_call *a, int i)
{
    return hws_block(a->rbuf, i, a->rn, a->rt, a->rcounts, a->rdispls, a->rtypes);
}

/* Block i of the send buffer: what goes to rank i. */
static inline struct hws_data hws_sblock(const struct hws_coll_call *a, int i)
{
    return hws_block(a->sbuf, i, a->sn, a->st, a->scounts, a->sdispls, a->stypes);
}

#endif
