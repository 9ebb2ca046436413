/* SPDX-License-Identifier: BSD-3-Clause
 *
 * algorithm: every algorithm there is: its name (for HAWSER_COLL and the selection's rows), the operations that it
 * serves, what it needs, its builder. In the cost
 * formulas of the files, a is the latency of a message, b the time of a byte, c the time to reduce a byte, p the
 * number of ranks, m the bytes of the operation.
 */
#ifndef HWS_COLL_ALGORITHM_H
#define HWS_COLL_ALGORITHM_H

#include "coll/schedule/call.h"

typedef void hws_coll_build_fn(struct hws_sched *s, const struct hws_coll_call *a);

struct hws_region;
/* r: the memory that the communicator's ranks share, those of one host where there are several (NULL: a single rank).
 * MPI class. */
typedef int hws_coll_run_fn(struct hws_region *r, const struct hws_coll_call *a);

#define HWS_ALG_COMMUTATIVE  1u  /* changes the order of operands */
#define HWS_ALG_POW2         2u  /* the number of ranks must be a power of two */
#define HWS_ALG_NOT_IN_PLACE 4u  /* sends from sbuf while rbuf is written */
#define HWS_ALG_IN_PLACE     8u  /* MPI_IN_PLACE only */
#define HWS_ALG_SHARED       16u /* a blocking call, all ranks share memory; see hws_shape.shared */
#define HWS_ALG_CAST         64u /* multicast reaches all ranks, see hws_shape.cast */
#define HWS_ALG_HOSTS        32u /* ranks of several hosts, see hws_shape.hosts; without a builder a blocking call */

struct hws_algorithm {
    const char *name;         /* no other one of its operations has it */
    uint32_t kinds;           /* 1 << enum hws_coll_kind of each operation that it serves */
    unsigned needs;           /* HWS_ALG_... */
    hws_coll_build_fn *build; /* NULL: there is only run */
    hws_coll_run_fn *run;     /* does a blocking call at once, where it can; NULL: build makes a schedule for it */
};

extern const struct hws_algorithm hws_algorithms[]; /* hws_algorithms[hws_n_algorithms] */
extern const size_t hws_n_algorithms;
extern const char *const hws_coll_names[HWS_COLL_SELECTED]; /* "allreduce", ... */

static inline bool hws_algorithm_serves(const struct hws_algorithm *alg, enum hws_coll_kind kind)
{
    return alg->kinds >> kind & 1;
}

/* An operation's algorithm of that name, name[len]; NULL: it has none. */
const struct hws_algorithm *hws_algorithm_find(enum hws_coll_kind kind, const char *name, size_t len);

hws_coll_build_fn hws_barrier_dissemination, hws_barrier_tree, hws_barrier_star, hws_allgather_star, hws_alltoall_star,
    hws_allreduce_star, hws_bcast_multicast, hws_allgather_multicast, hws_allreduce_multicast, hws_barrier_multicast,
    hws_scatter_multicast, hws_bcast_binomial, hws_bcast_scatter_allgather, hws_bcast_chain, hws_gather_binomial,
    hws_gather_linear, hws_scatter_binomial, hws_scatter_linear, hws_allgather_bruck, hws_allgather_doubling,
    hws_allgather_ring, hws_allgather_tree, hws_alltoall_bruck, hws_alltoall_pairwise, hws_alltoall_linear,
    hws_alltoall_tree, hws_alltoall_exchange, hws_reduce_binomial, hws_reduce_rabenseifner, hws_allreduce_doubling,
    hws_allreduce_tree, hws_allreduce_rabenseifner, hws_allreduce_ring, hws_reduce_scatter_halving,
    hws_reduce_scatter_pairwise, hws_reduce_scatter_tree, hws_scan_doubling, hws_scan_linear;

hws_coll_run_fn hws_barrier_shm, hws_bcast_shm, hws_allgather_shm, hws_alltoall_shm, hws_reduce_shm, hws_allreduce_shm,
    hws_gather_shm, hws_gatherv_shm, hws_scatter_shm, hws_scatterv_shm, hws_reduce_scatter_shm;
hws_coll_run_fn hws_scan_shm, hws_alltoallv_shm;

/* In two levels. */
hws_coll_build_fn hws_levels_build;
hws_coll_run_fn hws_levels_run, hws_gatherv_two_level, hws_scatterv_two_level, hws_alltoallv_two_level;

/* Appends the steps of a on an intercommunicator (inter.c). */
hws_coll_build_fn hws_inter_build;

/* Appends the steps of a neighbourhood collective (neighbor.c). */
hws_coll_build_fn hws_neighbor_build;

#endif
