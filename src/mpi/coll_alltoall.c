/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll_alltoall: MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw in all forms (MPI 5.0 section 6.8).
 */
#include "mpi/public.h"

#include "base/hot.h"
#include "mpi/coll.h"
#include "mpi/coll_empty.h"

static int ranks(const struct hws_coll_call *a)
{
    return hws_comm_peers(a->comm)->size;
}

static int check_own(const struct hws_coll_call *a)
{
    int r = a->comm->rank;
    return a->comm->remote ? MPI_SUCCESS : hws_check_alias(hws_sblock(a, r), hws_rblock(a, r));
}

HWS_HOT static int alltoall_any(struct hws_form f, const void *sbuf, MPI_Count sn, MPI_Datatype st, void *rbuf,
                                MPI_Count rn, MPI_Datatype rt, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_ALLTOALL, .sbuf = sbuf, .sn = sn, .rbuf = rbuf, .rn = rn};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_in_place(&a, sbuf, "sendbuf");
    if (rc == MPI_SUCCESS)
        rc = hws_check_rbuf(&a, rn, rt, ranks(&a));
    if (rc == MPI_SUCCESS && !hws_coll_in_place(sbuf)) {
        rc = hws_check_sbuf(&a, sn, st, ranks(&a));
        if (rc == MPI_SUCCESS)
            rc = check_own(&a);
    }
    return hws_coll_end(&f, rc, &a);
}

static int alltoallv_any(struct hws_form f, const void *sbuf, struct hws_counts sn, struct hws_counts sdispls,
                         MPI_Datatype st, void *rbuf, struct hws_counts rn, struct hws_counts rdispls, MPI_Datatype rt,
                         MPI_Comm comm)
{
    struct hws_coll_call a = hws_coll_vectors(HWS_COLL_ALLTOALLV, sbuf, sn, sdispls, rbuf, rn, rdispls);
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_in_place(&a, sbuf, "sendbuf");
    if (rc == MPI_SUCCESS)
        rc = hws_check_blocks(rbuf, rn, rdispls, "rdispls", rt, ranks(&a), false, &a.rt);
    if (rc == MPI_SUCCESS && !hws_coll_in_place(sbuf)) {
        rc = hws_check_blocks(sbuf, sn, sdispls, "sdispls", st, ranks(&a), true, &a.st);
        if (rc == MPI_SUCCESS)
            rc = check_own(&a);
    }
    return hws_coll_end(&f, rc, &a);
}

static int alltoallw_any(struct hws_form f, const void *sbuf, struct hws_counts sn, struct hws_counts sdispls,
                         const MPI_Datatype *st, void *rbuf, struct hws_counts rn, struct hws_counts rdispls,
                         const MPI_Datatype *rt, MPI_Comm comm)
{
    struct hws_coll_call a = hws_coll_vectors(HWS_COLL_ALLTOALLW, sbuf, sn, sdispls, rbuf, rn, rdispls);
    a.stypes = st;
    a.rtypes = rt;
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_in_place(&a, sbuf, "sendbuf");
    if (rc == MPI_SUCCESS)
        rc = hws_check_not_in_place(rbuf, "recvbuf");
    if (rc == MPI_SUCCESS)
        rc = hws_check_w_blocks(rbuf, rn, rdispls, "rdispls", rt, ranks(&a), false);
    if (rc == MPI_SUCCESS && !hws_coll_in_place(sbuf)) {
        rc = hws_check_w_blocks(sbuf, sn, sdispls, "sdispls", st, ranks(&a), true);
        if (rc == MPI_SUCCESS)
            rc = check_own(&a);
    }
    return hws_coll_end(&f, rc, &a);
}

/* ---- the functions: six of each operation ---- */

HWS_HOT int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
        return MPI_SUCCESS;
    return alltoall_any(hws_blocking("MPI_Alltoall"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
HWS_MPI(Alltoall)

int PMPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
        return MPI_SUCCESS;
    return alltoall_any(hws_blocking("MPI_Alltoall_c"), sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                        comm);
}
HWS_MPI(Alltoall_c)

int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return alltoall_any(hws_nonblocking("MPI_Ialltoall", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, comm);
}
HWS_MPI(Ialltoall)

int PMPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_blocks(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return alltoall_any(hws_nonblocking("MPI_Ialltoall_c", request), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, comm);
}
HWS_MPI(Ialltoall_c)

int PMPI_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return alltoall_any(hws_persistent("MPI_Alltoall_init", info, request), sendbuf, sendcount, sendtype, recvbuf,
                        recvcount, recvtype, comm);
}
HWS_MPI(Alltoall_init)

int PMPI_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                         MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return alltoall_any(hws_persistent("MPI_Alltoall_init_c", info, request), sendbuf, sendcount, sendtype, recvbuf,
                        recvcount, recvtype, comm);
}
HWS_MPI(Alltoall_init_c)

int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (hws_sits_out_vectors(sendbuf, hws_ints(sendcounts), hws_ints(sdispls), sendtype, recvbuf, hws_ints(recvcounts),
                             hws_ints(rdispls), recvtype, comm))
        return MPI_SUCCESS;
    return alltoallv_any(hws_blocking("MPI_Alltoallv"), sendbuf, hws_ints(sendcounts), hws_ints(sdispls), sendtype,
                         recvbuf, hws_ints(recvcounts), hws_ints(rdispls), recvtype, comm);
}
HWS_MPI(Alltoallv)

int PMPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                     void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                     MPI_Comm comm)
{
    if (hws_sits_out_vectors(sendbuf, hws_wides(sendcounts), hws_wides(sdispls), sendtype, recvbuf,
                             hws_wides(recvcounts), hws_wides(rdispls), recvtype, comm))
        return MPI_SUCCESS;
    return alltoallv_any(hws_blocking("MPI_Alltoallv_c"), sendbuf, hws_wides(sendcounts), hws_wides(sdispls), sendtype,
                         recvbuf, hws_wides(recvcounts), hws_wides(rdispls), recvtype, comm);
}
HWS_MPI(Alltoallv_c)

int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                    MPI_Request *request)
{
    return alltoallv_any(hws_nonblocking("MPI_Ialltoallv", request), sendbuf, hws_ints(sendcounts), hws_ints(sdispls),
                         sendtype, recvbuf, hws_ints(recvcounts), hws_ints(rdispls), recvtype, comm);
}
HWS_MPI(Ialltoallv)

int PMPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return alltoallv_any(hws_nonblocking("MPI_Ialltoallv_c", request), sendbuf, hws_wides(sendcounts),
                         hws_wides(sdispls), sendtype, recvbuf, hws_wides(recvcounts), hws_wides(rdispls), recvtype,
                         comm);
}
HWS_MPI(Ialltoallv_c)

int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                        MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return alltoallv_any(hws_persistent("MPI_Alltoallv_init", info, request), sendbuf, hws_ints(sendcounts),
                         hws_ints(sdispls), sendtype, recvbuf, hws_ints(recvcounts), hws_ints(rdispls), recvtype, comm);
}
HWS_MPI(Alltoallv_init)

int PMPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                          MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return alltoallv_any(hws_persistent("MPI_Alltoallv_init_c", info, request), sendbuf, hws_wides(sendcounts),
                         hws_wides(sdispls), sendtype, recvbuf, hws_wides(recvcounts), hws_wides(rdispls), recvtype,
                         comm);
}
HWS_MPI(Alltoallv_init_c)

int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                   void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                   MPI_Comm comm)
{
    return alltoallw_any(hws_blocking("MPI_Alltoallw"), sendbuf, hws_ints(sendcounts), hws_ints(sdispls), sendtypes,
                         recvbuf, hws_ints(recvcounts), hws_ints(rdispls), recvtypes, comm);
}
HWS_MPI(Alltoallw)

int PMPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    return alltoallw_any(hws_blocking("MPI_Alltoallw_c"), sendbuf, hws_wides(sendcounts), hws_wides(sdispls), sendtypes,
                         recvbuf, hws_wides(recvcounts), hws_wides(rdispls), recvtypes, comm);
}
HWS_MPI(Alltoallw_c)

int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                    void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                    MPI_Comm comm, MPI_Request *request)
{
    return alltoallw_any(hws_nonblocking("MPI_Ialltoallw", request), sendbuf, hws_ints(sendcounts), hws_ints(sdispls),
                         sendtypes, recvbuf, hws_ints(recvcounts), hws_ints(rdispls), recvtypes, comm);
}
HWS_MPI(Ialltoallw)

int PMPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request)
{
    return alltoallw_any(hws_nonblocking("MPI_Ialltoallw_c", request), sendbuf, hws_wides(sendcounts),
                         hws_wides(sdispls), sendtypes, recvbuf, hws_wides(recvcounts), hws_wides(rdispls), recvtypes,
                         comm);
}
HWS_MPI(Ialltoallw_c)

int PMPI_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                        const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return alltoallw_any(hws_persistent("MPI_Alltoallw_init", info, request), sendbuf, hws_ints(sendcounts),
                         hws_ints(sdispls), sendtypes, recvbuf, hws_ints(recvcounts), hws_ints(rdispls), recvtypes,
                         comm);
}
HWS_MPI(Alltoallw_init)

int PMPI_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                          MPI_Request *request)
{
    return alltoallw_any(hws_persistent("MPI_Alltoallw_init_c", info, request), sendbuf, hws_wides(sendcounts),
                         hws_wides(sdispls), sendtypes, recvbuf, hws_wides(recvcounts), hws_wides(rdispls), recvtypes,
                         comm);
}
HWS_MPI(Alltoallw_init_c)
