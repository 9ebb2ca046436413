/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll: the checks and forms that all collectives share, and MPI_Barrier and MPI_Bcast.
 */
#include "mpi/public.h"

#include "base/hot.h"
#include "core/comm/call.h"
#include "core/object/info.h"
#include "mpi/coll.h"
#include "mpi/coll_empty.h"

static const struct hws_side_names send_names = {.buf = "sendbuf", .count = "sendcount", .type = "sendtype"};
static const struct hws_side_names recv_names = {.buf = "recvbuf", .count = "recvcount", .type = "recvtype"};
static const struct hws_side_names plain_names = {.buf = "buffer", .count = "count", .type = "datatype"};

/* Reductions and broadcasts call count and type plainly, whichever the buffer. */
static struct hws_side_names names_of(const struct hws_coll_call *a, bool send)
{
    struct hws_side_names n = send ? send_names : recv_names;
    bool one_block = a->kind == HWS_COLL_REDUCE_SCATTER_BLOCK;
    if (!a->rop)
        return n;
    n.count = one_block ? "recvcount" : a->kind == HWS_COLL_REDUCE_SCATTER ? "recvcounts" : "count";
    n.type = "datatype";
    return n;
}

HWS_HOT int hws_coll_begin(const struct hws_form *f, MPI_Comm comm, struct hws_coll_call *a)
{
    int rc = hws_check_comm(comm, &a->comm);
    if (rc != MPI_SUCCESS || f->kind == HWS_BLOCKING)
        return rc;
    if ((rc = hws_check_ptr(f->req, "request")) != MPI_SUCCESS)
        return rc;
    if (f->kind == HWS_PERSISTENT && f->info != MPI_INFO_NULL && !hws_info_of(f->info))
        return hws_fail(MPI_ERR_INFO, "invalid info: argument info is no info object");
    return MPI_SUCCESS;
}

HWS_HOT int hws_coll_end(const struct hws_form *f, int rc, const struct hws_coll_call *a)
{
    struct hws_request *r = NULL;
    if (rc != MPI_SUCCESS)
        return hws_raise(a->comm, f->fn, rc);
    if (f->kind == HWS_BLOCKING) {
        hws_call_begin(f->fn, a->comm);
        rc = hws_coll_run(a);
        hws_call_end();
        return hws_raise(a->comm, f->fn, rc);
    }
    rc = f->kind == HWS_NONBLOCKING ? hws_coll_start(a, &r) : hws_coll_prepare(a, &r);
    if (rc == MPI_SUCCESS)
        *f->req = hws_request_handle(r);
    return hws_raise(a->comm, f->fn, rc);
}

HWS_HOT int hws_check_not_in_place(const void *buf, const char *arg)
{
    if (__builtin_expect(buf != MPI_IN_PLACE, 1))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_BUFFER, "invalid buffer: argument %s must not be MPI_IN_PLACE here", arg);
}

int hws_check_in_place(const struct hws_coll_call *a, const void *buf, const char *arg)
{
    bool allowed = !a->comm->remote && !hws_coll_is_neighbor(a);
    return allowed ? MPI_SUCCESS : hws_check_not_in_place(buf, arg);
}

/* Whether the bytes of all blocks of n elements, and the distance from the first to the last, can be counted. */
static inline bool is_countable(MPI_Count n, const struct hws_type *t, MPI_Count blocks)
{
    MPI_Count total, bytes, span;
    return !__builtin_mul_overflow(n, blocks, &total) && !__builtin_mul_overflow(total, t->size, &bytes) &&
           !__builtin_mul_overflow(total, t->extent, &span);
}

static int check_span(MPI_Count n, const struct hws_type *t, MPI_Count blocks, const char *arg)
{
    if (!hws_checks_on() || is_countable(n, t, blocks))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_COUNT, "invalid count: argument %s is %lld, the buffer would have 2^63 bytes or more", arg,
                    (long long)n);
}

HWS_HOT static int check_side(const void *buf, MPI_Count n, MPI_Datatype type, MPI_Count blocks,
                              const struct hws_side_names *names, struct hws_type **t)
{
    int rc = hws_check_not_in_place(buf, names->buf);
    if (rc == MPI_SUCCESS)
        rc = hws_check_data(buf, n, type, names, t);
    return rc == MPI_SUCCESS ? check_span(n, *t, blocks, names->count) : rc;
}

int hws_check_sbuf(struct hws_coll_call *a, MPI_Count n, MPI_Datatype type, MPI_Count blocks)
{
    struct hws_side_names names = names_of(a, true);
    return check_side(a->sbuf, n, type, blocks, &names, &a->st);
}

int hws_check_rbuf(struct hws_coll_call *a, MPI_Count n, MPI_Datatype type, MPI_Count blocks)
{
    struct hws_side_names names = names_of(a, false);
    return check_side(a->rbuf, n, type, blocks, &names, &a->rt);
}

/* What is wrong with count i of a vector: only then its name is made. */
__attribute__((cold)) static int bad_count_at(MPI_Count n, int i, bool send, const struct hws_type *t)
{
    char arg[40];
    snprintf(arg, sizeof arg, "%s[%d]", send ? "sendcounts" : "recvcounts", i);
    int rc = hws_check_count(n, arg);
    return rc == MPI_SUCCESS ? check_span(n, t, 1, arg) : rc;
}

static inline int check_count_at(MPI_Count n, int i, bool send, const struct hws_type *t)
{
    return __builtin_expect(n >= 0 && is_countable(n, t, 1), 1) ? MPI_SUCCESS : bad_count_at(n, i, send, t);
}

__attribute__((cold)) static int bad_type_at(MPI_Datatype type, int i, bool send)
{
    char arg[40];
    struct hws_type *t;
    snprintf(arg, sizeof arg, "%s[%d]", send ? "sendtypes" : "recvtypes", i);
    return hws_check_type(type, arg, &t);
}

static int check_vectors(struct hws_counts counts, struct hws_counts displs, const char *displs_arg, int n, bool send)
{
    int rc = n > 0 ? hws_check_ptr(counts.p, send ? "sendcounts" : "recvcounts") : MPI_SUCCESS;
    if (rc == MPI_SUCCESS && n > 0)
        rc = hws_check_ptr(displs.p, displs_arg);
    return rc;
}

HWS_HOT int hws_check_blocks(const void *buf, struct hws_counts counts, struct hws_counts displs,
                             const char *displs_arg, MPI_Datatype type, int n, bool send, struct hws_type **t)
{
    const struct hws_side_names *names = send ? &send_names : &recv_names;
    int rc = hws_check_not_in_place(buf, names->buf);
    if (rc == MPI_SUCCESS)
        rc = hws_check_type(type, names->type, t);
    if (!hws_checks_on())
        return rc;
    if (rc == MPI_SUCCESS)
        rc = check_vectors(counts, displs, displs_arg, n, send);
    for (int i = 0; rc == MPI_SUCCESS && i < n; i++) {
        MPI_Count count = hws_counts_at(counts, i);
        rc = check_count_at(count, i, send, *t);
        if (rc == MPI_SUCCESS)
            rc = hws_check_buf_at(buf, hws_counts_at(displs, i) * (*t)->extent, count, *t, names->buf);
    }
    return rc;
}

int hws_check_w_blocks(const void *buf, struct hws_counts counts, struct hws_counts displs, const char *displs_arg,
                       const MPI_Datatype *types, int n, bool send)
{
    if (!hws_checks_on())
        return MPI_SUCCESS;
    int rc = check_vectors(counts, displs, displs_arg, n, send);
    if (rc == MPI_SUCCESS && n > 0)
        rc = hws_check_ptr(types, send ? "sendtypes" : "recvtypes");
    for (int i = 0; rc == MPI_SUCCESS && i < n; i++) {
        MPI_Count count = hws_counts_at(counts, i);
        if (count == 0) /* a type that moves nothing is not looked at */
            continue;
        struct hws_type *t = hws_type_of(types[i]);
        rc = t && t->committed ? check_count_at(count, i, send, t) : bad_type_at(types[i], i, send);
        if (rc == MPI_SUCCESS)
            rc = hws_check_buf_at(buf, hws_counts_at(displs, i), count, t, send ? "sendbuf" : "recvbuf");
    }
    return rc;
}

int hws_check_alias(struct hws_data from, struct hws_data to)
{
    if (__builtin_expect(from.base != to.base || from.len_bytes == 0 || to.len_bytes == 0 || !from.base, 1) ||
        !hws_checks_on())
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_BUFFER,
                    "invalid buffer: arguments sendbuf and recvbuf name the same memory; MPI_IN_PLACE says that");
}

/* ---- barrier and broadcast ---- */

HWS_HOT static int barrier_any(struct hws_form f, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_BARRIER};
    return hws_coll_end(&f, hws_coll_begin(&f, comm, &a), &a);
}

HWS_HOT static int bcast_any(struct hws_form f, void *buffer, MPI_Count n, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct hws_coll_call a = {.kind = HWS_COLL_BCAST, .rbuf = buffer, .rn = n, .root = root};
    int rc = hws_coll_begin(&f, comm, &a);
    if (rc == MPI_SUCCESS)
        rc = hws_check_root(root, a.comm);
    if (rc == MPI_SUCCESS && root != MPI_PROC_NULL)
        rc = check_side(buffer, n, type, 1, &plain_names, &a.rt);
    return hws_coll_end(&f, rc, &a);
}

/* ---- the functions: six of each operation ---- */

HWS_HOT int PMPI_Barrier(MPI_Comm comm)
{
    return barrier_any(hws_blocking("MPI_Barrier"), comm);
}
HWS_MPI(Barrier)

int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return barrier_any(hws_nonblocking("MPI_Ibarrier", request), comm);
}
HWS_MPI(Ibarrier)

int PMPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return barrier_any(hws_persistent("MPI_Barrier_init", info, request), comm);
}
HWS_MPI(Barrier_init)

HWS_HOT int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    if (hws_empty_bcast(buffer, count, datatype, root, comm))
        return MPI_SUCCESS;
    return bcast_any(hws_blocking("MPI_Bcast"), buffer, count, datatype, root, comm);
}
HWS_MPI(Bcast)

int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    if (hws_empty_bcast(buffer, count, datatype, root, comm))
        return MPI_SUCCESS;
    return bcast_any(hws_blocking("MPI_Bcast_c"), buffer, count, datatype, root, comm);
}
HWS_MPI(Bcast_c)

int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_bcast(buffer, count, datatype, root, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return bcast_any(hws_nonblocking("MPI_Ibcast", request), buffer, count, datatype, root, comm);
}
HWS_MPI(Ibcast)

int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    if (hws_empty_bcast(buffer, count, datatype, root, comm) && hws_empty_start(request))
        return MPI_SUCCESS;
    return bcast_any(hws_nonblocking("MPI_Ibcast_c", request), buffer, count, datatype, root, comm);
}
HWS_MPI(Ibcast_c)

int PMPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                    MPI_Request *request)
{
    return bcast_any(hws_persistent("MPI_Bcast_init", info, request), buffer, count, datatype, root, comm);
}
HWS_MPI(Bcast_init)

int PMPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request *request)
{
    return bcast_any(hws_persistent("MPI_Bcast_init_c", info, request), buffer, count, datatype, root, comm);
}
HWS_MPI(Bcast_init_c)
