/* SPDX-License-Identifier: BSD-3-Clause
 *
 * algorithm: the table. One algorithm serves several operations where only the blocks' sizes differ.
 */
#include "coll/select/algorithm.h"

#include <string.h>

#include "base/list.h"

enum {
    BARRIER = 1 << HWS_COLL_BARRIER,
    BCAST = 1 << HWS_COLL_BCAST,
    GATHER = 1 << HWS_COLL_GATHER,
    GATHERV = 1 << HWS_COLL_GATHERV,
    SCATTER = 1 << HWS_COLL_SCATTER,
    SCATTERV = 1 << HWS_COLL_SCATTERV,
    ALLGATHER = 1 << HWS_COLL_ALLGATHER,
    ALLGATHERV = 1 << HWS_COLL_ALLGATHERV,
    ALLTOALL = 1 << HWS_COLL_ALLTOALL,
    ALLTOALLV = 1 << HWS_COLL_ALLTOALLV,
    ALLTOALLW = 1 << HWS_COLL_ALLTOALLW,
    REDUCE = 1 << HWS_COLL_REDUCE,
    ALLREDUCE = 1 << HWS_COLL_ALLREDUCE,
    REDUCE_SCATTER = 1 << HWS_COLL_REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK = 1 << HWS_COLL_REDUCE_SCATTER_BLOCK,
    SCAN = 1 << HWS_COLL_SCAN,
    EXSCAN = 1 << HWS_COLL_EXSCAN,
    /* those that are compositions (coll/levels) */
    LEVELS = BARRIER | BCAST | GATHER | SCATTER | ALLGATHER | ALLGATHERV | ALLTOALL | REDUCE | ALLREDUCE |
             REDUCE_SCATTER | REDUCE_SCATTER_BLOCK | SCAN | EXSCAN,
};

enum {
    COMM = HWS_ALG_COMMUTATIVE,
    POW2 = HWS_ALG_POW2,
    APART = HWS_ALG_NOT_IN_PLACE,
    IN_PLACE = HWS_ALG_IN_PLACE,
    SHARED = HWS_ALG_SHARED,
    HOSTS = HWS_ALG_HOSTS,
    CAST = HWS_ALG_CAST
};

/* One algorithm a line. */
/* clang-format off */
const struct hws_algorithm hws_algorithms[] = {
    {"dissemination", BARRIER, 0, hws_barrier_dissemination, NULL},
    {"tree", BARRIER, 0, hws_barrier_tree, NULL},
    {"star", BARRIER, 0, hws_barrier_star, NULL},
    {"binomial", BCAST, 0, hws_bcast_binomial, NULL},
    {"scatter_allgather", BCAST, 0, hws_bcast_scatter_allgather, NULL},
    {"chain", BCAST, 0, hws_bcast_chain, NULL},
    {"multicast", BCAST, CAST, hws_bcast_multicast, NULL},
    {"multicast", ALLGATHER | ALLGATHERV, CAST, hws_allgather_multicast, NULL},
    {"multicast", ALLREDUCE, CAST | COMM, hws_allreduce_multicast, NULL},
    {"multicast", BARRIER, CAST, hws_barrier_multicast, NULL},
    {"multicast", SCATTER, CAST, hws_scatter_multicast, NULL},
    {"binomial", GATHER, 0, hws_gather_binomial, NULL},
    {"linear", GATHER | GATHERV, 0, hws_gather_linear, NULL},
    {"binomial", SCATTER, 0, hws_scatter_binomial, NULL},
    {"linear", SCATTER | SCATTERV, 0, hws_scatter_linear, NULL},
    {"bruck", ALLGATHER | ALLGATHERV, 0, hws_allgather_bruck, NULL},
    {"doubling", ALLGATHER, POW2, hws_allgather_doubling, NULL},
    {"ring", ALLGATHER | ALLGATHERV, 0, hws_allgather_ring, NULL},
    {"tree", ALLGATHER | ALLGATHERV, 0, hws_allgather_tree, NULL},
    {"star", ALLGATHER | ALLGATHERV, 0, hws_allgather_star, NULL},
    {"bruck", ALLTOALL, 0, hws_alltoall_bruck, NULL},
    {"pairwise", ALLTOALL | ALLTOALLV | ALLTOALLW, APART, hws_alltoall_pairwise, NULL},
    {"linear", ALLTOALL | ALLTOALLV | ALLTOALLW, APART, hws_alltoall_linear, NULL},
    {"tree", ALLTOALL, 0, hws_alltoall_tree, NULL},
    {"star", ALLTOALL, 0, hws_alltoall_star, NULL},
    {"exchange", ALLTOALL | ALLTOALLV | ALLTOALLW, IN_PLACE, hws_alltoall_exchange, NULL},
    {"binomial", REDUCE, 0, hws_reduce_binomial, NULL},
    {"rabenseifner", REDUCE, COMM, hws_reduce_rabenseifner, NULL},
    {"doubling", ALLREDUCE, 0, hws_allreduce_doubling, NULL},
    {"tree", ALLREDUCE, 0, hws_allreduce_tree, NULL},
    {"star", ALLREDUCE, 0, hws_allreduce_star, NULL},
    {"rabenseifner", ALLREDUCE, COMM, hws_allreduce_rabenseifner, NULL},
    {"ring", ALLREDUCE, COMM, hws_allreduce_ring, NULL},
    {"halving", REDUCE_SCATTER | REDUCE_SCATTER_BLOCK, COMM, hws_reduce_scatter_halving, NULL},
    {"pairwise", REDUCE_SCATTER | REDUCE_SCATTER_BLOCK, COMM, hws_reduce_scatter_pairwise, NULL},
    {"tree", REDUCE_SCATTER | REDUCE_SCATTER_BLOCK, 0, hws_reduce_scatter_tree, NULL},
    {"doubling", SCAN | EXSCAN, 0, hws_scan_doubling, NULL},
    {"linear", SCAN | EXSCAN, 0, hws_scan_linear, NULL},
    {"shm", BARRIER, SHARED, NULL, hws_barrier_shm},
    {"shm", BCAST, SHARED, NULL, hws_bcast_shm},
    {"shm", ALLGATHER | ALLGATHERV, SHARED, NULL, hws_allgather_shm},
    {"shm", ALLTOALL, SHARED, NULL, hws_alltoall_shm},
    {"shm", REDUCE, SHARED, NULL, hws_reduce_shm},
    {"shm", ALLREDUCE, SHARED, NULL, hws_allreduce_shm},
    {"shm", GATHER, SHARED, NULL, hws_gather_shm},
    {"shm", SCATTER, SHARED, NULL, hws_scatter_shm},
    {"shm", GATHERV, SHARED, NULL, hws_gatherv_shm},
    {"shm", SCATTERV, SHARED, NULL, hws_scatterv_shm},
    {"shm", REDUCE_SCATTER | REDUCE_SCATTER_BLOCK, SHARED, NULL, hws_reduce_scatter_shm},
    {"shm", ALLTOALLV | ALLTOALLW, SHARED, NULL, hws_alltoallv_shm},
    {"shm", SCAN | EXSCAN, SHARED, NULL, hws_scan_shm},
    {"two_level", LEVELS, HOSTS, hws_levels_build, hws_levels_run},
    {"two_level", GATHERV, HOSTS, NULL, hws_gatherv_two_level},
    {"two_level", SCATTERV, HOSTS, NULL, hws_scatterv_two_level},
    {"two_level", ALLTOALLV | ALLTOALLW, HOSTS, NULL, hws_alltoallv_two_level},
};
/* clang-format on */

const size_t hws_n_algorithms = HWS_ARRAY_LEN(hws_algorithms);

const struct hws_algorithm *hws_algorithm_find(enum hws_coll_kind kind, const char *name, size_t len)
{
    for (size_t i = 0; i < hws_n_algorithms; i++) {
        const struct hws_algorithm *alg = &hws_algorithms[i];
        if (hws_algorithm_serves(alg, kind) && strlen(alg->name) == len && memcmp(alg->name, name, len) == 0)
            return alg;
    }
    return NULL;
}

const char *const hws_coll_names[HWS_COLL_SELECTED] = {
    [HWS_COLL_BARRIER] = "barrier",
    [HWS_COLL_BCAST] = "bcast",
    [HWS_COLL_GATHER] = "gather",
    [HWS_COLL_GATHERV] = "gatherv",
    [HWS_COLL_SCATTER] = "scatter",
    [HWS_COLL_SCATTERV] = "scatterv",
    [HWS_COLL_ALLGATHER] = "allgather",
    [HWS_COLL_ALLGATHERV] = "allgatherv",
    [HWS_COLL_ALLTOALL] = "alltoall",
    [HWS_COLL_ALLTOALLV] = "alltoallv",
    [HWS_COLL_ALLTOALLW] = "alltoallw",
    [HWS_COLL_REDUCE] = "reduce",
    [HWS_COLL_ALLREDUCE] = "allreduce",
    [HWS_COLL_REDUCE_SCATTER] = "reduce_scatter",
    [HWS_COLL_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
    [HWS_COLL_SCAN] = "scan",
    [HWS_COLL_EXSCAN] = "exscan",
};
