/* SPDX-License-Identifier: BSD-3-Clause
 *
 * levels: collectives in two levels (core/hosts/hosts.h), as compositions: a part within each host, a part between the
 * hosts' heads, a part within each host again. Which parts an operation has is a row in levels.c; what each of its
 * parts is about, the row's plan (levels_vectors.c, levels_blocks.c), which fills in the parts' calls.
 *
 * A part between heads is always messages. A part within a host is messages too, steps of the same schedule
 * (nonblocking, persistent), or runs at once in the memory that the host's ranks share (blocking). Plans don't care.
 *
 * Sites are a third level above hosts, by the same rows: where heads are of several sites, the part between them is a
 * composition itself, over the map of heads by sites, whose heads speak for their sites. So the bytes that one site
 * gives another cross the way between them once.
 */
#ifndef HWS_COLL_LEVELS_H
#define HWS_COLL_LEVELS_H

#include "coll/schedule/call.h"
#include "core/hosts/hosts.h"

struct hws_composition;
struct hws_region;

/* The blocks of all ranks, host by host, as bytes. */
struct hws_levels_blocks {
    char *base;
    MPI_Count total;
    bool user;                   /* base is in the user's buffer; else the blocks are copied from or to there */
    MPI_Count *hosts, *hosts_at; /* hosts[h->n], hosts_at[h->n]: bytes of each host's blocks, and where they begin */
    MPI_Count *lens, *at; /* lens[size], at[size]: of each rank's, in the order of h->ranks; `at` from its host's */
};

/* Of an alltoall, at a head. `given`: of each rank here a block for each rank, in the order of ranks; `dealt`: for each
 * rank here, of each rank. `out`, `in`: what goes to and comes from each host: of each rank that sends it, a block for
 * each rank that gets it. */
struct hws_levels_exchange {
    char *given, *out, *in, *dealt;
    uint64_t block; /* bytes */
};

struct hws_levels {
    const struct hws_composition *c;
    const struct hws_coll_call *a;
    const struct hws_hosts *h;
    const int
        *names; /* names[size]: over sites, the heads of hosts as ranks; NULL: over hosts, of the ranks themselves */
    int size, rank;       /* who takes part, and the own number */
    struct hws_sched *s;  /* has the steps, and the memory of the plan */
    struct hws_region *r; /* parts within the host run there, at once; NULL: they are steps */
    int rc;               /* with r: MPI class of what has gone wrong so far */
    /* who speaks for its host: its first rank, its last one, or the root (row) */
    const int *here;  /* here[n_here]: who is on the own host, or in the own site */
    int n_here, head; /* the head's place in `here` */
    int root_host;
    bool is_head, root; /* this rank is the head, the root */
    /* set by the plan */
    struct hws_coll_call up, across, down; /* their kinds, communicators and roots are the row's */
    bool uneven;                           /* hosts have different numbers of bytes: between heads, the v form */
    uint64_t longest; /* bytes: ranks have blocks of different lengths, up to that; within a host, the v form */
    union {
        struct hws_levels_blocks blocks;
        struct hws_levels_exchange exchange;
        void *total;            /* of an exscan, at the head: what the operands of all its ranks come to */
        const MPI_Count *start; /* of a reduce-scatter: start[size + 1], as in reduce_scatter.h */
    };
};

/* Fills in the parts' calls. False: there is nothing to do, or no memory (s->fail.rc). It may be called again, after
 * hws_sched_hollow. */
typedef bool hws_levels_plan(struct hws_levels *l);
/* What a rank does itself before, between or after the parts, with the two functions below. */
typedef void hws_levels_local(struct hws_levels *l);

hws_levels_plan hws_levels_vector, hws_levels_scan, hws_levels_reduce_scatter;
hws_levels_local hws_levels_total, hws_levels_prepend, hws_levels_sort_blocks;

hws_levels_plan hws_levels_allgather, hws_levels_gather, hws_levels_scatter, hws_levels_alltoall;
hws_levels_local hws_levels_put_in, hws_levels_take_out, hws_levels_sort_out, hws_levels_sort_in;

/* As hws_sched_copy and hws_sched_reduce, in a step or at once. */
void hws_levels_copy(struct hws_levels *l, struct hws_data src, struct hws_data dst);
void hws_levels_reduce(struct hws_levels *l, const void *in, void *inout);

#endif
