/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op_float: loops of predefined operations on floating point and complex numbers. A complex is two reals in a row
 * (real, imaginary), so sums run over twice as many reals; products are written out, without the detours of C's Annex G
 * for infinities.
 */
#include "core/op/op_priv.h"

#include <float.h>

#define COMPLEX(name, type)                                                                                            \
    static void csum_##name(const void *restrict in, void *restrict inout, size_t n)                                   \
    {                                                                                                                  \
        sum_##name(in, inout, 2 * n);                                                                                  \
    }                                                                                                                  \
    HWS_OP_VECTORISE static void cprod_##name(const void *restrict in, void *restrict inout, size_t n)                 \
    {                                                                                                                  \
        const type *restrict x = in;                                                                                   \
        type *restrict y = inout;                                                                                      \
        for (size_t i = 0; i < 2 * n; i += 2) {                                                                        \
            type re = (type)(x[i] * y[i] - x[i + 1] * y[i + 1]);                                                       \
            y[i + 1] = (type)(x[i] * y[i + 1] + x[i + 1] * y[i]);                                                      \
            y[i] = re;                                                                                                 \
        }                                                                                                              \
    }

#define FLOATING(how, name, type)                                                                                      \
    HWS_OP_LOOP(how, sum_##name, type, a + b)                                                                          \
    HWS_OP_LOOP(how, prod_##name, type, a *b)                                                                          \
    HWS_OP_LOOP(how, min_##name, type, a < b ? a : b)                                                                  \
    HWS_OP_LOOP(how, max_##name, type, a > b ? a : b)                                                                  \
    COMPLEX(name, type)

FLOATING(HWS_OP_WIDE, f32, float)
FLOATING(HWS_OP_WIDE, f64, double)
FLOATING(HWS_OP_VECTORISE, flong, long double)

#if defined(__FLT16_MANT_DIG__) && (!defined(__clang__) || __clang_major__ >= 15)
FLOATING(HWS_OP_VECTORISE, f16, _Float16)
#define IF_F16(x) x
#else
#define IF_F16(x) NULL
#endif

#if defined(__SIZEOF_FLOAT128__)
FLOATING(HWS_OP_VECTORISE, f128, __float128)
#define IF_F128(x) x
#elif LDBL_MANT_DIG == 113
FLOATING(HWS_OP_VECTORISE, f128, long double)
#define IF_F128(x) x
#else
#define IF_F128(x) NULL
#endif

#define REALS(op)                                                                                                      \
    [HWS_BASIC_F16] = IF_F16(op##_f16), [HWS_BASIC_F32] = op##_f32, [HWS_BASIC_F64] = op##_f64,                        \
    [HWS_BASIC_FLONG] = op##_flong, [HWS_BASIC_F128] = IF_F128(op##_f128)
#define COMPLEXES(op)                                                                                                  \
    [HWS_BASIC_C16] = IF_F16(op##_f16), [HWS_BASIC_C32] = op##_f32, [HWS_BASIC_C64] = op##_f64,                        \
    [HWS_BASIC_CLONG] = op##_flong, [HWS_BASIC_C128] = IF_F128(op##_f128)

hws_op_loop *const hws_op_floats[32][HWS_BASIC_N] = {
    [HWS_OP_SLOT(MPI_SUM)] = {REALS(sum), COMPLEXES(csum)},
    [HWS_OP_SLOT(MPI_PROD)] = {REALS(prod), COMPLEXES(cprod)},
    [HWS_OP_SLOT(MPI_MIN)] = {REALS(min)},
    [HWS_OP_SLOT(MPI_MAX)] = {REALS(max)},
};
