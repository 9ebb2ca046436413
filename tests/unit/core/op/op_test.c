/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op_test: every predefined operation on every type it is defined on, against plain C on one element at a time; what is
 * refused; user operations.
 */
#include "core/op/op.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../../support/seed.h"
#include "core/type/datatype_make.h"

#define N 67 /* no multiple of any vector */

static void apply(MPI_Op op, MPI_Datatype t, const void *in, void *inout, MPI_Count n)
{
    cr_assert_eq(hws_op_check(hws_op_of(op), hws_type_of(t)), MPI_SUCCESS, "op %p on %s", (void *)op,
                 hws_type_of(t)->name);
    hws_op_apply(hws_op_of(op), in, inout, n, hws_type_of(t));
}

/* One operation on one type; `want` says what becomes of a (in) and b (inout). */
#define CHECK(op, mpi_type, ctype, want)                                                                               \
    do {                                                                                                               \
        ctype in[N], inout[N], before[N];                                                                              \
        for (int i = 0; i < N; i++) {                                                                                  \
            in[i] = VALUE(ctype);                                                                                      \
            before[i] = inout[i] = i % 5 ? VALUE(ctype) : in[i];                                                       \
        }                                                                                                              \
        apply(op, mpi_type, in, inout, N);                                                                             \
        for (int i = 0; i < N; i++) {                                                                                  \
            ctype a = in[i], b = before[i];                                                                            \
            cr_assert(inout[i] == (ctype)(want), "%s on %s at %d", #op, #mpi_type, i);                                 \
        }                                                                                                              \
    } while (0)

#define VALUE(ctype) (ctype) hws_test_next()
#define INTEGER(type, ctype, wide)                                                                                     \
    CHECK(MPI_SUM, type, ctype, (wide)a + (wide)b);                                                                    \
    CHECK(MPI_PROD, type, ctype, (wide)a *(wide)b);                                                                    \
    CHECK(MPI_MIN, type, ctype, a < b ? a : b);                                                                        \
    CHECK(MPI_MAX, type, ctype, a < b ? b : a);                                                                        \
    CHECK(MPI_BAND, type, ctype, a &b);                                                                                \
    CHECK(MPI_BOR, type, ctype, a | b);                                                                                \
    CHECK(MPI_BXOR, type, ctype, a ^ b)
#define C_INTEGER(type, ctype, wide)                                                                                   \
    INTEGER(type, ctype, wide);                                                                                        \
    TRUTH(type, ctype)
#define TRUTH(type, ctype)                                                                                             \
    CHECK(MPI_LAND, type, ctype, a &&b);                                                                               \
    CHECK(MPI_LOR, type, ctype, a || b);                                                                               \
    CHECK(MPI_LXOR, type, ctype, !a != !b)

Test(op, c_integers)
{
    hws_test_seed("c_integers");
    C_INTEGER(MPI_CHAR, char, unsigned);
    C_INTEGER(MPI_SIGNED_CHAR, signed char, unsigned);
    C_INTEGER(MPI_UNSIGNED_CHAR, unsigned char, unsigned);
    C_INTEGER(MPI_SHORT, short, unsigned);
    C_INTEGER(MPI_UNSIGNED_SHORT, unsigned short, unsigned);
    C_INTEGER(MPI_INT, int, unsigned);
    C_INTEGER(MPI_UNSIGNED, unsigned, unsigned);
    C_INTEGER(MPI_LONG, long, unsigned long);
    C_INTEGER(MPI_UNSIGNED_LONG, unsigned long, unsigned long);
    C_INTEGER(MPI_LONG_LONG, long long, unsigned long long);
    C_INTEGER(MPI_UNSIGNED_LONG_LONG, unsigned long long, unsigned long long);
}

Test(op, fixed_width_integers)
{
    hws_test_seed("fixed");
    C_INTEGER(MPI_INT8_T, int8_t, unsigned);
    C_INTEGER(MPI_UINT8_T, uint8_t, unsigned);
    C_INTEGER(MPI_INT16_T, int16_t, unsigned);
    C_INTEGER(MPI_UINT16_T, uint16_t, unsigned);
    C_INTEGER(MPI_INT32_T, int32_t, uint32_t);
    C_INTEGER(MPI_UINT32_T, uint32_t, uint32_t);
    C_INTEGER(MPI_INT64_T, int64_t, uint64_t);
    C_INTEGER(MPI_UINT64_T, uint64_t, uint64_t);
}

Test(op, integers_of_fortran_and_of_all_languages)
{
    hws_test_seed("fortran");
    INTEGER(MPI_INTEGER, int32_t, uint32_t);
    INTEGER(MPI_INTEGER1, int8_t, unsigned);
    INTEGER(MPI_INTEGER2, int16_t, unsigned);
    INTEGER(MPI_INTEGER4, int32_t, uint32_t);
    INTEGER(MPI_INTEGER8, int64_t, uint64_t);
    INTEGER(MPI_INTEGER16, __int128, unsigned __int128);
    INTEGER(MPI_AINT, MPI_Aint, uint64_t);
    INTEGER(MPI_COUNT, MPI_Count, uint64_t);
    INTEGER(MPI_OFFSET, MPI_Offset, uint64_t);
}

#undef VALUE
#define VALUE(ctype) (ctype)(hws_test_next() % 3)

Test(op, logicals_and_bytes)
{
    hws_test_seed("logical");
    TRUTH(MPI_LOGICAL, int32_t);
    TRUTH(MPI_LOGICAL1, int8_t);
    TRUTH(MPI_LOGICAL2, int16_t);
    TRUTH(MPI_LOGICAL4, int32_t);
    TRUTH(MPI_LOGICAL8, int64_t);
    TRUTH(MPI_LOGICAL16, __int128);
    TRUTH(MPI_C_BOOL, _Bool);
    TRUTH(MPI_CXX_BOOL, _Bool);
    CHECK(MPI_BAND, MPI_BYTE, unsigned char, a &b);
    CHECK(MPI_BOR, MPI_BYTE, unsigned char, a | b);
    CHECK(MPI_BXOR, MPI_BYTE, unsigned char, a ^ b);
}

/* Small whole numbers and halves: every result is exact. */
#undef VALUE
#define VALUE(ctype) (ctype)((int)(hws_test_next() % 41) - 20) / 2
#define FLOATING(type, ctype)                                                                                          \
    CHECK(MPI_SUM, type, ctype, a + b);                                                                                \
    CHECK(MPI_PROD, type, ctype, a *b);                                                                                \
    CHECK(MPI_MIN, type, ctype, a < b ? a : b);                                                                        \
    CHECK(MPI_MAX, type, ctype, a < b ? b : a)

Test(op, floating_point)
{
    hws_test_seed("floating");
    FLOATING(MPI_FLOAT, float);
    FLOATING(MPI_DOUBLE, double);
    FLOATING(MPI_LONG_DOUBLE, long double);
    FLOATING(MPI_REAL, float);
    FLOATING(MPI_DOUBLE_PRECISION, double);
    FLOATING(MPI_REAL4, float);
    FLOATING(MPI_REAL8, double);
#ifdef __SIZEOF_FLOAT128__
    FLOATING(MPI_REAL16, __float128);
#endif
#if defined(__FLT16_MANT_DIG__) && !defined(__clang__)
    FLOATING(MPI_REAL2, _Float16);
#endif
}

#undef VALUE
#define VALUE(ctype)                                                                                                   \
    (ctype)((int)(hws_test_next() % 41) - 20) + (ctype)((int)(hws_test_next() % 41) - 20) * (ctype)(__extension__ 1.0i)
#define COMPLEX(type, ctype)                                                                                           \
    CHECK(MPI_SUM, type, ctype, a + b);                                                                                \
    CHECK(MPI_PROD, type, ctype, a *b)

Test(op, complex)
{
    hws_test_seed("complex");
    COMPLEX(MPI_C_FLOAT_COMPLEX, float _Complex);
    COMPLEX(MPI_C_DOUBLE_COMPLEX, double _Complex);
    COMPLEX(MPI_C_LONG_DOUBLE_COMPLEX, long double _Complex);
    COMPLEX(MPI_CXX_FLOAT_COMPLEX, float _Complex);
    COMPLEX(MPI_CXX_DOUBLE_COMPLEX, double _Complex);
    COMPLEX(MPI_CXX_LONG_DOUBLE_COMPLEX, long double _Complex);
    COMPLEX(MPI_COMPLEX, float _Complex);
    COMPLEX(MPI_DOUBLE_COMPLEX, double _Complex);
    COMPLEX(MPI_COMPLEX8, float _Complex);
    COMPLEX(MPI_COMPLEX16, double _Complex);
}

/* The pairs by the definition of section 6.9.4. */
#define PAIR(mpi_type, value_type, index_type)                                                                         \
    do {                                                                                                               \
        struct pair {                                                                                                  \
            value_type v;                                                                                              \
            index_type k;                                                                                              \
        } in[N], inout[N], before[N];                                                                                  \
        for (int max = 0; max < 2; max++) {                                                                            \
            memset(inout, 0x5a, sizeof inout);                                                                         \
            for (int i = 0; i < N; i++) {                                                                              \
                in[i].v = (value_type)(hws_test_next() % 4);                                                           \
                inout[i].v = (value_type)(hws_test_next() % 4);                                                        \
                in[i].k = (index_type)(hws_test_next() % 9);                                                           \
                inout[i].k = (index_type)(hws_test_next() % 9);                                                        \
                before[i] = inout[i];                                                                                  \
            }                                                                                                          \
            apply(max ? MPI_MAXLOC : MPI_MINLOC, mpi_type, in, inout, N);                                              \
            for (int i = 0; i < N; i++) {                                                                              \
                struct pair a = in[i], b = before[i], w = b;                                                           \
                bool first = max ? a.v > b.v : a.v < b.v;                                                              \
                w.v = first ? a.v : b.v;                                                                               \
                w.k = first ? a.k : a.v == b.v && a.k < b.k ? a.k : b.k;                                               \
                cr_assert(inout[i].v == w.v && inout[i].k == w.k, "%s max %d", #mpi_type, max);                        \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

Test(op, minloc_and_maxloc)
{
    hws_test_seed("loc");
    PAIR(MPI_FLOAT_INT, float, int);
    PAIR(MPI_DOUBLE_INT, double, int);
    PAIR(MPI_LONG_INT, long, int);
    PAIR(MPI_2INT, int, int);
    PAIR(MPI_SHORT_INT, short, int);
    PAIR(MPI_LONG_DOUBLE_INT, long double, int);
    PAIR(MPI_2REAL, float, float);
    PAIR(MPI_2DOUBLE_PRECISION, double, double);
    PAIR(MPI_2INTEGER, int, int);
}

static MPI_Datatype pair_of(MPI_Datatype value, MPI_Datatype index)
{
    struct hws_type *t = NULL;
    cr_assert_eq(hws_type_value_index(hws_type_of(value), hws_type_of(index), &t), MPI_SUCCESS);
    return t ? hws_type_handle(t) : MPI_DATATYPE_NULL;
}

Test(op, unnamed_pairs)
{
    hws_test_seed("unnamed");
    cr_assert_eq(pair_of(MPI_DOUBLE, MPI_INT), MPI_DOUBLE_INT);
    cr_assert_eq(pair_of(MPI_C_BOOL, MPI_INT), MPI_DATATYPE_NULL);
    PAIR(pair_of(MPI_DOUBLE, MPI_INT64_T), double, int64_t);
    PAIR(pair_of(MPI_INT64_T, MPI_INT64_T), int64_t, int64_t);
    PAIR(pair_of(MPI_UINT8_T, MPI_INT), uint8_t, int);
    PAIR(pair_of(MPI_FLOAT, MPI_COUNT), float, MPI_Count);
    cr_assert_eq(pair_of(MPI_DOUBLE, MPI_INT64_T), pair_of(MPI_DOUBLE, MPI_INT64_T), "found again");
    struct hws_type *dup;
    cr_assert_eq(hws_type_new_dup(hws_type_of(pair_of(MPI_FLOAT, MPI_COUNT)), &dup), MPI_SUCCESS);
    MPI_Datatype old = pair_of(MPI_FLOAT, MPI_COUNT);
    cr_assert_eq(hws_type_remember(dup, MPI_COMBINER_DUP, 0, NULL, 1, &old), MPI_SUCCESS);
    PAIR(hws_type_handle(dup), float, MPI_Count);
    hws_type_drop(dup);
}

static const MPI_Op all_ops[] = {MPI_SUM,  MPI_MIN,  MPI_MAX, MPI_PROD, MPI_BAND,   MPI_BOR,
                                 MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC};

/* Letters of the rows of section 6.9.2's tables that each operation is defined on, in the order of all_ops; a:
 * MPI_CHAR, which they leave out. */
static const char *const defined_on[] = {"ifFmca", "ifFma", "ifFma", "ifFmca", "ifmba", "ifmba",
                                         "ifmba",  "ilam",  "ilam",  "ilam",   "p",     "p"};

Test(op, refused_where_not_defined)
{
    static const struct {
        MPI_Datatype type;
        char row;
    } types[] = {{MPI_INT, 'i'},         {MPI_UINT64_T, 'i'}, {MPI_INTEGER, 'f'},    {MPI_FLOAT, 'F'},
                 {MPI_LONG_DOUBLE, 'F'}, {MPI_C_BOOL, 'l'},   {MPI_LOGICAL, 'l'},    {MPI_COMPLEX, 'c'},
                 {MPI_BYTE, 'b'},        {MPI_AINT, 'm'},     {MPI_DOUBLE_INT, 'p'}, {MPI_2REAL, 'p'},
                 {MPI_CHAR, 'a'},        {MPI_PACKED, '-'},   {MPI_WCHAR, '-'},      {MPI_CHARACTER, '-'}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (size_t k = 0; k < sizeof all_ops / sizeof all_ops[0]; k++)
            cr_assert_eq(hws_op_check(hws_op_of(all_ops[k]), hws_type_of(types[i].type)),
                         strchr(defined_on[k], types[i].row) ? MPI_SUCCESS : MPI_ERR_OP, "op %zu on %s", k,
                         hws_type_of(types[i].type)->name);
    struct hws_type *t;
    cr_assert_eq(hws_type_new_loop(2, 1, 4, hws_type_of(MPI_INT), &t), MPI_SUCCESS);
    cr_assert_eq(hws_op_check(hws_op_of(MPI_SUM), t), MPI_ERR_OP, "derived");
    hws_type_drop(t);
    cr_assert_eq(hws_op_check(hws_op_of(MPI_REPLACE), hws_type_of(MPI_INT)), MPI_ERR_OP);
}

Test(op, every_defined_pair_has_a_loop)
{
    for (uintptr_t h = 0x200; h < 0x400; h++)
        for (size_t k = 0; k < sizeof all_ops / sizeof all_ops[0]; k++) {
            struct hws_type *t = hws_type_of((MPI_Datatype)h);
            if (!t || hws_op_check(hws_op_of(all_ops[k]), t) != MPI_SUCCESS)
                continue;
            _Alignas(32) unsigned char in[32] = {0}, inout[32] = {0};
            hws_op_apply(hws_op_of(all_ops[k]), in, inout, 1, t);
            if (all_ops[k] == MPI_BOR || all_ops[k] == MPI_SUM)
                cr_assert(memcmp(in, inout, (size_t)t->size) == 0, "%s: 0 and 0 are 0", t->name);
        }
}

static MPI_Datatype seen_type;
static MPI_Count seen_calls, seen_elements;

static void keep_left(void *in, void *inout, int *len, MPI_Datatype *t)
{
    seen_type = *t;
    seen_calls++;
    seen_elements += *len;
    if (*len < 100)
        memcpy(inout, in, (size_t)*len * sizeof(int));
    else
        ((char *)inout)[*len - 1] = ((char *)in)[*len - 1];
}

static void count_wide(void *in, void *inout, MPI_Count *len, MPI_Datatype *t)
{
    (void)in, (void)inout;
    seen_type = *t;
    seen_calls++;
    seen_elements += *len;
}

Test(op, user_functions_get_the_users_type)
{
    struct hws_op *op;
    struct hws_type *t;
    int in[4] = {1, 2, 3, 4}, inout[4] = {9, 9, 9, 9};
    cr_assert_eq(hws_op_new(false, &op), MPI_SUCCESS);
    op->user.fn = keep_left;
    cr_assert_eq(hws_type_new_dup(hws_type_of(MPI_INT), &t), MPI_SUCCESS);
    cr_assert_eq(hws_op_check(op, t), MPI_SUCCESS);
    hws_op_apply(op, in, inout, 4, t);
    cr_assert_arr_eq(inout, in, sizeof in);
    cr_assert_eq(seen_type, hws_type_handle(t));
    hws_op_apply(op, in, inout, 4, hws_type_of(MPI_INT));
    cr_assert_eq(seen_type, MPI_INT);
    cr_assert_eq(hws_op_of(hws_op_handle(op)), op);
    hws_op_drop(op);
    hws_type_drop(t);
}

Test(op, more_than_int_max_elements_come_in_slices)
{
    MPI_Count n = (MPI_Count)INT_MAX + 5;
    struct hws_op *op;
    /* address space only: the function touches the last byte of each slice */
    char *in = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *inout = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (in == MAP_FAILED || inout == MAP_FAILED)
        cr_skip("no address space");
    in[INT_MAX - 1] = 3;
    cr_assert_eq(hws_op_new(true, &op), MPI_SUCCESS);
    op->user.fn = keep_left;
    hws_op_apply(op, in, inout, n, hws_type_of(MPI_BYTE));
    cr_assert_eq(seen_calls, 2);
    cr_assert_eq(seen_elements, n);
    cr_assert_eq(inout[INT_MAX - 1], 3);
    seen_calls = seen_elements = 0;
    op->wide = true;
    op->user.fn_c = count_wide;
    hws_op_apply(op, in, inout, n, hws_type_of(MPI_BYTE));
    cr_assert_eq(seen_calls, 1);
    cr_assert_eq(seen_elements, n);
    munmap(in, (size_t)n);
    munmap(inout, (size_t)n);
    hws_op_drop(op);
}

Test(op, handles)
{
    for (uintptr_t h = 0x20; h < 0x40; h++) {
        struct hws_op *op = hws_op_of((MPI_Op)h);
        if (!op)
            continue;
        cr_assert_eq((uintptr_t)hws_op_handle(op), h);
        cr_assert(op->commutative);
        hws_op_drop(op); /* does nothing */
    }
    cr_assert_null(hws_op_of(MPI_OP_NULL));
    cr_assert_null(hws_op_of((MPI_Op)MPI_INT));
    cr_assert_not_null(hws_op_of(MPI_NO_OP));
}
