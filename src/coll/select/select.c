/* SPDX-License-Identifier: BSD-3-Clause
 *
 * select: see select.h. The rows of an operation are tried in their order; the first one that matches the shape and
 * whose algorithm can do the call is taken; the last row of an operation that fits all calls has no limits.
 *
 * Where the thresholds come from. Over TCP a message costs about 10 us of processor (system calls, wake-up) and a byte
 * about 0.2 to 1 ns, so a message of 10 to 50 KiB costs as much for its bytes as for itself: below, algorithms with few
 * messages win; above, those that move few bytes. Where ranks outnumber the processors ("crowded"), all messages share
 * these and each one that is waited for is a change of process, so the total number of messages counts.
 * 8 ranks on one host of 2 busy cores, best of a few (2026-11): allreduce of 64 KiB 0.8 ms by the tree, 2.3 by
 * Rabenseifner, of 1 MiB 5.5 and 10.6; broadcast of 1 MiB 2.8 ms binomial, 7.6 by the chain; alltoall of 64 KiB 1.7 ms
 * linear, 2.9 pairwise. Memory that all ranks share (shm) beats messages at every size tried, with and without
 * processors for all of them; so do two levels where some share memory, but long blocks of an alltoall gain nothing by
 * passing through the leaders. Schedules of an allgather among 8 ranks that 2 hosts count in turn, 16 KiB: 116 to 136
 * us by doubling, 123 to 305 in two levels. To be measured again on real networks, where the bytes between hosts count
 * for more.
 */
#include "coll/select/select.h"

#include <stdio.h>
#include <string.h>

#include "base/hot.h"
#include "core/object/fail.h"

#define ANY  UINT64_MAX
#define K(n) ((uint64_t)(n) << 10)

enum when { CALM, CROWDED, EITHER, IN_TURN }; /* as hws_shape.crowded, or only where hws_shape.in_turn */

struct row {
    enum hws_algorithm_id alg;
    enum when when;
    uint64_t max_bytes;       /* of hws_shape.bytes */
    int min_ranks, max_ranks; /* 0: no bound */
};

/* Ranks up to which rank 0 alone serves all others where processors are short: beyond, its messages one after another
 * take longer than what the inner ranks of a tree wait. */
#define STAR 16

/* One row a line. */
/* clang-format off */
static const struct row barrier_rows[] = {
    {HWS_ALG_BARRIER_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_BARRIER_TWO_LEVEL, EITHER, ANY, 3, 0},
    {HWS_ALG_BARRIER_STAR, CROWDED, ANY, 3, STAR},
    {HWS_ALG_BARRIER_TREE, CROWDED, ANY, 3, 0},
    {HWS_ALG_BARRIER_TREE, EITHER, ANY, 65, 0}, /* dissemination opens p log2 p connections; a tree p - 1 */
    {HWS_ALG_BARRIER_DISSEMINATION, EITHER, ANY, 1, 0},
};

static const struct row bcast_rows[] = {
    {HWS_ALG_BCAST_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_BCAST_TWO_LEVEL, EITHER, ANY, 3, 0},
    {HWS_ALG_BCAST_BINOMIAL, EITHER, K(64), 1, 0},
    {HWS_ALG_BCAST_BINOMIAL, CROWDED, K(1024), 1, 0},
    {HWS_ALG_BCAST_CHAIN, CROWDED, ANY, 3, 0}, /* fewest messages among those that move each byte once */
    {HWS_ALG_BCAST_SCATTER_ALLGATHER, CALM, K(1024), 8, 0},
    {HWS_ALG_BCAST_CHAIN, CALM, ANY, 3, 0},
    {HWS_ALG_BCAST_BINOMIAL, EITHER, ANY, 1, 0},
};

static const struct row gather_rows[] = {
    {HWS_ALG_GATHER_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_GATHER_TWO_LEVEL, EITHER, K(2), 3, 0},
    {HWS_ALG_GATHER_BINOMIAL, EITHER, K(2), 4, 0}, /* above, a block's way over log2 p ranks costs more than its message */
    {HWS_ALG_GATHER_LINEAR, EITHER, ANY, 1, 0},
};

/* No two levels: what short blocks gain there, long ones lose twice over, and the root alone knows which there are. */
static const struct row gatherv_rows[] = {
    {HWS_ALG_GATHERV_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_GATHERV_LINEAR, EITHER, ANY, 1, 0},
};

static const struct row scatter_rows[] = {
    {HWS_ALG_SCATTER_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_SCATTER_TWO_LEVEL, EITHER, K(2), 3, 0},
    {HWS_ALG_SCATTER_BINOMIAL, EITHER, K(2), 4, 0},
    {HWS_ALG_SCATTER_LINEAR, EITHER, ANY, 1, 0},
};

static const struct row scatterv_rows[] = {
    {HWS_ALG_SCATTERV_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_SCATTERV_TWO_LEVEL, EITHER, ANY, 3, 0},
    {HWS_ALG_SCATTERV_LINEAR, EITHER, ANY, 1, 0},
};

static const struct row allgather_rows[] = {
    {HWS_ALG_ALLGATHER_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_ALLGATHER_TWO_LEVEL, EITHER, K(8), 3, 0},
    {HWS_ALG_ALLGATHER_DOUBLING, IN_TURN, K(16), 4, 0}, /* crosses the network once, too, and copies less */
    {HWS_ALG_ALLGATHER_TWO_LEVEL, EITHER, K(64), 3, 0},
    {HWS_ALG_ALLGATHER_STAR, CROWDED, K(1), 3, STAR},
    {HWS_ALG_ALLGATHER_TREE, CROWDED, K(4), 3, 0},
    {HWS_ALG_ALLGATHER_DOUBLING, EITHER, K(16), 1, 0}, /* powers of two only */
    {HWS_ALG_ALLGATHER_BRUCK, EITHER, K(8), 1, 0},
    {HWS_ALG_ALLGATHER_RING, EITHER, ANY, 1, 0},
};

static const struct row allgatherv_rows[] = {
    {HWS_ALG_ALLGATHERV_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_ALLGATHERV_TWO_LEVEL, EITHER, K(64), 3, 0},
    {HWS_ALG_ALLGATHERV_STAR, CROWDED, K(1), 3, STAR},
    {HWS_ALG_ALLGATHERV_TREE, CROWDED, K(4), 3, 0},
    {HWS_ALG_ALLGATHERV_BRUCK, EITHER, K(8), 1, 0},
    {HWS_ALG_ALLGATHERV_RING, EITHER, ANY, 1, 0},
};

static const struct row alltoall_rows[] = {
    {HWS_ALG_ALLTOALL_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_ALLTOALL_TWO_LEVEL, EITHER, K(4), 3, 0},
    {HWS_ALG_ALLTOALL_STAR, CROWDED, 256, 5, STAR},
    {HWS_ALG_ALLTOALL_TREE, CROWDED, 256, 5, 0}, /* rank 0 moves all p p blocks */
    {HWS_ALG_ALLTOALL_BRUCK, EITHER, 512, 8, 0},
    {HWS_ALG_ALLTOALL_LINEAR, EITHER, K(256), 1, 0},
    {HWS_ALG_ALLTOALL_PAIRWISE, EITHER, ANY, 1, 0},
    {HWS_ALG_ALLTOALL_EXCHANGE, EITHER, ANY, 1, 0},
};

static const struct row alltoallv_rows[] = {
    {HWS_ALG_ALLTOALLV_SHM, EITHER, ANY, 2, 4}, /* more ranks: all would wait for all, also where most have nothing to say */
    {HWS_ALG_ALLTOALLV_LINEAR, EITHER, ANY, 1, 0},
    {HWS_ALG_ALLTOALLV_EXCHANGE, EITHER, ANY, 1, 0},
};

static const struct row alltoallw_rows[] = {
    {HWS_ALG_ALLTOALLW_SHM, EITHER, ANY, 2, 4},
    {HWS_ALG_ALLTOALLW_LINEAR, EITHER, ANY, 1, 0},
    {HWS_ALG_ALLTOALLW_EXCHANGE, EITHER, ANY, 1, 0},
};

static const struct row reduce_rows[] = {
    {HWS_ALG_REDUCE_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_REDUCE_TWO_LEVEL, EITHER, ANY, 3, 0},
    {HWS_ALG_REDUCE_BINOMIAL, EITHER, K(64), 1, 0},
    {HWS_ALG_REDUCE_RABENSEIFNER, EITHER, ANY, 4, 0},
    {HWS_ALG_REDUCE_BINOMIAL, EITHER, ANY, 1, 0},
};

static const struct row allreduce_rows[] = {
    {HWS_ALG_ALLREDUCE_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_ALLREDUCE_TWO_LEVEL, EITHER, ANY, 3, 0},
    {HWS_ALG_ALLREDUCE_STAR, CROWDED, K(4), 3, STAR},
    {HWS_ALG_ALLREDUCE_TREE, CROWDED, K(1024), 3, 0},
    {HWS_ALG_ALLREDUCE_DOUBLING, EITHER, K(16), 1, 0},
    {HWS_ALG_ALLREDUCE_DOUBLING, EITHER, K(512), 1, 2}, /* 2 ranks over TCP, 64 KiB: 48 us, in halves 75 */
    {HWS_ALG_ALLREDUCE_RABENSEIFNER, EITHER, K(512), 2, 0},
    {HWS_ALG_ALLREDUCE_RING, EITHER, ANY, 2, 0},
    {HWS_ALG_ALLREDUCE_DOUBLING, EITHER, ANY, 1, 0},
};

static const struct row reduce_scatter_rows[] = {
    {HWS_ALG_REDUCE_SCATTER_SHM, EITHER, K(4), 2, 0},
    {HWS_ALG_REDUCE_SCATTER_TWO_LEVEL, EITHER, K(4), 3, 0},
    {HWS_ALG_REDUCE_SCATTER_TREE, CROWDED, 512, 3, 0},
    {HWS_ALG_REDUCE_SCATTER_HALVING, EITHER, K(32), 1, 0},
    {HWS_ALG_REDUCE_SCATTER_PAIRWISE, EITHER, ANY, 1, 0},
    {HWS_ALG_REDUCE_SCATTER_TREE, EITHER, ANY, 1, 0},
};

static const struct row reduce_scatter_block_rows[] = {
    {HWS_ALG_REDUCE_SCATTER_BLOCK_SHM, EITHER, K(4), 2, 0},
    {HWS_ALG_REDUCE_SCATTER_BLOCK_TWO_LEVEL, EITHER, K(4), 3, 0},
    {HWS_ALG_REDUCE_SCATTER_BLOCK_TREE, CROWDED, 512, 3, 0},
    {HWS_ALG_REDUCE_SCATTER_BLOCK_HALVING, EITHER, K(32), 1, 0},
    {HWS_ALG_REDUCE_SCATTER_BLOCK_PAIRWISE, EITHER, ANY, 1, 0},
    {HWS_ALG_REDUCE_SCATTER_BLOCK_TREE, EITHER, ANY, 1, 0},
};

static const struct row scan_rows[] = {
    {HWS_ALG_SCAN_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_SCAN_TWO_LEVEL, EITHER, ANY, 3, 0},
    {HWS_ALG_SCAN_DOUBLING, EITHER, ANY, 1, 0},
};

static const struct row exscan_rows[] = {
    {HWS_ALG_EXSCAN_SHM, EITHER, ANY, 2, 0},
    {HWS_ALG_EXSCAN_TWO_LEVEL, EITHER, ANY, 3, 0},
    {HWS_ALG_EXSCAN_DOUBLING, EITHER, ANY, 1, 0},
};
/* clang-format on */

#define ROWS(kind, name) [HWS_COLL_##kind] = {name##_rows, HWS_ARRAY_LEN(name##_rows)}

static const struct {
    const struct row *rows;
    size_t n;
} table[HWS_COLL_SELECTED] = {
    ROWS(BARRIER, barrier),
    ROWS(BCAST, bcast),
    ROWS(GATHER, gather),
    ROWS(GATHERV, gatherv),
    ROWS(SCATTER, scatter),
    ROWS(SCATTERV, scatterv),
    ROWS(ALLGATHER, allgather),
    ROWS(ALLGATHERV, allgatherv),
    ROWS(ALLTOALL, alltoall),
    ROWS(ALLTOALLV, alltoallv),
    ROWS(ALLTOALLW, alltoallw),
    ROWS(REDUCE, reduce),
    ROWS(ALLREDUCE, allreduce),
    ROWS(REDUCE_SCATTER, reduce_scatter),
    ROWS(REDUCE_SCATTER_BLOCK, reduce_scatter_block),
    ROWS(SCAN, scan),
    ROWS(EXSCAN, exscan),
};

#undef ROWS

#undef ANY
#undef STAR
#undef K

HWS_HOT bool hws_algorithm_fits(const struct hws_algorithm *alg, const struct hws_shape *shape)
{
    if (alg->kind != shape->kind)
        return false;
    if ((alg->needs & HWS_ALG_COMMUTATIVE) && !shape->commutative)
        return false;
    if ((alg->needs & HWS_ALG_POW2) && (shape->ranks & (shape->ranks - 1)))
        return false;
    if ((alg->needs & HWS_ALG_NOT_IN_PLACE) && shape->in_place)
        return false;
    if (((alg->needs & HWS_ALG_SHARED) && !shape->shared) || ((alg->needs & HWS_ALG_HOSTS) && !shape->hosts))
        return false;
    return shape->in_place || !(alg->needs & HWS_ALG_IN_PLACE);
}

static inline bool happens(enum when when, const struct hws_shape *shape)
{
    if (when == IN_TURN)
        return shape->in_turn;
    return when == EITHER || (when == CROWDED) == shape->crowded;
}

static inline bool matches(const struct row *r, const struct hws_shape *shape)
{
    if (!happens(r->when, shape))
        return false;
    return shape->bytes <= r->max_bytes && shape->ranks >= r->min_ranks &&
           (!r->max_ranks || shape->ranks <= r->max_ranks) && hws_algorithm_fits(&hws_algorithms[r->alg], shape);
}

HWS_HOT enum hws_algorithm_id hws_select(const struct hws_shape *shape, const struct hws_forced *forced)
{
    int f = forced->alg[shape->kind];
    if (f >= 0 && hws_algorithm_fits(&hws_algorithms[f], shape))
        return (enum hws_algorithm_id)f;
    for (size_t i = 0; i < table[shape->kind].n; i++)
        if (matches(&table[shape->kind].rows[i], shape))
            return table[shape->kind].rows[i].alg;
    return HWS_ALG_N; /* cannot be: the table's last rows have no limits (tests/unit/coll/select_test.c) */
}

static int fail_unknown(const char *what, size_t len, int kind)
{
    char known[512] = "";
    for (int i = 0; i < (kind < 0 ? (int)HWS_COLL_SELECTED : (int)HWS_ALG_N); i++) {
        if (kind >= 0 && (int)hws_algorithms[i].kind != kind)
            continue;
        size_t at = strlen(known);
        snprintf(known + at, sizeof known - at, "%s%s", at ? ", " : "",
                 kind < 0 ? hws_coll_names[i] : hws_algorithms[i].name);
    }
    if (kind < 0)
        return hws_fail(MPI_ERR_OTHER, "HAWSER_COLL: unknown operation \"%.*s\"; there are: %s", (int)len, what, known);
    return hws_fail(MPI_ERR_OTHER, "HAWSER_COLL: unknown algorithm \"%.*s\" for %s; there are: %s", (int)len, what,
                    hws_coll_names[kind], known);
}

static bool is(const char *name, const char *text, size_t len)
{
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

/* One "operation=algorithm". */
static int parse_item(const char *item, size_t len, struct hws_forced *out)
{
    const char *eq = memchr(item, '=', len);
    size_t op_len = eq ? (size_t)(eq - item) : len;
    int kind = 0;
    while (kind < HWS_COLL_SELECTED && !is(hws_coll_names[kind], item, op_len))
        kind++;
    if (kind == HWS_COLL_SELECTED)
        return fail_unknown(item, op_len, -1);
    if (!eq)
        return fail_unknown("", 0, kind);
    for (int i = 0; i < HWS_ALG_N; i++) {
        if ((int)hws_algorithms[i].kind == kind && is(hws_algorithms[i].name, eq + 1, len - op_len - 1)) {
            out->alg[kind] = i;
            return MPI_SUCCESS;
        }
    }
    return fail_unknown(eq + 1, len - op_len - 1, kind);
}

int hws_forced_parse(const char *text, struct hws_forced *out)
{
    for (int i = 0; i < HWS_COLL_SELECTED; i++)
        out->alg[i] = -1;
    while (text && *text) {
        size_t len = strcspn(text, ",");
        int rc = len ? parse_item(text, len, out) : MPI_SUCCESS;
        if (rc != MPI_SUCCESS)
            return rc;
        text += len + (text[len] == ',');
    }
    return MPI_SUCCESS;
}
