/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll: the blocking collectives on an intracommunicator (or intercommunicator, MPI 5.0 chapter 6). Arguments were
 * checked by the caller; buffers follow the standard (MPI_IN_PLACE allowed where it says so). All return an MPI class.
 * Counts and displacements of the v and w forms travel as they came, int or wide, in struct hws_counts (core/counts.h).
 */
#ifndef HWS_COLL_COLL_H
#define HWS_COLL_COLL_H

#include "core/comm.h"
#include "core/counts.h"
#include "core/datatype.h"
#include "core/op.h"

/* Arrays of datatypes of the w forms are the user's handles: hws_type_of(types[i]). */

int hws_barrier(struct hws_comm *c);
int hws_bcast(void *buf, MPI_Count n, struct hws_type *t, int root, struct hws_comm *c);
int hws_gather(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
               int root, struct hws_comm *c);
int hws_gatherv(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, struct hws_counts rn,
                struct hws_counts displs, struct hws_type *rt, int root, struct hws_comm *c);
int hws_scatter(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
                int root, struct hws_comm *c);
int hws_scatterv(const void *sbuf, struct hws_counts sn, struct hws_counts displs, struct hws_type *st, void *rbuf,
                 MPI_Count rn, struct hws_type *rt, int root, struct hws_comm *c);
int hws_allgather(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
                  struct hws_comm *c);
int hws_allgatherv(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, struct hws_counts rn,
                   struct hws_counts displs, struct hws_type *rt, struct hws_comm *c);
int hws_alltoall(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
                 struct hws_comm *c);
int hws_alltoallv(const void *sbuf, struct hws_counts sn, struct hws_counts sdispls, struct hws_type *st, void *rbuf,
                  struct hws_counts rn, struct hws_counts rdispls, struct hws_type *rt, struct hws_comm *c);
int hws_alltoallw(const void *sbuf, struct hws_counts sn, struct hws_counts sdispls, const MPI_Datatype *st, void *rbuf,
                  struct hws_counts rn, struct hws_counts rdispls, const MPI_Datatype *rt, struct hws_comm *c);
int hws_reduce(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, int root,
               struct hws_comm *c);
int hws_allreduce(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, struct hws_comm *c);
int hws_reduce_scatter(const void *sbuf, void *rbuf, struct hws_counts rn, struct hws_type *t, struct hws_op *op,
                       struct hws_comm *c);
int hws_reduce_scatter_block(const void *sbuf, void *rbuf, MPI_Count rn, struct hws_type *t, struct hws_op *op,
                             struct hws_comm *c);
int hws_scan(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, struct hws_comm *c);
int hws_exscan(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, struct hws_comm *c);

/* Forces algorithms from now on, as HAWSER_COLL does from the start. All ranks must do so between the same two
 * collectives. MPI class; a wrong text changes nothing. */
int hws_coll_force(const char *text);

#endif
