/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op_pair: MPI_MINLOC and MPI_MAXLOC (MPI 5.0 section 6.9.4): the smaller or larger value with its index; of equal values the lower index.
 */
#include "core/op_priv.h"

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

BOTH(float_int, float, int)
BOTH(double_int, double, int)
BOTH(long_int, long, int)
BOTH(2int, int, int)
BOTH(short_int, short, int)
BOTH(long_double_int, long double, int)
BOTH(2real, float, float)
BOTH(2double, double, double)

#define PAIRS(op)                                                                                                      \
    [HWS_BASIC_FLOAT_INT] = op##_float_int, [HWS_BASIC_DOUBLE_INT] = op##_double_int,                                  \
    [HWS_BASIC_LONG_INT] = op##_long_int, [HWS_BASIC_2INT] = op##_2int, [HWS_BASIC_SHORT_INT] = op##_short_int,        \
    [HWS_BASIC_LONG_DOUBLE_INT] = op##_long_double_int, [HWS_BASIC_2REAL] = op##_2real,                                \
    [HWS_BASIC_2DOUBLE] = op##_2double

hws_op_loop *const hws_op_pairs[32][HWS_BASIC_N] = {
    [HWS_OP_SLOT(MPI_MINLOC)] = {PAIRS(minloc)},
    [HWS_OP_SLOT(MPI_MAXLOC)] = {PAIRS(maxloc)},
};
