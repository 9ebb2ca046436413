/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_pack: copies between the packed stream and a typed buffer, from any byte offset. One walker serves both
 * directions; all bytes move in copy_strided. Keeps no state between calls: seeking costs one division per loop and one
 * binary search per list on the way down, so fragment after fragment is linear in the bytes. Addresses of the typed
 * side are integers: with MPI_BOTTOM they are no offsets into any object.
 */
#include "core/type/datatype_priv.h"

#include <string.h>

#include "base/copy.h"

/* A struct's fields are copied field by field over this many bytes of elements, to stay in the first-level cache. */
#define COLUMN_BYTES      16384
#define COLUMN_MAX_BLOCKS 32
/* Short blocks so far apart that each has its own cache lines, and soon its own page, are fetched so many ahead: up to
 * twice as fast from memory, a few percent slower from the cache (faces of 64 KiB to 4 MiB on an EPYC, 2026-11-21). */
#define FAR_STEP   128
#define FAR_BLOCKS 64

struct walk {
    char *packed;
    bool unpack;
};

#define COPY_FIXED(bytes)                                                                                              \
    case bytes:                                                                                                        \
        for (; n > 0; n--, dst += dst_step, src += src_step)                                                           \
            memcpy(dst, src, bytes);                                                                                   \
        break;

static inline bool is_far(ptrdiff_t step)
{
    return step >= FAR_STEP || step <= -FAR_STEP;
}

/* n blocks of len bytes each, a constant where this is called; one side of them is far apart. */
static inline void copy_far(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t src_step, size_t len, MPI_Count n)
{
    ptrdiff_t step = is_far(src_step) ? src_step : dst_step;
    uintptr_t next = (uintptr_t)(is_far(src_step) ? src : dst) + (uintptr_t)(FAR_BLOCKS * step);
    for (; n > 0; n--, dst += dst_step, src += src_step, next += (uintptr_t)step) {
        __builtin_prefetch((const void *)next);
        memcpy(dst, src, len);
    }
}

/* True: they were copied. */
static bool copy_if_far(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t src_step, size_t len, MPI_Count n)
{
    if (n < 2 * FAR_BLOCKS || is_far(src_step) == is_far(dst_step))
        return false;
    if (len == 4)
        copy_far(dst, dst_step, src, src_step, 4, n);
    else if (len == 8)
        copy_far(dst, dst_step, src, src_step, 8, n);
    else if (len == 16)
        copy_far(dst, dst_step, src, src_step, 16, n);
    return len == 4 || len == 8 || len == 16;
}

/* n blocks of 8 bytes: two at once where they are written side by side. */
static void copy_eights(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t src_step, MPI_Count n)
{
    uint64_t two[2];
    for (; n > 1 && dst_step == 8; n -= 2, dst += 16, src += 2 * src_step) {
        memcpy(&two[0], src, 8);
        memcpy(&two[1], src + src_step, 8);
        memcpy(dst, two, 16);
    }
    for (; n > 0; n--, dst += dst_step, src += src_step)
        memcpy(dst, src, 8);
}

/* n blocks of half to 2 * half bytes each, by two moves that overlap; half is a constant where this is called. */
static inline void copy_halves(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t src_step, size_t len,
                               size_t half, MPI_Count n)
{
    for (size_t last = len - half; n > 0; n--, dst += dst_step, src += src_step) {
        memcpy(dst, src, half);
        memcpy(dst + last, src + last, half);
    }
}

/* n blocks of len bytes each. */
static void copy_strided(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t src_step, size_t len, MPI_Count n)
{
    if (copy_if_far(dst, dst_step, src, src_step, len, n))
        return;
    switch (len) {
    case 0:
        break;
    case 8:
        copy_eights(dst, dst_step, src, src_step, n);
        break;
        COPY_FIXED(1)
        COPY_FIXED(2)
        COPY_FIXED(3)
        COPY_FIXED(4)
        COPY_FIXED(6)
        COPY_FIXED(12)
        COPY_FIXED(16)
        COPY_FIXED(20)
        COPY_FIXED(24)
        COPY_FIXED(32)
        COPY_FIXED(64)
    default:
        if (len < 8)
            copy_halves(dst, dst_step, src, src_step, len, 4, n); /* 5 and 7 */
        else if (len < 16)
            copy_halves(dst, dst_step, src, src_step, len, 8, n);
        else if (len < 32)
            copy_halves(dst, dst_step, src, src_step, len, 16, n);
        else if (len < 64)
            copy_halves(dst, dst_step, src, src_step, len, 32, n);
        else if (len < 128)
            copy_halves(dst, dst_step, src, src_step, len, 64, n);
        else
            for (; n > 0; n--, dst += dst_step, src += src_step)
                hws_copy_long(dst, src, len);
    }
}
#undef COPY_FIXED

/* One block of any length, short ones by two moves that may overlap each other (both read before they write). */
static inline void copy_block(char *dst, const char *src, size_t len)
{
    struct pair8 {
        uint64_t a, b;
    } x;
    struct pair16 {
        char a[16], b[16];
    } y;
    if (len - 8 <= 8) {
        memcpy(&x.a, src, 8);
        memcpy(&x.b, src + len - 8, 8);
        memcpy(dst, &x.a, 8);
        memcpy(dst + len - 8, &x.b, 8);
    } else if (len - 16 <= 16) {
        memcpy(y.a, src, 16);
        memcpy(y.b, src + len - 16, 16);
        memcpy(dst, y.a, 16);
        memcpy(dst + len - 16, y.b, 16);
    } else if (len == 4) {
        memcpy(dst, src, 4);
    } else if (len < 8) {
        for (size_t i = 0; i < len; i++)
            dst[i] = src[i];
    } else {
        hws_copy_long(dst, src, len);
    }
}

#define SCATTER_FIXED(bytes)                                                                                           \
    case bytes:                                                                                                        \
        if (w->unpack)                                                                                                 \
            for (MPI_Count i = 0; i < n; i++, packed += bytes)                                                         \
                memcpy((char *)(at + (uintptr_t)disp[i]), packed, bytes);                                              \
        else                                                                                                           \
            for (MPI_Count i = 0; i < n; i++, packed += bytes)                                                         \
                memcpy(packed, (char *)(at + (uintptr_t)disp[i]), bytes);                                              \
        break;

/* n runs of len bytes each at disp[i]. */
static void move_scattered(struct walk *w, uintptr_t at, const MPI_Count *disp, MPI_Count len, MPI_Count n)
{
    char *packed = w->packed;
    w->packed += n * len;
    switch (len) {
        SCATTER_FIXED(1)
        SCATTER_FIXED(2)
        SCATTER_FIXED(4)
        SCATTER_FIXED(8)
        SCATTER_FIXED(16)
    default:
        for (MPI_Count i = 0; i < n; i++, packed += len) {
            char *typed = (char *)(at + (uintptr_t)disp[i]);
            copy_block(w->unpack ? typed : packed, w->unpack ? packed : typed, (size_t)len);
        }
    }
}
#undef SCATTER_FIXED

/* n runs of different lengths. */
static void move_blocks(struct walk *w, uintptr_t at, const MPI_Count *disp, const MPI_Count *start, MPI_Count n)
{
    char *packed = w->packed;
    for (MPI_Count i = 0; i < n; i++) {
        char *typed = (char *)(at + (uintptr_t)disp[i]);
        size_t len = (size_t)(start[i + 1] - start[i]);
        copy_block(w->unpack ? typed : packed, w->unpack ? packed : typed, len);
        packed += len;
    }
    w->packed = packed;
}

static void move_runs(struct walk *w, uintptr_t at, MPI_Count stride, MPI_Count len, MPI_Count n)
{
    if (w->unpack)
        copy_strided((char *)at, stride, w->packed, len, (size_t)len, n);
    else
        copy_strided(w->packed, len, (const char *)at, stride, (size_t)len, n);
    w->packed += n * len;
}

/* Elements of few runs, many of them. */
static bool is_columns(const struct hws_type_node *b, MPI_Count n)
{
    return b->n <= COLUMN_MAX_BLOCKS && n >= b->n &&
           (b->kind == HWS_NODE_BLOCKS || (b->kind != HWS_NODE_SEQ && !b->child.node));
}

/* n elements, stride apart, of the same few runs: run by run, so that each copy has one fixed length. */
static void move_columns(struct walk *w, const struct hws_piece *elem, uintptr_t at, MPI_Count stride, MPI_Count n)
{
    const struct hws_type_node *b = elem->node;
    MPI_Count step = stride < 0 ? -stride : stride, chunk = COLUMN_BYTES / (step + elem->len) + 4;
    while (n > 0) {
        MPI_Count k = n < chunk ? n : chunk;
        char *packed = w->packed;
        for (MPI_Count j = 0; j < b->n; j++) {
            MPI_Count len = hws_node_entry(b, j).len;
            char *typed = (char *)hws_node_at(b, at, j);
            if (w->unpack)
                copy_strided(typed, stride, packed, elem->len, (size_t)len, k);
            else
                copy_strided(packed, elem->len, typed, stride, (size_t)len, k);
            packed += len;
        }
        w->packed += k * elem->len;
        at += (uintptr_t)(k * stride);
        n -= k;
    }
}

static void move_entries(struct walk *w, const struct hws_type_node *node, uintptr_t at, MPI_Count i, MPI_Count n);

static void move_whole(struct walk *w, const struct hws_piece *p, uintptr_t at)
{
    if (p->node)
        move_entries(w, p->node, at, 0, p->node->n);
    else
        move_runs(w, at, 0, p->len, 1);
}

/* Entries i to i+n-1, each whole. */
static void move_entries(struct walk *w, const struct hws_type_node *node, uintptr_t at, MPI_Count i, MPI_Count n)
{
    const struct hws_piece *child = &node->child;
    if (node->kind == HWS_NODE_BLOCKS) {
        move_blocks(w, at, node->disp + i, node->start + i, n);
        return;
    }
    if (node->kind == HWS_NODE_SAME && !child->node) {
        move_scattered(w, at, node->disp + i, child->len, n);
        return;
    }
    if (node->kind == HWS_NODE_LOOP && !child->node) {
        move_runs(w, at + (uintptr_t)(i * node->stride), node->stride, child->len, n);
        return;
    }
    if (node->kind == HWS_NODE_LOOP && is_columns(child->node, n)) {
        move_columns(w, child, at + (uintptr_t)(i * node->stride), node->stride, n);
        return;
    }
    for (MPI_Count end = i + n; i < end; i++) {
        struct hws_piece p = hws_node_entry(node, i);
        move_whole(w, &p, hws_node_at(node, at, i));
    }
}

/* Bytes [offset, offset+n) of a piece. */
static void move_part(struct walk *w, const struct hws_piece *p, uintptr_t at, uint64_t offset, uint64_t n);

/* The same of a node; only its first and last entry may be cut. */
static void move_range(struct walk *w, const struct hws_type_node *node, uintptr_t at, uint64_t offset, uint64_t n)
{
    uint64_t start;
    MPI_Count i = hws_node_find(node, offset, &start);
    if (offset > start) {
        struct hws_piece p = hws_node_entry(node, i);
        uint64_t left = start + (uint64_t)p.len - offset, m = n < left ? n : left;
        move_part(w, &p, hws_node_at(node, at, i), offset - start, m);
        offset += m;
        n -= m;
        i++;
    }
    if (n == 0)
        return;
    MPI_Count last = hws_node_find(node, offset + n - 1, &start);
    struct hws_piece p = hws_node_entry(node, last);
    uint64_t tail = offset + n - start; /* of the last entry */
    bool cut = tail < (uint64_t)p.len;
    move_entries(w, node, at, i, last - i + (cut ? 0 : 1));
    if (cut)
        move_part(w, &p, hws_node_at(node, at, last), 0, tail);
}

static void move_part(struct walk *w, const struct hws_piece *p, uintptr_t at, uint64_t offset, uint64_t n)
{
    if (p->node)
        move_range(w, p->node, at, offset, n);
    else
        move_runs(w, at + offset, 0, (MPI_Count)n, 1);
}

static void move_type(struct walk *w, const struct hws_type *t, uintptr_t base, uint64_t offset, size_t n)
{
    if (n == 0)
        return;
    if (t->dense)
        move_runs(w, base + (uintptr_t)t->true_lb + offset, 0, (MPI_Count)n, 1);
    else
        move_range(w, &t->flat->endless, base + (uintptr_t)t->flat->endless_disp, offset, n);
}

void hws_type_pack(const struct hws_type *t, const void *base, uint64_t offset, void *dst, size_t n)
{
    struct walk w = {.packed = dst};
    move_type(&w, t, (uintptr_t)base, offset, n);
}

void hws_type_unpack(const struct hws_type *t, void *base, uint64_t offset, const void *src, size_t n)
{
    struct walk w = {.packed = (char *)(uintptr_t)src, .unpack = true};
    move_type(&w, t, (uintptr_t)base, offset, n);
}
