/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_external: external32 (MPI 5.0 section 14.5.2): big-endian IEEE without holes, fixed lengths. The native
 * packed stream is made or consumed in pieces, and converted along the signature.
 */
#include "core/type/datatype_elems.h"

#include <float.h>
#include <limits.h>
#include <string.h>
#include <wchar.h>

#include "core/object/fail.h"
#include "core/type/datatype_priv.h"

#define STREAM_BYTES 4096 /* at least the largest basic type */

struct convert {
    const struct hws_type *type;
    char *base;
    char *ext;              /* next byte in external32 */
    uint64_t offset, total; /* of the native packed stream: next to fill or to flush; its end */
    bool unpack, lost;
    size_t used, have; /* bytes of buf consumed, filled */
    char buf[STREAM_BYTES];
};

static bool is_little(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* The bytes of n units, each turned around. */
static void swap_units(char *dst, const char *src, size_t unit, MPI_Count n)
{
    for (; n > 0; n--, dst += unit, src += unit)
        for (size_t i = 0; i < unit; i++)
            dst[i] = src[is_little() ? unit - 1 - i : i];
}

/* Two's complement integers that are `wide` bytes here and `narrow` there. False: a value did not fit. */
static bool narrow_int(char *ext, const char *native, size_t wide, size_t narrow, bool is_signed)
{
    uint64_t v = 0;
    for (size_t i = 0; i < wide; i++)
        v = v << 8 | (unsigned char)native[is_little() ? wide - 1 - i : i];
    for (size_t i = 0; i < narrow; i++)
        ext[i] = (char)(v >> 8 * (narrow - 1 - i));
    if (wide < 8 && is_signed)
        v = (uint64_t)((int64_t)(v << (64 - 8 * wide)) >> (64 - 8 * wide));
    int64_t top = (int64_t)v >> (8 * narrow - 1); /* all ones or all zeros */
    return is_signed ? top == 0 || top == -1 : v >> 8 * narrow == 0;
}

static void widen_int(char *native, const char *ext, size_t wide, size_t narrow, bool is_signed)
{
    uint64_t v = is_signed && (ext[0] & 0x80) ? UINT64_MAX : 0;
    for (size_t i = 0; i < narrow; i++)
        v = v << 8 | (unsigned char)ext[i];
    for (size_t i = 0; i < wide; i++)
        native[is_little() ? i : wide - 1 - i] = (char)(v >> 8 * i);
}

/* long double as the 16-byte IEEE format. Where it is that already, or no wider than double, the compiler's own
 * conversion is exact; so it is from x87's 64-bit mantissa. */
#if defined(__SIZEOF_FLOAT128__)
#define QUAD __float128
#else
#define QUAD long double
_Static_assert(LDBL_MANT_DIG == 113, "needs a 16-byte IEEE type for MPI_LONG_DOUBLE in external32");
#endif

static void quad_out(char *ext, const char *native)
{
    long double v;
    memcpy(&v, native, sizeof v);
    QUAD q = (QUAD)v;
    swap_units(ext, (const char *)&q, sizeof q, 1);
}

static void quad_in(char *native, const char *ext)
{
    QUAD q;
    swap_units((char *)&q, ext, sizeof q, 1);
    long double v = (long double)q;
    memset(native, 0, sizeof v); /* x87 has six bytes of padding */
    memcpy(native, &v, sizeof v);
}

static bool is_long_double(const struct hws_type *t)
{
    return t->basic == HWS_BASIC_FLONG || t->basic == HWS_BASIC_CLONG;
}

/* n elements of one basic type; native bytes are in the buffer. */
static void convert_out(struct convert *c, const struct hws_type *t, const char *native, MPI_Count n)
{
    size_t unit = t->op_class == HWS_CLASS_COMPLEX ? (size_t)t->size / 2 : (size_t)t->size;
    if (is_long_double(t)) {
        for (MPI_Count i = 0; i < n * (t->size / (MPI_Count)sizeof(long double)); i++)
            quad_out(c->ext + 16 * i, native + (MPI_Count)sizeof(long double) * i);
    } else if (t->size == t->ext_bytes) {
        swap_units(c->ext, native, unit, n * (t->size / (MPI_Count)unit));
    } else {
        bool is_signed = t->basic == HWS_BASIC_I64;
        for (MPI_Count i = 0; i < n; i++)
            if (!narrow_int(c->ext + i * t->ext_bytes, native + i * t->size, (size_t)t->size, t->ext_bytes, is_signed))
                c->lost = true;
    }
    c->ext += n * t->ext_bytes;
}

static void convert_in(struct convert *c, const struct hws_type *t, char *native, MPI_Count n)
{
    size_t unit = t->op_class == HWS_CLASS_COMPLEX ? (size_t)t->size / 2 : (size_t)t->size;
    if (is_long_double(t)) {
        for (MPI_Count i = 0; i < n * (t->size / (MPI_Count)sizeof(long double)); i++)
            quad_in(native + (MPI_Count)sizeof(long double) * i, c->ext + 16 * i);
    } else if (t->size == t->ext_bytes) {
        swap_units(native, c->ext, unit, n * (t->size / (MPI_Count)unit));
    } else {
        for (MPI_Count i = 0; i < n; i++)
            widen_int(native + i * t->size, c->ext + i * t->ext_bytes, (size_t)t->size, t->ext_bytes,
                      t->basic == HWS_BASIC_I64);
    }
    c->ext += n * t->ext_bytes;
}

/* Puts what is in the buffer into the typed memory. */
static void flush(struct convert *c)
{
    hws_type_unpack(c->type, c->base, c->offset, c->buf, c->used);
    c->offset += c->used;
    c->used = 0;
}

static void refill(struct convert *c)
{
    size_t rest = c->have - c->used;
    memmove(c->buf, c->buf + c->used, rest);
    uint64_t left = c->total - c->offset;
    size_t n = left < sizeof c->buf - rest ? (size_t)left : sizeof c->buf - rest;
    hws_type_pack(c->type, c->base, c->offset, c->buf + rest, n);
    c->offset += n;
    c->used = 0;
    c->have = rest + n;
}

/* times elements of a basic type, as many at once as the buffer has or takes. */
static void convert_leaf(struct convert *c, const struct hws_type *t, MPI_Count times)
{
    while (times > 0) {
        MPI_Count room = ((MPI_Count)(c->unpack ? sizeof c->buf : c->have) - (MPI_Count)c->used) / t->size;
        if (room == 0) {
            c->unpack ? flush(c) : refill(c);
            continue;
        }
        MPI_Count n = times < room ? times : room;
        if (c->unpack)
            convert_in(c, t, c->buf + c->used, n);
        else
            convert_out(c, t, c->buf + c->used, n);
        c->used += (size_t)(n * t->size);
        times -= n;
    }
}

static void convert_sig(struct convert *c, const struct hws_sig *s, MPI_Count times)
{
    if (s->leaf) {
        convert_leaf(c, s->leaf, times);
        return;
    }
    for (; times > 0; times--)
        for (MPI_Count i = 0; i < s->n; i++)
            convert_sig(c, s->part[i].sig, s->part[i].times);
}

MPI_Count hws_type_external_size(const struct hws_type *t)
{
    return t->sig ? t->sig->ext_bytes : 0;
}

int hws_type_pack_external(const struct hws_type *t, const void *base, MPI_Count count, void *dst)
{
    struct convert c = {.type = t, .base = (char *)(uintptr_t)base, .ext = dst, .total = (uint64_t)(count * t->size)};
    if (t->sig)
        convert_sig(&c, t->sig, count);
    return c.lost ? hws_fail(MPI_ERR_CONVERSION, "a value does not fit into its length in external32") : MPI_SUCCESS;
}

int hws_type_unpack_external(const struct hws_type *t, void *base, MPI_Count count, const void *src)
{
    struct convert c = {.type = t, .base = base, .ext = (char *)(uintptr_t)src, .unpack = true};
    if (t->sig)
        convert_sig(&c, t->sig, count);
    flush(&c);
    return MPI_SUCCESS;
}
