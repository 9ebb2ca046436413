/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll_neighbor: neighbourhood collectives in all forms (MPI 5.0 section 8.6).
 */
#include "mpi/public.h"

#include "core/topo/topo.h"
#include "mpi/coll.h"

/* Communicator and topology; numbers of neighbours. */
static int begin(const struct hws_form *f, MPI_Comm comm, struct hws_coll_call *a, int *n_in, int *n_out)
{
    const int *in, *out;
    int rc = hws_coll_begin(f, comm, a);
    return rc == MPI_SUCCESS ? hws_topo_neighbors(a->comm->topo, n_in, &in, n_out, &out) : rc;
}

static int neighbor_allgather_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf,
                                  MPI_Count rn, MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_NEIGHBOR_ALLGATHER, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rn = rn};
    int n_in, n_out, rc = begin(&f, comm, &a, &n_in, &n_out);
    if (rc == MPI_SUCCESS)
        rc = hws_check_sbuf(&a, sn, st, 1);
    if (rc == MPI_SUCCESS)
        rc = hws_check_rbuf(&a, rn, rt, n_in);
    return hws_coll_end(&f, rc, &a);
}

static int neighbor_allgatherv_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf,
                                   struct hws_counts rn, struct hws_counts displs, MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_coll_call a = {
        .kind = HWS_COLL_NEIGHBOR_ALLGATHERV, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rcounts = rn, .rdispls = displs};
    int n_in, n_out, rc = begin(&f, comm, &a, &n_in, &n_out);
    if (rc == MPI_SUCCESS)
        rc = hws_check_sbuf(&a, sn, st, 1);
    if (rc == MPI_SUCCESS)
        rc = hws_check_blocks(rbuf, rn, displs, "displs", rt, n_in, false, &a.rt);
    return hws_coll_end(&f, rc, &a);
}

static int neighbor_alltoall_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf,
                                 MPI_Count rn, MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_NEIGHBOR_ALLTOALL, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rn = rn};
    int n_in, n_out, rc = begin(&f, comm, &a, &n_in, &n_out);
    if (rc == MPI_SUCCESS)
        rc = hws_check_sbuf(&a, sn, st, n_out);
    if (rc == MPI_SUCCESS)
        rc = hws_check_rbuf(&a, rn, rt, n_in);
    return hws_coll_end(&f, rc, &a);
}

static int neighbor_alltoallv_any(struct hws_form f, const void *sbuf, struct hws_counts sn, struct hws_counts sdispls,
                                  MPI_Datatype st, void *rbuf, struct hws_counts rn, struct hws_counts rdispls,
                                  MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_coll_call a = hws_coll_vectors(HWS_COLL_NEIGHBOR_ALLTOALLV, sbuf, sn, sdispls, rbuf, rn, rdispls);
    int n_in, n_out, rc = begin(&f, comm, &a, &n_in, &n_out);
    if (rc == MPI_SUCCESS)
        rc = hws_check_blocks(sbuf, sn, sdispls, "sdispls", st, n_out, true, &a.st);
    if (rc == MPI_SUCCESS)
        rc = hws_check_blocks(rbuf, rn, rdispls, "rdispls", rt, n_in, false, &a.rt);
    return hws_coll_end(&f, rc, &a);
}

static int neighbor_alltoallw_any(struct hws_form f, const void *sbuf, struct hws_counts sn, struct hws_counts sdispls,
                                  const MPI_Datatype *st, void *rbuf, struct hws_counts rn, struct hws_counts rdispls,
                                  const MPI_Datatype *rt, MPI_Comm comm)
{
    struct hws_coll_call a = hws_coll_vectors(HWS_COLL_NEIGHBOR_ALLTOALLW, sbuf, sn, sdispls, rbuf, rn, rdispls);
    a.stypes = st;
    a.rtypes = rt;
    int n_in, n_out, rc = begin(&f, comm, &a, &n_in, &n_out);
    if (rc == MPI_SUCCESS)
        rc = hws_check_not_in_place(sbuf, "sendbuf");
    if (rc == MPI_SUCCESS)
        rc = hws_check_not_in_place(rbuf, "recvbuf");
    if (rc == MPI_SUCCESS)
        rc = hws_check_w_blocks(sbuf, sn, sdispls, "sdispls", st, n_out, true);
    if (rc == MPI_SUCCESS)
        rc = hws_check_w_blocks(rbuf, rn, rdispls, "rdispls", rt, n_in, false);
    return hws_coll_end(&f, rc, &a);
}

/* ---- the functions: six of each operation ---- */

int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbor_allgather_any(hws_blocking("MPI_Neighbor_allgather"), sendbuf, sendcount, sendtype, recvbuf,
                                  recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_allgather)

int PMPI_Neighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbor_allgather_any(hws_blocking("MPI_Neighbor_allgather_c"), sendbuf, sendcount, sendtype, recvbuf,
                                  recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_allgather_c)

int PMPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return neighbor_allgather_any(hws_nonblocking("MPI_Ineighbor_allgather", request), sendbuf, sendcount, sendtype,
                                  recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Ineighbor_allgather)

int PMPI_Ineighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return neighbor_allgather_any(hws_nonblocking("MPI_Ineighbor_allgather_c", request), sendbuf, sendcount, sendtype,
                                  recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Ineighbor_allgather_c)

int PMPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    return neighbor_allgather_any(hws_persistent("MPI_Neighbor_allgather_init", info, request), sendbuf, sendcount,
                                  sendtype, recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_allgather_init)

int PMPI_Neighbor_allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
    return neighbor_allgather_any(hws_persistent("MPI_Neighbor_allgather_init_c", info, request), sendbuf, sendcount,
                                  sendtype, recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_allgather_init_c)

int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbor_allgatherv_any(hws_blocking("MPI_Neighbor_allgatherv"), sendbuf, sendcount, sendtype, recvbuf,
                                   hws_ints(recvcounts), hws_ints(displs), recvtype, comm);
}
HWS_MPI(Neighbor_allgatherv)

int PMPI_Neighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                               MPI_Comm comm)
{
    return neighbor_allgatherv_any(hws_blocking("MPI_Neighbor_allgatherv_c"), sendbuf, sendcount, sendtype, recvbuf,
                                   hws_wides(recvcounts), hws_wides(displs), recvtype, comm);
}
HWS_MPI(Neighbor_allgatherv_c)

int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                              const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                              MPI_Request *request)
{
    return neighbor_allgatherv_any(hws_nonblocking("MPI_Ineighbor_allgatherv", request), sendbuf, sendcount, sendtype,
                                   recvbuf, hws_ints(recvcounts), hws_ints(displs), recvtype, comm);
}
HWS_MPI(Ineighbor_allgatherv)

int PMPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Request *request)
{
    return neighbor_allgatherv_any(hws_nonblocking("MPI_Ineighbor_allgatherv_c", request), sendbuf, sendcount, sendtype,
                                   recvbuf, hws_wides(recvcounts), hws_wides(displs), recvtype, comm);
}
HWS_MPI(Ineighbor_allgatherv_c)

int PMPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                  MPI_Info info, MPI_Request *request)
{
    return neighbor_allgatherv_any(hws_persistent("MPI_Neighbor_allgatherv_init", info, request), sendbuf, sendcount,
                                   sendtype, recvbuf, hws_ints(recvcounts), hws_ints(displs), recvtype, comm);
}
HWS_MPI(Neighbor_allgatherv_init)

int PMPI_Neighbor_allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                                    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return neighbor_allgatherv_any(hws_persistent("MPI_Neighbor_allgatherv_init_c", info, request), sendbuf, sendcount,
                                   sendtype, recvbuf, hws_wides(recvcounts), hws_wides(displs), recvtype, comm);
}
HWS_MPI(Neighbor_allgatherv_init_c)

int PMPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbor_alltoall_any(hws_blocking("MPI_Neighbor_alltoall"), sendbuf, sendcount, sendtype, recvbuf,
                                 recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_alltoall)

int PMPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbor_alltoall_any(hws_blocking("MPI_Neighbor_alltoall_c"), sendbuf, sendcount, sendtype, recvbuf,
                                 recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_alltoall_c)

int PMPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return neighbor_alltoall_any(hws_nonblocking("MPI_Ineighbor_alltoall", request), sendbuf, sendcount, sendtype,
                                 recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Ineighbor_alltoall)

int PMPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return neighbor_alltoall_any(hws_nonblocking("MPI_Ineighbor_alltoall_c", request), sendbuf, sendcount, sendtype,
                                 recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Ineighbor_alltoall_c)

int PMPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return neighbor_alltoall_any(hws_persistent("MPI_Neighbor_alltoall_init", info, request), sendbuf, sendcount,
                                 sendtype, recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_alltoall_init)

int PMPI_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    return neighbor_alltoall_any(hws_persistent("MPI_Neighbor_alltoall_init_c", info, request), sendbuf, sendcount,
                                 sendtype, recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Neighbor_alltoall_init_c)

int PMPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm)
{
    return neighbor_alltoallv_any(hws_blocking("MPI_Neighbor_alltoallv"), sendbuf, hws_ints(sendcounts),
                                  hws_ints(sdispls), sendtype, recvbuf, hws_ints(recvcounts), hws_ints(rdispls),
                                  recvtype, comm);
}
HWS_MPI(Neighbor_alltoallv)

int PMPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbor_alltoallv_any(hws_blocking("MPI_Neighbor_alltoallv_c"), sendbuf, hws_wides(sendcounts),
                                  hws_wides(sdispls), sendtype, recvbuf, hws_wides(recvcounts), hws_wides(rdispls),
                                  recvtype, comm);
}
HWS_MPI(Neighbor_alltoallv_c)

int PMPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request *request)
{
    return neighbor_alltoallv_any(hws_nonblocking("MPI_Ineighbor_alltoallv", request), sendbuf, hws_ints(sendcounts),
                                  hws_ints(sdispls), sendtype, recvbuf, hws_ints(recvcounts), hws_ints(rdispls),
                                  recvtype, comm);
}
HWS_MPI(Ineighbor_alltoallv)

int PMPI_Ineighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                               MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return neighbor_alltoallv_any(hws_nonblocking("MPI_Ineighbor_alltoallv_c", request), sendbuf, hws_wides(sendcounts),
                                  hws_wides(sdispls), sendtype, recvbuf, hws_wides(recvcounts), hws_wides(rdispls),
                                  recvtype, comm);
}
HWS_MPI(Ineighbor_alltoallv_c)

int PMPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                 MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return neighbor_alltoallv_any(hws_persistent("MPI_Neighbor_alltoallv_init", info, request), sendbuf,
                                  hws_ints(sendcounts), hws_ints(sdispls), sendtype, recvbuf, hws_ints(recvcounts),
                                  hws_ints(rdispls), recvtype, comm);
}
HWS_MPI(Neighbor_alltoallv_init)

int PMPI_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                   MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
    return neighbor_alltoallv_any(hws_persistent("MPI_Neighbor_alltoallv_init_c", info, request), sendbuf,
                                  hws_wides(sendcounts), hws_wides(sdispls), sendtype, recvbuf, hws_wides(recvcounts),
                                  hws_wides(rdispls), recvtype, comm);
}
HWS_MPI(Neighbor_alltoallv_init_c)

int PMPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    return neighbor_alltoallw_any(hws_blocking("MPI_Neighbor_alltoallw"), sendbuf, hws_ints(sendcounts),
                                  hws_wides(sdispls), sendtypes, recvbuf, hws_ints(recvcounts), hws_wides(rdispls),
                                  recvtypes, comm);
}
HWS_MPI(Neighbor_alltoallw)

int PMPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    return neighbor_alltoallw_any(hws_blocking("MPI_Neighbor_alltoallw_c"), sendbuf, hws_wides(sendcounts),
                                  hws_wides(sdispls), sendtypes, recvbuf, hws_wides(recvcounts), hws_wides(rdispls),
                                  recvtypes, comm);
}
HWS_MPI(Neighbor_alltoallw_c)

int PMPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                             MPI_Request *request)
{
    return neighbor_alltoallw_any(hws_nonblocking("MPI_Ineighbor_alltoallw", request), sendbuf, hws_ints(sendcounts),
                                  hws_wides(sdispls), sendtypes, recvbuf, hws_ints(recvcounts), hws_wides(rdispls),
                                  recvtypes, comm);
}
HWS_MPI(Ineighbor_alltoallw)

int PMPI_Ineighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                               MPI_Request *request)
{
    return neighbor_alltoallw_any(hws_nonblocking("MPI_Ineighbor_alltoallw_c", request), sendbuf, hws_wides(sendcounts),
                                  hws_wides(sdispls), sendtypes, recvbuf, hws_wides(recvcounts), hws_wides(rdispls),
                                  recvtypes, comm);
}
HWS_MPI(Ineighbor_alltoallw_c)

int PMPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                 const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                 const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    return neighbor_alltoallw_any(hws_persistent("MPI_Neighbor_alltoallw_init", info, request), sendbuf,
                                  hws_ints(sendcounts), hws_wides(sdispls), sendtypes, recvbuf, hws_ints(recvcounts),
                                  hws_wides(rdispls), recvtypes, comm);
}
HWS_MPI(Neighbor_alltoallw_init)

int PMPI_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                   const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                   MPI_Info info, MPI_Request *request)
{
    return neighbor_alltoallw_any(hws_persistent("MPI_Neighbor_alltoallw_init_c", info, request), sendbuf,
                                  hws_wides(sendcounts), hws_wides(sdispls), sendtypes, recvbuf, hws_wides(recvcounts),
                                  hws_wides(rdispls), recvtypes, comm);
}
HWS_MPI(Neighbor_alltoallw_init_c)
