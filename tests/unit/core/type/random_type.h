/* SPDX-License-Identifier: BSD-3-Clause
 *
 * random_type: random nested datatypes, each with a plain list of what it contains, made straight from the standard's
 * definitions of the constructors (MPI 5.0 section 5.1): the reference that the packing engine is compared with.
 */
#ifndef HWS_TESTS_RANDOM_TYPE_H
#define HWS_TESTS_RANDOM_TYPE_H

#include "core/type/datatype.h"

#define MODEL_MAX 1200 /* entries of a type map */

struct entry {
    const struct hws_type *basic; /* predefined, no pair */
    MPI_Count disp;
};

/* A type map, and the bounds that the definitions give. */
struct model {
    int n;
    struct entry e[MODEL_MAX];
    bool marked; /* has explicit bounds */
    MPI_Count lb, ub;
    MPI_Count size, true_lb, true_ub;
    MPI_Count padded_ub; /* of what was placed, with its padding; if n */
};

struct sample {
    struct hws_type *type;
    struct model *model;
    char text[400]; /* how it was made, for messages */
};

/* A type nested at most `depth` deep, not empty of a chance. The caller gives it to sample_free. */
struct sample sample_make(int depth);
void sample_free(struct sample *s);

/* Bytes of the packed stream of one element, by the list alone. */
void model_pack(const struct model *m, const char *base, char *out);
void model_unpack(const struct model *m, char *base, const char *in);

/* Lowest and highest byte that count elements touch. */
void model_span(const struct model *m, MPI_Count count, MPI_Count *lo, MPI_Count *hi);

#endif
