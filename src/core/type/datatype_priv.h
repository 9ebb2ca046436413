/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_priv: how the bytes of a type are kept inside core. A piece is where some bytes of the packed stream lie:
 * one run, or a node of nested regular loops and lists. Nodes are immutable once made and shared by reference, so
 * packing needs no lock and keeps no state: a byte offset is found by division in loops and by binary search in lists.
 */
#ifndef HWS_CORE_DATATYPE_PRIV_H
#define HWS_CORE_DATATYPE_PRIV_H

#include "core/type/datatype.h"

struct hws_type_node;

struct hws_piece {
    MPI_Count disp;             /* bytes from the origin of whatever holds the piece */
    MPI_Count len;              /* bytes of packed data; 0: empty */
    struct hws_type_node *node; /* NULL: one run of len bytes */
};

enum hws_node_kind {
    HWS_NODE_LOOP,   /* child at 0, stride, 2*stride... */
    HWS_NODE_SAME,   /* child at disp[0], disp[1]... */
    HWS_NODE_BLOCKS, /* runs of different lengths at disp[i] */
    HWS_NODE_SEQ     /* different pieces */
};

struct hws_type_node {
    int32_t refs;
    enum hws_node_kind kind;
    MPI_Count n;
    MPI_Count n_runs;       /* runs in all entries */
    MPI_Count lo, hi;       /* bytes touched, [lo, hi) from the node's origin */
    MPI_Count stride;       /* LOOP */
    struct hws_piece child; /* LOOP, SAME; its disp is 0 */
    MPI_Count *disp;        /* disp[n]: SAME, BLOCKS */
    MPI_Count *start;       /* start[n+1], bytes of packed data before entry i: BLOCKS, SEQ */
    struct hws_piece *seq;  /* seq[n]: SEQ */
};

struct hws_type_flat {
    struct hws_piece one;         /* one element */
    struct hws_type_node endless; /* LOOP over elements, or over the parts of `one` where these go on evenly */
    MPI_Count endless_disp;
};

/* Makers of pieces. They borrow what they are given and hold what they keep; *out is owned by the caller. Lengths and
 * distances were checked for overflow by the caller. False: no memory. */
bool hws_piece_loop(MPI_Count n, MPI_Count stride, const struct hws_piece *child, struct hws_piece *out);
bool hws_piece_list(MPI_Count n, struct hws_piece *items,
                    struct hws_piece *out); /* reorders nothing, may merge in items */
void hws_piece_hold(const struct hws_piece *p);
void hws_piece_drop(struct hws_piece *p);
/* Bytes touched by a piece, from its holder's origin; an empty piece gives 0, 0. */
void hws_piece_bounds(const struct hws_piece *p, MPI_Count *lo, MPI_Count *hi);

/* Where entry i of a node lies, and what it is (without its disp). */
static inline uintptr_t hws_node_at(const struct hws_type_node *node, uintptr_t at, MPI_Count i)
{
    switch (node->kind) {
    case HWS_NODE_LOOP:
        return at + (uintptr_t)(i * node->stride);
    case HWS_NODE_SEQ:
        return at + (uintptr_t)node->seq[i].disp;
    default:
        return at + (uintptr_t)node->disp[i];
    }
}

static inline struct hws_piece hws_node_entry(const struct hws_type_node *node, MPI_Count i)
{
    if (node->kind == HWS_NODE_BLOCKS)
        return (struct hws_piece){.len = node->start[i + 1] - node->start[i]};
    return node->kind == HWS_NODE_SEQ ? node->seq[i] : node->child;
}

/* The entry in which byte `offset` of the node's packed stream lies; *start: where that entry begins. */
MPI_Count hws_node_find(const struct hws_type_node *node, uint64_t offset, uint64_t *start);

/* Runs that a piece consists of, and whether they are so long on average that they are better named than copied. */
MPI_Count hws_piece_runs(const struct hws_piece *p);
bool hws_piece_has_long_runs(const struct hws_piece *p);

/* What hws_type.flat becomes: takes over one. NULL: no memory (one is dropped). */
struct hws_type_flat *hws_flat_new(struct hws_piece *one, MPI_Count extent);
void hws_flat_free(struct hws_type_flat *f);

/* The sequence of basic types of one element: parts repeated, or a leaf (a predefined type that is no pair). */
struct hws_sig_part {
    MPI_Count times;
    struct hws_sig *sig;
    MPI_Count bytes_before, elems_before;
};

struct hws_sig {
    int32_t refs;
    const struct hws_type *leaf;   /* or NULL */
    const struct hws_type *single; /* the only basic type in it, or NULL: mixed */
    MPI_Count n;                   /* parts */
    MPI_Count bytes, elems;        /* of one pass; > 0 */
    MPI_Count ext_bytes;           /* the same in external32 */
    struct hws_sig_part part[];
};

struct hws_sig *hws_sig_leaf(const struct hws_type *t);
/* Borrow sigs (NULL or times 0: left out). *out NULL: nothing left. HWS_OK, HWS_ENOMEM, or HWS_EINVAL: overflow. */
enum hws_err hws_sig_seq(MPI_Count n, const struct hws_sig_part *parts, struct hws_sig **out);
void hws_sig_hold(struct hws_sig *s);
void hws_sig_drop(struct hws_sig *s);
/* A fresh derived type with refs 1 and the layout's copying functions; NULL: no memory. */
struct hws_type *hws_type_alloc(void);
/* Takes over flat, and chooses how the engine gets at the bytes. */
void hws_type_set_flat(struct hws_type *t, struct hws_type_flat *flat);

#endif
