/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check_p2p: arguments of point-to-point calls (MPI 5.0 section 3.2). One table of argument names per side of a
 * message, as MPI_Sendrecv calls its arguments otherwise than MPI_Send.
 */
#ifndef HWS_MPI_CHECK_P2P_H
#define HWS_MPI_CHECK_P2P_H

#include <stdio.h>

#include "core/p2p/p2p.h"
#include "core/request/request.h"
#include "mpi/check.h"

/* The compiler finds these too long, for all their sentences; but those are out of the way (hws_fail is cold). */
#define HWS_ALWAYS_INLINE __attribute__((always_inline))

struct hws_side_names {
    const char *buf, *count, *type, *rank, *tag;
};

/* Bytes of the message must be countable: MPI_ERR_COUNT otherwise. */
static inline int hws_check_size(MPI_Count n, const struct hws_type *t, const char *arg)
{
    MPI_Count bytes;
    if (__builtin_expect(!t->too_large && !__builtin_mul_overflow(n, t->size, &bytes), 1))
        return MPI_SUCCESS;
    return n == 0 ? MPI_SUCCESS
                  : hws_fail(MPI_ERR_COUNT,
                             "invalid count: argument %s is %lld, the message would have 2^63 bytes or more", arg,
                             (long long)n);
}

/* Buffer, count and datatype. Programs give MPI_DATATYPE_NULL for empty messages, and other MPIs take it: so do we. */
static inline HWS_ALWAYS_INLINE int hws_check_data(const void *buf, MPI_Count n, MPI_Datatype h,
                                                   const struct hws_side_names *names, struct hws_type **t)
{
    int rc;
    *t = NULL;
    if (__builtin_expect(h == MPI_DATATYPE_NULL, 0) && n == 0)
        h = MPI_BYTE;
    if (!hws_checks_on()) {
        *t = hws_type_of(h);
        return MPI_SUCCESS;
    }
    if ((rc = hws_check_count(n, names->count)) != MPI_SUCCESS ||
        (rc = hws_check_type(h, names->type, t)) != MPI_SUCCESS ||
        (rc = hws_check_size(n, *t, names->count)) != MPI_SUCCESS)
        return rc;
    return hws_check_buf(buf, n, *t, names->buf);
}

static inline int hws_check_dest(const struct hws_comm *c, int rank, const char *arg)
{
    int size = hws_comm_peers(c)->size;
    if (__builtin_expect((rank >= 0 && rank < size) || rank == MPI_PROC_NULL, 1))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_RANK, "invalid rank: argument %s is %d, it must be 0 to %d or MPI_PROC_NULL", arg, rank,
                    size - 1);
}

static inline int hws_check_source(const struct hws_comm *c, int rank, const char *arg)
{
    int size = hws_comm_peers(c)->size;
    if (__builtin_expect((rank >= 0 && rank < size) || rank == MPI_PROC_NULL || rank == MPI_ANY_SOURCE, 1))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_RANK,
                    "invalid rank: argument %s is %d, it must be 0 to %d, MPI_ANY_SOURCE or MPI_PROC_NULL", arg, rank,
                    size - 1);
}

static inline int hws_check_send_tag(int tag, const char *arg)
{
    if (__builtin_expect(tag >= 0, 1)) /* HWS_TAG_UB is INT_MAX */
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_TAG, "invalid tag: argument %s is %d, it must be 0 to %d", arg, tag, HWS_TAG_UB);
}

static inline int hws_check_recv_tag(int tag, const char *arg)
{
    if (__builtin_expect(tag >= 0 || tag == MPI_ANY_TAG, 1))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_TAG, "invalid tag: argument %s is %d, it must be 0 to %d or MPI_ANY_TAG", arg, tag,
                    HWS_TAG_UB);
}

static inline HWS_ALWAYS_INLINE int hws_check_send(const struct hws_comm *c, const void *buf, MPI_Count n,
                                                   MPI_Datatype h, int dest, int tag,
                                                   const struct hws_side_names *names, struct hws_type **t)
{
    int rc;
    if ((rc = hws_check_data(buf, n, h, names, t)) != MPI_SUCCESS || !hws_checks_on() ||
        (rc = hws_check_dest(c, dest, names->rank)) != MPI_SUCCESS)
        return rc;
    return hws_check_send_tag(tag, names->tag);
}

static inline HWS_ALWAYS_INLINE int hws_check_recv(const struct hws_comm *c, const void *buf, MPI_Count n,
                                                   MPI_Datatype h, int source, int tag,
                                                   const struct hws_side_names *names, struct hws_type **t)
{
    int rc;
    if ((rc = hws_check_data(buf, n, h, names, t)) != MPI_SUCCESS || !hws_checks_on() ||
        (rc = hws_check_source(c, source, names->rank)) != MPI_SUCCESS)
        return rc;
    return hws_check_recv_tag(tag, names->tag);
}

/* A request that must exist, as of MPI_Start or MPI_Cancel. index < 0: the argument is no array. */
static inline int hws_check_request(MPI_Request h, const char *arg, int index, struct hws_request **out)
{
    char where[32] = "";
    if ((*out = hws_request_of(h)) != NULL)
        return MPI_SUCCESS;
    if (index >= 0)
        snprintf(where, sizeof(where), "[%d]", index);
    return hws_fail(MPI_ERR_REQUEST, "invalid request: argument %s%s is %s", arg, where,
                    h == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL" : "no request");
}

/* The same, but MPI_REQUEST_NULL is fine. */
static inline int hws_check_request_or_null(MPI_Request h, const char *arg, int index, struct hws_request **out)
{
    *out = NULL;
    return h == MPI_REQUEST_NULL ? MPI_SUCCESS : hws_check_request(h, arg, index, out);
}

#endif
