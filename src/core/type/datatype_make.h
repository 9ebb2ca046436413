/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_make: constructors of derived types (MPI 5.0 section 5.1.2), as the entry points and other parts of core use
 * them. Arguments were checked. Each returns an MPI class and in *out a type with one reference, not committed (dup: as
 * committed as the old one). What overflows MPI_Count gives a type with too_large set, which no commit accepts.
 */
#ifndef HWS_CORE_DATATYPE_MAKE_H
#define HWS_CORE_DATATYPE_MAKE_H

#include "core/type/counts.h"
#include "core/type/datatype.h"

/* n blocks of blocklen elements, stride bytes apart: contiguous (blocklen 1, stride extent), vector, hvector. */
int hws_type_new_loop(MPI_Count n, MPI_Count blocklen, MPI_Count stride, struct hws_type *old, struct hws_type **out);

/* n blocks of lens[i] elements (lens.p NULL: all of blocklen) at disps[i]*unit bytes: all the indexed forms. */
struct hws_type_blocks {
    MPI_Count n;
    struct hws_counts lens;
    MPI_Count blocklen;
    struct hws_counts disps;
    MPI_Count unit;
};
int hws_type_new_blocks(const struct hws_type_blocks *b, struct hws_type *old, struct hws_type **out);

/* n blocks of lens[i] elements of types[i] at disps[i] bytes. */
int hws_type_new_struct(MPI_Count n, struct hws_counts lens, struct hws_counts disps, const MPI_Datatype types[],
                        struct hws_type **out);
int hws_type_new_resized(struct hws_type *old, MPI_Count lb, MPI_Count extent, struct hws_type **out);
int hws_type_new_dup(struct hws_type *old, struct hws_type **out);

/* The part [starts, starts+subsizes) of an array of old (MPI 5.0 section 5.1.3). */
struct hws_subarray {
    int ndims;
    bool fortran; /* the first dimension is the fastest */
    struct hws_counts sizes, subsizes, starts;
};
int hws_type_new_subarray(const struct hws_subarray *a, struct hws_type *old, struct hws_type **out);

/* What process `rank` of a grid owns of a distributed array (section 5.1.4). */
struct hws_darray {
    int size, rank, ndims;
    bool fortran;
    struct hws_counts gsizes;
    const int *distribs, *dargs, *psizes;
};
int hws_type_new_darray(const struct hws_darray *a, struct hws_type *old, struct hws_type **out);

/* Predefined unnamed types (section 19.1.5): *out is not the caller's to drop; the same arguments give the same type.
 * MPI_ERR_ARG when no type is that precise. */
int hws_type_f90_real(int p, int r, struct hws_type **out);
int hws_type_f90_complex(int p, int r, struct hws_type **out);
int hws_type_f90_integer(int r, struct hws_type **out);

/* The predefined type of a class (MPI_TYPECLASS_...) and size in bytes; NULL: none. */
struct hws_type *hws_type_match(int typeclass, int size);

/* The type of value and index for MPI_MINLOC and MPI_MAXLOC (section 6.9.4), named or not; *out NULL: not supported. */
int hws_type_value_index(struct hws_type *value, struct hws_type *index, struct hws_type **out);

/* Makes it fit for communication. MPI_ERR_TYPE when it is too large. */
int hws_type_commit(struct hws_type *t);

/* The arguments of a constructor, kept for MPI_Type_get_contents. The lists are in the order of section 5.1.13. */
struct hws_type_tree {
    MPI_Count n_ints, n_aints, n_counts, n_types;
    int *ints;
    MPI_Aint *aints;
    MPI_Count *counts;
    struct hws_type **types; /* held */
};

enum hws_arg_kind { HWS_ARG_INT, HWS_ARG_AINT, HWS_ARG_COUNT };

/* n values of one kind; a scalar is n 1 and one.  */
struct hws_arg {
    enum hws_arg_kind kind;
    MPI_Count n;
    struct hws_counts values; /* values.p NULL: the scalar */
    MPI_Count scalar;
};

/* Notes how t was made. t is a fresh type; on failure (no memory) it is dropped. Returns an MPI class. */
int hws_type_remember(struct hws_type *t, int combiner, int n_args, const struct hws_arg *args, MPI_Count n_types,
                      const MPI_Datatype types[]);
void hws_tree_free(struct hws_type_tree *tree);

#endif
