/* SPDX-License-Identifier: BSD-3-Clause
 *
 * op_priv: tables of the loops behind predefined operations, by operation and machine representation.
 */
#ifndef HWS_CORE_OP_PRIV_H
#define HWS_CORE_OP_PRIV_H

#include "core/op/op.h"

/* inout[i] = in[i] op inout[i]; the two do not overlap. */
typedef void hws_op_loop(const void *restrict in, void *restrict inout, size_t n);

/* Rows of the tables: an operation's value & 0x1f. NULL: not defined. Each family fills its own table. */
extern hws_op_loop *const hws_op_ints[32][HWS_BASIC_N];   /* integers, logicals, bytes */
extern hws_op_loop *const hws_op_floats[32][HWS_BASIC_N]; /* floating point and complex */
extern hws_op_loop *const hws_op_pairs[32][HWS_BASIC_N];  /* MPI_MINLOC, MPI_MAXLOC */

/* The same for an unnamed pair of those two. */
hws_op_loop *hws_op_unnamed_pair(bool max, enum hws_basic value, enum hws_basic index);

#define HWS_OP_SLOT(op) ((uintptr_t)(op)&0x1f)

/* gcc vectorises at -O2 only what needs no check at run time: loops of ops ask for more. HWS_OP_WIDE makes them for
 * wider registers, too, and the loader takes those that the processor has: twice to four times as quick for operands
 * that are in the caches, and the same bits, as each loop has one operation (two of them could become one, rounded
 * once). Not registers of 512 bits: hardly any quicker, and up to 11 times as slow where inout lies 64 to 512 bytes
 * behind in, modulo a page; HWS_OP_UNROLL as so short a loop is half as fast where it crosses a line (decision 052).
 * Not for sanitizers, which are not ready when the loader chooses.
 */
#if !defined(__GNUC__) || defined(__clang__)
#define HWS_OP_VECTORISE
#define HWS_OP_WIDE
#define HWS_OP_UNROLL
#else
#define HWS_OP_UNROLL    _Pragma("GCC unroll 4")
#define HWS_OP_VECTORISE __attribute__((optimize("O3")))
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HWS_OP_WIDE __attribute__((optimize("O3"), target_clones("avx2", "default")))
#else
#define HWS_OP_WIDE HWS_OP_VECTORISE
#endif
#endif

/* A loop whose result is an expression of a (of in) and b (of inout); how: HWS_OP_WIDE or HWS_OP_VECTORISE. */
#define HWS_OP_LOOP(how, name, type, expression)                                                                       \
    how static void name(const void *restrict in, void *restrict inout, size_t n)                                      \
    {                                                                                                                  \
        const type *restrict x = in;                                                                                   \
        type *restrict y = inout;                                                                                      \
        HWS_OP_UNROLL for (size_t i = 0; i < n; i++)                                                                   \
        {                                                                                                              \
            type a = x[i], b = y[i];                                                                                   \
            y[i] = (type)(expression);                                                                                 \
        }                                                                                                              \
    }

#endif
