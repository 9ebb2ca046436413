/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll_reduce: MPI_Reduce, MPI_Allreduce, MPI_Reduce_scatter(_block), MPI_Scan, MPI_Exscan in all forms (MPI 5.0
 * sections 6.9 to 6.11).
 */
#include "mpi/public.h"

#include "base/hot.h"
#include "mpi/coll.h"
#include "mpi/coll_empty.h"

/* Type, operation and the buffers a rank has: an operand of n_send elements, a result of n_recv. */
HWS_HOT static int check_reduction(struct hws_coll_call *a, MPI_Count n_send, MPI_Count n_recv, MPI_Datatype type,
                                   MPI_Op op, bool gives, bool gets)
{
    bool in_place = gives && gets && hws_coll_in_place(a->sbuf) && !a->comm->remote;
    int rc = hws_check_count(a->rn, a->kind == HWS_COLL_REDUCE_SCATTER_BLOCK ? "recvcount" : "count");
    if (rc == MPI_SUCCESS)
        rc = hws_check_type(type, "datatype", &a->rt);
    if (rc == MPI_SUCCESS)
        rc = hws_check_op(op, a->rt, &a->rop);
    if (rc == MPI_SUCCESS && gets)
        rc = hws_check_rbuf(a, n_recv, type, 1);
    if (rc == MPI_SUCCESS && gives && !in_place)
        rc = hws_check_sbuf(a, n_send, type, 1);
    if (rc == MPI_SUCCESS && gives && gets && !in_place && !a->comm->remote)
        rc = hws_check_alias(hws_type_data(a->rt, a->sbuf, n_send), hws_type_data(a->rt, a->rbuf, n_recv));
    return rc;
}

static int reduce_any(struct hws_form f, const void *sbuf, void *rbuf, MPI_Count n, MPI_Datatype type, MPI_Op op,
                      int root, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_REDUCE, .sbuf = sbuf, .rbuf = rbuf, .rn = n, .root = root};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_root(root, a.comm);
    if (rc == MPI_SUCCESS && root != MPI_PROC_NULL)
        rc = check_reduction(&a, n, n, type, op, hws_coll_at_leaf(&a), hws_coll_at_root(&a));
    return hws_coll_end(&f, rc, &a);
}

HWS_HOT static int allreduce_any(struct hws_form f, const void *sbuf, void *rbuf, MPI_Count n, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_ALLREDUCE, .sbuf = sbuf, .rbuf = rbuf, .rn = n};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = check_reduction(&a, n, n, type, op, true, true);
    return hws_coll_end(&f, rc, &a);
}

/* The sum of all counts, to *total. */
static int check_recvcounts(const struct hws_coll_call *a, MPI_Count *total)
{
    char arg[40];
    int rc = hws_check_ptr(a->rcounts.p, "recvcounts");
    *total = 0;
    for (int i = 0; rc == MPI_SUCCESS && i < a->comm->size; i++) {
        MPI_Count n = hws_counts_at(a->rcounts, i);
        if (n < 0 || __builtin_add_overflow(*total, n, total)) {
            snprintf(arg, sizeof arg, "recvcounts[%d]", i);
            rc = n < 0 ? hws_check_count(n, arg)
                       : hws_fail(MPI_ERR_COUNT, "invalid count: the sum of recvcounts is 2^63 or more");
        }
    }
    return rc;
}

static int reduce_scatter_any(struct hws_form f, const void *sbuf, void *rbuf, struct hws_counts rn, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_REDUCE_SCATTER, .sbuf = sbuf, .rbuf = rbuf, .rcounts = rn};
    MPI_Count total;
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = check_recvcounts(&a, &total);
    if (rc == MPI_SUCCESS)
        rc = check_reduction(&a, total, hws_coll_in_place(sbuf) ? total : hws_counts_at(rn, a.comm->rank), type, op,
                             true, true);
    return hws_coll_end(&f, rc, &a);
}

static int reduce_scatter_block_any(struct hws_form f, const void *sbuf, void *rbuf, MPI_Count rn, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_REDUCE_SCATTER_BLOCK, .sbuf = sbuf, .rbuf = rbuf, .rn = rn};
    MPI_Count total = 0;
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS && __builtin_mul_overflow(rn, (MPI_Count)a.comm->size, &total))
        rc = hws_fail(MPI_ERR_COUNT, "invalid count: argument recvcount is %lld, all blocks would be 2^63 or more",
                      (long long)rn);
    if (rc == MPI_SUCCESS)
        rc = check_reduction(&a, total, hws_coll_in_place(sbuf) ? total : rn, type, op, true, true);
    return hws_coll_end(&f, rc, &a);
}

static int scan_common(struct hws_form f, enum hws_coll_kind kind, const void *sbuf, void *rbuf, MPI_Count n,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = kind, .sbuf = sbuf, .rbuf = rbuf, .rn = n};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS && a.comm->remote)
        rc = hws_fail(MPI_ERR_COMM,
                      "invalid communicator: argument comm is an intercommunicator, scans have no meaning there");
    if (rc == MPI_SUCCESS)
        rc = check_reduction(&a, n, n, type, op, true, true);
    return hws_coll_end(&f, rc, &a);
}

static int scan_any(struct hws_form f, const void *sbuf, void *rbuf, MPI_Count n, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm)
{
    return scan_common(f, HWS_COLL_SCAN, sbuf, rbuf, n, type, op, comm);
}

static int exscan_any(struct hws_form f, const void *sbuf, void *rbuf, MPI_Count n, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm)
{
    return scan_common(f, HWS_COLL_EXSCAN, sbuf, rbuf, n, type, op, comm);
}

/* ---- the functions: six of each operation ---- */

HWS_HOT int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                        MPI_Comm comm)
{
    if (hws_empty_reduce(sendbuf, recvbuf, count, datatype, op, root, comm))
        return MPI_SUCCESS;
    return reduce_any(hws_blocking("MPI_Reduce"), sendbuf, recvbuf, count, datatype, op, root, comm);
}
HWS_MPI(Reduce)

int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                  MPI_Comm comm)
{
    if (hws_empty_reduce(sendbuf, recvbuf, count, datatype, op, root, comm))
        return MPI_SUCCESS;
    return reduce_any(hws_blocking("MPI_Reduce_c"), sendbuf, recvbuf, count, datatype, op, root, comm);
}
HWS_MPI(Reduce_c)

int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_reduce(sendbuf, recvbuf, count, datatype, op, root, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return reduce_any(hws_nonblocking("MPI_Ireduce", request), sendbuf, recvbuf, count, datatype, op, root, comm);
}
HWS_MPI(Ireduce)

int PMPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                   MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_reduce(sendbuf, recvbuf, count, datatype, op, root, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return reduce_any(hws_nonblocking("MPI_Ireduce_c", request), sendbuf, recvbuf, count, datatype, op, root, comm);
}
HWS_MPI(Ireduce_c)

int PMPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                     MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_any(hws_persistent("MPI_Reduce_init", info, request), sendbuf, recvbuf, count, datatype, op, root,
                      comm);
}
HWS_MPI(Reduce_init)

int PMPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_any(hws_persistent("MPI_Reduce_init_c", info, request), sendbuf, recvbuf, count, datatype, op, root,
                      comm);
}
HWS_MPI(Reduce_init_c)

HWS_HOT int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm))
        return MPI_SUCCESS;
    return allreduce_any(hws_blocking("MPI_Allreduce"), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Allreduce)

int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm))
        return MPI_SUCCESS;
    return allreduce_any(hws_blocking("MPI_Allreduce_c"), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Allreduce_c)

int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return allreduce_any(hws_nonblocking("MPI_Iallreduce", request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Iallreduce)

int PMPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return allreduce_any(hws_nonblocking("MPI_Iallreduce_c", request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Iallreduce_c)

int PMPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                        MPI_Info info, MPI_Request *request)
{
    return allreduce_any(hws_persistent("MPI_Allreduce_init", info, request), sendbuf, recvbuf, count, datatype, op,
                         comm);
}
HWS_MPI(Allreduce_init)

int PMPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return allreduce_any(hws_persistent("MPI_Allreduce_init_c", info, request), sendbuf, recvbuf, count, datatype, op,
                         comm);
}
HWS_MPI(Allreduce_init_c)

HWS_HOT int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduce_scatter(sendbuf, recvbuf, hws_ints(recvcounts), datatype, op, comm))
        return MPI_SUCCESS;
    return reduce_scatter_any(hws_blocking("MPI_Reduce_scatter"), sendbuf, recvbuf, hws_ints(recvcounts), datatype, op,
                              comm);
}
HWS_MPI(Reduce_scatter)

int PMPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduce_scatter(sendbuf, recvbuf, hws_wides(recvcounts), datatype, op, comm))
        return MPI_SUCCESS;
    return reduce_scatter_any(hws_blocking("MPI_Reduce_scatter_c"), sendbuf, recvbuf, hws_wides(recvcounts), datatype,
                              op, comm);
}
HWS_MPI(Reduce_scatter_c)

int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_reduce_scatter(sendbuf, recvbuf, hws_ints(recvcounts), datatype, op, comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return reduce_scatter_any(hws_nonblocking("MPI_Ireduce_scatter", request), sendbuf, recvbuf, hws_ints(recvcounts),
                              datatype, op, comm);
}
HWS_MPI(Ireduce_scatter)

int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_reduce_scatter(sendbuf, recvbuf, hws_wides(recvcounts), datatype, op, comm) &&
        hws_empty_start(request))
        return MPI_SUCCESS;
    return reduce_scatter_any(hws_nonblocking("MPI_Ireduce_scatter_c", request), sendbuf, recvbuf,
                              hws_wides(recvcounts), datatype, op, comm);
}
HWS_MPI(Ireduce_scatter_c)

int PMPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                             MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_scatter_any(hws_persistent("MPI_Reduce_scatter_init", info, request), sendbuf, recvbuf,
                              hws_ints(recvcounts), datatype, op, comm);
}
HWS_MPI(Reduce_scatter_init)

int PMPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                               MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_scatter_any(hws_persistent("MPI_Reduce_scatter_init_c", info, request), sendbuf, recvbuf,
                              hws_wides(recvcounts), datatype, op, comm);
}
HWS_MPI(Reduce_scatter_init_c)

HWS_HOT int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype,
                                      MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, recvcount, datatype, op, comm))
        return MPI_SUCCESS;
    return reduce_scatter_block_any(hws_blocking("MPI_Reduce_scatter_block"), sendbuf, recvbuf, recvcount, datatype, op,
                                    comm);
}
HWS_MPI(Reduce_scatter_block)

int PMPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, recvcount, datatype, op, comm))
        return MPI_SUCCESS;
    return reduce_scatter_block_any(hws_blocking("MPI_Reduce_scatter_block_c"), sendbuf, recvbuf, recvcount, datatype,
                                    op, comm);
}
HWS_MPI(Reduce_scatter_block_c)

int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, recvcount, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return reduce_scatter_block_any(hws_nonblocking("MPI_Ireduce_scatter_block", request), sendbuf, recvbuf, recvcount,
                                    datatype, op, comm);
}
HWS_MPI(Ireduce_scatter_block)

int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                 MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, recvcount, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return reduce_scatter_block_any(hws_nonblocking("MPI_Ireduce_scatter_block_c", request), sendbuf, recvbuf,
                                    recvcount, datatype, op, comm);
}
HWS_MPI(Ireduce_scatter_block_c)

int PMPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_scatter_block_any(hws_persistent("MPI_Reduce_scatter_block_init", info, request), sendbuf, recvbuf,
                                    recvcount, datatype, op, comm);
}
HWS_MPI(Reduce_scatter_block_init)

int PMPI_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                     MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return reduce_scatter_block_any(hws_persistent("MPI_Reduce_scatter_block_init_c", info, request), sendbuf, recvbuf,
                                    recvcount, datatype, op, comm);
}
HWS_MPI(Reduce_scatter_block_init_c)

HWS_HOT int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm))
        return MPI_SUCCESS;
    return scan_any(hws_blocking("MPI_Scan"), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Scan)

int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm))
        return MPI_SUCCESS;
    return scan_any(hws_blocking("MPI_Scan_c"), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Scan_c)

int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
               MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return scan_any(hws_nonblocking("MPI_Iscan", request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Iscan)

int PMPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return scan_any(hws_nonblocking("MPI_Iscan_c", request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Iscan_c)

int PMPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request)
{
    return scan_any(hws_persistent("MPI_Scan_init", info, request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Scan_init)

int PMPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return scan_any(hws_persistent("MPI_Scan_init_c", info, request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Scan_init_c)

HWS_HOT int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm))
        return MPI_SUCCESS;
    return exscan_any(hws_blocking("MPI_Exscan"), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Exscan)

int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm))
        return MPI_SUCCESS;
    return exscan_any(hws_blocking("MPI_Exscan_c"), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Exscan_c)

int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return exscan_any(hws_nonblocking("MPI_Iexscan", request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Iexscan)

int PMPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    if (hws_empty_reduction(sendbuf, recvbuf, count, datatype, op, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return exscan_any(hws_nonblocking("MPI_Iexscan_c", request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Iexscan_c)

int PMPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                     MPI_Info info, MPI_Request *request)
{
    return exscan_any(hws_persistent("MPI_Exscan_init", info, request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Exscan_init)

int PMPI_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return exscan_any(hws_persistent("MPI_Exscan_init_c", info, request), sendbuf, recvbuf, count, datatype, op, comm);
}
HWS_MPI(Exscan_init_c)
