/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll_empty: collectives that move no data, as every rank knows by itself. Nobody has to wait for anybody
 * then (MPI 5.0 section 6.14: only a barrier synchronizes), so what they cost is their checks; a nonblocking one has
 * the request that is always complete. These tests are the
 * checks of the usual call in a few instructions: an intracommunicator, no MPI_IN_PLACE. False says nothing: the call
 * goes the long way, which finds out what is wrong, if anything is.
 *
 * Of gatherv, scatterv, alltoallv a rank knows its own part alone. Where all goes by messages between those that have
 * some, who has no part needs nobody either (coll/schedule/call.h: hws_coll_sits_out); these tests have taken its tag
 * if true.
 */
#ifndef HWS_MPI_COLL_EMPTY_H
#define HWS_MPI_COLL_EMPTY_H

#include "mpi/coll.h"

/* *c is set if true. */
static inline bool hws_empty_comm(MPI_Comm comm, const struct hws_comm **c)
{
    return hws_world_is_up() && (*c = hws_comm_of(comm)) != NULL && !(*c)->remote;
}

/* The request of a call that is over. False: there is no place for it. */
static inline bool hws_empty_start(MPI_Request *request)
{
    if (!request)
        return false;
    *request = hws_request_handle(&hws_coll_nothing);
    return true;
}

/* A buffer of no elements. */
static inline bool hws_empty_side(const void *buf, MPI_Count n, MPI_Datatype type)
{
    if (n != 0 || buf == MPI_IN_PLACE)
        return false;
    const struct hws_type *t = hws_type_of(type);
    return t && t->committed;
}

static inline bool hws_empty_root(const struct hws_comm *c, int root)
{
    return root >= 0 && root < c->size;
}

/* MPI_Bcast. */
static inline bool hws_empty_bcast(const void *buf, MPI_Count n, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct hws_comm *c;
    return n == 0 && hws_empty_comm(comm, &c) && hws_empty_root(c, root) && hws_empty_side(buf, n, type);
}

/* MPI_Allgather, MPI_Alltoall: a buffer of equal blocks on either side. */
static inline bool hws_empty_blocks(const void *sbuf, MPI_Count sn, MPI_Datatype st, const void *rbuf, MPI_Count rn,
                                    MPI_Datatype rt, MPI_Comm comm)
{
    const struct hws_comm *c;
    return sn == 0 && hws_empty_comm(comm, &c) && hws_empty_side(sbuf, sn, st) && hws_empty_side(rbuf, rn, rt);
}

/* MPI_Gather; MPI_Scatter with the sides exchanged: `one` is the side that every rank has, `all` the root's. */
static inline bool hws_empty_rooted(const void *one, MPI_Count n, MPI_Datatype type, const void *all, MPI_Count n_all,
                                    MPI_Datatype type_all, int root, MPI_Comm comm)
{
    const struct hws_comm *c;
    return n == 0 && hws_empty_comm(comm, &c) && hws_empty_root(c, root) && hws_empty_side(one, n, type) &&
           (c->rank != root || hws_empty_side(all, n_all, type_all));
}

/* A buffer of blocks that all have no elements. */
static inline bool hws_empty_parts(const struct hws_comm *c, const void *buf, struct hws_counts n,
                                   struct hws_counts displs, MPI_Datatype type)
{
    if (!n.p || !displs.p)
        return false;
    for (int i = 0; i < c->size; i++)
        if (hws_counts_at(n, i) != 0)
            return false;
    return hws_empty_side(buf, 0, type);
}

/* MPI_Allgatherv: what each rank sends must be nothing, not only the own part. */
static inline bool hws_empty_vector(const void *sbuf, MPI_Count sn, MPI_Datatype st, const void *rbuf,
                                    struct hws_counts rn, struct hws_counts displs, MPI_Datatype rt, MPI_Comm comm)
{
    const struct hws_comm *c;
    return sn == 0 && hws_empty_comm(comm, &c) && hws_empty_parts(c, rbuf, rn, displs, rt) &&
           hws_empty_side(sbuf, sn, st);
}

/* The communicator whose v forms go by messages, as all its ranks have agreed before; NULL: they may not. */
static inline struct hws_comm *hws_empty_apart(MPI_Comm comm)
{
    struct hws_comm *c = hws_world_is_up() ? hws_comm_of(comm) : NULL;
    return c && !c->remote && c->coll_crowd && !c->region && !c->hosts ? c : NULL;
}

/* MPI_Gatherv; MPI_Scatterv with the sides exchanged: `one` is the side that every rank has, `all` the root's. */
static inline bool hws_sits_out_rooted(const void *one, MPI_Count n, MPI_Datatype type, const void *all,
                                       struct hws_counts n_all, struct hws_counts displs, MPI_Datatype type_all,
                                       int root, MPI_Comm comm)
{
    struct hws_comm *c = n == 0 ? hws_empty_apart(comm) : NULL;
    if (!c || !hws_empty_root(c, root) || !hws_empty_side(one, n, type) ||
        (c->rank == root && !hws_empty_parts(c, all, n_all, displs, type_all)))
        return false;
    hws_comm_next_tag(c);
    return true;
}

/* MPI_Alltoallv. */
static inline bool hws_sits_out_vectors(const void *sbuf, struct hws_counts sn, struct hws_counts sdispls,
                                        MPI_Datatype st, const void *rbuf, struct hws_counts rn,
                                        struct hws_counts rdispls, MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_comm *c = hws_empty_apart(comm);
    if (!c || !hws_empty_parts(c, sbuf, sn, sdispls, st) || !hws_empty_parts(c, rbuf, rn, rdispls, rt))
        return false;
    hws_comm_next_tag(c);
    return true;
}

/* Operands of no elements for a reduction. */
static inline bool hws_empty_operands(const void *sbuf, const void *rbuf, MPI_Datatype type, MPI_Op op)
{
    const struct hws_type *t = hws_type_of(type);
    return sbuf != MPI_IN_PLACE && rbuf != MPI_IN_PLACE && t && t->committed && hws_op_serves(op, t);
}

/* MPI_Allreduce, MPI_Reduce_scatter_block, MPI_Scan, MPI_Exscan. */
static inline bool hws_empty_reduction(const void *sbuf, const void *rbuf, MPI_Count n, MPI_Datatype type, MPI_Op op,
                                       MPI_Comm comm)
{
    const struct hws_comm *c;
    return n == 0 && hws_empty_comm(comm, &c) && hws_empty_operands(sbuf, rbuf, type, op);
}

/* MPI_Reduce. */
static inline bool hws_empty_reduce(const void *sbuf, const void *rbuf, MPI_Count n, MPI_Datatype type, MPI_Op op,
                                    int root, MPI_Comm comm)
{
    const struct hws_comm *c;
    return n == 0 && hws_empty_comm(comm, &c) && hws_empty_root(c, root) && hws_empty_operands(sbuf, rbuf, type, op);
}

/* MPI_Reduce_scatter. */
static inline bool hws_empty_reduce_scatter(const void *sbuf, const void *rbuf, struct hws_counts n, MPI_Datatype type,
                                            MPI_Op op, MPI_Comm comm)
{
    const struct hws_comm *c;
    if (!n.p || !hws_empty_comm(comm, &c))
        return false;
    for (int i = 0; i < c->size; i++)
        if (hws_counts_at(n, i) != 0)
            return false;
    return hws_empty_operands(sbuf, rbuf, type, op);
}

#endif
