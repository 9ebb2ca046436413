/* SPDX-License-Identifier: BSD-3-Clause
 *
 * select_test: the table gives every shape an algorithm that can do it, the choices that its thresholds promise, and
 * HAWSER_COLL's words, right and wrong.
 */
#include "coll/select/select.h"

#include <criterion/criterion.h>
#include <string.h>

#include "core/object/fail.h"

static struct hws_selection none;

static void load_none(void)
{
    cr_assert_eq(hws_selection_make(NULL, &none), MPI_SUCCESS);
}

static struct hws_shape shape_of(enum hws_coll_kind kind, uint64_t bytes, int ranks)
{
    return (struct hws_shape){.kind = kind, .bytes = bytes, .ranks = ranks, .commutative = true};
}

/* Fails the test unless what is chosen can do the call; returns its name. */
static const char *chosen(struct hws_shape s, const struct hws_selection *sel)
{
    const struct hws_algorithm *alg = hws_select(&s, sel);
    cr_assert_not_null(alg, "%s, %d ranks, %llu bytes: none", hws_coll_names[s.kind], s.ranks,
                       (unsigned long long)s.bytes);
    cr_assert(hws_algorithm_fits(alg, &s), "%s: %s cannot do it", hws_coll_names[s.kind], alg->name);
    return alg->name;
}

Test(select, every_shape_has_an_algorithm, .init = load_none)
{
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        for (int ranks = 1; ranks <= 130; ranks++) {
            for (int bit = -1; bit < 64; bit++) {
                for (int flags = 0; flags < 128; flags++) {
                    struct hws_shape s = shape_of((enum hws_coll_kind)kind, bit < 0 ? 0 : (uint64_t)1 << bit, ranks);
                    s.commutative = flags & 1;
                    s.in_place = flags & 2;
                    s.crowded = flags & 4;
                    s.shared = flags & 8;
                    s.hosts = flags & 16;
                    s.in_turn = flags & 32;
                    s.cast = flags & 64;
                    chosen(s, &none);
                }
            }
        }
    }
}

Test(select, multicast_from_some_hosts_and_some_bytes_on, .init = load_none)
{
    static const struct {
        enum hws_coll_kind kind;
        uint64_t least;
        int ranks;
    } rows[] = {{HWS_COLL_BCAST, 16 << 10, 3},           {HWS_COLL_BCAST, 16 << 10, 8},
                {HWS_COLL_BCAST, 32 << 10, 9},           {HWS_COLL_ALLGATHER, (4 << 10) + 1, 4},
                {HWS_COLL_ALLGATHERV, (4 << 10) + 1, 4}, {HWS_COLL_ALLREDUCE, (16 << 10) + 1, 4},
                {HWS_COLL_ALLREDUCE, 64 << 10, 5},       {HWS_COLL_ALLREDUCE, 64 << 10, 8},
                {HWS_COLL_ALLREDUCE, 128 << 10, 9},      {HWS_COLL_ALLREDUCE, 128 << 10, 16}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hws_shape s = shape_of(rows[i].kind, rows[i].least, rows[i].ranks);
        cr_assert_str_neq(chosen(s, &none), "multicast");
        s.cast = true;
        cr_assert_str_eq(chosen(s, &none), "multicast");
        s.bytes--;
        cr_assert_str_neq(chosen(s, &none), "multicast");
    }
    struct hws_shape s = shape_of(HWS_COLL_ALLREDUCE, 64 << 10, 8);
    s.cast = true;
    s.commutative = false;
    cr_assert_str_neq(chosen(s, &none), "multicast");
}

Test(select, few_messages_where_processors_are_short, .init = load_none)
{
    struct hws_shape s = shape_of(HWS_COLL_ALLREDUCE, 8, 8);
    cr_assert_str_eq(chosen(s, &none), "doubling");
    s.crowded = true;
    cr_assert_str_neq(chosen(s, &none), "doubling");
    s = shape_of(HWS_COLL_ALLTOALL, 64, 8);
    cr_assert_str_eq(chosen(s, &none), "bruck");
    s.crowded = true;
    cr_assert_str_neq(chosen(s, &none), "bruck");
}

Test(select, two_ranks_gather_to_all_in_one_step, .init = load_none)
{
    struct hws_shape s = shape_of(HWS_COLL_ALLGATHERV, 64, 2);
    cr_assert_str_eq(chosen(s, &none), "ring");
    s.ranks = 3;
    cr_assert_str_eq(chosen(s, &none), "bruck");
}

Test(select, shared_memory_where_there_is_some, .init = load_none)
{
    static const enum hws_coll_kind kinds[] = {HWS_COLL_GATHER, HWS_COLL_SCATTERV, HWS_COLL_ALLGATHERV,
                                               HWS_COLL_BARRIER};
    for (size_t i = 0; i < HWS_ARRAY_LEN(kinds); i++) {
        struct hws_shape s = shape_of(kinds[i], 8, 8);
        cr_assert_str_neq(chosen(s, &none), "shm");
        s.hosts = true;
        cr_assert_str_eq(chosen(s, &none), "two_level");
        s.shared = true;
        cr_assert_str_eq(chosen(s, &none), "shm");
    }
}

Test(select, reduce_scatter_in_shared_memory_where_processors_are_short, .init = load_none)
{
    struct hws_shape s = shape_of(HWS_COLL_REDUCE_SCATTER, 64 << 10, 3);
    s.shared = true;
    cr_assert_str_eq(chosen(s, &none), "pairwise");
    s.crowded = true;
    cr_assert_str_eq(chosen(s, &none), "shm");
    s.bytes = 64 << 20;
    cr_assert_str_eq(chosen(s, &none), "shm");
    s.shared = false;
    cr_assert_str_eq(chosen(s, &none), "pairwise");
}

Test(select, two_levels_wherever_there_are_sites, .init = load_none)
{
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        for (int bit = 0; bit < 40; bit++) {
            struct hws_shape s = shape_of((enum hws_coll_kind)kind, 1ull << bit, 12);
            s.hosts = s.sites = true;
            bool has_one = kind != HWS_COLL_GATHERV && kind != HWS_COLL_SCATTERV && kind != HWS_COLL_ALLTOALLV &&
                           kind != HWS_COLL_ALLTOALLW;
            if (has_one)
                cr_expect_str_eq(chosen(s, &none), "two_level", "%s", hws_coll_names[kind]);
        }
    }
}

Test(select, few_bytes_for_long_vectors, .init = load_none)
{
    cr_assert_str_eq(chosen(shape_of(HWS_COLL_ALLREDUCE, 100 << 10, 8), &none), "rabenseifner");
    cr_assert_str_eq(chosen(shape_of(HWS_COLL_ALLREDUCE, 64 << 20, 8), &none), "ring");
    cr_assert_str_eq(chosen(shape_of(HWS_COLL_ALLTOALL, 1 << 20, 8), &none), "pairwise");
    cr_assert_str_eq(chosen(shape_of(HWS_COLL_GATHER, 1 << 20, 8), &none), "linear");
}

Test(select, order_is_kept_for_operations_that_do_not_commute, .init = load_none)
{
    struct hws_shape s = shape_of(HWS_COLL_ALLREDUCE, 64 << 20, 8);
    s.commutative = false;
    cr_assert_str_eq(chosen(s, &none), "doubling");
}

/* What is measured to be better: prefixes in memory that all share or, where each host has a run of ranks, in two
 * levels. */
Test(select, scans_in_shared_memory, .init = load_none)
{
    struct hws_shape s = shape_of(HWS_COLL_SCAN, 8, 8);
    struct hws_selection flat;
    s.shared = true;
    cr_assert_str_eq(chosen(s, &none), "shm");
    s.shared = false;
    cr_assert_str_eq(chosen(s, &none), "doubling");
    s.hosts = true;
    cr_assert_str_eq(chosen(s, &none), "two_level");
    cr_assert_eq(hws_selection_make("scan=doubling", &flat), MPI_SUCCESS);
    cr_assert_str_eq(chosen(s, &flat), "doubling");
    s.kind = HWS_COLL_EXSCAN;
    cr_assert_str_eq(chosen(s, &flat), "two_level");
}

/* Doubling's partners are on the own host but for one step, where the hosts count ranks in turn. */
Test(select, allgather_of_hosts_that_count_in_turn, .init = load_none)
{
    static const struct {
        uint64_t bytes;
        int ranks;
        bool in_turn;
        const char *name;
    } cases[] = {
        {8 << 10, 8, true, "two_level"},   {(8 << 10) + 1, 8, true, "doubling"},   {16 << 10, 8, true, "doubling"},
        {16 << 10, 8, false, "two_level"}, {(16 << 10) + 1, 8, true, "two_level"}, {16 << 10, 6, true, "two_level"},
    };
    for (size_t i = 0; i < HWS_ARRAY_LEN(cases); i++) {
        struct hws_shape s = shape_of(HWS_COLL_ALLGATHER, cases[i].bytes, cases[i].ranks);
        s.hosts = true;
        s.in_turn = cases[i].in_turn;
        cr_expect_str_eq(chosen(s, &none), cases[i].name, "case %zu", i);
    }
}

/* Whether a call is sparse nobody knows: few ranks meet, many exchange messages. */
Test(select, pairs_meet_where_they_are_few, .init = load_none)
{
    struct hws_shape s = shape_of(HWS_COLL_ALLTOALLV, 0, 4);
    s.shared = true;
    cr_assert_str_eq(chosen(s, &none), "shm");
    s.ranks = 5;
    cr_assert_str_eq(chosen(s, &none), "linear");
    s.in_place = true;
    cr_assert_str_eq(chosen(s, &none), "exchange");
    s.kind = HWS_COLL_ALLTOALLW;
    s.ranks = 2;
    cr_assert_str_eq(chosen(s, &none), "shm");
    s = shape_of(HWS_COLL_ALLTOALLW, 0, 8);
    s.hosts = true;
    cr_assert_str_eq(chosen(s, &none), "linear");
}

Test(select, forced_algorithms_are_taken_where_they_fit)
{
    struct hws_selection f;
    cr_assert_eq(hws_selection_make("allreduce=ring,bcast=chain,", &f), MPI_SUCCESS);
    struct hws_shape s = shape_of(HWS_COLL_ALLREDUCE, 8, 2);
    cr_assert_str_eq(chosen(s, &f), "ring");
    cr_assert_str_eq(chosen(shape_of(HWS_COLL_BCAST, 8, 2), &f), "chain");
    s.commutative = false;
    cr_assert_str_neq(chosen(s, &f), "ring");
    cr_assert_eq(hws_selection_make("allgather=doubling", &f), MPI_SUCCESS);
    cr_assert_str_eq(chosen(shape_of(HWS_COLL_ALLGATHER, 1 << 20, 8), &f), "doubling");
    cr_assert_str_neq(chosen(shape_of(HWS_COLL_ALLGATHER, 1 << 20, 7), &f), "doubling");
}

Test(select, a_star_forces_all_that_have_the_name)
{
    struct hws_selection f;
    cr_assert_eq(hws_selection_make("*=two_level,bcast=chain", &f), MPI_SUCCESS);
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        struct hws_shape s = shape_of((enum hws_coll_kind)kind, 1 << 20, 8);
        s.hosts = true;
        cr_assert_str_eq(chosen(s, &f), kind == HWS_COLL_BCAST ? "chain" : "two_level", "%s", hws_coll_names[kind]);
    }
    cr_assert_eq(hws_selection_make("*=star", &f), MPI_SUCCESS);
    cr_assert_not_null(f.forced[HWS_COLL_BARRIER]);
    cr_assert_null(f.forced[HWS_COLL_BCAST]);
    cr_assert_eq(hws_selection_make("*=sta", &f), MPI_ERR_OTHER);
    cr_assert_eq(hws_selection_make("*", &f), MPI_ERR_OTHER);
}

/* A row whose name no algorithm of the operation has would never be taken. */
Test(select, every_row_names_an_algorithm, .init = load_none)
{
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        size_t n = hws_selection_rows((enum hws_coll_kind)kind);
        cr_assert(n > 0 && n <= HWS_MOST_ROWS, "%s: %zu rows", hws_coll_names[kind], n);
        for (size_t i = 0; i < n; i++)
            cr_assert_not_null(none.rows[kind][i], "%s, row %zu", hws_coll_names[kind], i);
    }
}

Test(select, unknown_words_are_refused)
{
    static const char *const wrong[] = {
        "allreduce=rung", "allreduc=ring", "allreduce",          "=ring",
        "ring",           "bcast=ring",    "allreduce=ring,x=y", "allreduce=ring bcast=chain",
        "allreduce=rin"};
    struct hws_selection f;
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++)
        cr_assert_eq(hws_selection_make(wrong[i], &f), MPI_ERR_OTHER, "%s", wrong[i]);
    cr_assert_eq(hws_selection_make("", &f), MPI_SUCCESS);
}

static void check_algorithm(const struct hws_algorithm *alg)
{
    cr_assert_not_null(alg->name);
    cr_assert_neq(alg->kinds, 0, "%s", alg->name);
    cr_assert_eq(alg->run != NULL, (alg->needs & (HWS_ALG_SHARED | HWS_ALG_HOSTS)) != 0, "%s", alg->name);
    cr_assert(alg->build || alg->run, "%s", alg->name);
    cr_assert(!alg->build || !(alg->needs & HWS_ALG_SHARED), "%s", alg->name);
}

Test(select, every_algorithm_has_a_distinct_name)
{
    for (size_t i = 0; i < hws_n_algorithms; i++) {
        const struct hws_algorithm *alg = &hws_algorithms[i];
        check_algorithm(alg);
        for (size_t j = 0; j < i; j++)
            cr_assert(!(alg->kinds & hws_algorithms[j].kinds) || strcmp(alg->name, hws_algorithms[j].name) != 0, "%s",
                      alg->name);
    }
}
