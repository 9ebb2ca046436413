/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_make: constructors of derived types (MPI 5.0 section 5.1.2), as the entry points and other parts of core use them. Arguments were
 * checked. Each returns an MPI class and in *out a type with one reference, not committed (dup: as committed as the old one).
 * What overflows MPI_Count gives a type with too_large set, which no commit accepts.
 */
#ifndef HWS_CORE_DATATYPE_MAKE_H
#define HWS_CORE_DATATYPE_MAKE_H

#include "core/counts.h"
#include "core/datatype.h"

/* n blocks of blocklen elements, stride bytes apart: contiguous (blocklen 1, stride extent), vector, hvector. */
int hws_type_new_loop(MPI_Count n, MPI_Count blocklen, MPI_Count stride, struct hws_type *old, struct hws_type **out);

/* n blocks of lens[i] elements (lens.p NULL: all of blocklen) at disps[i]*unit bytes: all the indexed forms. */
struct hws_blocks {
    MPI_Count n;
    struct hws_counts lens;
    MPI_Count blocklen;
    struct hws_counts disps;
    MPI_Count unit;
};
int hws_type_new_blocks(const struct hws_blocks *b, struct hws_type *old, struct hws_type **out);

/* n blocks of lens[i] elements of types[i] at disps[i] bytes. */
int hws_type_new_struct(MPI_Count n, struct hws_counts lens, struct hws_counts disps, const MPI_Datatype types[],
                        struct hws_type **out);
int hws_type_new_resized(struct hws_type *old, MPI_Count lb, MPI_Count extent, struct hws_type **out);
int hws_type_new_dup(struct hws_type *old, struct hws_type **out);

/* Makes it fit for communication. MPI_ERR_TYPE when it is too large. */
int hws_type_commit(struct hws_type *t);

/* The arguments of a constructor, kept for MPI_Type_get_contents. The lists are in the order of section 5.1.13. */
struct hws_type_tree {
    MPI_Count n_ints, n_aints, n_counts, n_types;
    int *ints;
    MPI_Aint *aints;
    MPI_Count *counts;
    struct hws_type **types;    /* held */
};

enum hws_arg_kind { HWS_ARG_INT, HWS_ARG_AINT, HWS_ARG_COUNT };

/* n values of one kind; a scalar is n 1 and one.  */
struct hws_arg {
    enum hws_arg_kind kind;
    MPI_Count n;
    struct hws_counts values;   /* values.p NULL: the scalar */
    MPI_Count scalar;
};

/* Notes how t was made. t is a fresh type; on failure (no memory) it is dropped. Returns an MPI class. */
int hws_type_remember(struct hws_type *t, int combiner, int n_args, const struct hws_arg *args, MPI_Count n_types,
                      const MPI_Datatype types[]);
void hws_tree_free(struct hws_type_tree *tree);

#endif
