/* SPDX-License-Identifier: BSD-3-Clause
 *
 * barrier: the two halves of a barrier along a tree (barrier_tree.c).
 */
#ifndef HWS_COLL_BARRIER_H
#define HWS_COLL_BARRIER_H

#include "coll/flat/tree.h"
#include "coll/schedule/sched.h"

/* Rank 0 knows that all have come. */
void hws_barrier_up(struct hws_sched *s, struct hws_tree_shape t);
/* All know what rank 0 knows. */
void hws_barrier_down(struct hws_sched *s, struct hws_tree_shape t);

#endif
