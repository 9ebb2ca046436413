/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group_test: the algebra of groups against a model: a group is an array of distinct numbers. Random groups, printed
 * seed.
 */
#include "core/comm/group.h"

#include <criterion/criterion.h>
#include <string.h>

#include "core/object/world.h"
#include "tests/support/seed.h"

#define WORLD 60

struct model {
    int n, p[2 * WORLD];
};

static bool has(const struct model *m, int p)
{
    for (int i = 0; i < m->n; i++)
        if (m->p[i] == p)
            return true;
    return false;
}

/* A random choice of the world's processes in random order. */
static struct model random_model(void)
{
    struct model m = {0};
    int want = (int)hws_test_random(WORLD + 1);
    while (m.n < want) {
        int p = (int)hws_test_random(WORLD);
        if (!has(&m, p))
            m.p[m.n++] = p;
    }
    return m;
}

static struct hws_group *make(const struct model *m)
{
    int *peers = malloc(sizeof m->p);
    memcpy(peers, m->p, sizeof m->p);
    return hws_group_new(m->n, peers, NULL);
}

static void expect(const struct hws_group *g, const struct model *m)
{
    int mine = MPI_UNDEFINED;
    cr_assert_eq(g->size, m->n);
    for (int i = 0; i < m->n; i++) {
        cr_assert_eq(hws_group_peer(g, i), m->p[i]);
        mine = m->p[i] == hws_world.rank ? i : mine;
    }
    cr_assert_eq(g->rank, mine);
    for (int p = -1; p <= WORLD; p++) {
        int rank = hws_group_rank_of_peer(g, p);
        cr_assert(rank == MPI_UNDEFINED ? !has(m, p) : m->p[rank] == p);
    }
}

static struct model model_combine(enum hws_group_op op, const struct model *a, const struct model *b)
{
    struct model m = {0};
    for (int i = 0; i < a->n; i++)
        if (op == HWS_GROUP_UNION || has(b, a->p[i]) == (op == HWS_GROUP_INTERSECTION))
            m.p[m.n++] = a->p[i];
    for (int i = 0; op == HWS_GROUP_UNION && i < b->n; i++)
        if (!has(a, b->p[i]))
            m.p[m.n++] = b->p[i];
    return m;
}

static void begin(void)
{
    hws_world.rank = 7;
    hws_world.size = WORLD;
    hws_test_seed("group_test");
}

TestSuite(group, .init = begin);

Test(group, combinations_follow_the_model)
{
    for (int round = 0; round < 300; round++) {
        struct model a = random_model(), b = random_model();
        struct hws_group *ga = make(&a), *gb = make(&b);
        for (enum hws_group_op op = HWS_GROUP_UNION; op <= HWS_GROUP_DIFFERENCE; op++) {
            struct hws_group *g;
            struct model m = model_combine(op, &a, &b);
            cr_assert_eq(hws_group_combine(op, ga, gb, &g), MPI_SUCCESS);
            expect(g, &m);
            cr_assert_eq(g == &hws_group_empty, m.n == 0);
            hws_group_drop(g);
        }
        hws_group_drop(ga);
        hws_group_drop(gb);
    }
}

Test(group, incl_and_excl_share_out_the_members)
{
    for (int round = 0; round < 300; round++) {
        struct model a = random_model(), in = {0}, out = {0};
        struct hws_group *g = make(&a), *gi, *ge;
        int ranks[WORLD], n = 0;
        for (int i = 0; i < a.n; i++) {
            bool chosen = hws_test_random(2);
            struct model *to = chosen ? &in : &out;
            to->p[to->n++] = a.p[i];
            if (chosen)
                ranks[n++] = i;
        }
        cr_assert_eq(hws_group_incl(g, n, ranks, &gi), MPI_SUCCESS);
        cr_assert_eq(hws_group_excl(g, n, ranks, &ge), MPI_SUCCESS);
        expect(gi, &in);
        expect(ge, &out);
        hws_group_drop(g);
        hws_group_drop(gi);
        hws_group_drop(ge);
    }
}

Test(group, compare_tells_order_from_membership)
{
    for (int round = 0; round < 200; round++) {
        struct model a = random_model(), b = a;
        if (a.n < 2)
            continue;
        int i = (int)hws_test_random((uint64_t)a.n - 1);
        b.p[i] = a.p[i + 1];
        b.p[i + 1] = a.p[i];
        struct model less = a;
        less.n--;
        struct hws_group *ga = make(&a), *same = make(&a), *gb = make(&b), *gl = make(&less);
        cr_assert_eq(hws_group_compare(ga, same), MPI_IDENT);
        cr_assert_eq(hws_group_compare(ga, gb), MPI_SIMILAR);
        cr_assert_eq(hws_group_compare(ga, gl), MPI_UNEQUAL);
        hws_group_drop(ga);
        hws_group_drop(same);
        hws_group_drop(gb);
        hws_group_drop(gl);
    }
}

Test(group, translation_goes_through_processes)
{
    struct model a = {3, {5, 9, 2}}, b = {2, {2, 5}};
    struct hws_group *ga = make(&a), *gb = make(&b);
    int from[] = {0, 1, 2, MPI_PROC_NULL}, to[4], bad = 3;
    cr_assert_eq(hws_group_translate(ga, 4, from, gb, to), MPI_SUCCESS);
    cr_expect_eq(to[0], 1);
    cr_expect_eq(to[1], MPI_UNDEFINED);
    cr_expect_eq(to[2], 0);
    cr_expect_eq(to[3], MPI_PROC_NULL);
    cr_expect_eq(hws_group_translate(ga, 1, &bad, gb, to), MPI_ERR_RANK);
}

Test(group, ranges_name_ranks_as_loops_do)
{
    struct hws_group *world = hws_group_new(WORLD, NULL, NULL), *g;
    int ranges[][3] = {{1, 9, 3}, {20, 10, -5}, {30, 30, 7}, {5, 3, 1}};
    struct model m = {7, {1, 4, 7, 20, 15, 10, 30}};
    cr_assert_eq(hws_group_range(world, 4, ranges, false, &g), MPI_SUCCESS);
    expect(g, &m);
    int twice[][3] = {{1, 9, 3}, {4, 4, 1}}, zero[][3] = {{0, 3, 0}}, outside[][3] = {{50, WORLD, 1}};
    cr_expect_eq(hws_group_range(world, 2, twice, false, &g), MPI_ERR_RANK);
    cr_expect_eq(hws_group_range(world, 1, zero, true, &g), MPI_ERR_ARG);
    cr_expect_eq(hws_group_range(world, 1, outside, true, &g), MPI_ERR_RANK);
    int all[][3] = {{WORLD - 1, 0, -1}};
    cr_assert_eq(hws_group_range(world, 1, all, true, &g), MPI_SUCCESS);
    cr_expect_eq(g, &hws_group_empty);
}

Test(group, wrong_ranks_are_refused)
{
    struct hws_group *world = hws_group_new(WORLD, NULL, NULL), *g;
    int twice[] = {3, 4, 3}, outside[] = {WORLD}, negative[] = {-1};
    cr_expect_eq(hws_group_incl(world, 3, twice, &g), MPI_ERR_RANK);
    cr_expect_eq(hws_group_excl(world, 1, outside, &g), MPI_ERR_RANK);
    cr_expect_eq(hws_group_incl(world, 1, negative, &g), MPI_ERR_RANK);
}

Test(group, the_first_processes_in_order_need_no_array)
{
    int *peers = malloc(3 * sizeof *peers);
    for (int i = 0; i < 3; i++)
        peers[i] = i;
    struct hws_group *g = hws_group_new(3, peers, NULL);
    cr_expect_null(g->peers);
    cr_expect_eq(hws_group_peer(g, 2), 2);
}
