/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group: an ordered set of processes. Immutable once made; shared by communicators through references.
 */
#ifndef HWS_CORE_GROUP_H
#define HWS_CORE_GROUP_H

#include "core/object/object.h"

struct hws_session;

struct hws_group {
    struct hws_object obj;
    int size;
    int rank;   /* own rank in it, or MPI_UNDEFINED */
    int *peers; /* peers[size]: number of each member in the engine (its rank in MPI_COMM_WORLD); NULL: 0..size-1 */
    int *index; /* hash of peers, made by the first look-up in a larger group; see group.c */
    struct hws_session *session; /* that it comes from, held; NULL: the World Model (MPI 5.0 section 11.3) */
};

extern struct hws_group hws_group_empty;

/* The object of a handle; NULL if it is none (MPI_GROUP_NULL too). */
struct hws_group *hws_group_of(MPI_Group h);

/* A new group of `size` peers; takes ownership of peers (malloc'ed; NULL: identity). It belongs to `session` (NULL:
 * none). NULL: no memory, peers freed. */
struct hws_group *hws_group_new(int size, int *peers, struct hws_session *session);
/* The same processes, belonging to `session`. NULL: no memory. */
struct hws_group *hws_group_dup(const struct hws_group *g, struct hws_session *session);
void hws_group_drop(struct hws_group *g); /* NULL allowed */

static inline void hws_group_hold(struct hws_group *g)
{
    if (!g->obj.handle)
        hws_object_hold(&g->obj);
}

static inline int hws_group_peer(const struct hws_group *g, int rank)
{
    return g->peers ? g->peers[rank] : rank;
}

/* Rank of a peer in the group, or MPI_UNDEFINED. */
int hws_group_rank_of_peer(const struct hws_group *g, int peer);

/* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL (MPI 5.0 section 7.3.1). */
int hws_group_compare(const struct hws_group *a, const struct hws_group *b);

/* New groups (MPI 5.0 section 7.3.2): each returns an MPI class and in *out a reference for the caller, which is
 * hws_group_empty when no process is left. Ranks and ranges are checked. */
enum hws_group_op { HWS_GROUP_UNION, HWS_GROUP_INTERSECTION, HWS_GROUP_DIFFERENCE };
int hws_group_combine(enum hws_group_op op, const struct hws_group *a, const struct hws_group *b,
                      struct hws_group **out);
int hws_group_incl(const struct hws_group *g, int n, const int *ranks, struct hws_group **out);
int hws_group_excl(const struct hws_group *g, int n, const int *ranks, struct hws_group **out);
int hws_group_range(const struct hws_group *g, int n, int (*ranges)[3], bool exclude, struct hws_group **out);

/* ranks2[i]: rank in b of the process that has ranks1[i] in a; MPI_PROC_NULL stays, MPI_UNDEFINED: not in b. */
int hws_group_translate(const struct hws_group *a, int n, const int *ranks1, const struct hws_group *b, int *ranks2);

static inline MPI_Group hws_group_handle(struct hws_group *g)
{
    return (MPI_Group)hws_object_handle(&g->obj);
}

#endif
