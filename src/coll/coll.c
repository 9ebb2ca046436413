/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll: the blocking collectives as functions, for other parts of the library. Each fills in a call.
 */
#include "coll/coll.h"

#include "coll/call.h"

int hws_barrier(struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_BARRIER, .comm = c};
    return hws_coll_run(&a);
}

int hws_bcast(void *buf, MPI_Count n, struct hws_type *t, int root, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_BCAST, .comm = c, .rbuf = buf, .rn = n, .rt = t, .root = root};
    return hws_coll_run(&a);
}

int hws_gather(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
               int root, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_GATHER,
                              .comm = c,
                              .sbuf = sbuf,
                              .rbuf = rbuf,
                              .sn = sn,
                              .rn = rn,
                              .st = st,
                              .rt = rt,
                              .root = root};
    return hws_coll_run(&a);
}

int hws_gatherv(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, struct hws_counts rn,
                struct hws_counts displs, struct hws_type *rt, int root, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_GATHERV,
                              .comm = c,
                              .sbuf = sbuf,
                              .rbuf = rbuf,
                              .sn = sn,
                              .st = st,
                              .rt = rt,
                              .rcounts = rn,
                              .rdispls = displs,
                              .root = root};
    return hws_coll_run(&a);
}

int hws_scatter(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
                int root, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_SCATTER,
                              .comm = c,
                              .sbuf = sbuf,
                              .rbuf = rbuf,
                              .sn = sn,
                              .rn = rn,
                              .st = st,
                              .rt = rt,
                              .root = root};
    return hws_coll_run(&a);
}

int hws_scatterv(const void *sbuf, struct hws_counts sn, struct hws_counts displs, struct hws_type *st, void *rbuf,
                 MPI_Count rn, struct hws_type *rt, int root, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_SCATTERV,
                              .comm = c,
                              .sbuf = sbuf,
                              .rbuf = rbuf,
                              .rn = rn,
                              .st = st,
                              .rt = rt,
                              .scounts = sn,
                              .sdispls = displs,
                              .root = root};
    return hws_coll_run(&a);
}

int hws_allgather(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
                  struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_ALLGATHER, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .sn = sn, .rn = rn, .st = st, .rt = rt};
    return hws_coll_run(&a);
}

int hws_allgatherv(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, struct hws_counts rn,
                   struct hws_counts displs, struct hws_type *rt, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_ALLGATHERV,
                              .comm = c,
                              .sbuf = sbuf,
                              .rbuf = rbuf,
                              .sn = sn,
                              .st = st,
                              .rt = rt,
                              .rcounts = rn,
                              .rdispls = displs};
    return hws_coll_run(&a);
}

int hws_alltoall(const void *sbuf, MPI_Count sn, struct hws_type *st, void *rbuf, MPI_Count rn, struct hws_type *rt,
                 struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_ALLTOALL, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .sn = sn, .rn = rn, .st = st, .rt = rt};
    return hws_coll_run(&a);
}

int hws_alltoallv(const void *sbuf, struct hws_counts sn, struct hws_counts sdispls, struct hws_type *st, void *rbuf,
                  struct hws_counts rn, struct hws_counts rdispls, struct hws_type *rt, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_ALLTOALLV,
                              .comm = c,
                              .sbuf = sbuf,
                              .rbuf = rbuf,
                              .st = st,
                              .rt = rt,
                              .scounts = sn,
                              .sdispls = sdispls,
                              .rcounts = rn,
                              .rdispls = rdispls};
    return hws_coll_run(&a);
}

int hws_alltoallw(const void *sbuf, struct hws_counts sn, struct hws_counts sdispls, const MPI_Datatype *st, void *rbuf,
                  struct hws_counts rn, struct hws_counts rdispls, const MPI_Datatype *rt, struct hws_comm *c)
{
    struct hws_coll_call a = {.kind = HWS_COLL_ALLTOALLW,
                              .comm = c,
                              .sbuf = sbuf,
                              .rbuf = rbuf,
                              .stypes = st,
                              .rtypes = rt,
                              .scounts = sn,
                              .sdispls = sdispls,
                              .rcounts = rn,
                              .rdispls = rdispls};
    return hws_coll_run(&a);
}

int hws_reduce(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, int root,
               struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_REDUCE, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .rn = n, .rt = t, .rop = op, .root = root};
    return hws_coll_run(&a);
}

int hws_allreduce(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_ALLREDUCE, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .rn = n, .rt = t, .rop = op};
    return hws_coll_run(&a);
}

int hws_reduce_scatter(const void *sbuf, void *rbuf, struct hws_counts rn, struct hws_type *t, struct hws_op *op,
                       struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_REDUCE_SCATTER, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .rt = t, .rop = op, .rcounts = rn};
    return hws_coll_run(&a);
}

int hws_reduce_scatter_block(const void *sbuf, void *rbuf, MPI_Count rn, struct hws_type *t, struct hws_op *op,
                             struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_REDUCE_SCATTER_BLOCK, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .rn = rn, .rt = t, .rop = op};
    return hws_coll_run(&a);
}

int hws_scan(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_SCAN, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .rn = n, .rt = t, .rop = op};
    return hws_coll_run(&a);
}

int hws_exscan(const void *sbuf, void *rbuf, MPI_Count n, struct hws_type *t, struct hws_op *op, struct hws_comm *c)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_EXSCAN, .comm = c, .sbuf = sbuf, .rbuf = rbuf, .rn = n, .rt = t, .rop = op};
    return hws_coll_run(&a);
}
