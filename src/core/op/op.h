/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op: reduction operations behind MPI_Op.
 */
#ifndef HWS_CORE_OP_H
#define HWS_CORE_OP_H

#include "core/type/datatype.h"

struct hws_op {
    struct hws_object obj;
    bool commutative;
    bool wide; /* user function takes MPI_Count (MPI_Op_create_c) */
    union {
        MPI_User_function *fn;
        MPI_User_function_c *fn_c;
    } user; /* user-defined only */
};

extern struct hws_op *hws_ops_builtin[32]; /* by (handle & 0x1f) */

/* The object of a handle; NULL if it is none (MPI_OP_NULL too). */
struct hws_op *hws_op_of(MPI_Op h);

static inline MPI_Op hws_op_handle(struct hws_op *op)
{
    return (MPI_Op)hws_object_handle(&op->obj);
}

/* A user operation with one reference; the caller sets wide and the function. MPI class. */
int hws_op_new(bool commutative, struct hws_op **out);
void hws_op_hold(struct hws_op *op);
void hws_op_drop(struct hws_op *op);

/* MPI_SUCCESS, or MPI_ERR_OP with a sentence when the predefined op is not defined on the type (MPI 5.0 section 6.9.2).
 * MPI_REPLACE and MPI_NO_OP are refused: only one-sided communication may use them, and needs no check for it. */
int hws_op_check(const struct hws_op *op, const struct hws_type *t);

/* Whether the handle is an operation, and that is no mistake on the type. */
bool hws_op_serves(MPI_Op h, const struct hws_type *t);

/* inout[i] = in[i] op inout[i], for count elements (the standard's order: `in` is the left operand). */
void hws_op_apply(const struct hws_op *op, const void *in, void *inout, MPI_Count count, struct hws_type *t);

#endif
