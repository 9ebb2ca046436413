/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll_gather: MPI_Gather(v), MPI_Scatter(v), MPI_Allgather(v) in all forms (MPI 5.0 sections 6.5 to 6.7).
 */
#include "mpi/public.h"

#include "base/hot.h"
#include "mpi/coll.h"
#include "mpi/coll_empty.h"

static int ranks(const struct hws_coll_call *a)
{
    return hws_comm_peers(a->comm)->size;
}

/* A rank's own block in both buffers, where it has both. */
static int check_own(const struct hws_coll_call *a, struct hws_data from, struct hws_data to)
{
    return a->comm->remote ? MPI_SUCCESS : hws_check_alias(from, to);
}

/* Where gather and gatherv have the same checks: the one block that a rank gives. */
static int check_given(struct hws_coll_call *a, MPI_Datatype type)
{
    if (!hws_coll_at_leaf(a) || (hws_coll_in_place(a->sbuf) && hws_coll_at_root(a) && !a->comm->remote))
        return MPI_SUCCESS;
    int rc = hws_check_sbuf(a, a->sn, type, 1);
    if (rc != MPI_SUCCESS || !hws_coll_at_root(a))
        return rc;
    return check_own(a, hws_type_data(a->st, a->sbuf, a->sn), hws_rblock(a, a->comm->rank));
}

/* The same for the one block that a rank gets from a scatter. */
static int check_taken(struct hws_coll_call *a, MPI_Datatype type)
{
    if (!hws_coll_at_leaf(a) || (hws_coll_in_place(a->rbuf) && hws_coll_at_root(a) && !a->comm->remote))
        return MPI_SUCCESS;
    int rc = hws_check_rbuf(a, a->rn, type, 1);
    if (rc != MPI_SUCCESS || !hws_coll_at_root(a))
        return rc;
    return check_own(a, hws_sblock(a, a->comm->rank), hws_type_data(a->rt, a->rbuf, a->rn));
}

static int gather_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf, MPI_Count rn,
                      MPI_Datatype rt, int root, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_GATHER, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rn = rn, .root = root};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_root(root, a.comm);
    if (rc == MPI_SUCCESS && hws_coll_at_root(&a))
        rc = hws_check_rbuf(&a, rn, rt, ranks(&a));
    if (rc == MPI_SUCCESS)
        rc = check_given(&a, st);
    return hws_coll_end(&f, rc, &a);
}

static int gatherv_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf,
                       struct hws_counts rn, struct hws_counts displs, MPI_Datatype rt, int root, MPI_Comm comm)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_GATHERV, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rcounts = rn, .rdispls = displs, .root = root};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_root(root, a.comm);
    if (rc == MPI_SUCCESS && hws_coll_at_root(&a))
        rc = hws_check_blocks(rbuf, rn, displs, "displs", rt, ranks(&a), false, &a.rt);
    if (rc == MPI_SUCCESS)
        rc = check_given(&a, st);
    return hws_coll_end(&f, rc, &a);
}

static int scatter_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf, MPI_Count rn,
                       MPI_Datatype rt, int root, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_SCATTER, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rn = rn, .root = root};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_root(root, a.comm);
    if (rc == MPI_SUCCESS && hws_coll_at_root(&a))
        rc = hws_check_sbuf(&a, sn, st, ranks(&a));
    if (rc == MPI_SUCCESS)
        rc = check_taken(&a, rt);
    return hws_coll_end(&f, rc, &a);
}

static int scatterv_any(struct hws_form f, const void *sbuf, struct hws_counts sn, struct hws_counts displs,
                        MPI_Datatype st, void *rbuf, MPI_Count rn, MPI_Datatype rt, int root, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_SCATTERV,
                              .sbuf = sbuf,
                              .scounts = sn,
                              .sdispls = displs,
                              .rbuf = rbuf,
                              .rn = rn,
                              .root = root};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_root(root, a.comm);
    if (rc == MPI_SUCCESS && hws_coll_at_root(&a))
        rc = hws_check_blocks(sbuf, sn, displs, "displs", st, ranks(&a), true, &a.st);
    if (rc == MPI_SUCCESS)
        rc = check_taken(&a, rt);
    return hws_coll_end(&f, rc, &a);
}

/* The send side of allgather and allgatherv, after the receive side. */
static int check_allgather_send(struct hws_coll_call *a, MPI_Datatype type)
{
    int rc = hws_check_in_place(a, a->sbuf, "sendbuf");
    if (rc != MPI_SUCCESS || hws_coll_in_place(a->sbuf))
        return rc;
    rc = hws_check_sbuf(a, a->sn, type, 1);
    return rc == MPI_SUCCESS ? check_own(a, hws_type_data(a->st, a->sbuf, a->sn), hws_rblock(a, a->comm->rank)) : rc;
}

HWS_HOT static int allgather_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf,
                                 MPI_Count rn, MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_ALLGATHER, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rn = rn};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_rbuf(&a, rn, rt, ranks(&a));
    if (rc == MPI_SUCCESS)
        rc = check_allgather_send(&a, st);
    return hws_coll_end(&f, rc, &a);
}

static int allgatherv_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf,
                          struct hws_counts rn, struct hws_counts displs, MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_ALLGATHERV, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rcounts = rn, .rdispls = displs};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_blocks(rbuf, rn, displs, "displs", rt, ranks(&a), false, &a.rt);
    if (rc == MPI_SUCCESS)
        rc = check_allgather_send(&a, st);
    return hws_coll_end(&f, rc, &a);
}

/* ---- the functions: six of each operation ---- */

HWS_HOT int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (hws_empty_rooted(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
        return MPI_SUCCESS;
    return gather_any(hws_blocking("MPI_Gather"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                      comm);
}
HWS_MPI(Gather)

int PMPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (hws_empty_rooted(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
        return MPI_SUCCESS;
    return gather_any(hws_blocking("MPI_Gather_c"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                      comm);
}
HWS_MPI(Gather_c)

int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_rooted(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return gather_any(hws_nonblocking("MPI_Igather", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                      recvtype, root, comm);
}
HWS_MPI(Igather)

int PMPI_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_rooted(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return gather_any(hws_nonblocking("MPI_Igather_c", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                      recvtype, root, comm);
}
HWS_MPI(Igather_c)

int PMPI_Gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return gather_any(hws_persistent("MPI_Gather_init", info, request), sendbuf, sendcount, sendtype, recvbuf,
                      recvcount, recvtype, root, comm);
}
HWS_MPI(Gather_init)

int PMPI_Gather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request)
{
    return gather_any(hws_persistent("MPI_Gather_init_c", info, request), sendbuf, sendcount, sendtype, recvbuf,
                      recvcount, recvtype, root, comm);
}
HWS_MPI(Gather_init_c)

int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (hws_sits_out_rooted(sendbuf, sendcount, sendtype, recvbuf, hws_ints(recvcounts), hws_ints(displs), recvtype,
                            root, comm))
        return MPI_SUCCESS;
    return gatherv_any(hws_blocking("MPI_Gatherv"), sendbuf, sendcount, sendtype, recvbuf, hws_ints(recvcounts),
                       hws_ints(displs), recvtype, root, comm);
}
HWS_MPI(Gatherv)

int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm)
{
    if (hws_sits_out_rooted(sendbuf, sendcount, sendtype, recvbuf, hws_wides(recvcounts), hws_wides(displs), recvtype,
                            root, comm))
        return MPI_SUCCESS;
    return gatherv_any(hws_blocking("MPI_Gatherv_c"), sendbuf, sendcount, sendtype, recvbuf, hws_wides(recvcounts),
                       hws_wides(displs), recvtype, root, comm);
}
HWS_MPI(Gatherv_c)

int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                  const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return gatherv_any(hws_nonblocking("MPI_Igatherv", request), sendbuf, sendcount, sendtype, recvbuf,
                       hws_ints(recvcounts), hws_ints(displs), recvtype, root, comm);
}
HWS_MPI(Igatherv)

int PMPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                    MPI_Comm comm, MPI_Request *request)
{
    return gatherv_any(hws_nonblocking("MPI_Igatherv_c", request), sendbuf, sendcount, sendtype, recvbuf,
                       hws_wides(recvcounts), hws_wides(displs), recvtype, root, comm);
}
HWS_MPI(Igatherv_c)

int PMPI_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                      const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request *request)
{
    return gatherv_any(hws_persistent("MPI_Gatherv_init", info, request), sendbuf, sendcount, sendtype, recvbuf,
                       hws_ints(recvcounts), hws_ints(displs), recvtype, root, comm);
}
HWS_MPI(Gatherv_init)

int PMPI_Gatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return gatherv_any(hws_persistent("MPI_Gatherv_init_c", info, request), sendbuf, sendcount, sendtype, recvbuf,
                       hws_wides(recvcounts), hws_wides(displs), recvtype, root, comm);
}
HWS_MPI(Gatherv_init_c)

HWS_HOT int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (hws_empty_rooted(recvbuf, recvcount, recvtype, sendbuf, sendcount, sendtype, root, comm))
        return MPI_SUCCESS;
    return scatter_any(hws_blocking("MPI_Scatter"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                       comm);
}
HWS_MPI(Scatter)

int PMPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (hws_empty_rooted(recvbuf, recvcount, recvtype, sendbuf, sendcount, sendtype, root, comm))
        return MPI_SUCCESS;
    return scatter_any(hws_blocking("MPI_Scatter_c"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                       comm);
}
HWS_MPI(Scatter_c)

int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_rooted(recvbuf, recvcount, recvtype, sendbuf, sendcount, sendtype, root, comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return scatter_any(hws_nonblocking("MPI_Iscatter", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                       recvtype, root, comm);
}
HWS_MPI(Iscatter)

int PMPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_rooted(recvbuf, recvcount, recvtype, sendbuf, sendcount, sendtype, root, comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return scatter_any(hws_nonblocking("MPI_Iscatter_c", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                       recvtype, root, comm);
}
HWS_MPI(Iscatter_c)

int PMPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return scatter_any(hws_persistent("MPI_Scatter_init", info, request), sendbuf, sendcount, sendtype, recvbuf,
                       recvcount, recvtype, root, comm);
}
HWS_MPI(Scatter_init)

int PMPI_Scatter_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                        MPI_Request *request)
{
    return scatter_any(hws_persistent("MPI_Scatter_init_c", info, request), sendbuf, sendcount, sendtype, recvbuf,
                       recvcount, recvtype, root, comm);
}
HWS_MPI(Scatter_init_c)

int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (hws_sits_out_rooted(recvbuf, recvcount, recvtype, sendbuf, hws_ints(sendcounts), hws_ints(displs), sendtype,
                            root, comm))
        return MPI_SUCCESS;
    return scatterv_any(hws_blocking("MPI_Scatterv"), sendbuf, hws_ints(sendcounts), hws_ints(displs), sendtype,
                        recvbuf, recvcount, recvtype, root, comm);
}
HWS_MPI(Scatterv)

int PMPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype,
                    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    if (hws_sits_out_rooted(recvbuf, recvcount, recvtype, sendbuf, hws_wides(sendcounts), hws_wides(displs), sendtype,
                            root, comm))
        return MPI_SUCCESS;
    return scatterv_any(hws_blocking("MPI_Scatterv_c"), sendbuf, hws_wides(sendcounts), hws_wides(displs), sendtype,
                        recvbuf, recvcount, recvtype, root, comm);
}
HWS_MPI(Scatterv_c)

int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                   void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return scatterv_any(hws_nonblocking("MPI_Iscatterv", request), sendbuf, hws_ints(sendcounts), hws_ints(displs),
                        sendtype, recvbuf, recvcount, recvtype, root, comm);
}
HWS_MPI(Iscatterv)

int PMPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype,
                     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                     MPI_Request *request)
{
    return scatterv_any(hws_nonblocking("MPI_Iscatterv_c", request), sendbuf, hws_wides(sendcounts), hws_wides(displs),
                        sendtype, recvbuf, recvcount, recvtype, root, comm);
}
HWS_MPI(Iscatterv_c)

int PMPI_Scatterv_init(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                       void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request)
{
    return scatterv_any(hws_persistent("MPI_Scatterv_init", info, request), sendbuf, hws_ints(sendcounts),
                        hws_ints(displs), sendtype, recvbuf, recvcount, recvtype, root, comm);
}
HWS_MPI(Scatterv_init)

int PMPI_Scatterv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                         MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                         MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return scatterv_any(hws_persistent("MPI_Scatterv_init_c", info, request), sendbuf, hws_wides(sendcounts),
                        hws_wides(displs), sendtype, recvbuf, recvcount, recvtype, root, comm);
}
HWS_MPI(Scatterv_init_c)

HWS_HOT int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
        return MPI_SUCCESS;
    return allgather_any(hws_blocking("MPI_Allgather"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                         comm);
}
HWS_MPI(Allgather)

int PMPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
        return MPI_SUCCESS;
    return allgather_any(hws_blocking("MPI_Allgather_c"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                         comm);
}
HWS_MPI(Allgather_c)

int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return allgather_any(hws_nonblocking("MPI_Iallgather", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                         recvtype, comm);
}
HWS_MPI(Iallgather)

int PMPI_Iallgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return allgather_any(hws_nonblocking("MPI_Iallgather_c", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                         recvtype, comm);
}
HWS_MPI(Iallgather_c)

int PMPI_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return allgather_any(hws_persistent("MPI_Allgather_init", info, request), sendbuf, sendcount, sendtype, recvbuf,
                         recvcount, recvtype, comm);
}
HWS_MPI(Allgather_init)

int PMPI_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                          MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                          MPI_Request *request)
{
    return allgather_any(hws_persistent("MPI_Allgather_init_c", info, request), sendbuf, sendcount, sendtype, recvbuf,
                         recvcount, recvtype, comm);
}
HWS_MPI(Allgather_init_c)

HWS_HOT int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (hws_empty_vector(sendbuf, sendcount, sendtype, recvbuf, hws_ints(recvcounts), hws_ints(displs), recvtype, comm))
        return MPI_SUCCESS;
    return allgatherv_any(hws_blocking("MPI_Allgatherv"), sendbuf, sendcount, sendtype, recvbuf, hws_ints(recvcounts),
                          hws_ints(displs), recvtype, comm);
}
HWS_MPI(Allgatherv)

int PMPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (hws_empty_vector(sendbuf, sendcount, sendtype, recvbuf, hws_wides(recvcounts), hws_wides(displs), recvtype,
                         comm))
        return MPI_SUCCESS;
    return allgatherv_any(hws_blocking("MPI_Allgatherv_c"), sendbuf, sendcount, sendtype, recvbuf,
                          hws_wides(recvcounts), hws_wides(displs), recvtype, comm);
}
HWS_MPI(Allgatherv_c)

int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                     const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_vector(sendbuf, sendcount, sendtype, recvbuf, hws_ints(recvcounts), hws_ints(displs), recvtype,
                         comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return allgatherv_any(hws_nonblocking("MPI_Iallgatherv", request), sendbuf, sendcount, sendtype, recvbuf,
                          hws_ints(recvcounts), hws_ints(displs), recvtype, comm);
}
HWS_MPI(Iallgatherv)

int PMPI_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                       const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Request *request)
{
    if (hws_empty_vector(sendbuf, sendcount, sendtype, recvbuf, hws_wides(recvcounts), hws_wides(displs), recvtype,
                         comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return allgatherv_any(hws_nonblocking("MPI_Iallgatherv_c", request), sendbuf, sendcount, sendtype, recvbuf,
                          hws_wides(recvcounts), hws_wides(displs), recvtype, comm);
}
HWS_MPI(Iallgatherv_c)

int PMPI_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Info info, MPI_Request *request)
{
    return allgatherv_any(hws_persistent("MPI_Allgatherv_init", info, request), sendbuf, sendcount, sendtype, recvbuf,
                          hws_ints(recvcounts), hws_ints(displs), recvtype, comm);
}
HWS_MPI(Allgatherv_init)

int PMPI_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                           const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                           MPI_Info info, MPI_Request *request)
{
    return allgatherv_any(hws_persistent("MPI_Allgatherv_init_c", info, request), sendbuf, sendcount, sendtype, recvbuf,
                          hws_wides(recvcounts), hws_wides(displs), recvtype, comm);
}
HWS_MPI(Allgatherv_init_c)
