/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_make: from a constructor's arguments to size, bounds, layout and signature (MPI 5.0 sections 5.1.2
 * to 5.1.7). All sums are checked; the first that overflows makes the type too large.
 */
#include "core/type/datatype_make.h"

#include <stdlib.h>

#include "core/object/fail.h"
#include "core/type/datatype_priv.h"

/* A new type while its parts are being added. */
struct draft {
    bool overflow, no_memory;
    bool any_marked, any_data;
    MPI_Count lo, hi;           /* lowest lb and highest ub of parts with explicit bounds */
    MPI_Count true_lo, true_hi; /* of the data */
    MPI_Count padded_hi;        /* of the data, each part's padding included */
    uint8_t align;
};

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a datatype");
}

static void widen(MPI_Count *lo, MPI_Count *hi, bool first, MPI_Count l, MPI_Count h)
{
    *lo = first || l < *lo ? l : *lo;
    *hi = first || h > *hi ? h : *hi;
}

/* Elements of old whose origins span [from, to] (bytes). */
static void cover(struct draft *d, const struct hws_type *old, MPI_Count from, MPI_Count to)
{
    MPI_Count l, h;
    d->overflow = d->overflow || old->too_large;
    d->align = old->align > d->align ? old->align : d->align;
    if (old->marked) {
        if (__builtin_add_overflow(from, old->lb, &l) || __builtin_add_overflow(to, old->lb, &h) ||
            __builtin_add_overflow(h, old->extent, &h))
            d->overflow = true;
        else
            widen(&d->lo, &d->hi, !d->any_marked, l, h);
        d->any_marked = true;
    }
    if (old->size == 0)
        return;
    if (__builtin_add_overflow(to, old->lb, &h) || __builtin_add_overflow(h, old->extent, &h))
        d->overflow = true;
    else if (!d->any_data || h > d->padded_hi)
        d->padded_hi = h;
    if (__builtin_add_overflow(from, old->true_lb, &l) || __builtin_add_overflow(to, old->true_lb, &h) ||
        __builtin_add_overflow(h, old->true_extent, &h))
        d->overflow = true;
    else
        widen(&d->true_lo, &d->true_hi, !d->any_data, l, h);
    d->any_data = true;
}

/* A block of n > 0 elements at disp. */
static void cover_block(struct draft *d, const struct hws_type *old, MPI_Count disp, MPI_Count n)
{
    MPI_Count last, from = disp, to = disp;
    if (__builtin_mul_overflow(n - 1, old->extent, &last) || __builtin_add_overflow(disp, last, last < 0 ? &from : &to))
        d->overflow = true;
    else
        cover(d, old, from, to);
}

static void free_parts(struct hws_piece *one, struct hws_sig *sig)
{
    hws_piece_drop(one);
    hws_sig_drop(sig);
}

/* Bounds by section 5.1.6: explicit ones hide all others; without any, the data's, and the extent is padded to the
 * alignment. What a part is padded with counts, as in MPICH and Open MPI, though the section's formula knows data only:
 * so a type reaches as far as each of its parts, also where these lie at addresses that are not aligned. False:
 * overflow. */
static bool settle_bounds(struct draft *d, MPI_Count *extent)
{
    if (d->any_marked)
        return !__builtin_sub_overflow(d->hi, d->lo, extent);
    d->lo = d->true_lo;
    if (__builtin_sub_overflow(d->padded_hi, d->true_lo, extent))
        return false;
    MPI_Count pad = d->align < 2 ? 0 : -*extent & (d->align - 1);
    return !__builtin_add_overflow(*extent, pad, extent);
}

/* Takes over one and sig. */
static int finish(struct draft *d, struct hws_piece *one, struct hws_sig *sig, struct hws_type **out)
{
    struct hws_type *t = hws_type_alloc();
    MPI_Count extent = 0;
    bool too_large = d->overflow || !settle_bounds(d, &extent);
    if (too_large) {
        free_parts(one, sig);
        *one = (struct hws_piece){0};
        sig = NULL;
        *d = (struct draft){.no_memory = d->no_memory};
        extent = 0;
    }
    struct hws_type_flat *flat = !t || d->no_memory ? NULL : hws_flat_new(one, extent);
    if (!flat) {
        free_parts(one, sig);
        free(t);
        return no_memory();
    }
    hws_type_set_flat(t, flat);
    t->too_large = too_large;
    t->sig = sig;
    t->size = sig ? sig->bytes : 0;
    t->lb = d->lo;
    t->extent = extent;
    t->marked = d->any_marked;
    t->align = d->align;
    t->true_lb = d->true_lo;
    t->true_extent = d->true_hi - d->true_lo;
    t->solid = !t->flat->one.node;
    t->dense = t->solid && t->size == t->extent;
    t->basic = sig && sig->single ? sig->single->basic : HWS_BASIC_NONE;
    *out = t;
    return MPI_SUCCESS;
}

static struct hws_sig *repeat(struct draft *d, MPI_Count n, struct hws_type *old)
{
    struct hws_sig *sig = NULL;
    struct hws_sig_part part = {.times = n, .sig = old->sig};
    enum hws_err err = hws_sig_seq(1, &part, &sig);
    d->overflow = d->overflow || err == HWS_EINVAL;
    d->no_memory = d->no_memory || err == HWS_ENOMEM;
    return sig;
}

int hws_type_new_loop(MPI_Count n, MPI_Count blocklen, MPI_Count stride, struct hws_type *old, struct hws_type **out)
{
    struct draft d = {0};
    struct hws_piece block = {0}, one = {0};
    struct hws_sig *sig = NULL;
    MPI_Count total, last = 0;
    if (__builtin_mul_overflow(n, blocklen, &total) || (n > 0 && __builtin_mul_overflow(n - 1, stride, &last)))
        d.overflow = true;
    else if (total > 0) {
        cover_block(&d, old, 0, blocklen);
        cover_block(&d, old, last, blocklen);
        sig = repeat(&d, total, old);
    }
    if (!d.overflow && total > 0) {
        d.no_memory = d.no_memory || !hws_piece_loop(blocklen, old->extent, &old->flat->one, &block) ||
                      !hws_piece_loop(n, stride, &block, &one);
        hws_piece_drop(&block);
    }
    return finish(&d, &one, sig, out);
}

static MPI_Count block_len(const struct hws_type_blocks *b, MPI_Count i)
{
    return b->lens.p ? hws_counts_at(b->lens, i) : b->blocklen;
}

/* Bounds and number of elements of all blocks. */
static MPI_Count cover_blocks(struct draft *d, const struct hws_type_blocks *b, const struct hws_type *old)
{
    MPI_Count total = 0, disp;
    for (MPI_Count i = 0; i < b->n && !d->overflow; i++) {
        MPI_Count len = block_len(b, i);
        if (len == 0)
            continue;
        if (__builtin_mul_overflow(hws_counts_at(b->disps, i), b->unit, &disp) ||
            __builtin_add_overflow(total, len, &total))
            d->overflow = true;
        else
            cover_block(d, old, disp, len);
    }
    return total;
}

static void drop_items(MPI_Count n, struct hws_piece *items, MPI_Count stop)
{
    for (MPI_Count i = 0; items && i < n && i < stop; i++)
        hws_piece_drop(&items[i]);
    free(items);
}

/* A list of pieces out of items (n of them filled, freed here). hws_piece_list may move entries about: what is held is
 * what `keep`, a plain copy, holds. */
static bool make_list(MPI_Count n, struct hws_piece *items, struct hws_piece *out)
{
    struct hws_piece *work = malloc(((size_t)n + 1) * sizeof *work);
    bool ok = work != NULL;
    for (MPI_Count i = 0; ok && i < n; i++)
        work[i] = items[i];
    ok = ok && hws_piece_list(n, work, out);
    free(work);
    drop_items(n, items, n);
    return ok;
}

static bool make_block(MPI_Count len, MPI_Count disp, const struct hws_type *old, const struct hws_piece *like,
                       struct hws_piece *out)
{
    const struct hws_piece *one = &old->flat->one;
    if (like && like->len == len * one->len) { /* as long as the block before: share its node */
        *out = *like;
        hws_piece_hold(out);
    } else if (!hws_piece_loop(len, old->extent, one, out)) {
        return false;
    }
    out->disp = disp + one->disp;
    return true;
}

static bool list_blocks(const struct hws_type_blocks *b, const struct hws_type *old, struct hws_piece *one)
{
    struct hws_piece *items = malloc(((size_t)b->n + 1) * sizeof *items);
    if (!items)
        return false;
    for (MPI_Count i = 0; i < b->n; i++) {
        if (make_block(block_len(b, i), hws_counts_at(b->disps, i) * b->unit, old, i > 0 ? &items[i - 1] : NULL,
                       &items[i]))
            continue;
        drop_items(b->n, items, i);
        return false;
    }
    return make_list(b->n, items, one);
}

int hws_type_new_blocks(const struct hws_type_blocks *b, struct hws_type *old, struct hws_type **out)
{
    struct draft d = {0};
    struct hws_piece one = {0};
    MPI_Count total = cover_blocks(&d, b, old);
    struct hws_sig *sig = d.overflow ? NULL : repeat(&d, total, old);
    if (!d.overflow && !d.no_memory)
        d.no_memory = !list_blocks(b, old, &one);
    return finish(&d, &one, sig, out);
}

/* The signature and the pieces of a struct; overflow has been excluded for the bounds, not for the size. */
static void list_fields(struct draft *d, MPI_Count n, struct hws_counts lens, struct hws_counts disps,
                        const MPI_Datatype types[], struct hws_piece *one, struct hws_sig **sig)
{
    struct hws_piece *items = malloc(((size_t)n + 1) * sizeof *items);
    struct hws_sig_part *parts = calloc((size_t)n + 1, sizeof *parts);
    enum hws_err err = items && parts ? HWS_OK : HWS_ENOMEM;
    for (MPI_Count i = 0; !err && i < n; i++)
        parts[i] = (struct hws_sig_part){.times = hws_counts_at(lens, i), .sig = hws_type_of(types[i])->sig};
    err = err ? err : hws_sig_seq(n, parts, sig);
    MPI_Count i = 0;
    for (; !err && i < n; i++)
        if (!make_block(hws_counts_at(lens, i), hws_counts_at(disps, i), hws_type_of(types[i]), NULL, &items[i]))
            break;
    free(parts);
    d->overflow = d->overflow || err == HWS_EINVAL;
    d->no_memory = err == HWS_ENOMEM || (!err && i < n);
    if (err || i < n)
        drop_items(n, items, i);
    else
        d->no_memory = !make_list(n, items, one);
}

int hws_type_new_struct(MPI_Count n, struct hws_counts lens, struct hws_counts disps, const MPI_Datatype types[],
                        struct hws_type **out)
{
    struct draft d = {0};
    struct hws_piece one = {0};
    struct hws_sig *sig = NULL;
    for (MPI_Count i = 0; i < n && !d.overflow; i++)
        if (hws_counts_at(lens, i) > 0)
            cover_block(&d, hws_type_of(types[i]), hws_counts_at(disps, i), hws_counts_at(lens, i));
    if (!d.overflow)
        list_fields(&d, n, lens, disps, types, &one, &sig);
    return finish(&d, &one, sig, out);
}

int hws_type_new_resized(struct hws_type *old, MPI_Count lb, MPI_Count extent, struct hws_type **out)
{
    struct draft d = {.any_marked = true, .lo = lb, .align = old->align, .overflow = old->too_large};
    struct hws_piece one = old->flat->one;
    d.overflow = __builtin_add_overflow(lb, extent, &d.hi) || d.overflow;
    d.true_lo = old->true_lb;
    d.true_hi = old->true_lb + old->true_extent;
    hws_piece_hold(&one);
    hws_sig_hold(old->sig);
    return finish(&d, &one, old->sig, out);
}

int hws_type_new_dup(struct hws_type *old, struct hws_type **out)
{
    struct hws_type *t = hws_type_alloc();
    struct hws_piece one = old->flat->one;
    hws_piece_hold(&one);
    struct hws_type_flat *flat = hws_flat_new(&one, old->extent);
    if (!t || !flat) {
        hws_flat_free(flat);
        free(t);
        return no_memory();
    }
    struct hws_object obj = t->obj;
    *t = *old;
    t->obj = obj;
    hws_type_set_flat(t, flat);
    t->tree = NULL;
    t->attrs = NULL;
    t->handles = 1;
    t->name[0] = 0;
    t->ext_bytes = 0;
    hws_sig_hold(t->sig);
    *out = t;
    return MPI_SUCCESS;
}

int hws_type_commit(struct hws_type *t)
{
    if (t->too_large)
        return hws_fail(MPI_ERR_TYPE, "invalid datatype: its size or extent is more than MPI_Count can hold");
    t->committed = true;
    return MPI_SUCCESS;
}
