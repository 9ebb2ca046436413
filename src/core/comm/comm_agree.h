/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_agree: small messages among the members of a group, before there is a communicator. One member takes the context
 * id of the new one (core/comm/ctx.h) and tells the others: a broadcast is enough, no reduction.
 */
#ifndef HWS_CORE_COMM_AGREE_H
#define HWS_CORE_COMM_AGREE_H

#include "core/comm/comm.h"
#include "peer/engine.h"

/* Among whom, on which context and with which tag small messages go. */
struct hws_talk {
    const struct hws_group *group;
    int rank; /* own, in group */
    uint32_t ctx;
    int32_t tag;
    int root; /* of broadcasts: 0 unless said otherwise */
};

/* Own number in the tree, and the engine's number of a member of the tree: the root is 0. */
static inline int hws_talk_me(const struct hws_talk *t)
{
    return t->rank < t->root ? t->rank - t->root + t->group->size : t->rank - t->root;
}
static inline int hws_talk_peer(const struct hws_talk *t, int node)
{
    int rank = node + t->root;
    return hws_group_peer(t->group, rank < t->group->size ? rank : rank - t->group->size);
}

/* Collective traffic of c's local group, with its next collective tag. */
struct hws_talk hws_talk_of(struct hws_comm *c);

/* Neighbours of node `rank` in the binomial tree of n members: the lowest set bit of a number leads to the parent.
 * Children are rank + bit for bit = first, first / 2, ... 1, where rank + bit < n. */
static inline int hws_tree_parent(int rank)
{
    return rank & (rank - 1);
}
int hws_tree_first_bit(int rank, int n);

/* Blocking; MPI class. bcast: from the root over a binomial tree. gather (root 0): each member's len bytes arrive in
 * rank order in all[size * len] of rank 0 (others: NULL), over the same tree. */
int hws_talk_bcast(const struct hws_talk *t, void *buf, size_t len);
int hws_talk_gather(const struct hws_talk *t, const void *own, size_t len, void *all);

/* The same where a member may be dead, so that nobody waits for one that has given up: all take part in all of several
 * in a row, whatever has failed (rc: before, here, which is returned), and a message of no bytes says so to whom waits
 * for more. That one ends with MPI_ERR_PROC_ABORTED, too. */
int hws_talk_bcast_on(const struct hws_talk *t, int rc, void *buf, size_t len);
int hws_talk_gather_on(const struct hws_talk *t, int rc, const void *own, size_t len, void *all);

/* Gathers different lengths: *all (root: malloc'ed, to be freed; others NULL) gets everything in rank order, *total its
 * bytes in all members. */
int hws_talk_collect(const struct hws_talk *t, const void *own, size_t len, void **all, size_t *total);

/* Sends to one peer of the engine and receives from it at the same time. */
int hws_talk_exchange(int peer, uint32_t ctx, int32_t tag, const void *sbuf, size_t slen, void *rbuf, size_t rlen);

/* The root takes an id and tells all. */
int hws_talk_ctx(const struct hws_talk *t, uint32_t *ctx);
int hws_ctx_check(uint32_t ctx); /* MPI class: the one that was told is HWS_CTX_NONE */

#endif
