/* SPDX-License-Identifier: BSD-3-Clause
 *
 * match_test: the hashed queues against a naive list that is plainly right, over random operations from a printed seed,
 * and the properties that MPI demands stated one by one.
 */
#include "match/match.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/seed.h"
#include "base/list.h"

struct item {
    struct hws_match_node node;
    int id;
};

static struct hws_match m;

static void setup(void)
{
    hws_match_init(&m, 0);
}

static void teardown(void)
{
    hws_match_fini(&m);
}

static struct item *item_new(uint32_t ctx, int32_t peer, int32_t tag)
{
    static int next_id;
    struct item *it = calloc(1, sizeof *it);
    cr_assert_not_null(it);
    it->node.key = (struct hws_match_key){ctx, peer, tag};
    it->id = next_id++;
    return it;
}

static struct item *post(uint32_t ctx, int32_t peer, int32_t tag)
{
    struct item *it = item_new(ctx, peer, tag);
    hws_match_post(&m, &it->node);
    return it;
}

static struct item *arrive(uint32_t ctx, int32_t peer, int32_t tag)
{
    struct item *it = item_new(ctx, peer, tag);
    hws_match_add_unexpected(&m, &it->node);
    return it;
}

static struct hws_match_node *take(uint32_t ctx, int32_t peer, int32_t tag)
{
    return hws_match_take_posted(&m, &(struct hws_match_key){ctx, peer, tag});
}

static struct hws_match_node *find(uint32_t ctx, int32_t peer, int32_t tag, bool take_it)
{
    return hws_match_find_unexpected(&m, &(struct hws_match_key){ctx, peer, tag}, take_it);
}

TestSuite(match, .init = setup, .fini = teardown);

Test(match, empty_queues_match_nothing)
{
    cr_assert_null(take(0, 0, 0));
    cr_assert_null(find(0, -1, -2, true));
    cr_assert_eq(hws_match_n_posted(&m) + hws_match_n_unexpected(&m), 0);
}

Test(match, one_key_is_first_in_first_out)
{
    struct item *a = post(1, 2, 3), *b = post(1, 2, 3), *c = post(1, 2, 3);
    cr_assert_eq(take(1, 2, 3), &a->node);
    cr_assert_eq(take(1, 2, 3), &b->node);
    cr_assert_eq(take(1, 2, 3), &c->node);
    cr_assert_null(take(1, 2, 3));
    cr_assert_not(c->node.queued);
}

Test(match, contexts_peers_and_tags_are_told_apart)
{
    struct item *a = post(1, 2, 3);
    cr_assert_null(take(2, 2, 3));
    cr_assert_null(take(1, 3, 3));
    cr_assert_null(take(1, 2, 2));
    cr_assert_eq(take(1, 2, 3), &a->node);
}

Test(match, the_oldest_of_exact_and_wildcard_receives_wins)
{
    struct item *any = post(1, -1, -2), *exact = post(1, 2, 3), *source = post(1, 2, -2), *tag = post(1, -1, 3);
    cr_assert_eq(take(1, 2, 3), &any->node);
    cr_assert_eq(take(1, 2, 3), &exact->node);
    cr_assert_eq(take(1, 2, 3), &source->node);
    cr_assert_eq(take(1, 2, 3), &tag->node);
    cr_assert_null(take(1, 2, 3));
}

Test(match, a_wildcard_takes_only_from_its_context)
{
    post(1, -1, -2);
    cr_assert_null(take(2, 2, 3));
    cr_assert_eq(hws_match_n_posted(&m), 1);
}

/* One posted receive alone is kept apart: it must be found, left, taken back and joined by others like any. */
Test(match, a_lone_receive_is_like_any_other)
{
    struct item *it = post(1, HWS_MATCH_ANY_PEER, 5);
    cr_assert_null(take(2, 0, 5));
    cr_assert_null(take(1, 0, 6));
    cr_assert_eq(take(1, 3, 5), &it->node);
    cr_assert_null(take(1, 3, 5));
    struct item *exact = post(1, 3, 5), *wild = post(1, 3, HWS_MATCH_ANY_TAG);
    cr_assert_eq(take(1, 3, 5), &exact->node);
    cr_assert_eq(take(1, 3, 5), &wild->node);
    hws_match_post(&m, &it->node);
    hws_match_remove(&m, &it->node);
    cr_assert_eq(hws_match_n_posted(&m), 0);
    cr_assert_null(take(1, 3, 5));
    free(it);
    free(exact);
    free(wild);
}

Test(match, a_probe_leaves_the_message)
{
    struct item *a = arrive(1, 2, 3);
    cr_assert_eq(find(1, -1, -2, false), &a->node);
    cr_assert_eq(hws_match_n_unexpected(&m), 1);
    cr_assert_eq(find(1, 2, 3, true), &a->node);
    cr_assert_eq(hws_match_n_unexpected(&m), 0);
}

Test(match, wildcards_see_messages_in_order_of_arrival)
{
    struct item *a = arrive(1, 5, 9), *b = arrive(1, 2, 3), *c = arrive(1, 5, 3);
    arrive(0, 5, 3);
    cr_assert_eq(find(1, -1, 3, false), &b->node);
    cr_assert_eq(find(1, 5, -2, false), &a->node);
    cr_assert_eq(find(1, -1, -2, true), &a->node);
    cr_assert_eq(find(1, 5, -2, true), &c->node);
}

Test(match, cancel_from_the_middle_of_a_ring)
{
    struct item *a = post(1, 2, 3), *b = post(1, 2, 3), *c = post(1, 2, 3);
    hws_match_remove(&m, &b->node);
    hws_match_remove(&m, &b->node);
    hws_match_remove(&m, &a->node);
    cr_assert_eq(take(1, 2, 3), &c->node);
    cr_assert_eq(hws_match_n_posted(&m), 0);
}

static void count_and_repost(struct hws_match_node *n, void *arg)
{
    cr_assert_not(n->queued);
    (*(int *)arg)++;
    n->key.peer = 77;
    hws_match_post(&m, n);
}

Test(match, drain_takes_one_peer_and_lets_the_callback_queue)
{
    for (int i = 0; i < 500; i++)
        post(1, i % 5, i % 7);
    int n = 0;
    hws_match_drain(&m, HWS_MATCH_POSTED, 3, false, count_and_repost, &n);
    cr_assert_eq(n, 100);
    cr_assert_eq(hws_match_n_posted(&m), 500);
    for (int tag = 0; tag < 7; tag++)
        cr_assert_null(take(1, 3, tag));
}

static void count_only(struct hws_match_node *n, void *arg)
{
    (*(int *)arg)++;
    free(hws_container_of(n, struct item, node));
}

Test(match, drain_all_empties_the_queue)
{
    for (int i = 0; i < 300; i++)
        arrive((uint32_t)i % 3, i % 5, i);
    int n = 0;
    hws_match_drain(&m, HWS_MATCH_UNEXPECTED, 0, true, count_only, &n);
    cr_assert_eq(n, 300);
    cr_assert_eq(hws_match_n_unexpected(&m), 0);
    cr_assert_null(find(0, -1, -2, false));
}

Test(match, thousands_of_keys_survive_growth)
{
    enum { N = 20000 };
    static struct item *items[N];
    for (int i = 0; i < N; i++)
        items[i] = post((uint32_t)i % 3, i % 1000, i);
    for (int i = N - 1; i >= 0; i--)
        cr_assert_eq(take((uint32_t)i % 3, i % 1000, i), &items[i]->node);
    cr_assert_eq(hws_match_n_posted(&m), 0);
}

/* ---- the naive model ---- */

enum { MAX_ITEMS = 400 };

struct naive {
    struct item *posted[MAX_ITEMS], *unexpected[MAX_ITEMS];
    int n_posted, n_unexpected;
};

static bool naive_matches(const struct hws_match_key *pattern, const struct hws_match_key *k)
{
    return pattern->ctx == k->ctx && (pattern->peer == -1 || pattern->peer == k->peer) &&
           (pattern->tag == -2 || pattern->tag == k->tag);
}

static void naive_delete(struct item **list, int *n, int i)
{
    memmove(&list[i], &list[i + 1], (size_t)(*n - i - 1) * sizeof list[0]);
    (*n)--;
}

static struct hws_match_key random_key(bool wild)
{
    struct hws_match_key k = {(uint32_t)hws_test_random(3), (int32_t)hws_test_random(6), (int32_t)hws_test_random(6)};
    if (wild && hws_test_random(4) == 0)
        k.peer = -1;
    if (wild && hws_test_random(4) == 0)
        k.tag = -2;
    return k;
}

static void check_take(struct naive *v)
{
    struct hws_match_key k = random_key(false);
    int i = 0;
    while (i < v->n_posted && !naive_matches(&v->posted[i]->node.key, &k))
        i++;
    struct hws_match_node *n = hws_match_take_posted(&m, &k);
    cr_assert_eq(n, i < v->n_posted ? &v->posted[i]->node : NULL);
    if (!n)
        return;
    free(v->posted[i]);
    naive_delete(v->posted, &v->n_posted, i);
}

static void check_find(struct naive *v)
{
    struct hws_match_key k = random_key(true);
    bool take_it = hws_test_random(2);
    int i = 0;
    while (i < v->n_unexpected && !naive_matches(&k, &v->unexpected[i]->node.key))
        i++;
    struct hws_match_node *n = hws_match_find_unexpected(&m, &k, take_it);
    cr_assert_eq(n, i < v->n_unexpected ? &v->unexpected[i]->node : NULL);
    if (!n || !take_it)
        return;
    free(v->unexpected[i]);
    naive_delete(v->unexpected, &v->n_unexpected, i);
}

static void check_add(struct naive *v, bool is_post)
{
    struct item **list = is_post ? v->posted : v->unexpected;
    int *n = is_post ? &v->n_posted : &v->n_unexpected;
    if (*n == MAX_ITEMS)
        return;
    struct hws_match_key k = random_key(is_post);
    list[(*n)++] = is_post ? post(k.ctx, k.peer, k.tag) : arrive(k.ctx, k.peer, k.tag);
}

static void check_cancel(struct naive *v)
{
    bool is_post = hws_test_random(2);
    struct item **list = is_post ? v->posted : v->unexpected;
    int *n = is_post ? &v->n_posted : &v->n_unexpected;
    if (!*n)
        return;
    int i = (int)hws_test_random((uint64_t)*n);
    hws_match_remove(&m, &list[i]->node);
    free(list[i]);
    naive_delete(list, n, i);
}

Test(match, random_operations_agree_with_a_naive_list)
{
    static struct naive v;
    hws_test_seed("match");
    for (int step = 0; step < 200000; step++) {
        /* Which operations prevail changes, so that the queues fill and drain. */
        uint64_t op = hws_test_random(10) + (step / 2000 % 2 ? 2 : 0);
        if (op < 6)
            check_add(&v, hws_test_random(2));
        else if (op < 8)
            check_take(&v);
        else if (op < 11)
            check_find(&v);
        else
            check_cancel(&v);
        cr_assert_eq(hws_match_n_posted(&m), (size_t)v.n_posted);
        cr_assert_eq(hws_match_n_unexpected(&m), (size_t)v.n_unexpected);
    }
}
