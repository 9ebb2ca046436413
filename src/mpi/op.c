/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op: entry points of reduction operations (MPI 5.0 sections 6.9.5 and 6.9.7).
 */
#include "mpi/public.h"

#include "core/op/op.h"
#include "mpi/check.h"

/* What both forms of MPI_Op_create share; the caller adds the function. */
static int op_create(bool has_fn, int commute, MPI_Op *op, struct hws_op **out)
{
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS)
        rc = has_fn ? hws_check_ptr(op, "op") : hws_fail(MPI_ERR_ARG, "invalid argument: user_fn is a null pointer");
    if (rc == MPI_SUCCESS)
        rc = hws_op_new(commute != 0, out);
    return rc;
}

int PMPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op)
{
    struct hws_op *o = NULL;
    int rc = op_create(user_fn != NULL, commute, op, &o);
    if (rc == MPI_SUCCESS) {
        o->user.fn = user_fn;
        *op = hws_op_handle(o);
    }
    return hws_raise(NULL, "MPI_Op_create", rc);
}
HWS_MPI(Op_create)

int PMPI_Op_create_c(MPI_User_function_c *user_fn, int commute, MPI_Op *op)
{
    struct hws_op *o = NULL;
    int rc = op_create(user_fn != NULL, commute, op, &o);
    if (rc == MPI_SUCCESS) {
        o->wide = true;
        o->user.fn_c = user_fn;
        *op = hws_op_handle(o);
    }
    return hws_raise(NULL, "MPI_Op_create_c", rc);
}
HWS_MPI(Op_create_c)

/* The operation itself, whatever the type. */
static int check_any_op(MPI_Op h, struct hws_op **out)
{
    int rc = hws_check_up();
    if (rc != MPI_SUCCESS)
        return rc;
    if ((*out = hws_op_of(h)) != NULL)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_OP, "invalid operation: argument op is %s",
                    h == MPI_OP_NULL ? "MPI_OP_NULL" : "no operation");
}

static int op_free(MPI_Op *op)
{
    struct hws_op *o = NULL;
    int rc = hws_check_ptr(op, "op");
    if (rc != MPI_SUCCESS || (rc = check_any_op(*op, &o)) != MPI_SUCCESS)
        return rc;
    if (o->obj.handle)
        return hws_fail(MPI_ERR_OP, "invalid operation: argument op is predefined and cannot be freed");
    hws_op_drop(o);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int PMPI_Op_free(MPI_Op *op)
{
    return hws_raise(NULL, "MPI_Op_free", op_free(op));
}
HWS_MPI(Op_free)

int PMPI_Op_commutative(MPI_Op op, int *commute)
{
    struct hws_op *o = NULL;
    int rc = check_any_op(op, &o);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(commute, "commute");
    if (rc == MPI_SUCCESS)
        *commute = o->commutative;
    return hws_raise(NULL, "MPI_Op_commutative", rc);
}
HWS_MPI(Op_commutative)

/* Both operands are the caller's own, so there is no place to be "in" (MPI 5.0 section 6.9.7). */
static int check_operand(const void *buf, MPI_Count count, const struct hws_type *t, const char *arg)
{
    if (buf == MPI_IN_PLACE)
        return hws_fail(MPI_ERR_BUFFER, "invalid buffer: argument %s is MPI_IN_PLACE", arg);
    return hws_check_buf(buf, count, t, arg);
}

/* Inline, so that a signal in a user's function finds the call's name on the stack: it would be a jump, else. */
static inline __attribute__((always_inline)) int reduce_local(const char *fn, const void *in, void *inout,
                                                              MPI_Count count, MPI_Datatype datatype, MPI_Op h)
{
    struct hws_type *t = NULL;
    struct hws_op *op = NULL;
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS)
        rc = hws_check_count(count, "count");
    if (rc == MPI_SUCCESS)
        rc = hws_check_type(datatype, "datatype", &t);
    if (rc == MPI_SUCCESS)
        rc = hws_check_op(h, t, &op);
    if (rc == MPI_SUCCESS)
        rc = check_operand(in, count, t, "inbuf");
    if (rc == MPI_SUCCESS)
        rc = check_operand(inout, count, t, "inoutbuf");
    if (rc == MPI_SUCCESS && in == inout && count > 0 && t->size > 0)
        rc = hws_fail(MPI_ERR_BUFFER, "invalid buffer: arguments inbuf and inoutbuf are the same");
    if (rc == MPI_SUCCESS)
        hws_op_apply(op, in, inout, count, t);
    return hws_raise(NULL, fn, rc);
}

int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    return reduce_local("MPI_Reduce_local", inbuf, inoutbuf, count, datatype, op);
}
HWS_MPI(Reduce_local)

int PMPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op)
{
    return reduce_local("MPI_Reduce_local_c", inbuf, inoutbuf, count, datatype, op);
}
HWS_MPI(Reduce_local_c)
