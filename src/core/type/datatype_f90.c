/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_f90: predefined types that are found by what they can hold (MPI 5.0 sections 19.1.5 and 6.9.4): by precision
 * and range, by class and size, by value and index. Unnamed ones live in one list until the process ends; the list's
 * lock is held only in these calls, which no loop makes.
 */
#include "core/type/datatype_make.h"

#include <float.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/list.h"
#include "core/object/fail.h"
#include "core/type/datatype_priv.h"

/* A kind of REAL or INTEGER of the Fortran compiler, the smallest first. */
struct kind {
    int digits, range;
    MPI_Datatype real, complex;
};

static const struct kind real_kinds[] = {
    {FLT_DIG, FLT_MAX_10_EXP - 1, MPI_REAL4, MPI_COMPLEX8},
    {DBL_DIG, DBL_MAX_10_EXP - 1, MPI_REAL8, MPI_COMPLEX16},
#if LDBL_MANT_DIG == 64 /* REAL(10) */
    {LDBL_DIG, LDBL_MAX_10_EXP - 1, MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX},
#endif
    {33, 4931, MPI_REAL16, MPI_COMPLEX32},
};

static const struct kind integer_kinds[] = {
    {0, 2, MPI_INTEGER1, NULL},  {0, 4, MPI_INTEGER2, NULL},   {0, 9, MPI_INTEGER4, NULL},
    {0, 18, MPI_INTEGER8, NULL}, {0, 38, MPI_INTEGER16, NULL},
};

struct match {
    int typeclass;
    MPI_Datatype type;
};

static const struct match matches[] = {
    {MPI_TYPECLASS_REAL, MPI_REAL2},        {MPI_TYPECLASS_REAL, MPI_REAL4},
    {MPI_TYPECLASS_REAL, MPI_REAL8},        {MPI_TYPECLASS_REAL, MPI_REAL16},
    {MPI_TYPECLASS_INTEGER, MPI_INTEGER1},  {MPI_TYPECLASS_INTEGER, MPI_INTEGER2},
    {MPI_TYPECLASS_INTEGER, MPI_INTEGER4},  {MPI_TYPECLASS_INTEGER, MPI_INTEGER8},
    {MPI_TYPECLASS_INTEGER, MPI_INTEGER16}, {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX4},
    {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX8},  {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX16},
    {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX32}, {MPIX_TYPECLASS_LOGICAL, MPI_LOGICAL1},
    {MPIX_TYPECLASS_LOGICAL, MPI_LOGICAL2}, {MPIX_TYPECLASS_LOGICAL, MPI_LOGICAL4},
    {MPIX_TYPECLASS_LOGICAL, MPI_LOGICAL8}, {MPIX_TYPECLASS_LOGICAL, MPI_LOGICAL16},
};

static const struct {
    MPI_Datatype value, index, pair;
} named_pairs[] = {
    {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},      {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
    {MPI_LONG, MPI_INT, MPI_LONG_INT},        {MPI_INT, MPI_INT, MPI_2INT},
    {MPI_SHORT, MPI_INT, MPI_SHORT_INT},      {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
    {MPI_REAL, MPI_REAL, MPI_2REAL},          {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
    {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
};

/* The unnamed ones made so far. */
struct unnamed {
    struct unnamed *next;
    struct hws_type *type;
};
static struct unnamed *unnamed_list;
static pthread_mutex_t unnamed_lock = PTHREAD_MUTEX_INITIALIZER;

static struct hws_type *find_unnamed(int combiner, int p, int r)
{
    for (struct unnamed *u = unnamed_list; u; u = u->next) {
        const struct hws_type_tree *tree = u->type->tree;
        if (u->type->combiner == combiner && tree->n_ints > 0 && tree->ints[tree->n_ints - 1] == r &&
            (tree->n_ints == 1 || tree->ints[0] == p))
            return u->type;
    }
    return NULL;
}

/* Makes a fresh type predefined: its handle stays its address, but nobody can free it. */
static int keep_unnamed(struct hws_type *t)
{
    struct unnamed *u = malloc(sizeof *u);
    if (!u) {
        hws_type_drop(t);
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a datatype");
    }
    t->obj.handle = (uintptr_t)t;
    t->committed = true;
    *u = (struct unnamed){unnamed_list, t};
    unnamed_list = u;
    return MPI_SUCCESS;
}

static int make_f90(int combiner, int p, int r, struct hws_type *base, struct hws_type **out)
{
    int rc = hws_type_new_dup(base, out);
    struct hws_arg args[2] = {{HWS_ARG_INT, 1, {NULL, false}, p}, {HWS_ARG_INT, 1, {NULL, false}, r}};
    bool integer = combiner == MPI_COMBINER_F90_INTEGER;
    if (rc == MPI_SUCCESS)
        rc = hws_type_remember(*out, combiner, integer ? 1 : 2, integer ? &args[1] : args, 0, NULL);
    return rc == MPI_SUCCESS ? keep_unnamed(*out) : rc;
}

static int f90_type(int combiner, int p, int r, MPI_Datatype base, struct hws_type **out)
{
    int rc = MPI_SUCCESS;
    pthread_mutex_lock(&unnamed_lock);
    struct hws_type *t = find_unnamed(combiner, p, r);
    if (!t)
        rc = make_f90(combiner, p, r, hws_type_of(base), &t);
    pthread_mutex_unlock(&unnamed_lock);
    if (rc == MPI_SUCCESS)
        *out = t;
    return rc;
}

/* The smallest kind that has p digits and range r, either of which may be MPI_UNDEFINED. */
static const struct kind *real_kind(int p, int r)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(real_kinds); i++)
        if ((p == MPI_UNDEFINED || p <= real_kinds[i].digits) && (r == MPI_UNDEFINED || r <= real_kinds[i].range))
            return &real_kinds[i];
    return NULL;
}

static int f90_float(bool complex, int p, int r, struct hws_type **out)
{
    const struct kind *k = real_kind(p, r);
    if (!k || (p == MPI_UNDEFINED && r == MPI_UNDEFINED))
        return hws_fail(MPI_ERR_ARG,
                        "invalid argument: no type has p %d decimal digits and decimal exponent range r %d", p, r);
    return complex ? f90_type(MPI_COMBINER_F90_COMPLEX, p, r, k->complex, out)
                   : f90_type(MPI_COMBINER_F90_REAL, p, r, k->real, out);
}

int hws_type_f90_real(int p, int r, struct hws_type **out)
{
    return f90_float(false, p, r, out);
}

int hws_type_f90_complex(int p, int r, struct hws_type **out)
{
    return f90_float(true, p, r, out);
}

int hws_type_f90_integer(int r, struct hws_type **out)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(integer_kinds); i++)
        if (r <= integer_kinds[i].range)
            return f90_type(MPI_COMBINER_F90_INTEGER, 0, r, integer_kinds[i].real, out);
    return hws_fail(MPI_ERR_ARG, "invalid argument: no integer type has decimal exponent range r %d", r);
}

struct hws_type *hws_type_match(int typeclass, int size)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(matches); i++)
        if (matches[i].typeclass == typeclass && hws_type_of(matches[i].type)->size == size)
            return hws_type_of(matches[i].type);
    return NULL;
}

static struct hws_type *find_pair(const struct hws_type *value, const struct hws_type *index)
{
    for (struct unnamed *u = unnamed_list; u; u = u->next)
        if (u->type->combiner == MPI_COMBINER_VALUE_INDEX && u->type->tree->types[0] == value &&
            u->type->tree->types[1] == index)
            return u->type;
    return NULL;
}

/* A C struct {value; index}. */
static int make_pair(struct hws_type *value, struct hws_type *index, struct hws_type **out)
{
    MPI_Count lens[2] = {1, 1}, disps[2] = {0, (value->size + index->align - 1) / index->align * index->align};
    MPI_Datatype types[2] = {hws_type_handle(value), hws_type_handle(index)};
    int rc = hws_type_new_struct(2, (struct hws_counts){lens, true}, (struct hws_counts){disps, true}, types, out);
    if (rc == MPI_SUCCESS)
        rc = hws_type_remember(*out, MPI_COMBINER_VALUE_INDEX, 0, NULL, 2, types);
    if (rc != MPI_SUCCESS)
        return rc;
    (*out)->basic = HWS_BASIC_VALUE_INDEX;
    (*out)->op_class = HWS_CLASS_PAIR;
    return keep_unnamed(*out);
}

static bool can_pair(const struct hws_type *value, const struct hws_type *index)
{
    unsigned number = 1u << HWS_CLASS_C_INTEGER | 1u << HWS_CLASS_F_INTEGER | 1u << HWS_CLASS_MULTI;
    bool ordered = (number | 1u << HWS_CLASS_FLOAT) >> value->op_class & 1;
    return ordered && (number >> index->op_class & 1) && value->basic != HWS_BASIC_I128 &&
           value->basic != HWS_BASIC_F16 && value->basic != HWS_BASIC_F128 &&
           (index->basic == HWS_BASIC_I32 || index->basic == HWS_BASIC_I64);
}

int hws_type_value_index(struct hws_type *value, struct hws_type *index, struct hws_type **out)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(named_pairs); i++)
        if (value == hws_type_of(named_pairs[i].value) && index == hws_type_of(named_pairs[i].index)) {
            *out = hws_type_of(named_pairs[i].pair);
            return MPI_SUCCESS;
        }
    *out = NULL;
    if (value->combiner != MPI_COMBINER_NAMED || index->combiner != MPI_COMBINER_NAMED || !can_pair(value, index))
        return MPI_SUCCESS;
    pthread_mutex_lock(&unnamed_lock);
    struct hws_type *t = find_pair(value, index);
    int rc = t ? MPI_SUCCESS : make_pair(value, index, &t);
    pthread_mutex_unlock(&unnamed_lock);
    *out = rc == MPI_SUCCESS ? t : NULL;
    return rc;
}
