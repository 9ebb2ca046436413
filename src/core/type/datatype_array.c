/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_array: parts of arrays (MPI 5.0 sections 5.1.3 and 5.1.4). Both are built dimension by dimension, the
 * fastest first, out of loops; the result has the bounds of the whole array.
 */
#include "core/type/datatype_make.h"

#include "core/object/fail.h"

/* The type built so far, owned; stride: bytes between neighbours in the dimension at hand. */
struct build {
    struct hws_type *type;
    MPI_Count stride;
    bool overflow;
};

static int become(struct build *b, int rc, struct hws_type *next)
{
    hws_type_drop(b->type);
    b->type = rc == MPI_SUCCESS ? next : NULL;
    return rc;
}

static int add_loop(struct build *b, MPI_Count n, MPI_Count stride)
{
    struct hws_type *next = NULL;
    int rc = hws_type_new_loop(n, 1, stride, b->type, &next);
    return become(b, rc, next);
}

/* x*y, or INT64_MAX and overflow noted. */
static MPI_Count times(struct build *b, MPI_Count x, MPI_Count y)
{
    MPI_Count product;
    if (!__builtin_mul_overflow(x, y, &product))
        return product;
    b->overflow = true;
    return INT64_MAX;
}

static int shift(struct build *b, MPI_Count disp)
{
    struct hws_type *next = NULL;
    struct hws_type_blocks one = {.n = 1, .blocklen = 1, .disps = {&disp, true}, .unit = 1};
    if (disp == 0)
        return MPI_SUCCESS;
    int rc = hws_type_new_blocks(&one, b->type, &next);
    return become(b, rc, next);
}

/* Ends with the bounds of the whole array: lb 0 and the stride that the next dimension would have. */
static int whole(struct build *b, int rc, struct hws_type **out)
{
    struct hws_type *next = NULL;
    if (rc != MPI_SUCCESS)
        return rc;
    if (b->overflow) /* a loop that cannot be counted is the type that is too large */
        rc = hws_type_new_loop(INT64_MAX, INT64_MAX, 0, b->type, &next);
    else
        rc = hws_type_new_resized(b->type, 0, b->stride, &next);
    rc = become(b, rc, next);
    *out = b->type;
    return rc;
}

int hws_type_new_subarray(const struct hws_subarray *a, struct hws_type *old, struct hws_type **out)
{
    struct build b = {.type = old, .stride = old->extent};
    int rc = MPI_SUCCESS;
    hws_type_hold(old);
    for (int i = 0; i < a->ndims && rc == MPI_SUCCESS; i++) {
        int d = a->fortran ? i : a->ndims - 1 - i;
        rc = add_loop(&b, hws_counts_at(a->subsizes, d), b.stride);
        if (rc == MPI_SUCCESS)
            rc = shift(&b, times(&b, hws_counts_at(a->starts, d), b.stride));
        b.stride = times(&b, b.stride, hws_counts_at(a->sizes, d));
    }
    return whole(&b, rc, out);
}

/* One dimension of gsize elements over p processes in blocks of `block`: process r owns blocks r, r+p, r+2p... */
struct share {
    MPI_Count gsize, block;
    int p, r;
};

static int add_share(struct build *b, const struct share *s)
{
    MPI_Count cycle = times(b, s->block, s->p);
    if (b->overflow)
        return MPI_SUCCESS;
    MPI_Count first = s->r * s->block;
    MPI_Count mine = s->gsize > first ? s->gsize - first : 0;    /* from the first of my elements on */
    MPI_Count full = mine / cycle + (mine % cycle >= s->block);  /* whole blocks */
    MPI_Count part = mine % cycle < s->block ? mine % cycle : 0; /* elements of the last, cut one */
    struct build tail = {.type = b->type, .stride = b->stride};
    MPI_Count stride = b->stride, wide = times(b, cycle, stride);
    hws_type_hold(tail.type);
    int rc = add_loop(b, s->block, stride);
    if (rc == MPI_SUCCESS)
        rc = add_loop(b, full, wide);
    if (rc == MPI_SUCCESS)
        rc = add_loop(&tail, part, stride);
    if (rc == MPI_SUCCESS && part > 0) {
        struct hws_type *next = NULL;
        MPI_Count lens[2] = {1, 1}, disps[2] = {0, times(b, full, wide)};
        MPI_Datatype types[2] = {hws_type_handle(b->type), hws_type_handle(tail.type)};
        rc = hws_type_new_struct(2, (struct hws_counts){lens, true}, (struct hws_counts){disps, true}, types, &next);
        rc = become(b, rc, next);
    }
    hws_type_drop(tail.type);
    return rc == MPI_SUCCESS ? shift(b, times(b, first, stride)) : rc;
}

static struct share share_of(const struct hws_darray *a, int d, int r)
{
    struct share s = {.gsize = hws_counts_at(a->gsizes, d), .p = a->psizes[d], .r = r};
    bool by_default = a->dargs[d] == MPI_DISTRIBUTE_DFLT_DARG;
    if (a->distribs[d] == MPI_DISTRIBUTE_NONE)
        s.block = s.gsize;
    else if (a->distribs[d] == MPI_DISTRIBUTE_CYCLIC)
        s.block = by_default ? 1 : a->dargs[d];
    else
        s.block = by_default ? (s.gsize - 1) / s.p + 1 : a->dargs[d];
    return s;
}

/* Coordinate of the process in dimension d: the grid is in row-major order whatever the order of the array
 * (section 5.1.4). */
static int coordinate(const struct hws_darray *a, int d)
{
    int below = 1;
    for (int i = d + 1; i < a->ndims; i++)
        below *= a->psizes[i];
    return a->rank / below % a->psizes[d];
}

int hws_type_new_darray(const struct hws_darray *a, struct hws_type *old, struct hws_type **out)
{
    struct build b = {.type = old, .stride = old->extent};
    int rc = MPI_SUCCESS;
    hws_type_hold(old);
    for (int i = 0; i < a->ndims && rc == MPI_SUCCESS; i++) {
        int d = a->fortran ? i : a->ndims - 1 - i;
        struct share s = share_of(a, d, coordinate(a, d));
        rc = add_share(&b, &s);
        b.stride = times(&b, b.stride, s.gsize);
    }
    return whole(&b, rc, out);
}
