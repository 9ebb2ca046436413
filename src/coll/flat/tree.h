/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree: arithmetic that several algorithms share. The binomial tree over 0..n-1 rooted at 0: the parent of v is v
 * without its lowest bit; its children are v + m for each power of two m below that bit, and child v + m is the root of
 * the ranks v + m .. v + 2m - 1.
 *
 *   n = 8:      0
 *            / / \ ...
 *           4 2   1        0: children 4 2 1;  4: children 6 5;  6: child 7;  2: child 3
 */
#ifndef HWS_COLL_TREE_H
#define HWS_COLL_TREE_H

#include <stdbool.h>

/* The smallest power of two >= n. */
static inline int hws_pow2_above(int n)
{
    int p = 1;
    while (p < n)
        p <<= 1;
    return p;
}

/* The largest power of two <= n. */
static inline int hws_pow2_below(int n)
{
    int p = 1;
    while (p <= n / 2)
        p <<= 1;
    return p;
}

/* The bit below which the children of v lie; v .. v + bit - 1 (as far as < n) is the subtree of v. */
static inline int hws_tree_bit(int v, int n)
{
    return v ? v & -v : hws_pow2_above(n);
}

static inline int hws_tree_parent(int v)
{
    return v & (v - 1);
}

/* Ranks below v (itself included) in a tree of n. */
static inline int hws_tree_size(int v, int n)
{
    int bit = hws_tree_bit(v, n);
    return bit < n - v ? bit : n - v;
}

/* The tree over 0..n-1 as several algorithms run it up and down: binomial, or a star, where all are children of 0. The
 * subtree of v is v .. v + size - 1; its children are v + m for the steps m, smallest subtree first with hws_shape_up
 * from 1, largest first with hws_shape_down from hws_shape_top. */
struct hws_tree_shape {
    int n;
    bool star;
};

static inline int hws_shape_size(struct hws_tree_shape t, int v)
{
    return t.star ? (v ? 1 : t.n) : hws_tree_size(v, t.n);
}

static inline int hws_shape_parent(struct hws_tree_shape t, int v)
{
    return t.star ? 0 : hws_tree_parent(v);
}

static inline int hws_shape_up(struct hws_tree_shape t, int m)
{
    return t.star ? m + 1 : 2 * m;
}

static inline int hws_shape_down(struct hws_tree_shape t, int m)
{
    return t.star ? m - 1 : m / 2;
}

/* The step to the last child of a subtree of this size; 0: none. */
static inline int hws_shape_top(struct hws_tree_shape t, int size)
{
    return t.star ? size - 1 : hws_pow2_above(size) / 2;
}

/* Between ranks and ranks counted from root. */
static inline int hws_tree_virtual(int rank, int root, int n)
{
    return rank >= root ? rank - root : rank - root + n;
}

static inline int hws_tree_rank(int v, int root, int n)
{
    return v < n - root ? v + root : v + root - n;
}

/* Folding n ranks onto the power of two below: of each of the first `extra` pairs (2i, 2i+1) one rank stays out of the
 * main phase. It is the even one, unless that is `keep` (a root that must stay in). New numbers keep the ranks' order.
 */
struct hws_fold {
    int pow2, extra, keep;
};

static inline struct hws_fold hws_fold_of(int n, int keep)
{
    int p = hws_pow2_below(n);
    return (struct hws_fold){.pow2 = p, .extra = n - p, .keep = keep};
}

/* New number of a rank, -1: stays out. */
static inline int hws_fold_number(struct hws_fold f, int rank)
{
    if (rank >= 2 * f.extra)
        return rank - f.extra;
    int out = (f.keep == (rank & ~1)) ? (rank | 1) : (rank & ~1);
    return rank == out ? -1 : rank / 2;
}

static inline int hws_fold_rank(struct hws_fold f, int number)
{
    if (number >= f.extra)
        return number + f.extra;
    return f.keep == 2 * number ? 2 * number : 2 * number + 1;
}

#endif
