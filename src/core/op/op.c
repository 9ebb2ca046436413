/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op: predefined and user operations: life, what is defined on what (MPI 5.0 section 6.9.2), and the call.
 */
#include "core/op/op.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hot.h"
#include "core/object/fail.h"
#include "core/op/op_priv.h"
#include "core/type/datatype_make.h"

#define CLASS(c) (1u << HWS_CLASS_##c)
#define INTEGERS (CLASS(C_INTEGER) | CLASS(F_INTEGER) | CLASS(MULTI))
/* MPI_CHAR is text to the standard, and MPI_AINT, MPI_OFFSET and MPI_COUNT are no truth values; other libraries take
 * them as the C integers they are, and programs rely on it. */
#define ORDERED (INTEGERS | CLASS(FLOAT) | CLASS(CHAR))
#define NUMBERS (ORDERED | CLASS(COMPLEX))
#define TRUTHS  (CLASS(C_INTEGER) | CLASS(MULTI) | CLASS(LOGICAL) | CLASS(CHAR))
#define BITS    (INTEGERS | CLASS(BYTE) | CLASS(CHAR))

#define PREDEFINED(op)                                                                                                 \
    {                                                                                                                  \
        .obj = {.kind = HWS_KIND_OP, .refs = 1, .handle = 0x20 + (op)}, .commutative = true                            \
    }

static struct hws_op predefined[32] = {
    [0x01] = PREDEFINED(0x01), [0x02] = PREDEFINED(0x02), [0x03] = PREDEFINED(0x03), [0x04] = PREDEFINED(0x04),
    [0x08] = PREDEFINED(0x08), [0x09] = PREDEFINED(0x09), [0x0a] = PREDEFINED(0x0a), [0x10] = PREDEFINED(0x10),
    [0x11] = PREDEFINED(0x11), [0x12] = PREDEFINED(0x12), [0x18] = PREDEFINED(0x18), [0x19] = PREDEFINED(0x19),
    [0x1c] = PREDEFINED(0x1c), [0x1d] = PREDEFINED(0x1d),
};
#undef PREDEFINED

struct hws_op *hws_ops_builtin[32] = {
    [0x01] = &predefined[0x01], [0x02] = &predefined[0x02], [0x03] = &predefined[0x03], [0x04] = &predefined[0x04],
    [0x08] = &predefined[0x08], [0x09] = &predefined[0x09], [0x0a] = &predefined[0x0a], [0x10] = &predefined[0x10],
    [0x11] = &predefined[0x11], [0x12] = &predefined[0x12], [0x18] = &predefined[0x18], [0x19] = &predefined[0x19],
    [0x1c] = &predefined[0x1c], [0x1d] = &predefined[0x1d],
};

struct rule {
    const char *name;
    unsigned classes; /* CLASS bits it is defined on */
};

static const struct rule rules[32] = {
    [HWS_OP_SLOT(MPI_SUM)] = {"MPI_SUM", NUMBERS},
    [HWS_OP_SLOT(MPI_PROD)] = {"MPI_PROD", NUMBERS},
    [HWS_OP_SLOT(MPI_MIN)] = {"MPI_MIN", ORDERED},
    [HWS_OP_SLOT(MPI_MAX)] = {"MPI_MAX", ORDERED},
    [HWS_OP_SLOT(MPI_BAND)] = {"MPI_BAND", BITS},
    [HWS_OP_SLOT(MPI_BOR)] = {"MPI_BOR", BITS},
    [HWS_OP_SLOT(MPI_BXOR)] = {"MPI_BXOR", BITS},
    [HWS_OP_SLOT(MPI_LAND)] = {"MPI_LAND", TRUTHS},
    [HWS_OP_SLOT(MPI_LOR)] = {"MPI_LOR", TRUTHS},
    [HWS_OP_SLOT(MPI_LXOR)] = {"MPI_LXOR", TRUTHS},
    [HWS_OP_SLOT(MPI_MINLOC)] = {"MPI_MINLOC", CLASS(PAIR)},
    [HWS_OP_SLOT(MPI_MAXLOC)] = {"MPI_MAXLOC", CLASS(PAIR)},
    [HWS_OP_SLOT(MPI_REPLACE)] = {"MPI_REPLACE", 0},
    [HWS_OP_SLOT(MPI_NO_OP)] = {"MPI_NO_OP", 0},
};

struct hws_op *hws_op_of(MPI_Op h)
{
    if (((uintptr_t)h >> 5) == 1)
        return hws_ops_builtin[HWS_OP_SLOT(h)];
    return (struct hws_op *)(void *)hws_object_of(h, HWS_KIND_OP);
}

int hws_op_new(bool commutative, struct hws_op **out)
{
    struct hws_op *op = calloc(1, sizeof *op);
    if (!op)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for an operation");
    hws_object_init(&op->obj, HWS_KIND_OP);
    op->commutative = commutative;
    *out = op;
    return MPI_SUCCESS;
}

void hws_op_hold(struct hws_op *op)
{
    if (!op->obj.handle)
        hws_object_hold(&op->obj);
}

void hws_op_drop(struct hws_op *op)
{
    if (!op || op->obj.handle || !hws_object_unref(&op->obj))
        return;
    op->obj.kind = 0;
    free(op);
}

static hws_op_loop *loop_of(const struct hws_op *op, const struct hws_type *t)
{
    unsigned slot = HWS_OP_SLOT(op->obj.handle);
    while (t->basic == HWS_BASIC_VALUE_INDEX && t->combiner == MPI_COMBINER_DUP)
        t = t->tree->types[0];
    if (t->basic == HWS_BASIC_VALUE_INDEX)
        return hws_op_unnamed_pair(slot == HWS_OP_SLOT(MPI_MAXLOC), t->tree->types[0]->basic, t->tree->types[1]->basic);
    if (hws_op_ints[slot][t->basic])
        return hws_op_ints[slot][t->basic];
    return hws_op_floats[slot][t->basic] ? hws_op_floats[slot][t->basic] : hws_op_pairs[slot][t->basic];
}

static inline bool is_defined(const struct hws_op *op, const struct hws_type *t)
{
    const struct rule *r = &rules[HWS_OP_SLOT(op->obj.handle)];
    return !op->obj.handle || ((r->classes >> t->op_class & 1) && t->op_class != HWS_CLASS_NONE && loop_of(op, t));
}

HWS_HOT bool hws_op_serves(MPI_Op h, const struct hws_type *t)
{
    const struct hws_op *op = hws_op_of(h);
    return op && is_defined(op, t);
}

HWS_HOT int hws_op_check(const struct hws_op *op, const struct hws_type *t)
{
    const struct rule *r = &rules[HWS_OP_SLOT(op->obj.handle)];
    if (is_defined(op, t))
        return MPI_SUCCESS;
    if (r->classes == 0)
        return hws_fail(MPI_ERR_OP, "invalid operation: %s is only for one-sided communication", r->name);
    if (t->op_class == HWS_CLASS_NONE && t->combiner != MPI_COMBINER_NAMED)
        return hws_fail(MPI_ERR_OP, "invalid operation: %s is not defined on derived datatypes", r->name);
    return hws_fail(MPI_ERR_OP, "invalid operation: %s is not defined on %s", r->name,
                    t->name[0] ? t->name : "the datatype");
}

/* A function of the int form gets at most INT_MAX elements at once. */
static void apply_user(const struct hws_op *op, const char *in, char *inout, MPI_Count count, struct hws_type *t)
{
    MPI_Datatype handle = hws_type_handle(t);
    if (op->wide) {
        op->user.fn_c((void *)(uintptr_t)in, inout, &count, &handle);
        return;
    }
    while (count > 0) {
        int n = count < INT_MAX ? (int)count : INT_MAX;
        op->user.fn((void *)(uintptr_t)in, inout, &n, &handle);
        count -= n;
        if (count == 0)
            return;
        in += INT_MAX * t->extent;
        inout += INT_MAX * t->extent;
    }
}

void hws_op_apply(const struct hws_op *op, const void *in, void *inout, MPI_Count count, struct hws_type *t)
{
    if (count <= 0)
        return;
    if (!op->obj.handle) {
        apply_user(op, in, inout, count, t);
        return;
    }
    if (op->obj.handle == (uintptr_t)MPI_REPLACE) {
        hws_type_copy(in, count, t, inout, count, t);
        return;
    }
    hws_op_loop *loop = loop_of(op, t); /* none: MPI_NO_OP */
    if (loop)
        loop(in, inout, (size_t)count);
}
