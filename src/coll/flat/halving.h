/* SPDX-License-Identifier: BSD-3-Clause
 *
 * halving: the phases that the algorithms after Rabenseifner share: fold the ranks onto a power of two, reduce-scatter
 * by recursive halving, allgather by recursive doubling. The vector is cut into one piece per remaining rank.
 */
#ifndef HWS_COLL_HALVING_H
#define HWS_COLL_HALVING_H

#include "coll/flat/tree.h"
#include "coll/schedule/call.h"

struct hws_halving {
    struct hws_fold fold;
    int number; /* own number after folding; -1: out */
    struct hws_op *op;
    struct hws_type *type;
    char *acc, *in;   /* accumulated vector; room for a received one; typed */
    const char *own;  /* the own operand, as long as acc has nothing of it; NULL: acc has it */
    MPI_Count *start; /* start[fold.pow2 + 1]: first element of each piece */
};

/* Sets up pieces of (nearly) equal numbers of elements. keep: see struct hws_fold, -1: none. own: the operand, which
 * stays where it is; NULL: acc has it. False: no memory. */
bool hws_halving_init(struct hws_sched *s, struct hws_halving *h, const struct hws_coll_call *a, int keep, void *acc,
                      const void *own);

/* Pieces first .. first + count - 1 of a vector (acc or in). */
struct hws_data hws_halving_run(const struct hws_halving *h, const void *vector, int first, int count);

/* Ranks that stay out give their operand to their partner. */
void hws_halving_fold(struct hws_sched *s, struct hws_halving *h);
/* Afterwards piece `number` of acc is complete. */
void hws_halving_reduce_scatter(struct hws_sched *s, struct hws_halving *h);
/* Afterwards acc is complete. */
void hws_halving_allgather(struct hws_sched *s, const struct hws_halving *h);
/* Ranks that stayed out get the whole vector from their partner. */
void hws_halving_unfold(struct hws_sched *s, const struct hws_halving *h);

#endif
