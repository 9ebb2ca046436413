/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_test: the executor itself: the order of rounds, reuse, errors. A failure on one rank must end every rank's
 * schedule, and none may hang.
 */
#include "../fake.h"

#include <malloc.h>

#include "coll/run.h"
#include "core/hosts/hosts.h"

static struct hws_group group;
static struct hws_comm comm[FAKE_MAX];
static struct hws_sched *sched[FAKE_MAX];

static void open_ranks(int n, bool persistent)
{
    group = (struct hws_group){.obj = {HWS_KIND_GROUP, 1, 0}, .size = n};
    for (int r = 0; r < n; r++) {
        comm[r] = (struct hws_comm){.ctx = 64, .rank = r, .size = n, .group = &group};
        sched[r] = hws_sched_new(&comm[r], persistent);
        sched[r]->net = &fake_net;
        sched[r]->net_arg = (void *)(intptr_t)r;
    }
}

static void close_ranks(int n)
{
    for (int r = 0; r < n; r++)
        hws_sched_free(sched[r]);
}

static void start_ranks(int n)
{
    for (int r = 0; r < n; r++)
        cr_assert_eq(hws_sched_start(sched[r]), MPI_SUCCESS);
}

/* Starts all and delivers: every rank ends, rank r with result[r], and no message is left. */
static void run_ranks(int n, const int result[])
{
    start_ranks(n);
    fake_deliver();
    for (int r = 0; r < n; r++) {
        cr_assert(sched[r]->complete, "rank %d hangs", r);
        cr_assert_eq(hws_sched_result(sched[r]), result[r], "rank %d", r);
    }
    cr_assert_eq(fake_n_msgs, 0);
}

Test(sched, a_round_waits_for_the_one_before)
{
    char a[4] = "abc", b[4] = "", c[4] = "";
    fake_reset(false);
    open_ranks(2, false);
    hws_sched_send(sched[0], hws_bytes(a, 4), 1);
    hws_sched_recv(sched[1], hws_bytes(b, 4), 0);
    hws_sched_fence(sched[1]);
    hws_sched_copy(sched[1], hws_bytes(b, 4), hws_bytes(c, 4));
    cr_assert_eq(hws_sched_start(sched[1]), MPI_SUCCESS);
    cr_assert_eq(c[0], 0);
    cr_assert_not(sched[1]->complete);
    cr_assert_eq(hws_sched_start(sched[0]), MPI_SUCCESS);
    cr_assert_not(sched[0]->complete);
    fake_deliver();
    cr_assert(sched[0]->complete && sched[1]->complete);
    cr_assert_str_eq(c, "abc");
    close_ranks(2);
}

Test(sched, parts_may_be_among_some_ranks)
{
    static const int odd[] = {3, 1};
    char a[2] = "a", b[2] = "b", c[2] = "", d[2] = "";
    fake_reset(false);
    open_ranks(4, false);
    hws_sched_use_ranks(sched[1], odd, 2, 1);
    cr_assert(sched[1]->rank == 1 && sched[1]->size == 2);
    hws_sched_send(sched[1], hws_bytes(a, 2), 0);
    hws_sched_use_ranks(sched[1], NULL, 0, 0);
    cr_assert(sched[1]->rank == 1 && sched[1]->size == 4);
    hws_sched_send(sched[1], hws_bytes(b, 2), 3);
    hws_sched_use_ranks(sched[3], odd, 2, 0);
    hws_sched_recv(sched[3], hws_bytes(c, 2), 1);
    hws_sched_use_ranks(sched[3], NULL, 0, 0);
    hws_sched_recv(sched[3], hws_bytes(d, 2), 1);
    run_ranks(4, (int[]){MPI_SUCCESS, MPI_SUCCESS, MPI_SUCCESS, MPI_SUCCESS});
    cr_assert_str_eq(c, "a");
    cr_assert_str_eq(d, "b");
    close_ranks(4);
}

Test(sched, an_empty_schedule_is_complete_at_once)
{
    fake_reset(false);
    open_ranks(1, false);
    start_ranks(1);
    cr_assert(sched[0]->complete);
    cr_assert_eq(hws_sched_result(sched[0]), MPI_SUCCESS);
    close_ranks(1);
}

Test(sched, persistent_schedules_run_again)
{
    char a = 0, b = 0;
    fake_reset(true);
    open_ranks(2, true);
    hws_sched_send(sched[0], hws_bytes(&a, 1), 1);
    hws_sched_recv(sched[1], hws_bytes(&b, 1), 0);
    for (a = 1; a < 10; a++) {
        hws_sched_start(sched[0]);
        hws_sched_start(sched[1]);
        fake_deliver();
        cr_assert(sched[0]->complete && sched[1]->complete);
        cr_assert_eq(a, b);
    }
    close_ranks(2);
}

Test(sched, a_truncated_own_part_fails_here_and_at_the_others)
{
    char a[8] = "aaaaaaa", b[4] = "bbb", c[4] = "ccc";
    fake_reset(true);
    open_ranks(2, false);
    hws_sched_copy(sched[0], hws_bytes(a, 8), hws_bytes(b, 4));
    hws_sched_fence(sched[0]);
    hws_sched_send(sched[0], hws_bytes(a, 4), 1);
    hws_sched_recv(sched[1], hws_bytes(c, 4), 0);
    run_ranks(2, (int[]){MPI_ERR_TRUNCATE, MPI_ERR_TRUNCATE});
    cr_assert_str_eq(b, "bbb");
    close_ranks(2);
}

/* Rank 0 depends on nobody: all is well there, the first time and the second. */
Test(sched, what_failed_fails_again_and_takes_part)
{
    char a[8] = "aaaaaaa", b[4] = "bbb", c[4] = "ccc";
    fake_reset(false);
    open_ranks(3, true);
    hws_sched_send(sched[0], hws_bytes(a, 8), 1);
    hws_sched_recv(sched[1], hws_bytes(b, 4), 0);
    hws_sched_fence(sched[1]);
    hws_sched_send(sched[1], hws_bytes(b, 4), 2);
    hws_sched_recv(sched[2], hws_bytes(c, 4), 1);
    for (int round = 0; round < 3; round++)
        run_ranks(3, (int[]){MPI_SUCCESS, MPI_ERR_TRUNCATE, MPI_ERR_TRUNCATE});
    cr_assert_str_eq(c, "ccc");
    close_ranks(3);
}

Test(sched, without_memory_nothing_runs)
{
    open_ranks(1, false);
    cr_assert_not_null(hws_sched_temp(sched[0], UINT64_MAX - 5));
    cr_assert_eq(hws_sched_start(sched[0]), MPI_ERR_NO_MEM);
    close_ranks(1);
}

/* Takes four temporaries of m bytes; the bytes that were reserved for them. */
static uint64_t reserve_four(struct hws_sched *s, uint64_t m)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        const void *newest = s->held.chunks;
        hws_sched_temp(s, m);
        if (s->held.chunks != newest)
            sum += malloc_usable_size(s->held.chunks);
    }
    return sum;
}

Test(sched, memory_is_kept_where_it_is_little_and_not_wasted_where_it_is_much)
{
    open_ranks(1, false);
    cr_assert_geq(reserve_four(sched[0], 100 << 10), 400 << 10);
    close_ranks(1);
    open_ranks(1, false);
    cr_assert_eq(reserve_four(sched[0], 100 << 10), 0);
    close_ranks(1);
    open_ranks(1, false);
    cr_assert_geq(reserve_four(sched[0], 1 << 20), 4 << 20); /* a reduce-scatter of 2 MiB in place */
    close_ranks(1);
    open_ranks(1, false);
    cr_assert_eq(reserve_four(sched[0], 1 << 20), 0);
    close_ranks(1);
    open_ranks(1, false);
    cr_assert_leq(reserve_four(sched[0], 24 << 20), (4 * 24 << 20) + (64 << 10));
    close_ranks(1);
}

Test(sched, temporary_elements_lie_within_their_memory)
{
    open_ranks(1, false);
    for (int t = 0; t < FAKE_TYPES; t++) { /* the sanitizers watch the writes */
        void *p = hws_sched_temp_typed(sched[0], 9, &fake_types[t].t);
        for (int i = 0; i < 9; i++)
            fake_put(p, i, &fake_types[t].t, fake_value(t, 1, i));
        for (int i = 0; i < 9; i++)
            cr_assert_eq(fake_get(p, i, &fake_types[t].t).a, fake_value(t, 1, i).a);
    }
    close_ranks(1);
}

Test(sched, without_memory_for_data_it_fails_and_the_others_with_it)
{
    char a[4] = "aaa", b[4] = "bbb";
    fake_reset(false);
    open_ranks(3, false);
    hws_sched_recv(sched[1], hws_bytes(hws_sched_temp(sched[1], UINT64_MAX - 5), 4), 0);
    cr_assert_eq(sched[1]->fail.rc, MPI_ERR_NO_MEM);
    cr_assert(hws_sched_hollow(sched[1]));
    hws_sched_recv(sched[1], hws_bytes(hws_sched_temp(sched[1], UINT64_MAX - 5), 4), 0);
    hws_sched_fence(sched[1]);
    hws_sched_send(sched[1], hws_bytes(hws_sched_temp(sched[1], 4), 4), 2);
    int *array = hws_sched_array(sched[1], sizeof *array);
    *array = 7; /* the sanitizers watch */
    hws_sched_send(sched[0], hws_bytes(a, 4), 1);
    hws_sched_recv(sched[2], hws_bytes(b, 4), 1);
    run_ranks(3, (int[]){MPI_SUCCESS, MPI_ERR_NO_MEM, MPI_ERR_NO_MEM});
    cr_assert_str_eq(b, "bbb");
    cr_assert(!hws_sched_hollow(sched[1]));
    close_ranks(3);
}

enum trouble { DEAD, HUNGRY };

/* An algorithm, and the operation that it does. */
struct form {
    const struct hws_algorithm *alg;
    enum hws_coll_kind kind;
};

/* All ranks started, as far as they get; those that end with an error have class `class`, and some do. */
static void run_round(const struct form *f, int n, int troubled, int class)
{
    bool failed = false;
    start_ranks(n);
    fake_deliver();
    cr_assert(class != MPI_ERR_NO_MEM || fake_n_msgs == 0);
    for (int r = 0; r < n; r++) {
        cr_assert(sched[r]->complete, "%s %s, %d ranks, %d in trouble: rank %d hangs", hws_coll_names[f->kind],
                  f->alg->name, n, troubled, r);
        int rc = hws_sched_result(sched[r]);
        cr_assert(rc == MPI_SUCCESS || rc == class, "%s %s, %d ranks, %d in trouble: rank %d says %d",
                  hws_coll_names[f->kind], f->alg->name, n, troubled, r, rc);
        failed = failed || rc != MPI_SUCCESS;
    }
    cr_assert(failed);
}

static bool has_vectors(enum hws_coll_kind kind)
{
    return kind == HWS_COLL_GATHERV || kind == HWS_COLL_SCATTERV || kind == HWS_COLL_ALLGATHERV ||
           kind == HWS_COLL_ALLTOALLV || kind == HWS_COLL_ALLTOALLW || kind == HWS_COLL_REDUCE_SCATTER;
}

/* One element for and from each; what is in it does not matter. */
static struct hws_coll_call call_of(const struct form *f, int rank)
{
    static int sbuf[FAKE_MAX][4 * 2 * FAKE_MAX], rbuf[FAKE_MAX][4 * 2 * FAKE_MAX];
    static int ones[FAKE_MAX], at[FAKE_MAX];
    static MPI_Datatype types[FAKE_MAX];
    struct hws_type *t = &fake_types[FAKE_DENSE].t;
    struct hws_coll_call a = {.kind = f->kind,
                              .comm = &comm[rank],
                              .sbuf = f->alg->needs & HWS_ALG_IN_PLACE ? MPI_IN_PLACE : sbuf[rank],
                              .rbuf = rbuf[rank],
                              .sn = 1,
                              .rn = 1,
                              .st = t,
                              .rt = t,
                              .rop = &fake_ops[0]};
    bool in_bytes = f->kind == HWS_COLL_ALLTOALLW;
    for (int i = 0; i < FAKE_MAX; i++) {
        ones[i] = 1;
        at[i] = i * (in_bytes ? 8 : 1);
        types[i] = hws_type_handle(t);
    }
    if (has_vectors(f->kind)) {
        a.scounts = a.rcounts = (struct hws_counts){ones, false};
        a.sdispls = a.rdispls = (struct hws_counts){at, false};
    }
    if (in_bytes)
        a.stypes = a.rtypes = types;
    return a;
}

/* Every algorithm, with one rank whose messages all fail, or without memory for data: all ranks end; none of those that
 * depend on it succeeds silently with a hang elsewhere, and those that fail know why, also when they learn of it from
 * another one. Started again, the same. */
static void run_with_trouble(const struct form *f, int n, int troubled, bool eager, enum trouble trouble)
{
    static const int32_t hosts[FAKE_MAX] = {0, 0, 0, 5, 0, 5, 5, 7, 7};
    fake_reset(eager);
    fake_dead = trouble == DEAD ? troubled : -1;
    open_ranks(n, true);
    for (int r = 0; r < n; r++) {
        struct hws_coll_call a = call_of(f, r);
        if (f->alg->needs & HWS_ALG_HOSTS)
            comm[r].placed = hws_hosts_map(hosts, n, r);
        f->alg->build(sched[r], &a);
        if (trouble == HUNGRY && r == troubled) {
            cr_assert(hws_sched_hollow(sched[r]));
            f->alg->build(sched[r], &a);
        }
    }
    for (int round = 0; round < 3; round++)
        run_round(f, n, troubled, trouble == DEAD ? MPI_ERR_PROC_ABORTED : MPI_ERR_NO_MEM);
    for (int r = 0; r < n; r++)
        hws_hosts_drop(comm[r].placed);
    close_ranks(n);
}

static void run_form_with(const struct form *f, enum trouble trouble)
{
    for (int n = 2; n <= 9; n++) {
        if ((f->alg->needs & HWS_ALG_POW2) && (n & (n - 1)))
            continue;
        for (int r = 0; r < n; r++)
            for (int eager = 0; eager < 2; eager++)
                run_with_trouble(f, n, r, eager, trouble);
    }
}

static void run_all_with(enum trouble trouble)
{
    cr_assert_eq(hws_coll_setup(), MPI_SUCCESS); /* algorithms in two levels choose among others */
    for (size_t i = 0; i < hws_n_algorithms; i++) {
        for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
            struct form f = {&hws_algorithms[i], (enum hws_coll_kind)kind};
            if (f.alg->build && hws_algorithm_serves(f.alg, f.kind) && !(f.alg->needs & HWS_ALG_CAST))
                run_form_with(&f, trouble);
        }
    }
}

Test(sched, a_dead_rank_ends_every_algorithm_on_every_rank)
{
    hws_test_seed("dead");
    run_all_with(DEAD);
}

Test(sched, a_rank_without_memory_ends_every_algorithm_on_every_rank)
{
    hws_test_seed("hungry");
    run_all_with(HUNGRY);
}
