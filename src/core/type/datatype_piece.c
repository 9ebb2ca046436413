/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_piece: makes pieces and their nodes, simplest form first: what is one run becomes one run, what is regular
 * becomes nested loops, only the rest stays a list. Called by the constructors; every node is immutable after this.
 */
#include "core/type/datatype_priv.h"

#include <stdlib.h>
#include <string.h>

#define INLINE_RUNS 32 /* as many as datatype_pack.c copies field by field */

void hws_piece_hold(const struct hws_piece *p)
{
    if (p->node)
        __atomic_add_fetch(&p->node->refs, 1, __ATOMIC_RELAXED);
}

void hws_piece_drop(struct hws_piece *p)
{
    struct hws_type_node *node = p->node;
    p->node = NULL;
    if (!node || __atomic_sub_fetch(&node->refs, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    hws_piece_drop(&node->child);
    for (MPI_Count i = 0; node->seq && i < node->n; i++)
        hws_piece_drop(&node->seq[i]);
    free(node->disp);
    free(node->start);
    free(node->seq);
    free(node);
}

void hws_piece_bounds(const struct hws_piece *p, MPI_Count *lo, MPI_Count *hi)
{
    *lo = p->len == 0 ? 0 : p->disp + (p->node ? p->node->lo : 0);
    *hi = p->len == 0 ? 0 : p->disp + (p->node ? p->node->hi : p->len);
}

/* Only compared, so a wrapped product of absurd strides does no harm. */
static MPI_Count span(const struct hws_type_node *loop)
{
    return (MPI_Count)((uint64_t)loop->n * (uint64_t)loop->stride);
}

static bool same_shape(const struct hws_piece *a, const struct hws_piece *b)
{
    if (a->len != b->len || a->node == b->node)
        return a->len == b->len;
    if (!a->node || !b->node || a->node->kind != HWS_NODE_LOOP || b->node->kind != HWS_NODE_LOOP)
        return false;
    return a->node->n == b->node->n && a->node->stride == b->node->stride &&
           same_shape(&a->node->child, &b->node->child);
}

static struct hws_type_node *node_new(enum hws_node_kind kind, MPI_Count n)
{
    struct hws_type_node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->refs = 1;
    node->kind = kind;
    node->n = n;
    if (kind == HWS_NODE_SAME || kind == HWS_NODE_BLOCKS)
        node->disp = malloc((size_t)n * sizeof *node->disp);
    if (kind == HWS_NODE_BLOCKS || kind == HWS_NODE_SEQ)
        node->start = malloc((size_t)(n + 1) * sizeof *node->start);
    if (kind == HWS_NODE_SEQ)
        node->seq = calloc((size_t)n, sizeof *node->seq);
    bool whole = (kind == HWS_NODE_LOOP) || (kind == HWS_NODE_SAME && node->disp) ||
                 (kind == HWS_NODE_BLOCKS && node->disp && node->start) ||
                 (kind == HWS_NODE_SEQ && node->start && node->seq);
    if (whole)
        return node;
    free(node->disp);
    free(node->start);
    free(node->seq);
    free(node);
    return NULL;
}

bool hws_piece_loop(MPI_Count n, MPI_Count stride, const struct hws_piece *child, struct hws_piece *out)
{
    struct hws_piece in = *child; /* out may be child */
    *out = (struct hws_piece){.disp = in.disp, .len = n * in.len};
    if (out->len == 0)
        return true;
    if (!in.node && stride == in.len) /* runs that touch */
        return true;
    if (n == 1) {
        out->node = in.node;
        hws_piece_hold(out);
        return true;
    }
    const struct hws_type_node *inner = in.node;
    if (inner && inner->kind == HWS_NODE_LOOP && stride == span(inner)) { /* the inner loop goes on */
        struct hws_piece step = inner->child;
        step.disp = in.disp;
        return hws_piece_loop(n * inner->n, inner->stride, &step, out);
    }
    struct hws_type_node *node = node_new(HWS_NODE_LOOP, n);
    if (!node)
        return false;
    node->stride = stride;
    node->child = in;
    node->child.disp = 0;
    hws_piece_hold(&node->child);
    node->n_runs = n * hws_piece_runs(&in);
    MPI_Count lo, hi, last = (n - 1) * stride;
    hws_piece_bounds(&node->child, &lo, &hi);
    node->lo = lo + (last < 0 ? last : 0);
    node->hi = hi + (last > 0 ? last : 0);
    out->node = node;
    return true;
}

/* Leaves out what is empty and joins runs that touch; returns the new number. */
static MPI_Count join_runs(MPI_Count n, struct hws_piece *items)
{
    MPI_Count k = 0;
    for (MPI_Count i = 0; i < n; i++) {
        struct hws_piece *last = k > 0 ? &items[k - 1] : NULL;
        if (items[i].len == 0)
            continue;
        if (last && !last->node && !items[i].node && last->disp + last->len == items[i].disp)
            last->len += items[i].len;
        else
            items[k++] = items[i];
    }
    return k;
}

/* How many of the first displacements go on in the same step. */
static MPI_Count even_prefix(MPI_Count n, const struct hws_piece *items)
{
    MPI_Count k = 2;
    while (k < n && items[k].disp - items[k - 1].disp == items[1].disp - items[0].disp)
        k++;
    return k < n ? k : n;
}

/* True when items, all of one shape, are groups of k with the same inner distances. */
static bool groups_repeat(MPI_Count n, const struct hws_piece *items, MPI_Count k)
{
    if (n % k != 0)
        return false;
    for (MPI_Count i = k; i < n; i++)
        if (items[i].disp - items[i - i % k].disp != items[i % k].disp - items[0].disp)
            return false;
    return true;
}

static bool list_same(MPI_Count n, struct hws_piece *items, struct hws_piece *out)
{
    struct hws_type_node *node = node_new(HWS_NODE_SAME, n);
    if (!node)
        return false;
    MPI_Count first = items[0].disp, lo, hi;
    node->child = items[0];
    node->child.disp = 0;
    hws_piece_hold(&node->child);
    hws_piece_bounds(&node->child, &lo, &hi);
    node->n_runs = n * hws_piece_runs(&node->child);
    node->lo = lo;
    node->hi = hi;
    for (MPI_Count i = 0; i < n; i++) {
        MPI_Count d = node->disp[i] = items[i].disp - first;
        node->lo = d + lo < node->lo ? d + lo : node->lo;
        node->hi = d + hi > node->hi ? d + hi : node->hi;
    }
    *out = (struct hws_piece){.disp = first, .len = n * items[0].len, .node = node};
    return true;
}

/* Items of one shape: nested loops if they are that regular (a face of an array listed point by point), else a list. */
static bool list_even(MPI_Count n, struct hws_piece *items, struct hws_piece *out)
{
    MPI_Count k = even_prefix(n, items);
    if (k == n)
        return hws_piece_loop(n, items[1].disp - items[0].disp, &items[0], out);
    if (k < 3 || !groups_repeat(n, items, k)) /* pairs gain nothing as a loop */
        return list_same(n, items, out);
    struct hws_piece group;
    if (!hws_piece_loop(k, items[1].disp - items[0].disp, &items[0], &group))
        return false;
    for (MPI_Count i = 0; i < n / k; i++) {
        MPI_Count disp = items[i * k].disp;
        items[i] = group;
        items[i].disp = disp;
    }
    bool ok = list_even(n / k, items, out);
    hws_piece_drop(&group);
    return ok;
}

static bool list_mixed(MPI_Count n, const struct hws_piece *items, bool runs, struct hws_piece *out)
{
    struct hws_type_node *node = node_new(runs ? HWS_NODE_BLOCKS : HWS_NODE_SEQ, n);
    if (!node)
        return false;
    MPI_Count first = items[0].disp, len = 0;
    hws_piece_bounds(&items[0], &node->lo, &node->hi);
    for (MPI_Count i = 0; i < n; i++) {
        MPI_Count lo, hi;
        hws_piece_bounds(&items[i], &lo, &hi);
        node->lo = lo < node->lo ? lo : node->lo;
        node->hi = hi > node->hi ? hi : node->hi;
        node->start[i] = len;
        node->n_runs += hws_piece_runs(&items[i]);
        len += items[i].len;
        if (runs) {
            node->disp[i] = items[i].disp - first;
            continue;
        }
        node->seq[i] = items[i];
        node->seq[i].disp -= first;
        hws_piece_hold(&node->seq[i]);
    }
    node->start[n] = len;
    node->lo -= first;
    node->hi -= first;
    *out = (struct hws_piece){.disp = first, .len = len, .node = node};
    return true;
}

/* Runs that an item is made of; 0: too many, or not only runs. */
static MPI_Count runs_of(const struct hws_piece *p)
{
    if (!p->node)
        return 1;
    bool only_runs = p->node->kind == HWS_NODE_BLOCKS || (p->node->kind != HWS_NODE_SEQ && !p->node->child.node);
    return only_runs && p->node->n <= INLINE_RUNS ? p->node->n : 0;
}

static struct hws_piece run_at(const struct hws_piece *p, MPI_Count i)
{
    const struct hws_type_node *node = p->node;
    if (!node)
        return *p;
    struct hws_piece run = {.disp = p->disp, .len = node->child.len};
    run.disp += node->kind == HWS_NODE_LOOP ? i * node->stride : node->disp[i];
    if (node->kind == HWS_NODE_BLOCKS)
        run.len = node->start[i + 1] - node->start[i];
    return run;
}

/* Fields that have few runs each become runs of the whole struct: one level less, and neighbours join. Returns their
 * number; 0: leave it as it is. */
static MPI_Count inline_runs(MPI_Count n, const struct hws_piece *items, struct hws_piece runs[INLINE_RUNS])
{
    MPI_Count total = 0;
    for (MPI_Count i = 0; i < n; i++) {
        MPI_Count k = runs_of(&items[i]);
        if (k == 0 || total + k > INLINE_RUNS)
            return 0;
        for (MPI_Count j = 0; j < k; j++)
            runs[total++] = run_at(&items[i], j);
    }
    return total > n ? total : 0;
}

bool hws_piece_list(MPI_Count n, struct hws_piece *items, struct hws_piece *out)
{
    struct hws_piece inlined[INLINE_RUNS];
    MPI_Count n_runs = n <= INLINE_RUNS ? inline_runs(n, items, inlined) : 0;
    if (n_runs > 0) {
        n = n_runs;
        items = inlined;
    }
    n = join_runs(n, items);
    if (n == 0) {
        *out = (struct hws_piece){0};
        return true;
    }
    if (n == 1) {
        *out = items[0];
        hws_piece_hold(out);
        return true;
    }
    bool same = true, runs = true;
    for (MPI_Count i = 0; i < n; i++) {
        same = same && same_shape(&items[0], &items[i]);
        runs = runs && !items[i].node;
    }
    return same ? list_even(n, items, out) : list_mixed(n, items, runs, out);
}

struct hws_type_flat *hws_flat_new(struct hws_piece *one, MPI_Count extent)
{
    struct hws_type_flat *f = calloc(1, sizeof *f);
    if (!f) {
        hws_piece_drop(one);
        return NULL;
    }
    f->one = *one;
    f->endless =
        (struct hws_type_node){.refs = 1, .kind = HWS_NODE_LOOP, .n = INT64_MAX, .stride = extent, .child = *one};
    f->endless_disp = one->disp;
    const struct hws_type_node *node = one->node;
    if (node && node->kind == HWS_NODE_LOOP && span(node) == extent) { /* elements go on like their parts */
        f->endless.stride = node->stride;
        f->endless.child = node->child;
    }
    f->endless.child.disp = 0;
    return f;
}

void hws_flat_free(struct hws_type_flat *f)
{
    if (!f)
        return;
    hws_piece_drop(&f->one); /* endless only borrows */
    free(f);
}
