/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_table: the predefined types of the ABI (MPI 5.0 sections 3.2.2 and 20.3). Filled when the library is loaded,
 * so that a handle is valid from the first instruction on, in any thread.
 */
#include "core/type/datatype_priv.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/list.h"

struct hws_type *hws_types_builtin[512];

struct row {
    MPI_Datatype handle;
    const char *name;
    uint8_t size, extent, align, ext_bytes;
    uint8_t basic, op_class;
};

struct pair_row {
    struct row row;
    MPI_Datatype value, index;
    uint8_t index_at;
};

#define ROW(name, ctype, ext, basic, cls)                                                                              \
    {                                                                                                                  \
        MPI_##name, "MPI_" #name, sizeof(ctype), sizeof(ctype), _Alignof(ctype), ext, HWS_BASIC_##basic,               \
            HWS_CLASS_##cls                                                                                            \
    }
/* Fortran types of a fixed size, whether or not this compiler can compute with them. */
#define FIXED(name, bytes, align, basic, cls)                                                                          \
    {                                                                                                                  \
        MPI_##name, "MPI_" #name, bytes, bytes, align, bytes, HWS_BASIC_##basic, HWS_CLASS_##cls                       \
    }

#define AINT_BASIC  (sizeof(MPI_Aint) == 8 ? HWS_BASIC_I64 : HWS_BASIC_I32)
#define LONG_BASIC  (sizeof(long) == 8 ? HWS_BASIC_I64 : HWS_BASIC_I32)
#define ULONG_BASIC (sizeof(long) == 8 ? HWS_BASIC_U64 : HWS_BASIC_U32)
#define INTEGER(name, ctype, ext, basic)                                                                               \
    {                                                                                                                  \
        MPI_##name, "MPI_" #name, sizeof(ctype), sizeof(ctype), _Alignof(ctype), ext, basic, HWS_CLASS_C_INTEGER       \
    }

/* Lengths in external32: MPI 5.0 section 14.5.2. */
static const struct row rows[] = {
    {MPI_AINT, "MPI_AINT", sizeof(MPI_Aint), sizeof(MPI_Aint), _Alignof(MPI_Aint), 8, AINT_BASIC, HWS_CLASS_MULTI},
    ROW(COUNT, MPI_Count, 8, I64, MULTI),
    ROW(OFFSET, MPI_Offset, 8, I64, MULTI),
    ROW(PACKED, char, 1, NONE, NONE),
    INTEGER(SHORT, short, 2, HWS_BASIC_I16),
    INTEGER(INT, int, 4, HWS_BASIC_I32),
    INTEGER(LONG, long, 4, LONG_BASIC),
    INTEGER(LONG_LONG_INT, long long, 8, HWS_BASIC_I64),
    INTEGER(UNSIGNED_SHORT, unsigned short, 2, HWS_BASIC_U16),
    INTEGER(UNSIGNED, unsigned, 4, HWS_BASIC_U32),
    INTEGER(UNSIGNED_LONG, unsigned long, 4, ULONG_BASIC),
    INTEGER(UNSIGNED_LONG_LONG, unsigned long long, 8, HWS_BASIC_U64),
    ROW(FLOAT, float, 4, F32, FLOAT),
    ROW(C_COMPLEX, float _Complex, 8, C32, COMPLEX),
    ROW(CXX_FLOAT_COMPLEX, float _Complex, 8, C32, COMPLEX),
    ROW(DOUBLE, double, 8, F64, FLOAT),
    ROW(C_DOUBLE_COMPLEX, double _Complex, 16, C64, COMPLEX),
    ROW(CXX_DOUBLE_COMPLEX, double _Complex, 16, C64, COMPLEX),
    FIXED(LOGICAL, 4, 4, L32, LOGICAL),
    FIXED(INTEGER, 4, 4, I32, F_INTEGER),
    FIXED(REAL, 4, 4, F32, FLOAT),
    FIXED(COMPLEX, 8, 4, C32, COMPLEX),
    FIXED(DOUBLE_PRECISION, 8, 8, F64, FLOAT),
    FIXED(DOUBLE_COMPLEX, 16, 8, C64, COMPLEX),
    FIXED(CHARACTER, 1, 1, NONE, NONE),
    ROW(LONG_DOUBLE, long double, 16, FLONG, FLOAT),
    ROW(C_LONG_DOUBLE_COMPLEX, long double _Complex, 32, CLONG, COMPLEX),
    ROW(CXX_LONG_DOUBLE_COMPLEX, long double _Complex, 32, CLONG, COMPLEX),
    ROW(C_BOOL, _Bool, 1, L8, LOGICAL),
    ROW(CXX_BOOL, _Bool, 1, L8, LOGICAL),
    ROW(WCHAR, wchar_t, 2, NONE, NONE),
    INTEGER(INT8_T, int8_t, 1, HWS_BASIC_I8),
    INTEGER(UINT8_T, uint8_t, 1, HWS_BASIC_U8),
    {MPI_CHAR, "MPI_CHAR", 1, 1, 1, 1, CHAR_MIN < 0 ? HWS_BASIC_I8 : HWS_BASIC_U8, HWS_CLASS_CHAR},
    INTEGER(SIGNED_CHAR, signed char, 1, HWS_BASIC_I8),
    INTEGER(UNSIGNED_CHAR, unsigned char, 1, HWS_BASIC_U8),
    ROW(BYTE, char, 1, BYTE, BYTE),
    INTEGER(INT16_T, int16_t, 2, HWS_BASIC_I16),
    INTEGER(UINT16_T, uint16_t, 2, HWS_BASIC_U16),
    INTEGER(INT32_T, int32_t, 4, HWS_BASIC_I32),
    INTEGER(UINT32_T, uint32_t, 4, HWS_BASIC_U32),
    INTEGER(INT64_T, int64_t, 8, HWS_BASIC_I64),
    INTEGER(UINT64_T, uint64_t, 8, HWS_BASIC_U64),
    FIXED(LOGICAL1, 1, 1, L8, LOGICAL),
    FIXED(LOGICAL2, 2, 2, L16, LOGICAL),
    FIXED(LOGICAL4, 4, 4, L32, LOGICAL),
    FIXED(LOGICAL8, 8, 8, L64, LOGICAL),
    FIXED(LOGICAL16, 16, 16, L128, LOGICAL),
    FIXED(INTEGER1, 1, 1, I8, F_INTEGER),
    FIXED(INTEGER2, 2, 2, I16, F_INTEGER),
    FIXED(INTEGER4, 4, 4, I32, F_INTEGER),
    FIXED(INTEGER8, 8, 8, I64, F_INTEGER),
    FIXED(INTEGER16, 16, 16, I128, F_INTEGER),
    FIXED(REAL2, 2, 2, F16, FLOAT),
    FIXED(REAL4, 4, 4, F32, FLOAT),
    FIXED(REAL8, 8, 8, F64, FLOAT),
    FIXED(REAL16, 16, 16, F128, FLOAT),
    FIXED(COMPLEX4, 4, 2, C16, COMPLEX),
    FIXED(COMPLEX8, 8, 4, C32, COMPLEX),
    FIXED(COMPLEX16, 16, 8, C64, COMPLEX),
    FIXED(COMPLEX32, 32, 16, C128, COMPLEX),
};

/* A C struct {value; int}: the extent has the compiler's padding, the size has not. */
#define PAIR(name, ctype, value, ext, basic)                                                                           \
    {                                                                                                                  \
        {MPI_##name,                                                                                                   \
         "MPI_" #name,                                                                                                 \
         sizeof(ctype) + sizeof(int),                                                                                  \
         sizeof(struct {                                                                                               \
             ctype v;                                                                                                  \
             int i;                                                                                                    \
         }),                                                                                                           \
         _Alignof(struct {                                                                                             \
             ctype v;                                                                                                  \
             int i;                                                                                                    \
         }),                                                                                                           \
         ext,                                                                                                          \
         HWS_BASIC_##basic,                                                                                            \
         HWS_CLASS_PAIR},                                                                                              \
            MPI_##value, MPI_INT,                                                                                      \
            offsetof(                                                                                                  \
                struct {                                                                                               \
                    ctype v;                                                                                           \
                    int i;                                                                                             \
                },                                                                                                     \
                i)                                                                                                     \
    }
#define TWIN(name, bytes, value, basic)                                                                                \
    {                                                                                                                  \
        {MPI_##name, "MPI_" #name, 2 * bytes, 2 * bytes, bytes, 2 * bytes, HWS_BASIC_##basic, HWS_CLASS_PAIR},         \
            MPI_##value, MPI_##value, bytes                                                                            \
    }

static const struct pair_row pair_rows[] = {
    PAIR(FLOAT_INT, float, FLOAT, 8, FLOAT_INT),
    PAIR(DOUBLE_INT, double, DOUBLE, 12, DOUBLE_INT),
    PAIR(LONG_INT, long, LONG, 8, LONG_INT),
    PAIR(SHORT_INT, short, SHORT, 6, SHORT_INT),
    PAIR(LONG_DOUBLE_INT, long double, LONG_DOUBLE, 20, LONG_DOUBLE_INT),
    TWIN(2INT, 4, INT, 2INT),
    TWIN(2REAL, 4, REAL, 2REAL),
    TWIN(2DOUBLE_PRECISION, 8, DOUBLE_PRECISION, 2DOUBLE),
    TWIN(2INTEGER, 4, INTEGER, 2INT),
};

static void no_memory(void)
{
    fprintf(stderr, "hawser: out of memory for the predefined datatypes\n");
    abort();
}

/* Takes over one and sig. */
static void define(const struct row *r, struct hws_piece *one, struct hws_sig *sig)
{
    struct hws_type *t = hws_type_alloc();
    struct hws_type_flat *flat = hws_flat_new(one, r->extent);
    if (!t || !flat)
        no_memory();
    t->obj.handle = (uintptr_t)r->handle;
    t->size = r->size;
    t->extent = r->extent;
    t->align = r->align;
    t->ext_bytes = r->ext_bytes;
    t->basic = r->basic;
    t->op_class = r->op_class;
    hws_type_set_flat(t, flat);
    hws_piece_bounds(&flat->one, &t->true_lb, &t->true_extent);
    t->solid = !flat->one.node;
    t->dense = t->solid && r->size == r->extent;
    t->committed = true;
    t->combiner = MPI_COMBINER_NAMED;
    t->sig = sig ? sig : hws_sig_leaf(t);
    if (!t->sig)
        no_memory();
    snprintf(t->name, sizeof t->name, "%s", r->name);
    hws_types_builtin[(uintptr_t)r->handle & 0x1ff] = t;
}

static void define_pair(const struct pair_row *r)
{
    const struct hws_type *value = hws_type_of(r->value), *index = hws_type_of(r->index);
    struct hws_piece fields[2] = {{.len = value->size}, {.disp = r->index_at, .len = index->size}}, one;
    struct hws_sig_part parts[2] = {{.times = 1, .sig = value->sig}, {.times = 1, .sig = index->sig}};
    struct hws_sig *sig = NULL;
    if (!hws_piece_list(2, fields, &one) || hws_sig_seq(2, parts, &sig))
        no_memory();
    define(&r->row, &one, sig);
}

__attribute__((constructor)) static void define_all(void)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(rows); i++) {
        struct hws_piece one = {.len = rows[i].size};
        define(&rows[i], &one, NULL);
    }
    for (size_t i = 0; i < HWS_ARRAY_LEN(pair_rows); i++)
        define_pair(&pair_rows[i]);
}
