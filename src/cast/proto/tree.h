/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree: who reports to whom about a stream, so that reports do not implode at its sender. The members stand in a heap
 * of HWS_CAST_FANOUT children each with the sender on top: up to 33 members report to it directly; of 1000 it hears 32,
 * and each of these hears 31 at most. Pure arithmetic.
 */
#ifndef HWS_CAST_TREE_H
#define HWS_CAST_TREE_H

#define HWS_CAST_FANOUT 32

/* The place of a member in the tree of `root`, which has place 0; and back. */
static inline int hws_cast_place(int member, int root, int n)
{
    return member >= root ? member - root : member - root + n;
}

static inline int hws_cast_member(int place, int root, int n)
{
    return place + root < n ? place + root : place + root - n;
}

static inline int hws_cast_parent(int member, int root, int n)
{
    return hws_cast_member((hws_cast_place(member, root, n) - 1) / HWS_CAST_FANOUT, root, n);
}

/* How many children a member has; the first one's place is place * FANOUT + 1. */
static inline int hws_cast_children(int member, int root, int n)
{
    int first = hws_cast_place(member, root, n) * HWS_CAST_FANOUT + 1;
    return first >= n ? 0 : n - first < HWS_CAST_FANOUT ? n - first : HWS_CAST_FANOUT;
}

/* The number of a child among its parent's. */
static inline int hws_cast_child(int member, int root, int n)
{
    return (hws_cast_place(member, root, n) - 1) % HWS_CAST_FANOUT;
}

#endif
