/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: arguments of MPI calls. Each check returns MPI_SUCCESS or the class that the standard asks for, with a
 * sentence that names the argument (core/comm/raise.h). HAWSER_CHECKS=0 turns them off: then handles are only looked
 * up, and what is no object ends as the program deserves.
 */
#ifndef HWS_MPI_CHECK_H
#define HWS_MPI_CHECK_H

#include "core/comm/comm.h"
#include "core/comm/raise.h"
#include "core/object/world.h"
#include "core/op/op.h"
#include "core/type/datatype.h"

/* False (HAWSER_CHECKS=0): what only finds mistakes of the program, and costs time, is left out. */
static inline bool hws_checks_on(void)
{
    return __builtin_expect(!hws_world.unchecked, 1);
}

static inline int hws_check_up(void)
{
    if (__builtin_expect(hws_world_is_up(), 1))
        return MPI_SUCCESS;
    return atomic_load(&hws_world.finalized) ? hws_fail(MPI_ERR_OTHER, "called after MPI_Finalize")
                                             : hws_fail(MPI_ERR_OTHER, "called before MPI_Init");
}

static inline int hws_check_named_comm(MPI_Comm h, const char *arg, struct hws_comm **out)
{
    int rc = hws_check_up();
    if (rc != MPI_SUCCESS)
        return rc;
    if ((*out = hws_comm_of(h)) != NULL)
        return MPI_SUCCESS;
    return h == MPI_COMM_NULL ? hws_fail(MPI_ERR_COMM, "invalid communicator: argument %s is MPI_COMM_NULL", arg)
                              : hws_fail(MPI_ERR_COMM, "invalid communicator: argument %s is no communicator", arg);
}

static inline int hws_check_comm(MPI_Comm h, struct hws_comm **out)
{
    return hws_check_named_comm(h, "comm", out);
}

/* *out is NULL only if the handle is no communicator. */
static inline int hws_check_comm_kind(MPI_Comm h, bool inter, const char *arg, struct hws_comm **out)
{
    int rc = hws_check_named_comm(h, arg, out);
    if (rc != MPI_SUCCESS) {
        *out = NULL;
        return rc;
    }
    if (((*out)->remote != NULL) == inter)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_COMM, "invalid communicator: argument %s is %s intercommunicator", arg,
                    inter ? "no" : "an");
}

static inline int hws_check_inter(MPI_Comm h, const char *arg, struct hws_comm **out)
{
    return hws_check_comm_kind(h, true, arg, out);
}

static inline int hws_check_intra(MPI_Comm h, const char *arg, struct hws_comm **out)
{
    return hws_check_comm_kind(h, false, arg, out);
}

static inline int hws_check_count(MPI_Count n, const char *arg)
{
    if (__builtin_expect(n >= 0, 1))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_COUNT, "invalid count: argument %s is %lld, it must not be negative", arg, (long long)n);
}

/* A type to be used in communication: valid and committed (MPI 5.0 section 5.1.9). */
static inline int hws_check_type(MPI_Datatype h, const char *arg, struct hws_type **out)
{
    struct hws_type *t = hws_type_of(h);
    if (!t)
        return h == MPI_DATATYPE_NULL
                   ? hws_fail(MPI_ERR_TYPE, "invalid datatype: argument %s is MPI_DATATYPE_NULL", arg)
                   : hws_fail(MPI_ERR_TYPE, "invalid datatype: argument %s is no datatype", arg);
    if (!t->committed)
        return hws_fail(MPI_ERR_TYPE, "invalid datatype: argument %s is not committed", arg);
    *out = t;
    return MPI_SUCCESS;
}

/* MPI_BOTTOM is a null pointer (MPI 5.0 section 20.3): wrong only where the data would really lie there, since the type
 * or the displacement may hold an absolute address (section 5.1.5). disp: of the first element from buf (bytes). */
static inline int hws_check_buf_at(const void *buf, MPI_Count disp, MPI_Count n, const struct hws_type *t,
                                   const char *arg)
{
    if (buf || n == 0 || t->size == 0 || disp + t->true_lb != 0)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_BUFFER, "invalid buffer: argument %s is a null pointer, but the count is %lld", arg,
                    (long long)n);
}

static inline int hws_check_buf(const void *buf, MPI_Count n, const struct hws_type *t, const char *arg)
{
    return hws_check_buf_at(buf, 0, n, t, arg);
}

static inline int hws_check_root(int root, const struct hws_comm *c)
{
    int size = c->remote ? c->remote->size : c->size;
    if (root >= 0 && root < size)
        return MPI_SUCCESS;
    if (c->remote && (root == MPI_ROOT || root == MPI_PROC_NULL))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_ROOT, "invalid root: argument root is %d, it must be 0 to %d", root, size - 1);
}

static inline int hws_check_op(MPI_Op h, const struct hws_type *t, struct hws_op **out)
{
    struct hws_op *op = hws_op_of(h);
    if (!op)
        return h == MPI_OP_NULL ? hws_fail(MPI_ERR_OP, "invalid operation: argument op is MPI_OP_NULL")
                                : hws_fail(MPI_ERR_OP, "invalid operation: argument op is no operation");
    int rc = hws_checks_on() ? hws_op_check(op, t) : MPI_SUCCESS;
    if (rc == MPI_SUCCESS)
        *out = op;
    return rc;
}

static inline int hws_check_ptr(const void *p, const char *arg)
{
    return p ? MPI_SUCCESS : hws_fail(MPI_ERR_ARG, "invalid argument: %s is a null pointer", arg);
}

#endif
