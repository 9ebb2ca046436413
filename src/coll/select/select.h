/* SPDX-License-Identifier: BSD-3-Clause
 *
 * select: which algorithm for which call. hws_select is a pure function; every rank must come to the same answer, so it
 * may only look at what all ranks know. HAWSER_COLL="allreduce=ring,bcast=chain" forces algorithms, where they can do
 * the call; "*=tree" that of all operations which have one of the name.
 */
#ifndef HWS_COLL_SELECT_H
#define HWS_COLL_SELECT_H

#include "coll/select/algorithm.h"

struct hws_shape {
    enum hws_coll_kind kind;
    uint64_t bytes; /* of a block where there are blocks, else of the vector; v and w forms: allgatherv and
                       reduce_scatter the average, 0 where ranks cannot know */
    int ranks;
    bool commutative; /* or no reduction */
    bool in_place;
    bool shared;  /* the call can be done in memory that all ranks share */
    bool hosts;   /* the call can be done in two levels: ranks of several hosts, some of which share one */
    bool sites;   /* these hosts are of several sites: what crosses between them counts more than all else */
    bool in_turn; /* a schedule, and rank i is on host i mod n */
    bool cast;    /* no two ranks share memory, and multicast reaches them all */
    bool crowded; /* ranks outnumber the processors on some host */
};

#define HWS_MOST_ROWS 12 /* of an operation */

/* What is chosen from, by kind. */
struct hws_selection {
    const struct hws_algorithm *forced[HWS_COLL_SELECTED]; /* NULL: none */
    const struct hws_algorithm *rows[HWS_COLL_SELECTED][HWS_MOST_ROWS];
    const struct hws_algorithm *over_sites[HWS_COLL_SELECTED]; /* NULL: no composition */
};

/* Whether an algorithm can do the call. */
bool hws_algorithm_fits(const struct hws_algorithm *alg, const struct hws_shape *shape);

/* The forced algorithm where it fits, else the first of the table that does; always one. */
const struct hws_algorithm *hws_select(const struct hws_shape *shape, const struct hws_selection *sel);

/* The table, and what HAWSER_COLL's text forces (NULL: nothing). MPI_SUCCESS, or MPI_ERR_OTHER with a sentence that
 * lists what there is. */
int hws_selection_make(const char *text, struct hws_selection *out);

/* How many rows an operation has. */
size_t hws_selection_rows(enum hws_coll_kind kind);

#endif
