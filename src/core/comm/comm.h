/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm: a communicator: a group, a context id and what hangs on it. Each communicator owns consecutive context ids, one
 * per kind of traffic, so that a collective never meets a user's message.
 */
#ifndef HWS_CORE_COMM_H
#define HWS_CORE_COMM_H

#include "core/comm/group.h"
#include "core/object/object.h"

struct hws_errhandler;
struct hws_attrs;
struct hws_topo;
struct hws_bsend_pool;
struct hws_region;
struct hws_coll_memo;
struct hws_cast;
struct hws_hosts;

/* PART: announcements of partitioned requests, with the user's tag; PART_DATA: their partitions. */
enum hws_ctx_kind { HWS_CTX_P2P, HWS_CTX_COLL, HWS_CTX_INTERNAL, HWS_CTX_PART, HWS_CTX_PART_DATA, HWS_CTX_KINDS };

struct hws_comm {
    struct hws_object obj;
    uint32_t ctx;              /* first of its context ids, one for each kind; HWS_CTX_NONE: not known yet */
    bool holds_ctx;            /* it has entered ctx; an intercommunicator's private one shares the other's */
    int rank, size;            /* own rank and size of the local group */
    struct hws_group *group;   /* local group */
    struct hws_group *remote;  /* remote group of an intercommunicator; NULL: intracommunicator */
    struct hws_comm *local;    /* intercommunicator: private intracommunicator of the local group; else NULL */
    uint32_t coll_tag;         /* number of the next collective operation; wraps at HWS_TAG_UB */
    uint8_t coll_crowd;        /* whether ranks outnumber processors somewhere, as all agreed: 0 not yet, 1 no, 2 yes */
    struct hws_region *region; /* memory that all its ranks share, for collectives; NULL: none, or not yet */
    struct hws_coll_memo *memo; /* how short collectives went there, malloc'ed by coll/run.c; NULL: none has yet */
    struct hws_hosts *hosts;    /* which of its ranks share memory, where not all do; NULL: none do, or not yet */
    struct hws_cast *cast;      /* multicast among its ranks (cast/cast.h), malloc'ed; NULL: not tried */
    uint32_t n_cast_looks;      /* calls by unicast that multicast would have served, before it was tried */
    uint64_t cast_look_bytes, cast_look_ns; /* what the later of them brought to a host, and when these began */
    bool cast_wanted;                       /* a nonblocking collective came that multicast would have served */
    bool cast_given_up;                     /* multicast was in vain or slower, here or in what this one was made of */
    bool apart;                             /* no two of its ranks share memory, as all agreed */
    struct hws_hosts *placed;               /* which of its ranks share a host, see hws_hosts_placed */
    struct hws_errhandler *errhandler;
    struct hws_attrs *attrs;      /* NULL: none */
    uint8_t hints;                /* core/comm/comm_hints.h */
    struct hws_topo *topo;        /* virtual topology; NULL: none */
    struct hws_bsend_pool *bsend; /* MPI_Comm_attach_buffer; NULL: none */
    char name[MPI_MAX_OBJECT_NAME];
};

extern struct hws_comm hws_comm_world, hws_comm_self;

/* The object of any handle but MPI_COMM_WORLD; NULL if it is none. For hws_comm_of(). */
struct hws_comm *hws_comm_of_dynamic(MPI_Comm h);

/* The object of a handle; NULL if it is none. */
static inline struct hws_comm *hws_comm_of(MPI_Comm h)
{
    return h == MPI_COMM_WORLD ? &hws_comm_world : hws_comm_of_dynamic(h);
}

/* The group that ranks of destinations and sources count in. */
static inline struct hws_group *hws_comm_peers(const struct hws_comm *c)
{
    return c->remote ? c->remote : c->group;
}

static inline int hws_comm_peer(const struct hws_comm *c, int rank)
{
    return hws_group_peer(hws_comm_peers(c), rank);
}

static inline MPI_Comm hws_comm_handle(struct hws_comm *c)
{
    return (MPI_Comm)hws_object_handle(&c->obj);
}

static inline void hws_comm_hold(struct hws_comm *c)
{
    if (!c->obj.handle)
        hws_object_hold(&c->obj);
}
void hws_comm_drop(struct hws_comm *c); /* NULL allowed */

#define HWS_COLL_TAG_MASK 0x07ffffffu /* more bits are coll/schedule/sched_priv.h's */

/* Tag of the next collective operation on HWS_CTX_COLL: the same in all members, since they call in the same order. */
static inline int hws_comm_next_tag(struct hws_comm *c)
{
    return (int)(c->coll_tag++ & HWS_COLL_TAG_MASK);
}

/* A communicator with these groups (references taken over; remote NULL: intracommunicator) and the error handler of
 * `parent` (NULL: the initial one). Own rank is that in group. NULL: no memory, the groups are dropped. */
struct hws_comm *hws_comm_new(struct hws_group *group, struct hws_group *remote, const struct hws_comm *parent);

/* Gives a new communicator its context id, which it has until its end. */
void hws_comm_set_ctx(struct hws_comm *c, uint32_t ctx);

/* Before its end: what its last collectives have still to look at (core/hosts/region.h). fn: the function that waits
 * for that. MPI class. */
int hws_comm_settle(struct hws_comm *c, const char *fn);

/* MPI_Comm_free: deletes the attributes, then drops the handle's reference. MPI class or a callback's code. */
int hws_comm_free(struct hws_comm *c);

/* MPI_COMM_WORLD and MPI_COMM_SELF at init and finalize. begin: MPI class. */
int hws_comm_begin_predefined(void);
void hws_comm_end_predefined(void);

/* MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR or MPI_UNEQUAL (MPI 5.0 section 7.4.1). */
int hws_comm_compare(const struct hws_comm *a, const struct hws_comm *b);

#endif
