/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op_int: loops of predefined operations on integers, logicals and bytes. Sums and products of signed integers are
 * computed unsigned, which wraps instead of being undefined and gives the same bits.
 */
#include "core/op/op_priv.h"

/* Operations where only the width counts; `wide` is an unsigned type that int promotion leaves alone. */
#define WIDTH(how, bits, type, wide)                                                                                   \
    HWS_OP_LOOP(how, sum_##bits, type, (wide)a + (wide)b)                                                              \
    HWS_OP_LOOP(how, prod_##bits, type, (wide)a *(wide)b)                                                              \
    HWS_OP_LOOP(how, band_##bits, type, a &b)                                                                          \
    HWS_OP_LOOP(how, bor_##bits, type, a | b)                                                                          \
    HWS_OP_LOOP(how, bxor_##bits, type, a ^ b)                                                                         \
    HWS_OP_LOOP(how, land_##bits, type, (a != 0) & (b != 0))                                                           \
    HWS_OP_LOOP(how, lor_##bits, type, (a != 0) | (b != 0))                                                            \
    HWS_OP_LOOP(how, lxor_##bits, type, (a != 0) ^ (b != 0))

#define ORDER(how, name, type)                                                                                         \
    HWS_OP_LOOP(how, min_##name, type, a < b ? a : b)                                                                  \
    HWS_OP_LOOP(how, max_##name, type, a > b ? a : b)

WIDTH(HWS_OP_WIDE, 8, uint8_t, unsigned)
WIDTH(HWS_OP_WIDE, 16, uint16_t, unsigned)
WIDTH(HWS_OP_WIDE, 32, uint32_t, uint32_t)
WIDTH(HWS_OP_WIDE, 64, uint64_t, uint64_t)
ORDER(HWS_OP_WIDE, i8, int8_t)
ORDER(HWS_OP_WIDE, i16, int16_t)
ORDER(HWS_OP_WIDE, i32, int32_t)
ORDER(HWS_OP_WIDE, i64, int64_t)
ORDER(HWS_OP_WIDE, u8, uint8_t)
ORDER(HWS_OP_WIDE, u16, uint16_t)
ORDER(HWS_OP_WIDE, u32, uint32_t)
ORDER(HWS_OP_WIDE, u64, uint64_t)

#ifdef __SIZEOF_INT128__
WIDTH(HWS_OP_VECTORISE, 128, unsigned __int128, unsigned __int128)
ORDER(HWS_OP_VECTORISE, i128, __int128)
#define IF_128(x) x
#else
#define IF_128(x) NULL
#endif

#define ALL_WIDTHS(op)                                                                                                 \
    [HWS_BASIC_I8] = op##_8, [HWS_BASIC_U8] = op##_8, [HWS_BASIC_I16] = op##_16, [HWS_BASIC_U16] = op##_16,            \
    [HWS_BASIC_I32] = op##_32, [HWS_BASIC_U32] = op##_32, [HWS_BASIC_I64] = op##_64, [HWS_BASIC_U64] = op##_64,        \
    [HWS_BASIC_I128] = IF_128(op##_128)
#define LOGICAL(op)                                                                                                    \
    ALL_WIDTHS(op), [HWS_BASIC_L8] = op##_8, [HWS_BASIC_L16] = op##_16, [HWS_BASIC_L32] = op##_32,                     \
                    [HWS_BASIC_L64] = op##_64, [HWS_BASIC_L128] = IF_128(op##_128)
#define BITWISE(op) ALL_WIDTHS(op), [HWS_BASIC_BYTE] = op##_8
#define ORDERED(op)                                                                                                    \
    [HWS_BASIC_I8] = op##_i8, [HWS_BASIC_U8] = op##_u8, [HWS_BASIC_I16] = op##_i16, [HWS_BASIC_U16] = op##_u16,        \
    [HWS_BASIC_I32] = op##_i32, [HWS_BASIC_U32] = op##_u32, [HWS_BASIC_I64] = op##_i64, [HWS_BASIC_U64] = op##_u64,    \
    [HWS_BASIC_I128] = IF_128(op##_i128)

hws_op_loop *const hws_op_ints[32][HWS_BASIC_N] = {
    [HWS_OP_SLOT(MPI_SUM)] = {ALL_WIDTHS(sum)}, [HWS_OP_SLOT(MPI_PROD)] = {ALL_WIDTHS(prod)},
    [HWS_OP_SLOT(MPI_MIN)] = {ORDERED(min)},    [HWS_OP_SLOT(MPI_MAX)] = {ORDERED(max)},
    [HWS_OP_SLOT(MPI_BAND)] = {BITWISE(band)},  [HWS_OP_SLOT(MPI_BOR)] = {BITWISE(bor)},
    [HWS_OP_SLOT(MPI_BXOR)] = {BITWISE(bxor)},  [HWS_OP_SLOT(MPI_LAND)] = {LOGICAL(land)},
    [HWS_OP_SLOT(MPI_LOR)] = {LOGICAL(lor)},    [HWS_OP_SLOT(MPI_LXOR)] = {LOGICAL(lxor)},
};
