/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group: an ordered set of processes. Immutable once made; shared by communicators through references.
 */
#ifndef HWS_CORE_GROUP_H
#define HWS_CORE_GROUP_H

#include "core/object.h"

struct hws_group {
    struct hws_object obj;
    int size;
    int rank;       /* own rank in it, or MPI_UNDEFINED */
    int *peers;     /* peers[size]: number of each member in the engine (its rank in MPI_COMM_WORLD); NULL: 0..size-1 */
};

extern struct hws_group hws_group_empty;

/* The object of a handle; NULL if it is none (MPI_GROUP_NULL too). */
struct hws_group *hws_group_of(MPI_Group h);

/* A new group of `size` peers; takes ownership of peers (malloc'ed; NULL: identity). NULL: no memory, peers freed. */
struct hws_group *hws_group_new(int size, int *peers);
void hws_group_drop(struct hws_group *g);

static inline int hws_group_peer(const struct hws_group *g, int rank)
{
    return g->peers ? g->peers[rank] : rank;
}

/* Rank of a peer in the group, or MPI_UNDEFINED. */
int hws_group_rank_of_peer(const struct hws_group *g, int peer);

static inline MPI_Group hws_group_handle(struct hws_group *g)
{
    return (MPI_Group)hws_object_handle(&g->obj);
}

#endif
