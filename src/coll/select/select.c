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
#include "base/list.h"
#include "core/object/fail.h"

#define ANY  UINT64_MAX
#define K(n) ((uint64_t)(n) << 10)

enum when { CALM, CROWDED, EITHER, IN_TURN }; /* as hws_shape.crowded, or only where hws_shape.in_turn */

struct row {
    const char *alg; /* its name among those of the operation */
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
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, ANY, 3, 0},
    {"star", CROWDED, ANY, 3, STAR},
    {"tree", CROWDED, ANY, 3, 0},
    {"tree", EITHER, ANY, 65, 0}, /* dissemination opens p log2 p connections; a tree p - 1 */
    {"dissemination", EITHER, ANY, 1, 0},
};

static const struct row bcast_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, ANY, 3, 0},
    {"binomial", EITHER, K(16) - 1, 1, 0}, /* 8 hosts, 100 Mbit/s, 8 KiB: 0.56 ms, multicast 0.76, by its thread; docs/performance.md */
    {"binomial", EITHER, K(32) - 1, 9, 0}, /* 16 hosts, 16 KiB: 1.3 ms, multicast 1.5 */
    {"multicast", EITHER, ANY, 2, 0}, /* 8 hosts, 16 KiB: 0.95 ms, binomial 1.2; 16 hosts, 32 KiB: 2.6 and 2.6 */
    {"binomial", EITHER, K(64), 1, 0},
    {"binomial", CROWDED, K(1024), 1, 0},
    {"chain", CROWDED, ANY, 3, 0}, /* fewest messages among those that move each byte once */
    {"scatter_allgather", CALM, K(1024), 8, 0},
    {"chain", CALM, ANY, 3, 0},
    {"binomial", EITHER, ANY, 1, 0},
};

static const struct row gather_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, K(2), 3, 0},
    {"binomial", EITHER, K(2), 4, 0}, /* above, a block's way over log2 p ranks costs more than its message */
    {"linear", EITHER, ANY, 1, 0},
};

/* No two levels: what short blocks gain there, long ones lose twice over, and the root alone knows which there are. */
static const struct row gatherv_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"linear", EITHER, ANY, 1, 0},
};

static const struct row scatter_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, K(2), 3, 0},
    {"binomial", EITHER, K(2), 4, 0},
    {"linear", EITHER, ANY, 1, 0},
};

static const struct row scatterv_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, ANY, 3, 0},
    {"linear", EITHER, ANY, 1, 0},
};

static const struct row allgather_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, K(8), 3, 0},
    {"doubling", IN_TURN, K(16), 4, 0}, /* crosses the network once, too, and copies less */
    {"two_level", EITHER, K(64), 3, 0},
    {"star", CROWDED, K(1), 3, STAR},
    {"tree", CROWDED, K(4), 3, 0},
    {"doubling", EITHER, K(4), 1, 0}, /* powers of two only */
    {"bruck", EITHER, K(4), 1, 0},
    {"multicast", EITHER, ANY, 4, 0}, /* 8 hosts, 100 Mbit/s, 64 KiB: 13 ms, ring 39; where a switch sends so much, too, 44 and 60 */
    {"doubling", EITHER, K(16), 1, 0},
    {"bruck", EITHER, K(8), 1, 0},
    {"ring", EITHER, ANY, 1, 0},
};

static const struct row allgatherv_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, K(64), 3, 0},
    {"star", CROWDED, K(1), 3, STAR},
    {"tree", CROWDED, K(4), 3, 0},
    {"bruck", EITHER, K(4), 3, 0}, /* of two ranks it is a ring's one step and a copy */
    {"multicast", EITHER, ANY, 4, 0},
    {"bruck", EITHER, K(8), 3, 0},
    {"ring", EITHER, ANY, 1, 0},
};

static const struct row alltoall_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, K(4), 3, 0},
    {"star", CROWDED, 256, 5, STAR},
    {"tree", CROWDED, 256, 5, 0}, /* rank 0 moves all p p blocks */
    {"bruck", EITHER, 512, 8, 0},
    {"linear", EITHER, K(256), 1, 0},
    {"pairwise", EITHER, ANY, 1, 0},
    {"exchange", EITHER, ANY, 1, 0},
};

/* And of an alltoallw. */
static const struct row alltoallv_rows[] = {
    {"shm", EITHER, ANY, 2, 4}, /* more ranks: all would wait for all, also where most have nothing to say */
    {"linear", EITHER, ANY, 1, 0},
    {"exchange", EITHER, ANY, 1, 0},
};

static const struct row reduce_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, ANY, 3, 0},
    {"binomial", EITHER, K(64), 1, 0},
    {"rabenseifner", EITHER, ANY, 4, 0},
    {"binomial", EITHER, ANY, 1, 0},
};

static const struct row allreduce_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, ANY, 3, 0},
    {"star", CROWDED, K(4), 3, STAR},
    {"tree", CROWDED, K(1024), 3, 0},
    {"doubling", EITHER, K(16), 1, 0},
    {"rabenseifner", EITHER, K(64) - 1, 5, 8}, /* 8 hosts, 100 Mbit/s, 32 KiB: 4.7 ms, multicast 5.4, which takes p - 1 steps first */
    {"rabenseifner", EITHER, K(128) - 1, 9, 0}, /* 16 hosts, 64 KiB: 10 ms, multicast 16 */
    {"multicast", EITHER, K(1024), 4, 0}, /* 4 hosts, 32 KiB: 2.7 ms, by halves 4.1; 8, 64 KiB: 5.8, 9.6; 16, 128 KiB: 18, 20; 4 MiB behind a switch: 880, ring 835 */
    {"doubling", EITHER, K(512), 1, 2}, /* 2 ranks over TCP, 64 KiB: 48 us, in halves 75 */
    {"rabenseifner", EITHER, K(512), 2, 0},
    {"ring", EITHER, ANY, 2, 0},
    {"doubling", EITHER, ANY, 1, 0},
};

/* And of a reduce_scatter_block. */
static const struct row reduce_scatter_rows[] = {
    {"shm", EITHER, K(4), 2, 0},
    {"shm", CROWDED, ANY, 3, 0}, /* 2 processors, 64 KiB: 3 ranks 42 us, pairwise 54; 8 ranks 206, 392 */
    {"two_level", EITHER, K(4), 3, 0},
    {"tree", CROWDED, 512, 3, 0},
    {"halving", EITHER, K(32), 1, 0},
    {"pairwise", EITHER, ANY, 1, 0},
    {"tree", EITHER, ANY, 1, 0},
};

/* And of an exscan. */
static const struct row scan_rows[] = {
    {"shm", EITHER, ANY, 2, 0},
    {"two_level", EITHER, ANY, 3, 0},
    {"doubling", EITHER, ANY, 1, 0},
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
    ROWS(ALLTOALLW, alltoallv),
    ROWS(REDUCE, reduce),
    ROWS(ALLREDUCE, allreduce),
    ROWS(REDUCE_SCATTER, reduce_scatter),
    ROWS(REDUCE_SCATTER_BLOCK, reduce_scatter),
    ROWS(SCAN, scan),
    ROWS(EXSCAN, scan),
};

#undef ROWS

#undef ANY
#undef STAR
#undef K

HWS_HOT bool hws_algorithm_fits(const struct hws_algorithm *alg, const struct hws_shape *shape)
{
    if (!hws_algorithm_serves(alg, shape->kind))
        return false;
    if ((alg->needs & HWS_ALG_COMMUTATIVE) && !shape->commutative)
        return false;
    if ((alg->needs & HWS_ALG_POW2) && (shape->ranks & (shape->ranks - 1)))
        return false;
    if ((alg->needs & HWS_ALG_NOT_IN_PLACE) && shape->in_place)
        return false;
    if ((alg->needs & HWS_ALG_CAST) && !shape->cast)
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
           (!r->max_ranks || shape->ranks <= r->max_ranks);
}

HWS_HOT const struct hws_algorithm *hws_select(const struct hws_shape *shape, const struct hws_selection *sel)
{
    const struct hws_algorithm *forced = sel->forced[shape->kind], *const *algs = sel->rows[shape->kind];
    if (forced && hws_algorithm_fits(forced, shape))
        return forced;
    if (shape->sites && sel->over_sites[shape->kind] && hws_algorithm_fits(sel->over_sites[shape->kind], shape))
        return sel->over_sites[shape->kind];
    for (size_t i = 0; i < table[shape->kind].n; i++)
        if (matches(&table[shape->kind].rows[i], shape) && hws_algorithm_fits(algs[i], shape))
            return algs[i];
    return NULL; /* cannot be: the table's last rows have no limits (tests/unit/coll/select/select_test.c) */
}

/* ---- HAWSER_COLL ------------------------------------------------------------------------------------------------- */

static void list_names(char *dst, size_t len, int kind)
{
    *dst = 0;
    for (size_t i = 0; i < (kind < 0 ? (size_t)HWS_COLL_SELECTED : hws_n_algorithms); i++) {
        if (kind >= 0 && !hws_algorithm_serves(&hws_algorithms[i], (enum hws_coll_kind)kind))
            continue;
        size_t at = strlen(dst);
        snprintf(dst + at, len - at, "%s%s", at ? ", " : "", kind < 0 ? hws_coll_names[i] : hws_algorithms[i].name);
    }
}

/* kind -1: no such operation. */
static int fail_unknown(const char *what, size_t len, int kind)
{
    char known[512];
    list_names(known, sizeof known, kind);
    if (kind < 0)
        return hws_fail(MPI_ERR_OTHER, "HAWSER_COLL: unknown operation \"%.*s\"; there are: * (all), %s", (int)len,
                        what, known);
    return hws_fail(MPI_ERR_OTHER, "HAWSER_COLL: unknown algorithm \"%.*s\" for %s; there are: %s", (int)len, what,
                    hws_coll_names[kind], known);
}

/* For all operations that have one of that name. */
static int force_all(const char *name, size_t len, struct hws_selection *out)
{
    bool any = false;
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        const struct hws_algorithm *alg = hws_algorithm_find((enum hws_coll_kind)kind, name, len);
        out->forced[kind] = alg ? alg : out->forced[kind];
        any |= alg != NULL;
    }
    return any ? MPI_SUCCESS
               : hws_fail(MPI_ERR_OTHER, "HAWSER_COLL: no operation has an algorithm \"%.*s\"", (int)len, name);
}

static int kind_of(const char *name, size_t len)
{
    int kind = 0;
    while (kind < HWS_COLL_SELECTED && (strlen(hws_coll_names[kind]) != len || memcmp(hws_coll_names[kind], name, len)))
        kind++;
    return kind < HWS_COLL_SELECTED ? kind : -1;
}

/* One "operation=algorithm". */
static int parse_item(const char *item, size_t len, struct hws_selection *out)
{
    const char *eq = memchr(item, '=', len), *name = eq ? eq + 1 : "";
    size_t op_len = eq ? (size_t)(eq - item) : len, name_len = eq ? len - op_len - 1 : 0;
    if (op_len == 1 && *item == '*')
        return force_all(name, name_len, out);
    int kind = kind_of(item, op_len);
    if (kind < 0)
        return fail_unknown(item, op_len, -1);
    out->forced[kind] = hws_algorithm_find((enum hws_coll_kind)kind, name, name_len);
    return out->forced[kind] ? MPI_SUCCESS : fail_unknown(name, name_len, kind);
}

static void find_rows(struct hws_selection *out)
{
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        const struct hws_algorithm *levels =
            hws_algorithm_find((enum hws_coll_kind)kind, "two_level", strlen("two_level"));
        out->over_sites[kind] = levels && levels->build ? levels : NULL;
        for (size_t i = 0; i < table[kind].n; i++) {
            const char *name = table[kind].rows[i].alg;
            out->rows[kind][i] = hws_algorithm_find((enum hws_coll_kind)kind, name, strlen(name));
        }
    }
}

size_t hws_selection_rows(enum hws_coll_kind kind)
{
    return table[kind].n;
}

int hws_selection_make(const char *text, struct hws_selection *out)
{
    *out = (struct hws_selection){.forced = {NULL}};
    find_rows(out);
    while (text && *text) {
        size_t len = strcspn(text, ",");
        int rc = len ? parse_item(text, len, out) : MPI_SUCCESS;
        if (rc != MPI_SUCCESS)
            return rc;
        text += len + (text[len] == ',');
    }
    return MPI_SUCCESS;
}
