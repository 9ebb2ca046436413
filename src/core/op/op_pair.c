/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op_pair: MPI_MINLOC and MPI_MAXLOC (MPI 5.0 section 6.9.4): the smaller or larger value with its index; of equal
 * values the lower index.
 */
#include "core/op/op_priv.h"

#define LOC(name, value_type, index_type, before)                                                                      \
    static void name(const void *restrict in, void *restrict inout, size_t n)                                          \
    {                                                                                                                  \
        struct pair {                                                                                                  \
            value_type value;                                                                                          \
            index_type index;                                                                                          \
        };                                                                                                             \
        const struct pair *restrict x = in;                                                                            \
        struct pair *restrict y = inout;                                                                               \
        for (size_t i = 0; i < n; i++) {                                                                               \
            if (x[i].value before y[i].value) {                                                                        \
                y[i].value = x[i].value;                                                                               \
                y[i].index = x[i].index;                                                                               \
            } else if (x[i].value == y[i].value && x[i].index < y[i].index) {                                          \
                y[i].index = x[i].index;                                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }

#define BOTH(name, value_type, index_type)                                                                             \
    LOC(minloc_##name, value_type, index_type, <)                                                                      \
    LOC(maxloc_##name, value_type, index_type, >)

#define TWO_INDEXES(name, value_type)                                                                                  \
    BOTH(name##_int, value_type, int)                                                                                  \
    BOTH(name##_i64, value_type, int64_t)

TWO_INDEXES(i8, int8_t)
TWO_INDEXES(i16, int16_t)
TWO_INDEXES(i32, int32_t)
TWO_INDEXES(i64, int64_t)
TWO_INDEXES(u8, uint8_t)
TWO_INDEXES(u16, uint16_t)
TWO_INDEXES(u32, uint32_t)
TWO_INDEXES(u64, uint64_t)
TWO_INDEXES(float, float)
TWO_INDEXES(double, double)
TWO_INDEXES(long_double, long double)
BOTH(long_int, long, int)
BOTH(2real, float, float)
BOTH(2double, double, double)

#define PAIRS(op)                                                                                                      \
    [HWS_BASIC_FLOAT_INT] = op##_float_int, [HWS_BASIC_DOUBLE_INT] = op##_double_int,                                  \
    [HWS_BASIC_LONG_INT] = op##_long_int, [HWS_BASIC_2INT] = op##_i32_int, [HWS_BASIC_SHORT_INT] = op##_i16_int,       \
    [HWS_BASIC_LONG_DOUBLE_INT] = op##_long_double_int, [HWS_BASIC_2REAL] = op##_2real,                                \
    [HWS_BASIC_2DOUBLE] = op##_2double

hws_op_loop *const hws_op_pairs[32][HWS_BASIC_N] = {
    [HWS_OP_SLOT(MPI_MINLOC)] = {PAIRS(minloc)},
    [HWS_OP_SLOT(MPI_MAXLOC)] = {PAIRS(maxloc)},
};

#define UNNAMED(op, index)                                                                                             \
    [HWS_BASIC_I8] = op##_i8_##index, [HWS_BASIC_I16] = op##_i16_##index, [HWS_BASIC_I32] = op##_i32_##index,          \
    [HWS_BASIC_I64] = op##_i64_##index, [HWS_BASIC_U8] = op##_u8_##index, [HWS_BASIC_U16] = op##_u16_##index,          \
    [HWS_BASIC_U32] = op##_u32_##index, [HWS_BASIC_U64] = op##_u64_##index, [HWS_BASIC_F32] = op##_float_##index,      \
    [HWS_BASIC_F64] = op##_double_##index, [HWS_BASIC_FLONG] = op##_long_double_##index

hws_op_loop *hws_op_unnamed_pair(bool max, enum hws_basic value, enum hws_basic index)
{
    static hws_op_loop *const loops[2][2][HWS_BASIC_N] = {
        {{UNNAMED(minloc, int)}, {UNNAMED(minloc, i64)}},
        {{UNNAMED(maxloc, int)}, {UNNAMED(maxloc, i64)}},
    };
    return loops[max][index == HWS_BASIC_I64][value];
}
