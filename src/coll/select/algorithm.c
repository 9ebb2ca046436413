/* SPDX-License-Identifier: BSD-3-Clause
 *
 * algorithm: the table. One builder serves several operations where only the blocks' sizes differ.
 */
#include "coll/select/algorithm.h"

#define ROW(id, kind_, name_, needs_, build_) [HWS_ALG_##id] = {HWS_COLL_##kind_, name_, needs_, build_, NULL}
#define RUN(id, kind_, name_, needs_, run_)   [HWS_ALG_##id] = {HWS_COLL_##kind_, name_, needs_, NULL, run_}
#define SHM(kind_, run_)                      RUN(kind_##_SHM, kind_, "shm", HWS_ALG_SHARED, run_)
#define TWO(kind_, run_)                      RUN(kind_##_TWO_LEVEL, kind_, "two_level", HWS_ALG_HOSTS, run_)
#define BOTH(kind_, build_, run_)                                                                                      \
    [HWS_ALG_##kind_##_TWO_LEVEL] = {HWS_COLL_##kind_, "two_level", HWS_ALG_HOSTS, build_, run_}
#define LEVELS(kind_, name_) BOTH(kind_, hws_##name_##_levels, hws_##name_##_two_level)
#define COMM                 HWS_ALG_COMMUTATIVE
#define APART                HWS_ALG_NOT_IN_PLACE

const struct hws_algorithm hws_algorithms[HWS_ALG_N] = {
    ROW(BARRIER_DISSEMINATION, BARRIER, "dissemination", 0, hws_barrier_dissemination),
    ROW(BARRIER_TREE, BARRIER, "tree", 0, hws_barrier_tree),
    ROW(BARRIER_STAR, BARRIER, "star", 0, hws_barrier_star),
    ROW(BCAST_BINOMIAL, BCAST, "binomial", 0, hws_bcast_binomial),
    ROW(BCAST_SCATTER_ALLGATHER, BCAST, "scatter_allgather", 0, hws_bcast_scatter_allgather),
    ROW(BCAST_CHAIN, BCAST, "chain", 0, hws_bcast_chain),
    ROW(GATHER_BINOMIAL, GATHER, "binomial", 0, hws_gather_binomial),
    ROW(GATHER_LINEAR, GATHER, "linear", 0, hws_gather_linear),
    ROW(GATHERV_LINEAR, GATHERV, "linear", 0, hws_gather_linear),
    ROW(SCATTER_BINOMIAL, SCATTER, "binomial", 0, hws_scatter_binomial),
    ROW(SCATTER_LINEAR, SCATTER, "linear", 0, hws_scatter_linear),
    ROW(SCATTERV_LINEAR, SCATTERV, "linear", 0, hws_scatter_linear),
    ROW(ALLGATHER_BRUCK, ALLGATHER, "bruck", 0, hws_allgather_bruck),
    ROW(ALLGATHER_DOUBLING, ALLGATHER, "doubling", HWS_ALG_POW2, hws_allgather_doubling),
    ROW(ALLGATHER_RING, ALLGATHER, "ring", 0, hws_allgather_ring),
    ROW(ALLGATHER_TREE, ALLGATHER, "tree", 0, hws_allgather_tree),
    ROW(ALLGATHER_STAR, ALLGATHER, "star", 0, hws_allgather_star),
    ROW(ALLGATHERV_BRUCK, ALLGATHERV, "bruck", 0, hws_allgather_bruck),
    ROW(ALLGATHERV_RING, ALLGATHERV, "ring", 0, hws_allgather_ring),
    ROW(ALLGATHERV_TREE, ALLGATHERV, "tree", 0, hws_allgather_tree),
    ROW(ALLGATHERV_STAR, ALLGATHERV, "star", 0, hws_allgather_star),
    ROW(ALLTOALL_BRUCK, ALLTOALL, "bruck", 0, hws_alltoall_bruck),
    ROW(ALLTOALL_PAIRWISE, ALLTOALL, "pairwise", APART, hws_alltoall_pairwise),
    ROW(ALLTOALL_LINEAR, ALLTOALL, "linear", APART, hws_alltoall_linear),
    ROW(ALLTOALL_TREE, ALLTOALL, "tree", 0, hws_alltoall_tree),
    ROW(ALLTOALL_STAR, ALLTOALL, "star", 0, hws_alltoall_star),
    ROW(ALLTOALL_EXCHANGE, ALLTOALL, "exchange", HWS_ALG_IN_PLACE, hws_alltoall_exchange),
    ROW(ALLTOALLV_PAIRWISE, ALLTOALLV, "pairwise", APART, hws_alltoall_pairwise),
    ROW(ALLTOALLV_LINEAR, ALLTOALLV, "linear", APART, hws_alltoall_linear),
    ROW(ALLTOALLV_EXCHANGE, ALLTOALLV, "exchange", HWS_ALG_IN_PLACE, hws_alltoall_exchange),
    ROW(ALLTOALLW_PAIRWISE, ALLTOALLW, "pairwise", APART, hws_alltoall_pairwise),
    ROW(ALLTOALLW_LINEAR, ALLTOALLW, "linear", APART, hws_alltoall_linear),
    ROW(ALLTOALLW_EXCHANGE, ALLTOALLW, "exchange", HWS_ALG_IN_PLACE, hws_alltoall_exchange),
    ROW(REDUCE_BINOMIAL, REDUCE, "binomial", 0, hws_reduce_binomial),
    ROW(REDUCE_RABENSEIFNER, REDUCE, "rabenseifner", COMM, hws_reduce_rabenseifner),
    ROW(ALLREDUCE_DOUBLING, ALLREDUCE, "doubling", 0, hws_allreduce_doubling),
    ROW(ALLREDUCE_TREE, ALLREDUCE, "tree", 0, hws_allreduce_tree),
    ROW(ALLREDUCE_STAR, ALLREDUCE, "star", 0, hws_allreduce_star),
    ROW(ALLREDUCE_RABENSEIFNER, ALLREDUCE, "rabenseifner", COMM, hws_allreduce_rabenseifner),
    ROW(ALLREDUCE_RING, ALLREDUCE, "ring", COMM, hws_allreduce_ring),
    ROW(REDUCE_SCATTER_HALVING, REDUCE_SCATTER, "halving", COMM, hws_reduce_scatter_halving),
    ROW(REDUCE_SCATTER_PAIRWISE, REDUCE_SCATTER, "pairwise", COMM, hws_reduce_scatter_pairwise),
    ROW(REDUCE_SCATTER_TREE, REDUCE_SCATTER, "tree", 0, hws_reduce_scatter_tree),
    ROW(REDUCE_SCATTER_BLOCK_HALVING, REDUCE_SCATTER_BLOCK, "halving", COMM, hws_reduce_scatter_halving),
    ROW(REDUCE_SCATTER_BLOCK_PAIRWISE, REDUCE_SCATTER_BLOCK, "pairwise", COMM, hws_reduce_scatter_pairwise),
    ROW(REDUCE_SCATTER_BLOCK_TREE, REDUCE_SCATTER_BLOCK, "tree", 0, hws_reduce_scatter_tree),
    ROW(SCAN_DOUBLING, SCAN, "doubling", 0, hws_scan_doubling),
    ROW(SCAN_LINEAR, SCAN, "linear", 0, hws_scan_linear),
    ROW(EXSCAN_DOUBLING, EXSCAN, "doubling", 0, hws_scan_doubling),
    ROW(EXSCAN_LINEAR, EXSCAN, "linear", 0, hws_scan_linear),
    SHM(BARRIER, hws_barrier_shm),
    SHM(BCAST, hws_bcast_shm),
    SHM(ALLGATHER, hws_allgather_shm),
    SHM(ALLTOALL, hws_alltoall_shm),
    SHM(REDUCE, hws_reduce_shm),
    SHM(ALLREDUCE, hws_allreduce_shm),
    SHM(GATHER, hws_gather_shm),
    SHM(SCATTER, hws_scatter_shm),
    SHM(GATHERV, hws_gatherv_shm),
    SHM(SCATTERV, hws_scatterv_shm),
    SHM(ALLGATHERV, hws_allgather_shm),
    SHM(REDUCE_SCATTER, hws_reduce_scatter_shm),
    SHM(REDUCE_SCATTER_BLOCK, hws_reduce_scatter_shm),
    SHM(ALLTOALLV, hws_alltoallv_shm),
    SHM(ALLTOALLW, hws_alltoallv_shm),
    SHM(SCAN, hws_scan_shm),
    SHM(EXSCAN, hws_scan_shm),
    LEVELS(BARRIER, barrier),
    LEVELS(BCAST, bcast),
    LEVELS(ALLGATHER, allgather),
    LEVELS(ALLTOALL, alltoall),
    LEVELS(REDUCE, reduce),
    LEVELS(ALLREDUCE, allreduce),
    LEVELS(GATHER, gather),
    LEVELS(SCATTER, scatter),
    TWO(GATHERV, hws_gatherv_two_level),
    TWO(SCATTERV, hws_scatterv_two_level),
    BOTH(ALLGATHERV, hws_allgatherv_levels, hws_allgather_two_level),
    LEVELS(REDUCE_SCATTER, reduce_scatter),
    LEVELS(REDUCE_SCATTER_BLOCK, reduce_scatter),
    TWO(ALLTOALLV, hws_alltoallv_two_level),
    TWO(ALLTOALLW, hws_alltoallv_two_level),
    LEVELS(SCAN, scan),
    LEVELS(EXSCAN, scan),
};

#undef ROW
#undef RUN
#undef SHM
#undef TWO
#undef BOTH
#undef LEVELS
#undef COMM
#undef APART

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
